"""What the catalog says of relations, in Spark's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from dbt.tests.adapter.basic.expected_catalog import (
    base_expected_catalog,
    expected_references_catalog,
    no_stats,
)
from dbt.tests.util import AnyInteger, AnyStringWith
from dbt_common.contracts.metadata import CatalogTable, ColumnMetadata, StatsItem, TableMetadata

from dbt.adapters.deltaspark.catalog.statistics import LABELS

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

SPARKS_TYPES: dict[str, Any] = {
    "id_type": "bigint",
    "text_type": "string",
    "time_type": "timestamp",
    "view_type": "view",
    "table_type": "table",
}


def stats_of_a_table(rows: int) -> dict[str, Any]:
    """Of one file, which is not partitioned."""
    values = {
        "row_count": rows,
        "bytes": AnyInteger(),
        "files": 1,
        "last_modified": AnyStringWith(" UTC"),
    }
    about = {
        name: {
            "id": name,
            "label": label,
            "value": values[name],
            "description": description,
            "include": True,
        }
        for name, (label, description) in LABELS.items()
        if name in values
    }
    has_stats = {**no_stats()["has_stats"], "value": True}
    return {**about, "has_stats": has_stats}


class CatalogOfBasics:
    """The catalog has Spark's names of types and of kinds of relations."""

    @pytest.fixture(scope="class")
    def expected_catalog(self, project: TestProjInfo, profile_user: str) -> dict[str, Any]:
        return base_expected_catalog(
            project,
            role=profile_user,
            model_stats=no_stats(),
            seed_stats=stats_of_a_table(rows=1),
            **SPARKS_TYPES,
        )


class CatalogOfReferences:
    """The catalog has Spark's names of types and of kinds of relations."""

    @pytest.fixture(scope="class")
    def expected_catalog(self, project: TestProjInfo, profile_user: str) -> dict[str, Any]:
        return expected_references_catalog(
            project,
            role=profile_user,
            model_stats=stats_of_a_table(rows=1),
            view_summary_stats=no_stats(),
            bigint_type="bigint",
            **SPARKS_TYPES,
        )


class CatalogOfOne:
    """What a catalog says of a relation is each platform's own: the suite has no default."""

    @pytest.fixture(scope="class")
    def expected_catalog_my_seed(self, project: TestProjInfo, profile_user: str) -> CatalogTable:
        stats = stats_of_a_table(rows=1)
        return _catalog_table(project, "my_seed", "table", profile_user, stats)

    @pytest.fixture(scope="class")
    def expected_catalog_my_view_model(
        self, project: TestProjInfo, profile_user: str
    ) -> CatalogTable:
        return _catalog_table(project, "my_view_model", "view", profile_user, no_stats())


def _catalog_table(
    project: TestProjInfo, name: str, kind: str, owner: str, stats: dict[str, Any]
) -> CatalogTable:
    types = {
        "id": "bigint",
        "first_name": "string",
        "email": "string",
        "ip_address": "string",
        "updated_at": "timestamp",
    }
    return CatalogTable(
        metadata=TableMetadata(
            type=kind,
            schema=project.test_schema,
            name=name,
            database="spark_catalog",
            comment=None,
            owner=owner,
        ),
        columns={
            column: ColumnMetadata(type=type_name, index=index, name=column, comment=None)
            for index, (column, type_name) in enumerate(types.items(), start=1)
        },
        stats={name: StatsItem(**item) for name, item in stats.items()},
    )


class KindsOfRelations:
    """Spark's kinds of relations are table and view."""

    @pytest.fixture(scope="class", autouse=True)
    def models(self) -> dict[str, str]:
        from dbt.tests.adapter.catalog import files

        return {"my_table.sql": files.MY_TABLE, "my_view.sql": files.MY_VIEW}

    @pytest.mark.parametrize(
        ("node_name", "relation_type"),
        [
            ("seed.test.my_seed", "table"),
            ("model.test.my_table", "table"),
            ("model.test.my_view", "view"),
        ],
    )
    def test_relation_types_populate_correctly(
        self, docs: object, node_name: str, relation_type: str
    ) -> None:
        super().test_relation_types_populate_correctly(docs, node_name, relation_type)  # type: ignore[misc]
