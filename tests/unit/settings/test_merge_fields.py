"""Predicates, and the fields of structs that a merge sets or keeps."""

from __future__ import annotations

import pytest
from models import columns, merged, problems

from dbt.adapters.deltaspark.engine.spec import STAR, Update

SOURCE, TARGET = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"


@pytest.mark.parametrize("strategy", ["delete+insert", "replace_where", "microbatch"])
def test_a_predicate_that_compares_the_sides_is_refused_where_each_is_by_itself(
    strategy: str,
) -> None:
    compares = f"{SOURCE}.day > {TARGET}.day"
    config = {"unique_key": "id", "incremental_strategy": strategy, "event_time": "day"}
    (problem,) = problems({**config, "incremental_predicates": [compares]})
    assert compares in problem
    assert "incremental_strategy: merge can compare them" in problem
    assert problems({**config, "incremental_predicates": [f"{SOURCE}.day > '2026'"]}) == []
    assert problems({"unique_key": "id", "incremental_predicates": [compares]}) == []


NESTED = columns(id="bigint", v="int", s=columns(v="int", w="int"))


def test_a_set_of_a_field_sets_the_field() -> None:
    action = "update set s.v = 1, `v` = 2, DBT_INTERNAL_DEST.s.w = 3, dbt_internal_dest.id = 4"
    spec = merged(NESTED, NESTED, not_matched_by_source_action=action)
    (update,) = spec.not_matched_by_source
    assert isinstance(update, Update)
    assert update.assignments == (
        ("`s`.`v`", "1"),
        ("`v`", "2"),
        ("`s`.`w`", "3"),
        ("`id`", "4"),
    )


@pytest.mark.parametrize("name", ["s.v", "DBT_INTERNAL_DEST.s.v", "S.`v`"])
def test_a_field_of_a_struct_that_the_source_gives_is_not_set(name: str) -> None:
    config = {"unique_key": "id", "merge_update_set_expressions": {name: "1"}}
    (problem,) = problems(config, NESTED, NESTED)
    assert f"merge_update_set_expressions sets {name!r}, a field of" in problem


def test_an_update_of_named_columns_keeps_the_fields_that_the_model_no_longer_has() -> None:
    source = columns(id="bigint", v="int", s=columns(W="int", new="int"))
    (update,) = merged(source, NESTED, merge_update_columns=["s"]).matched
    assert isinstance(update, Update)
    new, old = f"{SOURCE}.`s`", f"{TARGET}.`s`"
    assert update.assignments == (
        (
            "`s`",
            f"CASE WHEN {new} IS NOT NULL OR {old} IS NOT NULL THEN named_struct("
            f"'v', {old}.`v`, 'w', {new}.`W`, 'new', {new}.`new`) END",
        ),
    )
    assert merged(source, NESTED).matched == (Update(STAR),)


def test_a_column_that_only_a_condition_reads_is_not_added_with_missing_fields() -> None:
    source = columns(id="bigint", v="int", s=columns(v="int"), op="int")
    for grows, taken in (({}, False), ({"on_schema_change": "append_new_columns"}, True)):
        spec = merged(source, NESTED, matched_condition=f"{SOURCE}.op = 1", **grows)
        assert spec.evolve_schema
        assert [clause.assignments == STAR for clause in (*spec.matched, *spec.not_matched)] == [
            taken,
            taken,
        ]
