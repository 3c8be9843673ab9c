"""Model configs: what they mean, and everything that can be wrong with them, told at once."""

from __future__ import annotations

from typing import Any

import pytest
from models import ORDERS, columns, incremental, problems, spec
from pyspark.sql.types import ArrayType, IntegerType, NullType, StructField, StructType

from dbt.adapters.deltaspark.materialize.tables import ModelConfigError, check
from dbt.adapters.deltaspark.settings.model import read_table
from dbt.adapters.deltaspark.settings.problems import (
    problems_of_first_run,
    warnings_of_later_run,
    warnings_of_types,
)
from dbt.adapters.deltaspark.settings.schema_change import SchemaChange
from dbt.adapters.deltaspark.settings.table import warnings_of_comments

DELETES = {"when": "matched", "action": "delete"}


def test_all_problems_of_a_model_come_in_one_error() -> None:
    model = incremental(
        incremental_strategy="upsert",
        unique_key="id",
        merge_update_columns=["amout"],
        on_schema_change="append",
        skip_empty="yes",
    )
    with pytest.raises(ModelConfigError) as error:
        check(model, problems_of_first_run(model, ORDERS))
    assert str(error.value.msg) == (
        "Model 'orders' (models/orders.sql) has 4 config problems:\n"
        "  - incremental_strategy 'upsert' is not known; did you mean 'merge'? (append, merge,"
        " insert_only, delete+insert, insert_overwrite, replace_where, microbatch, scd2); dbt could"
        ' not find an incremental strategy macro with the name "get_incremental_upsert_sql" in'
        " the project\n"
        "  - skip_empty must be true or false, got 'yes'\n"
        "  - on_schema_change must be one of ignore, append_new_columns, sync_all_columns, fail,"
        " got 'append'; did you mean 'append_new_columns'?\n"
        "  - merge_update_columns names 'amout', which the model does not produce; did you mean"
        " 'amount'?"
    )


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"incremental_strategy": "delete+insert"}, "'delete+insert' needs unique_key"),
        ({"incremental_strategy": "insert_only"}, "'insert_only' needs unique_key"),
        (
            {"liquid_clustered_by": "id.part"},
            "liquid_clustered_by names 'id.part', a field of a struct, and whole columns are what"
            " it takes: give the model a column of it, or cluster the table by ALTER TABLE, which"
            " auto_liquid_cluster: true keeps",
        ),
        ({"unique_key": "idd"}, "unique_key names 'idd', which the model does not produce"),
        ({"unique_key": ["id", "dya"]}, "did you mean 'day'?"),
        ({"unique_key": {"a": 1}}, "unique_key must be a text or a list of texts, got {'a': 1}"),
        (
            {"partition_by": "week"},
            "partition_by names 'week', which the model does not produce; its columns are id,"
            " amount, day",
        ),
        ({"merge_exclude_columns": ["dai"]}, "merge_exclude_columns names 'dai'"),
        ({"file_format": "parquet"}, "'merge' needs file_format 'delta', got 'parquet'"),
        ({"incremental_strategy": "replace_where"}, "needs incremental_predicates"),
        ({"incremental_strategy": "microbatch"}, "'microbatch' needs event_time"),
        ({"incremental_strategy": "scd2"}, "needs scd2_updated_at"),
        (
            {"incremental_strategy": "insert_only", "merge_clauses": [DELETES]},
            "leave merge_clauses out, or use incremental_strategy: merge",
        ),
        (
            {"incremental_strategy": "insert_only", "merge_on": "true"},
            "leave merge_on out, or use incremental_strategy: merge",
        ),
        (
            {"source_alias": "a.b"},
            "source_alias must be a word of letters, digits and _, got 'a.b'",
        ),
        ({"target_alias": "t) or (1=1"}, "target_alias must be a word"),
        ({"optimize": True}, "optimize must be {after_files: N} or {after_runs: N}"),
        ({"partition_by": "day", "liquid_clustered_by": "id"}, "exclude each other; keep one"),
        ({"commit_metadata": 3}, "commit_metadata must be a text or a dictionary, got 3"),
        ({"tblproperties": ["a"]}, "tblproperties must be a dictionary, got ['a']"),
        ({"grants": {"select": ["me"]}}, "grants"),
        (
            {
                "incremental_strategy": "insert_overwrite",
                "file_format": "parquet",
                "replace_on": "id",
            },
            "replace_on needs file_format 'delta', got 'parquet'",
        ),
        (
            {"merge_update_columns": ["id"], "merge_exclude_columns": ["day"]},
            "exclude each other",
        ),
    ],
)
def test_a_config_that_cannot_be_followed_is_a_problem(config: dict[str, Any], told: str) -> None:
    (problem,) = problems({"unique_key": "id", **config} if "unique" not in told else config)
    assert told in problem


