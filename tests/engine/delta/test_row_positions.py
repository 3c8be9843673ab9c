"""When a scan counts the positions of rows, and that it counts right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.change.request import ChangeRequest, resolve_change
from dbt.adapters.deltaspark.engine.change.selection import select_rows
from dbt.adapters.deltaspark.engine.delta import row_positions
from dbt.adapters.deltaspark.engine.delta.jvm import Jvm, active
from dbt.adapters.deltaspark.engine.delta.transactions import transaction

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import Row, SparkSession

ROWS = 30_000  # over several batches of the reader in each of the files
VECTORS = {"delta.enableDeletionVectors": "true"}

COUNTED = {
    "a range": "id >= 10 AND id < 20",
    "a value of an expression": "id % 100 = 7",
    "every row that is null": "v IS NULL",
}
GENERATED = {
    "a value": "v = 'a'",
    "the same, null or not": "v <=> 'a'",
    "a list of values": "v IN ('a', 'b')",
    "a value among ranges": "id > 10 AND NOT (id < 20 OR v = 'a')",
}
MADE_OTHERWISE = {
    "row ids": ("id, 'a' AS v", {"delta.enableRowTracking": "true"}, {}),
    "files of several pieces": ("id, 'a' AS v", {}, {"spark.sql.files.maxPartitionBytes": "1k"}),
    "many columns": (
        ", ".join(["id", *(f"id AS c{n}" for n in range(100))]),
        {},
        {},
    ),
    "a column of the counter's name": ("id, id AS __Delta_internal_row_index", {}, {}),
}


@pytest.fixture
def session(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> SparkSession:
    """With compiled plans, which read files in batches."""
    monkeypatch.setattr(row_positions, "LEAST_BYTES", 0)
    return spark.newSession()


def table(
    session: SparkSession,
    path: Path,
    columns: str = "id, if(id % 3 = 0, NULL, 'a') AS v",
    properties: dict[str, str] | None = None,
) -> str:
    rows = session.range(0, ROWS, 1, 2).selectExpr("struct(" + columns + ") AS row").select("row.*")
    writer = rows.write.format("delta").options(**VECTORS, **(properties or {}))
    writer.save(str(path))
    return f"delta.`{path}`"


@pytest.fixture(scope="module")
def plain(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    return table(spark, tmp_path_factory.mktemp("plain") / "t")


def positions(session: SparkSession, name: str, condition: str) -> str:
    jvm = Jvm.private(session)
    with active(jvm):
        resolved = resolve_change(ChangeRequest(session, name, condition), jvm)
        with transaction(jvm, *resolved.table) as txn:
            selection = select_rows(txn, resolved.command.target(), resolved.condition)
            confs = selection.cheapest_jobs()
    return "counted" if confs.get(row_positions.GENERATED) == "false" else "generated"


@pytest.mark.parametrize("condition", COUNTED.values(), ids=COUNTED)
def test_positions_are_counted_where_filters_look_for_no_value(
    session: SparkSession, plain: str, condition: str
) -> None:
    assert positions(session, plain, condition) == "counted"


@pytest.mark.parametrize("condition", GENERATED.values(), ids=GENERATED)
def test_positions_are_generated_where_parquet_may_skip_by_a_value(
    session: SparkSession, plain: str, condition: str
) -> None:
    assert positions(session, plain, condition) == "generated"


@pytest.mark.parametrize(
    ("columns", "properties", "confs"), MADE_OTHERWISE.values(), ids=MADE_OTHERWISE
)
def test_positions_are_generated_where_counting_gains_nothing_or_cannot_be(
    session: SparkSession,
    tmp_path: Path,
    columns: str,
    properties: dict[str, str],
    confs: dict[str, str],
) -> None:
    name = table(session, tmp_path / "t", columns, properties)
    for key, value in confs.items():
        session.conf.set(key, value)
    assert positions(session, name, "id < 10") == "generated"
    engine.DeltaTarget.for_path(session, str(tmp_path / "t")).delete("id < 10")
    assert session.table(name).count() == ROWS - 10


def test_positions_of_a_small_table_are_generated(
    session: SparkSession, plain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_positions, "LEAST_BYTES", 1 << 20)
    assert positions(session, plain, "id < 10") == "generated"


def rows_of(session: SparkSession, name: str) -> list[Row]:
    return session.table(name).orderBy("id").collect()


def both(session: SparkSession, path: Path) -> tuple[str, str]:
    """Two equal tables that have vectors already."""
    names = [table(session, path / which) for which in ("ours", "native")]
    for name in names:
        session.sql(f"DELETE FROM {name} WHERE id % 10 = 3")
    return names[0], names[1]


@pytest.mark.share(2)
@pytest.mark.parametrize(
    ("vectorized", "generated"),
    [("true", "true"), ("false", "false")],
    ids=["read in batches", "read row by row, counting asked for"],
)
def test_every_change_takes_the_rows_that_delta_takes(
    session: SparkSession, tmp_path: Path, vectorized: str, generated: str
) -> None:
    session.conf.set("spark.sql.parquet.enableVectorizedReader", vectorized)
    session.conf.set(row_positions.GENERATED, generated)
    ours, native = both(session, tmp_path)
    target = engine.DeltaTarget.for_path(session, str(tmp_path / "ours"))
    merge = (
        "MERGE INTO {} AS t USING (SELECT id * 7 AS id, 'new' AS v FROM range(5000)) AS s"
        " ON t.id = s.id WHEN MATCHED AND s.id % 2 = 0 THEN UPDATE SET *"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *"
    )

    target.delete("id % 7 = 1")
    session.sql(f"DELETE FROM {native} WHERE id % 7 = 1")
    assert rows_of(session, ours) == rows_of(session, native)

    target.update({"v": "concat('b', id)"}, "id % 11 = 5")
    session.sql(f"UPDATE {native} SET v = concat('b', id) WHERE id % 11 = 5")
    assert rows_of(session, ours) == rows_of(session, native)

    result = engine.merge_into(session, merge.format(ours))
    session.sql(merge.format(native))
    assert result.route == "deletion_vectors"
    assert rows_of(session, ours) == rows_of(session, native)
