"""New rows in the place of those that match one of them, by one MERGE of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from ..delta import on_server, session_confs
from ..errors import EngineError
from ..spec import quoted
from .commits import as_view
from .properties import CHANGE_FEED, OF_DELTA, incomparable, is_on

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from ..spec import WriteSpec

NEW, OLD = "__new", "__old"
FLAG, TAKEN = "__is_new", "__taken"
OPTIONS = {
    "compression": "spark.sql.parquet.compression.codec",
    "maxrecordsperfile": "spark.sql.files.maxRecordsPerFile",
}
"""Of Delta's writer, in lower case, and the confs by which a MERGE heeds them."""


def replace_matches(source: DataFrame, table: str, spec: WriteSpec) -> None:
    """Heeds options of Delta's writer; raises EngineError for those that it cannot heed, and what
    the parser and the analyzer raise for `replace_on`, before anything is evaluated.
    """
    if spec.replace_on is not None:
        _analyze(source, table, spec, spec.replace_on)
    with session_confs(source.sparkSession, _confs_of_options(spec)):
        _replace_matches(source.sparkSession, source, table, spec)


def _analyze(source: DataFrame, table: str, spec: WriteSpec, on: str) -> None:
    """As one expression by itself over both sides, where a name of both is ambiguous."""
    old, new = _aliases(spec)
    rows = source.sparkSession.table(table).alias(old)
    rows.join(source.alias(new), F.expr(on)).schema  # noqa: B018  Spark Connect analyzes here


def _confs_of_options(spec: WriteSpec) -> dict[str, str]:
    options = {key: text for key, text in spec.options if not key.lower().startswith(OF_DELTA)}
    unknown = [key for key in options if key.lower() not in OPTIONS]
    if unknown:
        raise EngineError(
            f"rows that match are replaced by a MERGE over Spark Connect, which does not take the"
            f" options {', '.join(unknown)} of Delta's writer; nothing was written. Leave them out,"
            " or replace by replace_where"
        )
    return {OPTIONS[key.lower()]: text for key, text in options.items()}


def _replace_matches(spark: SparkSession, source: DataFrame, table: str, spec: WriteSpec) -> None:
    """Each new row comes to the MERGE twice: once to take rows away, once to be added.

    So a row of the table may be met several times, which Delta allows where it is deleted. But not
    where it writes a change feed: there its MERGE loses other rows then (it takes rows of the table
    and of the source for the same by their numbers, MergeOutputGeneration). Such a table is met by
    its own rows, each of them once, instead.
    """
    if not is_on(spark, table, CHANGE_FEED):
        with as_view(source) as view:
            spark.sql(merge_of_pairs(table, view, source.columns, spec)).collect()
        return
    columns = spark.table(table).schema
    _refuse_incomparable(table, columns)
    with as_view(on_server(source)) as view:  # it is read twice
        spark.sql(merge_of_taken_rows(table, columns, view, source.columns, spec)).collect()


def merge_of_pairs(table: str, view: str, names: list[str], spec: WriteSpec) -> str:
    """From one evaluation of the view, which need not give the same rows again."""
    rows = f"SELECT {_list(names)}, explode(array(true, false)) AS {FLAG} FROM {view}"
    return _merge(table, rows, f"{condition(spec)}\n", names, spec)


def merge_of_taken_rows(
    table: str, columns: StructType, view: str, names: list[str], spec: WriteSpec
) -> str:
    """With the table's rows that are to go, as they are and each once, beside the new ones.

    A join finds them: in EXISTS a name without an alias would be the source's column.
    """
    old, new = _aliases(spec)
    taken = {name: f"{TAKEN}_{number}" for number, name in enumerate(columns.fieldNames())}
    as_taken = ", ".join(f"{quoted(old)}.{quoted(name)} AS {it}" for name, it in taken.items())
    nothing = ", ".join("NULL" for _ in taken)
    rows = (
        f"SELECT {_list(names)}, true AS {FLAG}, {nothing} FROM {view}\nUNION ALL\n"
        f"SELECT {', '.join('NULL' for _ in names)}, false, * FROM (SELECT DISTINCT {as_taken}\n"
        f"FROM {table} AS {quoted(old)} LEFT SEMI JOIN {view} AS {quoted(new)}\n"
        f"ON ({condition(spec)}\n))"
    )
    same = (f"{quoted(old)}.{quoted(name)} <=> {quoted(new)}.{it}" for name, it in taken.items())
    named = f"SELECT * FROM ({rows}) AS t({_list([*names, FLAG, *taken.values()])})"
    return _merge(table, named, " AND ".join(same), names, spec)


def condition(spec: WriteSpec) -> str:
    """Which rows of the table a new row takes the place of."""
    if spec.replace_on is not None:
        return spec.replace_on
    old, new = _aliases(spec)
    return " AND ".join(f"{old}.{quoted(c)} = {new}.{quoted(c)}" for c in spec.replace_using)


def _merge(table: str, rows: str, on: str, names: list[str], spec: WriteSpec) -> str:
    old, new = map(quoted, _aliases(spec))
    values = ", ".join(f"{new}.{quoted(name)}" for name in names)
    evolution = "WITH SCHEMA EVOLUTION " if spec.merge_schema else ""
    return (
        f"MERGE {evolution}INTO {table} AS {old}\nUSING ({rows}) AS {new}\n"
        f"ON NOT {new}.{FLAG} AND ({on})\nWHEN MATCHED THEN DELETE\n"
        f"WHEN NOT MATCHED AND {new}.{FLAG} THEN INSERT ({_list(names)}) VALUES ({values})"
    )


def _aliases(spec: WriteSpec) -> tuple[str, str]:
    return spec.target_alias or OLD, spec.source_alias or NEW


def _list(names: list[str]) -> str:
    return ", ".join(map(quoted, names))


def _refuse_incomparable(table: str, columns: StructType) -> None:
    field = incomparable(columns)
    if field is not None:
        raise EngineError(
            f"{table} has a change data feed ({CHANGE_FEED}) and the column {field.name}, whose"
            f" type {field.dataType.simpleString()} Spark does not compare: over Spark Connect"
            " its rows cannot be replaced by a condition; nothing was written. Turn the feed"
            " off, or replace by replace_where"
        )
