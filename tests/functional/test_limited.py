"""Runs that read a part of the rows only: nothing is deleted or closed for want of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from limited_project import (
    CASES,
    CHANGED_VERSIONS,
    CHANGES,
    DELETES,
    EMPTY,
    MERGE,
    OF_SRC,
    OVERWRITE,
    SAMPLE,
    SNAPSHOTS,
    SOURCE,
    SOURCES,
    STRATEGIES,
    VERSIONS,
    WINDOW,
    Case,
    added,
    models,
    snapshots,
)
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

HISTORIES = {**dict.fromkeys(SNAPSHOTS, "dbt_valid_to is null"), "history": "is_current"}
SIGNS = {**{each.name: "''" for each in CASES}, "numbers": "''"} | {
    name: f"if({is_current}, '+', '-')" for name, is_current in HISTORIES.items()
}


@dataclass(frozen=True, slots=True)
class Built:
    """A run, and the rows of each table after it, in words."""

    run: Run
    tables: dict[str, str]


def built(project: TestProjInfo, *flags: str) -> Built:
    run = dbt(project, "build", "--threads", "2", *flags)
    words = (
        f"select '{name}' as name, concat(id, v, {sign}) as word from {{schema}}.{name}"
        for name, sign in SIGNS.items()
    )
    tables: dict[str, str] = dict.fromkeys(SIGNS, "")
    for name, word in rows(project, f"select * from ({' union all '.join(words)}) order by word"):
        tables[name] = f"{tables[name]} {word}".lstrip()
    return Built(run, tables)


def changed_source(project: TestProjInfo) -> None:
    for change in CHANGES:
        project.run_sql(change.format(schema=project.test_schema))


def failed(run: Run) -> dict[str, str]:
    return {name: run.message(name) for name in run.results if run.status(name) != "success"}


class Limited:
    """Tables that are there when their source changes."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return models()

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return snapshots()

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"strategies.sql": STRATEGIES}

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {"numbers.csv": "id,v\n1,a\n2,b\n"}

    @pytest.fixture(scope="class", autouse=True)
    def source(self, project: TestProjInfo) -> None:
        project.run_sql(SOURCE.format(schema=project.test_schema))
        assert failed(dbt(project, "build", "--threads", "2", *WINDOW)) == {}
        changed_source(project)


class TestPartsOfTheRows(Limited):
    @pytest.fixture(scope="class")
    def empty(self, project: TestProjInfo) -> Built:
        return built(project, *EMPTY)

    @pytest.fixture(scope="class")
    def sample(self, project: TestProjInfo, empty: Built) -> Built:
        return built(project, *SAMPLE)

    def test_every_node_succeeds(self, empty: Built, sample: Built) -> None:
        assert (failed(empty.run), failed(sample.run)) == ({}, {})

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
    def test_under_empty_rows_stay(self, empty: Built, case: Case) -> None:
        assert empty.tables[case.name] == " ".join(sorted(case.empty.split()))

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
    def test_under_sample_rows_outside_of_it_stay(self, sample: Built, case: Case) -> None:
        assert sample.tables[case.name] == " ".join(sorted(case.sample.split()))

    @pytest.mark.parametrize("name", HISTORIES)
    def test_under_empty_every_version_stays_current(self, empty: Built, name: str) -> None:
        assert empty.tables[name] == VERSIONS

    @pytest.mark.parametrize("name", HISTORIES)
    def test_under_sample_a_changed_row_alone_is_closed(self, sample: Built, name: str) -> None:
        assert sample.tables[name] == CHANGED_VERSIONS

    def test_a_seed_is_whole(self, empty: Built, sample: Built) -> None:
        assert {empty.tables["numbers"], sample.tables["numbers"]} == {"1a 2b"}


class TestTimesOfARun(Limited):
    @pytest.fixture(scope="class")
    def window(self, project: TestProjInfo) -> Built:
        return built(project, *WINDOW)

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
    def test_rows_that_the_source_lacks_stay(self, window: Built, case: Case) -> None:
        assert window.tables[case.name] == " ".join(sorted(case.window.split()))

    @pytest.mark.parametrize("name", HISTORIES)
    def test_a_changed_row_alone_is_closed(self, window: Built, name: str) -> None:
        assert window.tables[name] == CHANGED_VERSIONS


GATED = added(DELETES, where="exists (select 1 from {{ schema }}.gate)")
ALONE = ("--empty",)