@pytest.mark.parametrize("strategy", [{}, {"incremental_strategy": "merge"}])
@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("uniqe_key", "unique_key"), ("merge_no", "merge_on"), ("merge_clause", "merge_clauses")],
)
def test_a_misspelt_key_does_not_turn_a_merge_into_an_append(
    strategy: dict[str, str], misspelt: str, meant: str
) -> None:
    (problem,) = problems({misspelt: "id", **strategy})
    assert problem == f"config {misspelt!r} is not known; did you mean {meant!r}?"
    assert incremental(unique_key="id", **{misspelt: "id"}).problems == ()
    assert incremental(incremental_strategy="append", **{misspelt: "id"}).problems == ()


def test_a_skip_of_nothing_is_told() -> None:
    told = "skip_empty: false has no effect: a merge that changes nothing commits nothing"
    assert incremental(unique_key="id", skip_empty=False).warnings == (told,)


def test_a_format_that_there_is_not_is_told_with_those_that_there_are() -> None:
    assert read_table(spec({"file_format": "Parquet"})).table.file_format == "parquet"
    assert read_table(spec({"file_format": "parkett"})).problems == (
        "file_format must be one of delta, parquet, orc, avro, csv, json, text, xml, iceberg, hudi,"
        " got 'parkett'; did you mean 'parquet'?",
    )


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"zorder": "id"}, "zorder has no effect without optimize"),
        ({"predicates": "id > 1"}, "predicates has no effect with incremental_strategy 'append'"),
        (
            {"incremental_strategy": "insert_overwrite", "unique_key": "id"},
            "unique_key has no effect with incremental_strategy 'insert_overwrite'",
        ),
        ({"partition_by": {"field": "day", "granularity": "month"}}, "only its 'field' is used"),
        (
            {"unique_key": "id", "skip_matched_step": True, "matched_condition": "a > 1"},
            "matched_condition has no effect with skip_matched_step",
        ),
        (
            {"unique_key": "id", "skip_not_matched_step": True, "not_matched_condition": "a"},
            "not_matched_condition has no effect with skip_not_matched_step",
        ),
        (
            {"unique_key": "id", "duplicate_keys_order_by": "day"},
            "duplicate_keys_order_by has no effect without on_duplicate_keys",
        ),
    ],
)
def test_a_config_without_effect_is_a_warning(config: dict[str, Any], told: str) -> None:
    (warning,) = incremental(**config).warnings
    assert told in warning


def test_an_idempotency_key_is_of_incremental_models() -> None:
    config = {"idempotency_key": "load-7"}
    (told,) = read_table(spec({**config, "materialized": "table"})).warnings
    assert told == "idempotency_key has no effect: only incremental models have it"
    assert read_table(spec({**config, "materialized": "incremental"})).warnings == ()


def test_both_column_lists_only_warn_until_there_is_something_to_merge() -> None:
    model = incremental(unique_key="id", merge_update_columns=["id"], merge_exclude_columns=["day"])
    assert problems_of_first_run(model, ORDERS) == []


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


def test_every_commit_says_who_made_it() -> None:
    facts = {"node_id": "model.p.orders", "invocation_id": "abc"}
    plain = read_table(spec({}, **facts)).user_metadata
    noted = read_table(spec({"commit_metadata": {"team": "x"}}, **facts)).user_metadata
    assert plain == '{"node_id": "model.p.orders", "invocation_id": "abc"}'
    assert noted is not None
    assert noted.endswith('"commit_metadata": {"team": "x"}}')


