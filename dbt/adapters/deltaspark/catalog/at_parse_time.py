"""dbt's methods that macros call, with what they answer while a project is parsed.

No statement runs there, and Jinja gives them none and undefined for what one would have found. A
method without an answer of its own would run on these, and end the parse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import available
from dbt.adapters.sql.impl import SQLAdapter

from ..engine.spec import quoted

if TYPE_CHECKING:
    import agate
    from dbt.adapters.base.relation import BaseRelation
    from dbt.adapters.catalogs._integration import CatalogIntegration


def _seed_column(column: object, quote_config: object = None) -> str:
    return str(column) if quote_config is False else quoted(str(column))


class AtParseTime(SQLAdapter):
    """dbt's own behaviour, but for that."""

    @available.parse(lambda *_, **__: "")
    def cache_dropped(self, relation: BaseRelation | None) -> str:
        return str(super().cache_dropped(relation))

    @available.parse(lambda *_, **__: "")
    def cache_renamed(
        self, from_relation: BaseRelation | None, to_relation: BaseRelation | None
    ) -> str:
        return str(super().cache_renamed(from_relation, to_relation))

    @available.parse(lambda *_, **__: "string")
    def convert_type(self, agate_table: agate.Table, col_idx: int) -> str | None:  # type: ignore[override]
        return self.convert_agate_type(agate_table, col_idx)

    @available.parse_none
    def get_catalog_integration(self, name: str) -> CatalogIntegration:
        found: CatalogIntegration = super().get_catalog_integration(name)
        return found

    @available.parse(_seed_column)
    def quote_seed_column(self, column: str, quote_config: bool | None) -> str:
        return str(super().quote_seed_column(column, quote_config))

    @available.parse_list
    def render_raw_columns_constraints(self, raw_columns: dict[str, Any]) -> list[str]:  # type: ignore[override]
        return list(super().render_raw_columns_constraints(raw_columns))

    @available.parse_list
    def render_raw_model_constraints(self, raw_constraints: list[Any]) -> list[str]:  # type: ignore[override]
        return list(super().render_raw_model_constraints(raw_constraints))

    @available.parse_none
    def run_sql_for_tests(self, sql: str, fetch: str, conn: Any) -> Any:
        return super().run_sql_for_tests(sql, fetch, conn)

    @available.parse(lambda *_, **__: {})
    def standardize_grants_dict(self, grants_table: agate.Table) -> dict[str, list[str]]:
        return dict(super().standardize_grants_dict(grants_table))
