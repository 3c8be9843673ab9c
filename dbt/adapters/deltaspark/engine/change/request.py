"""A DELETE or an UPDATE, resolved by Delta's own analyzer; its command is never run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..delta import JavaObject, Jvm, optional, refuse_other_columns, table_name
from ..errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, SparkSession

    from ..plan import Verb


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """Rows of a table to delete, or to update where `assignments` has (column, value) as SQL."""

    spark: SparkSession
    table: str
    condition: str | None = None
    assignments: tuple[tuple[str, str], ...] = ()

    @classmethod
    def update(
        cls, spark: SparkSession, table: str, values: Mapping[str, str], condition: str | None
    ) -> ChangeRequest:
        if not values:
            raise SpecError("an UPDATE needs at least one column to set")
        return cls(spark, table, condition, tuple(values.items()))

    @property
    def statement(self) -> str:
        """Each text ends its line, and with it a comment that may end the text."""
        where = "" if self.condition is None else f"\nWHERE {self.condition}\n"
        if not self.assignments:
            return f"DELETE FROM {self.table}{where}"
        pairs = "\n, ".join(f"{column} = {value}" for column, value in self.assignments)
        return f"UPDATE {self.table} SET {pairs}{where}"

    def plan(self, jvm: Jvm) -> JavaObject:
        """The parsed statement; each text must be one expression by itself."""
        parser = jvm.session.sessionState().sqlParser()
        texts = [value for _, value in self.assignments]
        for text in texts if self.condition is None else [*texts, self.condition]:
            parser.parseExpression(text)
        return parser.parsePlan(self.statement)


@dataclass(frozen=True, slots=True)
class ResolvedChange:
    """Delta's analyzed command, and what is read from it."""

    jvm: Jvm
    command: JavaObject
    verb: Verb
    has_subqueries: bool
    """Which are planned, and so pinned to a snapshot, when the statement is resolved."""

    @property
    def index(self) -> JavaObject:
        """The file index of the snapshot that was analyzed."""
        return self.command.target().collectLeaves().head().relation().location()

    @property
    def log(self) -> JavaObject:
        return self.index.deltaLog()

    @property
    def schema(self) -> JavaObject:
        """The table's, when it was analyzed."""
        return self.index.metadata().schema()

    @property
    def table(self) -> tuple[JavaObject, JavaObject]:
        """The table's log, and its entry in the catalog as an Option."""
        return self.log, self.command.catalogTable()

    @property
    def table_name(self) -> str:
        return table_name(self.command.catalogTable(), self.log)

    @property
    def condition(self) -> JavaObject | None:
        return optional(self.command.condition())

    def new_values(self) -> list[Column]:
        """What an UPDATE makes of each of the table's columns."""
        expressions = self.jvm.items(self.command.updateExpressions())
        return [self.jvm.column(expression) for expression in expressions]


def resolve_change(request: ChangeRequest, jvm: Jvm) -> ResolvedChange:
    """Analyze the statement against the table as it is now; runs no Spark job.

    Raises what Delta's analyzer raises, and SpecError where the target is not a Delta table.
    """
    state = jvm.session.sessionState()
    command = state.analyzer().execute(request.plan(jvm))
    state.analyzer().checkAnalysis(command)
    kind = command.getClass().getSimpleName()
    verb: Verb = "UPDATE" if request.assignments else "DELETE"
    if kind not in {"DeleteCommand", "UpdateCommand"}:
        raise SpecError(f"{request.table} is not a Delta table; only Delta tables can be changed")
    has_subqueries = bool(command.subqueriesAll().nonEmpty())
    resolved = ResolvedChange(jvm, command, verb, has_subqueries)
    refuse_other_columns(jvm, command.target(), resolved.schema)
    return replace(resolved, command=state.optimizer().execute(command))
