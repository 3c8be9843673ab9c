"""Snapshots whose query has other types than their table, and times that lag: four runs."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, rows
from snapshot_cases import BOTH, BY_TIME, BY_VALUE, DAY_1, DAY_2, ONLY_ONE, run, snapshot, values

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

BY_DATE = "strategy='timestamp', updated_at='d', unique_key='id', hard_deletes='invalidate'"
LATE = ", dbt_valid_to_current=\"timestamp'9999-12-31 23:59:59'\""
DAYS = values("id, d", "(1, date'2024-05-01'), (2, date'2024-05-01')")
LATER_DAYS = values("id, d", "(1, date'2024-05-01'), (2, date'2024-05-02')")
TEXTS = values("id, d", "(1, '20240501'), (2, '20240501')")
LATER_TEXTS = values("id, d", "(1, '20240501'), (2, '20240502')")
LAGS = values("id, v, at", "(1, 'one', timestamp'2024-05-01'), (2, 'x', timestamp'2024-06-15')")
LAGGING = (BOTH, ONLY_ONE, BOTH, LAGS)
EVOLVED = values(
    "id, at, s, l",
    "(1, timestamp'2024-05-01', named_struct('C', 3, 'a', 1), array(named_struct('a', 1))),"
    " (3, timestamp'2024-05-02', named_struct('C', 3, 'a', 1), array(named_struct('a', 1)))",
)
STRUCTS = values(
    "id, at, s, l",
    ", ".join(
        f"({key}, timestamp'2024-05-01', named_struct('a', 1, 'b', 2),"
        f" array(named_struct('a', 1, 'b', 2)))"
        for key in (1, 2, 3)
    ),
)
CHECKED = values(
    "id, s, l",
    "(1, named_struct('a', 1, 'b', 2), array(named_struct('a', 1, 'b', 2))),"
    " (2, named_struct('a', 1, 'b', null), array(named_struct('a', 1, 'b', null))),"
    " (3, null, null)",
)
CHECKED_LATER = values(
    "id, s, l",
    "(1, named_struct('a', 1, 'c', cast(null as int)), array(named_struct('a', 1))),"
    " (2, named_struct('a', 1, 'c', cast(null as int)), array(named_struct('a', 1))),"
    " (3, null, null)",
)
NARROW = "select 1 as id, cast(1.5 as decimal(4,1)) as p, date'2024-05-01' as d, 1L as n"
WIDE = "select 1 as id, cast(1.55 as decimal(5,2)) as p, timestamp'2024-05-01 12:00' as d, 1 as n"
UNTOLD, TOO_LARGE = "select 1 as id, cast(null as int) as n", "select 1 as id, 3000000000 as n"
OFFERED = {
    "date_times": (BY_DATE + LATE, DAYS, LATER_DAYS, LATER_DAYS, LATER_DAYS),
    "text_times": (
        BY_DATE + ", dbt_valid_to_current=\"date'9999-12-31'\"",
        TEXTS,
        LATER_TEXTS,
        LATER_TEXTS,
        LATER_TEXTS,
    ),
    "taken_over": (BY_DATE + LATE, DAYS, LATER_DAYS, LATER_DAYS, LATER_DAYS),
    "lags_after_an_end": (BY_TIME + ", hard_deletes='invalidate'", *LAGGING),
    "lags_after_a_deletion": (BY_TIME + ", hard_deletes='new_record'", *LAGGING),
    "structs_by_time": (BY_TIME + ", hard_deletes='new_record'", STRUCTS, *[EVOLVED] * 3),
    "checked_structs": (BY_VALUE, CHECKED, *[CHECKED_LATER] * 3),
    "narrow": (BY_VALUE, NARROW, WIDE, WIDE, WIDE),
    "overflows": (BY_VALUE, UNTOLD, *[TOO_LARGE] * 3),
}
"""Snapshots by name: each one's config and its query at each of four steps."""
END, LATE_END = datetime(9999, 12, 31), datetime(9999, 12, 31, 23, 59, 59)


@pytest.fixture(scope="class")
def project_config_update() -> dict[str, Any]:
    return {"vars": {"step": 1}}


@pytest.fixture(scope="class")
def snapshots() -> dict[str, str]:
    return {f"{name}.sql": snapshot(name, *facts) for name, facts in OFFERED.items()}


@pytest.fixture(scope="class")
def after(project: TestProjInfo) -> list[Run]:
    """The four runs; the table that is taken over is as dbt-spark makes it."""
    project.run_sql(
        f"create table {project.test_schema}.taken_over using delta as"
        " select id, d, string(id) as dbt_scd_id, timestamp(d) as dbt_updated_at,"
        " timestamp(d) as dbt_valid_from, timestamp'9999-12-31 23:59:59' as dbt_valid_to"
        f" from ({DAYS})"
    )
    return [run(project, step) for step in (1, 2, 3, 4)]


