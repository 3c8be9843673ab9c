"""Writes as the server's own commands: one commit each, but for new columns with constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..definition import clustering_names
from ..delta import AUTO_MERGE, TIME_ZONE, Commit, once, refuse_repeated_hours
from ..errors import EngineError
from ..plan import ChangePlan
from ..result import MergeResult
from ..write import CASTS, refuse_other_description
from .analysis import refuse_other_than_one_expression
from .commits import REASON, committed, is_there
from .defined_tables import create_defined
from .properties import detail_of, refuse_repeated_hours_in, spelled
from .replaced import replace_matches
from .rows import write_rows
from .tables import create

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..spec import WriteSpec


def write(
    source: DataFrame,
    table: str,
    spec: WriteSpec,
    *,
    conflict_retries: int = 5,
    source_sql: str | None = None,  # noqa: ARG001  the server evaluates the rows anew by itself
) -> MergeResult:
    """Raises what Delta's writer raises, EngineError where the table is there and the mode is
    `error`, SpecError where it is said to be otherwise than it is, and ReplaceWhereViolationError;
    after any error the table is as it was.
    """
    spark = source.sparkSession
    exists = is_there(spark, table)
    if exists and spec.mode == "error":
        raise EngineError(f"{table} exists already; write to it with mode append or overwrite")
    if exists and spec.mode == "ignore":
        return _nothing("the table exists and the mode is ignore", table)
    is_new = not exists or spec.overwrite_schema
    if not is_new:
        _refuse_other_table(spark, table, spec)
        refuse_repeated_hours_in(spark, table)
    refuse_repeated_hours(source.schema, spec.partition_by, spark.conf.get(TIME_ZONE) or "UTC")
    commit = _commit(source, table, spec, is_new=is_new, conflict_retries=conflict_retries)
    if commit.version is None and spec.idempotency_key is not None:
        return _nothing("the idempotency key is in the table's log", table)
    return MergeResult.natively(commit, ChangePlan("WRITE", "native", REASON, table))


def _nothing(reason: str, table: str) -> MergeResult:
    return MergeResult.nothing(ChangePlan("WRITE", "no_op", reason, table))


def _refuse_other_table(spark: SparkSession, table: str, spec: WriteSpec) -> None:
    if not spec.partition_by and not spec.says_what_the_table_is:
        return
    detail = detail_of(spark, table)
    _refuse_other_partitions(table, detail["partitionColumns"], spec.partition_by)
    found = detail["properties"]
    properties = {key: found.get(spelled(key, found)) for key, _ in spec.properties}
    clustering = clustering_names(detail["clusteringColumns"] or ())
    refuse_other_description(table, spec, properties, detail["description"], clustering)


def _refuse_other_partitions(table: str, found: Sequence[str], given: Sequence[str]) -> None:
    if given and [name.lower() for name in found] != [name.lower() for name in given]:
        raise EngineError(
            f"{table} is partitioned by {', '.join(found) or 'nothing'}, not by"
            f" {', '.join(given)}; leave partition_by out, or replace the table (overwrite_schema)"
        )


def _commit(
    source: DataFrame, table: str, spec: WriteSpec, *, is_new: bool, conflict_retries: int
) -> Commit:
    if is_new and spec.columns:
        return create_defined(source, table, spec, conflict_retries=conflict_retries)
    return committed(
        source.sparkSession,
        table,
        _run(source, table, spec, is_new=is_new),
        confs=_confs(spec),
        conflict_retries=conflict_retries,
        user_metadata=spec.user_metadata,
    )


def _confs(spec: WriteSpec) -> dict[str, str]:
    grows = {} if spec.merge_schema is None else {AUTO_MERGE: str(spec.merge_schema).lower()}
    return {**CASTS, **grows, **once(spec.idempotency_key)}


def _run(source: DataFrame, table: str, spec: WriteSpec, *, is_new: bool) -> Callable[[], object]:
    if is_new:
        return lambda: create(source, table, spec)
    if spec.replaces_matches:
        return lambda: replace_matches(source, table, spec)
    if spec.replace_where is not None:
        refuse_other_than_one_expression(source.sparkSession, spec.replace_where)
    return lambda: write_rows(source, table, spec)
