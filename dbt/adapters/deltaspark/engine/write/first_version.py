"""A table made by one commit: definitions, rows and all, then its entry in the catalog.

A write that fails has made no table, so that nothing has to be taken back, least of all what
another writer put into the same folder.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ..delta import (
    DELTA,
    Files,
    FileSteps,
    active,
    another_came_first,
    confs,
    idempotency,
    noted,
    record_no_files,
    shown_in_ui,
    transaction,
)
from ..errors import EngineError
from ..metrics import OperationMetrics, since
from ..plan import ChangePlan
from ..result import MergeResult
from .new_table import (
    NewTable,
    clustered_by,
    counts_of,
    definition_of,
    layout_of,
    with_dependencies,
)
from .place import AGAIN
from .write_rules import (
    counted,
    filling_missing_columns,
    refuse_missing_partition_columns,
    write_into,
    write_options,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ..delta import JavaObject, Jvm, Transaction
    from ..spec import WriteSpec
    from .place import Place

REASON = "the table is made, in one commit"
DEFAULTS = "spark.databricks.delta.properties.defaults.feature."


def is_made_here(place: Place, spec: WriteSpec) -> bool:
    """Whether the engine's own transaction makes the table.

    Delta's command does where what is said of it is out of the ordinary, and no column is defined.
    """
    if spec.columns or place.entry is None:
        return True
    return spec.overwrite_schema and not spec.options and spec.location is None


def make(source: DataFrame, place: Place, spec: WriteSpec) -> MergeResult:
    """The table with the rows as its first version; nothing of it is there after an error.

    Raises EngineError where another writer made it first, and what Delta raises.
    """
    jvm = place.jvm
    with active(jvm), confs(jvm, noted(spec.user_metadata)):
        table = NewTable.of(jvm, source, place.name, spec)
        definition = definition_of(table)
        with confs(jvm, _features(jvm, definition)):
            return _made(place, table, definition)


def _features(jvm: Jvm, definition: JavaObject) -> dict[str, str]:
    """Confs by which the table has the features that its properties ask for.

    Where a new table has identity columns Delta works out its features again at the commit, when
    the properties are gone (OptimisticTransaction.updateMetadataInternal).
    """
    prefix = "delta.feature."
    pairs = ((each._1(), each._2()) for each in jvm.items(definition.configuration().toSeq()))
    return {
        DEFAULTS + key.removeprefix(prefix): value for key, value in pairs if key.startswith(prefix)
    }


def _made(place: Place, table: NewTable, definition: JavaObject) -> MergeResult:
    jvm, log = place.jvm, place.log()
    options = write_options(jvm, filling_missing_columns(jvm, table.spec))
    command = write_into(jvm, table.spec, table.source, log, jvm.none, options)
    with (
        transaction(jvm, log, jvm.none) as txn,
        shown_in_ui(jvm, command, f"CREATE TABLE {table.name}"),
    ):
        place.refuse_what_is_there(txn)
        record_no_files(jvm, txn.snapshot)
        txn.java.updateMetadataForNewTable(with_dependencies(txn, definition))
        txn.java.removeExistsDefaultFromSchema()
        refuse_missing_partition_columns(txn, table.source)
        log.createLogDirectoriesIfNotExists()
        once = idempotency(txn, command, options)
        result = _first_version(place, table, txn, options, once)
    place.register(log)
    return result


def _first_version(
    place: Place, table: NewTable, txn: Transaction, options: JavaObject, once: list[JavaObject]
) -> MergeResult:
    started, jvm = time.monotonic(), table.jvm
    written, layout = txn.write(table.rows_for(txn), options), layout_of(table, txn)
    counts = counts_of(written)
    java = jvm.module(f"{DELTA}.DeltaOperations$CreateTable").apply(
        txn.metadata, place.is_managed, True, clustered_by(table, txn, layout)
    )
    operation = counted(jvm, java, [*counts])
    try:
        version = txn.commit(operation, [written], counts, [*jvm.items(layout), *once])
    except (Py4JError, PySparkException) as error:
        if not another_came_first(jvm, error):
            raise
        raise EngineError(f"{table.name} was made by another writer first; {AGAIN}") from error
    metrics = OperationMetrics.of({**counts, "executionTimeMs": since(started)})
    nothing, whole = Files(jvm.seq([]), 0, 0), txn.table_size()
    plan = ChangePlan(
        "WRITE",
        "insert_only",
        REASON,
        table.name,
        whole,
        nothing,
        nothing,
        steps=FileSteps.of(whole, (written,)),
    )
    return MergeResult(version, "insert_only", metrics, plan)
