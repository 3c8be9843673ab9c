"""A merge spec as text."""

from __future__ import annotations

from dbt.adapters.deltaspark.engine import Delete, Insert, MergeSpec, Update
from dbt.adapters.deltaspark.engine.merge.statement import merge_text, sql_texts


def test_an_upsert_reads_as_one_would_write_it() -> None:
    spec = MergeSpec(
        on="t.id = s.id",
        matched=(Update(),),
        not_matched=(Insert(),),
        source_alias="s",
        target_alias="t",
    )
    assert merge_text("db.orders", "src", spec).splitlines() == [
        "MERGE INTO db.orders AS `t`",
        "USING src AS `s`",
        "ON (t.id = s.id",
        ")",
        "WHEN MATCHED THEN UPDATE SET *",
        "WHEN NOT MATCHED THEN INSERT *",
    ]


def test_clauses_keep_their_order_and_conditions() -> None:
    spec = MergeSpec(
        on="true",
        matched=(Delete("s.gone"), Update((("`v`", "s.v"),), "s.v > 0")),
        not_matched=(Insert((("`id`", "s.id"), ("`v`", "1"))),),
        not_matched_by_source=(Delete(),),
        evolve_schema=True,
    )
    assert " ".join(merge_text("t", "s", spec).split()) == (
        "MERGE WITH SCHEMA EVOLUTION INTO t USING s ON (true )"
        " WHEN MATCHED AND (s.gone ) THEN DELETE"
        " WHEN MATCHED AND (s.v > 0 ) THEN UPDATE SET `v` = s.v"
        " WHEN NOT MATCHED THEN INSERT (`id`, `v`) VALUES (s.id , 1 )"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE"
    )


def test_a_comment_in_a_condition_does_not_swallow_the_statement() -> None:
    spec = MergeSpec(on="t.id = s.id -- the key", matched=(Delete("s.gone -- or not"),))
    assert merge_text("t", "s", spec).splitlines()[2:] == [
        "ON (t.id = s.id -- the key",
        ")",
        "WHEN MATCHED AND (s.gone -- or not",
        ") THEN DELETE",
    ]


def test_every_expression_given_as_text_is_listed() -> None:
    spec = MergeSpec(
        on="on",
        matched=(Update((("a", "value"),), "first"), Delete()),
        not_matched=(Insert(condition="second"),),
    )
    assert list(sql_texts(spec)) == ["on", "first", "value", "second"]
