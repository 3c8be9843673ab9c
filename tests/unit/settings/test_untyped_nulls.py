"""When a view's text, or its contract, gives a reason to look at its columns."""

from __future__ import annotations

import pytest
from models import spec

from dbt.adapters.deltaspark.settings.model import read_table
from dbt.adapters.deltaspark.settings.problems import are_columns_told


@pytest.mark.parametrize(
    ("sql", "is_told"),
    [
        ("select null as x", True),
        ("select id,\n  NULL AS x from t", True),
        ("select distinct null  as x", True),
        ("select cast(null as string) as x, cast( null as int) as y", False),
        ("select id is not null as b, coalesce(a, null)", False),
        ("select a as null_as from t where a is null", False),
    ],
)
def test_a_named_null_is_a_sign_of_a_column_without_a_type(sql: str, is_told: bool) -> None:
    assert are_columns_told(read_table(spec({})).table, sql) is is_told


@pytest.mark.parametrize(
    ("kind", "is_told"), [("string", False), ("int", False), ("varchar(3)", True)]
)
def test_a_length_that_the_contract_promises_is_one_too(kind: str, is_told: bool) -> None:
    columns = {"x": {"name": "x", "data_type": kind}}
    table = read_table(spec({"contract": {"enforced": True}}, columns=columns)).table
    assert are_columns_told(table, "select x from t") is is_told
