"""Strategy scd2: types that widen, and fields that one side alone has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from commits import latest_version
from history_table import EVERY_ROW, save
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine, scd2

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

CHECKED = replace(EVERY_ROW, updated_at="at", check_columns=("v",))
CORRECTED = replace(EVERY_ROW, updated_at="at")
WIDENING = "'delta.enableTypeWidening' = 'true', 'delta.feature.timestampNtz' = 'supported'"
FIELDS = "(1, 1, {}), (2, 1, {}) AS t(id, at, v)"
A, AB, OTHER_AB = (
    "named_struct('a', 1)",
    "named_struct('a', 1, 'b', 9)",
    "named_struct('a', 1, 'b', 7)",
)


@dataclass(frozen=True)
class Loads:
    """A table on disk, and the loads of texts of rows (id, at, v) into it."""

    spark: SparkSession
    path: Path
    settings: scd2.Scd2

    @property
    def target(self) -> engine.DeltaTarget:
        return engine.DeltaTarget.for_path(self.spark, str(self.path))

    def begin(self, rows: str) -> None:
        """Its columns may widen."""
        with scd2.first_load(
            self.spark.sql(f"FROM VALUES {rows}"), self.settings, F.now()
        ) as first:
            save(first, self.path)
        self.spark.sql(f"ALTER TABLE {self.target.name} SET TBLPROPERTIES ({WIDENING})")

    def load(self, rows: str, *, evolve: bool = True) -> engine.MergeResult:
        source = self.spark.sql(f"FROM VALUES {rows}")
        return scd2.load(source, self.target, self.settings, F.now(), evolve=evolve)

    def rows(self, values: str = "id, at, v") -> list[tuple[Any, ...]]:
        query = f"SELECT {values} FROM {self.target.name} ORDER BY id, at"
        return [tuple(row) for row in self.spark.sql(query).collect()]


@pytest.mark.share(3)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("DATE'2026-03-01'", "TIMESTAMP_NTZ'2026-03-01 08:00:00'"),
        ("CAST(0.5 AS FLOAT)", "0.50000000001D"),
        ("1.5", "1.51"),
        ("1", "5000000000"),
        ("1", "1.5D"),
        ("1", "CAST(1.5 AS DECIMAL(12,1))"),
        ("named_struct('a', 1)", "named_struct('a', 5000000000)"),
        ("array(DATE'2026-03-01')", "array(TIMESTAMP_NTZ'2026-03-01 08:00:00')"),
        ("map('a', 1.5)", "map('a', 1.51)"),
    ],
)
def test_a_value_is_compared_in_the_type_that_the_column_widens_to(
    small: SparkSession, tmp_path: Path, old: str, new: str
) -> None:
    table = Loads(small, tmp_path / "t", CHECKED)
    table.begin(f"(1, 1, {old}) AS t(id, at, v)")
    assert table.load(f"(1, 2, {new}) AS t(id, at, v)").metrics.inserted == 1
    assert table.load(f"(1, 2, {new}) AS t(id, at, v)").version is None
    kind = small.sql(f"SELECT {new} AS v").schema["v"].dataType
    assert small.table(table.target.name).schema["v"].dataType.simpleString() == kind.simpleString()
    assert table.rows("at, valid_to") == [(1, 2), (2, None)]


def test_rows_that_differ_in_the_wider_type_alone_contradict_each_other(
    small: SparkSession, tmp_path: Path
) -> None:
    table = Loads(small, tmp_path / "t", CHECKED)
    table.begin("(1, 1, DATE'2026-03-01') AS t(id, at, v)")
    hours = ", ".join(f"(1, 2, TIMESTAMP_NTZ'2026-03-01 {hour}:00:00')" for hour in ("08", "09"))
    with pytest.raises(scd2.HistoryError, match="different rows for one key and one time"):
        table.load(f"{hours} AS t(id, at, v)")


def test_rows_are_compared_anew_where_another_writer_lets_types_widen(
    small: SparkSession, tmp_path: Path, before_our_commit: Callable[[str], None]
) -> None:
    """Both rows are 1.5 in the type that the table had when they were first compared."""
    table = Loads(small, tmp_path / "t", CHECKED)
    table.begin("(1, 1, 1.0) AS t(id, at, v)")
    name = table.target.name
    small.sql(f"ALTER TABLE {name} SET TBLPROPERTIES ('delta.enableTypeWidening' = 'false')")
    before_our_commit(f"ALTER TABLE {name} SET TBLPROPERTIES ({WIDENING})")
    with pytest.raises(scd2.HistoryError, match="different rows for one key and one time"):
        table.load("(1, 2, 1.53), (1, 2, 1.54) AS t(id, at, v)")
    assert table.rows("v, valid_to") == [(Decimal("1.0"), None)]


@pytest.mark.share(2)
@pytest.mark.parametrize("conf", ["never", "same_family_type"])
def test_a_column_that_does_not_widen_is_compared_as_it_is_stored(
    small: SparkSession, tmp_path: Path, conf: str
) -> None:
    table = Loads(small, tmp_path / "t", CORRECTED)
    table.begin("(1, 1, 1) AS t(id, at, v)")
    name = "spark.databricks.delta.typeWidening.allowAutomaticWidening"
    small.conf.set(name, conf)
    try:
        assert table.load("(1, 1, 1.25D) AS t(id, at, v)").version is None
    finally:
        small.conf.unset(name)
    small.sql(f"ALTER TABLE {table.target.name} UNSET TBLPROPERTIES ('delta.enableTypeWidening')")
    assert table.load("(1, 1, 1.25D) AS t(id, at, v)").version is None


def test_a_key_that_widens_is_told_apart_in_the_wider_type(
    small: SparkSession, tmp_path: Path
) -> None:
    table = Loads(small, tmp_path / "t", CORRECTED)
    table.begin("(1BD, 1, 'a'), (2BD, 1, 'a') AS t(id, at, v)")
    keys = "(1.0BD, 2, 'b'), (1.1BD, 2, 'c'), (111111.2BD, 2, 'd') AS t(id, at, v)"
    assert table.load(keys).metrics.inserted == 3
    assert table.load(keys).version is None
    assert table.rows("string(id), at, v, valid_to") == [
        ("1.0", 1, "a", 2),
        ("1.0", 2, "b", None),
        ("1.1", 2, "c", None),
        ("111111.2", 2, "d", None),
        ("2.0", 1, "a", None),
    ]


@pytest.mark.parametrize("evolve", [True, False])
def test_keys_that_the_tables_type_cannot_hold_are_refused(
    small: SparkSession, tmp_path: Path, evolve: bool
) -> None:
    """1.1 and 1.2 would be one key; 2.0 is the table's 2."""
    table = Loads(small, tmp_path / "t", CORRECTED)
    table.begin("(CAST(1 AS DECIMAL(10,0)), 1, 'a') AS t(id, at, v)")
    keys = ", ".join(f"(CAST({key} AS DECIMAL(10,1)), 2, 'b')" for key in ("1.1", "1.2", "2"))
    with pytest.raises(scd2.HistoryError) as raised:
        table.load(f"{keys} AS t(id, at, v)", evolve=evolve)
    assert str(raised.value) == (
        "scd2: keys of the source are others in the table's type: 'id' is decimal(10,1) in the"
        " source and decimal(10,0) in the table; nothing was written. Some keys:\n"
        "  - id = 1.1 at 2: 2 source rows\n"
        "Cast the key in the model to what the table has, or run a full refresh."
    )
    assert latest_version(table.path) == 1
    assert table.load("(CAST(2 AS DECIMAL(10,1)), 2, 'b') AS t(id, at, v)").metrics.inserted == 1


