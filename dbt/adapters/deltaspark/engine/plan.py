"""(resolved merge, snapshot, source facts) -> MergePlan: the route and the files it will read."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import count
from typing import TYPE_CHECKING, Literal

from pyspark.sql import Column

from .keys import KeyValues, SourceFacts, one_of, type_name, within

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .files import Files, FileSteps, TableSize
    from .jvm import JavaObject, Jvm
    from .log import Transaction
    from .resolve import KeyPair, ResolvedMerge

Route = Literal["no_op", "insert_only", "deletion_vectors", "classic", "native"]

BROADCAST_ROWS = 1_000_000
BROADCAST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Names:
    """Internal columns, named so that no table at hand has them."""

    source_row: str
    matched_row: str
    file: str
    row: str
    clause: str
    change: str
    before: str
    after: str

    @classmethod
    def fresh(cls, columns: Iterable[str]) -> Names:
        """Names that none of these columns has."""
        taken = {column.lower() for column in columns}
        suffixes = (f"_{number}__" for number in count())
        suffix = next(s for s in suffixes if not any(name.endswith(s) for name in taken))
        names = (field.name for field in fields(cls))
        return cls(*(f"__{name}{suffix}" for name in names))


@dataclass(frozen=True, slots=True)
class Pruning:
    """The target rows that can matter: all predicates hold, `row_filters` among them.

    `impossible` says that no row can; `rules` say where the predicates come from.
    """

    predicates: tuple[JavaObject, ...] = ()
    row_filters: tuple[JavaObject, ...] = ()
    rules: tuple[str, ...] = ()
    impossible: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    """Rows that a merge would change, by what would become of them, and the files they are in."""

    updated: int = 0
    deleted: int = 0
    inserted: int = 0
    copied: int = 0
    files: int = 0


@dataclass(frozen=True, slots=True)
class MergePlan:
    """Which way a merge goes, and why; making one writes nothing."""

    route: Route
    reason: str
    table: str
    source_rows: int | None = None
    source_in_place: bool = False
    """Whether the source is a table that is read where it is, rather than rows kept."""
    files: Files | None = None
    whole: TableSize | None = None
    pruning: Pruning = Pruning()
    broadcast: bool = False
    is_small: bool = False
    """Whether no join of the route shuffles, so that its jobs are best planned as they are."""
    inserts_only: bool = False
    """Whether there are only WHEN NOT MATCHED clauses, so that the source is read once."""
    prediction: Prediction | None = None
    """Only where it was asked for, by `explain`."""
    steps: FileSteps | None = None
    """What became of the target's files; None before the merge has run."""

    def explain(self) -> str:
        """The plan as text for a person."""
        lines = [f"MERGE into {self.table}", f"  route: {self.route} ({self.reason})"]
        if self.source_rows is not None:
            how = "read in place" if self.source_in_place else "evaluated once"
            lines.append(f"  source: {self.source_rows:,} rows, {how}")
        if self.files is not None and self.whole is not None:
            lines.append(
                f"  files: {self.files.count:,} of {self.whole.files:,},"
                f" {self.files.bytes:,} of {self.whole.bytes:,} bytes"
            )
            lines.append("  pruned by: " + ("; ".join(self.pruning.rules) or "nothing"))
        if self.files is not None and self.files.count:
            join = "the source is broadcast" if self.broadcast else "both sides are shuffled"
            lines.append(f"  join: {join}")
        if self.prediction is not None:
            lines += self._predicted(self.prediction)
        if self.steps is not None:
            lines.append(f"  steps: {self.steps}")
        return "\n".join(lines)

    def _predicted(self, rows: Prediction) -> list[str]:
        changed = f"{rows.inserted:,} inserted, {rows.updated:,} updated, {rows.deleted:,} deleted"
        match self.route:
            case "deletion_vectors":
                written = f"deletion vectors for {rows.files:,} files"
            case "classic":
                written = f"{rows.files:,} files anew, with {rows.copied:,} rows copied"
            case _:
                written = "nothing else"
        new = rows.inserted + rows.updated
        lines = [f"  rows: {changed}"]
        if new or rows.files:
            return [*lines, f"  would write: {new:,} new rows, and {written}"]
        return [*lines, "  would write: nothing, and commit nothing"]


