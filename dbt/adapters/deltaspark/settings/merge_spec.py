"""An incremental model's settings and both sides' columns into the merge that the engine runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..column_names import bare, found
from ..engine.delta import NO_WIDENING
from ..engine.spec import STAR, Assignments, Delete, Insert, MergeSpec, Star, Update, quoted
from .kept_fields import with_kept_fields
from .only_changed import NewValue, changed
from .sql_tokens import name_parts, qualified

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    from .merge_config import Clause
    from .model import ModelConfig
    from .schema_change import SchemaChange

SHOWN_COLUMNS = 5


def merge_spec(
    model: ModelConfig,
    source: StructType,
    target: StructType,
    change: SchemaChange,
    *,
    widening: str = NO_WIDENING,
) -> MergeSpec:
    """The merge of a model without problems; `widening` says how far it changes types."""
    return _Clauses(model, source, target, change, widening).spec()


@dataclass(frozen=True, slots=True)
class _Clauses:
    """The clauses of a model against both sides' columns."""

    model: ModelConfig
    source: StructType
    target: StructType
    change: SchemaChange
    widening: str

    def spec(self) -> MergeSpec:
        merge = self.model.merge
        return MergeSpec(
            on=self._on(),
            matched=tuple(self._changes("matched")),
            not_matched=tuple(self._inserts()),
            not_matched_by_source=tuple(self._changes("not_matched_by_source")),
            evolve_schema=self._evolves,
            source_alias=merge.source_alias,
            target_alias=merge.target_alias,
        )

    @property
    def _evolves(self) -> bool:
        """Also where only nested fields are missing: Delta fills them under evolution alone."""
        widened = self.model.evolves and bool(self.change.retyped)
        grows = self.model.evolves and self.change.grows
        return grows or widened or bool(self.change.nested_removed)

    @property
    def _written(self) -> list[str]:
        grows = self.model.evolves
        names = self.source.names
        return [name for name in names if grows or found(name, self.target.names) is not None]

    @property
    def _takes_star(self) -> bool:
        if self._evolves and not self.model.evolves and self.change.added:
            return False  # it would add the columns
        return self._evolves or not self.change.removed

    def _changes(self, when: str) -> Iterator[Update | Delete]:
        for clause, condition in self._conditioned(when):
            if clause.action == "delete":
                yield Delete(condition)
            elif clause.action == "error":
                yield Update(self._raising(clause), condition)
            elif assignments := self._assignments(clause):
                yield Update(assignments, self._if_changed(clause, condition))

    def _inserts(self) -> Iterator[Insert]:
        for clause, condition in self._conditioned("not_matched"):
            if clause.action == "error":
                yield Insert(self._raising(clause), condition)
            elif assignments := self._assignments(clause):
                yield Insert(assignments, condition)

    def _conditioned(self, when: str) -> Iterator[tuple[Clause, str | None]]:
        """Each clause with its condition, and without what a clause before it left as it is."""
        left: list[str] = []
        for clause in self.model.merge.clauses:
            if clause.when != when:
                continue
            if clause.action == "do_nothing":
                left.append(f"NOT coalesce(({clause.condition}\n), false)")
                continue
            own = [] if clause.condition is None else [f"({clause.condition}\n)"]
            yield clause, " AND ".join([*own, *left]) or None

    def _values(self, clause: Clause) -> list[NewValue]:
        """What the clause gives its columns; an expression stands before the source's value."""
        alias = self.model.merge.target_alias
        paths = [
            (path_of(name, alias, self.target.names), text) for name, text in clause.expressions
        ]
        given = [NewValue(column, text, fields=tuple(rest)) for (column, *rest), text in paths]
        taken = [name for name in self._written if takes(clause, name)]
        plain = [name for name in taken if found(name, [each.column for each in given]) is None]
        return [*(self._of_source(clause, name) for name in plain), *given]

    def _of_source(self, clause: Clause, name: str) -> NewValue:
        merge, kind = self.model.merge, self.source[name].dataType
        value, theirs = f"{merge.source_alias}.{quoted(name)}", found(name, self.target.names)
        if clause.when == "matched" and theirs is not None:
            old = f"{merge.target_alias}.{quoted(theirs)}"
            value = with_kept_fields(value, kind, old, self.target[theirs].dataType)
        return NewValue(name, value, kind)

    def _assignments(self, clause: Clause) -> Assignments | Star:
        """What the clause sets; empty where there is nothing to set."""
        values = self._values(clause)
        is_plain = not clause.expressions and len(values) == len(self._written)
        if is_plain and self._takes_star:
            return STAR
        return tuple((".".join(map(quoted, value.path)), value.sql) for value in values)

    def _if_changed(self, clause: Clause, condition: str | None) -> str | None:
        if not clause.only_changed:
            return condition
        alias = self.model.merge.target_alias
        values = self._values(clause)
        differs = changed(values, clause.only_changed, self.target, alias, widening=self.widening)
        return differs if condition is None else f"{condition} AND {differs}"

    def _raising(self, clause: Clause) -> Assignments:
        """Values that fail for the first row that gets them, with its key in the message."""
        by_source = clause.when == "not_matched_by_source"
        merge = self.model.merge
        alias = merge.target_alias if by_source else merge.source_alias
        names = self.target.names if by_source else self.source.names
        keys = [name for key in self.model.unique_key if (name := found(key, names)) is not None]
        shown = ", ".join(f"{alias}.{quoted(name)}" for name in keys or names[:SHOWN_COLUMNS])
        told = f"{self.model.label}: a merge_clauses entry with action error, when {clause.when},"
        text = f"{told} fired; nothing was written. The row: ".replace("'", "\\'")
        return (
            (quoted(self._written[0]), f"raise_error(concat('{text}', to_json(struct({shown}))))"),
        )

    def _on(self) -> str:
        merge, model = self.model.merge, self.model
        keys = [
            f"{_key(key, merge.source_alias, self.source.names)}"
            f" <=> {_key(key, merge.target_alias, self.source.names)}"
            for key in model.unique_key
        ]
        own = [] if merge.on is None else [f"({merge.on}\n)"]
        # The line break ends a comment that a predicate may close with.
        return " AND ".join([*own, *keys, *(f"({each}\n)" for each in model.predicates)])


def takes(clause: Clause, name: str) -> bool:
    """Whether the clause gives the column the source's value."""
    if not clause.takes_source:
        return False
    if clause.columns is not None:
        return found(name, clause.columns) is not None
    return found(name, clause.excluded) is None


def _key(key: str, alias: str, source: Sequence[str]) -> str:
    """The key as a column of one side, or as an expression over that side's columns."""
    if found(key, source) is not None:
        return f"{alias}.{quoted(key)}"
    return f"({qualified(key, source, alias)})"


def path_of(name: str, alias: str, columns: Sequence[str]) -> list[str]:
    """The column that a setting names, without the target's alias, and the fields below it."""
    if found(bare(name), columns) is not None:
        return [bare(name)]
    first, *rest = name_parts(name)
    return rest if rest and first.lower() == alias.lower() else [first, *rest]
