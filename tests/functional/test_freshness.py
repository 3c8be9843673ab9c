"""Source freshness from the table's log: nobody names a column, and no row is read."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

import pytest
from dbt.adapters.capability import Capability
from pyspark.sql import SparkSession
from runs import Run, dbt
from sessions import jobs_so_far

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

SOURCES = """
sources:
  - name: raw
    schema: "{{ target.schema }}"
    config:
      freshness: {warn_after: {count: 1, period: hour}, error_after: {count: 1, period: day}}
    tables: [{name: fresh}, {name: old}, {name: of_another_format}, {name: missing}]
"""
OLD = int(datetime(2024, 2, 29, 12, tzinfo=timezone.utc).timestamp())


class TestFreshness:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"sources.yml": SOURCES}

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo, spark: SparkSession) -> Run:
        for name in ("fresh", "old"):
            target = engine.DeltaTarget.for_name(spark, f"{project.test_schema}.{name}")
            engine.write(spark.range(1), target, mode="error")
        old = spark.sql(f"DESCRIBE DETAIL {project.test_schema}.old").collect()[0]
        commit = Path(urlparse(old["location"]).path, "_delta_log", f"{0:020}.json")
        os.utime(commit, (OLD, OLD))
        project.run_sql(
            f"create table {project.test_schema}.of_another_format using parquet as select 1 as id"
        )
        return dbt(project, "source", "freshness")

    def test_the_last_commit_says_how_old_a_table_is(self, run: Run) -> None:
        assert (run.status("fresh"), run.status("old")) == ("pass", "error")
        assert run.results["old"].max_loaded_at == datetime.fromtimestamp(OLD, tz=timezone.utc)
        assert 0 <= run.results["fresh"].age < 600

    def test_nothing_is_asked_of_the_rows(self, run: Run) -> None:
        assert run.statements_of("fresh") == run.statements_of("old") == []

    @pytest.mark.embedded("the jobs are a server's")
    def test_nor_is_it_by_another_way_than_dbts(
        self,
        project: TestProjInfo,
        run: Run,
        spark: SparkSession,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        before, sent = jobs_so_far(spark), []
        send = SparkSession.sql

        def noted(session: SparkSession, sql: str, *arguments: Any, **named: Any) -> Any:
            sent.append(sql)
            return send(session, sql, *arguments, **named)

        monkeypatch.setattr(SparkSession, "sql", noted)
        again = dbt(project, "source", "freshness", "--select", "source:raw.old")
        assert again.status("old") == "error"
        assert (jobs_so_far(spark), sent) == (before, [])

    def test_dbt_asks_for_all_tables_at_once(self, project: TestProjInfo) -> None:
        assert project.adapter.supports(Capability.TableLastModifiedMetadata)
        assert project.adapter.supports(Capability.TableLastModifiedMetadataBatch)

    @pytest.mark.embedded("the error is Delta's")
    def test_a_table_that_has_no_log_is_an_error_of_its_own(self, run: Run) -> None:
        assert run.status("of_another_format") == "runtime error"
        told = run.message("of_another_format")
        assert "is not a Delta table. Only Delta's log tells its age: give the source a" in told
        assert run.status("missing") == "runtime error"

    def test_one_that_does_not_say_it_leaves_the_others_in_one_answer(
        self, project: TestProjInfo, run: Run
    ) -> None:
        sources = [
            project.adapter.Relation.create("spark_catalog", project.test_schema, name)
            for name in ("fresh", "of_another_format", "missing", "old")
        ]
        with project.adapter.connection_named("of_all"):
            _, found = project.adapter.calculate_freshness_from_metadata_batch(sources)
        assert {each.identifier for each in found} == {"fresh", "old"}
