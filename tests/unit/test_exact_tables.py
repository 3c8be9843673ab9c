"""Tables with exact numbers are for dbt's own methods what others are."""

from __future__ import annotations

from decimal import Decimal

import pytest
from dbt_common.clients.agate_helper import table_from_data_flat

from dbt.adapters.deltaspark.exact_tables import exact
from dbt.adapters.deltaspark.impl import DeltaSparkAdapter


@pytest.mark.parametrize("value", [Decimal("1.50"), Decimal("7"), 0.1, 1e300, float("inf"), 1, "a"])
def test_a_column_of_a_result_has_the_type_that_dbt_finds(value: object) -> None:
    table = table_from_data_flat([{"a": value, "b": None}], ["a", "b"])
    types = [DeltaSparkAdapter.convert_agate_type(each, 0) for each in (table, exact(table))]
    assert types[0] is not None
    assert types[1] == types[0]
