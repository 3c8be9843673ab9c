"""Seeds: every value of the file in the table, in one commit, and errors that name the cell."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from dbt.tests.util import get_connection, relation_from_name
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

SEEDS = {
    "kinds": (
        "whole,long,longest,part,day,moment,zoned,flag,word\n"
        "1,12345678901234567890,123456789012345678901234567890123456789012,0.5,2024-02-29,"
        "2024-02-29 23:59:59,2024-02-29T12:00:00+02:00,true,one\n"
        "-9223372036854775807,-1,-1,1e3,1969-12-31,1969-12-31 00:00:00,1969-12-31T00:00:00Z,"
        "FALSE,two\n"
        ",,,,,,,,\n"
    ),
    "texts": (
        "id,v\n"
        "1,it's\n"
        '2,"say ""hi"", she said"\n'
        '3,"two\nlines"\n'
        "4,back\\slash\\n\n"
        "5,${var} {{ jinja }} %s ? ; --\n"
        "6,żółć 日本 😀\n"
        '7,""\n'
        "8,null\n"
        "9, spaced \n"
    ),
    "exact_texts": "id,code,n\n1,007,1.10\n2,00a,2\n3,,\n",
    "boletos": (
        "id,boleto,n\n"
        "1,00190500954014481606906809350314337370000000100,1234567890123456789012345678901234\n"
        "2,1e45,007\n"
        "3,007,\n"
        "4,null,1\n"
    ),
    "sized": "id,code,flag\n1,007,y\n2,abc,\n",
    "too_long": "id,code\n1,abc\n2,abcd\n",
    "prices": "id,price,sold\n1,1.00,3.00\n2,2.00,4\n",
    "odd_names": "the key,a.b,select,c`d,é;\n1,2,3,4,5\n",
    "piped": 'id|v\n1|"a|b"\n2|c,d\n',
    "empty": "id,v\n",
    "all_null": "id,v\n1,\n2,\n",
    "misfits": "id,n,day\n1,12,2024-01-01\n2,twelve,2024-02-30\n3,,\n",
    "is_misconfigured": "id,Id,the name\n1,2,x\n",
    "of_countries": "country_code\n007\n",
    "of_counties": "county_code\n007\n",
    "of_any_type": "zip_code\n007\n",
}
CONFIG = {
    "exact_texts": {"column_types": {"code": "string", "n": "decimal(10,2)"}},
    "sized": {"column_types": {"code": "VARCHAR(3)", "flag": "char(2)"}},
    "too_long": {"column_types": {"code": "varchar(3)"}},
    "prices": {"column_types": {"sold": "int"}},
    "piped": {"delimiter": "|"},
    "misfits": {"column_types": {"n": "int", "day": "date"}},
    "of_countries": {"column_types": {"county_code": None}},
    "of_any_type": {"column_types": {"zip_code": None}},
    "is_misconfigured": {
        "quote_columns": False,
        "partition_by": "the_name",
        "column_type": {"id": "int"},
        "column_types": {"ID": "int", "a name": "txt", "id": "txt", "the name": "text"},
    },
}
WELL = sorted(set(SEEDS) - {"misfits", "too_long", "is_misconfigured"})


@pytest.mark.filterwarnings("ignore:.*does not match the name of any column in this table")
class TestSeeds:
    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {f"{name}.csv": text for name, text in SEEDS.items()}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {
            "seeds": {
                "test": {
                    "+column_types": {"zip_code": "string", "county_code": "string"},
                    **{
                        name: {f"+{key}": value for key, value in config.items()}
                        for name, config in CONFIG.items()
                    },
                }
            }
        }

    @pytest.fixture(scope="class")
    def loaded(self, project: TestProjInfo) -> Run:
        return dbt(project, "seed")

    @pytest.mark.parametrize("name", WELL)
    def test_a_seed_is_one_statement(self, loaded: Run, name: str) -> None:
        assert loaded.status(name) == "success", loaded.message(name)
        assert len(loaded.statements_of(name)) == 1
        assert loaded.response(name)["delta_version"] == 0

    def test_values_have_the_types_that_dbt_finds(self, project: TestProjInfo, loaded: Run) -> None:
        types = {name: kind for name, kind, *_ in rows(project, "describe {schema}.kinds")}
        assert types == {
            "whole": "bigint",
            "long": "decimal(38,0)",
            "longest": "string",
            "part": "double",
            "day": "date",
            "moment": "timestamp",
            "zoned": "timestamp",
            "flag": "boolean",
            "word": "string",
        }

    def test_whole_numbers_with_decimals_load(self, project: TestProjInfo, loaded: Run) -> None:
        assert rows(project, "describe {schema}.prices") == [
            ("id", "bigint", None),
            ("price", "double", None),
            ("sold", "int", None),
        ]
        prices = rows(project, "select * from {schema}.prices order by id")
        assert prices == [(1, 1.0, 3), (2, 2.0, 4)]

    def test_values_keep_every_digit(self, project: TestProjInfo, loaded: Run) -> None:
        assert rows(project, "select * from {schema}.kinds order by word nulls last") == [
            (
                1,
                Decimal(12345678901234567890),
                "123456789012345678901234567890123456789012",
                0.5,
                date(2024, 2, 29),
                datetime(2024, 2, 29, 23, 59, 59),
                datetime(2024, 2, 29, 10),
                True,
                "one",
            ),
            (
                -9223372036854775807,
                Decimal(-1),
                "-1",
                1000.0,
                date(1969, 12, 31),
                datetime(1969, 12, 31),
                datetime(1969, 12, 31),
                False,
                "two",
            ),
            (None,) * 9,
        ]

    def test_texts_are_as_in_the_file(self, project: TestProjInfo, loaded: Run) -> None:
        assert [text for _, text in rows(project, "select * from {schema}.texts order by id")] == [
            "it's",
            'say "hi", she said',
            "two\nlines",
            "back\\slash\\n",
            "${var} {{ jinja }} %s ? ; --",
            "żółć 日本 😀",
            # dbt takes an empty cell and the word null for null.
            None,
            None,
            " spaced ",
        ]

    def test_numbers_that_become_texts_are_as_in_the_file(
        self, project: TestProjInfo, loaded: Run
    ) -> None:
        assert rows(project, "select * from {schema}.boletos order by id") == [
            (
                1,
                "00190500954014481606906809350314337370000000100",
                "1234567890123456789012345678901234",
            ),
            (2, "1e45", "007"),
            (3, "007", None),
            (4, None, "1"),
        ]

    def test_column_types_decide(self, project: TestProjInfo, loaded: Run) -> None:
        assert rows(project, "select * from {schema}.exact_texts order by id") == [
            (1, "007", Decimal("1.10")),
            (2, "00a", Decimal("2.00")),
            (3, None, None),
        ]

    def test_texts_may_have_a_length(self, project: TestProjInfo, loaded: Run) -> None:
        with get_connection(project.adapter):
            sized = relation_from_name(project.adapter, "sized")
            columns = project.adapter.get_columns_in_relation(sized)
        assert [each.dtype for each in columns] == ["bigint", "varchar(3)", "char(2)"]
        assert rows(project, "select code, flag from {schema}.sized order by id") == [
            ("007", "y "),
            ("abc", None),
        ]

    def test_a_text_beyond_its_length_is_named(self, project: TestProjInfo, loaded: Run) -> None:
        message = loaded.message("too_long")
        assert "values do not fit their column's type; nothing was written" in message
        assert "- line 3, column 'code': 'abcd' is not a varchar(3)" in message
        assert rows(project, "show tables in {schema} like 'too_long'") == []

    def test_names_may_have_any_characters(self, project: TestProjInfo, loaded: Run) -> None:
        query = "select `the key`, `a.b`, `select`, `c``d`, `é;` from {schema}.odd_names"
        assert rows(project, query) == [(1, 2, 3, 4, 5)]

    def test_another_delimiter_separates(self, project: TestProjInfo, loaded: Run) -> None:
        assert rows(project, "select * from {schema}.piped order by id") == [(1, "a|b"), (2, "c,d")]

    def test_a_seed_may_have_no_rows_or_no_values(self, project: TestProjInfo, loaded: Run) -> None:
        assert rows(project, "select * from {schema}.empty") == []
        assert rows(project, "select * from {schema}.all_null order by id") == [
            (1, None),
            (2, None),
        ]

    def test_a_seed_answers_with_its_counts(self, loaded: Run) -> None:
        response = loaded.response("texts")
        assert response["rows_affected"] == response["rows_inserted"] == 9
        assert (response["code"], response["files_added"]) == ("SEED", 1)
        assert response["_message"].startswith("SEED 9 rows in 1 file [v0, ")

    def test_cells_that_do_not_fit_are_named(self, project: TestProjInfo, loaded: Run) -> None:
        message = loaded.message("misfits")
        assert "'misfits' (seeds/misfits.csv): values do not fit their column's type" in message
        assert "- line 3, column 'n': 'twelve' is not a int" in message
        assert "- line 3, column 'day': '2024-02-30' is not a date" in message
        assert rows(project, "show tables in {schema} like 'misfits'") == []

    def test_all_config_problems_come_at_once(self, loaded: Run) -> None:
        message = loaded.message("is_misconfigured")
        for problem in (
            "has 7 config problems",
            "column_types names 'ID', which the file does not have; did you mean 'id'?",
            "the columns 'id' and 'Id' are one to Spark, which ignores case",
            "quote_columns is false, but the column 'the name' is a syntax error without quotes",
            "column_types gives 'the name' the type 'text'; did you mean 'string'?",
            "column_types gives 'id' the type 'txt'",
            "partition_by names 'the_name', which the seed does not produce; did you mean 'the n",
            "config 'column_type' is not known; did you mean 'column_types'?",
        ):
            assert problem in message

    def test_a_type_of_the_folder_is_of_the_seeds_that_have_the_column(
        self, project: TestProjInfo, loaded: Run
    ) -> None:
        assert rows(project, "select * from {schema}.of_counties") == [("007",)]
        assert rows(project, "select * from {schema}.of_countries") == [("007",)]

    @pytest.mark.parametrize("options", [(), ("--full-refresh",)], ids=("", "full refresh"))
    def test_loading_again_replaces_the_rows_in_one_commit(
        self, project: TestProjInfo, loaded: Run, options: tuple[str, ...]
    ) -> None:
        before = len(rows(project, "describe history {schema}.texts"))
        again = dbt(project, "seed", "--select", "texts", *options)
        assert again.response("texts")["delta_version"] == before
        assert len(rows(project, "describe history {schema}.texts")) == before + 1
        assert rows(project, "select count(*), count(distinct id) from {schema}.texts") == [(9, 9)]


class TestPriceList:
    """The first price with a fraction comes with a later edition of the file."""

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {"price_list.csv": "id,price\n1,1\n2,2\n"}

    def test_an_edit_gives_the_column_the_type_that_it_needs(self, project: TestProjInfo) -> None:
        assert dbt(project, "seed").status("price_list") == "success"
        assert types(project, "price_list") == ["bigint", "bigint"]
        edited = "id,price\n1,1\n2,2\n3,1.50\n"
        Path(project.project_root, "seeds", "price_list.csv").write_text(edited)
        again = dbt(project, "seed")
        assert again.status("price_list") == "success", again.message("price_list")
        assert types(project, "price_list") == ["bigint", "double"]
        assert rows(project, "select * from {schema}.price_list order by id") == [
            (1, 1.0),
            (2, 2.0),
            (3, 1.5),
        ]


def types(project: TestProjInfo, name: str) -> list[str]:
    with get_connection(project.adapter):
        columns = project.adapter.get_columns_in_relation(relation_from_name(project.adapter, name))
    return [each.dtype for each in columns]
