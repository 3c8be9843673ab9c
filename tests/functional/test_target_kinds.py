"""Each strategy on a target that is not as the model says: a view, other partitions, no key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt, rows

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
    selected = ("--select", *names) if names else ()
    return dbt(project, "run", *selected, "--vars", "{later: true}", *WINDOW)


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


KIND = "{{ config(materialized='view' if (var('later', false) %s) else 'table') }} "
BECOMES_A_VIEW = KIND % "" + "select {{ 'no_such' if var('later', false) else 1 }} as id"
READS_ITSELF = KIND % "" + (
    "{% if var('later', false) %} select * from {{ this }} {% else %} select 1 as id {% endif %}"
)
BECOMES_A_TABLE = KIND % "is false" + (
    "select cast({% if var('later', false) %} raise_error('broken') {% else %} 1 {% endif %}"
    " as int) as id"
)


class TestKindsThatFail:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "becomes_a_view.sql": BECOMES_A_VIEW,
            "reads_itself.sql": READS_ITSELF,
            "becomes_a_table.sql": BECOMES_A_TABLE,
            "view_now.sql": KIND % "" + "select 1 as id",
        }

    @pytest.fixture(scope="class")
    def failed(self, project: TestProjInfo) -> Run:
        dbt(project, "run")
        return later(project)

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("becomes_a_view", "no_such"),
            ("reads_itself", "the view that is to come in its place reads it"),
            ("becomes_a_table", "broken"),
        ],
    )
    def test_what_was_there_stays_where_its_successor_fails(
        self, project: TestProjInfo, failed: Run, name: str, told: str
    ) -> None:
        assert failed.status(name) == "error"
        assert told in failed.message(name)
        assert rows(project, f"select * from {{schema}}.{name}") == [(1,)]

    def test_no_other_view_is_left(self, project: TestProjInfo, failed: Run) -> None:
        views = [row[1] for row in rows(project, "show views in {schema}")]
        assert sorted(views) == ["becomes_a_table", "view_now"]
