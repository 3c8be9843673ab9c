"""What dbt asks of the catalog: relations, columns, docs, types and names."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import available
from dbt.adapters.catalogs._integration import CatalogIntegration
from dbt.adapters.contracts.relation import RelationType
from dbt_common.clients.agate_helper import table_from_rows
from dbt_common.exceptions import DbtDatabaseError, DbtRuntimeError

from ..connections import DeltaSparkConnectionManager
from ..engine import last_commit
from ..engine.spec import quoted
from ..session import served
from ..settings import name_problems
from .docs import COLUMNS, TEXT_COLUMNS, all_described, columns_of, described, rows_of
from .freshness import TIMES, FreshnessTypeError, freshness_sql
from .listing import Listing
from .relation import DeltaSparkColumn, DeltaSparkRelation, reads_table
from .seed_files import SeedFile, path_of, read_seed
from .seed_types import SeedTypes

if TYPE_CHECKING:
    import agate
    from dbt.adapters.base.impl import FreshnessResponse
    from dbt.adapters.base.relation import BaseRelation, InformationSchema
    from dbt.adapters.catalogs._integration import CatalogIntegrationConfig, CatalogRelation
    from dbt.adapters.contracts.connection import AdapterResponse
    from dbt.adapters.contracts.relation import RelationConfig
    from dbt_common.contracts.metadata import CatalogTable

Schemas = frozenset[tuple[str, str]]


class CatalogAdapter(SeedTypes, Listing):
    """The part of the adapter that reads Spark's catalog and writes nothing."""

    Relation = DeltaSparkRelation
    Column = DeltaSparkColumn
    ConnectionManager = DeltaSparkConnectionManager
    connections: DeltaSparkConnectionManager

    # --- relations and columns ---

    def create_schema(self, relation: BaseRelation) -> None:
        """As dbt has it before the first model runs; refused where the name leads out of there."""
        self._refuse("schema", relation, str(relation.schema))
        super().create_schema(relation)

    @available.parse_none
    def check_name(self, relation: BaseRelation) -> None:
        """Of a clone, whose settings are its source's."""
        self._refuse("alias", relation, str(relation.identifier))

    def _refuse(self, what: str, relation: BaseRelation, name: str) -> None:
        problems = name_problems(what, name, self.kind_of_catalog(relation.database))
        if problems:
            raise DbtRuntimeError(problems[0])

    def debug_query(self) -> None:
        """`dbt debug`, which also says whether the profile's schema can be made."""
        super().debug_query()
        target = self.config.credentials
        self._refuse(
            "schema",
            self.Relation.create(database=target.database, schema=target.schema),
            target.schema,
        )

    @available.parse_none
    def get_relation(
        self,
        database: str | None,
        schema: str,
        identifier: str,
        *,
        needs_information: bool = False,
    ) -> BaseRelation | None:
        """A table or a view: a model may be called as a function is.

        `needs_information` is dbt-databricks', and changes nothing here.
        """
        catalog = database or self.config.credentials.database
        found: BaseRelation | None = super().get_relation(catalog, schema, identifier)
        return None if found is not None and found.type == RelationType.Function else found

    @available.parse(lambda *_, **__: "")
    def cache_added(self, relation: BaseRelation | None) -> str:
        """dbt's cache keeps the first of a name: a view that gave way to a table, for one."""
        if relation is not None and relation.type is not None:
            name = str(relation.identifier).lower()
            for known in self.cache.get_relations(relation.database, relation.schema):
                if str(known.identifier).lower() == name and known.type != relation.type:
                    self.cache_dropped(known)
        return str(super().cache_added(relation))

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

    @available.parse_none
    def refuse_reader_of(self, table: BaseRelation, sql: str) -> None:
        """Raises where the query reads the table, in whose place a view of the query is to come."""
        with self.connections.working(f"what the view {table} reads") as spark:
            reads = reads_table(spark, served(spark, sql), table)
        if reads:
            raise DbtRuntimeError(
                f"{table} is a table, and the view that is to come in its place reads it; nothing"
                " was changed. Give the view another alias, or keep the model a table."
            )

    # --- freshness ---

    def calculate_freshness_from_metadata_batch(
        self, sources: list[BaseRelation], macro_resolver: object = None
    ) -> tuple[list[AdapterResponse | None], dict[BaseRelation, FreshnessResponse]]:
        """How long ago each table's last commit was; only Delta tables say so.

        Of several one that does not is left out: dbt asks for it alone then, and tells its error.
        """
        now = datetime.now(timezone.utc)
        ask = self._last_commit if len(sources) == 1 else self._last_commit_if_told
        commits = {each: ask(each) for each in sources}
        return [], {
            each: self._create_freshness_response(at, now)
            for each, at in commits.items()
            if at is not None
        }

    @available.parse(lambda *_, **__: "")
    def freshness_sql(
        self, source: BaseRelation, query: str, now: str, field: str | None = None
    ) -> str:
        """The query with both times in UTC; raises where what it gives is no time."""
        with self.connections.working(f"freshness of {source}") as spark:
            kind = spark.sql(served(spark, query)).schema[0].dataType
        if not isinstance(kind, TIMES):
            node = str(self.connections.get_thread_connection().name).split(".")
            name = ".".join(node[2:]) if node[0] == "source" else str(source.identifier)
            raise FreshnessTypeError(f"Source '{name}'", source.render(), field, kind)
        return freshness_sql(query, now)

    def _last_commit_if_told(self, source: BaseRelation) -> datetime | None:
        try:
            return self._last_commit(source)
        except DbtDatabaseError:
            return None

    def _last_commit(self, source: BaseRelation) -> datetime:
        try:
            with self.connections.working(f"last commit of {source}") as spark:
                return last_commit(spark, source.render())
        except DbtDatabaseError as error:
            if "[DELTA_MISSING_DELTA_TABLE]" in error.msg:
                error.msg += " Only Delta's log tells its age: give the source a `loaded_at_field`"
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
        shown = [each for each in relations if each.type != RelationType.Function]
        return self._catalog(shown, used_schemas)

    def _get_one_catalog_by_relations(
        self,
        information_schema: InformationSchema,
        relations: Iterable[BaseRelation],
        used_schemas: Schemas,
    ) -> agate.Table:
        return self._catalog(relations, used_schemas)

    def _catalog(self, relations: Iterable[BaseRelation], used_schemas: Schemas) -> agate.Table:
        with self.connections.working("catalog of relations") as spark:
            tables = all_described(spark, relations)
        rows = [row for table in tables for row in rows_of(table)]
        listed = [[row[name] for name in COLUMNS] for row in rows]
        return self._catalog_filter_table(
            table_from_rows(listed, COLUMNS, text_only_columns=TEXT_COLUMNS), used_schemas
        )

    # --- catalogs.yml, for other platforms' Iceberg tables ---

    def add_catalog_integration(
        self, catalog_integration: CatalogIntegrationConfig
    ) -> CatalogIntegration:
        """Of any type, also of one that no platform has: a model that names it is told."""
        return CatalogIntegration(catalog_integration)

    @available
    def build_catalog_relation(self, config: RelationConfig) -> CatalogRelation | None:
        """None: tables are in the catalog that `database` names (settings/config_keys.py)."""
        return None

    @available.parse(lambda *_, **__: "delta")
    def resolve_file_format(self, config: Any) -> str:
        """As macros of dbt-databricks ask for it."""
        return str(config.get("file_format") or "delta")

    # --- types and names ---

    @classmethod
    def quote(cls, identifier: object) -> str:
        """What Jinja would write: macros quote also while a project is parsed, without names."""
        return quoted(str(identifier))

    @classmethod
    def date_function(cls) -> str:
        return "current_timestamp()"

    @available.parse_none
    def seed_file(self, model: dict[str, Any], delimiter: str | None) -> SeedFile | None:
        """The cells of a seed's file; dbt itself tells of one that is not there."""
        path = path_of(self.config, model)
        label = f"Seed {model['name']!r} ({model['original_file_path']})"
        return read_seed(path, label, delimiter or ",") if path.exists() else None

    @classmethod
    def _get_adapter_specific_run_info(cls, config: RelationConfig) -> dict[str, Any]:
        return {"adapter_type": "deltaspark", "table_format": "delta"}
