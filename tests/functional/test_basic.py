"""dbt-tests-adapter's `basic` family: what dbt expects of every adapter, bodies untouched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from dbt.tests.adapter.basic.expected_catalog import (
    base_expected_catalog,
    expected_references_catalog,
    no_stats,
)
from dbt.tests.adapter.basic.test_adapter_methods import BaseAdapterMethod
from dbt.tests.adapter.basic.test_base import BaseSimpleMaterializations
from dbt.tests.adapter.basic.test_docs_generate import BaseDocsGenerate, BaseDocsGenReferences
from dbt.tests.adapter.basic.test_empty import BaseEmpty
from dbt.tests.adapter.basic.test_ephemeral import BaseEphemeral
from dbt.tests.adapter.basic.test_generic_tests import BaseGenericTests
from dbt.tests.adapter.basic.test_get_catalog_for_single_relation import (
    BaseGetCatalogForSingleRelation,
)
from dbt.tests.adapter.basic.test_incremental import (
    BaseIncremental,
    BaseIncrementalBadStrategy,
    BaseIncrementalNotSchemaChange,
)
from dbt.tests.adapter.basic.test_singular_tests import BaseSingularTests
from dbt.tests.adapter.basic.test_singular_tests_ephemeral import BaseSingularTestsEphemeral
from dbt.tests.adapter.basic.test_snapshot_check_cols import BaseSnapshotCheckCols
from dbt.tests.adapter.basic.test_snapshot_timestamp import BaseSnapshotTimestamp
from dbt.tests.adapter.basic.test_table_materialization import BaseTableMaterialization
from dbt.tests.adapter.basic.test_validate_connection import BaseValidateConnection
from dbt_common.contracts.metadata import CatalogTable, ColumnMetadata, TableMetadata

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

SPARKS_TYPES: dict[str, Any] = {
    # The suite's defaults are Postgres' names of types and kinds of relations.
    "id_type": "bigint",
    "text_type": "string",
    "time_type": "timestamp",
    "view_type": "view",
    "table_type": "table",
}


class TestSimpleMaterializations(BaseSimpleMaterializations):
    pass


class TestSingularTests(BaseSingularTests):
    pass


class TestSingularTestsEphemeral(BaseSingularTestsEphemeral):
    pass


class TestEmpty(BaseEmpty):
    pass


class TestEphemeral(BaseEphemeral):
    pass


class TestIncremental(BaseIncremental):
    pass


class TestIncrementalNotSchemaChange(BaseIncrementalNotSchemaChange):
    pass


class TestIncrementalBadStrategy(BaseIncrementalBadStrategy):
    pass


class TestGenericTests(BaseGenericTests):
    pass


class TestSnapshotCheckCols(BaseSnapshotCheckCols):
    pass


class TestSnapshotTimestamp(BaseSnapshotTimestamp):
    pass


class TestAdapterMethod(BaseAdapterMethod):
    pass


class TestTableMaterialization(BaseTableMaterialization):
    pass


class TestValidateConnection(BaseValidateConnection):
    pass


class TestDocsGenerate(BaseDocsGenerate):
    @pytest.fixture(scope="class")
    def expected_catalog(self, project: TestProjInfo, profile_user: str) -> dict[str, Any]:
        return base_expected_catalog(
            project, role=profile_user, model_stats=no_stats(), **SPARKS_TYPES
        )


class TestDocsGenReferences(BaseDocsGenReferences):
    @pytest.fixture(scope="class")
    def expected_catalog(self, project: TestProjInfo, profile_user: str) -> dict[str, Any]:
        return expected_references_catalog(
            project,
            role=profile_user,
            model_stats=no_stats(),
            bigint_type="bigint",
            **SPARKS_TYPES,
        )


class TestGetCatalogForSingleRelation(BaseGetCatalogForSingleRelation):
    # The suite has no default here: what a catalog says is each platform's own.
    @pytest.fixture(scope="class")
    def expected_catalog_my_seed(self, project: TestProjInfo, profile_user: str) -> CatalogTable:
        return expected_table(project, "my_seed", "table", profile_user)

    @pytest.fixture(scope="class")
    def expected_catalog_my_view_model(
        self, project: TestProjInfo, profile_user: str
    ) -> CatalogTable:
        return expected_table(project, "my_view_model", "view", profile_user)


def expected_table(project: TestProjInfo, name: str, kind: str, owner: str) -> CatalogTable:
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
        stats={},
    )
