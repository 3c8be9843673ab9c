"""Which catalogs are asked for their names without a statement."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dbt.adapters.deltaspark.catalog import own_catalog
from dbt.adapters.deltaspark.session import DELTA_CATALOG


@pytest.mark.parametrize(
    ("catalog", "kind", "asked"),
    [
        ("spark_catalog", DELTA_CATALOG, True),
        ("SPARK_CATALOG", DELTA_CATALOG, True),
        ("other", DELTA_CATALOG, False),
        ("spark_catalog", "io.unitycatalog.spark.UCSingleCatalog", False),
        ("spark_catalog", None, False),
    ],
)
def test_sparks_own_with_deltas_on_top(catalog: str, kind: str | None, asked: bool) -> None:
    confs = {"spark.sql.catalog.spark_catalog": kind}
    spark: Any = SimpleNamespace(conf=SimpleNamespace(get=lambda name, _: confs[name]))
    assert own_catalog.is_asked_so(spark, catalog) is asked
