"""What statements of dbt's own macros need of the adapter: clauses, columns, comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import available
from pyspark.sql.types import StructType

from .catalog import clauses_of_table, clauses_of_view
from .exact_tables import plain
from .materialize import columns, comments, headers
from .materialize import tables as materialize
from .notices import NoticesAdapter, Spec
from .session import served
from .settings import (
    are_columns_told,
    names_in,
    problems_of_view,
    read_incremental,
    read_table,
    warnings_of_columns,
)

if TYPE_CHECKING:
    import agate
    from dbt.adapters.base.column import Column as BaseColumn
    from dbt.adapters.base.relation import BaseRelation
    from dbt.adapters.contracts.macros import MacroResolverProtocol

    from .catalog import DeltaSparkRelation


class StatementsAdapter(NoticesAdapter):
    """The part of the adapter that knows what statements of dbt's macros need."""

    @available.parse(lambda *_, **__: "")
    def table_clauses(self, spec: Spec, sql: str) -> str:
        """For `create_table_as`, which tests and packages call."""
        model = read_table(spec)
        materialize.check(model, model.problems)
        with self.connections.working(f"columns of {model.label}") as spark:
            return clauses_of_table(model.table, names_in(spark.sql(served(spark, sql)).schema))

    @available.parse(lambda *_, **__: "")
    def view_clauses(self, spec: Spec, sql: str) -> str:
        model, schema = self._told(read_table(spec)), StructType()
        if are_columns_told(model.table, sql) and not model.problems:
            with self.connections.working(f"columns of {model.label}") as spark:
                schema = spark.sql(served(spark, sql)).schema
        problems = [*model.problems, *problems_of_view(model.table.constraints.lengths, schema)]
        materialize.check(model, problems, warnings_of_columns(model.table, schema))
        return clauses_of_view(model.table, schema.names)

    @available.parse_list
    def columns_after(self, header: str | None, sql: str) -> list[BaseColumn]:
        """The query's columns, after the statements of sql_header."""
        with self.connections.working(sql) as spark:
            return [self.Column.create(*row) for row in headers.columns_of(spark, header, sql)]

    @available.parse_none
    def run_header(self, header: str | None) -> None:
        """Statements of sql_header, for all that follows in the node's session."""
        if header:
            with self.connections.working(header) as spark:
                headers.run(spark, header)

    @classmethod
    def convert_agate_type(cls, agate_table: agate.Table, col_idx: int) -> str | None:
        """Of the columns of a query's result, too, whose numbers are of a type of our own."""
        return super().convert_agate_type(plain(agate_table), col_idx)

    def execute_macro(
        self,
        macro_name: str,
        macro_resolver: MacroResolverProtocol | None = None,
        project: str | None = None,
        context_override: dict[str, Any] | None = None,
        kwargs: dict[str, Any] | None = None,
        needs_conn: bool = False,
    ) -> Any:
        """For `dbt show` the statements of sql_header run first: it sends one text, and Spark takes
        one statement. dbt-core does not dispatch this macro, and prefers its own to an adapter's.
        """
        run, given = super().execute_macro, dict(kwargs or {})
        if macro_name == "get_show_sql" and (header := given.get("sql_header")):
            with self.connections.working(header) as spark:
                given["sql_header"] = headers.run_header(spark, header) or None
        return run(macro_name, macro_resolver, project, context_override, given, needs_conn)

    @available.parse_none
    def check_sync(self, spec: Spec, source: BaseRelation, target: DeltaSparkRelation) -> None:
        """Before dbt-core's macros make the table's columns those of the source."""
        model = self._of_profile(read_incremental(spec))
        with self.connections.working(f"columns of {model.label}") as spark:
            columns.check_sync(spark, model, source.render(), target.render())

    @available.parse_none
    def change_columns(
        self, relation: DeltaSparkRelation, added: dict[str, str], dropped: list[str]
    ) -> None:
        with self.connections.working(f"change columns of {relation}") as spark:
            columns.change(spark, relation.render(), added, dropped)

    @available.parse_none
    def retype_column(self, relation: DeltaSparkRelation, name: str, kind: str) -> None:
        with self.connections.working(f"type of {name} in {relation}") as spark:
            columns.retype(spark, relation.render(), name, kind)

    @available.parse_none
    def persist_comments(self, spec: Spec, relation: DeltaSparkRelation) -> None:
        """Writes the comments that are not there yet; in a Delta table by one commit or none."""
        with self.connections.working(f"comments of {relation}") as spark:
            comments.persist(spark, self._of_profile(read_table(spec)), relation)
