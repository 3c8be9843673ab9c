"""The merge that a model's settings ask for: the clauses, in order, of either of the two forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..column_names import bare
from ..near_names import or_nearest
from .config_keys import MERGE_CLAUSES
from .config_reader import ConfigReader, as_flag
from .sql_tokens import assignments

When = Literal["matched", "not_matched", "not_matched_by_source"]
Action = Literal["update", "insert", "delete", "error", "do_nothing"]
ACTIONS: dict[str, tuple[Action, ...]] = {
    "matched": ("update", "delete", "error", "do_nothing"),
    "not_matched": ("insert", "error", "do_nothing"),
    "not_matched_by_source": ("update", "delete", "error", "do_nothing"),
}
CLAUSE_KEYS = ("when", "condition", "action", "set", "columns")
DUPLICATES = ("error", "keep_first", "keep_last", "ignore")
ALIAS = re.compile(r"[^\W\d]\w*")
UPDATE_SET = re.compile(r"update\s+set\s+(.+)", re.IGNORECASE | re.DOTALL)
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """One WHEN clause; columns of the source that are neither named nor excluded are all meant."""

    when: When
    action: Action
    condition: str | None = None
    columns: tuple[str, ...] | None = None
    excluded: tuple[str, ...] = ()
    expressions: Pairs = ()
    """Columns to SQL, instead of the source's values."""
    takes_source: bool = True
    """Whether columns without an expression get the source's value."""
    only_changed: bool | tuple[str, ...] = False


@dataclass(frozen=True, slots=True)
class MergeConfig:
    """What a model says of its merges, defaults filled in."""

    on: str | None = None
    clauses: tuple[Clause, ...] = ()
    source_alias: str = "DBT_INTERNAL_SOURCE"
    target_alias: str = "DBT_INTERNAL_DEST"
    evolves: bool = False
    duplicates: str = "error"
    order_by: tuple[str, ...] = ()
    is_general: bool = False
    """Whether the clauses are those of merge_clauses."""

    @property
    def names_and_excludes(self) -> bool:
        """Whether a clause says its columns in both ways, which exclude each other."""
        return any(each.columns is not None and each.excluded for each in self.clauses)


def read_merge(reader: ConfigReader, *, inserts_only: bool) -> MergeConfig:
    """The settings of a merge; problems stay with the reader."""
    general = reader.value("merge_clauses")
    clauses = _simple(reader, inserts_only) if general is None else _general(reader, general)
    duplicates = reader.choice("on_duplicate_keys", DUPLICATES, "error")
    order_by = reader.texts("duplicate_keys_order_by")
    if duplicates.startswith("keep_") and not order_by:
        reader.problems.append(
            f"on_duplicate_keys {duplicates!r} needs duplicate_keys_order_by, which says what is"
            " first"
        )
    return MergeConfig(
        on=reader.text("merge_on"),
        clauses=clauses,
        source_alias=_alias(reader, "source_alias") or "DBT_INTERNAL_SOURCE",
        target_alias=_alias(reader, "target_alias") or "DBT_INTERNAL_DEST",
        evolves=reader.flag("merge_with_schema_evolution", False),
        duplicates=duplicates,
        order_by=order_by,
        is_general=general is not None,
    )


def _alias(reader: ConfigReader, key: str) -> str | None:
    name = reader.text(key)
    if name is None or ALIAS.fullmatch(name):
        return name
    reader.problems.append(f"{key} must be a word of letters, digits and _, got {name!r}")
    return None


def _simple(reader: ConfigReader, inserts_only: bool) -> tuple[Clause, ...]:
    """At most one clause of each kind, from one key for each of its parts."""
    clauses = []
    skips_insert = reader.flag("skip_not_matched_step", False) and not inserts_only
    if not inserts_only and not reader.flag("skip_matched_step", False):
        clauses.append(_matched(reader))
    if not skips_insert:
        clauses.append(Clause("not_matched", "insert", reader.text("not_matched_condition")))
    if not inserts_only:
        clauses += _by_source(reader)
        if not clauses and not reader.problems:
            reader.problems.append(
                "skip_matched_step and skip_not_matched_step leave nothing to do; keep one of the"
                " steps, or give a not_matched_by_source_action"
            )
    return tuple(clauses)


def _matched(reader: ConfigReader) -> Clause:
    return Clause(
        "matched",
        "update",
        reader.text("matched_condition"),
        columns=reader.names("merge_update_columns"),
        excluded=reader.names("merge_exclude_columns") or (),
        expressions=tuple(reader.mapping("merge_update_set_expressions").items()),
        only_changed=_only_changed(reader),
    )


