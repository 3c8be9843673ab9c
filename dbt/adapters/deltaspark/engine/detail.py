"""What a Delta table holds, as its log tells: nothing of the data is read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from .definition import clustering_of
from .delta import CATALYST, Checksum, Jvm, file_index

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .delta import JavaObject


@dataclass(frozen=True, slots=True)
class TableDetail:
    """The newest version of a table; files that it no longer has count for nothing.

    What `DESCRIBE DETAIL` says of it, and its rows.
    """

    description: str | None
    rows: int | None
    """None where a file's statistics do not tell how many it has."""
    bytes: int
    files: int
    last_modified: datetime
    """The commit's, in UTC."""
    partitioned_by: tuple[str, ...]
    clustered_by: tuple[str, ...]
    """Columns of liquid clustering, by their names in the table."""
    deletion_vectors: int | None
    """Files of which rows are marked as deleted; None where the version does not tell."""


def detail_of(table: DataFrame) -> TableDetail | None:
    """Of what `spark.table` gave for a Delta table; None for a view and for other formats.

    One Spark job for a table of more than about 50 files, whose rows no checksum lists.
    """
    jvm = Jvm(table.sparkSession)
    scan = _only_scan(jvm, jvm.analyzed(table))
    index = None if scan is None else file_index(jvm, scan)
    return None if index is None else _of_snapshot(jvm, index.getSnapshot())


def _only_scan(jvm: Jvm, plan: JavaObject) -> JavaObject | None:
    """The leaf of a plan that is no view's and has no other leaf."""
    while not plan.children().isEmpty():
        if plan.children().size() > 1 or jvm.is_a(plan, f"{CATALYST}.plans.logical.View"):
            return None
        plan = plan.children().head()
    return plan


def _of_snapshot(jvm: Jvm, snapshot: JavaObject) -> TableDetail:
    checksum = Checksum(jvm, snapshot)
    size = checksum.table_size
    return TableDetail(
        description=snapshot.metadata().description(),
        rows=checksum.rows(),
        bytes=size.bytes,
        files=size.files,
        last_modified=datetime.fromtimestamp(snapshot.timestamp() / 1000, tz=timezone.utc),
        partitioned_by=tuple(jvm.items(snapshot.metadata().partitionColumns())),
        clustered_by=clustering_of(jvm, snapshot),
        deletion_vectors=checksum.vectors(),
    )
