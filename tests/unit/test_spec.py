"""What a merge spec refuses to be."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.engine import Delete, Insert, MergeSpec, SpecError, Update, quoted


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
