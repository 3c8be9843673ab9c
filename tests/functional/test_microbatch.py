"""Microbatch models: a batch is one replace of its window, whoever runs beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

EVENTS = """{{ config(materialized='table', event_time='at') }}
select id, timestamp'2026-01-01 00:00:00' + make_interval(0, 0, 0, 0, id) as at, 'first' as v
from range(0, 30 * 24) as t(id)
"""
DAILY = """{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='at',
                    batch_size='day', begin='2026-01-01', lookback=0, concurrent_batches=true,
                    unique_key='id') }}
select * from {{ ref('events') }}
"""
BY_DATE = """{{ config(materialized='incremental', incremental_strategy='microbatch',
                      event_time='day', batch_size=var('size', 'day'), begin='2026-01-01') }}
select date'2026-01-02' as day, {{ var('n', 1) }} as n {{ var('more', '') }}
"""
OUTSIDE = """{{ config(materialized='incremental', incremental_strategy='microbatch',
                      event_time='at', batch_size='day', begin='2026-01-01') }}
select timestamp'{{ var('outside', '2026-01-02') }} 00:00:00' as at
"""
NO_TIME = """{{ config(materialized='incremental', incremental_strategy='microbatch',
                      event_time='at', batch_size='day', begin='2026-01-01', unique_key='id') }}
select * from values (1, timestamp'2026-01-02 12:00:00'), (2, {{ var('second', 'null') }})
as t(id, at)
"""
ODD_EVENTS = """{{ config(materialized='table', event_time='event time') }}
select timestamp'2026-01-02 01:00:00' as `event time`, id, {{ var('v', 0) }} as v
from range(3) as t(id)
"""
ODD_COLUMNS = """
models:
  - name: odd_events
    columns: [{name: event time, quote: true}]
"""
ODD = """{{ config(materialized='incremental', incremental_strategy='microbatch',
                  event_time='`event time`', batch_size='day', begin='2026-01-01',
                  incremental_predicates=['DBT_INTERNAL_DEST.id <> 1', 'id < 1 or id > 1']) }}
select * from {{ ref('odd_events') }} {{ var('where', '') }}
"""
MONTH = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-31")
SECOND = ("--event-time-start", "2026-01-02", "--event-time-end", "2026-01-03")
WEEK = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-05")
LATE = """
insert into {schema}.events
values (1000, timestamp'2026-01-07 12:30:00', 'late'),
       (1001, timestamp'2026-01-30 23:59:59', 'late')
"""


class TestBackfill:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"events.sql": EVENTS, "daily.sql": DAILY}

    @pytest.fixture(scope="class")
    def backfill(self, project: TestProjInfo) -> Run:
        return dbt(project, "run", "--threads", "4", *MONTH)

    @pytest.fixture(scope="class")
    def again_with_late_rows(self, project: TestProjInfo, backfill: Run) -> Run:
        project.run_sql(LATE.format(schema=project.test_schema))
        return dbt(project, "run", "--threads", "4", "--select", "daily", *MONTH)

    def test_thirty_batches_on_four_threads_all_succeed(self, backfill: Run) -> None:
        assert backfill.status("daily") == "success", backfill.message("daily")
        assert len(backfill.results["daily"].batch_results.successful) == 30

    def test_a_second_run_of_the_window_leaves_what_one_replace_would(
        self, project: TestProjInfo, again_with_late_rows: Run
    ) -> None:
        assert again_with_late_rows.status("daily") == "success"
        differing = "(select * from {schema}.daily except all select * from {schema}.events)"
        assert rows(project, f"select count(*) from {differing}") == [(0,)]
        assert rows(project, "select count(*), count(distinct id) from {schema}.daily") == [
            (722, 722)
        ]

    def test_a_batch_is_one_commit(self, project: TestProjInfo, again_with_late_rows: Run) -> None:
        history = rows(project, "describe history {schema}.daily")
        assert len(history) == 60

    def test_a_key_beside_it_is_a_warning(self, backfill: Run) -> None:
        (warning,) = [each for each in backfill.warnings if "unique_key" in each]
        assert "has no effect with incremental_strategy 'microbatch'" in warning


FAILS = """{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='at',
                     batch_size='day', begin='2026-01-01', concurrent_batches=false) }}
select id, at, {{ var('mended', 0) }} as mended,
       if(id = 30 and not exists (select 1 from {schema}.mended), raise_error('broken'), 1) as n
