"""A merge spec as the text of a MERGE statement."""

from __future__ import annotations

from collections.abc import Iterable

from ..spec import STAR, Assignments, Delete, Insert, MergeSpec, Star, Update, quoted


def sql_texts(spec: MergeSpec) -> Iterable[str]:
    """Every expression a caller gave as text: each must be one expression by itself."""
    yield spec.on
    for clause in (*spec.matched, *spec.not_matched, *spec.not_matched_by_source):
        if clause.condition is not None:
            yield clause.condition
        if not isinstance(clause, Delete) and clause.assignments != STAR:
            yield from (value for _, value in clause.assignments)


def merge_text(target: str, source: str, spec: MergeSpec) -> str:
    """The spec as a MERGE statement. Line ends close any `--` comment in a condition."""
    evolution = "WITH SCHEMA EVOLUTION " if spec.evolve_schema else ""
    lines = [f"MERGE {evolution}INTO {target}{_alias(spec.target_alias)}"]
    lines += [f"USING {source}{_alias(spec.source_alias)}", f"ON ({spec.on}\n)"]
    for when, group in (
        ("MATCHED", spec.matched),
        ("NOT MATCHED", spec.not_matched),
        ("NOT MATCHED BY SOURCE", spec.not_matched_by_source),
    ):
        for clause in group:
            condition = f" AND ({clause.condition}\n)" if clause.condition is not None else ""
            lines.append(f"WHEN {when}{condition} THEN {_action(clause)}")
    return "\n".join(lines)


def _alias(name: str | None) -> str:
    return "" if name is None else f" AS {quoted(name)}"


def _action(clause: Update | Delete | Insert) -> str:
    match clause:
        case Delete():
            return "DELETE"
        case Update(assignments=assignments):
            return "UPDATE SET " + _assignments(assignments)
        case Insert(assignments=assignments):
            if assignments == STAR:
                return "INSERT *"
            columns = ", ".join(column for column, _ in assignments)
            values = ", ".join(f"{value}\n" for _, value in assignments)
            return f"INSERT ({columns}) VALUES ({values})"


def _assignments(assignments: Assignments | Star) -> str:
    if assignments == STAR:
        return "*"
    return ", ".join(f"{column} = {value}\n" for column, value in assignments)
