"""A merge, resolved by Delta's own analyzer: casts, defaults, generated columns, schema evolution.

The analyzer turns the statement into Delta's MergeIntoCommand. The command is never run: its
expressions and its target plan are what the routes build their DataFrames from.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ..delta import (
    CATALYST,
    JavaObject,
    Jvm,
    column_names,
    conditions,
    optional,
    reads_table,
    refuse_other_columns,
    table_name,
)
from ..errors import SpecError
from .key_values import column_of, type_name
from .request import PADDED_TOO_LATE, with_target

if TYPE_CHECKING:
    from pyspark.sql import Column

    from .request import MergeRequest

logger = logging.getLogger(__name__)

Kind = Literal["update", "delete", "insert"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One WHEN clause: its Catalyst condition, and a value for each column of the final schema."""

    kind: Kind
    condition: JavaObject | None
    values: tuple[JavaObject, ...]


@dataclass(frozen=True, slots=True)
class KeyPair:
    """An ON conjunct that equates a target expression with a source expression."""

    target: JavaObject
    source: JavaObject
    null_safe: bool
    column: JavaObject | None
    """The target column that the key is, where it is one (see `column_of`)."""
    kind: str
    """The type of the source's values, by its name."""
    label: str
    """The key as a person names it."""
    is_partition: bool
    """Whether the column is one that the table is partitioned by."""

    @classmethod
    def of(
        cls, target: JavaObject, source: JavaObject, partitions: Iterable[str], *, null_safe: bool
    ) -> KeyPair:
        column, kind = column_of(target), type_name(source.dataType())
        label = target.sql() if column is None else column.name()
        is_partition = column is not None and label.lower() in partitions
        return cls(target, source, null_safe, column, kind, label, is_partition)

    @property
    def measured(self) -> tuple[str, str]:
        """What the source's values are of: the same in another resolution of the same merge."""
        return self.kind, self.source.sql()


@dataclass(frozen=True, slots=True)
class ResolvedMerge:
    """Delta's analyzed command, and what the planner reads from it."""

    jvm: Jvm
    command: JavaObject
    matched: tuple[Clause, ...]
    not_matched: tuple[Clause, ...]
    by_source: tuple[Clause, ...]
    keys: tuple[KeyPair, ...]
    source_columns: tuple[JavaObject, ...]
    target_columns: tuple[JavaObject, ...]
    named_source: JavaObject
    """The source's plan, whose columns have the qualifiers that the statement may use."""
    has_subqueries: bool
    """In conditions or values: planned, and so pinned to a snapshot, when they are resolved."""

    @property
    def inserts_only(self) -> bool:
        return not self.matched and not self.by_source

    @property
    def is_one_unconditional_delete(self) -> bool:
        """The only shape in which several source rows may match one target row (Delta's rule)."""
        clauses = self.matched
        return len(clauses) == 1 and clauses[0].kind == "delete" and clauses[0].condition is None

    @property
    def fills_identity_columns(self) -> bool:
        return bool(self.command.trackHighWaterMarks().nonEmpty())

    @property
    def condition(self) -> Column:
        return self.jvm.column(self.command.condition())

    @property
    def table_name(self) -> str:
        return table_name(*reversed(self.table))

    @property
    def table(self) -> tuple[JavaObject, JavaObject]:
        """The table's log, and its entry in the catalog as an Option."""
        return self.index.deltaLog(), self.command.catalogTable()

    @property
    def index(self) -> JavaObject:
        """The file index of the snapshot that was analyzed."""
        return self.command.targetFileIndex()

    def read_by(
        self, expressions: Iterable[JavaObject], attributes: Iterable[JavaObject]
    ) -> list[Column]:
        """Those of the attributes that some of the expressions refer to."""
        sets = self.jvm.module(f"{CATALYST}.expressions.AttributeSet")
        references = [expression.references() for expression in expressions]
        read = sets.fromAttributeSets(self.jvm.seq(references))
        return [self.jvm.column(attribute) for attribute in attributes if read.contains(attribute)]

    def all_names(self) -> list[str]:
        """Of the columns on both sides."""
        return [
            name
            for plan in (self.command.source(), self.command.target())
            for name in column_names(plan.schema())
        ]

    def column_names(self) -> list[str]:
        """The final schema's columns, in the order in which every clause has its values."""
        migrated = optional(self.command.migratedSchema())
        schema = self.command.target().schema() if migrated is None else migrated
        return column_names(schema)

    def copied_columns(self) -> list[Column]:
        """A target row as it is in the final schema (postEvolutionTargetExpressions)."""
        expressions = self.command.postEvolutionTargetExpressions(True)
        return [self.jvm.column(expression) for expression in self.jvm.items(expressions)]

    def source_reads_target(self) -> bool:
        return reads_table(self.jvm, self.command.source(), self.table[0])


