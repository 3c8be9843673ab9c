"""OPTIMIZE after a write, when a model asks for it and it is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbt.adapters.events.logging import AdapterLogger
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ..engine.spec import quoted
from ..session import message_of

if TYPE_CHECKING:
    from ..engine import DeltaTarget, MergeResult
    from ..settings import TableConfig, Upkeep

logger = AdapterLogger("deltaspark")
COMPACTS = "OPTIMIZE"


def kept_up(table: TableConfig, target: DeltaTarget, result: MergeResult) -> MergeResult:
    """The result of a write, after OPTIMIZE, with ZORDER BY where it is asked for, if it is due.

    The rows are written, whatever becomes of it: its errors are warnings.
    """
    if table.upkeep is None or result.version is None:
        return result
    statement = _statement(target, table.upkeep)
    try:
        if _is_due(target, table.upkeep):
            target.spark.sql(statement).collect()
    except (PySparkException, Py4JError) as error:
        logger.warning(
            f"{target.name} is written, and what `optimize` asks for after it failed:"
            f" {message_of(error)}\nRun it by hand, or let the next run do it: {statement}"
        )
    return result


def _statement(target: DeltaTarget, upkeep: Upkeep) -> str:
    order = f" ZORDER BY ({', '.join(map(quoted, upkeep.zorder))})" if upkeep.zorder else ""
    return f"OPTIMIZE {target.name}{order}"


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
