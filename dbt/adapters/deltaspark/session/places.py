"""Where a process's Spark has its tables, which is one place for all targets of the process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .confs import CATALOG_KIND, CATALOG_URL
from .environment import is_local
from .errors import SessionError
from .secrets import shown

if TYPE_CHECKING:
    from pyspark import SparkContext

    from .attach import Attached
    from .confs import SessionSettings


WAREHOUSE = "spark.sql.warehouse.dir"
CATALOGS = ("spark.hadoop.hive.metastore.uris", CATALOG_URL)
"""What Hive's catalog is reached by, the one that counts first."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The Spark that the adapter has come by in this process, and what it was asked for then.

    `attached`: what sessions of it need, where it is a warm one.
    """

    context: SparkContext
    settings: SessionSettings
    attached: Attached | None


def check_place(opened: Opened, wanted: SessionSettings) -> None:
    """Raises SessionError where what `wanted` asks for would be read and written elsewhere."""
    has, asked = _place(opened.settings), _place(wanted)
    differ = [
        f"{name} is {shown(name, has[name])!r} there, {shown(name, asked[name])!r} here"
        for name in has
        if has[name] != asked[name]
    ]
    if differ:
        raise SessionError(
            "The Spark of this process was started for another target or project, and would read"
            f" and write that one's tables: {'; '.join(differ)}. A process has one Spark: run each"
            " target in a process of its own, or give them one `warehouse` and `metastore`, with a"
            " schema for each."
        )


def _place(settings: SessionSettings) -> dict[str, str | None]:
    """As confs name it, and else the profile's own keys. A local master's cores are no matter."""
    confs, catalog = dict(settings.spark_config), settings.catalog_folder
    warehouse = confs.get(WAREHOUSE, settings.warehouse)
    master = confs.get("spark.master", settings.master)
    metastore = str(catalog.resolve()) if catalog else settings.metastore
    return {
        "warehouse": _resolved(warehouse),
        "metastore": next((confs[name] for name in CATALOGS if name in confs), metastore),
        "catalog": confs.get(CATALOG_KIND, "hive"),
        "master": "local" if is_local(master) else master,
    }


def _resolved(warehouse: str | None) -> str | None:
    return warehouse if warehouse is None or ":" in warehouse else str(Path(warehouse).resolve())


def make(folder: Path | None) -> None:
    """A folder of data beside a project's texts, of which git takes no notice."""
    if folder is not None and not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)  # another process may do so now
        (folder / ".gitignore").write_text("*\n")
