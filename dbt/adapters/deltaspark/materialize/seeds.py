"""Seeds: an agate table as a DataFrame of declared types, written in one commit."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import MAX_PREC, Decimal, localcontext
from typing import TYPE_CHECKING, Any

from dbt.adapters.events.logging import AdapterLogger
from dbt_common.clients.agate_helper import from_csv
from dbt_common.exceptions import DbtRuntimeError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..catalog import DeltaSparkColumn
from ..column_names import found
from ..engine.spec import CHAR_OR_VARCHAR
from ..near_names import or_nearest
from ..session import message_of
from ..settings import table_problems
from . import tables as materialize
from .model_rows import ModelRows

if TYPE_CHECKING:
    from typing import TypeAlias

    import agate
    from pyspark.sql import Column, DataFrame, SparkSession

    from .. import engine
    from ..settings import ModelConfig

    TypeOf: TypeAlias = Callable[[agate.Table, int], str]
    """The Spark type of a column, by its index."""

logger = AdapterLogger("deltaspark")
ROUNDED_FROM = 27
"""The power of ten from which Python's default context rounds whole numbers."""
DIGITS = re.compile(r"\d+")
TYPO = 0.85
"""So close to a name of the file another one is meant for it; `uid` is farther from `id`."""
UNQUOTED = re.compile(r"\w+")
ALSO_CALLED = {"text": "string", "datetime": "timestamp", "varchar": "string", "json": "string"}
TYPES = ("string", "bigint", "int", "double", "float", "boolean", "date", "timestamp", "binary")
SIZED = re.compile(r"\s*(?:varchar|char|character)\s*\(\s*(\d+)\s*\)\s*", re.IGNORECASE)
WHOLE = re.compile(r"\s*([+-]?\d+)\.0*\s*")
MOST_CELLS = 5


class SeedValueError(DbtRuntimeError):
    """Cells of a seed are not of their column's type; nothing was written."""

    def __init__(self, label: str, cells: Sequence[str]) -> None:
        shown = "".join(f"\n  - {cell}" for cell in cells)
        super().__init__(
            f"{label}: values do not fit their column's type; nothing was written.{shown}\n"
            "Correct the file, or give the column another type under column_types."
        )


@dataclass(frozen=True, slots=True)
class Seed:
    """The file's columns with their Spark types, and its rows as lines of JSON."""

    columns: tuple[tuple[str, str], ...]
    lines: str

    @classmethod
    def of(cls, table: agate.Table, types: Mapping[str, str], inferred: TypeOf) -> Seed:
        """`inferred` is asked of each column that has no type."""
        names = [str(name) for name in table.column_names]
        kinds = [types.get(name) or inferred(table, i) for i, name in enumerate(names)]
        texts = [
            [_text(value, of_integers=DeltaSparkColumn("", kind).is_integer()) for value in column]
            for column, kind in zip(table.columns, kinds, strict=True)
        ]
        return cls(
            tuple(zip(names, kinds, strict=True)),
            "\n".join(json.dumps(row) for row in zip(*texts, strict=True)),
        )

    def frame(self, spark: SparkSession) -> DataFrame:
        """The rows, cast by Spark from exact text; a value that does not fit is its error."""
        return self._texts(spark).select(
            *(
                _typed(F.col("row")[index], name, kind)
                for index, (name, kind) in enumerate(self.columns)
            )
        )

    def misfits(self, spark: SparkSession) -> Iterator[str]:
        """Some of the cells that Spark cannot cast, each with its row and column."""
        rows = self._texts(spark)
        for index, (name, kind) in enumerate(self.columns):
            cell = F.col("row")[index]
            fails = cell.isNotNull() & _misfits(cell, kind)
            for number, value in rows.where(fails).select("number", cell).take(MOST_CELLS):
                yield f"row {number + 1}, column {name!r}: {value!r} is not a {kind}"

    def _texts(self, spark: SparkSession) -> DataFrame:
        """The rows go over as one literal: `createDataFrame` would start Python workers."""
        lines = F.posexplode(F.split(F.lit(self.lines), "\n")).alias("number", "line")
        return (
            spark.range(0, 1, 1, numPartitions=1)
            .select(lines)
            .where("line <> ''")
            .select("number", F.from_json("line", "array<string>").alias("row"))
        )


def _typed(cell: Column, name: str, kind: str) -> Column:
    """A text with a length is a string to Spark, whose column says so: the table gets the type."""
    if SIZED.fullmatch(kind):
        return cell.alias(name, metadata={CHAR_OR_VARCHAR: kind.strip().lower()})
    return cell.cast(kind).alias(name)


def _misfits(cell: Column, kind: str) -> Column:
    sized = SIZED.fullmatch(kind)
    return cell.try_cast(kind).isNull() if sized is None else F.length(cell) > int(sized[1])


