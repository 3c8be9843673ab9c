"""What a statement did to a table: its rows, its schema, its commit or its error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commits import Commit, commit_of, latest_version
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DateType, StructField, TimestampNTZType, TimestampType
from pyspark.sql.utils import is_remote

from dbt.adapters.deltaspark.engine.delta import conditions

if TYPE_CHECKING:
    from orders import Engine, Order
    from pyspark.sql.types import StructType


@dataclass(frozen=True, slots=True)
class Failure:
    """The error classes and the messages along the chain of causes, outermost first."""

    classes: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Outcome:
    path: Path
    version_before: int
    version: int
    schema: StructType
    rows: tuple[str, ...]
    failure: Failure | None = None
    result: Any = None

    @property
    def committed(self) -> bool:
        return self.version > self.version_before

    @property
    def commit(self) -> Commit:
        return commit_of(self.path, self.version)


def outcome_of(engine: Engine, order: Order, path: Path) -> Outcome:
    version_before = latest_version(path)
    result, failure = _attempt(engine, order)
    after = order.spark.read.format("delta").load(str(path))
    return Outcome(
        path,
        version_before,
        latest_version(path),
        after.schema,
        sorted_rows(after),
        failure,
        result,
    )


def change_rows(spark: SparkSession, outcome: Outcome) -> DataFrame:
    """The change feed of the outcome's commit, _change_type last."""
    feed = (
        spark.read.format("delta")
        .option("readChangeFeed", "true")
        .option("startingVersion", outcome.version)
        .load(str(outcome.path))
    )
    return feed.drop("_commit_version", "_commit_timestamp")


def sorted_rows(frame: DataFrame) -> tuple[str, ...]:
    """The rows as text: null, NaN and -0.0 are told apart, the order is not."""
    held = frame.select(*map(_held, frame.schema.fields))
    return tuple(sorted(repr(comparable(row)) for row in held.collect()))


def _held(field: StructField) -> Column:
    """The column as values that Python can hold: it knows no year 0 and no year 10000."""
    column = F.col("`" + field.name.replace("`", "``") + "`")
    match field.dataType:
        case DateType():
            return F.unix_date(column)
        case TimestampType():
            return F.unix_micros(column)
        case TimestampNTZType():
            return column.cast("string")
    return column


def comparable(value: object) -> object:
    match value:
        case Row() | list():
            return tuple(map(comparable, value))
        case dict():
            return tuple(sorted((repr(k), comparable(v)) for k, v in value.items()))
        case bytearray():
            return bytes(value)
    return value


def _attempt(engine: Engine, order: Order) -> tuple[Any, Failure | None]:
    try:
        return engine(order), None
    except Exception as error:  # every error is an outcome here, and is compared
        return None, Failure(tuple(error_classes(order.spark, error)), _message(error))


def error_classes(spark: SparkSession, error: BaseException | None) -> Iterator[str]:
    """Error classes of the Python exceptions and of the JVM's causes behind each of them."""
    while error is not None:
        if isinstance(own := getattr(error, "error_class", None), str):
            yield own
        if is_remote():
            yield type(error).__name__
            yield from conditions(error)
        else:
            yield from _jvm_error_classes(spark, error)
        error = error.__cause__ or error.__context__


def _jvm_error_classes(spark: SparkSession, error: BaseException) -> Iterator[str]:
    assert spark._jvm is not None
    has_class = spark._jvm.java.lang.Class.forName("org.apache.spark.SparkThrowable")
    for cause in _jvm_causes(error):
        name = cause.getCondition() if has_class.isInstance(cause) else None
        yield name or cause.getClass().getSimpleName()


def _message(error: BaseException) -> str:
    """Of the error and its causes: some of Delta's only their JVM message can tell."""
    return "\n".join(str(each.getMessage()) for each in _jvm_causes(error)) or str(error)


def _jvm_causes(error: BaseException) -> Iterator[Any]:
    """What the Python exception stands for in the JVM, and the chain of its causes."""
    cause = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while cause is not None:
        yield cause
        cause = cause.getCause()
