"""What a contract says of columns as SQL: in force on the first run, and on the later ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

KEPT = """{{ config(materialized='incremental', unique_key='id', contract={'enforced': true},
                   on_schema_change='append_new_columns', liquid_clustered_by='id',
                   zorder='a', optimize={'after_runs': 1}) }}
select cast({{ var('id', 1) }} as int) as id, cast({{ var('a', 2) }} as int) as a
"""
YML = """
models:
  - name: kept
    constraints: [{type: not_null, columns: [ID]}]
    columns:
      - name: id
        data_type: int
        constraints: [{type: not_null}, {type: check, expression: id < a}]
      - name: a
        data_type: int
        constraints:
          - {type: check, expression: id < a}
          - {type: custom, expression: NOT NULL DEFAULT 0}
          - {type: custom, expression: COMMENT 'the larger'}
"""


class TestTextsOfColumns:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"kept.sql": KEPT, "kept.yml": YML}

    def test_they_hold_on_each_run(self, project: TestProjInfo) -> None:
        for number in (1, 2):
            run = dbt(project, "run", "--vars", f"{{id: {number}, a: 9}}")
            assert run.status("kept") == "success", run.message("kept")
            told = [each for each in run.warnings if "zorder" in each or "optimize" in each]
            assert len(told) == 1
            assert "zorder has no effect with liquid_clustered_by" in told[0]
        about = {row[0]: row[2] for row in rows(project, "describe {schema}.kept")}
        assert about["a"] == "the larger"
        run = dbt(project, "run", "--vars", "{id: 3, a: 'null'}")
        assert run.status("kept") == "error"
        assert rows(project, "select id, a from {schema}.kept order by id") == [(1, 9), (2, 9)]
