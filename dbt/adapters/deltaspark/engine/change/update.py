"""The rows of an UPDATE: found and computed in one scan where vectors can take out the old ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from ..delta import (
    at_once,
    column_names,
    copied,
    described,
    kept,
    mark_deleted,
    updated,
    with_images,
)
from .selection import Selection, Taken, rows_by_file, tracked

if TYPE_CHECKING:
    from ..delta import FileChanges


def update_rows(selection: Selection, values: list[Column], *, by_vectors: bool) -> Taken:
    """The chosen rows with these values, one for each of the table's columns, in new files.

    Their old versions go with their files where a whole file is chosen, by vectors, or with files
    whose other rows are copied.
    """
    done = []
    if selection.whole.count:
        done.append(_everything(selection, values))
    if selection.scanned.count:
        some = _by_vectors if by_vectors else _by_rewriting
        done.append(some(selection, values))
    rows = [taken.rows for taken in done]
    return Taken(
        changes=tuple(change for taken in done for change in taken.changes),
        rows=None if None in rows else sum(each for each in rows if each is not None),
        copied=sum(taken.copied for taken in done),
    )


def _everything(selection: Selection, values: list[Column]) -> Taken:
    rows = selection.rows_of(selection.whole)
    written = _write(selection, _images(selection, rows, values, updated()))
    changes = (written, selection.transaction.remove(selection.whole))
    return Taken(changes, written.rows_added)


def _by_vectors(selection: Selection, values: list[Column]) -> Taken:
    names, tracking = selection.names, selection.transaction.tracking()
    chosen = selection.chosen_in(selection.scanned)
    before = F.struct(*selection.columns(), *tracked(tracking)).alias(names.before)
    after = F.struct(*_named(selection, values), *tracked(tracking)).alias(names.after)
    sides = [before, after] if selection.transaction.records_changes() else [after]
    with _kept(selection, chosen.select(names.file, names.row, *sides)) as (frame, rows):
        if not rows:
            return Taken()
        changes = at_once(
            selection.transaction,
            lambda: mark_deleted(
                selection.transaction,
                frame.select(names.file, names.row),
                names.file,
                names.row,
                selection.scanned,
                rows,
            ),
            lambda: _write(selection, _unpacked(selection, frame)),
        )
    return Taken(changes, rows)


@contextmanager
def _kept(selection: Selection, frame: DataFrame) -> Iterator[tuple[DataFrame, int]]:
    """The rows evaluated once, until the end, and how many they are."""
    with described(selection.jvm, "UPDATE: scanning files for rows"):
        rows, counted = kept(frame, F.count(F.lit(1)).alias("rows"))
    try:
        yield rows, int(counted["rows"])
    finally:
        selection.jvm.release(rows)


def _unpacked(selection: Selection, frame: DataFrame) -> DataFrame:
    names = selection.names
    if not selection.transaction.records_changes():
        return frame.select(f"{names.after}.*")
    before, after = (_fields(frame, side) for side in (names.before, names.after))
    return with_images(frame, before, after, updated(), names)


def _fields(frame: DataFrame, side: str) -> list[Column]:
    """The fields of a struct column, as columns with their metadata."""
    kind = frame.schema[side].dataType
    assert isinstance(kind, StructType)
    return [F.col(side).getField(f.name).alias(f.name, metadata=f.metadata) for f in kind.fields]


def _by_rewriting(selection: Selection, values: list[Column]) -> Taken:
    counts = rows_by_file(selection)
    touched = selection.transaction.select(selection.scanned, counts)
    if not touched.count:
        return Taken()
    is_chosen = selection.is_chosen()
    old = selection.columns()
    new = [F.when(is_chosen, value).otherwise(was) for value, was in zip(values, old, strict=True)]
    changes = F.when(is_chosen, updated()).otherwise(copied())
    rows = selection.rows_of(touched)
    written = _write(selection, _images(selection, rows, new, changes, is_chosen))
    removed = selection.transaction.remove(touched, rewritten=True)
    held = selection.transaction.logical_rows(touched)
    chosen = sum(counts.values())
    total = held if held is not None else rows.count()
    return Taken((written, removed), chosen, total - chosen)


def _images(
    selection: Selection,
    rows: DataFrame,
    values: list[Column],
    changes: Column,
    is_chosen: Column | None = None,
) -> DataFrame:
    """What is written of these rows: their new values, with change rows where the feed is on."""
    tracking = selection.transaction.tracking()
    kept = tracked(tracking, copied=None if is_chosen is None else ~is_chosen)
    after = [*_named(selection, values), *kept]
    if not selection.transaction.records_changes():
        return rows.select(*after)
    before = [*selection.columns(), *kept]
    return with_images(rows, before, after, changes, selection.names)


def _named(selection: Selection, values: list[Column]) -> list[Column]:
    names = column_names(selection.target.schema())
    return [value.alias(name) for name, value in zip(names, values, strict=True)]


def _write(selection: Selection, frame: DataFrame) -> FileChanges:
    with described(selection.jvm, "UPDATE: writing data files"):
        return selection.transaction.write(frame)
