"""Comments of columns that the table does not have, or not yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

MODEL = """{{{{ config(materialized='incremental', unique_key='id', on_schema_change='{change}',
                       persist_docs={{'columns': true}}) }}}}
select 1 as id, 2 as v {{% if is_incremental() %}}, 'late' as extra {{% endif %}}
"""
SNAPSHOT = """
snapshots:
  - name: taken
    relation: ref('source')
    description: "{{ var('about', 'history') }}"
    config:
      strategy: check
      check_cols: all
      unique_key: id
      persist_docs: {relation: true, columns: true}
    columns:
      - {name: id, description: "{{ var('about', 'key') }}"}
      - {name: extra, description: comes later}
      - {name: nowhere, description: no such column}
"""
SOURCE = "select 1 as id, 2 as v {% if var('late', false) %}, 'late' as extra {% endif %}"
COLUMNS = """
    columns:
      - {name: id, description: the key}
      - {name: EXTRA, description: comes later}
      - {name: nowhere, description: no such column}
"""
ODD = """{{ config(materialized='table', persist_docs={'columns': true}) }}
select 'kept' as `a.b`, named_struct('b', 2) as a, 3 as `a``b`
"""
ODD_COLUMNS = """
    columns:
      - {name: a.b, description: a dot}
      - {name: a`b, description: a backtick}
"""
MODES = ("ignore", "append_new_columns", "sync_all_columns")


def comments(project: TestProjInfo, name: str) -> dict[str, str]:
    described = rows(project, f"describe {{schema}}.{name}")
    return {row[0]: row[2] for row in described if row[0] and not row[0].startswith("#")}


class TestDocumentedColumns:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        models = {f"on_{mode}.sql": MODEL.format(change=mode) for mode in MODES}
        described = "models:" + "".join(f"\n  - name: on_{mode}{COLUMNS}" for mode in MODES)
        described += f"\n  - name: odd{ODD_COLUMNS}"
        return {**models, "models.yml": described, "source.sql": SOURCE, "odd.sql": ODD}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"taken.yml": SNAPSHOT}

    @pytest.fixture(scope="class", autouse=True)
    def built(self, project: TestProjInfo) -> None:
        for _ in range(2):
            run = dbt(project, "run")
            assert {run.status(f"on_{mode}") for mode in MODES} == {"success"}, [
                run.message(f"on_{mode}") for mode in MODES
            ]

    def test_a_comment_of_no_column_is_left_out(self, project: TestProjInfo) -> None:
        assert comments(project, "on_ignore") == {"id": "the key", "v": None}

    @pytest.mark.parametrize("mode", MODES[1:])
    def test_a_new_column_gets_its_comment(self, project: TestProjInfo, mode: str) -> None:
        found = comments(project, f"on_{mode}")
        assert found == {"id": "the key", "v": None, "extra": "comes later"}

    def test_a_column_of_an_odd_name_keeps_its_values(self, project: TestProjInfo) -> None:
        assert rows(project, "select `a.b`, a.b, `a``b` from {schema}.odd") == [("kept", 2, 3)]
        found = comments(project, "odd")
        assert found == {"a.b": "a dot", "a": None, "a`b": "a backtick"}

    @pytest.mark.embedded("a commit for each difference")
    def test_a_snapshot_changes_its_comments_in_one_commit(self, project: TestProjInfo) -> None:
        first = dbt(project, "snapshot")
        assert first.status("taken") == "success"
        assert (
            sum("not present in the database: extra, nowhere" in each for each in first.warnings)
            == 1
        )
        assert comments(project, "taken")["id"] == "key"
        before = version(project)
        assert dbt(project, "snapshot", "--vars", "{about: other}").status("taken") == "success"
        assert comments(project, "taken")["id"] == "other"
        assert version(project) == before + 1
        again = dbt(project, "snapshot", "--vars", "{about: other}")
        assert (again.response("taken")["skipped"], version(project)) == (True, before + 1)

    def test_a_new_column_of_a_snapshot_comes_with_its_comment(self, project: TestProjInfo) -> None:
        dbt(project, "snapshot")
        before = version(project)
        dbt(project, "run", "--select", "source", "--vars", "{late: true}")
        assert dbt(project, "snapshot", "--vars", "{late: true}").status("taken") == "success"
        assert comments(project, "taken")["extra"] == "comes later"
        assert version(project) == before + 1


def version(project: TestProjInfo) -> int:
    (newest, *_) = rows(project, "describe history {schema}.taken limit 1")
    return int(newest[0])
