"""The new rows of a write: into data files, with the check that they belong where they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..delta import DELTA, column_names, conditions, described, inserted, with_images
from ..errors import ReplaceWhereViolationError, row_text
from ..internal_columns import Names
from ..spec import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from ..delta import FileChanges, JavaObject, Transaction
    from .write_rules import WriteCommand

SHOWN_ROWS = 5
VIOLATED = "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES"


def write_rows(
    transaction: Transaction,
    frame: DataFrame,
    command: WriteCommand,
    table: str,
    *,
    with_change_rows: bool,
) -> FileChanges:
    """New data files; change rows beside them where the commit has change rows already.

    Raises ReplaceWhereViolationError where a row is outside of what `replace_where` replaces.
    """
    predicate = command.spec.replace_where
    checks = () if predicate is None else _checks(transaction, command.java, predicate)
    rows = _as_inserts(frame) if with_change_rows else frame
    try:
        with described(transaction.jvm, "WRITE: writing data files"):
            return transaction.write(rows, command.options, checks)
    except (Py4JError, PySparkException) as error:
        if predicate is None or VIOLATED not in conditions(error):
            raise
        outside = _outside(transaction, frame, predicate)
        if not outside:
            raise
        raise ReplaceWhereViolationError(table, predicate, outside) from error


def _checks(transaction: Transaction, command: JavaObject, predicate: str) -> list[JavaObject]:
    """A constraint for each conjunct that reads a column (extractConstraints of Delta)."""
    jvm = transaction.jvm
    parsed = jvm.session.sessionState().sqlParser().parseExpression(predicate)
    split = jvm.module(f"{DELTA}.DeltaTableUtils").splitMetadataAndDataPredicates(
        parsed, transaction.metadata.partitionColumns(), jvm.session
    )
    conjuncts = jvm.seq([*jvm.items(split._1()), *jvm.items(split._2())])
    return jvm.items(command.extractConstraints(jvm.session, conjuncts))


def _as_inserts(frame: DataFrame) -> DataFrame:
    columns = _columns(frame)
    return with_images(frame, columns, columns, inserted(), Names.fresh(frame.columns))


def _outside(transaction: Transaction, frame: DataFrame, predicate: str) -> list[str]:
    """Some rows for which the predicate is false or null, as text; what they lack is null."""
    given = {name.lower() for name in frame.columns}
    missing = [n for n in column_names(transaction.metadata.schema()) if n.lower() not in given]
    whole = frame.withColumns({name: F.lit(None) for name in missing}) if missing else frame
    rows = whole.filter(~F.coalesce(F.expr(predicate), F.lit(False))).select(*_columns(frame))
    shown = [row.asDict() for row in rows.limit(SHOWN_ROWS).collect()]
    return [row_text(row, predicate) for row in shown]


def _columns(frame: DataFrame) -> list[Column]:
    return [F.col(quoted(name)) for name in frame.columns]
