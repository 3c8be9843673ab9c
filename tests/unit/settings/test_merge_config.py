"""Merge settings and both sides' columns, as the merge that the engine runs."""

from __future__ import annotations

from typing import Any

import pytest
from models import ORDERS, columns, incremental, merged, problems

from dbt.adapters.deltaspark.engine.spec import STAR, Delete, Insert, Update

SOURCE, TARGET = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"


def test_a_key_is_compared_null_safe_and_quoted() -> None:
    assert merged().on == "DBT_INTERNAL_SOURCE.`id` <=> DBT_INTERNAL_DEST.`id`"


def test_a_name_twice_in_the_key_is_taken_once() -> None:
    on = merged(unique_key=["id", "day", "ID", "`id`"]).on
    assert on == (
        "DBT_INTERNAL_SOURCE.`id` <=> DBT_INTERNAL_DEST.`id`"
        " AND DBT_INTERNAL_SOURCE.`day` <=> DBT_INTERNAL_DEST.`day`"
    )


def test_a_key_with_odd_characters_is_one_name() -> None:
    odd = columns(**{"a `b`-c": "int"})
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


def test_letters_that_spark_tells_apart_are_two_columns() -> None:
    odd = columns(id="bigint", straße="int", strasse="int")
    spec = merged(odd, odd, merge_update_columns=["straße", "STRASSE"])
    assert spec.matched == (
        Update(
            (
                ("`straße`", "DBT_INTERNAL_SOURCE.`straße`"),
                ("`strasse`", "DBT_INTERNAL_SOURCE.`strasse`"),
            )
        ),
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
    spec = merged(columns(id="bigint", new="int"), columns(id="bigint", old="int"))
    only_id = (("`id`", "DBT_INTERNAL_SOURCE.`id`"),)
    assert (spec.matched, spec.not_matched) == ((Update(only_id),), (Insert(only_id),))
    assert spec.evolve_schema is False


def test_new_columns_are_added_by_the_merge_itself() -> None:
    spec = merged(
        columns(id="bigint", amount="int", day="date", new="int"),
        on_schema_change="append_new_columns",
    )
    assert spec.evolve_schema
    assert spec.not_matched == (Insert(STAR),)


def test_a_merge_evolves_nothing_when_there_is_nothing_new() -> None:
    assert not merged(on_schema_change="append_new_columns").evolve_schema


def test_a_condition_and_a_set_expression_belong_to_the_update() -> None:
    spec = merged(
        matched_condition="s.day > t.day",
        not_matched_condition="s.amount > 0",
        merge_update_set_expressions={"amount": "t.amount + s.amount"},
        merge_exclude_columns=["id"],
        source_alias="s",
        target_alias="t",
    )
    assert spec.matched == (
        Update((("`day`", "s.`day`"), ("`amount`", "t.amount + s.amount")), "(s.day > t.day\n)"),
    )
    assert spec.not_matched == (Insert(STAR, "(s.amount > 0\n)"),)


@pytest.mark.parametrize(
    ("config", "clauses"),
    [
        ({"skip_matched_step": True}, (0, 1, 0)),
        ({"skip_not_matched_step": True}, (1, 0, 0)),
        ({"not_matched_by_source_action": "DELETE"}, (1, 1, 1)),
    ],
)
def test_a_step_can_be_left_out_or_added(
    config: dict[str, Any], clauses: tuple[int, int, int]
) -> None:
    spec = merged(**config)
    groups = (spec.matched, spec.not_matched, spec.not_matched_by_source)
    assert tuple(map(len, groups)) == clauses


def test_rows_that_left_the_source_are_updated_as_the_text_says() -> None:
    spec = merged(
        not_matched_by_source_action="update set amount = greatest(0, amount), day = '1, 2'",
        not_matched_by_source_condition=f"{TARGET}.day > '2020-01-01'",
    )
    assert spec.not_matched_by_source == (
        Update(
            (("`amount`", "greatest(0, amount)"), ("`day`", "'1, 2'")),
            f"({TARGET}.day > '2020-01-01'\n)",
        ),
    )


def test_the_general_form_gives_its_clauses_in_order() -> None:
    spec = merged(
        merge_clauses=[
            {"when": "matched", "condition": "s.gone", "action": "delete"},
            {"when": "matched", "action": "update", "set": {"amount": "s.amount + 1"}},
            {"when": "not_matched", "condition": "not s.gone", "action": "insert"},
            {"when": "not_matched", "action": "insert", "columns": ["id"]},
            {"when": "not_matched_by_source", "action": "delete"},
        ],
        source_alias="s",
    )
    assert spec.matched == (Delete("(s.gone\n)"), Update((("`amount`", "s.amount + 1"),)))
    assert spec.not_matched == (
        Insert(STAR, "(not s.gone\n)"),
        Insert((("`id`", "s.`id`"),)),
    )
    assert spec.not_matched_by_source == (Delete(),)


def test_rows_that_a_clause_leaves_alone_do_not_reach_the_next() -> None:
    spec = merged(
        merge_clauses=[
            {"when": "matched", "condition": "s.amount is null", "action": "do_nothing"},
            {"when": "matched", "action": "update", "set": "*"},
            {"when": "not_matched", "action": "do_nothing"},
        ],
        source_alias="s",
    )
    assert spec.matched == (Update(STAR, "NOT coalesce((s.amount is null\n), false)"),)
    assert spec.not_matched == ()


def test_an_error_clause_names_the_model_and_the_key() -> None:
    spec = merged(
        merge_clauses=[{"when": "matched", "action": "error", "condition": "s.amount < 0"}],
        source_alias="s",
    )
    ((column, value),) = spec.matched[0].assignments
    assert column == "`id`"
    assert value.startswith(r"raise_error(concat('Model \'orders\' (models/orders.sql): ")
    assert value.endswith("to_json(struct(s.`id`))))")


def test_a_null_for_a_column_is_null() -> None:
    (update,) = merged(merge_update_set_expressions={"day": None}).matched
    assert isinstance(update, Update)
    assert ("`day`", "null") in update.assignments


def test_a_condition_of_its_own_stands_instead_of_the_key() -> None:
    spec = merged(unique_key=None, merge_on="s.a = t.b -- why", predicates="t.x")
    assert spec.on == "(s.a = t.b -- why\n) AND (t.x\n)"


def test_duplicates_can_be_reduced_to_the_first_or_the_last() -> None:
    merge = incremental(
        unique_key="id", on_duplicate_keys="keep_last", duplicate_keys_order_by="day desc"
    ).merge
    assert (merge.duplicates, merge.order_by) == ("keep_last", ("day desc",))


def test_both_sides_have_orders() -> None:
    assert problems({"unique_key": "id"}, ORDERS, ORDERS) == []
