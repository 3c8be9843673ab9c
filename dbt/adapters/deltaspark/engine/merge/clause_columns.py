"""Clauses -> output columns: which clause a row falls to, and what each column becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from ..delta import JavaObject, Jvm
    from .resolve import Clause, ResolvedMerge

NO_CLAUSE = -1


def numbered(resolved: ResolvedMerge) -> dict[int, Clause]:
    """Every clause under its number: matched first, then by source, then not matched."""
    clauses = (*resolved.matched, *resolved.by_source, *resolved.not_matched)
    return dict(enumerate(clauses))


def matched_numbers(resolved: ResolvedMerge) -> dict[int, Clause]:
    return dict(enumerate(resolved.matched))


def by_source_numbers(resolved: ResolvedMerge) -> dict[int, Clause]:
    return dict(enumerate(resolved.by_source, start=len(resolved.matched)))


def insert_numbers(resolved: ResolvedMerge) -> dict[int, Clause]:
    first = len(resolved.matched) + len(resolved.by_source)
    return dict(enumerate(resolved.not_matched, start=first))


def first_firing(jvm: Jvm, clauses: Mapping[int, Clause]) -> Column:
    """The number of the first clause whose condition is true; a null condition does not fire."""
    chosen: Column | None = None
    for number, clause in clauses.items():
        if clause.condition is None:
            return F.lit(number) if chosen is None else chosen.otherwise(number)
        condition = jvm.column(clause.condition)
        case = F if chosen is None else chosen
        chosen = case.when(condition, F.lit(number))
    return F.lit(NO_CLAUSE) if chosen is None else chosen.otherwise(NO_CLAUSE)


def some_fires(jvm: Jvm, clauses: Mapping[int, Clause]) -> Column:
    """Whether any of the clauses fires; never null."""
    return first_firing(jvm, clauses) != NO_CLAUSE


def output_columns(
    jvm: Jvm, written: Mapping[int, Clause], clause: Column, names: Sequence[str]
) -> list[Column]:
    """The final schema's columns, each by the clause that the row falls to.

    `clause` holds one of the numbers of `written` in every row.
    """
    return [
        _value(jvm, {number: c.values[i] for number, c in written.items()}, clause).alias(name)
        for i, name in enumerate(names)
    ]


def _value(jvm: Jvm, values: Mapping[int, JavaObject], clause: Column) -> Column:
    first, *others = values.values()
    if all(first.semanticEquals(other) for other in others):
        return jvm.column(first)
    chosen: Column | None = None
    for number, value in values.items():
        case = F if chosen is None else chosen
        chosen = case.when(clause == number, jvm.column(value))
    assert chosen is not None
    return chosen
