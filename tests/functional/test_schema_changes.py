"""A model whose columns are not those of its table: what its next run leaves, or says."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import Row
from pyspark.sql.utils import is_remote
from runs import Run, dbt, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

HISTORY = (
    "incremental_strategy='scd2', unique_key='id', scd2_updated_at='at', scd2_check_columns=['v']"
)
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
    "added_ntz": (
        "unique_key='id', on_schema_change='append_new_columns'",
        "select 1 as id, named_struct('a', 1) as s",
        "select 2 as id, named_struct('a', 2, 'n', array(timestamp_ntz'2026-01-01')) as s,"
        " timestamp_ntz'2026-01-02' as at",
        [
            (1, Row(a=1, n=None), None),
            (2, Row(a=2, n=[datetime(2026, 1, 1)]), datetime(2026, 1, 2)),
        ],
    ),
    "evolved_ntz": (
        "unique_key='id', merge_with_schema_evolution=true",
        "select 1 as id",
        "select 2 as id, array(timestamp_ntz'2026-01-02') as a",
        [(1, None), (2, [datetime(2026, 1, 2)])],
    ),
    "refused_ntz": (
        "unique_key='id', on_schema_change='append_new_columns', allow_protocol_upgrade=false",
        "select 1 as id",
        "select 2 as id, timestamp_ntz'2026-01-02' as at",
        [(1,)],
    ),
    "widened_ntz": (
        "unique_key='id', on_schema_change='sync_all_columns'",
        "select 1 as id, date'2026-01-01' as day",
        "select 2 as id, timestamp_ntz'2026-01-02 10:00:00' as day",
        [(1, datetime(2026, 1, 1)), (2, datetime(2026, 1, 2, 10))],
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
    "kept_type": (
        "unique_key='id', tblproperties={'delta.enableTypeWidening': 'true'}",
        "select 1 as id, 1 as v, named_struct('a', 1, 'b', 1) as s",
        "select 1 as id, cast(2 as bigint) as v, named_struct('a', 2) as s",
        [(1, 2, Row(a=2, b=1))],
    ),
    "widened_and_compared": (
        "unique_key='id', merge_only_changed=true, on_schema_change='append_new_columns',"
        " tblproperties={'delta.enableTypeWidening': 'true'}",
        "select 1 as id, 10 as v",
        "select 1 as id, 10.4d as v",
        [(1, 10.4)],
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
    "widened_history": (
        f"{HISTORY}, on_schema_change='sync_all_columns'",
        "select 1 as id, 1 as at, 1.5 as v",
        "select 1 as id, 2 as at, 1.51 as v",
        [(1, 1, Decimal("1.50"), 1, 2, False), (1, 2, Decimal("1.51"), 2, None, True)],
    ),
    "missing_field_history": (
        HISTORY,
        "select 1 as id, 1 as at, named_struct('a', 1, 'b', 1) as v",
        "select 1 as id, at, named_struct('a', at + 1) as v from values (1), (2) as t(at)",
        [(1, 1, Row(a=2, b=1), 1, 2, False), (1, 2, Row(a=3, b=None), 2, None, True)],
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
    "refused_ntz": "the type of at needs the table feature timestampNtz, which every reader",
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
        assert rows(project, f"select * from {{schema}}.{name} order by all") == expected

    @pytest.mark.parametrize(("name", "told"), FAILS.items())
    def test_an_error_says_why(self, second: Run, name: str, told: str) -> None:
        assert told in second.message(name)

    def test_a_feature_that_is_turned_on_is_told(self, second: Run) -> None:
        (warning,) = [each for each in second.warnings if "'widened_merge'" in each]
        assert "turns on the table feature typeWidening to widen v; from then on" in warning

    def test_a_feature_of_a_new_type_is_told(self, second: Run) -> None:
        (warning,) = [each for each in second.warnings if "'added_ntz'" in each]
        assert "the type of s.n, at needs the table feature timestampNtz" in warning

    def test_the_history_names_a_drop_beside_a_widening(
        self, project: TestProjInfo, second: Run
    ) -> None:
        history = project.run_sql("describe history {schema}.dropped", fetch="all")
        operations = [row["operation"] for row in history[1:-1]]
        assert operations[:2] == ["DROP COLUMNS", "SET TBLPROPERTIES"]
        assert operations[2:] == ["SET TBLPROPERTIES"] * is_remote()  # a commit for each property

    def test_a_column_is_not_widened_where_a_field_is_missing(
        self, project: TestProjInfo, second: Run
    ) -> None:
        (found,) = rows(project, "select typeof(v) from {schema}.kept_type")
        assert found == ("int",)

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
