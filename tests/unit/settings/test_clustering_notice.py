"""Delta clusters files when OPTIMIZE runs: a model that never runs it is told so, once a run."""

from __future__ import annotations

from typing import Any

import pytest
from models import incremental, spec

from dbt.adapters.deltaspark.settings.model import read_table

CLUSTERED = {"liquid_clustered_by": ["id"]}


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (CLUSTERED, 1),
        ({**CLUSTERED, "auto_liquid_cluster": True}, 1),
        ({**CLUSTERED, "optimize": {"after_runs": 1}}, 0),
        ({**CLUSTERED, "skip_optimize": True}, 0),
        ({**CLUSTERED, "file_format": "parquet", "incremental_strategy": "append"}, 0),
        ({"partition_by": "id"}, 0),
    ],
    ids=str,
)
def test_a_clustering_that_nothing_here_brings_about_is_told(
    config: dict[str, Any], told: int
) -> None:
    model = incremental(**config)
    assert len(model.notices) == told
    assert len(read_table(spec(config)).notices) == told
    assert [each for each in model.warnings if "cluster" in each] == []


def test_the_notice_says_both_ways_out() -> None:
    (notice,) = incremental(**CLUSTERED).notices
    assert "optimize: {after_runs: N}" in notice
    assert "skip_optimize: true" in notice


def test_a_view_has_no_clustering() -> None:
    assert read_table(spec({**CLUSTERED, "materialized": "view"})).notices == ()