class TestTriedAgain:
    """A node that fails for want of a table, tried again with dbt's own record of the flags."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"gated.sql": GATED, "later.sql": GATED, "sources.yml": SOURCES}

    @pytest.fixture(scope="class", autouse=True)
    def source(self, project: TestProjInfo) -> None:
        project.run_sql(SOURCE.format(schema=project.test_schema))
        project.run_sql(f"create table {project.test_schema}.gate using delta as select 1 as id")
        dbt(project, "run")
        changed_source(project)

    @pytest.mark.parametrize(
        ("flags", "left"),
        [(ALONE, "1a 2b 3c"), (SAMPLE, "1a 2b 3C 4d 5e")],
        ids=("empty", "sample"),
    )
    def test_the_nodes_that_a_failure_left_are_limited_as_the_run_was(
        self, project: TestProjInfo, flags: tuple[str, ...], left: str
    ) -> None:
        schema = project.test_schema
        project.run_sql(f"drop table {schema}.gate")
        first = dbt(project, "run", "--fail-fast", *flags)
        project.run_sql(f"create table {schema}.gate using delta as select 1 as id")
        assert "error" in {first.status("gated"), first.status("later")}
        again = dbt(project, "retry")
        assert failed(again) == {}
        query = "select concat_ws(' ', sort_array(collect_list(concat(id, v)))) from {schema}."
        assert rows(project, f"{query}gated union {query}later") == [(left,)]


WIDE = "select id, v, day, at{{ var('more', '') }} from " + OF_SRC
APPENDS = ", on_schema_change='append_new_columns') }}\n"
GIVEN = """
unit_tests:
  - name: what_the_fixtures_lack_is_deleted
    model: deletes
    config: {meta: {expect: merged_table}}
    overrides: {macros: {is_incremental: true}}
    given:
      - {input: "source('raw', 'src')", rows: [{id: 2, v: b}]}
      - {input: this, rows: [{id: 1, v: a}, {id: 2, v: a}]}
    expect: {rows: [{id: 2, v: b}]}
"""


class TestWhatElseALimitedRunDoes:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        made = "{{ config(materialized='incremental', "
        return {
            "deletes.sql": added(DELETES),
            "merges.sql": f"{made}{MERGE}{APPENDS}{WIDE}",
            "overwrites.sql": f"{made}{OVERWRITE}{APPENDS}{WIDE}",
            "once.sql": f"{made}{MERGE}, idempotency_key='once'" + ") }}\n" + WIDE,
            "sources.yml": SOURCES,
            "tests.yml": GIVEN,
        }

    @pytest.fixture(scope="class", autouse=True)
    def wide(self, project: TestProjInfo) -> Run:
        project.run_sql(SOURCE.format(schema=project.test_schema))
        dbt(project, "run", "--exclude", "once")
        more = ("--vars", "{more: ', 1 as more'}")
        return dbt(project, "build", "--empty", *more, "--exclude", "once")

    def test_a_new_column_comes_to_the_rows_that_stay(self, project: TestProjInfo) -> None:
        for name in ("merges", "overwrites"):
            found = rows(project, f"select id, more from {{schema}}.{name} order by id")
            assert found == [(1, None), (2, None), (3, None)]

    def test_a_unit_tests_fixtures_are_whole(self, wide: Run) -> None:
        assert wide.status("what_the_fixtures_lack_is_deleted") == "pass"

    def test_what_is_left_out_is_said(self, wide: Run) -> None:
        deletes, overwrites = sorted(each for each in wide.notices if "under --empty" in each)
        assert deletes == (
            "deltaspark adapter: Model 'deletes' (models/deletes.sql): under --empty rows that the"
            " source lacks stay: clauses not_matched_by_source are left out"
        )
        assert "under --empty what insert_overwrite would replace stays" in overwrites
        assert [each for each in wide.warnings if "under" in each] == []

    def test_rows_that_a_sample_does_not_replace_are_a_warning(self, project: TestProjInfo) -> None:
        run = dbt(project, "run", "--select", "overwrites", *SAMPLE)
        (warning,) = [each for each in run.warnings if "under --sample" in each]
        assert "one with --full-refresh makes the table of what it reads" in warning

    def test_a_full_refresh_makes_the_table_of_nothing_and_uses_no_key_up(
        self, project: TestProjInfo
    ) -> None:
        dbt(project, "run", "--select", "once", "--empty", "--full-refresh")
        count = "select count(*) from {schema}.once"
        assert rows(project, count) == [(0,)]
        dbt(project, "run", "--select", "once")
        assert rows(project, count) == [(3,)]
