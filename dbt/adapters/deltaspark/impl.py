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

from .materialize import (
    VERBS,
    DeltaSparkResponse,
    clones,
    ddl_responses,
    headers,
    hooks,
    own_strategies,
    seeds,
    snapshots,
    unit_tests,
)
from .materialize import tables as materialize
from .settings import DeltaSparkConfig, read_incremental, read_table
from .statements import StatementsAdapter

if TYPE_CHECKING:
    import agate
    from dbt.adapters.base.relation import BaseRelation
    from dbt.adapters.contracts.connection import AdapterResponse
    from pyspark.sql import SparkSession

    from .catalog import DeltaSparkRelation, SeedFile
    from .engine import MergeResult
    from .notices import Spec


def _name(relation: BaseRelation | None) -> str | None:
    return None if relation is None else relation.render()


class DeltaSparkAdapter(StatementsAdapter):
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
        self, spec: Spec, table: agate.Table, file: SeedFile, target: DeltaSparkRelation
    ) -> DeltaSparkResponse:
        model, name = self._told(read_table(spec)), target.render()

        def load(spark: SparkSession) -> MergeResult:
            return seeds.load(spark, model, spec["config"], table, file, name)

        return self._write("SEED", name, f"{len(file.lines)} rows of {spec['path']}", load, spec)

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
