"""merge_only_changed: which rows count as changed."""

from __future__ import annotations

from typing import Any

import pytest
from models import ORDERS, columns, incremental, merged, problems, spec_of

from dbt.adapters.deltaspark.engine.delta import ALWAYS

SOURCE, TARGET = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"


def test_only_changed_rows_are_updated_where_that_is_asked_for() -> None:
    (update,) = merged(merge_only_changed=True, merge_exclude_columns=["id"]).matched
    assert update.condition == (
        f"NOT ({TARGET}.`amount` <=> {SOURCE}.`amount` AND {TARGET}.`day` <=> {SOURCE}.`day`)"
    )


def test_a_change_is_looked_for_in_the_listed_columns_alone() -> None:
    (update,) = merged(merge_only_changed=["DAY"], matched_condition="true").matched
    assert update.condition == f"(true\n) AND NOT ({TARGET}.`day` <=> {SOURCE}.`day`)"


def test_a_value_is_compared_in_the_type_in_which_it_would_be_stored() -> None:
    (update,) = merged(
        columns(id="bigint", amount="string"),
        columns(id="bigint", amount="int"),
        merge_only_changed=["amount"],
    ).matched
    assert update.condition == f"NOT ({TARGET}.`amount` <=> CAST(({SOURCE}.`amount`) AS int))"


def test_a_value_is_compared_in_the_wider_type_that_the_column_gets() -> None:
    source, target = columns(id="bigint", day="timestamp_ntz"), columns(id="bigint", day="date")
    model = incremental(
        unique_key="id", merge_only_changed=["day"], on_schema_change="sync_all_columns"
    )
    (update,) = spec_of(model, source, target, widening=ALWAYS).matched
    assert update.condition == (f"NOT (CAST({TARGET}.`day` AS timestamp_ntz) <=> {SOURCE}.`day`)")
    (update,) = spec_of(model, source, target).matched
    assert update.condition == f"NOT ({TARGET}.`day` <=> CAST(({SOURCE}.`day`) AS date))"


@pytest.mark.parametrize(
    ("kind", "widens"),
    [("double", True), ("decimal(12,2)", True), ("decimal(10,2)", False), ("string", False)],
)
def test_a_whole_number_is_compared_as_what_delta_widens_it_to(kind: str, widens: bool) -> None:
    source, target = columns(id="bigint", amount=kind), columns(id="bigint", amount="int")
    model = incremental(unique_key="id", merge_only_changed=True, merge_exclude_columns=["id"])
    (update,) = spec_of(model, source, target, widening=ALWAYS).matched
    new, old = f"{SOURCE}.`amount`", f"{TARGET}.`amount`"
    wider, cast = f"CAST({old} AS {kind}) <=> {new}", f"{old} <=> CAST(({new}) AS int)"
    assert update.condition == f"NOT ({wider if widens else cast})"


def test_maps_are_compared_by_their_entries_and_variants_not_at_all() -> None:
    odd = columns(id="bigint", m="map<string,int>", v="variant")
    (update,) = merged(odd, odd, merge_only_changed=["m"]).matched
    assert update.condition == f"NOT (map_entries({TARGET}.`m`) <=> map_entries({SOURCE}.`m`))"
    (told,) = problems({"unique_key": "id", "merge_only_changed": True}, odd, odd)
    assert told.startswith("merge_only_changed cannot compare 'v', a variant")


ODD = columns(id="bigint", amount="int", v="variant")


@pytest.mark.parametrize(
    "config",
    [
        {"merge_exclude_columns": ["ID", "V"]},
        {"merge_update_columns": ["amount"]},
    ],
)
def test_a_column_that_the_update_leaves_as_it_is_need_not_be_comparable(
    config: dict[str, Any],
) -> None:
    config = {"unique_key": "id", "merge_only_changed": True, **config}
    assert problems(config, ODD, ODD) == []
    (update,) = merged(ODD, ODD, **config).matched
    assert update.condition == f"NOT ({TARGET}.`amount` <=> {SOURCE}.`amount`)"


def test_an_expression_is_compared_in_the_type_of_the_tables_column() -> None:
    given = {"merge_update_set_expressions": {"DBT_INTERNAL_DEST.V": "to_json(s.v)"}}
    config = {"unique_key": "id", "merge_only_changed": True, **given}
    assert problems(config, ODD, columns(id="bigint", amount="int", v="string")) == []
    (told,) = problems(config, ODD, ODD)
    assert told.startswith("merge_only_changed cannot compare 'v', a variant")
    (told,) = problems(config, ORDERS, columns(id="bigint", amount="int", day="date", v="variant"))
    assert told.startswith("merge_only_changed cannot compare 'v', a variant")
    assert problems({**config, "merge_only_changed": ["amount"]}, ODD, ODD) == []
