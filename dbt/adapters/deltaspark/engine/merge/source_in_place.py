"""A source that only reads a Delta table: its snapshot is read again, instead of copied rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from ..delta import CATALYST, DELTA, Checksum, JavaObject, Jvm, file_index, has_row_index, scanned

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from .resolve import ResolvedMerge

NAMED_OR_COMPUTED = {"Project", "SubqueryAlias"}
"""Plans that give each row of a table once: with other names, or columns computed from it."""

LEAST_BYTES = 64 * 1024 * 1024
"""Of a table's files: a smaller one is read several times in no less time than it is copied."""

METADATA = "_metadata"
POSITION_BITS = 36
"""Of a row's id: its position in the file. The 28 bits above them are from a hash of its path."""


def table_scan(resolved: ResolvedMerge, row_id: str) -> tuple[DataFrame, int] | None:
    """The source's rows with ids that each reading gives again, and the number of its files.

    The ids are distinct if `file_of` them has as many values as there are files. None for a source
    that is copied: one that Delta copies (MergeIntoMaterializeSource), that reads the target, that
    does more than to read the columns of one table, be they renamed or computed, or a small table.
    """
    jvm = resolved.jvm
    source = jvm.module(f"{CATALYST}.analysis.EliminateView").apply(resolved.command.source())
    index = _index(jvm, source)
    if index is None or resolved.source_reads_target():
        return None
    snapshot = index.getSnapshot()
    size = Checksum(jvm, snapshot).table_size
    if size.bytes < LEAST_BYTES or _is_copied(resolved, source):
        return None
    if METADATA in map(str.lower, resolved.all_names()) or not has_row_index(jvm, index.protocol()):
        return None
    pinned = index.copy(
        index.spark(),
        index.deltaLog(),
        index.path(),
        snapshot,
        index.catalogTableOpt(),
        index.partitionFilters(),
        True,
    )
    at_one_time = jvm.module(f"{CATALYST}.optimizer.ComputeCurrentTime").apply(source)
    columns = [jvm.column(column) for column in resolved.source_columns]
    frame = scanned(jvm, _in_session(jvm, at_one_time), pinned).select(
        *columns, _row_id().alias(row_id)
    )
    return frame, size.files


def file_of(row_id: Column) -> Column:
    """What names the row's file in its id."""
    return F.shiftrightunsigned(row_id, POSITION_BITS)


def _row_id() -> Column:
    file = F.shiftleft(F.xxhash64(f"{METADATA}.file_path"), POSITION_BITS)
    return file.bitwiseOR(F.col(f"{METADATA}.row_index"))


def _index(jvm: Jvm, plan: JavaObject) -> JavaObject | None:
    """The files of the Delta table that the plan reads as it is; None where it does more."""
    while plan.getClass().getSimpleName() in NAMED_OR_COMPUTED:
        plan = plan.child()
    index = file_index(jvm, plan)
    if index is None or not jvm.is_a(index, f"{DELTA}.files.TahoeLogFileIndex"):
        return None
    if any(column.name().lower() == METADATA for column in jvm.items(plan.output())):
        return None
    return index


def _in_session(jvm: Jvm, plan: JavaObject) -> JavaObject:
    """The plan as if analyzed in our session: a scan goes by the confs of the one that was.

    That of a DataFrame is the caller's, where none of ours are set (see `exact_filters`).
    """
    if plan.getClass().getSimpleName() in NAMED_OR_COMPUTED:
        # withNewChildren keeps the old child: relations that differ in their session are equal.
        return plan.copy(plan.productElement(0), _in_session(jvm, plan.child()))
    theirs = plan.relation()
    ours = theirs.copy(
        theirs.location(),
        theirs.partitionSchema(),
        theirs.dataSchema(),
        theirs.bucketSpec(),
        theirs.fileFormat(),
        theirs.options(),
        jvm.session,
    )
    return plan.copy(ours, plan.output(), plan.catalogTable(), plan.isStreaming(), plan.stream())


def _is_copied(resolved: ResolvedMerge, source: JavaObject) -> bool:
    """Whether another reading might give other rows, or the session wants sources copied."""
    command, session = resolved.command, resolved.jvm.session
    if not source.deterministic() or source.subqueriesAll().nonEmpty():
        return True
    return bool(command.shouldMaterializeSource(session, source, False)._1())
