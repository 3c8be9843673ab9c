"""The table behind a target: its name, and which views are good enough to stand for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pyspark.errors.exceptions.captured import convert_exception

from ..errors import SpecError
from .jvm import CATALYST, DELTA, Jvm, active, optional

if TYPE_CHECKING:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    from .jvm import JavaObject

PADDING = "readSidePadding"
"""What Spark's analyzer puts around CHAR columns that it reads."""


def table_exists(spark: SparkSession, name: str) -> bool:
    """Whether there is a table, or a view, of this name; in a folder, a table with a version."""
    jvm = Jvm(spark)
    folder = _folder(jvm, name)
    if folder is None:
        return spark.catalog.tableExists(name)
    log = jvm.type(f"{DELTA}.DeltaLog").forTable(jvm.session, folder)
    return bool(log.update(False, jvm.none, jvm.none).version() >= 0)


def _folder(jvm: Jvm, name: str) -> str | None:
    parts = jvm.items(jvm.session.sessionState().sqlParser().parseMultipartIdentifier(name))
    if len(parts) != 2:
        return None
    identifier = jvm.type(f"{CATALYST}.TableIdentifier").apply(parts[1], jvm.some(parts[0]))
    with active(jvm):
        is_delta = jvm.module(f"{DELTA}.DeltaTableIdentifier").isDeltaPath(jvm.session, identifier)
    return parts[1] if is_delta else None


def table_name(catalog_table: JavaObject, log: JavaObject) -> str:
    """As a person names it; `catalog_table` is the Option of its entry in the catalog."""
    table = optional(catalog_table)
    if table is not None:
        name: str = table.identifier().unquotedString()
        return name
    return f"delta.`{log.dataPath().toString()}`"


def refuse_other_columns(jvm: Jvm, plan: JavaObject, table: JavaObject) -> None:
    """Refuse a view over some columns of a table, or over renamed or computed ones.

    Rows that are copied would lose the others, or hold what was computed. Delta raises the first
    error; the second view fails in Spark's planner there.
    """
    if plan.schema().size() != table.size():
        raise schema_changed(jvm, plan.schema(), table)
    for alias in _aliases(jvm, plan):
        if not _is_as_stored(alias):
            raise SpecError(
                f"the target is a view that renames or computes {alias.name()};"
                " nothing was written. Change the table itself."
            )


def _aliases(jvm: Jvm, plan: JavaObject) -> Iterable[JavaObject]:
    """The named expressions of the plan's projections."""
    for child in jvm.items(plan.children()):
        yield from _aliases(jvm, child)
    if plan.getClass().getSimpleName() == "Project":
        for column in jvm.items(plan.projectList()):
            if column.getClass().getSimpleName() == "Alias":
                yield column


def _is_as_stored(alias: JavaObject) -> bool:
    """A column under its own name, padded or cast to the type it has, as a view casts."""
    column = alias.child()
    if column.getClass().getSimpleName() == "Cast":
        column = column.child()
    if column.getClass().getSimpleName() == "AttributeReference":
        return bool(column.name() == alias.name() and column.dataType().equals(alias.dataType()))
    return PADDING in column.toString()


def schema_changed(jvm: Jvm, analyzed: JavaObject, now: JavaObject) -> PySparkException:
    """Delta's error for a table that has another schema than the one that was analyzed."""
    errors = jvm.module(f"{DELTA}.DeltaErrors")
    error: PySparkException = convert_exception(
        errors.schemaChangedSinceAnalysis(analyzed, now, False)
    )
    return error
