"""Delta's data skipping over the files that a version's checksum lists: without a Spark job.

The rules are Delta's (DataSkippingReader.filesForScan). There they run over the state of the table,
which Spark has to put together from the log first. Only that a file stays whose statistics are
lossy (see `lossy_statistics`): by Delta's rules rows that are there would be left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .jvm import CATALYST, DELTA, optional
from .lossy_statistics import lossy_for

if TYPE_CHECKING:
    from .checksum import Checksum
    from .jvm import JavaObject, Jvm
    from .lossy_statistics import Lossy

MayHold: TypeAlias = Callable[[Mapping[str, Any]], bool | None]
"""Of the statistics of a file, as they are in the log: whether it may hold rows that are looked
for. None where they do not tell.
"""
STATS = f"{DELTA}.stats"
METADATA_ATTRIBUTE = f"{CATALYST}.expressions.MetadataAttribute"
FEW_FILES = 10
USES_STATISTICS = "spark.databricks.delta.stats.skipping"


def read_files(
    checksum: Checksum,
    java: JavaObject,
    predicates: JavaObject,
    may_hold: MayHold | None = None,
) -> JavaObject:
    """The AddFiles of the transaction's snapshot that may hold rows for which all of the Seq of
    predicates are true, recorded in it as read (OptimisticTransaction.filterFiles).

    The checksum is that of the snapshot. `may_hold` asks of few files what the predicates ask,
    without the query that Delta's rules are.
    """
    wanted = _but_true(checksum.jvm, predicates)
    found = files_by_checksum(checksum, wanted, may_hold)
    if found is None:
        return _read_from_the_log(checksum, java, predicates, wanted)
    java.trackReadPredicates(predicates, False, True)
    java.trackFilesRead(found)
    return found


def _read_from_the_log(
    checksum: Checksum, java: JavaObject, predicates: JavaObject, wanted: Sequence[JavaObject]
) -> JavaObject:
    jvm, snapshot = checksum.jvm, checksum.snapshot
    values = [each for each in wanted if _is_of_values(jvm, each)]
    on_partitions, on_data = _parted(jvm, snapshot, values)
    lossy = lossy_for(jvm, snapshot, on_data) if on_data and _uses_statistics(jvm) else None
    if lossy is not None and _has_variants(jvm, snapshot):
        return java.filterFiles(jvm.seq(on_partitions or [jvm.true()]), True)
    found = java.filterFiles(predicates, True)
    if lossy is None:
        return found
    paths = _lossy_paths(jvm, snapshot, on_partitions, on_data, lossy)
    left_out = paths - {file.path() for file in jvm.items(found)} if paths else ()
    if not left_out:
        return found
    others = snapshot.getSpecificFilesWithStats(jvm.seq(sorted(left_out)))
    java.trackFilesRead(others)
    return found.appendedAll(others)


def _lossy_paths(
    jvm: Jvm,
    snapshot: JavaObject,
    on_partitions: Sequence[JavaObject],
    on_data: Sequence[JavaObject],
    lossy: Lossy,
) -> set[str]:
    """Files in the partitions that are asked for whose statistics are not what they say, and may
    match."""
    in_partitions = Column(snapshot.constructPartitionFilters(jvm.seq(on_partitions)))
    listed = DataFrame(snapshot.allFiles().toDF(), jvm.spark).where(lossy.mentioned)
    may_match = _by_statistics(jvm, snapshot, on_data, lossy)
    parsed = _with_statistics(jvm, snapshot, listed)
    found = parsed.withColumn("stats", F.explode(F.array(*lossy.readings)))
    return _paths(found.where(in_partitions & may_match))


def files_by_checksum(
    checksum: Checksum, predicates: Sequence[JavaObject], may_hold: MayHold | None = None
) -> JavaObject | None:
    """The AddFiles that may hold rows for which all predicates are true, with their statistics.

    None where the checksum does not list the files, or these rules do not cover the predicates.
    """
    jvm, snapshot, files = checksum.jvm, checksum.snapshot, checksum.files
    if files is None or not predicates:
        return files
    if may_hold is not None and (found := _that_may_hold(jvm, files, may_hold)) is not None:
        return found
    if not all(_is_of_values(jvm, each) for each in predicates):
        return None
    on_partitions, on_data = _parted(jvm, snapshot, predicates)
    if on_data and (not _uses_statistics(jvm) or _has_variants(jvm, snapshot)):
        return None
    conditions = [Column(snapshot.constructPartitionFilters(jvm.seq(on_partitions)))]
    lossy = lossy_for(jvm, snapshot, on_data) if on_data else None
    if on_data:
        conditions.append(_by_statistics(jvm, snapshot, on_data, lossy))
    encoder = jvm.module(f"{DELTA}.implicits.package").addFileEncoder()
    listed = DataFrame(jvm.session.createDataset(files, encoder).toDF(), jvm.spark)
    parsed, may_match = _with_statistics(jvm, snapshot, listed), reduce(and_, conditions)
    # One after the other: Spark answers each from the listed files, without a job.
    readings = [F.col("stats")] if lossy is None else lossy.readings
    found = [_paths(parsed.withColumn("stats", each).where(may_match)) for each in readings]
    paths = set().union(*found)
    return jvm.seq(file for file in jvm.items(files) if file.path() in paths)


def _that_may_hold(jvm: Jvm, files: JavaObject, may_hold: MayHold) -> JavaObject | None:
    """None where the files are many, or the statistics of one do not tell."""
    if files.size() > FEW_FILES or not _uses_statistics(jvm):
        return None
    listed = jvm.items(files)
    told = [may_hold(_statistics(file.stats())) for file in listed]
    if None in told:
        return None
    return (
        files if all(told) else jvm.seq(f for f, holds in zip(listed, told, strict=True) if holds)
    )


def _statistics(text: str | None) -> Mapping[str, Any]:
    """Nothing where another writer has left something else there."""
    with suppress(ValueError):
        found = json.loads(text or "{}")
        if isinstance(found, dict):
            return found
    return {}


def _but_true(jvm: Jvm, predicates: JavaObject) -> list[JavaObject]:
    true = jvm.true()
    return [each for each in jvm.items(predicates) if not each.semanticEquals(true)]


def _is_of_values(jvm: Jvm, predicate: JavaObject) -> bool:
    """Delta looks for no files by subqueries, chance, or what a row says of its file. By what is no
    condition, such as NULL of no type, it fails.
    """
    if predicate.dataType().typeName() != "boolean":
        return False
    tables, attribute = jvm.module(f"{DELTA}.DeltaTableUtils"), jvm.module(METADATA_ATTRIBUTE)
    if tables.containsSubquery(predicate) or not predicate.deterministic():
        return False
    return not any(attribute.unapply(each).isDefined() for each in jvm.references(predicate))


def _parted(
    jvm: Jvm, snapshot: JavaObject, predicates: Sequence[JavaObject]
) -> tuple[list[JavaObject], list[JavaObject]]:
    """Those that ask for partitions alone, and the others."""
    tables, columns = jvm.module(f"{DELTA}.DeltaTableUtils"), snapshot.metadata().partitionColumns()
    known = [tables.isPredicatePartitionColumnsOnly(p, columns, jvm.session) for p in predicates]
    pairs = list(zip(predicates, known, strict=True))
    return [p for p, alone in pairs if alone], [p for p, alone in pairs if not alone]


def _uses_statistics(jvm: Jvm) -> bool:
    """Not where they are not to be trusted."""
    return jvm.conf(USES_STATISTICS) == "true"


def _has_variants(jvm: Jvm, snapshot: JavaObject) -> bool:
    """Whether there are variants in the statistics, which Delta alone decodes: they are not read
    here."""
    schemas = jvm.module(f"{DELTA}.schema.SchemaUtils")
    return bool(schemas.checkForVariantTypeColumnsRecursively(snapshot.statsSchema()))


def _by_statistics(
    jvm: Jvm, snapshot: JavaObject, predicates: Sequence[JavaObject], lossy: Lossy | None
) -> Column:
    """What a file's statistics must be; true also where those that are asked for are missing or
    lossy.
    """
    builder = jvm.type(f"{STATS}.DataFiltersBuilder")
    kind = jvm.module(f"{STATS}.DeltaDataSkippingType").dataSkippingOnlyV1()
    no_names = getattr(builder, "$lessinit$greater$default$4")()
    build = builder(jvm.session, kind, _statistics_of(jvm, snapshot), no_names, False)
    found = [skipped for p in predicates if (skipped := optional(build.apply(p))) is not None]
    if not found:
        return F.lit(True)
    may_match = reduce(and_, (Column(each.expr()) for each in found))
    asked_for = reduce(lambda one, other: one.union(other), (f.referencedStats() for f in found))
    unknown = ~Column(snapshot.verifyStatsForFilter(asked_for))
    return may_match | (unknown if lossy is None else unknown | lossy.test)


def _statistics_of(jvm: Jvm, snapshot: JavaObject) -> JavaObject:
    """The snapshot's `getStatsColumnOpt` as the Scala function that DataFiltersBuilder takes."""
    loader = snapshot.getClass().getClassLoader()
    types = jvm.array("java.lang.Class", [loader.loadClass(f"{STATS}.StatsColumn")])
    method = snapshot.getClass().getMethod("getStatsColumnOpt", types)
    handle = jvm.type("java.lang.invoke.MethodHandles").publicLookup().unreflect(method)
    proxies = jvm.type("java.lang.invoke.MethodHandleProxies")
    return proxies.asInterfaceInstance(loader.loadClass("scala.Function1"), handle.bindTo(snapshot))


def _with_statistics(jvm: Jvm, snapshot: JavaObject, files: DataFrame) -> DataFrame:
    """With the statistics parsed."""
    functions = jvm.type("org.apache.spark.sql.functions")
    parsed = functions.from_json(F.col("stats")._jc, snapshot.statsSchema())
    return files.withColumn("stats", Column(parsed))


def _paths(files: DataFrame) -> set[str]:
    return {row["path"] for row in files.select("path").collect()}
