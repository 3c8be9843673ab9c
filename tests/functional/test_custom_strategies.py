"""A project's own strategies, on the helpers of dbt-core that they are usually written with."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

STRATEGIES = """
{% macro get_incremental_own_append_sql(arg_dict) %}
  {% do return(get_insert_into_sql(
      arg_dict['target_relation'], arg_dict['temp_relation'], arg_dict['dest_columns'])) %}
{% endmacro %}

{% macro get_incremental_own_default_sql(arg_dict) %}
  {% do return(get_incremental_append_sql(arg_dict)) %}
{% endmacro %}

{% macro get_incremental_own_merge_sql(arg_dict) %}
  {% do return(get_merge_sql(
      arg_dict['target_relation'], arg_dict['temp_relation'], arg_dict['unique_key'],
      arg_dict['dest_columns'], arg_dict['incremental_predicates'])) %}
{% endmacro %}

{% macro get_incremental_own_delete_insert_sql(arg_dict) %}
  {% do return(get_delete_insert_merge_sql(
      arg_dict['target_relation'], arg_dict['temp_relation'], arg_dict['unique_key'],
      arg_dict['dest_columns'], arg_dict['incremental_predicates'])) %}
{% endmacro %}

{% macro get_incremental_own_overwrite_sql(arg_dict) %}
  {% do return(get_insert_overwrite_merge_sql(
      arg_dict['target_relation'], arg_dict['temp_relation'], arg_dict['dest_columns'],
      arg_dict['incremental_predicates'])) %}
{% endmacro %}
"""


def model(config: str) -> str:
    """Two rows at first, one with a null key; then the columns come in another order."""
    return (
        "{{ config(materialized='incremental', " + config + ") }}\n"
        "{% if is_incremental() %}\n"
        "select * from values ('new', null), ('new', 2), ('new', 3) as t(v, `the key`)\n"
        "{% else %}\n"
        "select * from values (null, 'old'), (1, 'old'), (2, 'old') as t(`the key`, v)\n"
        "{% endif %}"
    )


BY_KEY = "unique_key='the key', "
MODELS = {
    "appends.sql": model("incremental_strategy='own_append'"),
    "defaults.sql": model("incremental_strategy='own_default'"),
    "merges.sql": model(BY_KEY + "incremental_strategy='own_merge'"),
    "merges_by_two.sql": model("unique_key=['the key', 'v'], incremental_strategy='own_merge'"),
    "merges_some.sql": model(
        BY_KEY + "incremental_strategy='own_merge', incremental_predicates="
        "[\"DBT_INTERNAL_DEST.v = 'none' or DBT_INTERNAL_DEST.`the key` = 2 -- or not\"]"
    ),
    "updates_no_others.sql": model(
        BY_KEY + "incremental_strategy='own_merge', merge_update_columns=['the key']"
    ),
    "deletes.sql": model(BY_KEY + "incremental_strategy='own_delete+insert'"),
    "adds.sql": model("incremental_strategy='own_delete+insert'"),
    "overwrites.sql": model("incremental_strategy='own_overwrite'"),
    "overwrites_some.sql": model(
        "incremental_strategy='own_overwrite', incremental_predicates="
        '["DBT_INTERNAL_DEST.`the key` = 1", "true or false"]'
    ),
}
OLD, NEW = [(1, "old"), (2, "old"), (None, "old")], [(2, "new"), (3, "new"), (None, "new")]


class TestHelpersOfDbtCore:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return MODELS

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"strategies.sql": STRATEGIES}

    @pytest.fixture(scope="class", autouse=True)
    def runs(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        again = dbt(project, "run")
        failed = {
            name: run.message for name, run in again.results.items() if run.status != "success"
        }
        assert failed == {}

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("appends", [*OLD, *NEW]),
            ("defaults", [*OLD, *NEW]),
            ("merges", [(1, "old"), *NEW]),
            ("merges_by_two", [*OLD, *NEW]),
            ("merges_some", [*OLD[:1], *OLD[2:], *NEW]),
            ("updates_no_others", [*OLD, (3, "new")]),
            ("deletes", [(1, "old"), *NEW]),
            ("adds", [*OLD, *NEW]),
            ("overwrites", NEW),
            ("overwrites_some", [*OLD[1:], *NEW]),
        ],
    )
    def test_the_second_run_leaves(
        self, project: TestProjInfo, name: str, expected: list[tuple[int | None, str]]
    ) -> None:
        found = rows(project, f"select `the key`, v from {{schema}}.{name}")
        assert sorted(found, key=str) == sorted(expected, key=str)

    def test_delete_and_insert_are_one_commit(self, project: TestProjInfo) -> None:
        history = rows(project, "describe history {schema}.deletes")
        assert [commit[0] for commit in history] == [1, 0]


SYNCS = """
{{ config(materialized='incremental', incremental_strategy='own_append',
          on_schema_change='sync_all_columns', allow_protocol_upgrade=ALLOWED) }}
{% if is_incremental() %}
select 'new' as `a new one`, cast(5000000000 as bigint) as id
{% else %}
select 1 as id, 'old' as `an old one`
{% endif %}
"""


PLAIN = SYNCS.replace("`a new one`", "new").replace("`an old one`", "gone")
"""Other names need column mapping from the first run on."""
LAID_OUT = """
{{ config(materialized='incremental', incremental_strategy='own_append',
          on_schema_change='sync_all_columns', partition_by='day') }}
{% if is_incremental() %}
select 2 as id, 'x' as n, 1.5 as price
{% else %}
select 1 as id, 7 as n, date'2026-01-01' as day
{% endif %}
"""
NEW_FEATURES = {"columnMapping": "to drop gone", "typeWidening": "to widen id"}


class RunTwice:
    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"strategies.sql": STRATEGIES}

    @pytest.fixture(scope="class")
    def again(self, project: TestProjInfo) -> Run:
        dbt(project, "run")
        return dbt(project, "run")


class TestSyncedColumns(RunTwice):
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "syncs.sql": SYNCS.replace("ALLOWED", "true"),
            "tells.sql": PLAIN.replace("ALLOWED", "true"),
            "refuses.sql": PLAIN.replace("ALLOWED", "false"),
            "loses_its_layout.sql": LAID_OUT,
        }

    def test_columns_come_and_go_and_get_wider_types(
        self, project: TestProjInfo, again: Run
    ) -> None:
        assert again.status("syncs") == "success", again.message("syncs")
        columns = rows(project, "describe {schema}.syncs")
        assert columns == [("id", "bigint", None), ("a new one", "string", None)]
        found = rows(project, "select * from {schema}.syncs order by id")
        assert found == [(1, None), (5000000000, "new")]

    def test_the_features_that_it_turns_on_are_told(self, again: Run) -> None:
        assert again.status("tells") == "success", again.message("tells")
        assert [each for each in again.warnings if "'tells'" in each] == [
            "deltaspark adapter: Model 'tells' (models/tells.sql): on_schema_change"
            f" 'sync_all_columns' turns on the table feature {feature} {purpose};"
            " from then on every reader of the table must know it"
            for feature, purpose in NEW_FEATURES.items()
        ]

    def test_nothing_changes_where_one_of_the_changes_cannot_be(
        self, project: TestProjInfo, again: Run
    ) -> None:
        told = again.message("loses_its_layout")
        assert (
            "Model 'loses_its_layout' (models/loses_its_layout.sql) has 2 config problems" in told
        )
        assert "would drop day, by which the table is partitioned" in told
        assert "run the model with --full-refresh" in told
        assert rows(project, "select * from {schema}.loses_its_layout") == [
            (1, 7, date(2026, 1, 1))
        ]

    def test_nothing_changes_where_no_feature_may_be_turned_on(
        self, project: TestProjInfo, again: Run
    ) -> None:
        told = again.message("refuses")
        assert "Model 'refuses' (models/refuses.sql) has 2 config problems" in told
        for feature, purpose in NEW_FEATURES.items():
            assert f"needs the table feature {feature} {purpose}, which" in told
        assert "run the model with --full-refresh" in told
        history = rows(project, "describe history {schema}.refuses")
        assert [commit[0] for commit in history] == [0]


GROWS = """
{{ config(materialized='incremental', incremental_strategy='own_append',
          on_schema_change='append_new_columns', allow_protocol_upgrade=ALLOWED) }}
