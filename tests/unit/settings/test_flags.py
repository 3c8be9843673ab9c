"""Booleans: those of YAML, and their texts in any case, which env_var() and quotes make of them."""

from __future__ import annotations

from typing import Any

import pytest
from models import incremental, spec

from dbt.adapters.deltaspark.settings.model import read_incremental, read_table

TEXTS = [("true", True), ("True", True), ("FALSE", False), ("false", False), (" true ", True)]


@pytest.mark.parametrize(("text", "value"), TEXTS)
def test_a_boolean_may_be_a_text(text: str, value: bool) -> None:
    model = incremental(
        unique_key="id",
        deletion_vectors=text,
        incremental_apply_config_changes=text,
        merge_only_changed=text,
        merge_with_schema_evolution=text,
    )
    assert model.problems == ()
    assert model.table.deletion_vectors is value
    assert (model.applies_changes, model.merge.evolves) == (value, value)
    assert model.merge.clauses[0].only_changed is value


@pytest.mark.parametrize("value", ["yes", "1", 1, 0, "t"])
def test_another_value_is_none(value: Any) -> None:
    assert incremental(unique_key="id", deletion_vectors=value).problems == (
        f"deletion_vectors must be true or false, got {value!r}",
    )


@pytest.mark.parametrize(("text", "value"), TEXTS)
def test_docs_are_persisted_by_either_spelling(text: str, value: bool) -> None:
    facts = {"description": "Orders.", "columns": {"id": {"description": "Key."}}}
    both = {"persist_docs": {"relation": text, "columns": text}}
    table = read_table(spec(both, **facts)).table
    told = ("Orders.", (("id", "Key."),)) if value else (None, ())
    assert (table.comment, table.column_comments) == told


def test_what_is_to_be_persisted_is_a_boolean() -> None:
    config = {"persist_docs": {"relation": "yes", "columns": None}}
    assert read_table(spec(config)).problems == (
        "persist_docs.relation must be true or false, got 'yes'",
    )


def test_a_clustering_is_not_kept_by_the_text_false() -> None:
    table = read_table(spec({"auto_liquid_cluster": "False"})).table
    assert table.definition(["id"], (), {}).cluster_by == ()
    assert table == read_table(spec({"auto_liquid_cluster": False})).table


def test_nothing_is_told_of_a_key_that_is_the_text_false() -> None:
    off = {"create_notebook": "false", "auto_liquid_cluster": "False", "skip_matched_step": "false"}
    model = read_incremental(spec({"unique_key": "id", "matched_condition": "a > 1", **off}))
    assert (model.foreign, model.warnings) == ((), ())
    appends = incremental(incremental_strategy="append", skip_matched_step="false")
    assert appends.warnings == ()


def test_a_step_that_a_text_skips_takes_the_effect_from_its_keys() -> None:
    config = {"unique_key": "id", "matched_condition": "a > 1", "skip_matched_step": "True"}
    (told,) = incremental(**config).warnings
    assert told == "matched_condition has no effect with skip_matched_step"
