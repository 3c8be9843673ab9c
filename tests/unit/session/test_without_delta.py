"""A Spark that something else has started: which Delta it must have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dbt.adapters.deltaspark.session.confs import DELTA
from dbt.adapters.deltaspark.session.errors import SessionError
from dbt.adapters.deltaspark.session.without_delta import check_delta


def session(release: str) -> Any:
    delta = SimpleNamespace(
        sql=SimpleNamespace(DeltaSparkSessionExtension=object()),
        package=SimpleNamespace(VERSION=lambda: release),
    )
    jvm = SimpleNamespace(io=SimpleNamespace(delta=delta))
    conf = SimpleNamespace(get=lambda name, _: DELTA[name])
    return SimpleNamespace(_jvm=jvm, conf=conf)


@pytest.mark.parametrize("release", ["4.2.0", "4.5.0", "3.3.1"])
def test_a_delta_of_another_release_line_is_refused_with_the_line_to_start_with(
    release: str,
) -> None:
    with pytest.raises(SessionError) as raised:
        check_delta(session(release))
    said = str(raised.value)
    assert f"with Delta Lake {release}, with which the adapter was never tested" in said
    assert "--packages io.delta:delta-spark_4.1_2.13:4.4." in said


@pytest.mark.parametrize("release", ["4.4.0", "4.4.1"])
def test_a_delta_of_the_tested_line_is_taken(release: str) -> None:
    check_delta(session(release))
