"""Rows that a snapshot cannot follow, told with their keys and the way out; nothing was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbt_common.exceptions import DbtRuntimeError

from ..engine.spec import quoted
from ..session import served
from ..settings import HELPER, Columns, sql_of
from .snapshot_staging import (
    DUPLICATE_KEY,
    KEY,
    NO_TIME,
    SEVERAL_VERSIONS,
    current_versions_sql,
    timeless_keys_sql,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from .snapshot_sources import Snapshot

MOST_KEYS = 5


def is_fault(message: str) -> bool:
    """Whether Spark's message says that a row is one of these."""
    return any(reason in message for reason in (DUPLICATE_KEY, SEVERAL_VERSIONS, NO_TIME))


class SnapshotKeysError(DbtRuntimeError):
    """A snapshot's query, or its table, has rows of these keys that it cannot follow."""

    def __init__(self, label: str, problem: str, keys: Sequence[str], way_out: str) -> None:
        shown = "".join(f"\n  - {key}" for key in keys)
        super().__init__(f"{label}: {problem}; nothing was written.{shown}\n{way_out}")


@dataclass(frozen=True, slots=True)
class Faults:
    """What can be wrong with a snapshot's rows, asked of Spark once a run has failed with it."""

    spark: SparkSession
    label: str
    snapshot: Snapshot
    table: str
    target: Columns

    def told(self, message: str) -> SnapshotKeysError:
        """The error for the reason that Spark's message has (see `is_fault`)."""
        if DUPLICATE_KEY in message:
            return self._several_rows()
        if SEVERAL_VERSIONS in message:
            return self._several_versions()
        return self._no_time()

    def _several_rows(self) -> SnapshotKeysError:
        keys = f"select {self.snapshot.key()} as {KEY} from (\n{self.snapshot.sql}\n)"
        return self._error(
            "the query has several rows of the same unique_key, so it is not clear which one the"
            " snapshot should follow",
            self._repeated(keys, "rows"),
            "Make the query unique by its key (for example with row_number() … = 1), or add columns"
            " to unique_key.",
        )

    def _several_versions(self) -> SnapshotKeysError:
        keys = current_versions_sql(self.snapshot, self.table, self.target)
        return self._error(
            "the table has several current versions of the same unique_key, as changes without a"
            " time (a null updated_at) may have left them",
            self._repeated(keys, "versions"),
            "This statement mends it: each of them but the last ends where the next one begins, or"
            f" now where no time is known.\n{self.mending_sql()}",
        )

    def _no_time(self) -> SnapshotKeysError:
        keys = timeless_keys_sql(self.snapshot, self.table, self.target)
        return self._error(
            f"updated_at {self.snapshot.settings.updated_at or self.snapshot.strategy.updated_at!r}"
            " is null in rows that have changed, so it is not known when their old versions end",
            [key for key, _ in self._counted(keys)],
            "Give these rows a time, for example with coalesce(…, current_timestamp()) in the"
            " query, or leave them out.",
        )

    def _error(self, problem: str, keys: Sequence[str], way_out: str) -> SnapshotKeysError:
        return SnapshotKeysError(self.label, problem, keys, way_out)

    def _repeated(self, keys: str, what: str) -> list[str]:
        found = self._counted(keys, "having count(*) > 1")
        return [f"{key}: {count} {what}" for key, count in found]

    def _counted(self, keys: str, having: str = "") -> list[tuple[str, int]]:
        """Some of the keys, as text, with their counts; nulls are equal, as in the snapshot."""
        names = self.snapshot.strategy.unique_key
        columns = ", ".join(f"{KEY}.key_{at}" for at in range(1, len(names) + 1))
        query = (
            f"select {columns}, count(*) from (\n{keys}\n) group by {columns} {having}"
            f" order by count(*) desc, {columns} limit {MOST_KEYS}"
        )
        return [
            (", ".join(f"{n} = {v!r}" for n, v in zip(names, row, strict=False)), row[-1])
            for row in self.spark.sql(served(self.spark, query)).collect()
        ]

    def mending_sql(self) -> str:
        """The statement that leaves each key one current version, in one commit."""
        meta, now = self.snapshot.settings.meta, self.snapshot.now
        began, ended, scd_id = map(quoted, (meta.valid_from, meta.valid_to, meta.scd_id))
        key = ", ".join(
            sql_of(each, self.snapshot.source) for each in self.snapshot.strategy.unique_key
        )
        is_now, copy = f"{HELPER}current", f"{HELPER}copy"
        current = self.snapshot.is_current(self.target)
        return f"""\
  insert overwrite {self.table} by name select * except ({is_now}, {copy}, {began}, {ended}),
    if({is_now} and lag(true) over w, coalesce({began}, {now}), {began}) as {began},
    if({is_now}, coalesce(lead(coalesce({began}, {now})) over w, {ended}), {ended}) as {ended}
  from (select *, row_number() over (partition by {key}, {is_now}, {scd_id} order by {began})\
 as {copy} from (select *, {current} as {is_now} from {self.table}))
  where if({is_now} and {began} is not null, {copy} = 1, true)\
 window w as (partition by {key}, {is_now} order by {began} nulls last)"""
