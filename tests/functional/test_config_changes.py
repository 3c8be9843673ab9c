"""Settings that change between two runs: told apart exactly, in force before the write."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

USER_METADATA = 13
"""The column of DESCRIBE HISTORY."""

CHANGING = """{{ config(materialized='incremental', unique_key='id',
                       on_schema_change='append_new_columns',
                       tblproperties=var('props', {'a': '1'}),
                       comment=var('comment', 'first'), liquid_clustered_by=var('cluster', none),
                       incremental_apply_config_changes=var('apply', true),
                       contract={'enforced': true}, persist_docs={'columns': true}) }}
select cast({{ var('id', 1) }} as int) as id, cast({{ var('v', 5) }} as int) as v
"""
YML = """
models:
  - name: changing
    constraints: "{{ var('checks', []) }}"
    columns:
      - {name: id, data_type: int, description: "{{ var('about', 'key') }}"}
      - {name: v, data_type: int, constraints: "{{ var('on_v', []) }}"}
  - name: guarded
    config: {contract: {enforced: true}}
    constraints: [{type: check, name: positive, expression: 'v > 0'}]
    columns:
      - {name: id, data_type: int, constraints: [{type: not_null}, {type: primary_key}]}
      - {name: v, data_type: int}
"""
GUARDED = """{{ config(materialized=var('kind', 'incremental'), unique_key='id',
                      on_schema_change='append_new_columns') }}
select cast({{ var('id', 1) }} as int) as id, cast({{ var('v', 5) }} as int) as v
"""
CHECK = "[{type: check, name: small, expression: 'v < 100'}]"


def version(project: TestProjInfo, name: str) -> int:
    (newest, *_) = rows(project, f"describe history {{schema}}.{name} limit 1")
    return int(newest[0])


def run_changing(project: TestProjInfo, variables: str) -> Run:
    return dbt(project, "run", "--select", "changing", "--vars", "{v: 5, " + variables + "}")


def clustering(project: TestProjInfo) -> list[str]:
    (details,) = rows(project, "describe detail {schema}.changing")
    return list(details[8])


ONCE = """{{ config(materialized='incremental', incremental_strategy='append',
                  idempotency_key='load-7', on_schema_change='sync_all_columns',
                  tblproperties={'n': var('n', '1')}) }}
select 1 as id{{ ", 2 as v" if var('n', '1') == '1' }}
"""
HISTORY = """{{ config(materialized='incremental', incremental_strategy='scd2', unique_key='id',
                     scd2_updated_at='at', idempotency_key='load-7',
                     tblproperties={'n': var('n', '1')}) }}
