"""By what a warm Spark is told from the one that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.deltaspark.session import SessionSettings
from dbt.adapters.deltaspark.session.warm import asked_for


@pytest.mark.parametrize("name", ["AWS_PROFILE", "PYSPARK_PYTHON", "PYTHONPATH", "TZ"])
def test_variables_that_its_processes_keep_are_compared(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(name, raising=False)
    before = asked_for(SessionSettings())
    monkeypatch.setenv(name, "another")
    assert asked_for(SessionSettings()) == {**before, f"${name}": "another"}


@pytest.mark.parametrize("prefix", ["", "file:", "file://"])
def test_a_jar_that_is_built_anew_differs(prefix: str, tmp_path: Path) -> None:
    jar = tmp_path / "my udf.jar"
    settings = SessionSettings(jars=(f"{prefix}{jar}".replace(" ", "%20" if prefix else " "),))
    jar.write_text("first")
    first = asked_for(settings)
    assert asked_for(settings) == first
    jar.write_text("another")
    another = asked_for(settings)
    assert {name for name in first if first[name] != another[name]} == {f"the file {jar}"}


def test_jars_that_are_no_files_here_are_compared_by_their_names() -> None:
    jars = ("hdfs://shop/udf.jar", "/nowhere/udf.jar")
    assert not any(name.startswith("the file") for name in asked_for(SessionSettings(jars=jars)))
