"""A MERGE text whose source reads CHAR columns, which Spark pads when it reads them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

UPSERT = (
    "ON t.id = {s}.id AND {s}.c <> 'no' WHEN MATCHED AND {s}.c = 'a' THEN UPDATE SET c = {s}.c"
    " WHEN NOT MATCHED THEN INSERT (id, c) VALUES ({s}.id, {s}.c)"
)
PADDED = [(1, "a    "), (2, "b    ")]
STATEMENTS: dict[str, tuple[str, list[tuple[int, str]]]] = {
    "a table": (f"MERGE INTO {{t}} t USING {{n}}_d s {UPSERT}", PADDED),
    "without an alias": (
        f"MERGE INTO {{t}} t USING {{n}}_d {UPSERT.replace('{s}', '{n}_d')}",
        PADDED,
    ),
    "of another format": (f"MERGE INTO {{t}} t USING {{n}}_p s {UPSERT}", PADDED),
    "a view": (f"MERGE INTO {{t}} t USING {{n}}_v s {UPSERT}", PADDED),
    "a subquery": (
        "MERGE INTO {t} t USING (SELECT d.id, p.c FROM {n}_d d JOIN {n}_p p ON d.c = p.c) s "
        + UPSERT,
        PADDED,
    ),
    "a common table": (
        "WITH w AS (SELECT id, c FROM {n}_d) MERGE INTO {t} t USING w s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        PADDED,
    ),
    "varchar": (
        "MERGE INTO {t} t USING (SELECT id, v AS c FROM {n}_d) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        [(1, "x"), (2, "y")],
    ),
    "rows that go": (
        "MERGE INTO {t} t USING {n}_d s ON t.id = s.id AND s.c = 'b'"
        " WHEN NOT MATCHED THEN INSERT (id, c) VALUES (s.id + 10, concat(s.c, '|'))"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        [(11, "a    |"), (12, "b    |")],
    ),
}


@pytest.fixture(scope="module")
def named(small: SparkSession) -> Iterator[str]:
    """The beginning of the names of a Delta table, a view of it, and one of Parquet's."""
    name = f"char_{uuid.uuid4().hex}"
    for last, kind in (("d", "delta"), ("p", "parquet")):
        columns = "id INT, c CHAR(5), v VARCHAR(5)"
        small.sql(f"CREATE TABLE {name}_{last} ({columns}) USING {kind}")
        small.sql(f"INSERT INTO {name}_{last} VALUES (1, 'a', 'x'), (2, 'b', 'y')")
    small.sql(f"CREATE VIEW {name}_v AS SELECT * FROM {name}_d")
    yield name
    for statement in (f"VIEW {name}_v", f"TABLE {name}_d", f"TABLE {name}_p"):
        small.sql(f"DROP {statement}")


@pytest.mark.parametrize("kind", ["STRING", "CHAR(6)"])
@pytest.mark.parametrize(("statement", "left"), STATEMENTS.values(), ids=STATEMENTS)
def test_it_is_merged_as_that_of_a_frame(
    small: SparkSession, named: str, kind: str, statement: str, left: list[tuple[int, str]]
) -> None:
    target = f"{named}_t"
    small.sql(f"CREATE OR REPLACE TABLE {target} (id INT, c {kind}) USING delta").collect()
    small.sql(f"INSERT INTO {target} VALUES (1, 'z')").collect()
    engine.merge_into(small, statement.replace("{s}", "s").format(t=target, n=named))
    wide = 6 if kind != "STRING" else 0
    assert rows_of(small, target) == [(id, text.ljust(wide)) for id, text in left]
    small.sql(f"DROP TABLE {target}")


def rows_of(spark: SparkSession, table: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in spark.table(table).orderBy("id").collect()]
