"""The adapter: what Jinja may call, and what dbt asks of the catalog."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.impl import ConstraintSupport
from dbt.adapters.base.meta import available
from dbt.adapters.capability import Capability, CapabilityDict, CapabilitySupport, Support
from dbt.adapters.contracts.relation import RelationType
from dbt.adapters.events.types import SQLQuery, SQLQueryStatus
from dbt.adapters.sql.impl import SQLAdapter
from dbt_common.clients.agate_helper import table_from_rows
from dbt_common.contracts.constraints import ConstraintType
from dbt_common.events.contextvars import get_node_info
from dbt_common.events.functions import fire_event
from dbt_common.exceptions import DbtDatabaseError

from . import materialize
from .catalog import COLUMNS, TEXT_COLUMNS, columns_of, described, rows_of
from .config_reader import bare
from .connections import DeltaSparkConnectionManager
from .ddl import comment_statements, table_clauses, view_clauses
from .engine.spec import quoted
from .model_config import read_incremental, read_table
from .relation import DeltaSparkColumn, DeltaSparkRelation
from .response import DeltaSparkResponse
from .seeds import number_type, seed_frame

if TYPE_CHECKING:
    import agate
    from dbt.adapters.base.relation import BaseRelation, InformationSchema
    from dbt.adapters.contracts.relation import RelationConfig
    from dbt_common.contracts.metadata import CatalogTable
    from pyspark.sql import SparkSession

    from .engine import MergeResult

Spec = Mapping[str, Any]
"""A plain dict from macros/specs.sql."""
Schemas = frozenset[tuple[str, str]]


def _nothing(*_: Any, **__: Any) -> str:
    return ""


class DeltaSparkAdapter(SQLAdapter):
    """Delta tables on Spark, written by the adapter's own engine."""

    Relation = DeltaSparkRelation
    Column = DeltaSparkColumn
    ConnectionManager = DeltaSparkConnectionManager
    connections: DeltaSparkConnectionManager
    CONSTRAINT_SUPPORT = dict.fromkeys(ConstraintType, ConstraintSupport.NOT_ENFORCED)
    _capabilities = CapabilityDict(
        {Capability.SchemaMetadataByRelations: CapabilitySupport(support=Support.Full)}
    )

    # --- models, seeds and snapshots ---

    @available.parse_none
    def run_incremental(
        self, spec: Spec, sql: str, target: DeltaSparkRelation, existing: BaseRelation | None
    ) -> DeltaSparkResponse:
        model, name = read_incremental(spec), target.render()
        is_view = existing is not None and existing.is_view
        retries = self._conflict_retries

        def make_anew(spark: SparkSession) -> MergeResult:
            source = materialize.analyzed(spark, sql, model)
            return materialize.create_incremental(model, source, name, is_view)

        def add(spark: SparkSession) -> MergeResult:
            source = materialize.analyzed(spark, sql, model)
            return materialize.add(model, source, sql, name, retries)

        if existing is None or is_view or spec["full_refresh"]:
            return self._write("CREATE", name, sql, make_anew)
        verb = {"append": "APPEND", "insert_only": "INSERT"}.get(model.strategy, "MERGE")
        return self._write(verb, name, sql, add)

    @available.parse_none
    def run_table(
        self, spec: Spec, sql: str, target: DeltaSparkRelation, existing: BaseRelation | None
    ) -> DeltaSparkResponse:
        model, name = read_table(spec), target.render()
        is_view = existing is not None and existing.is_view

        def create(spark: SparkSession) -> MergeResult:
            source = materialize.analyzed(spark, sql, model)
            return materialize.create_table(model, source, name, is_view)

        return self._write("CREATE", name, sql, create)

    @available.parse_none
    def run_seed(
        self, spec: Spec, table: agate.Table, target: DeltaSparkRelation
    ) -> DeltaSparkResponse:
        model, name = read_table(spec), target.render()
        types = spec["config"].get("column_types") or {}

        def load(spark: SparkSession) -> MergeResult:
            source = seed_frame(spark, table, types, lambda index: self._seed_type(table, index))
            return materialize.create_table(model, source, name, replaces_view=False)

        return self._write("SEED", name, f"{len(table.rows)} rows of {spec['path']}", load)

    @available.parse_none
    def run_snapshot(self, spec: Spec, sql: str, target: DeltaSparkRelation) -> DeltaSparkResponse:
        name, retries = target.render(), self._conflict_retries
        return self._write(
            "MERGE",
            name,
            sql,
            lambda spark: materialize.merge_snapshot(spec, spark.sql(sql), sql, name, retries),
        )

    def _write(
        self, verb: str, name: str, sql: str, run: Callable[[SparkSession], MergeResult]
    ) -> DeltaSparkResponse:
        """Runs the write on the thread's session, and logs it as dbt logs statements."""
        shown = self.connections._add_query_comment(f"-- {verb} {name}, from:\n{sql}")
        thread, node = str(self.connections.get_thread_connection().name), get_node_info()
        fire_event(SQLQuery(conn_name=thread, sql=shown, node_info=node))
        started = time.perf_counter()
        with self.connections.working(shown) as spark:
            result = run(spark)
        elapsed = time.perf_counter() - started
        response = DeltaSparkResponse.of(verb, result, elapsed)
        fire_event(SQLQueryStatus(status=str(response), elapsed=elapsed, node_info=node))
        return response

    @property
    def _conflict_retries(self) -> int:
        return int(self.config.credentials.conflict_retries)

    @available.parse(_nothing)
    def table_clauses(self, spec: Spec, sql: str) -> str:
        """For `create_table_as`, which tests and packages call."""
        model = read_table(spec)
        materialize.check(model, model.problems)
        with self.connections.working(f"columns of {model.label}") as spark:
            return table_clauses(model.table, spark.sql(sql).columns)

    @available.parse(_nothing)
    def view_clauses(self, spec: Spec, sql: str) -> str:
        model = read_table(spec)
        materialize.check(model, model.problems)
        if not model.table.column_comments:
            return view_clauses(model.table, ())
        with self.connections.working(f"columns of {model.label}") as spark:
            return view_clauses(model.table, spark.sql(sql).columns)

    @available.parse_none
    def persist_comments(self, spec: Spec, relation: DeltaSparkRelation) -> None:
        """Writes the comments that are not there yet; nothing to change, no commit."""
        table, name = read_table(spec).table, relation.render()
        if table.comment is None and not table.column_comments:
            return
        with self.connections.working(f"comments of {name}") as spark:
            now = described(spark, relation)
        columns = {column.name: column.comment or "" for column in now.columns.values()}
        for statement in comment_statements(name, table, now.metadata.comment, columns):
            self.execute(statement)

    # --- relations and columns ---

    def list_schemas(self, database: str) -> list[str]:
        # dbt-core hands over the catalog quoted, packages hand it over bare.
        catalog = quoted(bare(database or self.config.credentials.database))
        _, schemas = self.execute(f"show schemas in {catalog}", fetch=True)
        return [str(row[0]) for row in schemas.rows]

    @available.parse(lambda *_, **__: False)
    def check_schema_exists(self, database: str, schema: str) -> bool:
        return schema.casefold() in map(str.casefold, self.list_schemas(database))

    def list_relations_without_caching(self, schema_relation: BaseRelation) -> list[BaseRelation]:
        """The schema's tables and views; an error of the catalog is never an empty schema."""
        schema = schema_relation.without_identifier().render()
        try:
            tables = self._names(f"show tables in {schema}")
            views = self._names(f"show views in {schema}")
        except DbtDatabaseError as error:
            if "[SCHEMA_NOT_FOUND]" in str(error):
                return []
            raise
        return [
            self.Relation.create(
                database=schema_relation.database,
                schema=schema_relation.schema,
                identifier=name,
                type=RelationType.View if name in views else RelationType.Table,
            )
            for name in tables
        ]

    def _names(self, statement: str) -> list[str]:
        """The names that SHOW lists, without the session's temporary views."""
        _, listed = self.execute(statement, fetch=True)
        return [str(name) for _, name, is_temporary in listed.rows if not is_temporary]

    @available.parse_none
    def get_relation(
        self, database: str | None, schema: str, identifier: str
    ) -> BaseRelation | None:
        catalog = database or self.config.credentials.database
        found: BaseRelation | None = super().get_relation(catalog, schema, identifier)
        return found

    @available.parse_list
    def get_columns_in_relation(self, relation: BaseRelation) -> list[DeltaSparkColumn]:
        """By analysis, without a statement; none for a relation that is not there."""
        name = relation.render()
        try:
            with self.connections.working(f"columns of {name}") as spark:
                return columns_of(spark.table(name).schema)
        except DbtDatabaseError as error:
            if "[TABLE_OR_VIEW_NOT_FOUND]" in str(error):
                return []
            raise

    # --- docs ---

    @available.parse_none
    def get_catalog_for_single_relation(self, relation: BaseRelation) -> CatalogTable | None:
        try:
            with self.connections.working(f"catalog of {relation}") as spark:
                return described(spark, relation)
        except DbtDatabaseError as error:
            if "[TABLE_OR_VIEW_NOT_FOUND]" in str(error):
                return None
            raise

    def _get_one_catalog(
        self, information_schema: InformationSchema, schemas: set[str], used_schemas: Schemas
    ) -> agate.Table:
        database = information_schema.database
        relations = [each for schema in schemas for each in self.list_relations(database, schema)]
        return self._catalog(relations, used_schemas)

    def _get_one_catalog_by_relations(
        self,
        information_schema: InformationSchema,
        relations: Iterable[BaseRelation],
        used_schemas: Schemas,
    ) -> agate.Table:
        return self._catalog(relations, used_schemas)

    def _catalog(self, relations: Iterable[BaseRelation], used_schemas: Schemas) -> agate.Table:
        tables = [self.get_catalog_for_single_relation(relation) for relation in relations]
        rows = [row for table in tables if table is not None for row in rows_of(table)]
        listed = [[row[name] for name in COLUMNS] for row in rows]
        return self._catalog_filter_table(
            table_from_rows(listed, COLUMNS, text_only_columns=TEXT_COLUMNS), used_schemas
        )

    # --- types and names ---

    @classmethod
    def quote(cls, identifier: str) -> str:
        return quoted(identifier)

    @classmethod
    def date_function(cls) -> str:
        return "current_timestamp()"

    @classmethod
    def convert_text_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return "string"

    @classmethod
    def convert_number_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return number_type(agate_table.columns[col_idx].values())

    @classmethod
    def convert_integer_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return "bigint"

    @classmethod
    def convert_datetime_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return "timestamp"

    @classmethod
    def convert_time_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return "string"

    def _seed_type(self, table: agate.Table, index: int) -> str:
        return self.convert_type(table, index) or "string"

    @classmethod
    def _get_adapter_specific_run_info(cls, config: RelationConfig) -> dict[str, Any]:
        return {"adapter_type": "deltaspark", "table_format": "delta"}
