"""Which table features a full refresh drops again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dbt.adapters.deltaspark.materialize.features_given_back import _unused

MAPPING = "columnMapping"


@pytest.mark.parametrize(
    ("of_model", "of_table", "dropped"),
    [
        ({}, {}, [MAPPING]),
        ({"delta.columnMapping.mode": "none"}, {}, [MAPPING]),
        ({}, {"delta.columnMapping.mode": "name"}, []),
        ({"delta.feature.columnMapping": "supported"}, {}, []),
        ({"delta.minReaderVersion": "2", "delta.minWriterVersion": "5"}, {}, []),
    ],
)
def test_what_the_model_asks_for_stays(
    of_model: dict[str, str], of_table: dict[str, str], dropped: list[str]
) -> None:
    details = {"properties": of_table, "tableFeatures": ["deletionVectors", MAPPING]}
    spark = SimpleNamespace(
        sql=lambda _: SimpleNamespace(collect=lambda: [details]),
        conf=SimpleNamespace(get=lambda *_: None),
    )
    model: Any = SimpleNamespace(table=SimpleNamespace(properties=tuple(of_model.items())))
    target: Any = SimpleNamespace(name="t", spark=spark)
    assert [*_unused(model, target)] == dropped
