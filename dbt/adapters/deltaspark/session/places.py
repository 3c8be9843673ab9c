"""Where a process's Spark has its tables, which is one place for all targets of the process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import SessionError
from .secrets import shown

if TYPE_CHECKING:
    from pyspark import SparkContext

    from .attach import Attached
    from .confs import SessionSettings


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
    """How many cores a local master has is no matter of place."""
    warehouse, catalog = settings.warehouse_folder, settings.catalog_folder
    return {
        "warehouse": str(warehouse.resolve()) if warehouse else settings.warehouse,
        "metastore": str(catalog.resolve()) if catalog else settings.metastore,
        "master": "local" if settings.is_local else settings.master,
    }


def make(folder: Path | None) -> None:
    """A folder of data beside a project's texts, of which git takes no notice."""
    if folder is not None and not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)  # another process may do so now
        (folder / ".gitignore").write_text("*\n")
