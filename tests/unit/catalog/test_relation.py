"""How a relation is written."""

from __future__ import annotations

import pytest

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
