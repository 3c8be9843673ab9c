"""Rows in files that delta-rs wrote, whose statistics tell less than Spark's, or something else."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from sorted_rows import rows_of

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import Checksum, data_skipping

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

NAN = "CAST('NaN' AS DOUBLE)"
TRUE_OF_NAN = ("k > 5", "k >= 5", "k != 1", "NOT k < 5", f"k = {NAN}", f"k IN (7, {NAN})")
LONG = "1234567890123456.78"
KEYS: tuple[tuple[str, pa.DataType, Any], ...] = (
    (NAN, pa.float64(), float("nan")),
    ("CAST('NaN' AS FLOAT)", pa.float32(), float("nan")),
    ("CAST('Infinity' AS DOUBLE)", pa.float64(), float("inf")),
    ("CAST('-Infinity' AS DOUBLE)", pa.float64(), float("-inf")),
    ("timestamp_micros(1767261600123500)", pa.timestamp("us", "UTC"), 1767261600123500),
    ("CAST(timestamp_micros(999) AS TIMESTAMP_NTZ)", pa.timestamp("us"), 999),
    ("repeat('x', 65)", pa.string(), "x" * 65),
    ("repeat('\U0010ffff', 70)", pa.string(), "\U0010ffff" * 70),
    ("X'FF80'", pa.binary(), b"\xff\x80"),
)


@pytest.fixture(params=["few files", "a list of files", "the log"])
def chosen_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param != "few files":
        monkeypatch.setattr(data_skipping, "FEW_FILES", 0)
    if request.param == "the log":
        monkeypatch.setattr(Checksum, "files", None)
    way: str = request.param
    return way


@pytest.fixture(params=[True, False], ids=["vectors", "no vectors"])
def vectors(request: pytest.FixtureRequest) -> bool:
    found: bool = request.param
    return found


def written(
    spark: SparkSession, path: Path, keys: list[Any], kind: pa.DataType, *, vectors: bool = False
) -> str:
    """The name of a table with these keys, k, numbered from 1 on, v."""
    numbers = pa.array(range(1, len(keys) + 1), pa.int32())
    write_deltalake(path, pa.table({"k": pa.array(keys, kind), "v": numbers}))
    name = f"delta.`{path}`"
    spark.sql(f"ALTER TABLE {name} SET TBLPROPERTIES ('delta.enableDeletionVectors' = '{vectors}')")
    return name


@pytest.fixture
def with_nan(small: SparkSession, tmp_path: Path, vectors: bool) -> str:
    return written(small, tmp_path / "table", [1.0, float("nan")], pa.float64(), vectors=vectors)


@pytest.mark.share(6)
@pytest.mark.parametrize("condition", TRUE_OF_NAN)
@pytest.mark.usefixtures("chosen_by")
def test_nan_goes_where_a_condition_is_true_of_it(
    small: SparkSession, with_nan: str, condition: str
) -> None:
    assert engine.DeltaTarget.for_name(small, with_nan).delete(condition).metrics.deleted == 1
    assert rows_of(small, with_nan) == [(1.0, 1)]


@pytest.mark.share(2)
def test_nan_is_updated_as_what_is_greater_than_a_number(
    small: SparkSession, with_nan: str
) -> None:
    engine.DeltaTarget.for_name(small, with_nan).update({"v": "-v"}, "k > 5")
    assert rows_of(small, with_nan, "v") == [(-2,), (1,)]


@pytest.mark.share(2)
def test_nan_gives_way_to_rows_that_are_greater_than_a_number(
    small: SparkSession, with_nan: str
) -> None:
    target = engine.DeltaTarget.for_name(small, with_nan)
    engine.write(small.sql("SELECT 9D AS k, 3 AS v"), target, "overwrite", replace_where="k > 5")
    assert rows_of(small, with_nan) == [(1.0, 1), (9.0, 3)]


@pytest.mark.share(2)
def test_a_row_with_nan_is_not_inserted_again(small: SparkSession, with_nan: str) -> None:
    merged = engine.merge_into(
        small,
        f"MERGE INTO {with_nan} t USING (SELECT {NAN} AS k, 2 AS v) s ON t.v = s.v AND t.k > 100"
        " WHEN MATCHED THEN UPDATE SET k = 0 WHEN NOT MATCHED THEN INSERT *",
    )
    assert (merged.metrics.updated, merged.metrics.inserted) == (1, 0)
    assert rows_of(small, with_nan) == [(0.0, 2), (1.0, 1)]


@pytest.mark.share(2)
def test_a_row_with_nan_that_no_source_row_meets_goes(small: SparkSession, with_nan: str) -> None:
    merged = engine.merge_into(
        small,
        f"MERGE INTO {with_nan} t USING (SELECT 50 AS v) s ON t.v = s.v"
        " WHEN NOT MATCHED BY SOURCE AND t.k > 100 THEN DELETE",
    )
    assert merged.metrics.deleted == 1


def test_files_are_left_out_by_a_condition_that_nan_does_not_meet(
    small: SparkSession, with_nan: str
) -> None:
    target = engine.DeltaTarget.for_name(small, with_nan)
    assert target.delete("k = 3").route == "no_op"
    assert target.delete("k BETWEEN 3 AND 7").route == "no_op"
    assert target.delete("k < 1").route == "no_op"


@pytest.mark.share(3)
@pytest.mark.parametrize("numbers", ["cd", "cde"], ids=["few columns", "many"])
@pytest.mark.usefixtures("chosen_by")
def test_each_field_of_a_row_is_nan_or_not(
    small: SparkSession, tmp_path: Path, numbers: str
) -> None:
    fields = [("a.b", pa.float32()), *((name, pa.float64()) for name in numbers)]
    nan = {"a.b": float("nan"), "c": 2.0, "d": float("nan")}
    keys = [dict.fromkeys(("a.b", "c", "d"), 1.0), nan]
    name = written(small, tmp_path / "table", keys, pa.struct(fields))
    target = engine.DeltaTarget.for_name(small, name)
    assert target.delete("(k.`a.b` > 5 AND k.c > 2) OR v = 9").metrics.deleted == 0
    condition = "(k.`a.b` > 5 AND k.d > 5 AND k.c < 3) OR v = 9"
    assert target.delete(condition).metrics.deleted == 1


@pytest.mark.share(8)
@pytest.mark.parametrize(("key", "kind", "value"), KEYS, ids=[key for key, _, _ in KEYS])
@pytest.mark.usefixtures("chosen_by")
def test_a_key_that_delta_rs_wrote_is_found(
    small: SparkSession, tmp_path: Path, key: str, kind: pa.DataType, value: object
) -> None:
    name = written(small, tmp_path / "table", [value], kind)
    merged = engine.merge_into(
        small,
        f"MERGE INTO {name} t USING (SELECT {key} AS k, 10 AS v) s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    )
    assert (merged.metrics.updated, merged.metrics.inserted) == (1, 0)
    small.sql(f"RESTORE TABLE {name} TO VERSION AS OF 1")
    assert engine.DeltaTarget.for_name(small, name).delete(f"k >= {key}").metrics.deleted == 1


@pytest.mark.share(2)
def test_a_decimal_that_a_double_rounds_is_found_by_each_change(
    small: SparkSession, tmp_path: Path, vectors: bool
) -> None:
    kind, literal = pa.decimal128(18, 2), f"CAST('{LONG}' AS DECIMAL(18,2))"
    name = written(small, tmp_path / "table", [Decimal(LONG)], kind, vectors=vectors)
    target, where = engine.DeltaTarget.for_name(small, name), f"k = {literal}"
    assert target.update({"v": "2"}, where).metrics.updated == 1
    new = small.sql(f"SELECT {literal} AS k, 3 AS v")
    engine.write(new, target, "overwrite", replace_where=where)
    assert rows_of(small, name) == [(Decimal(LONG), 3)]
    engine.write(new.selectExpr("k", "4 AS v"), target, "overwrite", replace_using=["k"])
    assert rows_of(small, name) == [(Decimal(LONG), 4)]
