"""Seeds whose files dbt by itself reads otherwise: the cells stay, and what is odd is told."""

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

CODES = {
    "price": "1,5",
    "share": "15%",
    "cost": "€5",
    "label": "_1",
    "dashes": "--5",
    "name": "Nan",
    "digits": "٣",
    "part": "20T10",
    "week": "2024T12",
    "zip": "00501",
    "phone": "+4912",
    "day": "2024-2-9",
    "flag": "t,rue",
}
"""What dbt takes for a number, a date, a time or a boolean, and a cast would not keep."""
CELLS = {
    "codes": ",".join(CODES) + "\n" + 2 * (",".join(f'"{v}"' for v in CODES.values()) + "\n"),
    "said": "zip\n00501\n",
    "kept": "n,long,part,day,moment,zoned,flag\n"
    "5,12345678901234567890,2.00,2024-02-09,2024-02-09 01:02:03,2024-02-09T01:02:03Z,true\n",
    "lines": 'id,v\n1,"a\nb"\n',
    "blank": "id,v\n1,a\n\n2,b\n\n",
    "short": "id,v\n1\n2,b\n",
    "twice": "id,v,v,\n1,a,b,c\n",
}
NO_TABLES = {
    "nothing": ("", "the file is empty, and its first line is to have the columns' names"),
    "too_wide": ("id,v\n1,a\n2,b,c\n", "line 3 has 3 cells, and the header has 2 columns"),
    "after_two_lines": ('id,v\n1,"a\nb"\n2,b,c\n', "line 4 has 3 cells, and the header has 2"),
    "separated": ("id;v\n", "delimiter is one character, got ';;'"),
}


@pytest.mark.filterwarnings("ignore::agate.warns.DuplicateColumnWarning")
@pytest.mark.filterwarnings("ignore::agate.warns.UnnamedColumnWarning")
class TestCells:
    """What is in the file, and what dbt's own reading would make of it."""

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        no_tables = {name: text for name, (text, _) in NO_TABLES.items()}
        return {f"{name}.csv": text for name, text in {**CELLS, **no_tables}.items()}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        given = {
            "said": {"+column_types": {"zip": "string"}},
            "separated": {"+delimiter": ";;"},
        }
        return {"seeds": {"test": given}}

    @pytest.fixture(scope="class")
    def loaded(self, project: TestProjInfo) -> Run:
        windows = Path(project.project_root, "seeds", "windows.csv")
        windows.write_bytes(b'\xef\xbb\xbfid,v\r\n1,"two\r\nlines"\r\n')
        return dbt(project, "seed")

    def test_what_a_cast_would_not_keep_stays_a_text(
        self, project: TestProjInfo, loaded: Run
    ) -> None:
        assert loaded.status("codes") == "success", loaded.message("codes")
        assert set(types(project, "codes")) == {"string"}
        assert rows(project, "select * from {schema}.codes") == 2 * [tuple(CODES.values())]

    @pytest.mark.parametrize(("column", "text"), CODES.items(), ids=CODES)
    def test_it_is_told_once_a_column(self, loaded: Run, column: str, text: str) -> None:
        told = [each for each in loaded.warnings if f"the column {column!r} is a string" in each]
        assert len(told) == 1
        assert f"{text!r} would be another text" in told[0]

    def test_a_column_of_a_given_type_is_not_told(self, project: TestProjInfo, loaded: Run) -> None:
        assert rows(project, "select * from {schema}.said") == [("00501",)]
        assert [each for each in loaded.warnings if "'said'" in each] == []

    def test_what_a_cast_keeps_has_its_type(self, project: TestProjInfo, loaded: Run) -> None:
        assert types(project, "kept") == [
            "bigint",
            "decimal(38,0)",
            "double",
            "date",
            "timestamp",
            "timestamp",
            "boolean",
        ]
        assert rows(project, "select * from {schema}.kept") == [
            (
                5,
                Decimal(12345678901234567890),
                2.0,
                date(2024, 2, 9),
                datetime(2024, 2, 9, 1, 2, 3),
                datetime(2024, 2, 9, 1, 2, 3),
                True,
            )
        ]
        assert [each for each in loaded.warnings if "'kept'" in each] == []

    def test_line_ends_in_a_cell_are_as_in_the_file(
        self, project: TestProjInfo, loaded: Run
    ) -> None:
        assert rows(project, "select id, v from {schema}.windows") == [(1, "two\r\nlines")]
        assert rows(project, "select id, v from {schema}.lines") == [(1, "a\nb")]

    def test_a_blank_line_makes_no_row_and_is_told(
        self, project: TestProjInfo, loaded: Run
    ) -> None:
        assert rows(project, "select * from {schema}.blank order by id") == [(1, "a"), (2, "b")]
        told = "each of the lines 3, 5 of the file is blank and makes no row"
        assert [each for each in loaded.warnings if told in each and "'blank'" in each]
        assert loaded.response("blank")["rows_inserted"] == 2

    def test_missing_cells_are_told(self, project: TestProjInfo, loaded: Run) -> None:
        assert rows(project, "select * from {schema}.short order by id") == [(1, None), (2, "b")]
        told = "line 2 of the file has fewer cells than the header has columns (2)"
        assert [each for each in loaded.warnings if told in each and "'short'" in each]

    def test_names_that_dbt_gives_are_told(self, project: TestProjInfo, loaded: Run) -> None:
        assert rows(project, "select id, v, v_2, d from {schema}.twice") == [(1, "a", "b", "c")]
        told = [each for each in loaded.warnings if "'twice'" in each]
        assert [each for each in told if "the header names 'v' 2 times" in each]
        assert [each for each in told if "the header has no name for column 4" in each]

    @pytest.mark.parametrize("name", NO_TABLES)
    def test_a_file_that_is_no_table_is_an_error_with_its_line(
        self, project: TestProjInfo, loaded: Run, name: str
    ) -> None:
        assert loaded.status(name) == "error"
        assert f"Seed {name!r} (seeds/{name}.csv): {NO_TABLES[name][1]}" in loaded.message(name)
        assert rows(project, f"show tables in {{schema}} like '{name}'") == []


def types(project: TestProjInfo, name: str) -> list[str]:
    with get_connection(project.adapter):
        columns = project.adapter.get_columns_in_relation(relation_from_name(project.adapter, name))
    return [each.dtype for each in columns]