def plan_merge(resolved: ResolvedMerge, transaction: Transaction, facts: SourceFacts) -> MergePlan:
    """Choose the files that may hold matches, record them as read, and choose the route."""
    table = resolved.table_name
    if facts.rows == 0 and not resolved.by_source:
        whole = transaction.table_size()
        return MergePlan("no_op", "the source has no rows", table, source_rows=0, whole=whole)
    pruning = prune(resolved, facts)
    if pruning.impossible:
        files = transaction.read_nothing()
    else:
        files = transaction.read_files(pruning.predicates)
    whole = transaction.table_size()
    if 1 < files.count == whole.files:
        # The predicates leave out no file: testing them again for every row costs more.
        pruning = replace(pruning, row_filters=())
    route, reason = _route(resolved, transaction, files)
    broadcast = _can_broadcast(resolved, facts)
    return MergePlan(
        route=route,
        reason=reason,
        table=table,
        source_rows=facts.rows,
        source_in_place=facts.in_place,
        files=files,
        whole=whole,
        pruning=pruning,
        broadcast=broadcast,
        is_small=broadcast and not resolved.by_source,
        inserts_only=resolved.inserts_only,
    )


def _route(resolved: ResolvedMerge, transaction: Transaction, files: Files) -> tuple[Route, str]:
    if resolved.inserts_only:
        return "insert_only", "there are only WHEN NOT MATCHED clauses"
    if files.count == 0:
        if resolved.not_matched:
            return "insert_only", "no file can hold a row that matches"
        return "no_op", "no file can hold a row that matches"
    if transaction.writes_vectors():
        return "deletion_vectors", "the table has deletion vectors on"
    return "classic", "deletion vectors are off: touched files are rewritten"


def _can_broadcast(resolved: ResolvedMerge, facts: SourceFacts) -> bool:
    width = sum(column.dataType().defaultSize() for column in resolved.source_columns)
    return facts.rows <= BROADCAST_ROWS and facts.rows * width <= BROADCAST_BYTES


def prune(resolved: ResolvedMerge, facts: SourceFacts) -> Pruning:
    """What a target row must satisfy to be matched, or to fall to a by-source clause."""
    matching = _matching_rows(resolved, facts)
    return _with_rows_by_source(resolved, matching) if resolved.by_source else matching


def _with_rows_by_source(resolved: ResolvedMerge, matching: Pruning) -> Pruning:
    """Also the rows that a WHEN NOT MATCHED BY SOURCE clause fires for if nothing matches them.

    Its condition reads the target alone. Delta prunes nothing here (delta-io/delta 7362).
    """
    jvm = resolved.jvm
    conditions = [clause.condition for clause in resolved.by_source]
    if any(condition is None for condition in conditions):
        return Pruning()
    fires = jvm.any_of(conditions)
    rule = "conditions of WHEN NOT MATCHED BY SOURCE"
    if matching.impossible:
        return Pruning((fires,), (fires,), (rule,))
    if not matching.predicates:
        return Pruning()
    either = jvm.any_of([jvm.all_of(matching.predicates), fires])
    return Pruning((either,), (either,), (*matching.rules, rule))


def _matching_rows(resolved: ResolvedMerge, facts: SourceFacts) -> Pruning:
    """What a target row must satisfy to be matched, from the conditions and the source's keys."""
    jvm = resolved.jvm
    alone = jvm.items(resolved.command.getTargetOnlyPredicates(jvm.session))
    target = jvm.frame(resolved.command.target())
    stored = resolved.command.target().collectLeaves().head().outputSet()
    partitions = resolved.partition_columns
    tests, filters = [], []
    rules = ["conditions on the target alone"] if alone else []
    for key, values in zip(resolved.keys, facts.keys, strict=True):
        test = condition = _matching(jvm, key, values, partitions, stored)
        if values is not None and values.ranges:
            condition = _matching(jvm, key, replace(values, ranges=()), partitions, stored)
        if test is False or condition is False:
            return Pruning(rules=(f"no value of {key.label} can match",), impossible=True)
        if isinstance(test, Column) and isinstance(condition, Column):
            tests.append(jvm.resolved(target, test))
            filters.append(tests[-1] if condition is test else jvm.resolved(target, condition))
            rules.append(_rule(key, values))
    return Pruning((*alone, *tests), tuple(filters), tuple(rules))


def _rule(key: KeyPair, values: KeyValues | None) -> str:
    ranges = len(values.ranges) if values is not None else 0
    return f"the source's values of {key.label}" + (f", in {ranges} ranges" if ranges else "")


def _matching(
    jvm: Jvm, key: KeyPair, values: KeyValues | None, partitions: frozenset[str], stored: JavaObject
) -> Column | bool:
    """What a target row satisfies that this key matches; True: nothing can be said of it.

    A column that is not stored as it is read, such as a padded CHAR, has other statistics.
    """
    attribute = key.column
    if attribute is None or values is None or not stored.contains(attribute):
        return True
    column, name = jvm.column(attribute), type_name(attribute.dataType())
    listed = attribute.name().lower() in partitions and key.target.semanticEquals(attribute)
    condition = one_of(column, name, values) if listed else within(column, name, values)
    if not key.null_safe or values.nulls == 0 or condition is True:
        return condition
    return column.isNull() if condition is False else condition | column.isNull()
