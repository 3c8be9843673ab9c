"""What a strategy of the project's own runs on a table that is there, and around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyspark.sql.utils import is_remote
from runs import dbt, rows
from test_custom_strategies import STRATEGIES

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

KEEPS_SETTINGS = """
{{ config(materialized='incremental', incremental_strategy='own_append', idempotency_key='once',
          tblproperties={'note': var('note', 'first')}, commit_metadata='nightly',
          optimize={'after_runs': 2}) }}
select 1 as id{{ ' / nothing' if var('note', '') == 'undone' }}
"""


class TestSettingsOfTheTable:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"kept.sql": KEEPS_SETTINGS}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"strategies.sql": STRATEGIES}

    def test_a_later_run_applies_them(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        again = dbt(project, "run", "--vars", "{note: second}")
        assert again.status("kept") == "success", again.message("kept")
        assert [each for each in again.warnings if "idempotency_key counts only" in each]
        properties = rows(project, "show tblproperties {schema}.kept ('note')")
        assert properties == [("note", "second")]
        history = rows(project, "describe history {schema}.kept")
        found = [(row[0], row[4], "nightly" in (row[13] or "")) for row in history]
        assert found == [
            (3, "OPTIMIZE", False),
            (2, "WRITE", True),
            (1, "SET TBLPROPERTIES", True),
            (0, f"CREATE {'OR REPLACE ' if is_remote() else ''}TABLE AS SELECT", True),
        ]

    def test_they_are_as_they_were_where_its_statements_fail(self, project: TestProjInfo) -> None:
        failed = dbt(project, "run", "--vars", "{note: undone}")
        assert failed.status("kept") == "error"
        properties = rows(project, "show tblproperties {schema}.kept ('note')")
        assert properties == [("note", "second")]


OWN_LIST = """
{% macro get_incremental_own_list_sql(arg_dict) %}
  {% do return([
      'insert into ' ~ arg_dict['target_relation'] ~ ' select * from ' ~ arg_dict['temp_relation'],
      'delete from ' ~ arg_dict['target_relation'] ~ " where zone = 'none'; -- none is left",
      '/* done */'
  ]) %}
{% endmacro %}
"""
HEADED = """
{% call set_sql_header(config) %}
set spark.sql.session.timeZone = Asia/Tokyo;
create temporary function twice(x int) returns int return 2 * x;
-- the end
{% endcall %}
{{ config(materialized='incremental', incremental_strategy='own_list') }}
select current_timezone() as zone, twice(3) as six
"""
OF_PYTHON = """
def model(dbt, session):
    dbt.config(materialized='incremental', incremental_strategy='own_list')
    return session.sql("select 'here' as zone, 6 as six")
"""


class TestStatementsOfAStrategy:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"headed.sql": HEADED, "python.py": OF_PYTHON}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"strategies.sql": OWN_LIST}

    @pytest.mark.parametrize(("name", "zone"), [("headed", "Asia/Tokyo"), ("python", "here")])
    def test_a_list_of_them_runs_after_the_header(
        self, project: TestProjInfo, name: str, zone: str
    ) -> None:
        dbt(project, "run", "--select", name)
        again = dbt(project, "run", "--select", name)
        assert again.status(name) == "success", again.message(name)
        assert rows(project, f"select zone, six from {{schema}}.{name}") == [(zone, 6)] * 2


WITH_FEED = """
{% call set_sql_header(config) %}
set spark.sql.files.maxPartitionBytes = 1000;
{% endcall %}
{{ config(materialized='incremental', incremental_strategy='own_delete+insert', unique_key='id',
          deletion_vectors=false, tblproperties={'delta.enableChangeDataFeed': 'true'}) }}
{% if is_incremental() %}
select * from values (5, 'x'), (5, 'y'), (9, 'z') as t(id, v)
{% else %}
select id, 'old' as v from range(0, 8, 1, 2) as t(id)
{% endif %}
"""


class TestDeleteInsertWithAFeed:
    """Delta's own MERGE loses rows where it deletes one twice and writes a change feed."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"with_feed.sql": WITH_FEED}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"strategies.sql": STRATEGIES}

    def test_no_row_is_lost_where_a_key_comes_twice(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        again = dbt(project, "run")
        assert again.status("with_feed") == "success", again.message("with_feed")
        found = rows(project, "select id, v from {schema}.with_feed order by id, v")
        kept = [(each, "old") for each in (0, 1, 2, 3, 4, 6, 7)]
        assert found == sorted([*kept, (5, "x"), (5, "y"), (9, "z")])