select 1 as id, timestamp'2026-01-01' as at
"""


class TestARunThatIsInTheLog:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"loaded.sql": ONCE, "history.sql": HISTORY}

    def test_it_changes_nothing_of_the_table(self, project: TestProjInfo) -> None:
        dbt(project, "run", "--select", "loaded")
        run = dbt(project, "run", "--select", "loaded", "--vars", "{n: '2'}")
        assert run.status("loaded") == "success", run.message("loaded")
        assert version(project, "loaded") == 0
        assert rows(project, "select * from {schema}.loaded") == [(1, 2)]

    def test_a_strategy_that_reads_no_key_goes_on(self, project: TestProjInfo) -> None:
        for n in (1, 2):
            dbt(project, "run", "--select", "history", "--vars", f"{{n: '{n}'}}")
        properties = dict(rows(project, "show tblproperties {schema}.history"))
        assert properties["n"] == "2"


class TestChanges:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"changing.sql": CHANGING, "models.yml": YML, "guarded.sql": GUARDED}

    @pytest.fixture(scope="class", autouse=True)
    def first(self, project: TestProjInfo) -> Run:
        return dbt(project, "run")

    def test_a_table_made_with_not_null_tells_its_rows(self, first: Run) -> None:
        assert first.status("guarded") == "success", first.message("guarded")
        assert first.response("guarded")["rows_affected"] == 1

    def test_a_refresh_whose_rows_violate_not_null_leaves_the_rows_there(
        self, project: TestProjInfo
    ) -> None:
        kept = rows(project, "select * from {schema}.guarded")
        select = ("--select", "guarded", "--vars", "{id: 'null'}")
        assert dbt(project, "run", "--full-refresh", *select).status("guarded") == "error"
        assert rows(project, "select * from {schema}.guarded") == kept

    def test_equal_settings_and_rows_commit_the_merge_alone(
        self, project: TestProjInfo, first: Run
    ) -> None:
        before = version(project, "changing")
        run = run_changing(project, "id: 1")
        assert run.status("changing") == "success", run.message("changing")
        assert version(project, "changing") == before + 1

    @pytest.mark.embedded("a commit for each difference")
    def test_changed_properties_and_comments_are_one_commit_before_the_write(
        self, project: TestProjInfo
    ) -> None:
        before = version(project, "changing")
        run = run_changing(project, "props: {a: '2', b: '3'}, comment: second, about: number")
        assert run.status("changing") == "success", run.message("changing")
        assert version(project, "changing") == before + 2
        properties = dict(rows(project, "show tblproperties {schema}.changing"))
        assert (properties["a"], properties["b"]) == ("2", "3")
        assert [each[2] for each in rows(project, "describe {schema}.changing")[:1]] == ["number"]
        history = rows(project, "describe history {schema}.changing limit 2")
        notes = [json.loads(commit[USER_METADATA]) for commit in history]
        assert [note["node_id"] for note in notes] == ["model.test.changing"] * 2

    def test_clustering_follows_the_setting(self, project: TestProjInfo) -> None:
        run = run_changing(project, "cluster: [id]")
        assert run.status("changing") == "success", run.message("changing")
        assert clustering(project) == ["id"]
        run_changing(project, "id: 1")
        assert clustering(project) == []

    def test_changes_are_left_alone_where_the_model_says_so(self, project: TestProjInfo) -> None:
        before = version(project, "changing")
        run_changing(project, "apply: false, comment: third, props: {c: '1'}")
        assert version(project, "changing") == before + 1
        assert "c" not in dict(rows(project, "show tblproperties {schema}.changing"))

    @pytest.mark.embedded("the error is Delta's")
    def test_a_new_constraint_that_old_rows_violate_changes_nothing(
        self, project: TestProjInfo
    ) -> None:
        project.run_sql(f"insert into {project.test_schema}.changing values (7, 700)")
        before = version(project, "changing")
        run = run_changing(project, f"props: {{z: '1'}}, checks: {CHECK}")
        assert run.status("changing") == "error"
        assert "small" in run.message("changing")
        assert version(project, "changing") == before
        assert "z" not in dict(rows(project, "show tblproperties {schema}.changing"))

    def test_a_new_constraint_that_new_rows_violate_is_taken_back(
        self, project: TestProjInfo
    ) -> None:
        project.run_sql(f"delete from {project.test_schema}.changing where v >= 100")
        kept = rows(project, "select * from {schema}.changing order by all")
        run = dbt(project, "run", "--select", "changing", "--vars", f"{{v: 500, checks: {CHECK}}}")
        assert run.status("changing") == "error"
        assert rows(project, "select * from {schema}.changing order by all") == kept
        properties = dict(rows(project, "show tblproperties {schema}.changing"))
        assert "delta.constraints.small" not in properties

    @pytest.mark.embedded("no statement makes a column NOT NULL")
    def test_a_constraint_that_all_rows_satisfy_is_there_from_then_on(
        self, project: TestProjInfo
    ) -> None:
        run = run_changing(project, f"checks: {CHECK}, on_v: [{{type: not_null}}]")
        assert run.status("changing") == "success", run.message("changing")
        before = version(project, "changing")
        again = run_changing(project, f"checks: {CHECK}, on_v: [{{type: not_null}}]")
        assert again.status("changing") == "success"
        assert version(project, "changing") == before + 1

    def test_a_constraint_that_the_model_no_longer_has_is_dropped_before_the_write(
        self, project: TestProjInfo
    ) -> None:
        run_changing(project, f"checks: {CHECK}, on_v: [{{type: not_null}}]")
        run = dbt(project, "run", "--select", "changing", "--vars", "{id: 9, v: 500}")
        assert run.status("changing") == "success", run.message("changing")
        assert rows(project, "select v from {schema}.changing where id = 9") == [(500,)]
        properties = dict(rows(project, "show tblproperties {schema}.changing"))
        assert "delta.constraints.small" not in properties

    @pytest.mark.embedded("two commits")
    @pytest.mark.parametrize("variables", ["{v: -1}", "{id: 'null', v: 1}"])
    @pytest.mark.parametrize("kind", ["incremental", "table"])
    def test_constraints_hold_from_the_first_row_and_on_a_rebuild(
        self, project: TestProjInfo, kind: str, variables: str
    ) -> None:
        before = version(project, "guarded")
        told = variables.replace("{", f"{{kind: {kind}, ")
        run = dbt(project, "run", "--select", "guarded", "--vars", told)
        assert run.status("guarded") == "error"
        assert rows(project, "select * from {schema}.guarded") == [(1, 5)]
        assert version(project, "guarded") == before

    def test_what_delta_does_not_enforce_is_said(self, first: Run) -> None:
        told = [each for each in first.warnings if "guarded" in each]
        assert any("primary_key constraints are accepted and not enforced" in each for each in told)
