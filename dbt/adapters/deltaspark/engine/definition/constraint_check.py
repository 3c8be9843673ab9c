"""Whether the rows that are there hold constraints that a table is to get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ..delta import described
from ..errors import ConstraintViolationError, SpecError, Violation, row_text
from ..spec import quoted
from ..text_lengths import length_of

if TYPE_CHECKING:
    from pyspark.sql import Column

    from ..delta import Transaction
    from .state import Tightened

SHOWN_ROWS = 5
"""Of all constraints together, but one of each."""


def refuse_violations(txn: Transaction, table: str, asked: Tightened) -> None:
    """Read every row, recorded as read, and raise where one breaks a constraint.

    Null is a violation of a CHECK, as it is when Delta writes rows. Raises SpecError for conditions
    that are no conditions over the table's columns.
    """
    if not asked:
        return
    files = txn.read_files([])
    log, none = txn.java.deltaLog(), txn.jvm.none
    java = log.createDataFrame(txn.snapshot, files.java, False, none)
    rows = DataFrame(java, txn.jvm.spark)
    broken = _broken(rows, asked)
    with described(txn.jvm, "checking constraints"):
        counts = rows.agg(*[F.count_if(each) for each in broken.values()]).collect()[0]
        found = [(name, n) for name, n in zip(broken, counts, strict=True) if n]
        shown = max(1, SHOWN_ROWS // max(1, len(found)))
        violations = [
            Violation(name, count, _some(rows.filter(broken[name]).limit(shown), name))
            for name, count in found
        ]
    if violations:
        raise ConstraintViolationError(table, violations)


def _broken(rows: DataFrame, asked: Tightened) -> Mapping[str, Column]:
    """When a row breaks a constraint, by the constraint as a person names it."""
    known = set(rows.columns)
    broken = {}
    for name, text in asked.checks.items():
        broken[f"CHECK {name} ({text})"] = ~F.coalesce(_condition(rows, name, text), F.lit(False))
    for name in asked.not_null:
        missing = name not in known
        broken[f"NOT NULL {name}"] = F.lit(True) if missing else F.col(quoted(name)).isNull()
    for name, kind in asked.lengths.items():
        broken[f"{name} {kind}"] = F.length(quoted(name)) > F.lit(length_of(kind))
    return broken


def _condition(rows: DataFrame, name: str, text: str) -> Column:
    condition = F.expr(text)
    found = rows.select(condition).schema[0].dataType.simpleString()
    if found != "boolean":
        raise SpecError(
            f"the check {name} is {text!r}, which is of type {found} and no condition; nothing was"
            " changed"
        )
    return condition


def _some(broken: DataFrame, constraint: str) -> tuple[str, ...]:
    return tuple(row_text(row.asDict(), constraint) for row in broken.collect())
