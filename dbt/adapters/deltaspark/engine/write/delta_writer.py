"""What Delta's own writer does: tables made or replaced whole, and those the engine cannot change.

Nothing of it has to be planned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from delta.tables import DeltaTable

from ..definition import clustering_of
from ..delta import (
    CATALYST,
    TIME_ZONE,
    JavaObject,
    Jvm,
    active,
    confs,
    newest_version,
    noted,
    optional,
    our_commit,
    read_as_listed,
    refuse_repeated_hours,
    write_once,
    written_by,
)
from ..plan import ChangePlan
from ..result import MergeResult
from ..table_clauses import table_clauses
from .description import refuse_other_description

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

    from ..delta import Transaction
    from ..spec import WriteSpec
    from .alignment import Aligned


WRITES = ("WRITE", "CREATE OR REPLACE TABLE AS SELECT")
"""What the history calls writes of Delta's DataFrameWriter to a table that is there."""


def create(
    source: DataFrame,
    name: str,
    spec: WriteSpec,
    *,
    replaces: bool,
    unregistered: JavaObject | None = None,
) -> MergeResult:
    """CREATE [OR REPLACE] TABLE … AS, in one commit, everything in force for the first row.

    A table that is replaced keeps its history, and nothing else. One that the catalog does not know
    is given by its log, and gets its entry.
    """
    jvm = Jvm.private(source.sparkSession)
    with active(jvm), confs(jvm, noted(spec.user_metadata)):
        log = unregistered
        if replaces and log is None:
            log = _log(jvm.spark, name)
        before = -1 if log is None else newest_version(jvm, log)
        refuse_repeated_hours(source.schema, spec.partition_by, jvm.conf(TIME_ZONE))
        rows = read_as_listed(jvm, jvm.analyzed(source), but=log)
        jvm.frame(_plan(jvm, rows, name, spec, replaces=replaces))
        kind = f"CREATE {'OR REPLACE ' if replaces else ''}TABLE AS SELECT"
        sign = written_by(jvm, (kind,), spec.user_metadata, spec.idempotency_key)
        commit = our_commit(jvm, _log(jvm.spark, name), before, sign)
    reason = "Delta's writer makes and replaces tables"
    plan = ChangePlan("WRITE", "native", reason, name)
    return MergeResult.natively(commit, plan)


def _plan(jvm: Jvm, rows: JavaObject, name: str, spec: WriteSpec, *, replaces: bool) -> JavaObject:
    """The statement as parsed, with the rows' plan as its query."""
    parser = jvm.session.sessionState().sqlParser()
    verb = "CREATE OR REPLACE" if replaces else "CREATE"
    clauses = table_clauses(
        partition_by=spec.partition_by,
        cluster_by=spec.cluster_by,
        comment=spec.comment,
        properties=dict(spec.properties),
    )
    parsed = parser.parsePlan(f"{verb} TABLE {name} USING delta {clauses} AS SELECT 1")
    kind = "ReplaceTableAsSelect" if replaces else "CreateTableAsSelect"
    return jvm.type(f"{CATALYST}.plans.logical.{kind}")(
        parsed.name(),
        parsed.partitioning(),
        rows,
        parsed.tableSpec(),
        jvm.map(_options(spec)),
        replaces,
        False,
    )


def _options(spec: WriteSpec) -> dict[str, str]:
    options = dict(spec.options)
    if spec.user_metadata is not None:
        options["userMetadata"] = spec.user_metadata
    options |= write_once(spec.idempotency_key)
    return options


def write_natively(aligned: Aligned, name: str, spec: WriteSpec, reason: str) -> MergeResult:
    """The same write by Delta's DataFrameWriter."""
    jvm, log = aligned.jvm, aligned.table.deltaLog()
    partitions = jvm.items(aligned.snapshot.metadata().partitionColumns())
    rows = _spelled(aligned.frame, spec.partition_by)
    if spec.source_alias is not None:
        rows = rows.alias(spec.source_alias)
    options = {**_options(spec), **_options_of_replacement(spec, partitions), **spec.growth}
    writer = rows.write.format("delta").mode(spec.mode).options(**options)
    if spec.partition_by:
        writer = writer.partitionBy(*spec.partition_by)
    before = newest_version(jvm, log)
    writer.saveAsTable(name)
    sign = written_by(jvm, WRITES, spec.user_metadata, spec.idempotency_key)
    commit = our_commit(jvm, log, before, sign)
    plan = ChangePlan("WRITE", "native", reason, name)
    return MergeResult.natively(commit, plan)


def _options_of_replacement(spec: WriteSpec, partitions: Sequence[str]) -> dict[str, str]:
    """What gives way. An overwrite without a predicate would take the clustering away."""
    if spec.mode != "overwrite":
        return {}
    if spec.replaces_some:
        given = {
            "replaceWhere": spec.replace_where,
            "replaceUsing": ", ".join(spec.replace_using) or None,
            "replaceOn": spec.replace_on,
            "targetAlias": spec.target_alias,
        }
        return {key: value for key, value in given.items() if value is not None}
    if spec.dynamic_partitions and partitions:
        return {"partitionOverwriteMode": "dynamic"}
    return {"partitionOverwriteMode": "static", "replaceWhere": "true"}


def _spelled(source: DataFrame, columns: Sequence[str]) -> DataFrame:
    """The rows with these columns in the letters given: Delta takes others for other partitions."""
    names = {name.lower(): name for name in columns}
    others = {each: names.get(each.lower(), each) for each in source.columns}
    others = {each: name for each, name in others.items() if each != name}
    return source.withColumnsRenamed(others) if others else source


def refuse_other_definition(transaction: Transaction, spec: WriteSpec, name: str) -> None:
    """Raises SpecError: a write to a table that is there does not change what the table is."""
    metadata = transaction.metadata
    configuration = metadata.configuration()
    properties = {key: optional(configuration.get(key)) for key, _ in spec.properties}
    comment = None if spec.comment is None else metadata.description()
    snapshot = transaction.snapshot
    clustering = clustering_of(transaction.jvm, snapshot) if spec.cluster_by else ()
    refuse_other_description(name, spec, properties, comment, clustering)


def _log(spark: SparkSession, name: str) -> JavaObject:
    return DeltaTable.forName(spark, name)._jdt.deltaLog()
