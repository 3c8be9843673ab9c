"""Ctrl-C during a long merge, in a dbt of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

MODEL = """
{{ config(materialized='incremental', unique_key='id') }}
{% if is_incremental() %}
select 1 as id, count_if(hash(id) % 2 = 0) as n from range(0, 10000000000000, 1, 2)
{% else %}
select 1 as id, 0 as n
{% endif %}
"""
DBT = Path(sys.executable).with_name("dbt")
ENVIRONMENT = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    target = {"type": "deltaspark", "schema": "shop", "master": "local[2]", "driver_memory": "1g"}
    profile = {"shop": {"target": "dev", "outputs": {"dev": target}}}
    (tmp_path / "profiles.yml").write_text(yaml.safe_dump(profile))
    (tmp_path / "dbt_project.yml").write_text("name: shop\nversion: '1.0'\nprofile: shop\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models/long.sql").write_text(MODEL)
    return tmp_path


def table(project: Path) -> set[str]:
    return {str(path.relative_to(project)) for path in (project / "warehouse").rglob("*.*")}


def wait_for(log: Path, text: str) -> None:
    deadline = time.monotonic() + 180
    while not (log.exists() and text in log.read_text()):
        assert time.monotonic() < deadline, f"{text!r} was not logged"
        time.sleep(0.1)


def test_ctrl_c_stops_a_long_merge_and_leaves_the_table_as_it_was(shop: Path) -> None:
    subprocess.run([DBT, "run"], cwd=shop, env=ENVIRONMENT, check=True, capture_output=True)
    before = table(shop)
    (shop / "logs/dbt.log").unlink()
    with subprocess.Popen(
        [DBT, "run"], cwd=shop, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            wait_for(shop / "logs/dbt.log", "MERGE `spark_catalog`.`shop`.`long`")
            time.sleep(3)  # into the source's job, which says nothing
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    took = time.monotonic() - began
    assert took < 10, f"5 s for the job, and dbt and Python have to end too; it took {took:.1f} s"
    assert "CANCEL" in output or "cancelled" in output
    assert table(shop) == before
