"""A table's detail is what DESCRIBE DETAIL says of it, and a count of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sessions import forget_tables

from dbt.adapters.deltaspark.engine import detail_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

VECTORS = "'delta.enableDeletionVectors' = 'true'"
ROWS = "SELECT id, id % 3 AS p FROM range(0, {rows}, 1, {files})"
TABLES = {
    "plain": [f"CREATE TABLE {{t}} USING delta AS {ROWS.format(rows=10, files=2)}"],
    "no file": ["CREATE TABLE {t} (id BIGINT, p INT) USING delta COMMENT 'none yet'"],
    "partitioned": [
        f"CREATE TABLE {{t}} USING delta PARTITIONED BY (p) AS {ROWS.format(rows=10, files=1)}"
    ],
    "clustered": [
        f"CREATE TABLE {{t}} USING delta CLUSTER BY (id) AS {ROWS.format(rows=10, files=1)}"
    ],
    "padded": [
        "CREATE TABLE {t} (id CHAR(3), p INT) USING delta",
        "INSERT INTO {t} VALUES ('a', 1)",
    ],
    "vectors": [
        f"CREATE TABLE {{t}} USING delta TBLPROPERTIES ({VECTORS})"
        f" AS {ROWS.format(rows=10, files=2)}",
        "DELETE FROM {t} WHERE id = 3",
    ],
    "more files than a checksum lists": [
        f"CREATE TABLE {{t}} USING delta TBLPROPERTIES ({VECTORS})"
        f" AS {ROWS.format(rows=600, files=60)}",
        "DELETE FROM {t} WHERE id % 100 = 3",
    ],
}


@pytest.fixture
def target(small: SparkSession, tmp_path: Path) -> Iterator[str]:
    yield f"delta.`{tmp_path / 'table'}`"
    forget_tables(small)


@pytest.mark.share(4)
@pytest.mark.parametrize("checksums", [True, False], ids=["checksum", "none"])
@pytest.mark.parametrize("statements", TABLES.values(), ids=TABLES)
def test_it_is_what_delta_says_and_what_is_counted(
    small: SparkSession, target: str, tmp_path: Path, statements: list[str], *, checksums: bool
) -> None:
    for statement in statements:
        small.sql(statement.format(t=target))
    if not checksums:
        for path in (tmp_path / "table/_delta_log").glob("*.crc"):
            path.unlink()
        forget_tables(small)
    detail = detail_of(small.table(target))
    assert detail is not None
    said = small.sql(f"DESCRIBE DETAIL {target}").first()
    assert said is not None
    assert detail.rows == small.table(target).count()
    assert (detail.bytes, detail.files) == (said.sizeInBytes, said.numFiles)
    assert list(detail.partitioned_by) == said.partitionColumns
    assert list(detail.clustered_by) == said.clusteringColumns
    assert detail.description == said.description
    assert detail.last_modified.timestamp() == said.lastModified.timestamp()


def test_files_with_vectors_are_counted(small: SparkSession, target: str) -> None:
    for statement in TABLES["more files than a checksum lists"]:
        small.sql(statement.format(t=target))
    detail = detail_of(small.table(target))
    assert detail is not None
    assert detail.deletion_vectors == 6


def test_rows_are_not_known_where_a_file_has_no_statistics(
    small: SparkSession, target: str
) -> None:
    small.sql(TABLES["plain"][0].format(t=target))
    small.conf.set("spark.databricks.delta.stats.collect", "false")
    try:
        small.sql(f"INSERT INTO {target} VALUES (11, 1)")
    finally:
        small.conf.unset("spark.databricks.delta.stats.collect")
    detail = detail_of(small.table(target))
    assert detail is not None
    assert (detail.rows, detail.files) == (None, 3)


def test_a_view_and_another_format_have_none(
    small: SparkSession, target: str, tmp_path: Path
) -> None:
    small.sql(TABLES["plain"][0].format(t=target))
    for query in (f"SELECT * FROM {target}", f"SELECT a.id FROM {target} a JOIN {target} b"):
        small.sql(f"CREATE OR REPLACE TEMPORARY VIEW looks AS {query}")
        assert detail_of(small.table("looks")) is None
    small.range(3).write.parquet(str(tmp_path / "parquet"))
    assert detail_of(small.table(f"parquet.`{tmp_path / 'parquet'}`")) is None
