"""Settings of strategy scd2: what is wrong with them, against the columns on both sides."""

from __future__ import annotations

from typing import Any

import pytest
from models import columns, incremental, problems

HISTORY = {
    "incremental_strategy": "scd2",
    "unique_key": "id",
    "scd2_updated_at": "at",
    "scd2_check_columns": ["V"],
}
ROWS = columns(id="bigint", v="int", at="date", tier="string")
HELD = {"valid_from": "date", "valid_to": "date", "is_current": "boolean"}
TABLE = columns(id="bigint", v="int", at="date", **HELD)


def test_a_column_that_is_to_be_compared_and_only_the_model_has_is_a_problem() -> None:
    config = {**HISTORY, "scd2_check_columns": ["v", "Tier"]}
    (problem,) = problems(config, ROWS, TABLE)
    assert problem == (
        "scd2_check_columns names 'Tier', which the table does not have; set on_schema_change:"
        " append_new_columns to add it, or run the model with --full-refresh"
    )
    assert problems({**config, "on_schema_change": "append_new_columns"}, ROWS, TABLE) == []


@pytest.mark.parametrize("check", [["v"], "all", None])
def test_a_new_column_that_no_setting_names_is_no_problem(check: Any) -> None:
    assert problems({**HISTORY, "scd2_check_columns": check}, ROWS, TABLE) == []


@pytest.mark.parametrize("changes", ["ignore", "append_new_columns"])
@pytest.mark.parametrize("name", ["unique_key", "scd2_updated_at"])
def test_a_key_or_a_time_that_only_the_model_has_needs_a_full_refresh(
    name: str, changes: str
) -> None:
    (problem,) = problems({**HISTORY, name: "tier", "on_schema_change": changes}, ROWS, TABLE)
    assert problem == (
        f"{name} names 'tier', which the table does not have; run the model with --full-refresh"
    )


@pytest.mark.parametrize("check", [["AT"], ["id"], ["id", "at"]])
def test_columns_that_are_never_compared_are_not_enough_to_compare(check: list[str]) -> None:
    config = {**HISTORY, "scd2_updated_at": "`at`", "scd2_check_columns": check}
    (problem,) = incremental(**config).problems
    assert problem == (
        "scd2_check_columns names only the key and scd2_updated_at, which are never compared; name"
        " the columns whose change makes a version, or leave it out"
    )
    (problem,) = incremental(
        incremental_strategy="scd2", unique_key="id", scd2_check_columns="id"
    ).problems
    assert problem == (
        "scd2_check_columns names only the key, which is never compared; name the columns whose"
        " change makes a version"
    )
    assert problems({**HISTORY, "scd2_check_columns": [*check, "v"]}, ROWS, TABLE) == []
