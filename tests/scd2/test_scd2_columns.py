"""Strategy scd2: columns of any name and type, and columns of one side alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from history_table import EVERY_ROW, save
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine, scd2

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


def test_dates_and_numbers_order_changes_too(small: SparkSession, tmp_path: Path) -> None:
    """A date is closed on the day that it is in UTC; a wall clock shows UTC."""
    first = "SELECT 1 AS id, {} AS at UNION ALL SELECT 2, {}"
    later = "SELECT 1 AS id, {} AS at"
    ends = []
    for kind in ("DATE", "TIMESTAMP_NTZ", "BIGINT"):
        old, new = (f"CAST({each} AS {kind})" for each in times(kind))
        target = engine.DeltaTarget.for_path(small, str(tmp_path / kind))
        settings = scd2.Scd2(
            unique_key=("ID",),
            updated_at="AT",
            check_columns=None,
            invalidate_missing=kind != "BIGINT",
        )
        moment = F.lit("2026-01-05T23:30:00Z")
        with scd2.first_load(small.sql(first.format(old, old)), settings, moment) as rows:
            save(rows, tmp_path / kind)
        small.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
        try:
            scd2.load(small.sql(later.format(new)), target, settings, moment)
        finally:
            small.conf.set("spark.sql.session.timeZone", "UTC")
        ends += [
            str(row[0])
            for row in small.sql(f"SELECT valid_to FROM {target.name} ORDER BY id, at").collect()
        ]
    assert ends == [
        *("2026-01-03", "None", "2026-01-05"),
        *("2026-01-03 00:00:00", "None", "2026-01-05 23:30:00"),
        *("3", "None", "None"),
    ]


def times(kind: str) -> tuple[str, str]:
    return ("1", "3") if kind == "BIGINT" else ("'2026-01-01'", "'2026-01-03'")


def test_columns_may_have_any_name_and_type(small: SparkSession, tmp_path: Path) -> None:
    """Those of the frames inside, maps, which have no order, and structs among them."""
    row = (
        "SELECT {key} AS `a key.``x```, 1 AS key_0, map('b', {n}, 'a', 2) AS `row`,"
        " named_struct('at', {n}) AS `end`, array(map(1, 2)) AS until, {at} AS `at`,"
        " 'x' AS __scd2_0_at, DATE'2026-01-01' AS `select`"
    )
    settings = scd2.Scd2(
        unique_key=("A KEY.`x`", "key_0"),
        updated_at="at",
        check_columns=("row", "END"),
        valid_from="from",
        valid_to="to date",
        is_current="is.current",
    )
    with scd2.first_load(small.sql(row.format(key=1, n=1, at=1)), settings, F.now()) as first:
        mapped = first.write.format("delta").option("delta.columnMapping.mode", "name")
        mapped.save(str(tmp_path / "t"))
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "t"))
    texts = (row.format(key=key, n=n, at=at) for key, n, at in [(1, 1, 2), (1, 2, 3), (2, 1, 1)])
    source = small.sql(" UNION ALL ".join(texts))
    assert scd2.load(source, target, settings, F.now()).metrics.inserted == 2
    assert scd2.load(source, target, settings, F.now()).version is None
    columns = "`a key.``x```, `row`['b'], `end`.at, `from`, `to date`, `is.current`"
    rows = small.sql(f"SELECT {columns} FROM {target.name} ORDER BY 1, `from`").collect()
    assert [tuple(each) for each in rows] == [
        (1, 1, 1, 1, 3, False),
        (1, 2, 2, 3, None, True),
        (2, 1, 1, 1, None, True),
    ]


def test_columns_of_one_side_are_left_out_or_added(small: SparkSession, tmp_path: Path) -> None:
    """A missing column stays as it is in a correction, and is null in a new version."""
    source = small.sql("SELECT 1 AS id, 'a' AS v, 'old' AS w, 1 AS changed")
    with scd2.first_load(source, EVERY_ROW, F.now()) as first:
        save(first, tmp_path / "t")
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "t"))
    source = small.sql(
        "SELECT 1 AS id, 'b' AS v, changed, 9 AS n FROM VALUES (1), (2) AS t(changed)"
    )
    columns = ["id", "v", "w", "changed", "valid_from", "valid_to", "is_current"]
    assert scd2.load(source, target, EVERY_ROW, F.now()).version == 1
    assert small.table(target.name).columns == columns
    assert scd2.load(source, target, EVERY_ROW, F.now(), evolve=True).version == 2
    assert small.table(target.name).columns == [*columns, "n"]
    assert scd2.load(source, target, EVERY_ROW, F.now(), evolve=True).version is None
    rows = small.sql(
        f"SELECT v, w, valid_from, valid_to, n FROM {target.name} ORDER BY 3"
    ).collect()
    assert [tuple(row) for row in rows] == [("b", "old", 1, 2, 9), ("b", None, 2, None, 9)]


def test_a_first_load_keeps_no_rows(small: SparkSession) -> None:
    def persisted() -> set[str]:
        numbers = small.sparkContext._jsc.sc().getPersistentRDDs().keys().mkString(" ")
        return {*numbers.split()}

    before = persisted()
    with scd2.first_load(small.sql("SELECT 1 AS id, 1 AS changed"), EVERY_ROW, F.now()) as first:
        assert first.count() == 1
        assert len(persisted() - before) == 1
    assert persisted() <= before  # what other tests left may go meanwhile
