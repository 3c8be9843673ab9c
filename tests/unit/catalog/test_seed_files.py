"""A seed's file: its cells as they are, and what is said of lines that are no rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark.catalog.seed_files import SeedFile, SeedFileError, read_seed

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, content: bytes, delimiter: str = ",") -> SeedFile:
    path = folder / "s.csv"
    path.write_bytes(content)
    return read_seed(path, "Seed 's' (seeds/s.csv)", delimiter)


@pytest.mark.parametrize(
    ("content", "columns", "lines"),
    [
        (b"a,b\n1,x\n2,y\n", [["1", "2"], ["x", "y"]], (2, 3)),
        (b"\xef\xbb\xbfa,b\r\n1,x\r\n2,y", [["1", "2"], ["x", "y"]], (2, 3)),
        (b'a,b\n1,"two\r\nlines"\n2,"q""q"\n', [["1", "2"], ["two\r\nlines", 'q"q']], (2, 4)),
        (b'a,b\n,NULL\n" ","null "\n', [[None, None], [None, None]], (2, 3)),
        ("a,b\n1,\u2028 \x00\n".encode(), [["1"], ["\u2028 \x00"]], (2,)),
        (b"a,b\n", [[], []], ()),
    ],
    ids=("plain", "of Windows", "quoted", "nulls", "odd characters", "no rows"),
)
def test_cells_are_as_in_the_file(
    tmp_path: Path, content: bytes, columns: list[list[str | None]], lines: tuple[int, ...]
) -> None:
    file = read(tmp_path, content)
    assert ([*map(list, file.columns)], file.lines, file.warnings) == (columns, lines, ())


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty, and its first line is to have the columns' names"),
        (b"\xef\xbb\xbf", "the file is empty, and its first line is to have the columns' names"),
        (b"\na,b\n1,2\n", "line 1 is blank, and it is to have the columns' names"),
        (b"a,b\n1,2\n1,2,3\n1,2,3\n", "line 3 has 3 cells, and the header has 2 columns, as have"),
        (b"a,b\n1,2,\n", "line 2 has 3 cells, and the header has 2 columns. Put a cell that"),
        (b"a,b\n1,2\n3,caf\xe9\n", "line 3 is not UTF-8 (0xe9): save the file as UTF-8"),
    ],
)
def test_what_is_no_table_is_an_error_with_its_line(
    tmp_path: Path, content: bytes, told: str
) -> None:
    with pytest.raises(SeedFileError) as failed:
        read(tmp_path, content)
    assert f"Seed 's' (seeds/s.csv): {told}" in str(failed.value)
    assert str(failed.value).endswith("nothing was written.")


def test_a_delimiter_is_one_character(tmp_path: Path) -> None:
    with pytest.raises(SeedFileError, match=r"delimiter is one character, got '\|\|'"):
        read(tmp_path, b"a\n", "||")


@pytest.mark.parametrize(
    ("content", "columns", "told"),
    [
        (
            b"a,b\n1,x\n\n2,y\n\n",
            [["1", "2"], ["x", "y"]],
            "each of the lines 3, 5 of the file is blank and makes no row",
        ),
        (b"a\n1\n\n", [["1", None]], "line 3 of the file is blank, which is a null"),
        (
            b"a,b\n1\n2,y\n",
            [["1", "2"], [None, "y"]],
            "line 2 of the file has fewer cells than the header has columns (2); those that are"
            " missing are null",
        ),
        (
            b"a,a,b\n1,2,3\n",
            [["1"], ["2"], ["3"]],
            "the header names 'a' 2 times; the second column is named 'a_2'",
        ),
        (
            b"a,\n1,\n",
            [["1"], [None]],
            "the header has no name for column 2, which is then named by a letter; name it, or take"
            " out the delimiter too many",
        ),
    ],
    ids=("blank", "blank in one column", "short", "twice", "unnamed"),
)
def test_what_is_odd_in_a_file_is_told(
    tmp_path: Path, content: bytes, columns: list[list[str | None]], told: str
) -> None:
    file = read(tmp_path, content)
    assert ([*map(list, file.columns)], file.warnings) == (columns, (told,))
