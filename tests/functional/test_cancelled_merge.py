"""Ctrl-C and SIGTERM during long merges, in a dbt of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from sessions import JAVA
from waiting import wait_until

MODEL = """
{{ config(materialized='incremental', unique_key='id') }}
{% if not is_incremental() %}
select 1 as id, 0 as n
{% elif var('endless', false) %}
select 1 as id, count_if(hash(id) % 2 = 0) as n from range(0, 10000000000000, 1, 2)
{% else %}
select 1 as id, 1 as n
{% endif %}
"""
MODELS = ("north", "east", "south", "west")
DBT = Path(sys.executable).with_name("dbt")
BUILD = [DBT, "build", "--threads", "4"]
ENVIRONMENT = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose models are built; with the var `endless` they never end again."""
    folder = tmp_path_factory.mktemp("shop")
    target = {
        "type": "deltaspark",
        "schema": "shop",
        "master": "local[2]",
        "driver_memory": "1g",
        "spark_config": {"spark.driver.extraJavaOptions": JAVA},
    }
    profile = {"shop": {"target": "dev", "outputs": {"dev": target}}}
    (folder / "profiles.yml").write_text(yaml.safe_dump(profile))
    (folder / "dbt_project.yml").write_text("name: shop\nversion: '1.0'\nprofile: shop\n")
    (folder / "models").mkdir()
    for name in MODELS:
        (folder / f"models/{name}.sql").write_text(MODEL)
    built(folder)
    return folder


def built(project: Path) -> str:
    result = subprocess.run(BUILD, cwd=project, env=ENVIRONMENT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
    return result.stdout


def commits(project: Path) -> set[str]:
    files = (project / "warehouse").rglob("_delta_log/*.json")
    return {str(path.relative_to(project)) for path in files}


def merging(log: Path) -> bool:
    """Whether every model has come to its merge."""
    text = log.read_text() if log.exists() else ""
    return all(f"MERGE `spark_catalog`.`shop`.`{name}`" in text for name in MODELS)


def children(pid: int) -> set[str]:
    """The processes that this one has started and that still run."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True)
    pairs = (line.split() for line in listed.stdout.splitlines())
    return {child for child, parent in pairs if parent == str(pid)}


def run(pid: str) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True).stdout
    return bool(state.strip()) and not state.startswith("Z")


def stopped(project: Path, number: signal.Signals) -> tuple[int, str]:
    """The exit code and the console of a build that got the signal, and ended."""
    log = project / "logs/dbt.log"
    log.unlink()
    command = [*BUILD, "--vars", "endless: true"]
    with subprocess.Popen(
        command, cwd=project, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            wait_until(lambda: merging(log), "no merge was logged", seconds=180)
            time.sleep(3)  # into the sources' jobs, which say nothing
            java = children(process.pid)
            process.send_signal(number)
            output, _ = process.communicate(timeout=180)
        finally:
            process.kill()
    assert java, "no JVM was seen"
    wait_until(lambda: not any(map(run, java)), "the JVM outlives dbt", seconds=180)
    return process.returncode, output


def test_ctrl_c_stops_long_merges_and_leaves_the_tables_as_they_were(shop: Path) -> None:
    before = commits(shop)
    code, output = stopped(shop, signal.SIGINT)
    assert code == 2, "dbt's own for what it was interrupted by"
    assert output.count("CANCEL query") == len(MODELS)
    assert "Exited because of keyboard interrupt" in output
    assert commits(shop) == before


def test_sigterm_ends_dbt_and_its_jvm_and_the_next_build_heals(shop: Path) -> None:
    before = commits(shop)
    code, _ = stopped(shop, signal.SIGTERM)
    assert code == -signal.SIGTERM
    assert commits(shop) == before
    assert "PASS=4" in built(shop)
    assert len(commits(shop)) == len(before) + len(MODELS)
