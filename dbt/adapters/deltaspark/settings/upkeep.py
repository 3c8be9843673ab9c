"""When OPTIMIZE runs after a write, and by which columns it orders the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..column_names import found
from .config_reader import ConfigReader, is_asked

CLUSTERING = ("liquid_clustered_by", "auto_liquid_cluster")
"""Keys of clustered tables, which are optimized without ZORDER BY."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """When OPTIMIZE runs after a write: after so many files, or so many writes since the last."""

    after_files: int | None = None
    after_runs: int | None = None
    zorder: tuple[str, ...] = ()


def read_upkeep(reader: ConfigReader, partition_by: Sequence[str]) -> Upkeep | None:
    """None where no OPTIMIZE is asked for; problems stay with the reader."""
    value = reader.value("optimize")
    zorder, skips = reader.columns("zorder"), reader.flag("skip_optimize", False)
    if value is None:
        return None
    keys = ("after_files", "after_runs")
    counts = value if isinstance(value, Mapping) else {}
    known = counts and set(counts) <= set(keys)
    if not known or any(type(count) is not int or count < 1 for count in counts.values()):
        reader.problems.append(
            "optimize must be {after_files: N} or {after_runs: N} with N of at least 1,"
            f" got {value!r}"
        )
        return None
    if skips:
        return None
    if any(is_asked(reader.value(key)) for key in CLUSTERING):
        zorder = ()
    reader.problems += _of_partitions(zorder, partition_by)
    return Upkeep(counts.get("after_files"), counts.get("after_runs"), zorder)


def _of_partitions(zorder: Sequence[str], partition_by: Sequence[str]) -> Iterator[str]:
    for name in zorder:
        if found(name, partition_by) is not None:
            yield (
                f"zorder names {name!r}, a column of partition_by: each file has one value of it"
                " already; leave it out of zorder"
            )


def warnings_of_zorder(config: Mapping[str, Any]) -> Iterator[str]:
    """Where no OPTIMIZE of the model's orders its rows by these columns."""
    if not config.get("zorder") or is_asked(config.get("skip_optimize")):
        return
    if not config.get("optimize"):
        yield "zorder has no effect without optimize, which says when to run it"
        return
    for key in CLUSTERING:
        if is_asked(config.get(key)):
            yield f"zorder has no effect with {key}: Delta refuses ZORDER BY of a clustered table"
            return
