"""OPTIMIZE after a write, when a model asks for it and it is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.spec import quoted

if TYPE_CHECKING:
    from ..engine import DeltaTarget, MergeResult
    from ..settings import TableConfig, Upkeep

COMPACTS = "OPTIMIZE"


def kept_up(table: TableConfig, target: DeltaTarget, result: MergeResult) -> MergeResult:
    """The result of a write, after OPTIMIZE, with ZORDER BY where it is asked for, if it is due."""
    if table.upkeep is not None and result.version is not None and _is_due(target, table.upkeep):
        _optimize(target, table.upkeep)
    return result


def _optimize(target: DeltaTarget, upkeep: Upkeep) -> None:
    order = f" ZORDER BY ({', '.join(map(quoted, upkeep.zorder))})" if upkeep.zorder else ""
    target.spark.sql(f"OPTIMIZE {target.name}{order}").collect()


def _is_due(target: DeltaTarget, upkeep: Upkeep) -> bool:
    if upkeep.after_files is not None:
        (details,) = target.spark.sql(f"DESCRIBE DETAIL {target.name}").collect()
        if details["numFiles"] > upkeep.after_files:
            return True
    if upkeep.after_runs is None:
        return False
    history = target.spark.sql(f"DESCRIBE HISTORY {target.name}").select("operation").collect()
    operations = [row["operation"] for row in history]
    since = operations.index(COMPACTS) if COMPACTS in operations else len(operations)
    return sum(_writes(each) for each in operations[:since]) >= upkeep.after_runs


def _writes(operation: str) -> bool:
    return operation in ("WRITE", "MERGE", "DELETE", "UPDATE") or "TABLE AS" in operation
