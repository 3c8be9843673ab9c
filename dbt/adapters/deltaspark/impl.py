"""The adapter: what macros may call to write, one line each; the work is done in the packages."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.impl import ConstraintSupport
from dbt.adapters.base.meta import available
from dbt.adapters.capability import Capability, CapabilityDict, CapabilitySupport, Support
from dbt.adapters.events.types import SQLQuery, SQLQueryStatus
from dbt_common.contracts.constraints import ConstraintType
from dbt_common.events.contextvars import get_node_info
from dbt_common.events.functions import fire_event
from pyspark.sql.types import StructType

from .catalog import clauses_of_table, clauses_of_view
from .materialize import (
    VERBS,
    DeltaSparkResponse,
    clones,
    columns,
    comments,
    ddl_responses,
    headers,
    hooks,
    own_strategies,
    seeds,
    snapshots,
    unit_tests,
)
from .materialize import tables as materialize
from .notices import NoticesAdapter, Spec
from .session import served
from .settings import (
    DeltaSparkConfig,
    are_columns_told,
    names_in,
    read_incremental,
    read_table,
    warnings_of_columns,
)

if TYPE_CHECKING:
    import agate
    from dbt.adapters.base.column import Column as BaseColumn
    from dbt.adapters.base.relation import BaseRelation
    from dbt.adapters.contracts.connection import AdapterResponse
    from dbt.adapters.contracts.macros import MacroResolverProtocol
    from pyspark.sql import SparkSession

    from .catalog import DeltaSparkRelation
    from .engine import MergeResult


def _name(relation: BaseRelation | None) -> str | None:
    return None if relation is None else relation.render()


class DeltaSparkAdapter(NoticesAdapter):
    """Delta tables on Spark, written by the adapter's own engine."""

    CONSTRAINT_SUPPORT = {
        **dict.fromkeys(ConstraintType, ConstraintSupport.NOT_ENFORCED),
        ConstraintType.check: ConstraintSupport.ENFORCED,
        ConstraintType.not_null: ConstraintSupport.ENFORCED,
        ConstraintType.custom: ConstraintSupport.ENFORCED,
    }
    AdapterSpecificConfigs = DeltaSparkConfig
    _capabilities = CapabilityDict(
        {
            each: CapabilitySupport(support=Support.Full)
            for each in (
                Capability.SchemaMetadataByRelations,
                Capability.MicrobatchConcurrency,
                Capability.TableLastModifiedMetadata,
                Capability.TableLastModifiedMetadataBatch,
                Capability.GetCatalogForSingleRelation,
            )
        }
    )

    # --- models, seeds and snapshots ---

    @available.parse_none
    def run_incremental(
        self, spec: Spec, code: str, target: DeltaSparkRelation, existing: BaseRelation | None
    ) -> DeltaSparkResponse:
        model, name = self._told(read_incremental(spec)), target.render()
        is_view = existing is not None and existing.is_view

        def make_anew(spark: SparkSession) -> MergeResult:
            rows = materialize.rows_of(spark, spec, code, model)
            return materialize.create_incremental(model, rows, name, is_view)

        def add(spark: SparkSession) -> MergeResult:
            return materialize.add(model, materialize.rows_of(spark, spec, code, model), name)

        if existing is None or is_view or spec["full_refresh"]:
            return self._write("CREATE", name, code, make_anew, spec)
        return self._write(VERBS[model.strategy], name, code, add, spec)

    @available.parse_none
    def run_table(
        self, spec: Spec, code: str, target: DeltaSparkRelation, existing: BaseRelation | None
    ) -> DeltaSparkResponse:
        model, name = self._told(read_table(spec)), target.render()
        is_view = existing is not None and existing.is_view

        def create(spark: SparkSession) -> MergeResult:
            rows = materialize.rows_of(spark, spec, code, model)
            return materialize.create_table(model, rows, name, replaces_view=is_view)

        return self._write("CREATE", name, code, create, spec)

    @available.parse(lambda *_, **__: {})
    def make_rows_view(self, spec: Spec, code: str, view: BaseRelation) -> dict[str, str]:
        """The rows that a strategy of the project's own reads; the confs that sql_header set."""
        model, name = self._told(read_incremental(spec)), view.render()
        with self.connections.working(f"rows of {model.label}") as spark:
            return own_strategies.view_of_rows(spark, spec, code, model, name)

    @available.parse_none
    def run_custom(
        self,
        spec: Spec,
        sql: str | Sequence[str],
        target: DeltaSparkRelation,
        confs: Mapping[str, str],
        rows: BaseRelation,
    ) -> DeltaSparkResponse:
        """The statements of a strategy that is the project's own, over the view of its rows."""
        model, name, view = self._told(read_incremental(spec)), target.render(), rows.render()
        statements = headers.statements(sql)

        def run(spark: SparkSession) -> MergeResult:
            return own_strategies.run(spark, model, statements, name, confs, view)

        return self._write("CUSTOM", name, ";\n".join(statements), run, {})

    @available.parse_none
    def run_seed(
        self, spec: Spec, table: agate.Table, target: DeltaSparkRelation
    ) -> DeltaSparkResponse:
        model, name = self._told(read_table(spec)), target.render()

        def load(spark: SparkSession) -> MergeResult:
            return seeds.load(spark, model, spec["config"], table, name, self._seed_type)

        return self._write("SEED", name, f"{len(table.rows)} rows of {spec['path']}", load, spec)

    @available.parse_none
    def snapshot_strategy(
        self, spec: Spec, existing: BaseRelation | None, old: str, new: str
    ) -> dict[str, Any]:
        """dbt's own strategies, by analysis and without a statement."""
        model = self._of_profile(read_table(spec))
        with self.connections.working(f"columns of {model.name}") as spark:
            return snapshots.strategy_of(spark, model, spec, _name(existing), old, new)

    @available.parse_none
    def snapshot_sql(self, spec: Spec, strategy: Spec, existing: BaseRelation | None) -> str:
        model = self._of_profile(read_table(spec))
        with self.connections.working(f"columns of {model.name}") as spark:
            return snapshots.sql_for(spark, model, spec, strategy, _name(existing))

    @available.parse_none
    def run_snapshot(
        self,
        spec: Spec,
        strategy: Spec,
        sql: str,
        target: DeltaSparkRelation,
        existing: BaseRelation | None,
    ) -> DeltaSparkResponse:
        model, name = self._told(read_table(spec)), target.render()
        is_there = existing is not None

        def take(spark: SparkSession) -> MergeResult:
            return snapshots.run(spark, model, spec, strategy, sql, name, is_there=is_there)

        return self._write("MERGE" if is_there else "CREATE", name, sql, take, spec)

    # --- hooks, unit tests, clones, functions, packages ---

    @available.parse_none
    def run_hook(self, sql: str, is_post: bool) -> None:
        with hooks.named(self.connections.masked(sql), is_post=is_post):
            self.execute(sql)

    @available.parse(lambda *_, **__: {})
    def tested_model(self, test: Spec) -> dict[str, Any]:
        return unit_tests.tested_model(self.get_macro_resolver(), test)

    @available.parse_none
    def run_unit_test(self, spec: Spec, code: str, given: str | None, scratch: Any) -> None:
        unit_tests.run_merged(self, spec, code, given, scratch)

    @available.parse(lambda *_, **__: {})
    def fixture_row(self, row: Spec, types: Any, owner: str) -> dict[str, str]:
        return unit_tests.fixture_row(row, types, owner)

    @available.parse_none
    def run_clone(self, sql: str, replaced: BaseRelation | None) -> AdapterResponse:
        with self.connections.working(sql) as spark, clones.emptied(spark, _name(replaced)):
            _, counts = self.execute(sql, fetch=True)
        return ddl_responses.clone_response(counts)

    @available.parse_none
    def check_settings(self, spec: Spec) -> None:
        """Of a function, whose other settings are in its statement: no grants, no misspelt key."""
        model = self._told(read_table(spec))
        materialize.check(model, model.problems)

    @available.parse_none
    def function_response(self, function: Any) -> AdapterResponse:
        return ddl_responses.function_response(function)

    def _write(
        self, verb: str, name: str, sql: str, run: Callable[[SparkSession], MergeResult], spec: Spec
    ) -> DeltaSparkResponse:
        """Runs the write on the thread's session, and logs it as dbt logs statements."""
        shown = self.connections._add_query_comment(f"-- {verb} {name}, from:\n{sql}")
        thread, node = str(self.connections.get_thread_connection().name), get_node_info()
        fire_event(SQLQuery(conn_name=thread, sql=self.connections.masked(shown), node_info=node))
        started = time.perf_counter()
        header = spec.get("config", {}).get("sql_header")
        with self.connections.working(shown) as spark, headers.headed(spark, header):
            result = run(spark)
        elapsed = time.perf_counter() - started
        response = DeltaSparkResponse.of(verb, result, elapsed)
        fire_event(SQLQueryStatus(status=str(response), elapsed=elapsed, node_info=node))
        return response

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
        materialize.check(model, model.problems, warnings_of_columns(model.table, schema))
        return clauses_of_view(model.table, schema.names)

    @available.parse_list
    def columns_after(self, header: str | None, sql: str) -> list[BaseColumn]:
        """The query's columns, after the statements of sql_header."""
        with self.connections.working(sql) as spark:
            return [self.Column.create(*row) for row in headers.columns_of(spark, header, sql)]

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
