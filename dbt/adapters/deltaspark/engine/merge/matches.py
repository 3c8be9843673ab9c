"""One join of source and target: which target rows the merge touches, and by which clause."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F

from ..delta import described, kept, on_driver, row_position
from ..errors import DuplicateKey, DuplicateMatchError
from .clause_columns import NO_CLAUSE, by_source_numbers, first_firing, matched_numbers

if TYPE_CHECKING:
    from ..delta import Place, Transaction
    from ..internal_columns import Names
    from .attempt import Merge
    from .resolve import ResolvedMerge

logger = logging.getLogger(__name__)

SHOWN_DUPLICATES = 5
PLACES = 32_768
"""Of the bitmap that `bitmap_construct_agg` makes."""
APART = 4_099
"""Places between the first rows of two partitions."""
FEW_ROWS, FEW_BYTES = 10_000, 128 * 1024 * 1024
"""Of a source whose pairs the driver holds, and of these; of the files that are scanned for them,
which are scanned again where the pairs turn out to be more.
"""


@dataclass(frozen=True, slots=True)
class Matches:
    """Pairs of target row and source row.

    `frame` has the columns of `Names` but `source_row`, and the target columns that updates read.
    A pair that no clause fires for has the clause -1; `pairs` counts them by clause. So many
    source rows, and target rows, are in them at least: `sources` and `targets`. Where the driver
    holds them, `few` has the file and the row of those that some clause fires for.
    """

    frame: DataFrame
    pairs: Mapping[int, int]
    sources: int
    targets: int
    few: Sequence[Place] | None = None

    @property
    def fired(self) -> int:
        """Pairs that some clause fires for."""
        return sum(count for clause, count in self.pairs.items() if clause != NO_CLAUSE)

    @property
    def idle(self) -> int:
        return self.pairs[NO_CLAUSE]

    @property
    def once_each(self) -> bool:
        """Whether the counts show that no target row is in two pairs."""
        return self.targets == sum(self.pairs.values())


@dataclass(frozen=True, slots=True)
class Touched:
    """Target rows by the clause that fires for them, and the files that they are in."""

    rows: Mapping[int, int]
    paths: tuple[str, ...]


@contextmanager
def found_matches(merge: Merge) -> Iterator[Matches]:
    """Join once, and keep the pairs until the end, or have the driver hold them if they are few."""
    logger.debug("finding touched rows by a %s join", _how(merge.resolved))
    with described(merge.resolved.jvm, "MERGE: scanning files for matches"):
        columns = _kept_columns(merge)
        found = (None if columns else _few(merge)) or _many(merge, columns)
    try:
        logger.debug("pairs by clause: %s", found.pairs)
        yield found
    finally:
        if found.few is None:
            merge.resolved.jvm.release(found.frame)


def _few(merge: Merge) -> Matches | None:
    """The pairs of a small merge, held by the driver; None where they may be many."""
    frame = on_driver(_pairs(merge, []), FEW_ROWS) if _are_few(merge) else None
    if frame is None:
        return None
    names = merge.names
    columns = frame.select(names.file, names.row, names.matched_row, names.clause)
    found = [((file, row), source, clause) for file, row, source, clause in columns.collect()]
    pairs = Counter(clause for _, _, clause in found)
    return Matches(
        frame,
        {n: pairs[n] for n in (NO_CLAUSE, *matched_numbers(merge.resolved))},
        sources=len({source for _, source, _ in found}),
        targets=len({target for target, _, _ in found}),
        few=[target for target, _, clause in found if clause != NO_CLAUSE],
    )


def _are_few(merge: Merge) -> bool:
    rows, files = merge.plan.source_rows, merge.plan.files
    if rows is None or rows > FEW_ROWS or files is None or files.bytes > FEW_BYTES:
        return False
    return not merge.resolved.by_source


def _many(merge: Merge, columns: list[Column]) -> Matches:
    clauses = [NO_CLAUSE, *matched_numbers(merge.resolved), *by_source_numbers(merge.resolved)]
    counted = [F.count_if(F.col(merge.names.clause) == n).alias(str(n)) for n in clauses]
    names = merge.names
    sources = _places(F.col(names.matched_row), F.shiftright(names.matched_row, 33) * APART)
    targets = _places(F.col(names.row), F.xxhash64(names.file))
    distinct = (sources.alias("sources"), targets.alias("targets"))
    frame, numbers = kept(_pairs(merge, columns), *counted, *distinct)
    found = {n: numbers[str(n)] for n in clauses}
    return Matches(frame, found, numbers["sources"], numbers["targets"])


def touched_rows(merge: Merge, matches: Matches) -> Touched:
    """Which target rows the pairs touch.

    Raises DuplicateMatchError where several source rows match one target row, as Delta does:
    also where no clause fires, but not for a lone unconditional DELETE.
    """
    summary = _summary(matches.frame, merge.names)
    if any(row["extra"] for row in summary):
        refuse_duplicates(merge, matches)
    rows: dict[int, int] = {}
    for row in summary:
        if row["clause"] != NO_CLAUSE:
            rows[row["clause"]] = rows.get(row["clause"], 0) + row["rows"]
    paths = {row["path"] for row in summary if row["clause"] != NO_CLAUSE}
    logger.debug("touched rows by clause: %s, in files: %s", rows, sorted(paths))
    return Touched(rows, tuple(sorted(paths)))


def may_insert(merge: Merge, matches: Matches) -> bool:
    """Whether there is a clause for source rows that match nothing, and maybe such a row."""
    return bool(merge.resolved.not_matched) and matches.sources != merge.plan.source_rows


def refuse_duplicates(merge: Merge, matches: Matches) -> None:
    if not merge.resolved.is_one_unconditional_delete:
        raise DuplicateMatchError(merge.resolved.table_name, _duplicates(merge, matches.frame))


def _pairs(merge: Merge, columns: list[Column]) -> DataFrame:
    resolved, names = merge.resolved, merge.names
    places = {names.row: _position(merge.transaction), names.file: F.col("_metadata.file_path")}
    target = merge.target().withColumns(places)
    joined = target.join(merge.matching_source(), resolved.condition, _how(resolved))
    kept = joined.select(
        names.file,
        names.row,
        F.col(names.source_row).alias(names.matched_row),
        _clause(merge).alias(names.clause),
        *columns,
    )
    if not resolved.by_source:
        return kept
    return kept.filter(F.col(names.matched_row).isNotNull() | (F.col(names.clause) != NO_CLAUSE))


def _places(row: Column, part: Column) -> Column:
    """In how many places of a bitmap rows are: as many as there are rows, if they are few.

    `row` tells the rows of a part apart, a file or a partition, and `part` the parts.
    """
    place = F.pmod(row.bitwiseXOR(part), F.lit(PLACES))
    return F.bitmap_count(F.bitmap_construct_agg(place))


def _how(resolved: ResolvedMerge) -> str:
    return "left" if resolved.by_source else "inner"


def _position(transaction: Transaction) -> Column:
    """What tells the rows of a file apart: their position, where the protocol has it."""
    if transaction.has_row_index():
        return row_position(transaction.jvm)
    return F.monotonically_increasing_id()


def _clause(merge: Merge) -> Column:
    resolved = merge.resolved
    matched = first_firing(resolved.jvm, matched_numbers(resolved))
    if not resolved.by_source:
        return matched
    by_source = first_firing(resolved.jvm, by_source_numbers(resolved))
    return F.when(F.col(merge.names.source_row).isNotNull(), matched).otherwise(by_source)


def _kept_columns(merge: Merge) -> list[Column]:
    """What later steps need of a target row: what updates read; for change rows, everything."""
    resolved = merge.resolved
    if merge.records_changes:
        columns = [resolved.jvm.column(attribute) for attribute in resolved.target_columns]
    else:
        clauses = (*resolved.matched, *resolved.by_source)
        values = [value for clause in clauses for value in clause.values]
        columns = resolved.read_by(values, resolved.target_columns)
    return columns if merge.tracking is None else [*columns, F.col(merge.tracking.row_id.name)]


def _summary(frame: DataFrame, names: Names) -> list[Row]:
    """For each file and clause: its target rows, and by how many the pairs exceed them."""
    by_row = frame.groupBy(names.file, names.row).agg(
        F.count(F.lit(1)).alias("pairs"), F.max(names.clause).alias("clause")
    )
    by_file = by_row.groupBy(F.col(names.file).alias("path"), "clause").agg(
        F.count(F.lit(1)).alias("rows"), F.sum(F.col("pairs") - 1).alias("extra")
    )
    return by_file.collect()


def _duplicates(merge: Merge, frame: DataFrame) -> list[DuplicateKey]:
    """The source keys that met one target row more than once, the most frequent first."""
    names, resolved = merge.names, merge.resolved
    several = frame.groupBy(names.file, names.row).agg(
        F.count(F.lit(1)).alias("pairs"), F.first(names.matched_row).alias(names.matched_row)
    )
    rows = merge.source.join(
        several.filter("pairs > 1"), F.col(names.matched_row) == F.col(names.source_row)
    )
    keys = [(key.label, resolved.jvm.column(key.source)) for key in resolved.keys]
    shown = [
        F.concat(F.lit(f"{name} = "), F.coalesce(column.cast("string"), F.lit("NULL")))
        for name, column in keys
    ]
    label = F.concat_ws(", ", *shown) if shown else F.lit("a source row")
    found = rows.groupBy(label.alias("key")).agg(F.max("pairs").alias("count"))
    ordered = found.orderBy(F.desc("count"), "key").limit(SHOWN_DUPLICATES)
    return [DuplicateKey(row["key"], row["count"]) for row in ordered.collect()]
