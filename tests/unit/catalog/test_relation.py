"""How a relation is written."""

from __future__ import annotations

from datetime import datetime

import pytest
from dbt.adapters.base.relation import EventTimeFilter

from dbt.adapters.deltaspark.catalog import DeltaSparkRelation


@pytest.mark.parametrize(
    ("schema", "identifier", "written"),
    [
        ("sales", "a`b", "`spark_catalog`.`sales`.`a``b`"),
        ("sales", "`order-items`", "`spark_catalog`.`sales`.`order-items`"),
        ("`my sales`", "`a``b`", "`spark_catalog`.`my sales`.`a``b`"),
        ("sales", "`a`.`b`", "`spark_catalog`.`sales`.```a``.``b```"),
        (None, "orders__tmp", "`orders__tmp`"),
        ("", "orders__tmp", "`orders__tmp`"),
        ("sales", None, "`spark_catalog`.`sales`"),
        (None, None, "`spark_catalog`"),
    ],
)
def test_a_relation_without_a_schema_has_no_catalog(
    schema: str | None, identifier: str | None, written: str
) -> None:
    relation = DeltaSparkRelation.create("spark_catalog", schema, identifier)
    assert str(relation) == written
    assert relation.incorporate(limit=0).render_limited().startswith(f"(select * from {written}")


@pytest.mark.parametrize(
    ("named", "written"),
    [
        ("at", "`at`"),
        ('"at"', "`at`"),
        ("`event time`", "`event time`"),
        ("event time", "`event time`"),
        ('"a`b.c"', "`a``b.c`"),
        ("payload.at", "payload.at"),
        ("cast(at as timestamp)", "cast(at as timestamp)"),
    ],
)
def test_an_event_time_is_a_column_however_it_is_quoted(named: str, written: str) -> None:
    since = EventTimeFilter(field_name=named, start=datetime(2026, 1, 2))
    relation = DeltaSparkRelation.create("c", "s", "t", event_time_filter=since)
    expected = f"(select * from `c`.`s`.`t` where {written} >= '2026-01-02 00:00:00')"
    assert relation.render_event_time_filtered() == expected


@pytest.mark.parametrize(
    ("kind", "is_delta"), [("table", True), ("view", False), ("function", False), (None, None)]
)
def test_macros_of_other_adapters_find_what_they_ask_for(
    kind: str | None, is_delta: bool | None
) -> None:
    relation = DeltaSparkRelation.create("c", "s", "t", type=kind)
    assert relation.is_delta is is_delta
    others = ("is_iceberg", "is_hudi", "is_streaming_table", "is_dlt", "is_foreign_table")
    assert {name: getattr(relation, name) for name in others} == dict.fromkeys(others, False)
    unknown = ("information", "is_external_table", "is_shallow_clone", "metadata", "owner", "stats")
    assert {name: getattr(relation, name) for name in unknown} == dict.fromkeys(unknown)
    assert relation.is_hive_metastore() is True


def test_a_name_in_backticks_is_that_of_the_relation_that_is_listed() -> None:
    listed = DeltaSparkRelation.create("c", "s", "order-items", type="table")
    assert listed.matches("c", "s", "`Order-Items`")
    assert DeltaSparkRelation.create("c", "`my sales`", "t").matches("c", "`My Sales`", "t")
