"""Each strategy on a target that is not as the model says: a view, other partitions, no key."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import Row
from runs import Run, dbt, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

STRATEGIES: dict[str, str] = {
    "append": "incremental_strategy='append'",
    "merge": "unique_key='id'",
    "insert_only": "incremental_strategy='insert_only', unique_key='id'",
    "delete_insert": "incremental_strategy='delete+insert', unique_key='id'",
    "insert_overwrite": "incremental_strategy='insert_overwrite', replace_on='id'",
    "replace_where": "incremental_strategy='replace_where', replace_where='id = 2'",
    "microbatch": "incremental_strategy='microbatch', event_time='at', batch_size='day',"
    " begin='2026-01-01'",
    "scd2": "incremental_strategy='scd2', unique_key='id', scd2_updated_at='at'",
}
FIRST = "select 1 as id, 'a' as v, date'2026-01-01' as at"
SECOND = "select 2 as id, 'b' as v, date'2026-01-01' as at"
KEYLESS = {
    "microbatch": "select 2 as id, 'b' as v",
    "scd2": "select 2 as id, 'b' as v",
}
WINDOW = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-02")
NAMED_KEY = {
    "merge": "unique_key names 'id'",
    "insert_only": "unique_key names 'id'",
    "delete_insert": "unique_key names 'id'",
    "insert_overwrite": "replace_on names 'id'",
    "replace_where": "id",
    # dbt-core keeps the message of a batch in its log alone.
    "microbatch": "ERROR",
    "scd2": "scd2_updated_at names 'at'",
}


def text(config: str, second: str) -> str:
    return (
        "{{ config(materialized=var('kind', 'incremental'), " + config + ") }}\n"
        "{% if var('later', false) %} " + second + " {% else %} " + FIRST + " {% endif %}"
    )


def later(project: TestProjInfo, *names: str) -> Run:
    return dbt(project, "run", "--select", *names, "--vars", "{later: true}", *WINDOW)


class TestTargets:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        partitions = "partition_by='v' if var('later', false) else none, "
        keyless = "select 'b' as v, date'2026-01-01' as at"
        return {
            **{f"view_{name}.sql": text(config, SECOND) for name, config in STRATEGIES.items()},
            **{
                f"parts_{name}.sql": text(partitions + config, SECOND)
                for name, config in STRATEGIES.items()
            },
            **{
                f"keyless_{name}.sql": text(config, KEYLESS.get(name, keyless))
                for name, config in STRATEGIES.items()
                if name != "append"
            },
        }

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        dbt(project, "run", "--select", "view_*", "--vars", "{kind: view}")
        return dbt(project, "run", "--exclude", "view_*", *WINDOW)

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run) -> Run:
        return later(project, "view_*", "parts_*", "keyless_*")

    @pytest.mark.parametrize("name", STRATEGIES)
    def test_what_was_a_view_becomes_a_table_of_the_model_s_rows(
        self, project: TestProjInfo, second: Run, name: str
    ) -> None:
        assert second.status(f"view_{name}") == "success", second.message(f"view_{name}")
        assert rows(project, f"select id, v from {{schema}}.view_{name}") == [(2, "b")]

    @pytest.mark.parametrize("name", STRATEGIES)
    def test_other_partitions_are_a_warning_and_the_rows_are_right(
        self, project: TestProjInfo, second: Run, name: str
    ) -> None:
        assert second.status(f"parts_{name}") == "success", second.message(f"parts_{name}")
        told = [each for each in second.warnings if f"'parts_{name}'" in each]
        assert any("keeps that until a run with --full-refresh" in each for each in told)
        kept = [(2, "b")] if name == "microbatch" else [(1, "a"), (2, "b")]
        assert rows(project, f"select id, v from {{schema}}.parts_{name} order by id") == kept

    @pytest.mark.parametrize(("name", "told"), NAMED_KEY.items())
    def test_a_model_without_the_key_column_is_an_error_that_names_it(
        self, project: TestProjInfo, second: Run, name: str, told: str
    ) -> None:
        assert second.status(f"keyless_{name}") == "error"
        assert told in second.message(f"keyless_{name}")
        assert rows(project, f"select id, v from {{schema}}.keyless_{name}") == [(1, "a")]


SCHEMAS: dict[str, tuple[str, str, str, list[tuple[Any, ...]]]] = {
    "ignored_field": (
        "unique_key='id'",
        "select 1 as id, named_struct('a', 1) as s",
        "select 1 as id, named_struct('b', 9, 'a', 2) as s",
        [(1, Row(a=2))],
    ),
    "ignored_field_appended": (
        "incremental_strategy='append'",
        "select 1 as id, named_struct('a', 1) as s",
        "select 2 as id, named_struct('b', 9, 'a', 2) as s",
        [(1, Row(a=1)), (2, Row(a=2))],
    ),
    "added_field": (
        "unique_key='id', on_schema_change='append_new_columns'",
        "select 1 as id, named_struct('a', 1) as s",
        "select 2 as id, named_struct('a', 2, 'b', 9) as s",
        [(1, Row(a=1, b=None)), (2, Row(a=2, b=9))],
    ),
    "missing_field": (
        "unique_key='id'",
        "select 1 as id, named_struct('a', 1, 'b', 1) as s",
        "select 2 as id, named_struct('a', 2) as s",
        [(1, Row(a=1, b=1)), (2, Row(a=2, b=None))],
    ),
    "kept_field": (
        "unique_key='id', merge_exclude_columns=['made']",
        "select 1 as id, 1 as made, named_struct('a', 1, 'b', 1, 'n', named_struct('c', 1, 'd', 1))"
        " as s",
        "select 1 as id, 2 as made, named_struct('a', 2, 'n', named_struct('d', 2)) as s",
        [(1, 1, Row(a=2, b=1, n=Row(c=1, d=2)))],
    ),
    "set_field": (
        "unique_key='id', not_matched_by_source_action="
        "'update set DBT_INTERNAL_DEST.s.v = 9, id = -id'",
        "select 1 as id, 5 as v, named_struct('v', 1) as s",
        "select 2 as id, 5 as v, named_struct('v', 1) as s",
        [(-1, 5, Row(v=9)), (2, 5, Row(v=1))],
    ),
    "set_field_of_the_source": (
        "unique_key='id', merge_update_set_expressions={'s.v': '9'}",
        "select 1 as id, 5 as v, named_struct('v', 1) as s",
        "select 1 as id, 6 as v, named_struct('v', 2) as s",
        [(1, 5, Row(v=1))],
    ),
    "key_of_a_column_that_is_gone": (
        "unique_key=\"concat(region, '-', id)\"",
        "select 1 as id, 'EU' as region, 10 as v",
        "select 1 as id, 99 as v",
        [(1, "EU", 10)],
    ),
    "deleted_by_a_key_of_a_column_that_is_gone": (
        "incremental_strategy='delete+insert', unique_key=\"concat(region, '-', id)\"",
        "select 1 as id, 'EU' as region, 10 as v",
        "select 1 as id, 99 as v",
        [(1, "EU", 10)],
    ),
    "key_and_predicate_of_words_that_sql_has_too": (
        "incremental_strategy='delete+insert', unique_key='cast(at as date)',"
        " incremental_predicates=[\"date >= date'2026-01-01' - interval 3 day\"]",
        "select 1 as id, timestamp'2026-01-01 10:00:00' as at, date'2026-01-01' as date, 1 as day",
        "select 2 as id, timestamp'2026-01-01 11:00:00' as at, date'2026-01-01' as date, 2 as day",
        [(2, datetime(2026, 1, 1, 11), date(2026, 1, 1), 2)],
    ),
    "widened_merge": (
        "unique_key='id', on_schema_change='sync_all_columns'",
        "select 1 as id, 1 as v",
        "select 2 as id, 5000000000 as v",
        [(1, 1), (2, 5000000000)],
    ),
    "widened_append": (
        "incremental_strategy='append', on_schema_change='sync_all_columns'",
        "select 1 as id, cast(1.5 as decimal(4, 1)) as v",
        "select 2 as id, cast(12345.5 as decimal(9, 1)) as v",
        [(1, 1.5), (2, 12345.5)],
    ),
    "widened_replace": (
        "incremental_strategy='delete+insert', unique_key='id',"
        " on_schema_change='sync_all_columns'",
        "select 1 as id, 1 as v",
        "select 1 as id, 5000000000 as v",
        [(1, 5000000000)],
    ),
    "dropped": (
        "unique_key='id', on_schema_change='sync_all_columns'",
        "select 1 as id, 'a' as gone, 1 as v",
        "select 2 as id, 5000000000 as v",
        [(1, 1), (2, 5000000000)],
    ),
    "asked_for_widening": (
        "unique_key='id', on_schema_change='sync_all_columns',"
        " tblproperties={'delta.enableTypeWidening': 'true', 'delta.feature.columnMapping':"
        " 'supported'}",
        "select 1 as id, 1 as v",
        "select 1 as id, 5000000000 as v",
        [(1, 5000000000)],
    ),
    "narrowed": (
        "unique_key='id', on_schema_change='sync_all_columns'",
        "select 1 as id, cast(1 as bigint) as v",
        "select 1 as id, 2 as v",
        [(1, 1)],
    ),
    "refused_widening": (
        "unique_key='id', on_schema_change='sync_all_columns', allow_protocol_upgrade=false",
        "select 1 as id, 1 as v",
        "select 1 as id, 5000000000 as v",
        [(1, 1)],
    ),
    "refused_drop": (
        "unique_key='id', on_schema_change='sync_all_columns', allow_protocol_upgrade=false",
        "select 1 as id, 'kept' as gone",
        "select 1 as id",
        [(1, "kept")],
    ),
    # The column is dropped before the write, which fails: it is there again, with its values.
    "undone_drop": (
        "unique_key='id', on_schema_change='sync_all_columns'",
        "select 1 as id, 'kept' as gone, 1 as v",
        "select 1 as id, cast(raise_error('broken') as int) as v",
        [(1, "kept", 1)],
    ),
}
FAILS = {
    "set_field_of_the_source": "sets 's.v', a field of 's', which gets the source's value",
    "key_of_a_column_that_is_gone": "must be an expression over the model's columns",
    "deleted_by_a_key_of_a_column_that_is_gone": "must be an expression over the model's columns",
    "narrowed": "would change v from bigint to int",
    "undone_drop": "broken",
    "refused_widening": "needs the table feature typeWidening to widen v, which every reader",
    "refused_drop": "needs the table feature columnMapping to drop gone, which every reader",
}


class TestSchemaChanges:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            f"{name}.sql": incremental(config, first, second)
            for name, (config, first, second, _) in SCHEMAS.items()
        }

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo) -> Run:
        dbt(project, "run")
        return dbt(project, "run")

    @pytest.mark.parametrize(("name", "expected"), [(n, s[3]) for n, s in SCHEMAS.items()])
    def test_the_second_run_leaves_these_rows(
        self, project: TestProjInfo, second: Run, name: str, expected: list[tuple[Any, ...]]
    ) -> None:
        status = "error" if name in FAILS else "success"
        assert second.status(name) == status, second.message(name)
        assert rows(project, f"select * from {{schema}}.{name} order by id") == expected

    @pytest.mark.parametrize(("name", "told"), FAILS.items())
    def test_an_error_says_why(self, second: Run, name: str, told: str) -> None:
        assert told in second.message(name)

    def test_a_feature_that_is_turned_on_is_told(self, second: Run) -> None:
        (warning,) = [each for each in second.warnings if "'widened_merge'" in each]
        assert "turns on the table feature typeWidening to widen v; from then on" in warning

    def test_fields_that_are_not_written_are_named(self, second: Run) -> None:
        (warning,) = [each for each in second.warnings if "'ignored_field'" in each]
        assert "not written: s.b" in warning


class TestProtocolOfAFullRefresh:
    """What sync_all_columns turned on is given back; what the model asks for stays."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            f"{name}.sql": incremental(*SCHEMAS[name][:3])
            for name in ("dropped", "asked_for_widening")
        }

    @pytest.fixture(scope="class")
    def refreshed(self, project: TestProjInfo) -> Run:
        dbt(project, "run")
        dbt(project, "run")
        assert features(project, "dropped") >= {"columnMapping", "typeWidening"}
        return dbt(project, "run", "--full-refresh")

    def test_the_features_of_the_sync_are_dropped(
        self, project: TestProjInfo, refreshed: Run
    ) -> None:
        assert features(project, "dropped").isdisjoint({"columnMapping", "typeWidening"})

    def test_the_rows_are_those_of_the_refresh(self, project: TestProjInfo, refreshed: Run) -> None:
        assert rows(project, "select id, gone, v from {schema}.dropped") == [(1, "a", 1)]
        assert refreshed.response("dropped")["rows_affected"] == 1

    def test_features_that_the_model_asks_for_stay(
        self, project: TestProjInfo, refreshed: Run
    ) -> None:
        assert features(project, "asked_for_widening") >= {"columnMapping", "typeWidening"}

    def test_the_next_run_widens_again(self, project: TestProjInfo, refreshed: Run) -> None:
        again = dbt(project, "run", "--select", "dropped")
        assert again.status("dropped") == "success", again.message("dropped")
        query = "select id, v from {schema}.dropped order by id"
        assert rows(project, query) == SCHEMAS["dropped"][3]


def features(project: TestProjInfo, model: str) -> set[str]:
    found = project.run_sql(f"describe detail {project.test_schema}.{model}", fetch="one")
    return set(found["tableFeatures"])
