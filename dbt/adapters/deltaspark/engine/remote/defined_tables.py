"""Tables with definitions of their columns, made or replaced whole: two commits, or none.

CREATE TABLE AS makes every column nullable, and no ALTER TABLE makes one NOT NULL. So the table is
made without rows, and they are written then, in the place of all that is there.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException

from ..delta import UNKNOWN_VERSION, Commit, on_server, once
from ..errors import EngineError, add_note
from ..metrics import OperationMetrics
from ..spec import text_literal
from ..write import CASTS
from .commits import (
    commits_after,
    committed,
    is_there,
    newest_version,
    own_note,
    plain,
    turn,
    uninterrupted,
)
from .keys import has_been_executed
from .rows import fill
from .tables import made_by_another, run, without_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import DataFrame, SparkSession

    from ..spec import WriteSpec

logger = logging.getLogger(__name__)

NO_TABLE_THERE = "DELTA_CREATE_EXTERNAL_TABLE_WITHOUT_SCHEMA"


def create_defined(
    source: DataFrame, table: str, spec: WriteSpec, *, conflict_retries: int
) -> Commit:
    """The commit of the rows, or none where the idempotency key is in the table's log.

    The rows are evaluated first: they may be the table's own. After an error the table is brought
    back to its version before, or dropped where it is new, unless another writer committed to it
    meanwhile: a note of the error says so.
    """
    spark, key = source.sparkSession, once(spec.idempotency_key)
    with turn(table), _registered(spark, table, spec):
        if key and is_there(spark, table) and has_been_executed(spark, table, key):
            return Commit(None, OperationMetrics())
        rows = on_server(source)
        before, note = newest_version(spark, table), own_note(spark, spec.user_metadata)
        try:
            made = committed(
                spark,
                table,
                lambda: run(spark, without_rows(table, source.schema, spec), table, spec),
                conflict_retries=conflict_retries,
                user_metadata=note,
                is_last=False,
            )
            if made.version is None and not spec.replaces_whole:  # it was there, by path
                raise made_by_another(table)
            filled = committed(
                spark,
                table,
                lambda: fill(rows, table, spec),
                confs={**CASTS, **key},
                conflict_retries=conflict_retries,
                user_metadata=spec.user_metadata,
            )
        except BaseException as error:
            _undo(spark, table, before, note, error)
            raise
        _warn_of_others(table, made, filled)
        if filled.version is not None or not key:
            return made if filled.version is None else filled
        return _filled_by_another(spark, table, made, key)


def _filled_by_another(
    spark: SparkSession, table: str, made: Commit, key: Mapping[str, str]
) -> Commit:
    """No rows were written: there are none, or the key came into the log after it was asked for.

    If it came before ours its rows are back.
    """
    if not has_been_executed(spark, table, key):
        return made
    with uninterrupted(spark):
        if made.version == newest_version(spark, table):
            spark.sql(_undoing(table, made.version)).collect()
    return Commit(None, OperationMetrics())


def _warn_of_others(table: str, made: Commit, filled: Commit) -> None:
    versions = (made.version, filled.version)
    if None in versions or UNKNOWN_VERSION in versions or versions[1] == (versions[0] or 0) + 1:
        return
    logger.warning(
        "%s was defined in version %s and got its rows in version %s: another writer committed in"
        " between. Its rows gave way to them, unless the table is append-only; where it defined the"
        " table otherwise, that stays",
        table,
        *versions,
    )


@contextmanager
def _registered(spark: SparkSession, table: str, spec: WriteSpec) -> Iterator[None]:
    """With the catalog's entry of a Delta table that lies without one where ours is to be.

    After an error the entry is gone again. Raises EngineError where the write does not replace it.
    """
    known = spec.location is None or is_there(spark, table)
    if known or not _register(spark, table, str(spec.location)):
        yield
        return
    try:
        if not spec.replaces_whole:
            raise EngineError(
                f"{plain(table)} cannot be made in {spec.location}: a Delta table is there already;"
                " nothing was written. Write to that table, register it by CREATE TABLE, or choose"
                " another location."
            )
        yield
    except BaseException as error:
        try:
            with uninterrupted(spark):
                spark.sql(f"DROP TABLE {table}").collect()
        except BaseException as failure:  # the error that led here is raised
            add_note(error, f"{table} is registered in the catalog now: {failure}")
        raise


def _register(spark: SparkSession, table: str, location: str) -> bool:
    """False where no table is there: without columns CREATE TABLE makes none."""
    try:
        spark.sql(f"CREATE TABLE {table} USING delta LOCATION {text_literal(location)}").collect()
    except PySparkException as error:
        if error.getCondition() != NO_TABLE_THERE:
            raise
        return False
    return True


def _undo(spark: SparkSession, table: str, before: int, note: str, error: BaseException) -> None:
    """Take back what was made, where it is the last commit; nothing if it was no commit."""
    try:
        with uninterrupted(spark):
            found = commits_after(spark, table, before) if is_there(spark, table) else []
    except BaseException as unreadable:  # the error that led here is raised
        add_note(error, f"Whether {table} was made anew, without rows, is unknown: {unreadable}")
        return
    ours = [each.version for each in found if each.note == note]
    if len(ours) != 1:  # nothing was made, or the rows are there, by the same note
        return
    undoing = _undoing(table, ours[0])
    try:
        with uninterrupted(spark):
            if found[0].version != ours[0]:
                raise EngineError("another commit came after it")
            spark.sql(undoing).collect()
    except BaseException as failure:  # the error that led here is raised
        what = f"{table} was made anew in version {ours[0]}, without rows"
        add_note(error, f"{what}; undoing it ({undoing}) failed: {failure}")


def _undoing(table: str, version: int) -> str:
    if version == 0:
        return f"DROP TABLE {table}"
    return f"RESTORE TABLE {table} TO VERSION AS OF {version - 1}"