class TestSnapshotTypes:
    @pytest.mark.parametrize("name", sorted({*OFFERED} - {"overflows"}))
    def test_each_run_succeeds(self, after: list[Run], name: str) -> None:
        assert [each.status(name) for each in after] == ["success"] * 4, after[1].message(name)

    @pytest.mark.embedded("Delta's MERGE commits nothing new, too")
    @pytest.mark.parametrize("name", ["date_times", "text_times", "taken_over"])
    def test_the_end_of_current_rows_is_known_as_it_is_stored(
        self, after: list[Run], name: str
    ) -> None:
        assert after[1].response(name)["rows_affected"] == 2
        assert after[2].response(name)["skipped"]
        assert after[3].response(name)["skipped"]

    @pytest.mark.parametrize(
        ("name", "first", "second", "end"),
        [
            ("date_times", date(2024, 5, 1), date(2024, 5, 2), END.date()),
            ("text_times", "20240501", "20240502", "9999-12-31"),
            ("taken_over", DAY_1, DAY_2, LATE_END),
        ],
    )
    def test_current_rows_end_in_the_type_of_the_column(
        self, project: TestProjInfo, after: list[Run], name: str, first: Any, second: Any, end: Any
    ) -> None:
        query = f"select id, dbt_valid_from, dbt_valid_to from {{schema}}.{name} order by all"
        assert rows(project, query) == [(1, first, end), (2, first, second), (2, second, end)]

    @pytest.mark.parametrize(
        ("name", "versions"), [("lags_after_an_end", 3), ("lags_after_a_deletion", 4)]
    )
    def test_a_version_that_lags_begins_with_the_one_it_follows(
        self, project: TestProjInfo, after: list[Run], name: str, versions: int
    ) -> None:
        query = (
            "select count(*), count_if(dbt_valid_to < dbt_valid_from),"
            " max_by(v, dbt_valid_to is null), max(if(dbt_valid_to is null, dbt_updated_at, null)),"
            " max(if(dbt_valid_to is null, dbt_valid_from, null)) = max(dbt_valid_from)"
            f" from {{schema}}.{name} where id = 2"
        )
        assert rows(project, query) == [(versions, 0, "x", datetime(2024, 6, 15), True)]

    def test_a_deletion_row_has_the_fields_that_the_query_no_longer_has(
        self, project: TestProjInfo, after: list[Run]
    ) -> None:
        query = (
            "select id, s.a, s.b, s.c, l[0].b, dbt_is_deleted, dbt_valid_to is null"
            " from {schema}.structs_by_time order by id, dbt_valid_from"
        )
        assert rows(project, query) == [
            (1, 1, 2, None, 2, "False", True),
            (2, 1, 2, None, 2, "False", False),
            (2, 1, 2, None, 2, "True", True),
            (3, 1, 2, None, 2, "False", False),
            (3, 1, None, 3, None, "False", True),
        ]

    def test_a_field_that_one_side_lacks_is_null_to_a_check(
        self, project: TestProjInfo, after: list[Run]
    ) -> None:
        query = (
            "select id, s.b, l[0].b, dbt_valid_to is null from {schema}.checked_structs"
            " order by id, dbt_valid_from"
        )
        assert rows(project, query) == [
            (1, 2, 2, False),
            (1, None, None, True),
            (2, None, None, True),
            (3, None, None, True),
        ]

    def test_a_check_compares_what_would_be_stored(
        self, project: TestProjInfo, after: list[Run]
    ) -> None:
        query = "select p, dbt_valid_to is null from {schema}.narrow order by all"
        assert rows(project, query) == [(Decimal("1.5"), False), (Decimal("1.6"), True)]

    def test_a_type_that_is_narrower_in_the_table_is_told(self, after: list[Run]) -> None:
        (told,) = [text for text in after[1].warnings if "decimal(5,2)" in text]
        assert "p is of the type decimal(5,2) in the query and decimal(4,1) in the table" in told

    def test_a_value_that_cannot_be_stored_is_the_error_of_the_write(
        self, project: TestProjInfo, after: list[Run]
    ) -> None:
        assert after[1].status("overflows") == "error"
        message = after[1].message("overflows")
        assert "CAST_OVERFLOW" in message
        assert "n is BIGINT in the model and INT in the table" in message
        assert message.count("- 3000000000, where id = 1") == 1
        assert rows(project, "select n from {schema}.overflows") == [(None,)]
