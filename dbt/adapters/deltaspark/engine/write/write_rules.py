"""Delta's WriteIntoDelta, whose rules a write begins and ends with; it is not run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyspark.errors.exceptions.captured import convert_exception

from ..delta import DELTA, JavaObject, Jvm, Operation, schema_to_grow_by, write_once

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ..delta import Transaction
    from ..spec import WriteSpec


def write_options(jvm: Jvm, spec: WriteSpec) -> JavaObject:
    """The DeltaOptions of a write: what the caller gave, and what the spec means in Delta's words.

    Which partitions give way is said for each write, so that no session conf decides it. Columns
    that an append does not give are null where they have no default; partition columns are not
    (`prepare_write`).
    """
    values = {
        **dict(spec.options),
        "partitionOverwriteMode": "dynamic" if spec.dynamic_partitions else "static",
    }
    if spec.mode == "append":
        values[_null_as_default(jvm)] = "true"
    values |= spec.growth
    if spec.replace_where is not None:
        values["replaceWhere"] = spec.replace_where
        del values["partitionOverwriteMode"]
    values |= write_once(spec.idempotency_key)
    conf = jvm.session.sessionState().conf()
    return jvm.type(f"{DELTA}.DeltaOptions")(jvm.map(values), conf)


def filling_missing_columns(jvm: Jvm, spec: WriteSpec) -> WriteSpec:
    """Columns that the rows of a new table do not have get their default, or null."""
    return replace(spec, options=(*spec.options, (_null_as_default(jvm), "true")))


def _null_as_default(jvm: Jvm) -> str:
    """The option by which Delta's writer fills in columns that the rows do not have."""
    columns = jvm.module(f"{DELTA}.ColumnWithDefaultExprUtils")
    option: str = columns.USE_NULL_AS_DEFAULT_DELTA_OPTION()
    return option


@dataclass(frozen=True, slots=True)
class WriteCommand:
    """A write as Delta has it: WriteIntoDelta, and its DeltaOptions."""

    spec: WriteSpec
    java: JavaObject
    options: JavaObject


def write_command(jvm: Jvm, spec: WriteSpec, data: DataFrame, table: JavaObject) -> WriteCommand:
    """The write of the rows into the table, a DeltaTableV2."""
    options = write_options(jvm, spec)
    java = write_into(jvm, spec, data, table.deltaLog(), table.catalogTable(), options)
    return WriteCommand(spec, java, options)


def write_into(
    jvm: Jvm,
    spec: WriteSpec,
    data: DataFrame,
    log: JavaObject,
    catalog_table: JavaObject,
    options: JavaObject,
) -> JavaObject:
    """WriteIntoDelta for a log, also where it has no version yet."""
    return jvm.type(f"{DELTA}.commands.WriteIntoDelta")(
        log,
        _save_mode(jvm, spec),
        options,
        jvm.seq(spec.partition_by),
        jvm.map({}),
        data._jdf,
        catalog_table,
        jvm.none,
        False,
    )


def prepare_write(txn: Transaction, command: WriteCommand, data: DataFrame) -> None:
    """The table's schema checked, or grown where it may grow.

    Raises what Delta raises for columns and partition columns that do not fit. Unlike Delta's, an
    overwrite leaves the table clustered as it was: it replaces rows, not what the table is.
    """
    jvm, spec = txn.jvm, command.spec
    identity = jvm.module(f"{DELTA}.IdentityColumn")
    identity.blockExplicitIdentityColumnInsert(txn.metadata.schema(), jvm.analyzed(data))
    refuse_missing_partition_columns(txn, data)
    command.java.updateMetadata(
        jvm.session,
        txn.java,
        schema_to_grow_by(txn, data._jdf.schema()),
        jvm.seq(_partitioning_to_check(txn, spec)),
        jvm.map({}),
        spec.mode == "overwrite",
        False,
    )


def _partitioning_to_check(txn: Transaction, spec: WriteSpec) -> Sequence[str]:
    """What Delta refuses where the table is partitioned otherwise.

    It takes names that the source spells otherwise than the table for others: partitions give way
    whatever the case of their columns.
    """
    table = [name.lower() for name in txn.partition_columns()]
    same = table == [name.lower() for name in spec.partition_by]
    return () if spec.dynamic_partitions and same else spec.partition_by


def refuse_missing_partition_columns(txn: Transaction, data: DataFrame) -> None:
    """Raises what Delta raises: its writer would file the rows under the null partition.

    Columns that Delta fills in, by a default or by an expression, need not be given.
    """
    jvm, schema, protocol = txn.jvm, txn.metadata.schema(), txn.java.protocol()
    given = {name.lower() for name in data.columns}
    filled = jvm.module(f"{DELTA}.ColumnWithDefaultExprUtils")
    for name in txn.partition_columns():
        if name.lower() in given:
            continue
        if not filled.columnHasDefaultExpr(protocol, schema.apply(name), False):
            errors = jvm.module(f"{DELTA}.DeltaErrors")
            attributes = jvm.analyzed(data).output()
            raise convert_exception(errors.partitionColumnNotFoundException(name, attributes))


def write_operation(jvm: Jvm, command: WriteCommand, metrics: Sequence[str]) -> Operation:
    """`metrics` are those to be reported beside the ones that Delta's file writer counts."""
    spec = command.spec

    def some(value: object) -> JavaObject:
        return jvm.some(value) if value else jvm.none

    java = jvm.module(f"{DELTA}.DeltaOperations$Write").apply(
        _save_mode(jvm, spec),
        jvm.some(jvm.seq(spec.partition_by)),
        some(spec.replace_where),
        some(spec.user_metadata),
        some(spec.dynamic_partitions),
        jvm.none,
        some(command.options.canMergeSchema()),
        some(spec.replace_on),
        some(", ".join(spec.replace_using)),
    )
    return counted(jvm, java, metrics)


def counted(jvm: Jvm, java: JavaObject, names: Sequence[str]) -> Operation:
    """The operation with a counter for each of the metrics."""
    context = jvm.spark.sparkContext._jsc.sc()
    counters = jvm.type("org.apache.spark.sql.execution.metric.SQLMetrics")
    return Operation(java, jvm.map({name: counters.createMetric(context, name) for name in names}))


def _save_mode(jvm: Jvm, spec: WriteSpec) -> JavaObject:
    modes = jvm.type("org.apache.spark.sql.SaveMode")
    return modes.Overwrite if spec.mode == "overwrite" else modes.Append
