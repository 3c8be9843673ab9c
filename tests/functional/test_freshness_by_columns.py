"""Source freshness by a column or a query, in a session whose time zone is not UTC."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

SOURCES = """
sources:
  - name: raw
    schema: "{{ target.schema }}"
    config:
      freshness: {warn_after: {count: 1, period: hour}, error_after: {count: 1, period: day}}
    tables:
      - {name: by_timestamp, identifier: loads, config: {loaded_at_field: at}}
      - {name: by_clock, identifier: loads, config: {loaded_at_field: clock}}
      - {name: by_date, identifier: loads, config: {loaded_at_field: day}}
      - {name: by_now, identifier: loads, config: {loaded_at_field: current_timestamp()}}
      - {name: by_no_time, identifier: loads, config: {loaded_at_field: never}}
      - {name: by_text, identifier: loads, config: {loaded_at_field: note}}
      - {name: by_number, identifier: loads, config: {loaded_at_field: id}}
      - name: filtered
        identifier: loads
        config:
          loaded_at_field: at
          freshness: {warn_after: {count: 1, period: hour}, filter: id = 1}
      - name: by_query
        identifier: loads
        config: {loaded_at_query: "with l as (select * from {{ this }}) select max(at) from l"}
      - name: by_query_of_text
        identifier: loads
        config: {loaded_at_query: "select max(note) from {{ this }}"}
      - {name: by_its_log, identifier: loads}
"""
LOADS = """
create table {schema}.loads using delta as
select id, timestamp_seconds(cast(seconds as bigint)) as at, clock, day, 'now' as note,
       cast(null as timestamp) as never
from values
  (1, 1709208000, timestamp_ntz'2024-02-29 21:00:00', date'2024-02-29'),
  (2, 1709211600, timestamp_ntz'2024-02-29 22:00:00', date'2024-03-01'),
  (3, null, null, null)
  as t(id, seconds, clock, day)
"""
NOON = datetime(2024, 2, 29, 12, tzinfo=timezone.utc)
TOKYO = timedelta(hours=9)


class TestFreshnessByColumns:
    @pytest.fixture(scope="class")
    def dbt_profile_target(self, spark_target: dict[str, Any]) -> dict[str, Any]:
        zone = {"spark.sql.session.timeZone": "Asia/Tokyo"}
        return {**spark_target, "spark_config": {**spark_target["spark_config"], **zone}}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"sources.yml": SOURCES}

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Run:
        project.run_sql(LOADS.format(schema=project.test_schema))
        return dbt(project, "source", "freshness")

    @pytest.mark.parametrize(
        ("name", "loaded_at"),
        [
            ("by_timestamp", NOON + timedelta(hours=1)),
            ("by_clock", NOON + timedelta(hours=1)),
            ("by_date", datetime(2024, 3, 1, tzinfo=timezone.utc) - TOKYO),
            ("filtered", NOON),
            ("by_query", NOON + timedelta(hours=1)),
            ("by_no_time", datetime(1, 1, 1, tzinfo=timezone.utc)),
        ],
    )
    def test_the_moment_is_told_in_utc(self, run: Run, name: str, loaded_at: datetime) -> None:
        assert run.status(name) in ("error", "warn"), run.message(name)
        found = run.results[name]
        assert (found.max_loaded_at, found.snapshotted_at.utcoffset()) == (loaded_at, timedelta(0))

    @pytest.mark.parametrize("name", ["by_now", "by_its_log", "by_timestamp", "by_query"])
    def test_so_is_the_moment_of_the_run(self, run: Run, name: str) -> None:
        ago = datetime.now(timezone.utc) - run.results[name].snapshotted_at
        assert timedelta(0) <= ago < timedelta(hours=1)

    def test_a_moment_of_now_is_fresh(self, run: Run) -> None:
        assert (run.status("by_now"), run.status("by_its_log")) == ("pass", "pass")

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            (
                "by_text",
                "loaded_at_field 'note' of the table {table} gives a value of the type string,"
                " and freshness needs a timestamp or a date."
                " Write loaded_at_field: cast(note as timestamp), or"
                " to_timestamp(note, '…') with the pattern of its texts.",
            ),
            (
                "by_number",
                "loaded_at_field 'id' of the table {table} gives a value of the type int,"
                " and freshness needs a timestamp or a date."
                " Write loaded_at_field: timestamp_seconds(id), or"
                " timestamp_millis(id).",
            ),
            (
                "by_query_of_text",
                "loaded_at_query of the table {table} gives a value of the type string,"
                " and freshness needs a timestamp or a date."
                " Select cast(… as timestamp), or to_timestamp(…, '…') with"
                " the pattern of its texts.",
            ),
        ],
    )
    def test_what_is_no_time_is_told_with_its_type_and_the_cast(
        self, project: TestProjInfo, run: Run, name: str, told: str
    ) -> None:
        table = f"`spark_catalog`.`{project.test_schema}`.`loads`"
        assert run.status(name) == "runtime error"
        assert f"Source 'raw.{name}': {told.format(table=table)}" in run.message(name)
