"""An incremental model's settings and both sides' columns into the merge that the engine runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .config_keys import or_nearest
from .config_reader import found
from .engine.spec import STAR, Assignments, Insert, MergeSpec, Star, Update, quoted
from .model_config import ModelConfig, columns_problems

SQL_TOKENS = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`]|``)+`|[^\W\d]\w*|.""", re.DOTALL
)
NAME = re.compile(r"`(?:[^`]|``)+`|[^\W\d]\w*")
Columns = Mapping[str, str]
"""Column names, as they are written, to Spark's text of their types."""


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """How the model's columns differ from the table's."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    retyped: tuple[tuple[str, str, str], ...]
    """Names with the table's type and the model's."""

    @classmethod
    def between(cls, source: Columns, target: Columns) -> SchemaChange:
        common = [(name, other) for name in source if (other := found(name, target)) is not None]
        return cls(
            added=tuple(name for name in source if found(name, target) is None),
            removed=tuple(name for name in target if found(name, source) is None),
            retyped=tuple(
                (other, target[other], source[name])
                for name, other in common
                if target[other] != source[name]
            ),
        )

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.retyped)


def merge_problems(model: ModelConfig, source: Columns) -> list[str]:
    """What keeps the model from being merged, beyond `columns_problems`."""
    both = model.update_columns is not None and model.exclude_columns is not None
    exclusive = (
        "merge_update_columns and merge_exclude_columns exclude each other; keep one of them"
    )
    return [*([exclusive] if both else []), *key_problems(model, source)]


def key_problems(model: ModelConfig, source: Columns) -> list[str]:
    return [
        f"unique_key names {key!r}, which the model does not produce{or_nearest(key, source)}"
        for key in model.unique_key
        if found(key, source) is None and not _columns_in(key, source)
    ]


def change_problems(model: ModelConfig, change: SchemaChange) -> list[str]:
    """What on_schema_change forbids, or this version cannot do."""
    if model.on_schema_change != "sync_all_columns":
        return []
    dropped = [f"drop {name!r}" for name in change.removed]
    widened = [f"change {name!r} from {old} to {new}" for name, old, new in change.retyped]
    return [
        f"on_schema_change 'sync_all_columns' would have to {what}, which is not supported yet by"
        " this version; run the model with --full-refresh"
        for what in (*dropped, *widened)
    ]


def all_problems(model: ModelConfig, source: Columns, change: SchemaChange | None) -> list[str]:
    """Everything wrong with the settings; no change means that the table is made anew."""
    problems = [*model.problems, *columns_problems(model, list(source))]
    if change is None:
        return [*problems, *key_problems(model, source)]
    return [*problems, *merge_problems(model, source), *change_problems(model, change)]


def warnings_of_change(model: ModelConfig, change: SchemaChange) -> tuple[str, ...]:
    if model.evolves or not change.added:
        return ()
    names = ", ".join(change.added)
    return (
        f"these columns are not in the table and are not written: {names};"
        " set on_schema_change: append_new_columns to add them",
    )


def out_of_sync(change: SchemaChange) -> str:
    """dbt-core's message for on_schema_change 'fail'."""
    types = [{"column_name": name, "new_type": new} for name, _, new in change.retyped]
    return f"""
The source and target schemas on this incremental model are out of sync!
They can be reconciled in several ways:
  - set the `on_schema_change` config to either append_new_columns or sync_all_columns, \
depending on your situation.
  - Re-run the incremental model with `full_refresh: True` to update the target schema.
  - update the schema manually and re-run the process.

Additional troubleshooting context:
   Source columns not in target: {list(change.added)}
   Target columns not in source: {list(change.removed)}
   New column types: {types}
"""


def merge_spec(model: ModelConfig, source: Columns, target: Columns) -> MergeSpec:
    """The merge of a model whose settings have no problems."""
    change = SchemaChange.between(source, target)
    evolve = model.evolves and bool(change.added or _nested(change))
    written = [name for name in source if evolve or found(name, target) is not None]
    star = evolve or not change.removed
    return MergeSpec(
        on=_on(model, source),
        matched=_updates(model, written, star),
        not_matched=(Insert(_assignments(model, written, star)),),
        evolve_schema=evolve,
        source_alias=model.source_alias,
        target_alias=model.target_alias,
    )


def _updates(model: ModelConfig, written: Sequence[str], star: bool) -> tuple[Update, ...]:
    if model.strategy == "insert_only":
        return ()
    chosen = [name for name in written if _is_updated(model, name)]
    if not chosen:
        return ()
    return (Update(_assignments(model, chosen, star and len(chosen) == len(written))),)


def _is_updated(model: ModelConfig, name: str) -> bool:
    if model.update_columns is not None:
        return found(name, model.update_columns) is not None
    return found(name, model.exclude_columns or ()) is None


def _assignments(model: ModelConfig, names: Sequence[str], star: bool) -> Assignments | Star:
    if star:
        return STAR
    return tuple((quoted(name), f"{model.source_alias}.{quoted(name)}") for name in names)


def _on(model: ModelConfig, source: Columns) -> str:
    keys = [
        f"{_key(key, model.source_alias, source)} <=> {_key(key, model.target_alias, source)}"
        for key in model.unique_key
    ]
    # The line break ends a comment that a predicate may close with.
    return " AND ".join([*keys, *(f"({predicate}\n)" for predicate in model.predicates)])


def _key(key: str, alias: str, source: Columns) -> str:
    """The key as a column of one side, or as an expression over that side's columns."""
    if found(key, source) is not None:
        return f"{alias}.{quoted(key)}"
    tokens = _marked(key, source)
    text = "".join(f"{alias}.{token}" if is_column else token for token, is_column in tokens)
    return f"({text})"


def _columns_in(expression: str, source: Columns) -> list[str]:
    return [token for token, is_column in _marked(expression, source) if is_column]


def _marked(expression: str, source: Columns) -> list[tuple[str, bool]]:
    """The expression's tokens, each with whether it names a column (and no function or field)."""
    tokens: list[str] = SQL_TOKENS.findall(expression)
    solid = [(i, token) for i, token in enumerate(tokens) if not token.isspace()]
    before = {i: previous for (_, previous), (i, _) in zip(solid, solid[1:], strict=False)}
    after = {i: following for (i, _), (_, following) in zip(solid, solid[1:], strict=False)}
    return [
        (token, _is_column(token, source) and before.get(i) != "." and after.get(i) != "(")
        for i, token in enumerate(tokens)
    ]


def _is_column(token: str, source: Columns) -> bool:
    name = token[1:-1].replace("``", "`") if token.startswith("`") else token
    return NAME.fullmatch(token) is not None and found(name, source) is not None


def _nested(change: SchemaChange) -> bool:
    return any("struct<" in old and "struct<" in new for _, old, new in change.retyped)
