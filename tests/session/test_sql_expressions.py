"""Settings that are pasted into SQL: what is no expression by itself is refused, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark.engine import DeltaTarget, write
from dbt.adapters.deltaspark.engine.spec import quoted
from dbt.adapters.deltaspark.settings.config_keys import MERGE
from dbt.adapters.deltaspark.settings.model import read_incremental
from dbt.adapters.deltaspark.settings.snapshot import read_snapshot
from dbt.adapters.deltaspark.settings.sql_expressions import (
    check_problems,
    model_problems,
    snapshot_problems,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COLUMNS = ["id", "v", "order id", "a) or (b"]
BREAKOUT = "id) or (1=1"
META = {"dbt_valid_from": None}


BROKEN_OUT: list[tuple[str, dict[str, Any]]] = [
    ("unique_key", {"unique_key": BREAKOUT}),
    ("unique_key", {"unique_key": ["id", BREAKOUT], "incremental_strategy": "delete+insert"}),
    ("unique_key", {"unique_key": "lower(id"}),
    ("unique_key", {"unique_key": "id, v"}),
    ("unique_key", {"unique_key": "id as v"}),
    ("unique_key", {"unique_key": "id /*"}),
    ("incremental_predicates", {"unique_key": "id", "incremental_predicates": [BREAKOUT]}),
    (
        "incremental_predicates",
        {"incremental_strategy": "replace_where", "predicates": "1) --"},
    ),
    ("merge_on", {"merge_on": BREAKOUT}),
    ("a condition when matched", {"unique_key": "id", "matched_condition": BREAKOUT}),
    ("a condition when not_matched", {"unique_key": "id", "not_matched_condition": BREAKOUT}),
    (
        "a condition when not_matched_by_source",
        {
            "unique_key": "id",
            "not_matched_by_source_action": "delete",
            "not_matched_by_source_condition": BREAKOUT,
        },
    ),
    (
        "the value of 'v'",
        {"unique_key": "id", "merge_update_set_expressions": {"v": "1, id = 2"}},
    ),
    (
        "the value of 'v'",
        {"unique_key": "id", "not_matched_by_source_action": "update set v = 1) or (2"},
    ),
    (
        "a condition when matched",
        {
            "unique_key": "id",
            "merge_clauses": [{"when": "matched", "action": "delete", "condition": BREAKOUT}],
        },
    ),
    (
        "duplicate_keys_order_by",
        {
            "unique_key": "id",
            "on_duplicate_keys": "keep_last",
            "duplicate_keys_order_by": "v) desc, (id",
        },
    ),
]
NO_SQL = {
    "merge_update_columns",
    "merge_exclude_columns",
    "skip_matched_step",
    "skip_not_matched_step",
    "merge_only_changed",
    "merge_with_schema_evolution",
    "on_duplicate_keys",
    "source_alias",
    "target_alias",
    "skip_empty",
}
"""Keys of merges whose values are names, choices, or true and false."""


def problems(spark: SparkSession, **config: Any) -> list[str]:
    about = {"name": "orders", "path": "models/orders.sql", "schema": "shop", "alias": "orders"}
    model = read_incremental({**about, "config": config, "columns": {}, "constraints": []})
    assert model.problems == ()
    schema = ", ".join(f"{quoted(name)} STRING" for name in COLUMNS)
    return model_problems(model, spark.createDataFrame([], schema))


@pytest.mark.parametrize(("key", "config"), BROKEN_OUT)
def test_a_text_that_leaves_its_parentheses_is_refused_with_its_key_and_what_was_found(
    spark: SparkSession, key: str, config: dict[str, Any]
) -> None:
    told = problems(spark, **config)
    assert len(told) == 1
    assert told[0].startswith(f"{key} must be one SQL expression by itself")
    assert "Spark's parser says" in told[0] or "an item of a SELECT" in told[0]


def test_each_key_of_merges_has_no_sql_or_is_tried() -> None:
    tried = {key for _, config in BROKEN_OUT for key in config}
    assert set(MERGE) - NO_SQL <= tried


def test_columns_of_any_name_and_expressions_are_taken(spark: SparkSession) -> None:
    keys = [
        "id",
        "order id",
        "a) or (b",
        "lower(v)",
        "case when v = ')' then 1 end",
        "id -- the id",
    ]
    order = ["v desc, id asc nulls last", "coalesce(v, 'a, b') desc nulls first"]
    asked = {"on_duplicate_keys": "keep_first", "duplicate_keys_order_by": order}
    assert problems(spark, unique_key=keys, incremental_predicates=["id > 1 -- new"], **asked) == []


def test_a_key_over_what_is_no_column_of_the_model_is_refused(spark: SparkSession) -> None:
    (told,) = problems(spark, unique_key=["id", "concat(id, region)"])
    assert told.startswith("unique_key 'concat(id, region)' must be an expression over the model's")
    assert "`region`" in told


def told_of_check(spark: SparkSession, expression: str, **config: Any) -> list[str]:
    about = {"name": "orders", "path": "models/orders.sql", "schema": "shop", "alias": "orders"}
    constraints = [{"type": "check", "name": "Pos", "expression": expression}]
    config = {"contract": {"enforced": True}, "unique_key": "id", **config}
    model = read_incremental({**about, "config": config, "constraints": constraints})
    assert model.problems == ()
    query = "select id as amount, id, named_struct('low', id) as bounds, id as `a b` from range(1)"
    return check_problems(model, spark.sql(query))


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("amout > 0 or amout is null", "`amout` cannot be resolved. Did you mean"),
        ("range.id > 0", "`range`.`id` cannot be resolved"),
        ("bounds.high > 0", "No such struct field `high`"),
        ("amount", "it is of type bigint"),
        ("'amount > 0'", "it is of type string"),
        ("is_current", "`is_current` cannot be resolved"),
    ],
)
def test_a_check_that_is_no_condition_over_the_new_tables_columns_is_refused(
    spark: SparkSession, expression: str, reason: str
) -> None:
    (problem,) = told_of_check(spark, expression)
    assert problem.startswith("the check 'pos' must be a condition over the table's columns, got")
    assert repr(expression) in problem
    assert reason in problem


@pytest.mark.parametrize(
    "expression",
    ["AMOUNT > 0", "`amount` is null or bounds.LOW > 1", "`a b` > 0", "id in (1, 2)", "true"],
)
def test_a_check_names_columns_as_spark_does(spark: SparkSession, expression: str) -> None:
    assert told_of_check(spark, expression) == []


def test_a_check_that_does_not_parse_is_told_once_as_no_expression(spark: SparkSession) -> None:
    assert told_of_check(spark, "amount > 0) or (1=1") == []


def test_a_check_may_name_the_columns_that_scd2_writes(spark: SparkSession) -> None:
    history = {"incremental_strategy": "scd2", "scd2_updated_at": "amount", "scd2_valid_to": "till"}
    check = "is_current and amount > 0 or valid_from < till"
    assert told_of_check(spark, check, **history) == []
    (problem,) = told_of_check(spark, "valid_from < valid_to", **history)
    assert "`valid_to` cannot be resolved" in problem


def test_a_snapshots_key_time_and_end_are_checked_alike(spark: SparkSession) -> None:
    config = {
        "strategy": "timestamp",
        "unique_key": [BREAKOUT, "id"],
        "updated_at": "v) or (v",
        "dbt_valid_to_current": "to_date('9999-12-31'), 1",
    }
    settings = read_snapshot({"config": config, "now": "now()", "meta_columns": META})
    found = [each.split(" must be")[0] for each in snapshot_problems(spark, settings, COLUMNS)]
    assert found == ["unique_key", "updated_at", "dbt_valid_to_current"]


def test_the_engines_own_conditions_are_parsed_alone_too(spark: SparkSession) -> None:
    spark.sql("create or replace table default.parsed as select id from range(3)")
    target, rows = DeltaTarget.for_name(spark, "default.parsed"), spark.range(1)
    for attempt in (
        lambda: target.delete(BREAKOUT),
        lambda: target.update({"id": "1) or (2"}, "true"),
        lambda: write(rows, target, "overwrite", replace_where=BREAKOUT),
        lambda: write(rows, target, "overwrite", replace_on=BREAKOUT, target_alias="t"),
        lambda: (
            target.merge(rows, "true", target_alias="t").when_matched_delete(BREAKOUT).execute()
        ),
    ):
        with pytest.raises(Exception, match="PARSE_SYNTAX_ERROR"):
            attempt()
    assert spark.table("default.parsed").count() == 3
