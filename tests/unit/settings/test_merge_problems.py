"""What a merge cannot follow, told before it runs."""

from __future__ import annotations

from typing import Any

import pytest
from models import columns, problems


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (
            {"merge_clauses": "x"},
            "merge_clauses must be a list of clauses, such as [{'when': 'matched', 'action':"
            " 'update'}], got 'x'",
        ),
        (
            {"merge_clauses": [{"when": "sometimes"}]},
            "merge_clauses[0].when must be one of",
        ),
        (
            {"merge_clauses": [{"when": "matched", "action": "insert"}]},
            "merge_clauses[0].action must be one of update, delete, error, do_nothing when matched",
        ),
        (
            {"merge_clauses": [{"when": "matched", "action": "delete", "conditon": "x"}]},
            "unknown key 'conditon'; did you mean 'condition'?",
        ),
        (
            {"merge_clauses": [{"when": "not_matched_by_source", "action": "update"}]},
            "merge_clauses[0] needs set:",
        ),
        (
            {"merge_clauses": [{"when": "matched", "action": "delete", "set": {"a": "1"}}]},
            "merge_clauses[0] sets columns, which 'delete' does not",
        ),
        (
            {
                "merge_clauses": [
                    {"when": "matched", "action": "delete"},
                    {"when": "matched", "action": "update"},
                ]
            },
            "merge_clauses[1] is never reached: merge_clauses[0] has no condition",
        ),
        (
            {
                "merge_clauses": [{"when": "matched", "action": "delete"}],
                "matched_condition": "true",
            },
            "merge_clauses is the general form of matched_condition",
        ),
        (
            {"merge_clauses": [{"when": "matched", "action": "update", "columns": ["amout"]}]},
            "merge_clauses names 'amout', which the model does not produce; did you mean 'amount'?",
        ),
        (
            {"merge_clauses": [{"when": "matched", "action": "update", "columns": []}]},
            "merge_clauses[0] sets no column; name some, leave columns and set out for all of them",
        ),
        (
            {"merge_clauses": [{"when": "not_matched", "action": "insert", "set": {}}]},
            "merge_clauses[0] sets no column",
        ),
        (
            {"merge_update_set_expressions": {"amout": "1"}},
            "merge_update_set_expressions sets 'amout', which the table does not have; did you",
        ),
        (
            {"skip_matched_step": True, "skip_not_matched_step": True},
            "leave nothing to do",
        ),
        ({"not_matched_by_source_action": "remove"}, "must be 'delete' or 'update set …', got 're"),
        ({"not_matched_by_source_condition": "a"}, "needs a not_matched_by_source_action"),
        ({"merge_on": "s.id = t.id"}, "merge_on is the whole condition; leave unique_key out"),
        (
            {"merge_clauses": [{"when": "matched", "action": "delete"}], "unique_key": None},
            "merge_clauses needs unique_key or merge_on, which say what matches",
        ),
        ({"on_duplicate_keys": "keep_first"}, "needs duplicate_keys_order_by"),
        ({"merge_only_changed": ["amout"]}, "merge_only_changed names 'amout'"),
        (
            {"merge_only_changed": ["amount"], "merge_update_columns": ["day"]},
            "merge_only_changed names 'amount', which the update does not set",
        ),
    ],
)
def test_what_a_merge_cannot_follow_is_a_problem(config: dict[str, Any], told: str) -> None:
    (problem,) = problems({"unique_key": "id", **config})
    assert told in problem


NEW = {"when": "matched", "action": "update", "columns": ["note", "day"]}


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"merge_update_columns": ["note"]}, "merge_update_columns names 'note'"),
        ({"merge_clauses": [NEW]}, "merge_clauses names 'note'"),
        ({"merge_only_changed": ["note"]}, "merge_only_changed names 'note'"),
    ],
)
def test_a_clause_that_names_a_column_which_only_the_model_has_is_a_problem(
    config: dict[str, Any], told: str
) -> None:
    source = columns(id="bigint", amount="int", day="date", note="string")
    (problem,) = problems({"unique_key": "id", **config}, source)
    assert problem.startswith(f"{told}, which the table does not have; set on_schema_change:")
    grows = {"unique_key": "id", "on_schema_change": "append_new_columns", **config}
    assert problems(grows, source) == []
    assert problems({**grows, "incremental_strategy": "append"}, source) == []


def test_an_expression_for_a_column_that_neither_side_has_is_a_problem() -> None:
    config = {"merge_update_set_expressions": {"gone": "1"}, "merge_with_schema_evolution": True}
    (problem,) = problems({"unique_key": "id", **config})
    assert problem == "merge_update_set_expressions sets 'gone', which the table does not have"


@pytest.mark.parametrize("strategy", ["append", "insert_overwrite", "microbatch"])
@pytest.mark.parametrize(
    "config",
    [
        {"unique_key": "gone"},
        {"merge_exclude_columns": ["gone"]},
        {"merge_update_columns": ["gone"], "merge_only_changed": ["gone"]},
        {"merge_update_set_expressions": {"gone": "1"}},
    ],
)
def test_what_has_no_effect_with_the_strategy_is_no_problem(
    strategy: str, config: dict[str, Any]
) -> None:
    """As of a folder in dbt_project.yml, some of whose models have no such columns."""
    others = {"event_time": "day", "begin": "2026-01-01", "batch_size": "day"}
    found = problems({"incremental_strategy": strategy, **config, **others})
    assert [each for each in found if "gone" in each] == []
