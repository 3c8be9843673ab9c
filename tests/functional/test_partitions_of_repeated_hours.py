"""Partitions by a timestamp in a session in Berlin, where an hour comes twice a year."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, incremental, rows
from snapshot_cases import snapshot

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

BOTH = "select id, timestamp_seconds(1729989000 + 3600 * id) as at from range(2)"
NEXT = "select id + 5 as id, timestamp_seconds(1729992600) as at from range(1)"
BY_AT = "partition_by='at', sql_header='set spark.sql.session.timeZone = ' ~ var('zone')"
STRATEGIES = {
    "merge": "unique_key='id'",
    "append": "incremental_strategy='append'",
    "history": "incremental_strategy='scd2', unique_key='id', scd2_updated_at='at'",
}
KEPT = [*(f"by_{name}" for name in STRATEGIES), "files", "kept"]


class TestRepeatedHours:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"vars": {"step": 1, "zone": "UTC"}}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            **{
                f"by_{name}.sql": incremental(f"{BY_AT}, {config}", BOTH, NEXT)
                for name, config in STRATEGIES.items()
            },
            "of_both.sql": f"{{{{ config(materialized='table', {BY_AT}) }}}} {BOTH}",
            "files.sql": "{{ config(materialized='incremental', file_format='parquet',"
            f" incremental_strategy='insert_overwrite', {BY_AT}) }}}} {BOTH}",
        }

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        config = f"{BY_AT}, strategy='check', unique_key='id', check_cols=['at']"
        return {"kept.sql": snapshot("kept", config, BOTH, NEXT)}

    @pytest.fixture(scope="class")
    def in_berlin(self, project: TestProjInfo) -> Run:
        dbt(project, "build", "--exclude", "of_both")
        return dbt(project, "build", "--vars", "{step: 2, zone: Europe/Berlin}")

    @pytest.mark.parametrize("name", [*KEPT, "of_both"])
    def test_the_ways_out_are_told(self, in_berlin: Run, name: str) -> None:
        assert in_berlin.status(name) == "error"
        message = in_berlin.message(name)
        assert "'at', and in the session's time zone Europe/Berlin an hour comes twice" in message
        assert "spark_config: {spark.sql.session.timeZone: UTC} in the profile" in message
        assert "or partition by a date column" in message

    @pytest.mark.parametrize("name", KEPT)
    def test_the_table_is_as_it_was(self, project: TestProjInfo, in_berlin: Run, name: str) -> None:
        query = f"select id, unix_seconds(at) from {{schema}}.{name} order by id"
        assert rows(project, query) == [(0, 1729989000), (1, 1729992600)]

    def test_no_table_is_made(self, project: TestProjInfo, in_berlin: Run) -> None:
        assert rows(project, "show tables in {schema} like 'of_both'") == []
