"""(resolved merge, snapshot, source facts) -> MergePlan: the route and the files it will read."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql import Column

from ..plan import MergePlan, Pruning
from .bounds import bound_of, may_hold
from .key_values import KeyValues, SourceFacts, one_of, type_name, within

if TYPE_CHECKING:
    from ..delta import Files, JavaObject, Jvm, MayHold, Transaction
    from ..plan import Route
    from .resolve import KeyPair, ResolvedMerge

BROADCAST_ROWS = 1_000_000
BROADCAST_BYTES = 64 * 1024 * 1024


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
        files = transaction.read_files(pruning.predicates, _may_hold(transaction, pruning))
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


def _may_hold(transaction: Transaction, pruning: Pruning) -> MayHold | None:
    """None where other tests than bounds choose the files, or their columns have other names."""
    if not pruning.bounds or transaction.metadata.columnMappingMode().name() != "none":
        return None
    return partial(may_hold, pruning.bounds)


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
    width = resolved.command.source().schema().defaultSize()
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
    tests, filters, bounds = [], [], []
    rules = ["conditions on the target alone"] if alone else []
    for key, values in zip(resolved.keys, facts.keys, strict=True):
        test = condition = _matching(jvm, key, values, stored)
        if values is not None and values.ranges:
            condition = _matching(jvm, key, replace(values, ranges=()), stored)
        if test is False or condition is False:
            return Pruning(rules=(f"no value of {key.label} can match",), impossible=True)
        if isinstance(test, Column) and isinstance(condition, Column):
            tests.append(jvm.resolved(target, test))
            filters.append(tests[-1] if condition is test else jvm.resolved(target, condition))
            rules.append(_rule(key, values))
            bounds.append(bound_of(key, values))
    asked = () if alone else tuple(bound for bound in bounds if bound is not None)
    only = asked if len(asked) == len(tests) else ()
    return Pruning((*alone, *tests), tuple(filters), tuple(rules), bounds=only)


def _rule(key: KeyPair, values: KeyValues | None) -> str:
    ranges = len(values.ranges) if values is not None else 0
    return f"the source's values of {key.label}" + (f", in {ranges} ranges" if ranges else "")


def _matching(
    jvm: Jvm, key: KeyPair, values: KeyValues | None, stored: JavaObject
) -> Column | bool:
    """What a target row satisfies that this key matches; True: nothing can be said of it.

    A column that is not stored as it is read, such as a padded CHAR, has other statistics.
    """
    attribute = key.column
    if attribute is None or values is None or not stored.contains(attribute):
        return True
    column, name = jvm.column(attribute), type_name(attribute.dataType())
    listed = key.is_partition and key.target.semanticEquals(attribute)
    condition = one_of(column, name, values) if listed else within(column, name, values)
    if not key.null_safe or values.nulls == 0 or condition is True:
        return condition
    return column.isNull() if condition is False else condition | column.isNull()
