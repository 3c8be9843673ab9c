"""Texts of the settings that are put into SQL: each must be one expression by itself.

`id) or (1=1` would be none, and still make `(id) or (1=1) <=> …`, which matches every row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pyspark.errors import ParseException, PySparkException
from pyspark.sql import functions as F

from ..column_names import found
from ..engine.backend import backend
from . import scd2
from .sql_tokens import columns_in, items

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from .model import ModelConfig
    from .snapshot import SnapshotSettings

Texts = Iterable[tuple[str, str]]
"""Config keys to SQL."""
ORDER = re.compile(r"\s+(asc|desc|nulls\s+(first|last))\s*$", re.IGNORECASE)


def model_problems(model: ModelConfig, rows: DataFrame) -> list[str]:
    """A problem for each setting of the model that is not one expression, or a key over others than
    the model's columns. In a merge those would be the table's, on both sides.
    """
    problems = expression_problems(rows.sparkSession, _texts_of_model(model, rows.columns))
    keys = [key for _, key in _expressions("unique_key", model.unique_key, rows.columns)]
    ours = [key for key in keys if columns_in(key, rows.columns)]
    return problems or [problem for key in ours for problem in _foreign_to(rows, key)]


def _foreign_to(rows: DataFrame, key: str) -> Iterator[str]:
    try:
        rows.select(F.expr(key)).schema  # noqa: B018  # a server analyzes it no sooner
    except PySparkException as error:
        reason = _first_line(error)
        yield f"unique_key {key!r} must be an expression over the model's columns; {reason}"


def check_problems(model: ModelConfig, rows: DataFrame) -> list[str]:
    """A problem for each CHECK of a new table of these rows that is no condition over its columns.

    Delta's writer takes an unknown column for null and a number for true, and says nothing.
    """
    checks = model.table.constraints.checks
    if not checks:
        return []
    table = _new_table(model, rows)
    return [
        f"the check {name!r} must be a condition over the table's columns, got {text!r}; {reason}"
        for name, text in checks
        if (reason := _why_no_condition(table, text))
    ]


def _new_table(model: ModelConfig, rows: DataFrame) -> DataFrame:
    """The table's columns by their plain names, also those that strategy scd2 adds."""
    plain = rows.toDF(*rows.columns)
    if model.history is None:
        return plain
    valid_from, valid_to, is_current = scd2.written(model.history)
    return plain.withColumns(
        {valid_from: F.lit(None), valid_to: F.lit(None), is_current: F.lit(True)}
    )


def _why_no_condition(table: DataFrame, text: str) -> str:
    """Nothing where it is one, or does not parse, which `model_problems` tells."""
    try:
        kind = table.select(F.expr(text)).schema[0].dataType.simpleString()
    except ParseException:
        return ""
    except PySparkException as error:
        return _first_line(error)
    return "" if kind == "boolean" else f"it is of type {kind}"


def _first_line(error: PySparkException) -> str:
    return str(error).strip().splitlines()[0].rstrip(";")


def snapshot_problems(
    spark: SparkSession, settings: SnapshotSettings, columns: Sequence[str]
) -> list[str]:
    """The same for a snapshot's settings."""
    return expression_problems(spark, _texts_of_snapshot(settings, columns))


def expression_problems(spark: SparkSession, texts: Texts) -> list[str]:
    return [problem for key, text in texts for problem in _problems(spark, key, text)]


def _texts_of_model(model: ModelConfig, columns: Sequence[str]) -> Iterator[tuple[str, str]]:
    merge = model.merge
    yield from _expressions("unique_key", model.unique_key, columns)
    yield from (("incremental_predicates", each) for each in model.predicates)
    if merge.on is not None:
        yield "merge_on", merge.on
    for clause in merge.clauses:
        if clause.condition is not None:
            yield f"a condition when {clause.when}", clause.condition
        yield from ((f"the value of {column!r}", text) for column, text in clause.expressions)
    for order in merge.order_by:
        yield from (("duplicate_keys_order_by", _without_order(each)) for each in items(order))
    checks = model.table.constraints.checks
    yield from ((f"the check {name!r}", condition) for name, condition in checks)


def _texts_of_snapshot(
    settings: SnapshotSettings, columns: Sequence[str]
) -> Iterator[tuple[str, str]]:
    yield from _expressions("unique_key", settings.unique_key, columns)
    if settings.updated_at is not None:
        yield from _expressions("updated_at", [settings.updated_at], columns)
    if settings.valid_to_current is not None:
        yield "dbt_valid_to_current", settings.valid_to_current


def _expressions(key: str, names: Iterable[str], columns: Sequence[str]) -> Texts:
    """Names of columns are quoted wherever they stand, so any of them will do."""
    return ((key, name) for name in names if found(name, columns) is None)


def _without_order(text: str) -> str:
    """What is sorted by, without how."""
    shorter = ORDER.sub("", text)
    return shorter if shorter == text else _without_order(shorter)


def _problems(spark: SparkSession, key: str, text: str) -> Iterator[str]:
    try:
        is_item = backend().is_select_item(spark, text)
    except PySparkException as error:
        yield _told(key, text, f"Spark's parser says: {_first_line(error)}")
        return
    if is_item:
        yield _told(key, text, "it is an item of a SELECT, not a value")


def _told(key: str, text: str, reason: str) -> str:
    return (
        f"{key} must be one SQL expression by itself, with all its parentheses and quotes closed,"
        f" got {text!r} ({reason}); several of them go into a list"
    )
