"""What a kill left of a table, read by delta-rs and by Spark, and what the next change makes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow
from accounts import CREATED, ROUTES, TOTAL, Balances, Change, balances_after
from commits import latest_version
from deltalake import DeltaTable, QueryBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

Rows = list[tuple[int, int]]


class WrongRows(Exception):
    """A table is not in a state that a kill may leave."""


@dataclass(frozen=True, slots=True)
class State:
    """One table whose process is dead, after so many changes that it says it finished."""

    spark: SparkSession
    path: Path
    route: str
    finished: int

    def left(self, *, in_the_air: bool) -> str:
        """Which of the states that a kill may leave the table is in; raises where in none."""
        commits, version = ROUTES[self.route].commits, latest_version(self.path)
        done = version - CREATED - commits * self.finished
        if not 0 <= done <= commits * in_the_air:
            raise WrongRows(f"version {version} after {self.finished} changes of {self.route}")
        is_after = in_the_air and done == commits
        self._must_be(balances_after(self.route, self.finished + is_after), f"version {version}")
        if not in_the_air:
            return "nothing in the air"
        return "after" if is_after else "between two commits" if done else "before"

    def change_again(self) -> None:
        """The change that was in the air, and one more: raises where they do not do their work."""
        for number in (self.finished, self.finished + 1):
            ROUTES[self.route].run(Change(self.spark, self.path, self.route, number))
            self._must_be(balances_after(self.route, number + 1), f"change {number} again")

    def _must_be(self, wanted: Balances, what: str) -> None:
        readers: dict[str, Callable[[], Rows]] = {"Spark": self._by_spark, "delta-rs": self._by_rs}
        for reader, read in readers.items():
            rows = read()
            if sorted(rows) != sorted(wanted.items()):
                wrong = sorted(set(rows) ^ set(wanted.items()))
                total = sum(balance for _, balance in rows)
                raise WrongRows(
                    f"{self.route}, {what}: {reader} reads {len(rows)} rows for {len(wanted)},"
                    f" sum {total} for {TOTAL}; in one of both only: {wrong}"
                )

    def _by_spark(self) -> Rows:
        frame = self.spark.read.format("delta").load(str(self.path))
        return [(row.id, row.balance) for row in frame.collect()]

    def _by_rs(self) -> Rows:
        query = QueryBuilder().register("t", DeltaTable(str(self.path)))
        rows = pyarrow.table(query.execute("SELECT id, balance FROM t").read_all())
        return [*zip(rows["id"].to_pylist(), rows["balance"].to_pylist(), strict=True)]
