"""Scans of Delta tables: which plans read one, and the rows of a plan over chosen files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from .jvm import DELTA

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm

SOURCES = "org.apache.spark.sql.execution.datasources"
LOG_INDEX = f"{DELTA}.files.TahoeLogFileIndex"
PHYSICAL_NAME = "delta.columnMapping.physicalName"
CHANGES = f"{DELTA}.commands.cdc.CDCReader$DeltaCDFRelation"
"""What `table_changes` reads."""


def vector_helper(jvm: Jvm) -> JavaObject:
    return jvm.module(f"{DELTA}.commands.DMLWithDeletionVectorsHelper")


def batch_index(jvm: Jvm, files: JavaObject, snapshot: JavaObject) -> JavaObject:
    """An index of these files alone, a Seq of AddFiles of the snapshot's table."""
    log = snapshot.deltaLog()
    index = jvm.type(f"{DELTA}.files.TahoeBatchFileIndex")
    return index(jvm.session, "rows", files, log, log.dataPath(), snapshot, False)


def scanned(jvm: Jvm, plan: JavaObject, index: JavaObject) -> DataFrame:
    """The plan over this index of its files, under the attributes that it has, with `_metadata`."""
    scan = vector_helper(jvm).createTargetDfForScanningForMatches(jvm.session, plan, index)
    return DataFrame(scan, jvm.spark)


def has_row_index(jvm: Jvm, protocol: JavaObject) -> bool:
    """Whether scans can select `_metadata.row_index`: the protocol must know deletion vectors."""
    feature = jvm.module(f"{DELTA}.DeletionVectorsTableFeature")
    return bool(protocol.isFeatureSupported(feature))


def reads_table(jvm: Jvm, plan: JavaObject, log: JavaObject) -> bool:
    """Whether the plan reads the log's table, in subqueries too."""
    path = log.dataPath().toString()
    return any(path == each.dataPath().toString() for each in logs_read(jvm, plan))


def reads_changes_of(jvm: Jvm, plan: JavaObject, log: JavaObject) -> bool:
    """Whether the plan reads the change data feed of the log's table."""
    path = log.dataPath().toString()
    return any(
        path == found.dataPath().toString()
        for leaf in _leaves(jvm, plan)
        if (found := _log_of_changes(jvm, leaf)) is not None
    )


def reads_other_columns(jvm: Jvm, plan: JavaObject, snapshot: JavaObject) -> bool:
    """Whether the plan reads the snapshot's table by columns that it had at another time.

    Such a plan was analyzed before, and would go on reading a column that was dropped since, or
    look in the files for one that is now in their partitions' names.
    """
    path = snapshot.deltaLog().dataPath().toString()
    read = [
        index
        for leaf in _leaves(jvm, plan)
        if (index := file_index(jvm, leaf)) is not None
        and index.deltaLog().dataPath().toString() == path
        and not (jvm.is_a(index, LOG_INDEX) and index.isTimeTravelQuery())
    ]
    if not read:  # as of most sources: their writes need not look at the table's schema
        return False
    now = _stored(snapshot.metadata())
    return any(_stored(index.metadata()) != now for index in read)


def _stored(metadata: JavaObject) -> object:
    """The columns by name, physical name and type, without comments and ids; the partitions'."""
    columns = _without_notes(json.loads(metadata.schema().json()))
    return columns, metadata.partitionColumns().mkString(",")


def _without_notes(kind: Any) -> Any:
    if isinstance(kind, list):
        return [_without_notes(each) for each in kind]
    if not isinstance(kind, dict):
        return kind
    known = {key: _without_notes(each) for key, each in kind.items() if key != "metadata"}
    if "metadata" in kind:
        known["stored as"] = kind["metadata"].get(PHYSICAL_NAME, kind["name"])
    return known


def logs_read(jvm: Jvm, plan: JavaObject) -> Iterable[JavaObject]:
    """The log of every Delta table that the plan reads."""
    for leaf in _leaves(jvm, plan):
        index = file_index(jvm, leaf)
        found = _log_of_changes(jvm, leaf) if index is None else index.deltaLog()
        if found is not None:
            yield found


def _leaves(jvm: Jvm, plan: JavaObject) -> Iterable[JavaObject]:
    nodes = [plan, *jvm.items(plan.subqueriesAll())]
    return (leaf for node in nodes for leaf in jvm.items(node.collectLeaves()))


def _log_of_changes(jvm: Jvm, leaf: JavaObject) -> JavaObject | None:
    if not jvm.is_a(leaf, f"{SOURCES}.LogicalRelation") or not jvm.is_a(leaf.relation(), CHANGES):
        return None
    return leaf.relation().snapshotWithSchemaMode().snapshot().deltaLog()


def file_index(jvm: Jvm, plan: JavaObject) -> JavaObject | None:
    """Delta's index of the files that the plan itself scans; None where it scans no Delta table."""
    # Delta scans through anonymous subclasses of the second.
    if not jvm.is_a(plan, f"{SOURCES}.LogicalRelation") or not jvm.is_a(
        plan.relation(), f"{SOURCES}.HadoopFsRelation"
    ):
        return None
    index = plan.relation().location()
    return index if jvm.is_a(index, f"{DELTA}.files.TahoeFileIndex") else None