def resolve(request: MergeRequest, jvm: Jvm) -> ResolvedMerge:
    """Analyze the merge against the tables as they are now; runs no Spark job.

    Spark's optimizer then simplifies the expressions, as it does before it runs Delta's command:
    folded constants skip more files and are what the history shows.

    Raises what Delta's analyzer raises, and SpecError where the target is not a Delta table.
    """
    command = _analyzed(request, jvm)
    if command.getClass().getSimpleName() != "MergeIntoCommand":
        raise SpecError(
            "the target of the MERGE is not a Delta table; only Delta tables can be merged into"
        )
    refuse_other_columns(jvm, command.target(), command.targetFileIndex().metadata().schema())
    named_source, has_subqueries = command.source(), command.subqueriesAll().nonEmpty()
    command = jvm.session.sessionState().optimizer().execute(command)
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("%s", _described(jvm, command))
    return ResolvedMerge(
        jvm=jvm,
        command=command,
        matched=_clauses(jvm, command.matchedClauses()),
        not_matched=_clauses(jvm, command.notMatchedClauses()),
        by_source=_clauses(jvm, command.notMatchedBySourceClauses()),
        source_columns=tuple(jvm.items(command.source().output())),
        target_columns=tuple(jvm.items(command.target().output())),
        keys=tuple(_key_pairs(jvm, command)),
        named_source=named_source,
        has_subqueries=bool(has_subqueries),
    )


def _analyzed(request: MergeRequest, jvm: Jvm) -> JavaObject:
    """Delta's command; where a clause reads a CHAR column of the target, with the target analyzed
    before, and so padded before Delta resolves the clauses.
    """
    analyzer = jvm.session.sessionState().analyzer()
    try:
        command = analyzer.execute(request.plan(jvm))
    except (Py4JError, PySparkException) as error:
        if PADDED_TOO_LATE not in conditions(error):
            raise
        command = analyzer.execute(with_target(jvm, request.plan(jvm), analyzer.execute))
    analyzer.checkAnalysis(command)
    return command


def _described(jvm: Jvm, command: JavaObject) -> str:
    """The analyzed condition and clauses, and the schema that the table is going to have."""
    groups = (
        command.matchedClauses(),
        command.notMatchedClauses(),
        command.notMatchedBySourceClauses(),
    )
    lines = [f"ON {command.condition().sql()}"]
    lines += [clause.toString() for group in groups for clause in jvm.items(group)]
    migrated = optional(command.migratedSchema())
    if migrated is not None:
        lines.append(f"schema after the merge: {migrated.simpleString()}")
    return "\n".join(lines)


def _clauses(jvm: Jvm, clauses: JavaObject) -> tuple[Clause, ...]:
    return tuple(_clause(jvm, clause) for clause in jvm.items(clauses))


def _clause(jvm: Jvm, clause: JavaObject) -> Clause:
    kind: Kind = clause.clauseType().lower()
    actions = [] if kind == "delete" else jvm.items(clause.resolvedActions())
    values = tuple(action.expr() for action in actions)
    return Clause(kind, optional(clause.condition()), values)


def conjuncts(expression: JavaObject) -> list[JavaObject]:
    """The expression split at its top-level ANDs."""
    if expression.getClass().getSimpleName() == "And":
        return conjuncts(expression.left()) + conjuncts(expression.right())
    return [expression]


def reads_only(expression: JavaObject, attributes: JavaObject) -> bool:
    """Whether the expression refers to some of these attributes and to no others."""
    references = expression.references()
    return bool(references.nonEmpty() and references.subsetOf(attributes))


def _key_pairs(jvm: Jvm, command: JavaObject) -> Iterable[KeyPair]:
    source, target = command.source().outputSet(), command.target().outputSet()
    metadata = command.targetFileIndex().metadata()
    partitions = [name.lower() for name in jvm.items(metadata.partitionColumns())]
    parts = conjuncts(command.condition())
    guards = [part for part in parts if reads_only(part, source)]
    for conjunct in parts:
        operator = conjunct.getClass().getSimpleName()
        if operator not in {"EqualTo", "EqualNullSafe"}:
            continue
        for left, right in (
            (conjunct.left(), conjunct.right()),
            (conjunct.right(), conjunct.left()),
        ):
            if reads_only(left, target) and reads_only(right, source):
                null_safe = operator == "EqualNullSafe"
                yield KeyPair.of(
                    left, _guarded(jvm, guards, right), partitions, null_safe=null_safe
                )


def _guarded(jvm: Jvm, guards: list[JavaObject], key: JavaObject) -> JavaObject:
    """The key of the source rows that ON's conditions on the source alone let match, else null.

    As in a join, where they are tested first, the key of another row may fail to be computed.
    """
    if not guards:
        return key
    literals = jvm.module(f"{CATALYST}.expressions.Literal")
    null = literals.create(None, key.dataType())
    return jvm.type(f"{CATALYST}.expressions.If")(jvm.all_of(guards), key, null)
