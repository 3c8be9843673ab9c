"""What a merge spec refuses to be."""

from __future__ import annotations

from typing import Any

import pytest

from dbt.adapters.deltaspark.engine import (
    Delete,
    Insert,
    MergeSpec,
    SpecError,
    TableDefinition,
    Update,
    WriteSpec,
    quoted,
)


def test_a_merge_without_a_clause_is_refused() -> None:
    with pytest.raises(SpecError, match="at least one WHEN clause"):
        MergeSpec(on="t.id = s.id")


def test_a_clause_after_an_unconditional_one_is_refused() -> None:
    with pytest.raises(SpecError, match="the clauses after it never run"):
        MergeSpec(on="t.id = s.id", matched=(Delete(), Update()))


def test_the_last_clause_of_each_kind_needs_no_condition() -> None:
    spec = MergeSpec(
        on="t.id = s.id",
        matched=(Delete("s.gone"), Update()),
        not_matched=(Insert(condition="s.id > 0"), Insert()),
        not_matched_by_source=(Delete("t.old"), Update((("v", "0"),))),
    )
    assert len(spec.matched) == len(spec.not_matched) == len(spec.not_matched_by_source) == 2


def test_a_by_source_update_of_all_columns_is_refused() -> None:
    with pytest.raises(SpecError, match="there is no source row"):
        MergeSpec(on="t.id = s.id", not_matched_by_source=(Update(),))


def test_an_update_of_nothing_is_refused() -> None:
    with pytest.raises(SpecError, match="at least one assignment"):
        Update(())


def test_an_insert_of_nothing_is_refused() -> None:
    with pytest.raises(SpecError, match="at least one column"):
        Insert(())


@pytest.mark.parametrize(
    ("name", "sql"),
    [("id", "`id`"), ("a.b", "`a.b`"), ("with`tick", "`with``tick`"), ("", "``")],
)
def test_a_name_is_quoted_whatever_is_in_it(name: str, sql: str) -> None:
    assert quoted(name) == sql


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"mode": "upsert"}, "the mode is one of append, overwrite, error, ignore, not 'upsert'"),
        ({"replace_where": "p = 1"}, "replace_where needs mode 'overwrite', not 'append'"),
        (
            {"mode": "overwrite", "replace_where": "p = 1", "dynamic_partitions": True},
            "replace_where and dynamic_partitions exclude each other",
        ),
        (
            {"mode": "overwrite", "replace_using": ("id",), "replace_on": "t.id = s.id"},
            "replace_using and replace_on exclude each other",
        ),
        (
            {"mode": "overwrite", "replace_using": ("id",), "overwrite_schema": True},
            "replace_using keeps rows, so overwrite_schema cannot go with it",
        ),
        (
            {"mode": "overwrite", "overwrite_schema": True, "merge_schema": True},
            "overwrite_schema and merge_schema exclude each other",
        ),
        ({"overwrite_schema": True}, "overwrite_schema needs mode 'overwrite', not 'append'"),
        (
            {"partition_by": ("p",), "cluster_by": ("c",)},
            r"partitioned \(partition_by\) or clustered \(cluster_by\), not both",
        ),
        ({"options": (("replaceOn", "a = b"),)}, "the option replaceOn is the argument replace_on"),
        ({"options": (("dataChange", "false"),)}, "the option dataChange is not offered"),
        ({"target_alias": "t"}, "target_alias and source_alias are for replace_on"),
        ({"columns": (("id", "NOT NULL"), ("ID", "NOT NULL"))}, "columns names ID twice"),
        ({"columns": (("id", ""),)}, "columns says nothing of id"),
    ],
)
def test_a_write_that_cannot_mean_anything_is_refused(
    arguments: dict[str, object], problem: str
) -> None:
    with pytest.raises(SpecError, match=problem):
        WriteSpec(**arguments)  # type: ignore[arg-type]  # the first has no such mode


def test_all_problems_of_a_write_are_told_at_once() -> None:
    with pytest.raises(SpecError) as raised:
        WriteSpec(replace_where="p = 1", overwrite_schema=True)
    assert str(raised.value) == (
        "replace_where needs mode 'overwrite', not 'append';"
        " replace_where keeps rows, so overwrite_schema cannot go with it;"
        " overwrite_schema needs mode 'overwrite', not 'append'; nothing was written"
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"properties": (("delta.Constraints.c", "id > 0"),)}, r"is the check c here \(checks\)"),
        ({"properties": (("comment", "x"),)}, "comment is the argument comment here"),
        ({"properties": (("delta.feature.clustering", "supported"),)}, "argument cluster_by here"),
        ({"properties": (("location", "/x"),)}, "location is changed by ALTER TABLE only"),
        (
            {"properties": (("delta.appendOnly", "true"), ("delta.appendonly", "false"))},
            "properties names delta.appendonly twice",
        ),
        ({"checks": (("c", "id > 0"), ("C", "id > 1"))}, "checks names C twice"),
        ({"checks": (("c", " "),)}, "the check c is empty"),
        ({"not_null": ("id", "ID")}, "not_null names ID twice"),
        ({"cluster_by": ("id", "id")}, "cluster_by names id twice"),
        ({"dropped": ("v",), "not_null": ("V",)}, "not_null names V, which is dropped"),
        ({"dropped": ("v",), "column_comments": (("v", "x"),)}, "column_comments names v, which"),
    ],
)
def test_a_definition_that_contradicts_itself_is_refused(
    arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(SpecError, match=f"{problem}.*nothing was changed"):
        TableDefinition(**arguments)


def test_properties_of_one_s_own_may_differ_in_case_only() -> None:
    definition = TableDefinition(properties=(("team", "a"), ("Team", "b")))
    assert definition.properties == (("team", "a"), ("Team", "b"))
