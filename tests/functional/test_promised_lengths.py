"""The lengths that a contract gives texts: the table's, for the rows of every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from dbt.tests.util import get_connection, relation_from_name
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

ROWS = (
    "select cast(id as int) as id, code, flag, day from values"
    " (1, '{{ var(\"code\", \"abc\") }}', 'y', date'2026-01-02') as t(id, code, flag, day)"
)
INCREMENTAL = "materialized='incremental', on_schema_change='append_new_columns'"
STRATEGIES = {
    "append": "incremental_strategy='append'",
    "merge": "unique_key='id'",
    "insert_only": "incremental_strategy='insert_only', unique_key='code'",
    "delete_insert": "incremental_strategy='delete+insert', unique_key='id'",
    "insert_overwrite": "incremental_strategy='insert_overwrite', partition_by='day'",
    "replace_where": "incremental_strategy='replace_where', incremental_predicates=['id = 1']",
    "microbatch": "incremental_strategy='microbatch', event_time='day', batch_size='year',"
    " begin='2026-01-01'",
    "scd2": "incremental_strategy='scd2', unique_key='id', scd2_check_columns=['code']",
}
KIND = "{{ var('kind', 'varchar(3)') }}"
COLUMNS = (
    '{name: id, data_type: int}, {name: code, data_type: "' + KIND + '"},'
    " {name: flag, data_type: char(2)}, {name: day, data_type: date}"
)
CONTRACT = "config: {contract: {enforced: true}}"
MADE = ["in_table", *STRATEGIES]
LATER = {
    "altered.sql": "{{ config(" + INCREMENTAL + ", unique_key='id') }} select 1 as id,"
    ' \'{{ var("code", "abc") }}\' as code',
    "grown.sql": "{{ config(" + INCREMENTAL + ", unique_key='id') }} select 1 as id"
    '{% if is_incremental() %}, \'{{ var("code", "abc") }}\' as code{% endif %}',
}
IS_PROMISED = "\"{{ var('kind', 'varchar(3)') != 'none' }}\""
LATER_YML = (
    f"models:\n- {{name: altered, {CONTRACT}, columns: [{{name: id, data_type: int}},"
    f' {{name: code, data_type: "{KIND}"}}]}}\n'
    f"- {{name: grown, config: {{contract: {{enforced: {IS_PROMISED}}}}},"
    f' columns: [{{name: id, data_type: int}}, {{name: code, data_type: "{KIND}"}}]}}\n'
)


def types(project: TestProjInfo, name: str) -> list[str]:
    with get_connection(project.adapter):
        columns = project.adapter.get_columns_in_relation(relation_from_name(project.adapter, name))
    return [each.dtype for each in columns if not each.name.startswith("_")]


class TestPromisedLengths:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        made = {
            f"{name}.sql": f"{{{{ config({INCREMENTAL}, {config}) }}}} {ROWS}"
            for name, config in STRATEGIES.items()
        }
        held = [f"- {{name: {name}, {CONTRACT}, columns: [{COLUMNS}]}}" for name in MADE]
        return {
            **made,
            "in_table.sql": "{{ config(materialized='table') }} " + ROWS,
            "contracts.yml": "\n".join(["models:", *held]),
        }

    @pytest.fixture(scope="class")
    def made(self, project: TestProjInfo) -> Run:
        return dbt(project, "run")

    @pytest.fixture(scope="class")
    def too_long(self, project: TestProjInfo, made: Run) -> Run:
        return dbt(project, "run", "--vars", "{code: abcd}")

    @pytest.mark.parametrize("name", MADE)
    def test_they_are_the_tables(self, project: TestProjInfo, made: Run, name: str) -> None:
        assert made.status(name) == "success", made.message(name)
        found = types(project, name)
        assert found[:4] == ["int", "varchar(3)", "char(2)", "date"]
        assert rows(project, f"select id, code, flag from {{schema}}.{name}") == [(1, "abc", "y ")]

    @pytest.mark.parametrize("name", MADE)
    def test_a_longer_text_is_not_written(
        self, project: TestProjInfo, too_long: Run, name: str
    ) -> None:
        assert too_long.status(name) == "error"
        assert rows(project, f"select id, code from {{schema}}.{name}") == [(1, "abc")]

    @pytest.mark.parametrize("name", sorted({*MADE} - {"microbatch"}))
    def test_a_longer_text_is_named(self, too_long: Run, name: str) -> None:
        message = too_long.message(name)
        assert "code is STRING in the model and VARCHAR(3) in the table" in message
        assert "  - 'abcd'" in message
        assert "Shorten them in the model" in message

    def test_so_is_one_that_a_blank_makes_longer(self, project: TestProjInfo, made: Run) -> None:
        ended = dbt(project, "run", "--select", "merge append", "--vars", "{code: 'abc '}")
        for name in ("merge", "append"):
            assert "  - 'abc '" in ended.message(name)
            assert rows(project, f"select id, code from {{schema}}.{name}") == [(1, "abc")]

    def test_the_key_of_a_longer_text_is_named(self, too_long: Run) -> None:
        assert "- 'abcd', where id = 1" in too_long.message("merge")


TAKEN = (
    "{% snapshot taken %}{{ config(unique_key='id', strategy='check', check_cols='all',"
    " contract={'enforced': true}) }} select 1 as id, '{{ var(\"code\", \"abc\") }}' as code"
    "{% endsnapshot %}"
)
TAKEN_YML = (
    "snapshots: [{name: taken, columns: [{name: id, data_type: int},"
    " {name: code, data_type: varchar(3)}]}]"
)


class TestAlteredLengths:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {**LATER, "contracts.yml": LATER_YML}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"taken.sql": TAKEN, "taken.yml": TAKEN_YML}

    def test_another_promise_is_a_change_of_the_table(self, project: TestProjInfo) -> None:
        def run(kind: str, code: str) -> Run:
            given = f"{{kind: '{kind}', code: '{code}'}}"
            return dbt(project, "run", "--select", "altered", "--vars", given)

        def kept() -> tuple[str, list[tuple[object, ...]]]:
            return types(project, "altered")[1], rows(project, "select * from {schema}.altered")

        assert run("string", "ab").status("altered") == "success"
        assert kept() == ("string", [(1, "ab")])
        assert run("varchar(3)", "abc").status("altered") == "success"
        assert kept() == ("varchar(3)", [(1, "abc")])
        assert run("varchar(4)", "abcd").status("altered") == "success"
        assert kept() == ("varchar(4)", [(1, "abcd")])
        narrower = run("varchar(2)", "ab")
        assert narrower.status("altered") == "error"
        message = narrower.message("altered")
        assert "code varchar(2): 1 rows, such as" in message
        assert "- id = 1, code = 'abcd'" in message
        assert kept() == ("varchar(4)", [(1, "abcd")])
        assert run("string", "abcdefgh").status("altered") == "success"
        assert kept() == ("string", [(1, "abcdefgh")])
        history = "describe history {schema}.altered"
        before = len(rows(project, history))
        assert run("string", "abcdefgh").status("altered") == "success"
        assert len(rows(project, history)) == before + 1

    def test_a_snapshot_has_them(self, project: TestProjInfo) -> None:
        assert dbt(project, "snapshot").status("taken") == "success"
        assert types(project, "taken")[:2] == ["int", "varchar(3)"]
        later = dbt(project, "snapshot", "--vars", "{code: abcd}")
        assert "code is STRING in the model and VARCHAR(3) in the table" in later.message("taken")
        assert "- 'abcd', where id = 1" in later.message("taken")
        assert rows(project, "select id, code from {schema}.taken") == [(1, "abc")]

    def test_a_new_column_has_its_length(self, project: TestProjInfo) -> None:
        def run(kind: str, code: str) -> Run:
            given = f"{{kind: '{kind}', code: '{code}'}}"
            return dbt(project, "run", "--select", "grown", "--vars", given)

        assert run("none", "").status("grown") == "success"
        failed = run("varchar(3)", "abcd")
        assert "- 'abcd', where id = 1" in failed.message("grown")
        assert types(project, "grown") == ["int"]
        assert run("varchar(3)", "abc").status("grown") == "success"
        assert types(project, "grown") == ["int", "varchar(3)"]


REFUSED = {
    "in_a_struct": ("select named_struct('a', 'abcd') as code", "struct<a: varchar(3)>"),
    "not_null_field": ("select named_struct('a', 1) as code", "struct<a: int not null>"),
    "not_null_column": ("select 1 as code", "int not null"),
    "seen": ("{{ config(materialized='view') }} select 'abcd' as code", "varchar(3)"),
    "in_parquet": ("{{ config(file_format='parquet') }} select 'abcd' as code", "varchar(3)"),
}
TOLD = {
    "in_a_struct": "only a whole column keeps the length of its texts",
    "not_null_field": "NOT NULL is no part of a type here",
    "not_null_column": "NOT NULL is no part of a type here",
    "seen": "gives 'code' the type varchar(3), and a view holds rows to no length",
    "in_parquet": "tables of parquet keep no length",
}


class TestPromisesThatNothingHolds:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, object]:
        return {"models": {"+materialized": "table"}}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        held = [
            f"- {{name: {name}, {CONTRACT}, columns: [{{name: code, data_type: '{kind}'}}]}}"
            for name, (_, kind) in {**REFUSED, **HELD}.items()
        ]
        return {
            **{f"{name}.sql": sql for name, (sql, _) in {**REFUSED, **HELD}.items()},
            "contracts.yml": "\n".join(["models:", *held]),
        }

    @pytest.fixture(scope="class")
    def ran(self, project: TestProjInfo) -> Run:
        return dbt(project, "run")

    @pytest.mark.parametrize("name", REFUSED)
    def test_they_are_refused_by_name(self, project: TestProjInfo, ran: Run, name: str) -> None:
        assert ran.status(name) == "error"
        assert TOLD[name] in ran.message(name)
        assert "'code'" in ran.message(name)
        assert rows(project, f"show tables in {{schema}} like '{name}'") == []

    def test_a_view_of_a_table_has_its_lengths(self, project: TestProjInfo, ran: Run) -> None:
        assert ran.status("read") == "success", ran.message("read")
        assert types(project, "read") == types(project, "held") == ["varchar(3)"]

    def test_a_promised_string_takes_any_length(self, project: TestProjInfo, ran: Run) -> None:
        assert ran.status("any") == "success", ran.message("any")
        assert types(project, "any") == ["string"]


HELD = {
    "held": ("select 'abc' as code", "varchar(3)"),
    "read": ("{{ config(materialized='view') }} select code from {{ ref('held') }}", "varchar(3)"),
    "any": ("select code from {{ ref('held') }}", "string"),
}
