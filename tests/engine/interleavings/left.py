"""What writers leave of a table: its columns, rows and definition, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from delta.tables import DeltaTable
from pyspark.errors import PySparkException

from dbt.adapters.deltaspark.engine.definition.column_definitions import clustering_of
from dbt.adapters.deltaspark.engine.delta.jvm import Jvm

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession
    from pyspark.sql.types import StructType

    from dbt.adapters.deltaspark.engine.delta.jvm import JavaObject

BY_CHANCE = ("delta.columnMapping.maxColumnId", "delta.rowTracking.materialized")
"""Properties, by how they begin, that tell of how a table became what it is."""
OTHER_COLUMNS = "DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_"
CHANGES = {"insert": 1, "update_postimage": 1, "delete": -1, "update_preimage": -1}


@dataclass(frozen=True, slots=True)
class Left:
    """Compared as a value; the order of rows is not part of it."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    definition: tuple[str, ...]

    def __str__(self) -> str:
        rows = "".join(f"\n      {row}" for row in self.rows)
        return f"({', '.join(self.columns)}) {', '.join(self.definition)}{rows or ' no rows'}"


def left_in(spark: SparkSession, folder: Path) -> Left:
    """A table that cannot be read has the error for its rows."""
    try:
        frame = spark.read.format("delta").load(str(folder))
        return Left(_columns(frame.schema), _texts(frame), _definition(spark, folder))
    except PySparkException as error:
        return Left((), (f"UNREADABLE: {error}",), ())


def _columns(schema: StructType) -> tuple[str, ...]:
    return tuple(
        f"{field.name} {field.dataType.simpleString()}{'' if field.nullable else ' not null'}"
        for field in schema
    )


def _texts(frame: DataFrame) -> tuple[str, ...]:
    return tuple(sorted(str(tuple(row)) for row in frame.collect()))


def _definition(spark: SparkSession, folder: Path) -> tuple[str, ...]:
    """From the log itself: DESCRIBE DETAIL runs several jobs."""
    jvm = Jvm(spark)
    snapshot = _snapshot(spark, folder)
    metadata = snapshot.metadata()
    pairs = [(pair._1(), pair._2()) for pair in jvm.items(metadata.configuration().toSeq())]
    properties = sorted(f"{key}={value}" for key, value in pairs if not key.startswith(BY_CHANCE))
    by = [*jvm.items(metadata.partitionColumns()), *clustering_of(jvm, snapshot)]
    return (f"by {by}", f"comment {metadata.description()}", *properties)


def _snapshot(spark: SparkSession, folder: Path) -> JavaObject:
    return DeltaTable.forPath(spark, str(folder))._jdt.deltaLog().unsafeVolatileSnapshot()


def flaws_of(spark: SparkSession, folder: Path, features: frozenset[str], since: int) -> list[str]:
    """What no table may have, whoever wrote it; `since` is the version before the writers."""
    found = []
    if "tracking" in features:
        found += _flaws_of_row_ids(spark, folder)
    if "feed" in features:
        found += _flaws_of_feed(spark, folder, since)
    return found


def _flaws_of_row_ids(spark: SparkSession, folder: Path) -> list[str]:
    rows = spark.read.format("delta").load(str(folder)).select("_metadata.row_id").collect()
    ids = [row[0] for row in rows]
    return [] if len({*ids} - {None}) == len(ids) else [f"row ids are not unique: {sorted(ids)}"]


def _flaws_of_feed(spark: SparkSession, folder: Path, since: int) -> list[str]:
    """Whether the changes lead from the rows before to those after, if the columns stayed.

    Columns that were dropped and added again are others, over which Delta reads no feed.
    """
    reader = spark.read.format("delta")
    before = reader.option("versionAsOf", since).load(str(folder))
    after = spark.read.format("delta").load(str(folder))
    newest = _snapshot(spark, folder).version()
    if _columns(before.schema) != _columns(after.schema) or newest == since:
        return []
    feed = spark.read.format("delta").option("readChangeFeed", "true")
    try:
        changes = feed.option("startingVersion", since + 1).load(str(folder)).collect()
    except PySparkException as error:
        if OTHER_COLUMNS not in str(error):
            raise
        return []
    expected = Counter(map(_text, before.collect()))
    for change in changes:
        expected[_text(change, without=3)] += CHANGES[change["_change_type"]]
    found = Counter(map(_text, after.collect()))
    if {*expected.items()} - {(text, 0) for text in expected} == {*found.items()}:
        return []
    return [f"the change feed does not lead to the rows: {sorted(map(_text, changes))}"]


def _text(row: Row, without: int = 0) -> str:
    """A change's last three columns say what it is."""
    return str(tuple(row)[: len(row) - without])
