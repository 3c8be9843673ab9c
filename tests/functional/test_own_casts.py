"""A value that a model's own cast refuses is named with its column and its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

VALUES = "values (1, '7'), (2, 'seven'), (3, 'x'), (4, null) as t(id, text)"
RIGHT = "select 0 as id, 0 as n"
GUARDED = "case when id = 1 then cast(text as int) end as guarded"
NESTED = "lower(cast(text as int)) as a"
MODELS = {
    "plain": f"select id, cast(text as int) as n from {VALUES}",
    "by_ctes": f"with source as (select * from {VALUES}), renamed as (select id, cast(text as int)"
    " + 1 as n from source) select renamed.* from renamed join source using (id)",
    "of_a_view": "select n, count(*) as rows from {{ ref('a_view') }} group by n",
    "grouped": f"select cast(text as int) as n, count(*) as rows from {VALUES} group by 1",
    "filtered": f"select id from {VALUES} where cast(text as int) > 3",
    "nested": f"select id, {NESTED} from {VALUES}",
    "beside_another": f"select id, {GUARDED}, cast(text as int) as n from {VALUES}",
    "guarded": f"select id, {GUARDED.replace('=', '<>')} from {VALUES}",
    "within": f"select transform(array(text), x -> cast(x as int)) as n from {VALUES}",
    "too_large": "select id, cast(id * 100 as tinyint) as n from range(5)",
}
NOT_FITTING = "cast from STRING to INT, and these values do not fit:"
WRITTEN = (
    "Nothing was written. Cast with try_cast, which gives null for them, or correct them where they"
    " come from."
)
WRONG = ["  - 'seven', where id = 2", "  - 'x', where id = 3"]
TOLD = {
    "plain": [f"n is {NOT_FITTING}", *WRONG],
    "by_ctes": [f"n is {NOT_FITTING}", *WRONG],
    "of_a_view": [f"n of the view spark_catalog.{{schema}}.a_view is {NOT_FITTING}", *WRONG],
    "grouped": [f"n is {NOT_FITTING}", *WRONG],
    "filtered": [f"t.text is {NOT_FITTING}", *WRONG],
    "nested": [f"a is {NOT_FITTING}", *WRONG],
    "beside_another": [f"n is {NOT_FITTING}", *WRONG],
    "added": [f"n is {NOT_FITTING}", *WRONG],
    "a_snapshot": [f"n is {NOT_FITTING}", *WRONG],
    "too_large": [
        "n is cast from BIGINT to TINYINT, and these values do not fit:",
        *(f"  - {value}, where id = {value // 100}" for value in (200, 300, 400)),
    ],
}
SNAPSHOT = (
    "{% snapshot a_snapshot %}{{ config(unique_key='id', strategy='check', check_cols='all') }}"
    " {% if var('wrong', false) %} " + MODELS["plain"] + " {% else %} " + RIGHT + " {% endif %}"
    "{% endsnapshot %}"
)


@pytest.mark.embedded("a server says which value of what type, in Spark's words")
class TestOwnCasts:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        table = "{{ config(materialized='table') }} "
        return {
            "a_view.sql": f"select id, cast(text as int) as n from {VALUES}",
            "added.sql": incremental("unique_key='id'", RIGHT, MODELS["plain"]),
            **{f"{name}.sql": table + text for name, text in MODELS.items()},
        }

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"a_snapshot.sql": SNAPSHOT}

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Run:
        dbt(project, "build", "--select", "added", "a_snapshot")
        return dbt(project, "build", "--vars", "wrong: true")

    @pytest.mark.parametrize("name", TOLD)
    def test_the_column_and_the_rows_are_named(
        self, project: TestProjInfo, run: Run, name: str
    ) -> None:
        message = run.message(name)
        _, first, *rest = message.split("\n")
        assert first.lstrip().startswith("[CAST_"), message
        said = [first.partition("] ")[2], *(line.removeprefix("  ") for line in rest)]
        lines = [line.format(schema=project.test_schema) for line in (*TOLD[name], WRITTEN)]
        assert said[: len(lines)] == lines, message

    @pytest.mark.parametrize("name", ["within", "guarded"])
    def test_a_cast_that_is_not_made_for_each_row_is_in_sparks_words(
        self, run: Run, name: str
    ) -> None:
        assert "The value 'seven' of the type \"STRING\" cannot be cast" in run.message(name)

    def test_nothing_was_written(self, project: TestProjInfo, run: Run) -> None:
        assert rows(project, "select id, n from {schema}.added") == [(0, 0)]
        assert rows(project, "select id, n from {schema}.a_snapshot") == [(0, 0)]
