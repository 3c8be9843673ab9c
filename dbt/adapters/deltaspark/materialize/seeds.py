"""Seeds: a file's cells as a DataFrame of declared types, written in one commit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import DbtRuntimeError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..catalog import DeltaSparkColumn, told_as_text, type_of_cells
from ..column_names import found
from ..engine.spec import CHAR_OR_VARCHAR
from ..engine.text_lengths import length_of, sized_type
from ..near_names import or_nearest
from ..session import message_of
from ..settings import table_problems
from . import tables as materialize
from .model_rows import ModelRows

if TYPE_CHECKING:
    import agate
    from pyspark.sql import Column, DataFrame, SparkSession

    from .. import engine
    from ..catalog import SeedFile
    from ..settings import ModelConfig

logger = AdapterLogger("deltaspark")
DIGITS = re.compile(r"\d+")
TYPO = 0.85
"""So close to a name of the file another one is meant for it; `uid` is farther from `id`."""
UNQUOTED = re.compile(r"\w+")
ALSO_CALLED = {"text": "string", "datetime": "timestamp", "varchar": "string", "json": "string"}
TYPES = ("string", "bigint", "int", "double", "float", "boolean", "date", "timestamp", "binary")
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
    places: tuple[int, ...]
    """The lines of the file on which the rows begin."""

    @classmethod
    def of(cls, names: Sequence[str], file: SeedFile, types: Mapping[str, str]) -> Seed:
        """A column that has no type gets one by its cells."""
        cells = dict(zip(names, file.columns, strict=True))
        kinds = [types.get(name) or type_of_cells(column) for name, column in cells.items()]
        texts = [
            _without_points(column) if DeltaSparkColumn("", kind).is_integer() else column
            for column, kind in zip(file.columns, kinds, strict=True)
        ]
        return cls(
            tuple(zip(names, kinds, strict=True)),
            "\n".join(json.dumps(row) for row in zip(*texts, strict=True)),
            file.lines,
        )

    def warnings(self, table: agate.Table, file: SeedFile) -> Iterator[str]:
        """What is odd in the file, and which columns dbt takes for something else."""
        yield from file.warnings
        for index, (_, kind) in enumerate(self.columns):
            told = kind == "string" and told_as_text(table, index, file.columns[index])
            if told:
                yield told

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
                yield f"line {self.places[number]}, column {name!r}: {value!r} is not a {kind}"

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
    if sized := sized_type(kind):
        return cell.alias(name, metadata={CHAR_OR_VARCHAR: sized})
    return cell.cast(kind).alias(name)


def _misfits(cell: Column, kind: str) -> Column:
    most = length_of(kind)
    return cell.try_cast(kind).isNull() if most is None else F.length(cell) > F.lit(most)


def load(
    spark: SparkSession,
    model: ModelConfig,
    config: Mapping[str, Any],
    table: agate.Table,
    file: SeedFile,
    name: str,
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
    names = [str(each) for each in table.column_names]
    seed = Seed.of(names, file, types)
    materialize.check(model, (), [*seed.warnings(table, file)])
    try:
        rows = ModelRows(seed.frame(spark))
        return materialize.load_table(model, rows, name)
    except (PySparkException, Py4JError) as error:
        misfits = list(seed.misfits(spark))
        if not misfits:
            raise
        raise SeedValueError(model.label, misfits[:MOST_CELLS]) from error


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


def _without_points(cells: Iterable[str | None]) -> list[str | None]:
    """Integers without the zeros after their point, which Spark does not cast."""
    found = ((cell, WHOLE.fullmatch(cell) if cell and "." in cell else None) for cell in cells)
    return [whole[1] if whole else cell for cell, whole in found]
