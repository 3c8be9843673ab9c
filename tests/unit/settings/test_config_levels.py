"""A project's file, folders, properties and models may each name table properties: they add up."""

from __future__ import annotations

from typing import Any

import pytest
from dbt.artifacts.resources import NodeConfig

from dbt.adapters.deltaspark.settings import DeltaSparkConfig

A, B = {"a": "1", "both": "1"}, {"b": "2", "both": "2"}


def together(*levels: Any) -> Any:
    config = NodeConfig.from_dict({})
    for level in levels:
        given = {"tblproperties": level}
        config = config.update_from(given, DeltaSparkConfig, validate=False)
    return config.finalize_and_validate().to_dict(omit_none=True).get("tblproperties")


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([A, B], {"a": "1", "b": "2", "both": "2"}),
        ([A, None], A),
        ([None, A], A),
        ([A, None, B], {"a": "1", "b": "2", "both": "2"}),
        (["", A, {}], A),
        ([None], None),
        ([None, None], None),
        ([["a"], A], ["a"]),
        ([A, "a=1"], "a=1"),
    ],
)
def test_no_value_adds_nothing_and_a_wrong_one_stands(levels: list[Any], expected: Any) -> None:
    assert together(*levels) == expected
