"""Which schemas there are, and which tables, views and functions each has."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from dbt.adapters.base.meta import available
from dbt.adapters.contracts.relation import RelationType
from dbt_common.exceptions import DbtDatabaseError, DbtRuntimeError

from ..column_names import bare
from ..engine.spec import quoted
from ..settings import OTHER
from . import own_catalog
from .at_parse_time import AtParseTime
from .name_patterns import names_like

if TYPE_CHECKING:
    from dbt.adapters.base.relation import BaseRelation

    from ..connections import DeltaSparkConnectionManager


class Listing(AtParseTime):
    """By Spark's own catalog where it is this process's, else by SHOW."""

    connections: DeltaSparkConnectionManager

    def list_schemas(self, database: str) -> list[str]:
        # dbt-core hands over the catalog quoted, packages hand it over bare.
        catalog = quoted(bare(database or self.config.credentials.database))
        self._refuse_unknown(bare(catalog))
        with self.connections.working(f"schemas of {catalog}") as spark:
            if own_catalog.is_asked_so(spark, bare(catalog)):
                return own_catalog.schemas(spark)
        _, schemas = self.execute(f"show schemas in {catalog}", fetch=True)
        return [bare(str(row[0])) for row in schemas.rows]  # Spark quotes what is no plain name

    def _refuse_unknown(self, catalog: str) -> None:
        """Of a catalog that is not there Spark takes the name for a schema's."""
        known = self._catalogs(catalog)
        if catalog.lower() not in map(str.lower, known):
            conf = f"spark.sql.catalog.{catalog}"
            raise DbtRuntimeError(
                f"Spark has no catalog `{catalog}`, which is the `database` of a model, a seed, a"
                f" snapshot or the profile; it has loaded: {', '.join(known)}. Leave `database`"
                f" out, or name the catalog's class in the profile: spark_config: {{{conf}: …}}"
            )

    def _catalogs(self, asked: str) -> list[str]:
        """Those that Spark has loaded, and the one that is asked for where it has a conf."""
        with self.connections.working(f"the catalog {asked}") as spark:
            if spark.conf.get(f"spark.sql.catalog.{asked}", None) is not None:
                return [asked]
            return [each.name for each in spark.catalog.listCatalogs()]

    @available.parse(lambda *_, **__: OTHER)
    def kind_of_catalog(self, database: str | None) -> str:
        """Asked once: names and texts that it would refuse after the work are refused before."""
        catalog = bare(database or self.config.credentials.database)
        if catalog not in self._kinds:
            with self.connections.working(f"the catalog {catalog}") as spark:
                self._kinds[catalog] = own_catalog.kind(spark, catalog)
        return self._kinds[catalog]

    @cached_property
    def _kinds(self) -> dict[str, str]:
        return {}

    @available.parse(lambda *_, **__: False)
    def check_schema_exists(self, database: str, schema: str) -> bool:
        return schema.lower() in map(str.lower, self.list_schemas(database))

    def list_relations_without_caching(self, schema_relation: BaseRelation) -> list[BaseRelation]:
        """The schema's tables, views and functions; an error of the catalog is no empty schema.

        Of a function that is called as a table nothing is said.
        """
        return self._listed(schema_relation, with_functions=True)

    def _listed(self, folder: BaseRelation, *, with_functions: bool) -> list[BaseRelation]:
        try:
            tables, views, functions = self._names_in(folder, with_functions=with_functions)
        except DbtDatabaseError as error:
            if "[SCHEMA_NOT_FOUND]" in str(error) or self._is_in_no_catalog(folder):
                return []
            raise
        kinds = {
            **dict.fromkeys(functions, RelationType.Function),
            **dict.fromkeys(tables, RelationType.Table),
            **dict.fromkeys(views, RelationType.View),
        }
        return [
            self.Relation.create(
                database=folder.database, schema=folder.schema, identifier=name, type=kind
            )
            for name, kind in kinds.items()
        ]

    def _names_in(self, folder: BaseRelation, *, with_functions: bool) -> list[list[str]]:
        """Of its tables (views may be among them), views, and functions."""
        schema, own = folder.without_identifier().render(), str(folder.schema)
        with self.connections.working(f"names in {schema}") as spark:
            if own_catalog.is_asked_so(spark, self._catalog_of(folder)):
                functions = own_catalog.functions(spark, own) if with_functions else []
                return [own_catalog.tables(spark, own), own_catalog.views(spark, own), functions]
        return [
            self._names(f"show tables in {schema}"),
            self._if_kept(self._names, f"show views in {schema}"),
            self._if_kept(self._functions, schema) if with_functions else [],
        ]

    def _catalog_of(self, folder: BaseRelation) -> str:
        return bare(folder.database or self.config.credentials.database)

    def _is_in_no_catalog(self, folder: BaseRelation) -> bool:
        """A node that is not built now must not be in the way; one that is is refused."""
        catalog = self._catalog_of(folder)
        return catalog.lower() not in map(str.lower, self._catalogs(catalog))

    @staticmethod
    def _if_kept(listing: Callable[[str], list[str]], asked: str) -> list[str]:
        """The names; none where the catalog keeps no views, or no functions."""
        try:
            return listing(asked)
        except DbtDatabaseError as error:
            if "[MISSING_CATALOG_ABILITY" in str(error):
                return []
            raise

    def _functions(self, schema: str) -> list[str]:
        """Names of its own functions: SHOW writes them with the schema, and extensions' without."""
        _, listed = self.execute(f"show user functions in {schema}", fetch=True)
        return [str(name).rpartition(".")[2] for (name,) in listed.rows if "." in str(name)]

    @available.parse_list
    def relations_like(self, database: str, schema_pattern: str) -> list[BaseRelation]:
        """The tables and views of all schemas whose name is like the pattern."""
        schemas = names_like(self.list_schemas(database), schema_pattern)
        folders = [self.Relation.create(database=database, schema=each) for each in schemas]
        return [each for one in folders for each in self._listed(one, with_functions=False)]

    def _names(self, statement: str) -> list[str]:
        """The names that SHOW lists, without the session's temporary views."""
        _, listed = self.execute(statement, fetch=True)
        return [str(name) for _, name, is_temporary in listed.rows if not is_temporary]
