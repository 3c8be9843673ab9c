"""What is wrong between a merge's settings and the columns on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..column_names import found
from ..near_names import or_nearest
from .config_keys import is_read_by
from .config_reader import not_in_the_table, not_produced
from .merge_spec import path_of, takes
from .only_changed import incomparable
from .sql_tokens import columns_in, uses

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    from .merge_config import Clause
    from .model import ModelConfig


def key_problems(model: ModelConfig, source: Sequence[str]) -> list[str]:
    """Keys that are neither a column of the model nor an expression over its columns."""
    if not is_read_by(model.strategy, "unique_key"):
        return []
    plain = [key for key in model.unique_key if not columns_in(key, source)]
    return not_produced("unique_key", plain, source)


def predicate_problems(model: ModelConfig) -> list[str]:
    """Predicates that compare the two sides where they hold for the rows of each by itself."""
    if model.strategy not in ("delete+insert", "replace_where", "microbatch"):
        return []
    sides = (model.merge.source_alias, model.merge.target_alias)
    return [
        f"incremental_predicates of {model.strategy!r} hold for rows of the table and of the model"
        f" alike, each by itself, but {each!r} compares {sides[0]} with {sides[1]};"
        " incremental_strategy: merge can compare them"
        for each in model.predicates
        if all(uses(each, side) for side in sides)
    ]


def clause_problems(model: ModelConfig, source: StructType) -> list[str]:
    """Columns in the clauses that the model does not produce, or that cannot be compared.

    Not for a strategy without clauses: keys that have no effect there only warn.
    """
    if not _has_clauses(model):
        return []
    return [
        *(
            problem
            for key, names in _named(model)
            for problem in not_produced(key, names, source.names)
        ),
        *_incomparable_of_source(model, source),
        *(problem for clause in model.merge.clauses for problem in _not_set(model, clause, source)),
    ]


def _has_clauses(model: ModelConfig) -> bool:
    return is_read_by(model.strategy, "not_matched_condition")


def _incomparable_of_source(model: ModelConfig, source: StructType) -> Iterator[str]:
    """Columns to compare that the update takes from the source."""
    for clause in model.merge.clauses:
        given = _given(model, clause, source.names)
        for name, kind in incomparable(clause.only_changed, source):
            if takes(clause, name) and found(name, given) is None:
                yield _not_compared(name, kind)


def _incomparable_of_target(model: ModelConfig, target: StructType) -> Iterator[str]:
    """Columns to compare whose expression gets the type of the table's column."""
    for clause in model.merge.clauses:
        given = _given(model, clause, target.names)
        for name, kind in incomparable(clause.only_changed, target):
            if found(name, given) is not None:
                yield _not_compared(name, kind)


def _not_compared(name: str, kind: str) -> str:
    return (
        f"merge_only_changed cannot compare {name!r}, a {kind}; list the columns to compare,"
        " such as merge_only_changed: [updated_at]"
    )


def _given(model: ModelConfig, clause: Clause, names: Sequence[str]) -> list[str]:
    """The columns that have an expression of their own."""
    alias = model.merge.target_alias
    return [path_of(name, alias, names)[0] for name, _ in clause.expressions]


def _not_set(model: ModelConfig, clause: Clause, source: StructType) -> Iterator[str]:
    """Columns to compare that the update leaves as they are: it would never fire for them."""
    names = source.names
    given = _given(model, clause, names)
    for name in clause.only_changed if isinstance(clause.only_changed, tuple) else ():
        known = found(name, names)
        if known is not None and not takes(clause, known) and found(name, given) is None:
            yield (
                f"merge_only_changed names {name!r}, which the update does not set; name columns"
                " that it sets, or leave the key out"
            )


def merge_problems(model: ModelConfig, source: StructType, target: StructType) -> list[str]:
    """What keeps the model from being merged into the table that is there."""
    if not _has_clauses(model):
        return []
    exclusive = (
        "merge_update_columns and merge_exclude_columns exclude each other; keep one of them"
    )
    columns = [*target.names, *(source.names if model.evolves else ())]
    unset = [
        f"{_set_key(model, clause)} sets {name!r}, {problem}"
        for clause in model.merge.clauses
        for name, _ in clause.expressions
        if (problem := _why_not_set(model, clause, name, columns)) is not None
    ]
    return [
        *([exclusive] if model.merge.names_and_excludes else []),
        *unset,
        *_incomparable_of_target(model, target),
        *_not_in_the_table(model, source.names, target.names),
    ]


def _not_in_the_table(
    model: ModelConfig, source: Sequence[str], target: Sequence[str]
) -> Iterator[str]:
    """Columns that clauses name and on_schema_change leaves out: the clause would do less."""
    if model.strategy != "merge" or model.evolves:
        return
    for key, names in _named(model):
        if key != "merge_exclude_columns":
            yield from not_in_the_table(key, names, source, target)


def _why_not_set(
    model: ModelConfig, clause: Clause, name: str, columns: Sequence[str]
) -> str | None:
    column, *fields = path_of(name, model.merge.target_alias, columns)
    if found(column, columns) is None:
        return f"which the table does not have{or_nearest(column, columns)}"
    if fields and (clause.takes_source or clause.when == "not_matched"):
        return (
            f"a field of {column!r}, which gets the source's value as a whole; set {column!r} to"
            " a struct instead, such as named_struct(…)"
        )
    return None


def _named(model: ModelConfig) -> Iterator[tuple[str, Sequence[str]]]:
    """The columns of the source that the clauses name, under each key."""
    for clause in model.merge.clauses:
        key = "merge_clauses" if model.merge.is_general else "merge_update_columns"
        yield key, clause.columns or ()
        yield "merge_exclude_columns", clause.excluded
        compared = clause.only_changed if isinstance(clause.only_changed, tuple) else ()
        yield "merge_only_changed", compared


def _set_key(model: ModelConfig, clause: Clause) -> str:
    if model.merge.is_general:
        return "merge_clauses"
    if clause.when == "not_matched_by_source":
        return "not_matched_by_source_action"
    return "merge_update_set_expressions"
