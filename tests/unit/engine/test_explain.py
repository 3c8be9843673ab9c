"""A plan as text: what a person reads before a merge runs."""

from __future__ import annotations

from dataclasses import replace

from dbt.adapters.deltaspark.engine.delta.files import Files, TableSize
from dbt.adapters.deltaspark.engine.plan import MergePlan, Prediction, Pruning

PLAN = MergePlan(
    route="deletion_vectors",
    reason="the table has deletion vectors on",
    table="sales.orders",
    source_rows=1200,
    files=Files(None, 3, 3000),
    whole=TableSize(100, 1000000),
    pruning=Pruning(rules=("the source's values of id",)),
    broadcast=True,
)
SEEN = Prediction(updated=1000, deleted=5, inserted=195, copied=0, files=2)


def test_a_plan_tells_route_files_rule_and_join() -> None:
    assert PLAN.explain().splitlines() == [
        "MERGE into sales.orders",
        "  route: deletion_vectors (the table has deletion vectors on)",
        "  source: 1,200 rows, evaluated once",
        "  files: 3 of 100, 3,000 of 1,000,000 bytes",
        "  pruned by: the source's values of id",
        "  join: the source is broadcast",
    ]


def test_a_plan_tells_what_would_be_written() -> None:
    text = replace(PLAN, prediction=SEEN).explain()
    assert "rows: 195 inserted, 1,000 updated, 5 deleted" in text
    assert "would write: 1,195 new rows, and deletion vectors for 2 files" in text


def test_a_rewrite_tells_how_many_rows_it_copies() -> None:
    rewrite = replace(PLAN, route="classic", prediction=replace(SEEN, copied=70000))
    assert "and 2 files anew, with 70,000 rows copied" in rewrite.explain()


def test_a_merge_with_nothing_to_do_says_so() -> None:
    idle = replace(PLAN, prediction=Prediction())
    assert idle.explain().endswith("would write: nothing, and commit nothing")


def test_a_merge_that_reads_no_file_names_no_join() -> None:
    added = replace(PLAN, route="insert_only", files=Files(None, 0, 0))
    assert "join:" not in added.explain()
