"""What is asked of a merge: a MERGE statement, or a spec over a DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..anew import analyzed_anew
from ..delta import CATALYST
from .statement import merge_text, sql_texts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..delta import JavaObject, Jvm
    from ..spec import MergeSpec


PADDED_TOO_LATE = "DELTA_MERGE_RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT"
"""What Delta says where a clause reads a CHAR column: Spark pads it when the clauses are resolved,
which then read a column that is gone."""


@dataclass(frozen=True, slots=True)
class MergeText:
    """A whole MERGE statement."""

    spark: SparkSession
    statement: str

    @property
    def evolves(self) -> bool | None:
        """What the text leaves to the session."""
        return None

    @contextmanager
    def computed(self, *, again: bool) -> Iterator[MergeText]:
        """The merge for one attempt whose source reads the target, inside its transaction."""
        yield self

    def plan(self, jvm: Jvm) -> JavaObject:
        """The parsed statement, its source analyzed by itself, as that of a DataFrame is.

        Spark pads what is read of a CHAR column: within the statement it does so when Delta has
        resolved the clauses, and then they read columns that are gone.
        """
        state = jvm.session.sessionState()
        plan = state.sqlParser().parsePlan(self.statement)
        source = _source_in(jvm, plan)
        return plan if source is None else _over(jvm, plan, state.analyzer().execute(source))

    def over(self, source: JavaObject) -> MergeText:
        """The same merge over rows that were evaluated, whatever its source is by now."""
        return _MergeOver(self.spark, self.statement, source)


@dataclass(frozen=True, slots=True)
class _MergeOver(MergeText):
    """A MERGE statement with a plan in the place of its source."""

    source: JavaObject

    def plan(self, jvm: Jvm) -> JavaObject:
        plan = jvm.session.sessionState().sqlParser().parsePlan(self.statement)
        return _over(jvm, plan, self.source)


def _source_in(jvm: Jvm, plan: JavaObject) -> JavaObject | None:
    """The source below the WITH that its tables may be in; None of what is no MERGE."""
    match plan.getClass().getSimpleName():
        case "UnresolvedWith":
            source = _source_in(jvm, plan.children().head())
            return None if source is None else plan.withNewChildren(jvm.seq([source]))
        case "MergeIntoTable":
            return plan.children().last()
        case _:
            return None


def _over(jvm: Jvm, plan: JavaObject, source: JavaObject) -> JavaObject:
    """The MERGE over this source."""
    return _with_sides(jvm, plan, lambda target, _: (target, source))


def with_target(
    jvm: Jvm, plan: JavaObject, analyzed: Callable[[JavaObject], JavaObject]
) -> JavaObject:
    """The MERGE over its target as analyzed."""
    return _with_sides(jvm, plan, lambda target, source: (analyzed(target), source))


def _with_sides(
    jvm: Jvm,
    plan: JavaObject,
    changed: Callable[[JavaObject, JavaObject], tuple[JavaObject, JavaObject]],
) -> JavaObject:
    """The MERGE over other sides, also below WITH, whose tables its clauses may read."""
    first, last = plan.children().head(), plan.children().last()
    below_with = plan.getClass().getSimpleName() == "UnresolvedWith"
    sides = (_with_sides(jvm, first, changed),) if below_with else changed(first, last)
    return plan.withNewChildren(jvm.seq(sides))


@dataclass(frozen=True, slots=True)
class MergeFrame:
    """A spec with its source as a DataFrame; `target` is the SQL text that names the table."""

    target: str
    source: DataFrame
    spec: MergeSpec
    source_sql: str | None = None

    @property
    def spark(self) -> SparkSession:
        return self.source.sparkSession

    @property
    def evolves(self) -> bool | None:
        return self.spec.evolve_schema

    @contextmanager
    def computed(self, *, again: bool) -> Iterator[MergeFrame]:
        """The merge for one attempt whose source reads the target, inside its transaction.

        Raises SourceReadsTargetError `again`, after another commit, where the source has no SQL.
        """
        source = analyzed_anew(self.source, self.source_sql) if again else self.source
        yield replace(self, source=source)

    def over(self, source: JavaObject) -> MergeFrame:
        """Itself: a DataFrame keeps the columns that it was made with."""
        return self

    def plan(self, jvm: Jvm) -> JavaObject:
        """The parsed statement, with the DataFrame's plan in the place of its source."""
        parser = jvm.session.sessionState().sqlParser()
        for condition in sql_texts(self.spec):
            parser.parseExpression(condition)
        plan = parser.parsePlan(merge_text(self.target, "(SELECT 1)", self.spec))
        source = jvm.analyzed(self.source)
        if self.spec.source_alias is not None:
            aliases = jvm.module(f"{CATALYST}.plans.logical.SubqueryAlias")
            source = aliases.apply(self.spec.source_alias, source)
        return plan.withNewChildren(jvm.seq([plan.children().head(), source]))


MergeRequest = MergeText | MergeFrame
