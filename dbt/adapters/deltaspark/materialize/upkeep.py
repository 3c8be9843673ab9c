"""OPTIMIZE after a write, when a model asks for it and it is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.spec import quoted

if TYPE_CHECKING:
    from ..engine import DeltaTarget
    from ..settings import Upkeep

COMPACTS = "OPTIMIZE"


def optimize_if_due(target: DeltaTarget, upkeep: Upkeep) -> bool:
    """Run OPTIMIZE, with ZORDER BY where it is asked for; says whether it ran."""
    if not _is_due(target, upkeep):
        return False
    order = f" ZORDER BY ({', '.join(map(quoted, upkeep.zorder))})" if upkeep.zorder else ""
    target.spark.sql(f"OPTIMIZE {target.name}{order}").collect()
    return True


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
