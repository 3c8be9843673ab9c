"""Snapshot configs: what they mean in SQL, and what can be wrong with them."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql.types import (
    DataType,
    DateType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    TimestampType,
)

from dbt.adapters.deltaspark.engine.spec import Insert, MergeSpec, Update
from dbt.adapters.deltaspark.materialize.seeds import seed_problems
from dbt.adapters.deltaspark.materialize.snapshot_sources import Strategy
from dbt.adapters.deltaspark.settings import TableConfig, problems_of_new_snapshot
from dbt.adapters.deltaspark.settings.snapshot import (
    Columns,
    column_problems,
    is_current,
    missing_meta_columns,
    read_snapshot,
    row_changed,
    snapshot_merge,
    sql_of,
)

LONG, INT, TEXT, DAY, TIME = LongType(), IntegerType(), StringType(), DateType(), TimestampType()
TAGS = MapType(TEXT, TEXT)
ORDERS: Columns = {"id": LONG, "amount": INT, "at": TIME}
META = ("dbt_scd_id", "dbt_updated_at", "dbt_valid_from", "dbt_valid_to", "dbt_is_deleted")
TABLE: Columns = {**ORDERS, **dict.fromkeys(META[:4], TEXT)}
BY_TIME = {"strategy": "timestamp", "unique_key": "id", "updated_at": "at"}
BY_VALUE = {"strategy": "check", "unique_key": "id", "check_cols": "all"}


def facts(config: dict[str, Any], **meta_columns: str) -> dict[str, Any]:
    names = {name: meta_columns.get(name, name) for name in META}
    return {"config": config, "now": " now() ", "meta_columns": names}


def problems(
    config: dict[str, Any],
    source: Columns = ORDERS,
    target: Columns | None = None,
    **meta_columns: str,
) -> list[str]:
    settings = read_snapshot(facts(config, **meta_columns))
    return [*settings.problems, *column_problems(settings, source, target)]


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (BY_TIME, []),
        (BY_VALUE, []),
        ({**BY_TIME, "unique_key": ["id", "amount"], "hard_deletes": "new_record"}, []),
        ({**BY_TIME, "unique_key": "id || '-' || amount"}, []),
        (
            {"strategy": "timestamp"},
            [
                "unique_key is not set; a snapshot follows the row of each key over time",
                "strategy 'timestamp' needs updated_at, the time of a row's last change",
            ],
        ),
        (
            {"strategy": "check", "unique_key": "id"},
            ["strategy 'check' needs check_cols: a list of columns, or 'all'"],
        ),
        (
            {**BY_TIME, "unique_key": ["id", "amout"], "updated_at": "updated_at"},
            [
                "unique_key names 'amout', which the query does not produce; did you mean"
                " 'amount'?",
                "updated_at names 'updated_at', which the query does not produce; its columns are"
                " id, amount, at",
            ],
        ),
        (
            {**BY_VALUE, "check_cols": ["amout", "AT"]},
            ["check_cols names 'amout', which the query does not produce; did you mean 'amount'?"],
        ),
        (
            {**BY_TIME, "hard_deletes": "new_records", "invalidate_hard_deletes": False},
            [
                "hard_deletes and invalidate_hard_deletes exclude each other; keep hard_deletes",
                "hard_deletes must be one of ignore, invalidate, new_record, got 'new_records';"
                " did you mean 'new_record'?",
            ],
        ),
    ],
)
def test_settings_have_these_problems(config: dict[str, Any], expected: list[str]) -> None:
    assert problems(config) == expected


def test_names_that_the_snapshot_needs_may_not_come_from_the_query() -> None:
    names = {"DBT_SCD_ID": TEXT, "dbt_change_type": TEXT, "dbt_is_deleted": TEXT}
    assert problems(BY_TIME, {**ORDERS, **names}) == [
        "the query produces 'DBT_SCD_ID', which the snapshot adds itself; leave it out of the"
        " query, or rename the snapshot's own with snapshot_meta_column_names",
        "the query produces 'dbt_change_type', a name that snapshots need on their way; rename it",
    ]
    assert problems(BY_TIME, {**ORDERS, "DBT_SCD_ID": TEXT}, dbt_scd_id="version") == []


def test_a_new_table_may_be_clustered_by_columns_of_the_snapshot_itself() -> None:
    table = TableConfig(cluster_by=("dbt_valid_to", "dbt_is_deleted", "amout"))
    not_there = [
        each.partition(", which the query does not produce")[0]
        for each in problems_of_new_snapshot(table, read_snapshot(facts(BY_TIME)), ORDERS)
    ]
    assert not_there == [
        "liquid_clustered_by names 'dbt_is_deleted'",
        "liquid_clustered_by names 'amout'",
    ]


def test_two_meta_columns_have_two_names() -> None:
    assert problems(BY_TIME, dbt_valid_from="Since", dbt_updated_at="since") == [
        "snapshot_meta_column_names gives several columns the name 'Since'",
        "snapshot_meta_column_names gives several columns the name 'since'",
    ]


def test_a_snapshot_that_is_there_keeps_its_key() -> None:
    (problem,) = problems({**BY_TIME, "unique_key": "new_id"}, {**ORDERS, "new_id": INT}, TABLE)
    assert problem == (
        "unique_key names 'new_id', which the snapshot's table does not have; a snapshot that is"
        " there keeps its key"
    )


def test_a_map_cannot_be_checked() -> None:
    (problem,) = problems(BY_VALUE, {**ORDERS, "tags": TAGS})
    assert problem.startswith("check_cols has 'tags', of the type map<string,string>, which Spark")
    listed = {**BY_VALUE, "check_cols": ["amount"]}
    assert problems(listed, {**ORDERS, "tags": TAGS}) == []


def test_a_table_lacks_the_columns_that_make_it_a_snapshot() -> None:
    keeps_deletions = read_snapshot(facts({**BY_TIME, "hard_deletes": "new_record"}))
    assert missing_meta_columns(keeps_deletions, TABLE) == []
    assert missing_meta_columns(keeps_deletions, {"DBT_SCD_ID": TEXT}) == [
        "dbt_valid_from",
        "dbt_valid_to",
    ]


@pytest.mark.parametrize(
    ("config", "source", "expected"),
    [
        (
            BY_TIME,
            ORDERS,
            "(new.`dbt_updated_at` is not null and coalesce(if(old.`dbt_updated_at` is null"
            " and old.`at` is null, null, least(old.`dbt_valid_from`, old.`dbt_updated_at`))"
            " < new.`dbt_updated_at`, true))",
        ),
        (
            BY_VALUE,
            {"ID": LONG, "Amount": INT},
            "(not (old.`ID` <=> new.`ID` and old.`Amount` <=> new.`Amount`))",
        ),
        ({**BY_VALUE, "check_cols": ["AMOUNT"]}, ORDERS, "(not (old.`amount` <=> new.`amount`))"),
        (BY_VALUE, {**ORDERS, "new": INT}, "true"),
        (
            {**BY_VALUE, "check_cols": ["amount"]},
            {**ORDERS, "new": INT},
            "(not (old.`amount` <=> new.`amount`))",
        ),
    ],
)
def test_a_row_has_changed_when(config: dict[str, Any], source: Columns, expected: str) -> None:
    settings = read_snapshot(facts(config))
    assert row_changed(settings, source, TABLE, "old", "new") == expected


def test_a_name_is_quoted_and_an_expression_is_not() -> None:
    assert sql_of("ID", ORDERS) == "`id`"
    assert sql_of("the key", {"the key": INT}) == "`the key`"
    assert sql_of("lower(id)", ORDERS) == "(lower(id))"


def merged(config: dict[str, Any], changes: Columns) -> MergeSpec:
    settings = read_snapshot(facts(config))
    times = {"dbt_updated_at": TIME, "dbt_valid_to": TIME}
    return snapshot_merge(settings, ["id"], {**changes, **times}, TABLE)


def test_the_merge_ends_old_versions_and_inserts_new_ones() -> None:
    spec = merged(BY_TIME, {"dbt_change_type": TEXT, "id": LONG})
    assert spec.on == (
        "DBT_INTERNAL_SOURCE.dbt_change_type <> 'insert'"
        " AND DBT_INTERNAL_SOURCE.`dbt_scd_id` = DBT_INTERNAL_DEST.`dbt_scd_id`"
        " AND DBT_INTERNAL_SOURCE.`id` <=> DBT_INTERNAL_DEST.`id`"
        " AND DBT_INTERNAL_DEST.`dbt_valid_to` IS NULL"
    )
    assert spec.matched == (
        Update(assignments=(("`dbt_valid_to`", "DBT_INTERNAL_SOURCE.`dbt_valid_to`"),)),
    )
    assert spec.not_matched == (
        Insert(
            assignments=(
                ("`id`", "DBT_INTERNAL_SOURCE.`id`"),
                ("`dbt_updated_at`", "DBT_INTERNAL_SOURCE.`dbt_updated_at`"),
                ("`dbt_valid_to`", "DBT_INTERNAL_SOURCE.`dbt_valid_to`"),
            ),
            condition="DBT_INTERNAL_SOURCE.dbt_change_type = 'insert'",
        ),
    )
    assert not spec.evolve_schema


@pytest.mark.parametrize(
    ("time", "stored", "ends"),
    [
        (DAY, DAY, ["x as date"]),
        (DAY, TIME, ["x as timestamp", "try_cast(x as date) as timestamp"]),
    ],
)
def test_current_rows_may_end_in_the_far_future(
    time: DataType, stored: DataType, ends: list[str]
) -> None:
    settings = read_snapshot(facts({**BY_TIME, "dbt_valid_to_current": "x"}))
    condition = is_current(settings, time.simpleString(), {"dbt_valid_to": stored}, "t")
    same = "".join(f" OR t.`dbt_valid_to` = try_cast({end})" for end in ends)
    assert condition == f"(t.`dbt_valid_to` IS NULL{same})"


def test_new_columns_evolve_the_table() -> None:
    assert merged(BY_TIME, {"id": LONG, "new": INT}).evolve_schema


def test_an_old_custom_strategy_says_only_that_deletes_end_rows() -> None:
    answer = {"unique_key": "`id`", "updated_at": "at", "row_changed": "x", "scd_id": "y"}
    assert Strategy.of(answer).hard_deletes == "ignore"
    assert Strategy.of(answer).unique_key == ("id",)
    invalidating = Strategy.of({**answer, "invalidate_hard_deletes": True})
    assert invalidating.hard_deletes == "invalidate"


OF_OTHERS = " If it is a column of other seeds, give it null in this one's own column_types"


@pytest.mark.parametrize(
    ("config", "names", "expected"),
    [
        ({"column_types": {"id": "int"}}, ["id", "the name"], []),
        (
            {"column_types": {"ID": "int", "nam": "string"}},
            ["id", "name"],
            [
                "column_types names 'ID', which the file does not have; did you mean 'id'?"
                + OF_OTHERS,
                "column_types names 'nam', which the file does not have; did you mean 'name'?"
                + OF_OTHERS,
            ],
        ),
        *(
            ({"column_types": {name: "string"}}, names, [])
            for name, names in (
                ("zip_code", ["id", "city"]),
                ("uid", ["id"]),
                ("valid_from", ["valid_to"]),
                ("address_2", ["address_1"]),
            )
        ),
        ({"column_types": {"zip_cod": "string", "zip_code": "string"}}, ["zip_code"], []),
        ({"column_types": {"county_code": None}}, ["country_code"], []),
        (
            {},
            ["a", "A"],
            ["the columns 'a' and 'A' are one to Spark, which ignores case"],
        ),
        (
            {"quote_columns": False, "delimiter": ";"},
            ["a,b"],
            [
                "quote_columns is false, but the column 'a,b' is a syntax error without quotes;"
                " leave quote_columns out, or is ';' not the file's delimiter?"
            ],
        ),
    ],
)
def test_a_seed_has_these_problems(
    config: dict[str, Any], names: list[str], expected: list[str]
) -> None:
    assert list(seed_problems(config, names)) == expected
