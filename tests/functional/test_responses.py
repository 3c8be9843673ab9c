"""The numbers that a run answers with are those of the table's change data feed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt, rows
from strategy_matrix import FIRST, SECOND, STRATEGIES, model

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

FEED = {"tblproperties": {"delta.enableChangeDataFeed": "true"}}
SETTINGS = {
    **STRATEGIES,
    "overwrite_all": {"incremental_strategy": "insert_overwrite"},
    "overwrite_partitions": {"incremental_strategy": "insert_overwrite", "partition_by": "id"},
    "merge_by_source": {
        "unique_key": "id",
        "not_matched_by_source_action": "delete",
        "merge_only_changed": True,
    },
}
SCD2 = {"incremental_strategy": "scd2", "unique_key": "id", "scd2_check_columns": "all"}
MODELS = {
    **{
        f"{name}.sql": model({**settings, **FEED}, FIRST, SECOND, refreshes=False)
        for name, settings in SETTINGS.items()
    },
    "scd2.sql": model({**SCD2, **FEED}, FIRST, SECOND, refreshes=False),
}
NAMES = [file.removesuffix(".sql") for file in MODELS]


class TestResponses:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            **MODELS,
            "a_view.sql": "select 1 as id",
            "a_table.sql": "{{ config(materialized='table') }} select 1 as id",
        }

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {"a_seed.csv": "id\n1\n2\n"}

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        return dbt(project, "build")

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run) -> Run:
        return dbt(project, "run")

    @pytest.mark.parametrize(
        "name",
        [
            pytest.param(
                name, marks=pytest.mark.embedded("Delta counts no rows that it overwrites")
            )
            if name.startswith("overwrite_")
            else name
            for name in NAMES
        ],
    )
    def test_counts_are_those_of_the_change_feed(
        self, project: TestProjInfo, second: Run, name: str
    ) -> None:
        response = second.response(name)
        version = response["delta_version"]
        feed = f"table_changes('{project.test_schema}.{name}', {version}, {version})"
        kinds = dict(rows(project, f"select _change_type, count(*) from {feed} group by 1"))
        assert second.status(name) == "success", second.message(name)
        assert {
            "insert": response["rows_inserted"],
            "update_postimage": response["rows_updated"],
            "delete": response["rows_deleted"],
        } == {kind: kinds.get(kind, 0) for kind in ("insert", "update_postimage", "delete")}

    @pytest.mark.parametrize("name", [*NAMES, "a_table"])
    def test_every_table_s_response_has_its_version_and_route(self, second: Run, name: str) -> None:
        response = second.response(name)
        assert response["delta_version"] == 1
        assert response["route"] in ("insert_only", "deletion_vectors", "classic", "native")
        assert response["bytes_added"] > 0

    @pytest.mark.parametrize(("name", "code"), [("a_seed", "SEED"), ("a_table", "CREATE")])
    def test_seeds_and_tables_answer_with_their_rows(
        self, first: Run, name: str, code: str
    ) -> None:
        response = first.response(name)
        assert (response["code"], response["rows_affected"] > 0) == (code, True)
        assert response["_message"].startswith(f"{code} ")
