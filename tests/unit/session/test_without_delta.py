"""A Spark that something else has started: which Delta it must have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark.session.confs import DELTA
from dbt.adapters.deltaspark.session.errors import SessionError
from dbt.adapters.deltaspark.session.without_delta import check_delta

if TYPE_CHECKING:
    from collections.abc import Mapping


def session(release: str, confs: Mapping[str, str] = DELTA) -> Any:
    delta = SimpleNamespace(
        sql=SimpleNamespace(DeltaSparkSessionExtension=object()),
        package=SimpleNamespace(VERSION=lambda: release),
    )
    jvm = SimpleNamespace(io=SimpleNamespace(delta=delta))
    conf = SimpleNamespace(get=lambda name, _: confs.get(name))
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


@pytest.mark.parametrize("missing", DELTA)
def test_with_deltas_jars_the_one_conf_that_is_missing_is_all_that_is_asked_for(
    missing: str,
) -> None:
    others = {name: value for name, value in DELTA.items() if name != missing}
    with pytest.raises(SessionError) as raised:
        check_delta(session("4.4.0", others))
    said = str(raised.value)
    options = [line.strip() for line in said.splitlines() if line.startswith("  ")]
    assert options == [f"--conf {missing}={DELTA[missing]}"]
