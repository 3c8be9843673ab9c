"""Keys of a profile that a Spark which runs already does not hear."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dbt.adapters.deltaspark import profile_warnings
from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager
from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.session import spark


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    told: list[str] = []
    monkeypatch.setattr(profile_warnings.logger, "warning", told.append)
    return told


def credentials(**keys: Any) -> DeltaSparkCredentials:
    return DeltaSparkCredentials.from_dict({"schema": "analytics", **keys})


@pytest.mark.parametrize(
    ("keys", "submitted", "named"),
    [
        ({"warehouse": "s3a://lake/w", "packages": ["a:b:1"]}, False, "warehouse, packages have"),
        ({"warehouse": "s3a://lake/w", "packages": ["a:b:1"]}, True, "packages has"),
        ({"remote": "sc://host:15002", "driver_memory": "8g"}, False, "driver_memory has"),
        ({"keep_alive": "30m"}, True, "keep_alive has"),
        ({"warehouse": ""}, False, None),
        ({}, False, None),
    ],
)
def test_keys_that_a_running_spark_does_not_hear_are_told_once(
    tmp_path: Path,
    warnings: list[str],
    monkeypatch: pytest.MonkeyPatch,
    keys: dict[str, Any],
    submitted: bool,
    named: str | None,
) -> None:
    given = credentials(**keys)
    profile: Any = SimpleNamespace(credentials=given, project_root=tmp_path)
    manager = DeltaSparkConnectionManager(profile, get_context("spawn"))
    monkeypatch.setattr(spark, "_opened", object() if submitted else None)
    monkeypatch.setattr(spark, "spark_submit_runs", lambda: submitted)
    for _ in range(2):
        manager._warnings._warn_of_idle(given)
    told = [each for each in warnings if "no effect" in each]
    assert len(told) == (named is not None)
    assert all(f"The profile's {named} no effect: that is said to a Spark" in each for each in told)


def test_keys_of_a_spark_that_dbt_starts_have_an_effect(
    tmp_path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = credentials(warehouse="w", packages=["a:b:1"], driver_memory="8g")
    profile: Any = SimpleNamespace(credentials=given, project_root=tmp_path)
    monkeypatch.setattr(spark, "_opened", object())
    DeltaSparkConnectionManager(profile, get_context("spawn"))._warnings._warn_of_idle(given)
    assert not [each for each in warnings if "no effect" in each]