def load(
    spark: SparkSession,
    model: ModelConfig,
    config: Mapping[str, Any],
    table: agate.Table,
    name: str,
    inferred: TypeOf,
) -> engine.MergeResult:
    """Write the seed's rows as the whole table, in one commit; its history stays.

    Raises ModelConfigError with all problems of the settings, and SeedValueError naming cells.
    """
    given = config.get("column_types") or {}
    if others := {*given} - {*table.column_names}:
        logger.debug(f"{model.label} has no columns for column_types {[*others]}")
    types = {name: given[name] for name in given if name not in others and given[name]}
    problems = [
        *model.problems,
        *seed_problems(config, table.column_names),
        *table_problems(model.table, _each_once(table.column_names), "the seed"),
        *_type_problems(spark, types),
        *materialize.problems_of_properties(spark, model.table),
    ]
    if problems:
        raise materialize.ModelConfigError(model, problems)
    seed = Seed.of(_exact(table, config, inferred), types, inferred)
    try:
        rows = ModelRows(seed.frame(spark))
        return materialize.load_table(model, rows, name)
    except (PySparkException, Py4JError) as error:
        misfits = list(seed.misfits(spark))
        if not misfits:
            raise
        raise SeedValueError(model.label, misfits[:MOST_CELLS]) from error


def _exact(table: agate.Table, config: Mapping[str, Any], inferred: TypeOf) -> agate.Table:
    """The same table with every digit of its longest numbers, which agate rounds to 28; where a
    column of them becomes a text, with its cells as the file has them.
    """
    values = (value for column in table.columns for value in column.values())
    if not any(isinstance(each, Decimal) and each.adjusted() >= ROUNDED_FROM for each in values):
        return table
    exact = _read_again(table, config)
    texts = [name for i, name in enumerate(exact.column_names) if inferred(exact, i) == "string"]
    return _read_again(table, config, texts) if texts else exact


def _read_again(
    table: agate.Table, config: Mapping[str, Any], texts: Sequence[str] = ()
) -> agate.Table:
    """The table's file without rounding; `texts` and columns with a given type are texts."""
    with localcontext() as context:
        context.prec = MAX_PREC
        given, delimiter = config.get("column_types") or {}, config.get("delimiter") or ","
        return from_csv(table.original_abspath, text_columns=[*given, *texts], delimiter=delimiter)


def seed_problems(config: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """What is wrong between a seed's settings and the header of its file."""
    yield from _misspelt(config.get("column_types") or {}, names)
    yield from _twins(names)
    odd = [name for name in names if not UNQUOTED.fullmatch(name)]
    if config.get("quote_columns") is False and odd:
        yield (
            f"quote_columns is false, but the column {odd[0]!r} is a syntax error without quotes;"
            f" leave quote_columns out, or is {config.get('delimiter', ',')!r} not the file's"
            " delimiter?"
        )


def _misspelt(types: Mapping[str, object], names: Sequence[str]) -> Iterator[str]:
    """Types of columns that the file has by a name that is close, and that no other type is for.

    The rest are of other seeds: a folder's types are those of each seed in it.
    """
    for name, kind in types.items():
        if name in names or kind is None:
            continue
        free = [each for each in names if each not in types and _letters(each) != _letters(name)]
        # dbt reads a column as text, and keeps its zeros, only under its exact name.
        hint = or_nearest(name, free, meant=found(name, names), closeness=TYPO)
        if hint:
            yield (
                f"column_types names {name!r}, which the file does not have{hint} If it is a column"
                " of other seeds, give it null in this one's own column_types"
            )


def _letters(name: str) -> str:
    return DIGITS.sub("", name)


def _twins(names: Iterable[str]) -> Iterator[str]:
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(name.lower(), name)
        if other != name:
            yield f"the columns {other!r} and {name!r} are one to Spark, which ignores case"


def _each_once(names: Iterable[str]) -> list[str]:
    return [*{name.lower(): name for name in names}.values()]


def _type_problems(spark: SparkSession, types: Mapping[str, object]) -> Iterator[str]:
    for name, kind in types.items():
        if (reason := _why_not(spark, str(kind))) is not None:
            name_of_type = str(kind).lower()
            hint = or_nearest(name_of_type, TYPES, meant=ALSO_CALLED.get(name_of_type))
            yield f"column_types gives {name!r} the type {kind!r}{hint}: {reason}"


def _why_not(spark: SparkSession, kind: str) -> str | None:
    """Spark's reason why a text cannot be cast to the type; None where it can."""
    try:
        _ = spark.range(0).select(F.lit("").cast(kind)).schema  # over Spark Connect, now alone
    except (PySparkException, Py4JError) as error:
        return message_of(error).strip().splitlines()[0]
    return None


def _text(value: Any, *, of_integers: bool) -> str | None:
    """The exact text; an integer's without the zeros after its point, which Spark does not cast."""
    text = _as_written(value)
    whole = WHOLE.fullmatch(text) if text is not None and of_integers else None
    return whole[1] if whole else text


def _as_written(value: Any) -> str | None:
    match value:
        case None | str():
            return value
        case bool():
            return str(value).lower()
        case Decimal():
            return format(value, "f")
        case datetime.date() | datetime.datetime():
            return value.isoformat()
        case _:
            return str(value)
