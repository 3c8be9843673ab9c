"""What Delta's own writer does: tables made or replaced whole, and those the engine cannot change.

Nothing of it has to be planned.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from delta.tables import DeltaTable

from .commands import noted
from .conflicts import add_note
from .definition import (
    clustering_of,
    defined_columns,
    defined_fields,
    delta_table,
    with_features,
)
from .errors import EngineError, SpecError
from .history import newest_commit, newest_version
from .jvm import CATALYST, DELTA, JavaObject, Jvm, active, confs, optional
from .observed import observed
from .result import ChangePlan, MergeResult
from .spec import WriteSpec, quoted, text_literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import DataFrame, SparkSession

    from .log import Transaction


def create(source: DataFrame, name: str, spec: WriteSpec, *, replaces: bool) -> MergeResult:
    """CREATE [OR REPLACE] TABLE … AS, in one commit, everything in force for the first row.

    A table that is replaced keeps its history, and nothing else.
    """
    jvm = Jvm(source.sparkSession)
    before = newest_version(jvm, _log(source.sparkSession, name)) if replaces else None
    jvm.frame(_plan(jvm, source, name, spec, replaces=replaces))
    commit = newest_commit(jvm, _log(source.sparkSession, name), before)
    reason = "Delta's writer makes and replaces tables"
    plan = ChangePlan("WRITE", "native", reason, name)
    return MergeResult(commit.version, "native", commit.metrics, plan)


def _plan(jvm: Jvm, source: DataFrame, name: str, spec: WriteSpec, *, replaces: bool) -> JavaObject:
    """The statement as parsed, with the DataFrame's plan as its query."""
    parser = jvm.session.sessionState().sqlParser()
    verb = "CREATE OR REPLACE" if replaces else "CREATE"
    clauses = _clauses(spec, dict(spec.properties))
    parsed = parser.parsePlan(f"{verb} TABLE {name} USING delta {clauses} AS SELECT 1")
    kind = "ReplaceTableAsSelect" if replaces else "CreateTableAsSelect"
    return jvm.type(f"{CATALYST}.plans.logical.{kind}")(
        parsed.name(),
        parsed.partitioning(),
        jvm.analyzed(source),
        parsed.tableSpec(),
        jvm.map(_options(spec)),
        replaces,
        False,
    )


def _clauses(spec: WriteSpec, properties: Mapping[str, str]) -> str:
    """What stands between USING and AS in CREATE TABLE."""
    location = properties.get("location")
    pairs = ", ".join(
        f"{text_literal(key)} = {text_literal(value)}"
        for key, value in properties.items()
        if key != "location"
    )
    columns = ", ".join(map(quoted, (*spec.partition_by, *spec.cluster_by)))
    clauses = {
        "PARTITIONED BY (%s)": columns if spec.partition_by else "",
        "CLUSTER BY (%s)": columns if spec.cluster_by else "",
        "LOCATION %s": "" if location is None else text_literal(location),
        "COMMENT %s": "" if spec.comment is None else text_literal(spec.comment),
        "TBLPROPERTIES (%s)": pairs,
    }
    return " ".join(clause % value for clause, value in clauses.items() if value)


@contextmanager
def created(source: DataFrame, name: str, spec: WriteSpec) -> Iterator[None]:
    """CREATE TABLE with definitions of columns; gone with its folder where the block fails.

    A table that got a commit in the block stays: its rows are someone's.
    """
    jvm = Jvm.private(source.sparkSession)
    with active(jvm), confs(jvm, noted(spec.user_metadata)):
        columns = defined_columns(jvm, source, spec)
        properties = with_features(dict(spec.properties), defined_fields(jvm, name, columns))
        _refuse_other_log(jvm, name, properties.get("location"))
        text = f"CREATE TABLE {name} ({columns}) USING delta {_clauses(spec, properties)}"
        jvm.frame(jvm.session.sessionState().sqlParser().parsePlan(text))
    try:
        yield
    except BaseException as error:
        try:
            _remove(jvm, name)
        except Exception as failure:
            add_note(error, f"{name} was made and could not be removed again: {failure}")
        raise


def _refuse_other_log(jvm: Jvm, name: str, location: str | None) -> None:
    """Raises where CREATE TABLE would take over a table that is in the folder already."""
    if location is not None and DeltaTable.isDeltaTable(jvm.spark, location):
        raise EngineError(
            f"{name} cannot be made in {location}: a Delta table is there already; nothing was"
            " written. Choose another location, or register that table by CREATE TABLE."
        )


def _remove(jvm: Jvm, name: str) -> None:
    with active(jvm):
        log = delta_table(jvm, name).deltaLog()
        folder = log.dataPath()
        if newest_version(jvm, log) > 0:
            return
        jvm.frame(jvm.session.sessionState().sqlParser().parsePlan(f"DROP TABLE {name}"))
        folder.getFileSystem(log.newDeltaHadoopConf()).delete(folder, True)
        jvm.module(f"{DELTA}.DeltaLog").invalidateCache(jvm.session, folder)


def _options(spec: WriteSpec) -> dict[str, str]:
    options = dict(spec.options)
    if spec.user_metadata is not None:
        options["userMetadata"] = spec.user_metadata
    if spec.idempotency_key is not None:
        options |= {"txnAppId": spec.idempotency_key, "txnVersion": "1"}
    return options


def write_natively(source: DataFrame, name: str, spec: WriteSpec, reason: str) -> MergeResult:
    """The same write by Delta's DataFrameWriter."""
    options = _options(spec)
    options["partitionOverwriteMode"] = "dynamic" if spec.dynamic_partitions else "static"
    given = {
        "mergeSchema": "true" if spec.merge_schema else None,
        "replaceWhere": spec.replace_where,
        "replaceUsing": ", ".join(spec.replace_using) or None,
        "replaceOn": spec.replace_on,
        "targetAlias": spec.target_alias,
    }
    if spec.replaces_some:
        del options["partitionOverwriteMode"]
    options |= {key: value for key, value in given.items() if value is not None}
    rows = source if spec.source_alias is None else source.alias(spec.source_alias)
    writer = rows.write.format("delta").mode(spec.mode).options(**options)
    if spec.partition_by:
        writer = writer.partitionBy(*spec.partition_by)
    return observed(source.sparkSession, name, lambda: writer.saveAsTable(name), reason)


def refuse_other_definition(transaction: Transaction, spec: WriteSpec, name: str) -> None:
    """A write to a table that is there does not change what the table is; saying so is an error."""
    jvm, metadata = transaction.jvm, transaction.metadata
    problems = []
    configuration = metadata.configuration()
    for key, wanted in spec.properties:
        found = optional(configuration.get(key))
        if found != wanted:
            problems.append(f"property {key} is {found!r}, not {wanted!r}")
    if spec.comment is not None and metadata.description() != spec.comment:
        problems.append(f"the comment is {metadata.description()!r}, not {spec.comment!r}")
    if spec.cluster_by:
        columns = [*clustering_of(jvm, transaction.snapshot)]
        if columns != [*spec.cluster_by]:
            problems.append(f"it is clustered by {columns}, not by {[*spec.cluster_by]}")
    if spec.columns:
        names = ", ".join(column for column, _ in spec.columns)
        problems.append(f"its columns are there, but {names} would be defined (columns)")
    if problems:
        raise SpecError(
            f"the write describes {name} otherwise than it is: {'; '.join(problems)}; nothing was"
            " written. Write with overwrite_schema to replace the table, or change it by ALTER."
        )


def _log(spark: SparkSession, name: str) -> JavaObject:
    return DeltaTable.forName(spark, name)._jdt.deltaLog()
