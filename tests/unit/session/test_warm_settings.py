"""By what a warm Spark is told from the one that is asked for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from warm_folders import shaken

from dbt.adapters.deltaspark.session import SessionSettings, applied_confs
from dbt.adapters.deltaspark.session.attach import compared
from dbt.adapters.deltaspark.session.warm import asked_for


@pytest.mark.parametrize(
    "name", ["AWS_PROFILE", "PYSPARK_PYTHON", "PYTHONPATH", "TZ", "SPARK_SUBMIT_OPTS"]
)
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


@pytest.mark.parametrize("variable", ["SPARK_CONF_DIR", "HADOOP_CONF_DIR"])
def test_a_file_of_settings_that_is_changed_differs(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(tmp_path))
    file = tmp_path / "spark-defaults.conf"
    file.write_text("spark.sql.ansi.enabled false\n")
    before = asked_for(SessionSettings())
    assert asked_for(SessionSettings()) == before
    file.write_text("spark.sql.ansi.enabled  true\n\n")
    after = asked_for(SessionSettings())
    assert {name for name in after if after[name] != before[name]} == {f"the file {file}"}


@pytest.mark.parametrize("name", ["spark.sql.catalog.shop", "spark.sql.ansi.enabled"])
def test_what_a_session_has_of_its_own_does_not_differ(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(applied_confs, "Jvm", lambda _: SimpleNamespace(module=lambda _: None))
    modifiable = {"spark.sql.ansi.enabled"}
    session: Any = SimpleNamespace(conf=SimpleNamespace(isModifiable=modifiable.__contains__))
    attached, differences = compared(session, shaken(tmp_path), {name: "a", "spark.master": "yarn"})
    assert attached.modified == ((name, "a"),)
    assert differences == ["spark.master differs"]


def test_jars_that_are_no_files_here_are_compared_by_their_names() -> None:
    jars = ("hdfs://shop/udf.jar", "/nowhere/udf.jar")
    assert not any(name.startswith("the file") for name in asked_for(SessionSettings(jars=jars)))