@pytest.mark.share(4)
@pytest.mark.parametrize("form", ["{}", "array({})", "map('k', {})", "named_struct('in', {})"])
def test_a_new_field_is_compared_and_corrects_what_is_stored(
    small: SparkSession, tmp_path: Path, form: str
) -> None:
    a, ab, other = (form.format(value) for value in (A, AB, OTHER_AB))
    table = Loads(small, tmp_path / "t", CORRECTED)
    table.begin(FIELDS.format(a, a))
    assert table.load(FIELDS.format(ab, ab)).metrics.updated == 2
    assert table.load(FIELDS.format(ab, ab)).version is None
    assert table.rows(f"string({ab}) = string(v)") == [(True,), (True,)]
    checked = replace(table, settings=CHECKED)
    assert checked.load(f"(1, 2, {other}) AS t(id, at, v)").metrics.inserted == 1


@pytest.mark.share(2)
@pytest.mark.parametrize("evolve", [True, False])
def test_a_field_that_the_source_lacks_stays_in_corrections_and_is_null_in_new_versions(
    small: SparkSession, tmp_path: Path, evolve: bool
) -> None:
    """Where another field is corrected, too, in structs in structs, and with a null struct."""
    deep = "named_struct('s', named_struct('b', 8, 'a', {}), 'c', 7)"
    shallow = "named_struct('s', named_struct('a', {}))"
    table = Loads(small, tmp_path / "t", CORRECTED)
    kept, null = deep.format(1), f"IF(true, NULL, {deep.format(1)})"
    table.begin(f"(1, 1, {kept}), (2, 1, {kept}), (3, 1, {kept}), (4, 1, {null}) AS t(id, at, v)")
    same, other = shallow.format(1), shallow.format(2)
    assert table.load(f"(1, 1, {same}) AS t(id, at, v)", evolve=evolve).version is None
    changes = (
        f"(1, 2, {same}), (2, 1, {other}), (3, 1, IF(true, NULL, {same})), (4, 1, {same})"
        " AS t(id, at, v)"
    )
    result = table.load(changes, evolve=evolve)
    assert (result.metrics.inserted, result.metrics.updated) == (1, 4)
    assert table.load(changes, evolve=evolve).version is None
    assert table.rows("id, v.s.a, v.s.b, v.c, valid_to") == [
        (1, 1, 8, 7, 2),
        (1, 1, None, None, None),
        (2, 2, 8, 7, None),
        (3, None, None, None, None),
        (4, 1, None, None, None),
    ]


@pytest.mark.share(4)
@pytest.mark.parametrize("evolve", [True, False])
@pytest.mark.parametrize("form", ["array({})", "map('k', {})"])
def test_elements_without_a_field_stay_unless_another_field_changes(
    small: SparkSession, tmp_path: Path, form: str, evolve: bool
) -> None:
    table = Loads(small, tmp_path / "t", CORRECTED)
    both = form.format(AB)
    table.begin(FIELDS.format(both, both))
    changes = FIELDS.format(form.format(A), form.format("named_struct('a', 2)"))
    assert table.load(changes, evolve=evolve).metrics.updated == 1
    assert table.load(changes, evolve=evolve).version is None
    changed = form.format("named_struct('a', 2, 'b', NULL)")
    texts = ", ".join(f"string({value}) = string(v)" for value in (both, changed))
    assert table.rows(texts) == [(True, False), (False, True)]
