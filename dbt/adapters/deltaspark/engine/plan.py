"""(resolved merge, snapshot, source facts) -> MergePlan: the route and the files it will read."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Literal

from pyspark.sql import Column

from .keys import KeyValues, SourceFacts, between, one_of, type_name

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm
    from .log import Files, TableSize, Transaction
    from .resolve import KeyPair, ResolvedMerge

Route = Literal["no_op", "insert_only", "deletion_vectors", "classic", "native"]

BROADCAST_ROWS = 1_000_000
BROADCAST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Names:
    """Internal columns, named so that neither the source nor the target has them."""

    source_row: str
    matched_row: str
    file: str
    row: str
    clause: str

    @classmethod
    def fresh(cls, resolved: ResolvedMerge) -> Names:
        columns = (*resolved.source_columns, *resolved.target_columns)
        taken = {column.name().lower() for column in columns}
        suffixes = (f"_{number}__" for number in count())
        suffix = next(s for s in suffixes if not any(name.endswith(s) for name in taken))
        names = ("source_row", "matched_row", "file", "row", "clause")
        return cls(*(f"__{name}{suffix}" for name in names))


@dataclass(frozen=True, slots=True)
class Pruning:
    """The target rows that can matter: all predicates hold, `key_filters` among them.

    `impossible` says that no row can; `rules` say where the predicates come from.
    """

    predicates: tuple[JavaObject, ...] = ()
    key_filters: tuple[JavaObject, ...] = ()
    rules: tuple[str, ...] = ()
    impossible: bool = False


@dataclass(frozen=True, slots=True)
class MergePlan:
    """Which way a merge goes, and why; making one writes nothing."""

    route: Route
    reason: str
    table: str
    source_rows: int | None = None
    files: Files | None = None
    whole: TableSize | None = None
    pruning: Pruning = Pruning()
    broadcast: bool = False
    is_small: bool = False
    """Whether no join of the route shuffles, so that its jobs are best planned as they are."""

    def explain(self) -> str:
        """The plan as text for a person."""
        lines = [f"MERGE into {self.table}", f"  route: {self.route} ({self.reason})"]
        if self.source_rows is not None:
            lines.append(f"  source: {self.source_rows:,} rows, evaluated once")
        if self.files is not None and self.whole is not None:
            lines.append(
                f"  files: {self.files.count:,} of {self.whole.files:,},"
                f" {self.files.bytes:,} of {self.whole.bytes:,} bytes"
            )
            lines.append("  pruned by: " + ("; ".join(self.pruning.rules) or "nothing"))
        if self.files is not None and self.files.count:
            join = "the source is broadcast" if self.broadcast else "both sides are shuffled"
            lines.append(f"  join: {join}")
        return "\n".join(lines)


def plan_merge(resolved: ResolvedMerge, transaction: Transaction, facts: SourceFacts) -> MergePlan:
    """Choose the files that may hold matches, record them as read, and choose the route."""
    table = resolved.table_name
    if facts.rows == 0 and not resolved.by_source:
        return MergePlan("no_op", "the source has no rows", table, source_rows=0)
    pruning = prune(resolved, facts)
    if pruning.impossible:
        files = transaction.read_nothing()
    else:
        files = transaction.read_files(pruning.predicates)
    route, reason = _route(resolved, transaction, files)
    broadcast = _can_broadcast(resolved, facts)
    return MergePlan(
        route=route,
        reason=reason,
        table=table,
        source_rows=facts.rows,
        files=files,
        whole=transaction.table_size(),
        pruning=pruning,
        broadcast=broadcast,
        is_small=broadcast and not resolved.by_source,
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
    """What a target row must satisfy to be matched, from the conditions and the source's keys.

    With a WHEN NOT MATCHED BY SOURCE clause every row matters.
    """
    if resolved.by_source:
        return Pruning()
    jvm = resolved.jvm
    alone = jvm.items(resolved.command.getTargetOnlyPredicates(jvm.session))
    target = jvm.frame(resolved.command.target())
    stored = resolved.command.target().collectLeaves().head().outputSet()
    partitions = resolved.partition_columns
    filters, rules = [], ["conditions on the target alone"] if alone else []
    for key, values in zip(resolved.keys, facts.keys, strict=True):
        condition = _matching(jvm, key, values, partitions, stored)
        if condition is False:
            return Pruning(rules=(f"no value of {key.label} can match",), impossible=True)
        if isinstance(condition, Column):
            filters.append(jvm.resolved(target, condition))
            rules.append(f"the source's values of {key.label}")
    return Pruning((*alone, *filters), tuple(filters), tuple(rules))


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
    condition = one_of(column, name, values) if listed else between(column, name, values)
    if not key.null_safe or values.nulls == 0 or condition is True:
        return condition
    return column.isNull() if condition is False else condition | column.isNull()