select 1 as id
{% if is_incremental() %} , timestamp_ntz'2026-01-02' as at, 3 as `unit price` {% endif %}
"""


class TestAddedColumns(RunTwice):
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "grows.sql": GROWS.replace("ALLOWED", "true"),
            "refuses.sql": GROWS.replace("ALLOWED", "false"),
        }

    def test_their_types_and_names_are_taken(self, project: TestProjInfo, again: Run) -> None:
        assert again.status("grows") == "success", again.message("grows")
        found = rows(project, "select * from {schema}.grows")
        assert sorted(found, key=str) == [(1, None, None), (1, datetime(2026, 1, 2), 3)]

    def test_the_features_that_they_need_are_told(self, again: Run) -> None:
        told = "\n".join(each for each in again.warnings if "'grows'" in each)
        assert "the type of at needs the table feature timestampNtz" in told
        assert "the name of unit price needs the table feature columnMapping" in told

    def test_none_comes_where_no_feature_may(self, project: TestProjInfo, again: Run) -> None:
        assert "(models/refuses.sql) has 2 config problems" in again.message("refuses")
        assert rows(project, "select * from {schema}.refuses") == [(1,)]


OF_A_KNOWN_NAME = """
{% macro get_incremental_insert_only_sql(arg_dict) %}
  {% do return('insert into ' ~ arg_dict['target_relation']
               ~ ' select id + 10 from ' ~ arg_dict['temp_relation']) %}
{% endmacro %}

