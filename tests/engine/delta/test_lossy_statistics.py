"""What statistics cannot hold as it is, or another writer has not written as it is: rows are found
all the same, whichever way the files are chosen.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from commits import latest_version, live_files
from deltalake import write_deltalake
from targets import with_conf

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import Checksum, data_skipping

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

FILES = (
    "('é', 1), (CAST(X'80' AS STRING), 2)",
    "('\U0001f600', 3), (CAST(X'FF' AS STRING), 4)",
    "('b', 5), ('c', 6)",
    "('abcé', 7), (CAST(X'61626380' AS STRING), 8)",
)
KEYS = ("é", "\U0001f600", "abcé", "c")
OLDER_SPARK = ("spark.sql.files.supportSecondOffsetFormat", "false")
MOMENTS = {"Europe/Paris": "1900-01-01 00:00:00", "America/New_York": "0001-01-01 00:00:00"}
NUMBERS = (
    ("9007199254740993", 38, 0),
    ("100000000000000000001", 38, 0),
    ("-9007199254740993", 20, 0),
    ("1234567890123456.79", 18, 2),
    ("0.333333333333333333", 38, 18),
)


@pytest.fixture(params=["name", "none"])
def table(small: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    name = f"delta.`{tmp_path / 'table'}`"
    small.sql(
        f"CREATE TABLE {name} (k STRING, v INT) USING delta"
        f" TBLPROPERTIES ('delta.columnMapping.mode' = '{request.param}')"
    )
    for rows in FILES:
        small.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}")
    return name


@pytest.fixture(params=["few files", "a list of files", "the log"])
def chosen_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param != "few files":
        monkeypatch.setattr(data_skipping, "FEW_FILES", 0)
    if request.param == "the log":
        monkeypatch.setattr(Checksum, "files", None)
    way: str = request.param
    return way


def check_found(spark: SparkSession, table: str, key: str) -> None:
    """A merge updates the row of the key, which is an SQL expression, and a delete deletes it."""
    merged = engine.merge_into(
        spark,
        f"MERGE INTO {table} t USING (SELECT {key} AS k, 10 AS v) s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    )
    assert (merged.metrics.updated, merged.metrics.inserted) == (1, 0)
    assert engine.DeltaTarget.for_name(spark, table).delete(f"k = {key}").metrics.deleted == 1


@pytest.mark.share(8)
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.usefixtures("chosen_by")
def test_a_row_beside_a_text_that_is_no_utf_8_is_found(
    small: SparkSession, table: str, key: str
) -> None:
    check_found(small, table, f"'{key}'")


@pytest.mark.usefixtures("chosen_by")
def test_a_longer_prefix_of_texts_is_no_cut_one(small: SparkSession, tmp_path: Path) -> None:
    name, key = f"delta.`{tmp_path}`", f"concat(repeat('x', 34), '{KEYS[1]}')"
    small.sql(
        f"CREATE TABLE {name} (k STRING, v INT) USING delta"
        " TBLPROPERTIES ('delta.dataSkippingStringPrefixLength' = '40')"
    )
    other = "CAST(concat(CAST(repeat('x', 34) AS BINARY), X'FF') AS STRING)"
    small.sql(
        f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES ({key}, 1), ({other}, 2)"
    )
    check_found(small, name, key)


@pytest.mark.share(8)
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("zone", MOMENTS)
@pytest.mark.usefixtures("chosen_by")
def test_a_moment_is_found_whose_offset_lost_its_seconds(
    small: SparkSession, tmp_path: Path, zone: str, nested: bool
) -> None:
    name = f"delta.`{tmp_path}`"
    with with_conf(small, (OLDER_SPARK, ("spark.sql.session.timeZone", zone))):
        moment = f"TIMESTAMP'{MOMENTS[zone]}'"
        at = small.sql(f"SELECT unix_micros({moment})").collect()[0][0]
        key, kind = f"timestamp_micros({at})", "TIMESTAMP"
        if nested:
            key, kind = f"named_struct('a b', {key})", "STRUCT<`a b`: TIMESTAMP>"
        small.sql(
            f"CREATE TABLE {name} (k {kind}, v INT) USING delta"
            " TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"
        )
        small.sql(f"INSERT INTO {name} SELECT {key}, 1")
    where = f"{'k.`a b`' if nested else 'k'} = timestamp_micros({at})"
    if not nested:
        check_found(small, name, key)
        small.sql(f"RESTORE TABLE {name} TO VERSION AS OF 1")
    assert engine.DeltaTarget.for_name(small, name).delete(where).metrics.deleted == 1


@pytest.mark.usefixtures("chosen_by")
def test_a_moment_is_found_whose_seconds_were_lost_with_each_vector(
    small: SparkSession, tmp_path: Path
) -> None:
    name = f"delta.`{tmp_path}`"
    with with_conf(small, (OLDER_SPARK, ("spark.sql.session.timeZone", "Asia/Tokyo"))):
        at = small.sql("SELECT unix_micros(TIMESTAMP'0001-01-01 00:00:00')").collect()[0][0]
        small.sql(
            f"CREATE TABLE {name} (k TIMESTAMP, v INT) USING delta"
            " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"
        )
        small.sql(
            f"INSERT INTO {name} SELECT timestamp_micros({at} + id * 600000000), CAST(id AS INT)"
            " FROM range(0, 6, 1, 1)"
        )
        for number in (3, 4, 5):
            small.sql(f"DELETE FROM {name} WHERE v = {number}")
    check_found(small, name, f"timestamp_micros({at})")


@pytest.mark.share(3)
@pytest.mark.parametrize("kind", ["FLOAT", "STRING"])
@pytest.mark.usefixtures("chosen_by")
def test_a_row_is_found_in_a_table_with_variants_in_its_statistics(
    small: SparkSession, tmp_path: Path, kind: str
) -> None:
    name = f"delta.`{tmp_path}`"
    small.sql(
        f"CREATE TABLE {name} (k {kind}, j VARIANT, v INT) USING delta TBLPROPERTIES"
        " ('delta.enableVariantShredding' = 'true', 'delta.enableTypeWidening' = 'true')"
    )
    keys = {"FLOAT": "CAST(0.1 AS FLOAT)", "STRING": f"'{KEYS[1]}'"}
    others = {"FLOAT": "CAST(0.05 AS FLOAT)", "STRING": "CAST(X'FF' AS STRING)"}
    rows = f"({keys[kind]}, parse_json('1'), 1), ({others[kind]}, parse_json('2'), 2)"
    small.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}")
    key = keys[kind]
    if kind == "FLOAT":
        small.sql(f"ALTER TABLE {name} ALTER COLUMN k TYPE DOUBLE")
        key = f"CAST({key} AS DOUBLE)"
    merged = engine.merge_into(
        small,
        f"MERGE INTO {name} t USING (SELECT {key} AS k, 10 AS v) s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (k, v) VALUES (k, v)",
    )
    assert (merged.metrics.updated, merged.metrics.inserted) == (1, 0)


@pytest.mark.usefixtures("chosen_by")
def test_a_text_without_blanks_is_found_that_delta_rs_wrote(
    small: SparkSession, tmp_path: Path
) -> None:
    name = f"delta.`{tmp_path}`"
    small.sql(f"CREATE TABLE {name} (id INT, k STRUCT<c: CHAR(5)>) USING delta")
    keys = pa.StructArray.from_arrays([pa.array(["a"])], ["c"])
    write_deltalake(tmp_path, pa.table({"id": pa.array([1], pa.int32()), "k": keys}), mode="append")
    assert engine.DeltaTarget.for_name(small, name).delete("k.c >= 'a '").metrics.deleted == 1


@pytest.mark.share(8)
@pytest.mark.parametrize(("number", "precision", "scale"), NUMBERS)
@pytest.mark.usefixtures("chosen_by")
def test_a_decimal_is_found_that_delta_rs_wrote(
    small: SparkSession, tmp_path: Path, number: str, precision: int, scale: int
) -> None:
    keys = pa.array([Decimal(number)], pa.decimal128(precision, scale))
    write_deltalake(tmp_path, pa.table({"k": keys, "v": pa.array([1], pa.int32())}))
    check_found(small, f"delta.`{tmp_path}`", f"CAST('{number}' AS DECIMAL({precision}, {scale}))")


def test_a_nan_is_found_that_delta_rs_wrote(small: SparkSession, tmp_path: Path) -> None:
    rows = {"k": pa.array([1, 2], pa.int32()), "v": pa.array([1.0, float("nan")])}
    write_deltalake(tmp_path, pa.table(rows))
    merged = engine.merge_into(
        small,
        f"MERGE INTO delta.`{tmp_path}` t USING (SELECT 50 AS k, 1.0D AS v) s ON t.k = s.k"
        " WHEN NOT MATCHED BY SOURCE AND t.v > 100 THEN DELETE",
    )
    assert merged.metrics.deleted == 1


@pytest.mark.parametrize("number", [number for number, _, scale in NUMBERS if scale])
def test_a_first_vector_leaves_decimals_as_they_are(
    small: SparkSession, tmp_path: Path, number: str
) -> None:
    name, kind = f"delta.`{tmp_path}`", "DECIMAL(38, 18)"
    small.sql(
        f"CREATE TABLE {name} (k {kind}, v INT) USING delta"
        " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"
    )
    rows = f"(CAST('{number}' AS {kind}), 1), (CAST('{number}' AS {kind}), 2)"
    small.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}")
    assert engine.DeltaTarget.for_name(small, name).delete("v = 2").metrics.deleted == 1
    (file,) = live_files(tmp_path, latest_version(tmp_path)).values()
    assert file["deletionVector"] is not None
    found = small.sql(f"SELECT v FROM {name} WHERE k = CAST('{number}' AS {kind})")
    assert found.collect() == [(1,)]


@pytest.mark.usefixtures("chosen_by")
def test_a_date_between_the_calendars_is_found_as_the_older_one_has_it(
    small: SparkSession, tmp_path: Path
) -> None:
    name, key = f"delta.`{tmp_path}`", "DATE'1582-10-15'"
    small.sql(f"CREATE TABLE {name} (k DATE, v INT) USING delta")
    with with_conf(small, (("spark.sql.parquet.datetimeRebaseModeInWrite", "LEGACY"),)):
        small.sql(f"INSERT INTO {name} VALUES (DATE'1582-10-06', 1)")
    assert small.table(name).where(f"k + INTERVAL 0 DAYS = {key}").count() == 1
    check_found(small, name, key)
    small.sql(f"RESTORE TABLE {name} TO VERSION AS OF 1")
    target = engine.DeltaTarget.for_name(small, name)
    assert target.delete("k > DATE'1582-10-06'").metrics.deleted == 1
