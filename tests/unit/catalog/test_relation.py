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
