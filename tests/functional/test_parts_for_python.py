"""Python models that read a part of their tables: a batch's rows, a sample, none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import dbt, rows
from test_python_models import model

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

EVENTS = """
select id, timestamp'2026-01-01 12:00:00' + make_interval(0, 0, 0, id) as at
from range(4) as t(id)
"""
SOURCES = """
sources:
  - name: raw
    schema: "{{ target.schema }}"
    tables: [{name: events, identifier: of_source, config: {event_time: at}}]
"""
BATCHES = (
    "materialized='incremental', incremental_strategy='microbatch', event_time='at',"
    " batch_size='day', begin='2026-01-01'"
)
TWO_DAYS = ("--event-time-start", "2026-01-02", "--event-time-end", "2026-01-04")
SECOND_DAY = ("--sample", "{'start': '2026-01-02', 'end': '2026-01-03'}")


class TestPartsOfTables:
    """What dbt limits is handed over as a query, where a table's name is expected."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "events.sql": "{{ config(materialized='table', event_time='at') }}" + EVENTS,
            "sources.yml": SOURCES,
            "eph.sql": "{{ config(materialized='ephemeral') }} select 1 as id",
            "reads_source.py": model("return dbt.source('raw', 'events').select('id')"),
            "reads_ref.py": model("return dbt.ref('events').select('id')"),
            "reads_ephemeral.py": model("return dbt.ref('eph')"),
            "batches_of_source.py": model("return dbt.source('raw', 'events')", config=BATCHES),
            "batches_of_ref.py": model("return dbt.ref('events')", config=BATCHES),
            "grows.py": model(
                "rows = dbt.source('raw', 'events').select('id')",
                "known = [session.table(str(dbt.this))] if dbt.is_incremental else []",
                "return rows.union(known[0]).distinct() if known else rows",
                config="materialized='incremental', unique_key='id',"
                " not_matched_by_source_action='delete'",
            ),
        }

    @pytest.fixture(scope="class", autouse=True)
    def source(self, project: TestProjInfo) -> None:
        project.run_sql(f"create table {project.test_schema}.of_source using delta as {EVENTS}")
        dbt(project, "run", "--select", "events", "grows")

    @pytest.mark.parametrize(
        ("flags", "ids"), [(("--empty",), []), (SECOND_DAY, [(1,)]), ((), [(0,), (1,), (2,), (3,)])]
    )
    def test_a_source_gives_the_part_that_dbt_asks_for(
        self, project: TestProjInfo, flags: tuple[str, ...], ids: list[tuple[int]]
    ) -> None:
        run = dbt(project, "run", "--select", "reads_source", *flags)
        assert run.status("reads_source") == "success", run.message("reads_source")
        assert rows(project, "select id from {schema}.reads_source order by id") == ids

    @pytest.mark.parametrize("flags", [("--empty",), SECOND_DAY])
    def test_a_ref_gives_all_rows_as_dbt_has_it(
        self, project: TestProjInfo, flags: tuple[str, ...]
    ) -> None:
        run = dbt(project, "run", "--select", "reads_ref", *flags)
        assert run.status("reads_ref") == "success", run.message("reads_ref")
        assert rows(project, "select count(*) from {schema}.reads_ref") == [(4,)]

    @pytest.mark.parametrize("name", ["batches_of_source", "batches_of_ref"])
    def test_a_batch_reads_the_rows_of_its_window(self, project: TestProjInfo, name: str) -> None:
        run = dbt(project, "run", "--select", name, *TWO_DAYS)
        assert run.status(name) == "success", run.message(name)
        assert rows(project, f"select id from {{schema}}.{name} order by id") == [(1,), (2,)]

    @pytest.mark.parametrize("flags", [("--empty",), SECOND_DAY])
    def test_a_model_that_reads_itself_keeps_its_rows(
        self, project: TestProjInfo, flags: tuple[str, ...]
    ) -> None:
        run = dbt(project, "run", "--select", "grows", *flags)
        assert run.status("grows") == "success", run.message("grows")
        assert rows(project, "select count(*) from {schema}.grows") == [(4,)]

    def test_an_ephemeral_parent_is_told_under_the_flag_too(self, project: TestProjInfo) -> None:
        run = dbt(project, "run", "--select", "reads_ephemeral", "--empty")
        assert "reads eph, an ephemeral model" in run.message("reads_ephemeral")
