"""Accounts whose sum never changes: one table a route, its numbered changes, and what they leave.

A change may run twice: what is not the same the second time carries an idempotency key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

Balances = dict[int, int]
ACCOUNTS, PAIRS, NEW = 10, 60, 1000
"""Accounts to transfer between; pairs that cancel out, to be deleted; ids of rows that come."""
START: Balances = {
    **dict.fromkeys(range(ACCOUNTS), 100),
    **{10_000 + n: n + 1 for n in range(PAIRS)},
    **{20_000 + n: -n - 1 for n in range(PAIRS)},
}
TOTAL = sum(START.values())
CREATED = 3
"""The version that `create` leaves."""


@dataclass(frozen=True, slots=True)
class Change:
    """One numbered change of one table."""

    spark: SparkSession
    path: Path
    route: str
    number: int

    @property
    def target(self) -> engine.DeltaTarget:
        return engine.DeltaTarget.for_path(self.spark, str(self.path))

    @property
    def key(self) -> str:
        return f"{self.route}-{self.number}"

    def frame(self, rows: Balances) -> DataFrame:
        values = ", ".join(f"({each}L, {balance}L)" for each, balance in rows.items())
        return self.spark.sql(f"SELECT * FROM VALUES {values} AS v(id, balance)")

    def after(self, *ids: int) -> Balances:
        """What these rows are to be."""
        rows = balances_after(self.route, self.number + 1)
        return {each: rows[each] for each in ids}


def transfer(number: int) -> tuple[int, int, int]:
    """From, to, how much."""
    source = number % ACCOUNTS
    return source, (source + 1 + number % (ACCOUNTS - 1)) % ACCOUNTS, number + 1


def deltas(number: int) -> Balances:
    source, target, amount = transfer(number)
    return {source: -amount, target: amount, NEW + number: 0}


def transferred(rows: Balances, number: int) -> Balances:
    changed = dict(rows)
    for each, delta in deltas(number).items():
        changed[each] = changed.get(each, 0) + delta
    return changed


def with_new_row(rows: Balances, number: int) -> Balances:
    return {**rows, NEW + number: 0}


def with_new_pair(rows: Balances, number: int) -> Balances:
    return {**rows, NEW + number: number + 1, 2 * NEW + number: -number - 1}


def updated_only(rows: Balances, number: int) -> Balances:
    changed = transferred(rows, number)
    del changed[NEW + number]
    return changed


def without_pair(rows: Balances, number: int) -> Balances:
    gone = {10_000 + number % PAIRS, 20_000 + number % PAIRS}
    return {each: balance for each, balance in rows.items() if each not in gone}


def upsert(change: Change) -> None:
    add = (("balance", "t.balance + s.balance"),)
    spec = engine.MergeSpec(
        on="t.id = s.id",
        matched=(engine.Update(add),),
        not_matched=(engine.Insert(engine.STAR),),
        source_alias="s",
        target_alias="t",
    )
    source = change.frame(deltas(change.number))
    engine.merge(change.target, source, spec, idempotency_key=change.key)


def insert(change: Change) -> None:
    source = change.frame({0: -1, NEW + change.number: 0})
    builder = change.target.merge(source, "t.id = s.id", source_alias="s", target_alias="t")
    builder.when_not_matched_insert_all().execute()


def append(change: Change) -> None:
    rows = change.after(NEW + change.number, 2 * NEW + change.number)
    engine.write(change.frame(rows), change.target, idempotency_key=change.key)


def overwrite(change: Change) -> None:
    rows = balances_after(change.route, change.number + 1)
    engine.write(change.frame(rows), change.target, "overwrite")


def replace_where(change: Change) -> None:
    ids = tuple(deltas(change.number))
    rows, predicate = change.frame(change.after(*ids)), f"id IN {ids}"
    engine.write(rows, change.target, "overwrite", replace_where=predicate)


def replace_using(change: Change) -> None:
    rows = change.frame(change.after(*deltas(change.number)))
    engine.write(rows, change.target, "overwrite", replace_using=["id"])


def delete(change: Change) -> None:
    pair = change.number % PAIRS
    change.target.delete(f"id IN ({10_000 + pair}, {20_000 + pair})")


def update(change: Change) -> None:
    source, target, _ = transfer(change.number)
    cases = (f"WHEN {each} THEN {n}L" for each, n in change.after(source, target).items())
    balance = f"CASE id {' '.join(cases)} END"
    change.target.update({"balance": balance}, f"id IN ({source}, {target})")


def altered(change: Change) -> None:
    definition = engine.TableDefinition(properties=(("transfer", str(change.number)),))
    with engine.altered(change.target, definition):
        upsert(change)


@dataclass(frozen=True, slots=True)
class Route:
    """How a table is changed, and what a change makes of its rows."""

    run: Callable[[Change], None]
    model: Callable[[Balances, int], Balances]
    vectors: bool
    commits: int = 1
    """What one change commits; the rows change with the last."""


ROUTES = {
    "insert_only": Route(insert, with_new_row, True),
    "deletion_vectors": Route(upsert, transferred, True),
    "classic": Route(upsert, transferred, False),
    "append": Route(append, with_new_pair, True),
    "overwrite": Route(overwrite, transferred, True),
    "replace_where": Route(replace_where, transferred, True),
    "replace_where, rewriting": Route(replace_where, transferred, False),
    "replace_using": Route(replace_using, transferred, True),
    "replace_using, rewriting": Route(replace_using, transferred, False),
    "delete": Route(delete, without_pair, True),
    "delete, rewriting": Route(delete, without_pair, False),
    "update": Route(update, updated_only, True),
    "update, rewriting": Route(update, updated_only, False),
    "altered": Route(altered, transferred, True, commits=2),
}


def balances_after(route: str, changes: int) -> Balances:
    """What so many changes leave."""
    rows = START
    for number in range(changes):
        rows = ROUTES[route].model(rows, number)
    return rows


def create(spark: SparkSession, path: Path, *, vectors: bool) -> None:
    """The accounts in three files, with a checkpoint every second version."""
    table = f"delta.`{path}`"
    spark.sql(
        f"CREATE TABLE {table} (id BIGINT, balance BIGINT) USING delta TBLPROPERTIES"
        f" ('delta.enableDeletionVectors' = '{str(vectors).lower()}',"
        " 'delta.checkpointInterval' = '2')"
    )
    change = Change(spark, path, "append", 0)
    for part in range(CREATED):
        rows = {each: balance for each, balance in START.items() if each % CREATED == part}
        engine.write(change.frame(rows).coalesce(1), change.target)
