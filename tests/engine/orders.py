"""A change to a table as an order, which our engine and Delta's own commands both can carry out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from golden import Change, DeleteRows, UpdateRows, WriteRows
from targets import with_conf

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from limits import Limits
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Order:
    """The text of a MERGE, or another change to the table from the source's view."""

    spark: SparkSession
    statement: str | Change
    table: str
    source: str


Engine = Callable[[Order], Any]  # an engine's MergeResult, or nothing for Delta's own


def ours_by(limits: Limits) -> Engine:
    """Ours, by the users' limits or by others."""

    def by_us(order: Order) -> engine.MergeResult:
        with limits.in_force():
            return ours(order)

    return by_us


def ours(order: Order) -> engine.MergeResult:
    target = engine.DeltaTarget.for_name(order.spark, order.table)
    match order.statement:
        case str() as merge:
            return engine.merge_into(order.spark, merge)
        case DeleteRows(condition):
            return target.delete(condition)
        case UpdateRows(assignments, condition):
            return target.update(dict(assignments), condition)
        case WriteRows() as write:
            given = {field.name: getattr(write, field.name) for field in fields(write)}
            given["options"] = dict(write.options)
            return engine.write(order.spark.table(order.source), target, **given)


def delta(order: Order) -> None:
    """The oracle: Delta's own MERGE, DELETE, UPDATE and DataFrameWriter."""
    if isinstance(order.statement, WriteRows):
        _written_by_delta(order, order.statement)
    else:
        order.spark.sql(_text(order.statement, order.table))


def delta_reading_as_stored(order: Order) -> None:
    """The oracle where a text of a CHAR column is read as its file has it, without more blanks."""
    with with_conf(order.spark, (("spark.sql.readSideCharPadding", "false"),)):
        delta(order)


def _text(statement: str | DeleteRows | UpdateRows, table: str) -> str:
    if isinstance(statement, str):
        return statement
    where = "" if statement.condition is None else f"\nWHERE {statement.condition}"
    if isinstance(statement, DeleteRows):
        return f"DELETE FROM {table}{where}"
    pairs = "\n, ".join(f"{column} = {value}" for column, value in statement.assignments)
    return f"UPDATE {table} SET {pairs}{where}"


def _written_by_delta(order: Order, write: WriteRows) -> None:
    rows = order.spark.table(order.source)
    if write.source_alias is not None:
        rows = rows.alias(write.source_alias)
    options = dict(write.options)
    if write.dynamic_partitions:
        options["partitionOverwriteMode"] = "dynamic"
    if write.merge_schema is not None:
        options["mergeSchema"] = str(write.merge_schema).lower()
    if write.idempotency_key is not None:
        options |= {"txnAppId": write.idempotency_key, "txnVersion": "1"}
    given = {
        "replaceWhere": write.replace_where,
        "replaceOn": write.replace_on,
        "replaceUsing": ", ".join(write.replace_using) or None,
        "targetAlias": write.target_alias,
    }
    options |= {key: value for key, value in given.items() if value is not None}
    writer = rows.write.format("delta").mode(write.mode).options(**options)
    if write.partition_by:
        writer = writer.partitionBy(*write.partition_by)
    if order.table.startswith("delta.`"):  # by name an overwrite would be a CREATE OR REPLACE
        writer.save(order.table.removeprefix("delta.`").removesuffix("`"))
    else:
        writer.saveAsTable(order.table)
