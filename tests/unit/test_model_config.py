"""Model configs: what they mean, and everything that can be wrong with them, told at once."""

from __future__ import annotations

from typing import Any

import pytest

from dbt.adapters.deltaspark.engine.spec import STAR, Insert, MergeSpec, Update
from dbt.adapters.deltaspark.materialize import ModelConfigError, check
from dbt.adapters.deltaspark.merge_config import SchemaChange, all_problems, merge_spec, out_of_sync
from dbt.adapters.deltaspark.model_config import ModelConfig, read_incremental, read_table

ORDERS = {"id": "bigint", "amount": "int", "day": "date"}
NO_CHANGE = SchemaChange((), (), ())


def incremental(**config: Any) -> ModelConfig:
    return read_incremental(spec(config))


def spec(config: dict[str, Any], **facts: Any) -> dict[str, Any]:
    node = {"name": "orders", "path": "models/orders.sql", "schema": "sales", "alias": "orders"}
    return {**node, "config": config, **facts}


def problems(config: dict[str, Any], source: dict[str, str] = ORDERS) -> list[str]:
    return all_problems(incremental(**config), source, NO_CHANGE)


def merged(
    source: dict[str, str] = ORDERS, target: dict[str, str] = ORDERS, **config: Any
) -> MergeSpec:
    return merge_spec(incremental(**{"unique_key": "id", **config}), source, target)


def test_all_problems_of_a_model_come_in_one_error() -> None:
    model = incremental(
        incremental_strategy="upsert",
        merge_update_columns=["amout"],
        on_schema_change="append",
        skip_empty="yes",
    )
    with pytest.raises(ModelConfigError) as error:
        check(model, all_problems(model, ORDERS, NO_CHANGE))
    assert str(error.value.msg) == (
        "Model 'orders' (models/orders.sql) has 4 config problems:\n"
        "  - incremental_strategy 'upsert' is not known; did you mean 'merge'? (append, merge,"
        " insert_only, delete+insert, insert_overwrite, replace_where, microbatch, scd2); dbt could"
        ' not find an incremental strategy macro with the name "get_incremental_upsert_sql" in'
        " the project\n"
        "  - skip_empty must be true or false, got 'yes'\n"
        "  - on_schema_change must be one of ignore, append_new_columns, sync_all_columns, fail,"
        " got 'append'\n"
        "  - merge_update_columns names 'amout', which the model does not produce; did you mean"
        " 'amount'?"
    )


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"incremental_strategy": "scd2"}, "incremental_strategy 'scd2' is not supported yet"),
        ({"incremental_strategy": "insert_only"}, "'insert_only' needs unique_key"),
        ({"unique_key": "idd"}, "unique_key names 'idd', which the model does not produce"),
        ({"unique_key": ["id", "dya"]}, "did you mean 'day'?"),
        ({"unique_key": {"a": 1}}, "unique_key must be a text or a list of texts, got {'a': 1}"),
        ({"partition_by": "month"}, "partition_by names 'month', which the model does not"),
        ({"merge_exclude_columns": ["dai"]}, "merge_exclude_columns names 'dai'"),
        ({"file_format": "parquet"}, "file_format must be 'delta' in this version"),
        ({"merge_clauses": [{"when": "matched"}]}, "merge_clauses is not supported yet"),
        ({"tblproperties": ["a"]}, "tblproperties must be a dictionary, got ['a']"),
        ({"grants": {"select": ["me"]}}, "grants"),
        (
            {"merge_update_columns": ["id"], "merge_exclude_columns": ["day"]},
            "exclude each other",
        ),
    ],
)
def test_a_config_that_cannot_be_followed_is_a_problem(config: dict[str, Any], told: str) -> None:
    (problem,) = problems({"unique_key": "id", **config} if "unique" not in told else config)
    assert told in problem


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"uniqe_key": "id"}, "config 'uniqe_key' is not known; did you mean 'unique_key'?"),
        ({"zorder": "id"}, "zorder is not applied yet by this version"),
        ({"row_filter": "f"}, "row_filter is not done: it needs Unity Catalog"),
        ({"skip_empty": False}, "skip_empty: false is not applied yet"),
        ({"predicates": "id > 1"}, "predicates has no effect: without a unique_key"),
        ({"partition_by": {"field": "day", "granularity": "month"}}, "only its 'field' is used"),
    ],
)
def test_a_config_without_effect_is_a_warning(config: dict[str, Any], told: str) -> None:
    (warning,) = incremental(**config).warnings
    assert told in warning


def test_both_column_lists_only_warn_until_there_is_something_to_merge() -> None:
    model = incremental(unique_key="id", merge_update_columns=["id"], merge_exclude_columns=["day"])
    assert all_problems(model, ORDERS, None) == []


def test_an_empty_text_counts_as_not_set() -> None:
    assert problems({"file_format": "", "incremental_strategy": "", "unique_key": ""}) == []


@pytest.mark.parametrize(
    ("config", "strategy"),
    [
        ({}, "append"),
        ({"incremental_strategy": "merge"}, "append"),
        ({"unique_key": "id"}, "merge"),
        ({"unique_key": "id", "incremental_strategy": "append"}, "append"),
        ({"unique_key": "id", "incremental_strategy": "insert_only"}, "insert_only"),
    ],
)
def test_a_merge_without_a_key_appends(config: dict[str, Any], strategy: str) -> None:
    assert incremental(**config).strategy == strategy


def test_a_key_is_compared_null_safe_and_quoted() -> None:
    assert merged().on == "DBT_INTERNAL_SOURCE.`id` <=> DBT_INTERNAL_DEST.`id`"