{% macro get_incremental_delete_insert_sql(arg_dict) %}
  {% do return('insert into ' ~ arg_dict['target_relation']
               ~ ' select id + 20 from ' ~ arg_dict['temp_relation']) %}
{% endmacro %}

{% macro spark__get_merge_sql(target, source, key, columns, incremental_predicates=none) %}
  {% do return('insert into ' ~ target ~ ' select id + 30 from ' ~ source) %}
{% endmacro %}

{% macro databricks__get_merge_sql(target, source) %}{% endmacro %}
"""


class TestStrategiesOfAKnownName:
    """dbt-core has macros of such names, too: only the project's own take an adapter's place."""

    @pytest.fixture(scope="class")
    def dbt_profile_target(self, spark_target: dict[str, Any]) -> dict[str, Any]:
        return {**spark_target, "strict": True}  # which is about keys, not about macros

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        by_key = "{{ config(materialized='incremental', unique_key='id', %s) }} select 1 as id"
        return {
            "inserts.sql": by_key % "incremental_strategy='insert_only'",
            "deletes.sql": by_key % "incremental_strategy='delete+insert'",
            "merges.sql": by_key % "incremental_strategy='merge'",
            "defaults.sql": by_key % "incremental_strategy='default'",
        }

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"strategies.sql": OF_A_KNOWN_NAME}

    def test_the_project_s_own_macro_runs(self, project: TestProjInfo) -> None:
        first = dbt(project, "run")
        (told,) = [each for each in first.warnings if "is not run" in each]
        assert "the project's macro databricks__get_merge_sql is not run" in told
        again = dbt(project, "run")
        found = {name: rows(project, f"select id from {{schema}}.{name}") for name in again.results}
        assert {name: sorted(ids) for name, ids in found.items()} == {
            "inserts": [(1,), (11,)],
            "deletes": [(1,), (21,)],
            "merges": [(1,), (31,)],
            "defaults": [(1,)],
        }