from {{ ref('events') }}
"""


class TestFirstBatches:
    """A table is made by the first batch of a run alone."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "events.sql": EVENTS,
            "daily.sql": FAILS.replace("{schema}", "{{ schema }}"),
            "was_view.sql": DAILY.replace("'incremental'", "var('kind', 'incremental')", 1),
            "is_function.sql": DAILY,
        }

    @pytest.fixture(scope="class", autouse=True)
    def there_before(self, project: TestProjInfo) -> None:
        project.run_sql(f"create table {project.test_schema}.mended (id int)")
        project.run_sql(f"create function {project.test_schema}.is_function() returns int return 1")
        dbt(project, "run", "--select", "events", "was_view", "--vars", "{kind: view}")

    @pytest.mark.parametrize("name", ["was_view", "is_function"])
    def test_what_had_the_name_before_is_replaced_once(
        self, project: TestProjInfo, name: str
    ) -> None:
        run = dbt(project, "run", "--select", name, *WEEK)
        assert run.status(name) == "success", run.message(name)
        assert rows(project, f"select count(*) from {{schema}}.{name}") == [(96,)]

    def test_the_batches_that_succeeded_stay_when_dbt_tries_the_others_again(
        self, project: TestProjInfo
    ) -> None:
        failed = dbt(project, "run", "--full-refresh", "--select", "daily", *WEEK)
        results = failed.results["daily"].batch_results
        assert (len(results.successful), len(results.failed)) == (3, 1)
        project.run_sql(f"insert into {project.test_schema}.mended values (1)")
        again = dbt(project, "retry")
        assert again.status("daily") == "success", again.message("daily")
        found = rows(project, "select count(*), count(distinct id) from {schema}.daily")
        assert found == [(96, 96)]


class TestWindows:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "by_date.sql": BY_DATE,
            "outside.sql": OUTSIDE,
            "no_time.sql": NO_TIME,
            "odd_events.sql": ODD_EVENTS,
            "odd.sql": ODD,
            "odd.yml": ODD_COLUMNS,
        }

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        return dbt(project, "run", *SECOND)

    def test_a_date_is_a_day_of_its_batch(self, project: TestProjInfo, first: Run) -> None:
        assert first.status("by_date") == "success", first.message("by_date")
        run = dbt(project, "run", "--select", "by_date", "--vars", "{n: 2}", *SECOND)
        assert run.status("by_date") == "success"
        assert rows(project, "select n from {schema}.by_date") == [(2,)]

    def test_a_batch_is_told_by_a_quoted_event_time_and_narrowed_by_predicates(
        self, project: TestProjInfo, first: Run, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert rows(project, "select id, v from {schema}.odd order by id") == [
            (0, 0),
            (1, 0),
            (2, 0),
        ]
        again = ("run", "--select", "odd_events", "odd", *SECOND)
        outside = dbt(project, *again, "--vars", "{v: 1}")
        assert outside.status("odd") == "error"
        assert "and for which incremental_predicates hold, but the" in capsys.readouterr().out
        run = dbt(project, *again, "--vars", "{v: 1, where: where id <> 1}")
        assert run.status("odd") == "success", run.message("odd")
        assert rows(project, "select id, v from {schema}.odd order by id") == [
            (0, 1),
            (1, 0),
            (2, 1),
        ]

    def test_what_each_batch_would_warn_of_is_told_once(
        self, project: TestProjInfo, first: Run
    ) -> None:
        more = ("--vars", "{more: ', 1 as extra'}")
        run = dbt(project, "run", "--select", "by_date", *more, *WEEK)
        (warning,) = [each for each in run.warnings if "extra" in each]
        assert "are not written: extra" in warning

    def test_a_date_cannot_tell_hours_apart(self, project: TestProjInfo, first: Run) -> None:
        run = dbt(
            project,
            "run",
            "--select",
            "by_date",
            "--vars",
            "{size: hour}",
            *SECOND[:3],
            "2026-01-02 02:00:00",
        )
        assert run.status("by_date") == "error"

    def test_a_row_outside_of_its_batch_is_an_error(
        self, project: TestProjInfo, first: Run, capsys: pytest.CaptureFixture[str]
    ) -> None:
        arguments = ("--select", "outside", "--vars", "{outside: 2026-02-02}", *SECOND)
        run = dbt(project, "run", *arguments)
        assert run.status("outside") == "error"
        assert rows(
            project, "select cast(at as date) = date'2026-01-02' from {schema}.outside"
        ) == [(True,)]
        said = capsys.readouterr().out
        assert "event_time 'at' is from 2026-01-02 00:00:00+00:00 to 2026-01-03 00:00:00" in said
        assert (
            "\n    - at = 2026-02-02 00:00:00\n  Give the models and sources that it reads" in said
        )

    def test_a_row_without_a_time_is_of_no_batch(
        self, project: TestProjInfo, first: Run, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert first.status("no_time") == "error"
        assert rows(project, "show tables in {schema} like 'no_time'") == []
        select, dated = ("--select", "no_time", *SECOND), "{second: timestamp'2026-01-02'}"
        assert dbt(project, "run", *select).status("no_time") == "error"
        assert 'The row: {"id":2,"at":null}' in capsys.readouterr().out
        assert dbt(project, "run", *select, "--vars", dated).status("no_time") == "success"
        assert dbt(project, "run", *select).status("no_time") == "error"
        assert "- id = 2, at = null" in capsys.readouterr().out
        assert rows(project, "select id from {schema}.no_time order by id") == [(1,), (2,)]
