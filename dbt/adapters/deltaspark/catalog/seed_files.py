"""A seed's file: its cells, every character of them, with the lines on which they are."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt_common.exceptions import DbtRuntimeError

if TYPE_CHECKING:
    from typing import TypeAlias

    Cells: TypeAlias = Sequence[str | None]
    Lines: TypeAlias = list[tuple[int, list[str]]]

BOM = "\ufeff"
NULLS = ("", "null")
"""What dbt takes for null, whatever its case and the spaces around it."""
SHOWN = 5


class SeedFileError(DbtRuntimeError):
    """A seed's file is no table; nothing was written."""

    def __init__(self, label: str, problem: str) -> None:
        super().__init__(f"{label}: {problem}; nothing was written.")


@dataclass(frozen=True, slots=True)
class SeedFile:
    """The cells by column, null where dbt has null; `lines` are those on which the rows begin."""

    columns: tuple[Cells, ...]
    lines: tuple[int, ...]
    warnings: tuple[str, ...]


def path_of(config: Any, model: Mapping[str, Any]) -> Path:
    """Where dbt finds the file: in the project, or in the package that it is of."""
    package, file = model["package_name"], str(model["original_file_path"])
    is_own = package == config.project_name
    folder = "." if is_own else os.path.join(config.packages_install_path, package)
    path = Path(config.project_root, folder, file)
    return path if path.exists() else Path(model.get("root_path") or ".", file)


def read_seed(path: Path, label: str, delimiter: str) -> SeedFile:
    """Raises SeedFileError with the line where the file cannot be read as a table."""
    try:
        rows = _rows(_text(path), delimiter)
    except ValueError as error:
        raise SeedFileError(label, str(error)) from error
    if not rows:
        raise SeedFileError(
            label, "the file is empty, and its first line is to have the columns' names"
        )
    (first, header), *rest = rows
    if not header:
        raise SeedFileError(
            label, f"line {first} is blank, and it is to have the columns' names: take it out"
        )
    if long := [row for row in rest if len(row[1]) > len(header)]:
        raise SeedFileError(label, _too_long(long, header, delimiter))
    kept = [row for row in rest if row[1] or len(header) == 1]
    warnings = (*_of_names(header), *_of_blanks(rest, header), *_of_short_rows(kept, header))
    return SeedFile(_by_columns(kept, len(header)), tuple(line for line, _ in kept), warnings)


def _text(path: Path) -> str:
    """With the line ends that it has: a quoted cell may have some."""
    given = path.read_bytes()
    try:
        return given.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError as error:
        line = given[: error.start].count(b"\n") + 1
        raise ValueError(
            f"line {line} is not UTF-8 (0x{given[error.start]:02x}): save the file as UTF-8"
        ) from error


def _rows(text: str, delimiter: str) -> Lines:
    """The rows with the lines on which they begin; blank ones have no cells."""
    try:
        reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    except TypeError as error:
        raise ValueError(f"delimiter is one character, got {delimiter!r}") from error
    rows, begins = [], 1
    try:
        for row in reader:
            rows.append((begins, row))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"line {begins} cannot be read: {error}") from error
    return rows


def _by_columns(rows: Lines, width: int) -> tuple[Cells, ...]:
    padded = (row if len(row) == width else row + [""] * (width - len(row)) for _, row in rows)
    found = [*zip(*padded, strict=True)] or [()] * width
    return tuple([_cell(each) for each in column] for column in found)


def _cell(text: str) -> str | None:
    return None if text.strip().lower() in NULLS else text


def _too_long(rows: Lines, header: list[str], delimiter: str) -> str:
    line, row = rows[0]
    others = f", as have {len(rows) - 1} lines more" if len(rows) > 1 else ""
    return (
        f"line {line} has {len(row)} cells, and the header has {len(header)} columns{others}. Put"
        f" a cell that has a {delimiter!r} into double quotes, or name the column in the header"
    )


def _of_names(header: list[str]) -> Iterator[str]:
    """As agate names the columns, by letters and numbers."""
    unnamed = [number for number, name in enumerate(header, 1) if not name]
    if unnamed:
        yield (
            f"the header has no name for {_numbers('column', unnamed)}, which is then named by a"
            " letter; name it, or take out the delimiter too many"
        )
    for name in sorted({name for name in header if name and header.count(name) > 1}):
        yield (
            f"the header names {name!r} {header.count(name)} times; the second column is named"
            f" {name + '_2'!r}"
        )


def _of_blanks(rows: Lines, header: list[str]) -> Iterator[str]:
    blank = [line for line, row in rows if not row]
    if blank and len(header) == 1:
        yield f"{_numbers('line', blank)} of the file is blank, which is a null"
    elif blank:
        yield f"{_numbers('line', blank)} of the file is blank and makes no row"


def _of_short_rows(rows: Lines, header: list[str]) -> Iterator[str]:
    short = [line for line, row in rows if 0 < len(row) < len(header)]
    if short:
        yield (
            f"{_numbers('line', short)} of the file has fewer cells than the header has columns"
            f" ({len(header)}); those that are missing are null"
        )


def _numbers(what: str, numbers: Sequence[int]) -> str:
    """The first of them: the sentence that follows is true of each."""
    shown = ", ".join(map(str, numbers[:SHOWN]))
    more = f" and {len(numbers) - SHOWN} more" if len(numbers) > SHOWN else ""
    return f"{what} {shown}{more}" if len(numbers) == 1 else f"each of the {what}s {shown}{more}"