@pytest.mark.parametrize(
    ("config", "clustering"),
    [
        ({}, ()),
        ({"liquid_clustered_by": "id"}, ("id",)),
        ({"auto_liquid_cluster": True}, None),
        ({"auto_liquid_cluster": True, "liquid_clustered_by": "id"}, ("id",)),
        ({"partition_by": "day"}, None),
    ],
)
def test_what_becomes_of_a_table_s_clustering(
    config: dict[str, Any], clustering: tuple[str, ...] | None
) -> None:
    """None: it stays as it is."""
    table = read_table(spec(config)).table
    assert table.definition(["id", "day"], (), {}).cluster_by == clustering


@pytest.mark.parametrize(
    ("given", "columns"),
    [
        ("id, day", ("id", "day")),
        ("id,`a, ``b``` , day", ("id", "a, `b`", "day")),
        ("ID, id", ("ID",)),
        ("`a, b`", ("a, b",)),
        (["a, b"], ("a, b",)),
        (["id", "day"], ("id", "day")),
    ],
)
def test_columns_of_the_layout_may_stand_in_one_text(
    given: str | list[str], columns: tuple[str, ...]
) -> None:
    assert read_table(spec({"partition_by": given})).table.partition_by == columns
    assert read_table(spec({"liquid_clustered_by": given})).table.cluster_by == columns
    upkeep = read_table(spec({"zorder": given, "optimize": {"after_runs": 1}})).table.upkeep
    assert upkeep is not None
    assert upkeep.zorder == columns


@pytest.mark.parametrize("given", ["id,", "id,, day", ","])
def test_a_list_of_columns_has_a_name_at_each_side_of_a_comma(given: str) -> None:
    (problem,) = read_table(spec({"partition_by": given})).problems
    assert problem == f"partition_by must be a text or a list of texts, got {given!r}"


def test_a_table_lies_under_its_schema_in_the_location_root() -> None:
    table = read_table(spec({"location_root": "s3://lake/"})).table
    assert table.location == "s3://lake/sales/orders"


def test_descriptions_become_comments_where_docs_are_persisted() -> None:
    facts = {"description": "Orders.", "columns": {"id": {"description": "Key."}, "day": {}}}
    both = {"persist_docs": {"relation": True, "columns": True}}
    table = read_table(spec(both, **facts)).table
    assert (table.comment, table.column_comments) == ("Orders.", (("id", "Key."),))
    assert read_table(spec({}, **facts)).table.comment is None


def test_a_description_of_no_column_is_told_with_the_nearest_name() -> None:
    names = ("ID", "amout", "xyz")
    facts = {"columns": {name: {"description": "Key."} for name in names}}
    table = read_table(spec({"persist_docs": {"columns": True}}, **facts)).table
    assert warnings_of_comments(table, ORDERS.names) == [
        "The following columns are specified in the schema but are not present in the database:"
        " amout, xyz; amout: did you mean 'amount'?"
    ]
    assert table.definition(ORDERS.names, (), {}).column_comments == (("ID", "Key."),)
    assert table.definition(ORDERS.names, ["id"], {}).column_comments == ()


def test_a_description_of_a_quoted_name_is_of_the_column_in_that_case_alone() -> None:
    facts = {"columns": {"ID": {"description": "Key.", "quote": True}}}
    table = read_table(spec({"persist_docs": {"columns": True}}, **facts)).table
    assert table.comments_of(["ID"]) == (("ID", "Key."),)
    assert table.comments_of(["id"]) == ()
    assert warnings_of_comments(table, ["id"])


def test_a_column_of_no_type_is_told_with_the_cast_to_write() -> None:
    part = StructType([StructField("void", IntegerType()), StructField("a", NullType())])
    source = columns(id="int", gone=NullType(), void="int", parts=ArrayType(part))
    assert warnings_of_types(source) == [
        "the column 'gone' is null and has no type (void); give it one, as in"
        " cast(null as string) as gone",
        "the column 'parts' is null and has no type (array<struct<void:int,a:void>>); give it one,"
        " as in cast(null as string) as parts",
    ]


@pytest.mark.parametrize(("mode", "told"), [("append_new_columns", ["'new'"]), ("ignore", [])])
def test_an_added_column_of_no_type_is_told_too(mode: str, told: list[str]) -> None:
    source, target = columns(id="int", new=NullType(), old=NullType()), columns(id="int", old="int")
    model = incremental(on_schema_change=mode, unique_key="id")
    found = warnings_of_later_run(model, source, target, SchemaChange.between(source, target))
    assert [each.split()[2] for each in found if "no type" in each] == told