def test_a_name_twice_in_the_key_is_taken_once() -> None:
    on = merged(unique_key=["id", "day", "ID", "`id`"]).on
    assert on == (
        "DBT_INTERNAL_SOURCE.`id` <=> DBT_INTERNAL_DEST.`id`"
        " AND DBT_INTERNAL_SOURCE.`day` <=> DBT_INTERNAL_DEST.`day`"
    )


def test_a_key_with_odd_characters_is_one_name() -> None:
    odd = {"a `b`-c": "int"}
    on = merged(odd, odd, unique_key="a `b`-c").on
    assert on == "DBT_INTERNAL_SOURCE.`a ``b``-c` <=> DBT_INTERNAL_DEST.`a ``b``-c`"


def test_a_key_may_be_an_expression_over_the_columns() -> None:
    key = "concat(day, ' id ', amount.id, `id`)"
    on = merged(unique_key=key, source_alias="s", target_alias="t").on
    assert on == (
        "(concat(s.day, ' id ', s.amount.id, s.`id`))"
        " <=> (concat(t.day, ' id ', t.amount.id, t.`id`))"
    )


def test_each_predicate_stands_in_its_own_parentheses() -> None:
    on = merged(incremental_predicates=["a or b -- why", "c"], predicates="d").on
    assert on.endswith("`id` AND (a or b -- why\n) AND (c\n) AND (d\n)")


def test_everything_is_updated_and_inserted_when_the_columns_are_the_same() -> None:
    spec = merged()
    assert (spec.matched, spec.not_matched) == ((Update(STAR),), (Insert(STAR),))


def test_update_columns_name_what_is_updated() -> None:
    assert merged(merge_update_columns=["AMOUNT"]).matched == (
        Update((("`amount`", "DBT_INTERNAL_SOURCE.`amount`"),)),
    )


def test_no_update_columns_means_that_nothing_is_updated() -> None:
    spec = merged(merge_update_columns=[])
    assert (spec.matched, spec.not_matched) == ((), (Insert(STAR),))


def test_excluded_columns_are_inserted_and_not_updated() -> None:
    spec = merged(merge_exclude_columns=["id", "day"])
    assert spec.matched == (Update((("`amount`", "DBT_INTERNAL_SOURCE.`amount`"),)),)
    assert spec.not_matched == (Insert(STAR),)


def test_insert_only_updates_nothing() -> None:
    assert merged(incremental_strategy="insert_only").matched == ()


def test_columns_missing_from_the_model_are_left_alone() -> None:
    spec = merged({"id": "bigint", "new": "int"}, {"id": "bigint", "old": "int"})
    only_id = (("`id`", "DBT_INTERNAL_SOURCE.`id`"),)
    assert (spec.matched, spec.not_matched) == ((Update(only_id),), (Insert(only_id),))
    assert not spec.evolve_schema


def test_new_columns_are_added_by_the_merge_itself() -> None:
    spec = merged({**ORDERS, "new": "int"}, on_schema_change="append_new_columns")
    assert spec.evolve_schema
    assert spec.not_matched == (Insert(STAR),)


def test_a_merge_evolves_nothing_when_there_is_nothing_new() -> None:
    assert not merged(on_schema_change="append_new_columns").evolve_schema


def test_a_new_field_of_a_struct_is_a_new_column_too() -> None:
    old, new = {"id": "int", "s": "struct<a:int>"}, {"id": "int", "s": "struct<a:int,b:int>"}
    assert merged(new, old, on_schema_change="append_new_columns").evolve_schema


def test_a_change_that_fail_forbids_is_told_in_dbts_words() -> None:
    change = SchemaChange.between({"id": "int", "new": "int"}, {"ID": "bigint", "old": "int"})
    assert change == SchemaChange(("new",), ("old",), (("ID", "bigint", "int"),))
    assert "schemas on this incremental model are out of sync!" in out_of_sync(change)
    assert "Source columns not in target: ['new']" in out_of_sync(change)


def test_syncing_columns_says_what_it_cannot_drop_yet() -> None:
    model = incremental(unique_key="id", on_schema_change="sync_all_columns")
    change = SchemaChange((), ("old",), (("id", "int", "bigint"),))
    told = all_problems(model, ORDERS, change)
    assert ["drop 'old'" in told[0], "change 'id' from int to bigint" in told[1]] == [True, True]


def test_a_table_has_deletion_vectors_unless_it_says_no() -> None:
    assert read_table(spec({})).table.properties == (("delta.enableDeletionVectors", "true"),)
    off = read_table(spec({"deletion_vectors": False})).table
    assert off.properties == (("delta.enableDeletionVectors", "false"),)


def test_column_mapping_comes_only_with_names_that_need_it() -> None:
    table = read_table(spec({"tblproperties": {"quality": 1, "checked": True}})).table
    plain = {"delta.enableDeletionVectors": "true", "quality": "1", "checked": "true"}
    assert table.properties_for(["id", "größe"]) == plain
    assert table.properties_for(["id", "a b"]) == {"delta.columnMapping.mode": "name", **plain}


def test_a_table_lies_under_its_schema_in_the_location_root() -> None:
    table = read_table(spec({"location_root": "s3://lake/"})).table
    assert table.location == "s3://lake/sales/orders"


def test_descriptions_become_comments_where_docs_are_persisted() -> None:
    facts = {"description": "Orders.", "columns": {"id": {"description": "Key."}, "day": {}}}
    both = {"persist_docs": {"relation": True, "columns": True}}
    table = read_table(spec(both, **facts)).table
    assert (table.comment, table.column_comments) == ("Orders.", (("id", "Key."),))
    assert read_table(spec({}, **facts)).table.comment is None
