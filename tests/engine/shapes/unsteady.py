"""Sources that are never the same twice: what must hold of the table whatever they give."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from checks import carried_out
from golden import GoldenCase, Table, Variant
from targets import build_source, build_target

if TYPE_CHECKING:
    from orders import Engine
    from pyspark.sql import SparkSession

FILES = (
    "(1, 0.0D, NULL), (2, 0.0D, NULL)",
    "(11, 0.0D, NULL), (12, 0.0D, NULL)",
    "(21, 0.0D, NULL)",
)
KEYS = ("(1), (2), (2), (3), (11), (12)", "(21), (22), (23), (24), (25), (26)")
UPSERT = "ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
DISTINCT = "(SELECT DISTINCT k FROM {source})"


@dataclass(frozen=True, slots=True)
class Unsteady:
    """A source as SQL, and facts of the table after an upsert from it, as a SELECT list."""

    title: str
    source: str
    facts: str
    expected: tuple[object, ...]

    def case(self) -> GoldenCase:
        return GoldenCase(
            title=self.title,
            target=Table("k INT, x DOUBLE, at TIMESTAMP", FILES),
            source=Table("k INT", KEYS),
            statement=f"MERGE INTO {{target}} t USING ({self.source}) s {UPSERT}",
        )


UNSTEADY = (
    Unsteady(
        "random values for fixed keys",
        f"SELECT k, rand() AS x, current_timestamp() AS at FROM {DISTINCT}",
        "count(*), count(DISTINCT k), count_if(x > 0), count(DISTINCT x), count(DISTINCT at)",
        (11, 11, 11, 11, 1),
    ),
    Unsteady(
        "random keys, each once",
        "SELECT DISTINCT CAST(rand() * 30 AS INT) AS k, 1.0D AS x, current_timestamp() AS at"
        " FROM {source}",
        "count(*) = count(DISTINCT k), count_if(x = 1) BETWEEN 1 AND 12,"
        " count_if(x = 0) = 5 - count_if(x = 1 AND k IN (1, 2, 11, 12, 21)), count(DISTINCT at)",
        (True, True, True, 1),
    ),
    Unsteady(
        "the first rows of no order",
        f"SELECT k, 1.0D AS x, current_timestamp() AS at FROM {DISTINCT} LIMIT 4",
        "count(*) = count(DISTINCT k), count_if(x = 1), count(at), count(DISTINCT at)",
        (True, 4, 4, 1),
    ),
    Unsteady(
        "a random choice among rows of one key",
        "SELECT k, x, at FROM (SELECT k, row_number() OVER (PARTITION BY k ORDER BY rand()) AS r,"
        " rand() AS x, current_timestamp() AS at FROM {source}) WHERE r = 1",
        "count(*), count(DISTINCT k), count_if(x > 0), count(DISTINCT at)",
        (11, 11, 11, 1),
    ),
    Unsteady(
        "a random value of each key's rows",
        "SELECT k, max(x) AS x, current_timestamp() AS at"
        " FROM (SELECT k, rand() + length(uuid()) AS x FROM {source}) GROUP BY k",
        "count(*), count(DISTINCT k), count_if(x >= 1), count(DISTINCT at)",
        (11, 11, 11, 1),
    ),
    Unsteady(
        "rows that a random condition may leave out",
        "SELECT DISTINCT k, 1.0D AS x, current_timestamp() AS at FROM {source} WHERE rand() < 0.5",
        "count(*) = count(DISTINCT k), count_if(x = 1) = count(at), count(DISTINCT at) <= 1,"
        " count(*) - count_if(x = 1 AND k NOT IN (1, 2, 11, 12, 21))",
        (True, True, True, 5),
    ),
)


def facts_after(
    spark: SparkSession, engine: Engine, unsteady: Unsteady, path: Path, *, vectors: bool
) -> tuple[object, ...]:
    case = unsteady.case()
    build_target(spark, case, Variant(vectors), path)
    build_source(spark, case, path)
    outcome = carried_out(spark, case, engine, f"delta.`{path}`", path)
    assert outcome.failure is None, outcome.failure
    return tuple(spark.sql(f"SELECT {unsteady.facts} FROM delta.`{path}`").first() or ())
