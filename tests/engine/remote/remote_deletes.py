"""Merges with which several source rows delete one row: Delta's own MERGE may lose others.

It takes rows of both sides for the same by their numbers; the first of both is no row that goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from server_tables import ids, make, newest, sql

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from dbt.adapters.deltaspark.engine.builder import MergeBuilder

ROWS = "SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'a'), (2, 'b'), (3, 'c') AS v(id, v)"
TWICE = (
    "SELECT /*+ COALESCE(1) */ * FROM"
    " VALUES (7, 'z', 3), (2, 'x', 1), (7, 'z', 4), (2, 'y', 2) AS v(id, v, n)"
)
ONCE = "SELECT * FROM VALUES (2, 'x', 1), (7, 'z', 3) AS v(id, v, n)"
FEED, VECTORS = "delta.enableChangeDataFeed", "delta.enableDeletionVectors"
STATEMENT = """WITH new AS (SELECT 1)
MERGE INTO {} AS t USING ({}) AS s ON t.id = s.id -- 'tis
WHEN MATCHED /* it's */ THEN DELETE
WHEN NOT MATCHED AND s.n > 5 OR s.v = 'z' THEN INSERT (id, v) VALUES (s.id, concat('(', v, ')'))
WHEN NOT MATCHED BY SOURCE AND t.id = 4 THEN UPDATE SET id = 5, v = CASE WHEN true THEN 'x' END;
"""


@pytest.fixture
def fed(target: engine.DeltaTarget) -> engine.DeltaTarget:
    return _made(target)


def _made(target: engine.DeltaTarget, rows: str = ROWS, **properties: str) -> engine.DeltaTarget:
    make(target, rows, columns={}, properties={FEED: "true", VECTORS: "false", **properties})
    return target


def _merge(target: engine.DeltaTarget, source: str, on: str = "t.id = s.id") -> MergeBuilder:
    merge = target.merge(target.spark.sql(source), on, source_alias="s", target_alias="t")
    return merge.when_matched_delete()


def _rows(target: engine.DeltaTarget) -> list[Any]:
    return sorted(map(tuple, sql(target.spark, f"SELECT * FROM {target.name}")))


def _changes(target: engine.DeltaTarget) -> list[Any]:
    feed = f"SELECT * FROM table_changes('{target.name}', {newest(target)})"
    return sorted((row.id, row.v, row._change_type) for row in sql(target.spark, feed))


def test_a_row_that_two_source_rows_delete_is_deleted_once_and_no_other_row_is_lost(
    fed: engine.DeltaTarget,
) -> None:
    before = newest(fed)
    result = _merge(fed, TWICE).when_not_matched_insert_all().execute()
    assert _rows(fed) == [(1, "a"), (3, "c"), (7, "z"), (7, "z")]
    assert (result.version, result.metrics.deleted, result.metrics.inserted) == (before + 1, 1, 2)
    assert _changes(fed) == [(2, "b", "delete"), (7, "z", "insert"), (7, "z", "insert")]


def test_conditions_and_values_of_inserts_are_those_of_the_source(fed: engine.DeltaTarget) -> None:
    merge = _merge(fed, TWICE).when_not_matched_insert({"id": "s.n", "v": "v"}, "n = 3 OR id = 2")
    merge.execute()
    assert _rows(fed) == [(1, "a"), (3, "c"), (3, "z")]


def test_rows_that_no_source_row_matches_are_updated_beside(target: engine.DeltaTarget) -> None:
    fed = _made(target, **{VECTORS: "true"})
    merge = _merge(fed, TWICE).when_not_matched_insert_all()
    merge.when_not_matched_by_source_update({"v": "concat(t.v, '!')"}).execute()
    assert _rows(fed) == [(1, "a!"), (3, "c!"), (7, "z"), (7, "z")]


def test_new_columns_are_added_where_rows_are_met_once(fed: engine.DeltaTarget) -> None:
    merge = _merge(fed, TWICE).when_not_matched_insert_all().with_schema_evolution()
    merge.execute()
    assert _rows(fed) == [(1, "a", None), (3, "c", None), (7, "z", 3), (7, "z", 4)]


def test_a_merge_without_aliases_deletes_each_row_once(fed: engine.DeltaTarget) -> None:
    source = fed.spark.sql(TWICE).withColumnsRenamed({"id": "key", "v": "w"})
    merge = fed.merge(source, "id = key").when_matched_delete()
    merge.when_not_matched_insert({"id": "key", "v": "w"}).execute()
    assert _rows(fed) == [(1, "a"), (3, "c"), (7, "z"), (7, "z")]


def test_a_source_that_matches_each_row_once_is_merged_as_it_is(fed: engine.DeltaTarget) -> None:
    _merge(fed, ONCE).when_not_matched_insert_all().execute()
    assert ids(fed) == [1, 3, 7]
    (last,) = sql(fed.spark, f"DESCRIBE HISTORY {fed.name} LIMIT 1")
    assert "__taken_0" not in last.operationParameters["predicate"]


def test_where_rows_cannot_be_told_apart_the_merge_is_refused(target: engine.DeltaTarget) -> None:
    _made(target, f"SELECT *, map('k', 1) AS m FROM ({ROWS})")
    merge = _merge(target, TWICE).when_not_matched_insert({"id": "s.id"})
    with pytest.raises(engine.EngineError, match="does not compare its column m, map<string,int>"):
        merge.execute()
    assert ids(target) == [1, 2, 3]


def test_deletion_vectors_leave_such_a_merge_to_the_server(target: engine.DeltaTarget) -> None:
    _made(target, f"SELECT *, map('k', 1) AS m FROM ({ROWS})", **{VECTORS: "true"})
    _merge(target, TWICE).when_not_matched_insert({"id": "s.id"}).execute()
    assert ids(target) == [1, 3, 7, 7]


def test_a_statement_deletes_each_row_once(fed: engine.DeltaTarget) -> None:
    engine.merge_into(fed.spark, STATEMENT.format(fed.name, TWICE))
    assert _rows(fed) == [(1, "a"), (3, "c"), (7, "(z)"), (7, "(z)")]


def test_a_statement_that_cannot_be_taken_apart_is_refused(fed: engine.DeltaTarget) -> None:
    fed.spark.sql(TWICE).createOrReplaceTempView("twice")
    statement = STATEMENT.replace("({})", "IDENTIFIER('twice')").format(fed.name)
    with pytest.raises(engine.EngineError, match="nothing was written. Make the source unique"):
        engine.merge_into(fed.spark, statement)
    assert ids(fed) == [1, 2, 3]
