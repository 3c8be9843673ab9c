"""A merge with which several source rows delete one row of a table that has a change data feed.

Delta's MERGE allows it where an unconditional DELETE is the only clause for matched rows. But
beside INSERT it takes rows of the table and of the source for the same by their numbers then, and
loses some (MergeOutputGeneration). A DELETE with a condition, be it `true`, makes it refuse such a
source before it writes anything. So that is tried first; where it is refused the source is made
anew, of its rows that match nothing and of the table's rows that are matched, each once.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException

from ..delta import AUTO_MERGE, on_server
from ..errors import DuplicateMatchError, EngineError
from ..merge import merge_text
from ..spec import STAR, Delete, Insert, quoted
from .commits import as_view, plain
from .properties import CHANGE_FEED, VECTORS, incomparable, is_on
from .statement_parts import QUOTED_OR_WORD, frame_of, outermost

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import SparkSession

    from ..merge import MergeFrame, MergeText
    from ..spec import Assignments, MergeSpec, Star

ANY = "true"
NEW = "__new"
FLAG, TAKEN = "__is_new", "__taken"
VECTORS_OF_MERGES = "spark.databricks.delta.merge.deletionVectors.persistent"
MATCHED = re.compile(r"\bWHEN\s+MATCHED\b", re.IGNORECASE)
DELETES = re.compile(r"\bWHEN\s+MATCHED(?=\s+THEN\s+DELETE\b)", re.IGNORECASE)
INSERTS = re.compile(r"\bTHEN\s+INSERT\b", re.IGNORECASE)
BY_SOURCE = re.compile(r"\bNOT\s+MATCHED\s+BY\s+SOURCE\b", re.IGNORECASE)


def strict_spec(spark: SparkSession, table: str, spec: MergeSpec) -> MergeSpec | None:
    """The merge as it is tried; None where Delta does it right."""
    if spec.matched != (Delete(),) or not spec.not_matched:
        return None
    if not _loses_rows(spark, table, by_source=bool(spec.not_matched_by_source)):
        return None
    return strictly(spec)


def strictly(spec: MergeSpec) -> MergeSpec:
    return replace(spec, matched=(Delete(ANY),))


def strict_text(spark: SparkSession, table: str, statement: str) -> str | None:
    """The statement as it is tried; None where Delta does it right."""
    strict = with_condition(statement)
    if strict is None:
        return None
    by_source = BY_SOURCE.search(outermost(statement)) is not None
    return strict if _loses_rows(spark, table, by_source=by_source) else None


def with_condition(statement: str) -> str | None:
    """With one for its only clause for matched rows, where that is a DELETE beside an INSERT."""
    code = outermost(statement)
    found = DELETES.search(code)
    if found is None or len(MATCHED.findall(code)) > 1 or not INSERTS.search(code):
        return None
    return f"{statement[: found.end()]} AND {ANY}{statement[found.end() :]}"


def _loses_rows(spark: SparkSession, table: str, *, by_source: bool) -> bool:
    """With deletion vectors it writes no row that stays, but for those that BY SOURCE updates."""
    if not is_on(spark, table, CHANGE_FEED):
        return False
    writes_vectors = spark.conf.get(VECTORS_OF_MERGES, "true") == "true"
    return by_source or not (writes_vectors and is_on(spark, table, VECTORS))


def is_done(run: Callable[[], object]) -> bool:
    """False where several source rows match one row of the table, so that nothing is written."""
    try:
        run()
    except PySparkException as error:
        if error.getCondition() != DuplicateMatchError.error_class:
            raise
        return False
    return True


def _refusal(table: str, why: str) -> EngineError:
    return EngineError(
        f"several source rows match one row of {plain(table)}, to be deleted beside rows that are"
        f" inserted: with a change data feed ({CHANGE_FEED}) Delta's MERGE loses other rows then,"
        f" and {why}; nothing was written. Make the source unique by what ON compares, delete and"
        " insert one after the other, or turn the feed off"
    )


def merge_text_each_once(request: MergeText, table: str) -> None:
    frame = frame_of(request)
    if frame is None:
        raise _refusal(table, "the statement is not written in a way that is known here")
    merge_each_once(frame, strictly(frame.spec))


def merge_each_once(request: MergeFrame, strict: MergeSpec) -> None:
    """Over source rows that match nothing, and rows of the table that are matched, each once."""
    spark = request.spark
    columns = spark.table(request.target).schema
    unknown = incomparable(columns)
    if unknown is not None:
        why = f"Spark does not compare its column {unknown.name}, {unknown.dataType.simpleString()}"
        raise _refusal(request.target, why)
    names, taken = request.source.columns, columns.fieldNames()
    with as_view(on_server(request.source)) as view:  # it is read twice
        rows = _rows(request, view, names, len(taken))
        given = names if _grows(request) else _of_both(names, taken)
        spec = _over_rows(request, strict, given, taken)
        spark.sql(merge_text(request.target, rows, spec)).collect()


def _rows(request: MergeFrame, view: str, names: Sequence[str], width: int) -> str:
    spec = request.spec
    old = request.target + _as(spec.target_alias)
    new, on = view + _as(spec.source_alias), f"ON ({spec.on}\n)"
    columns = [*map(quoted, names), FLAG, *_taken(width)]
    return (
        f"(SELECT * FROM (SELECT *, true{', NULL' * width} FROM {new} LEFT ANTI JOIN {old} {on}\n"
        f"UNION ALL SELECT {'NULL, ' * len(names)}false, * FROM ("
        f"SELECT DISTINCT * FROM {old} LEFT SEMI JOIN {new} {on}))"
        f" AS t({', '.join(columns)}))"
    )


def _over_rows(
    request: MergeFrame, strict: MergeSpec, given: Sequence[str], taken: Sequence[str]
) -> MergeSpec:
    new = strict.source_alias or NEW
    old = strict.target_alias or plain(QUOTED_OR_WORD.findall(request.target)[-1])
    pairs = zip(taken, _taken(len(taken)), strict=True)
    same = (f"{quoted(old)}.{quoted(name)} <=> {quoted(new)}.{it}" for name, it in pairs)
    return replace(
        strict,
        on=f"NOT {quoted(new)}.{FLAG} AND " + " AND ".join(same),
        not_matched=tuple(_inserted(each, quoted(new), given) for each in strict.not_matched),
        source_alias=new,
        target_alias=old,
    )


def _inserted(clause: Insert, new: str, given: Sequence[str]) -> Insert:
    """Of new rows alone, and by names: `*` would have the table's rows, too."""
    also = "" if clause.condition is None else f" AND ({clause.condition}\n)"
    assignments: Assignments | Star = clause.assignments
    if assignments == STAR:
        assignments = tuple((quoted(name), f"{new}.{quoted(name)}") for name in given)
    return Insert(assignments, f"{new}.{FLAG}{also}")


def _grows(request: MergeFrame) -> bool:
    if request.evolves is None:
        return request.spark.conf.get(AUTO_MERGE, "false") == "true"
    return request.evolves


def _of_both(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    known = {name.lower() for name in taken}
    return [name for name in names if name.lower() in known]


def _taken(width: int) -> list[str]:
    return [f"{TAKEN}_{number}" for number in range(width)]


def _as(alias: str | None) -> str:
    return "" if alias is None else f" AS {quoted(alias)}"