def _only_changed(reader: ConfigReader) -> bool | tuple[str, ...]:
    flag = as_flag(reader.value("merge_only_changed"))
    return (reader.names("merge_only_changed") or False) if flag is None else flag


def _by_source(reader: ConfigReader) -> list[Clause]:
    action = reader.text("not_matched_by_source_action")
    condition = reader.text("not_matched_by_source_condition")
    if action is None:
        if condition is not None:
            reader.problems.append(
                "not_matched_by_source_condition needs a not_matched_by_source_action"
            )
        return []
    if action.strip().lower() == "delete":
        return [Clause("not_matched_by_source", "delete", condition)]
    update = UPDATE_SET.fullmatch(action.strip())
    pairs = assignments(update[1]) if update else None
    if pairs is None:
        reader.problems.append(
            f"not_matched_by_source_action must be 'delete' or 'update set …', got {action!r}"
        )
        return []
    return [
        Clause("not_matched_by_source", "update", condition, expressions=pairs, takes_source=False)
    ]


def _general(reader: ConfigReader, value: Any) -> tuple[Clause, ...]:
    for key in MERGE_CLAUSES:
        if reader.value(key) not in (None, False):
            reader.problems.append(
                f"merge_clauses is the general form of {key}; say it there, and leave {key} out"
            )
    if not isinstance(value, (list, tuple)) or not value:
        reader.problems.append(
            "merge_clauses must be a list of clauses, such as"
            f" [{{'when': 'matched', 'action': 'update'}}], got {value!r}"
        )
        return ()
    numbered = [(f"merge_clauses[{i}]", clause) for i, clause in enumerate(value)]
    clauses = [_clause(reader, label, clause) for label, clause in numbered]
    _refuse_unreachable(reader, clauses)
    return tuple(clause for clause in clauses if clause is not None)


def _clause(reader: ConfigReader, label: str, value: Any) -> Clause | None:
    if not isinstance(value, Mapping):
        reader.problems.append(f"{label} must be a dictionary, got {value!r}")
        return None
    for key in value:
        if key not in CLAUSE_KEYS:
            hint = or_nearest(str(key), CLAUSE_KEYS) or f" ({', '.join(CLAUSE_KEYS)})"
            reader.problems.append(f"{label} has an unknown key {key!r}{hint}")
    part = ConfigReader(value, label)
    when, action = str(value.get("when")), str(value.get("action"))
    if when not in ACTIONS:
        part.problems.append(f"{label}.when must be one of {', '.join(ACTIONS)}, got {when!r}")
    elif action not in ACTIONS[when]:
        allowed = ", ".join(ACTIONS[when])
        part.problems.append(f"{label}.action must be one of {allowed} when {when}, got {action!r}")
    clause = _with_columns(part, label, when, action)  # type: ignore[arg-type]  # told above
    reader.problems += part.problems
    return None if part.problems else clause


def _with_columns(part: ConfigReader, label: str, when: When, action: Action) -> Clause:
    given = part.value("set")
    star = given in (None, "*")
    expressions = () if star else tuple(part.mapping("set").items())
    columns = part.names("columns")
    if action not in ("update", "insert") and (given is not None or columns is not None):
        part.problems.append(f"{label} sets columns, which {action!r} does not")
    if when == "not_matched_by_source" and action == "update" and (star or columns is not None):
        part.problems.append(
            f"{label} needs set: {{column: expression, …}}: there is no source row to take from"
        )
    sets = action in ("update", "insert")
    if sets and not part.problems and not (star and columns is None or columns or expressions):
        part.problems.append(
            f"{label} sets no column; name some, leave columns and set out for all of them, or use"
            " action: do_nothing"
        )
    takes_source = star or columns is not None
    return Clause(
        when,
        action,
        part.text("condition"),
        columns=columns,
        expressions=tuple((bare(name), text) for name, text in expressions),
        takes_source=takes_source,
    )


def _refuse_unreachable(reader: ConfigReader, clauses: list[Clause | None]) -> None:
    closed: dict[str, int] = {}
    for i, clause in enumerate(clauses):
        if clause is None:
            continue
        if clause.when in closed:
            reader.problems.append(
                f"merge_clauses[{i}] is never reached: merge_clauses[{closed[clause.when]}] has no"
                " condition"
            )
        elif clause.condition is None:
            closed[clause.when] = i
