"""dbt's own commands meet the adapter: debug, and Ctrl-C while a model runs."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from dbt.tests.util import run_dbt, run_dbt_and_capture
from sessions import JAVA

from dbt.adapters.deltaspark.session.errors import CatalogLockedError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SLOW_MODEL = "select count(*) as n from range(100000000000000) where id % 7 = rand()"


class TestDebug:
    def test_debug_connects_and_shows_what_is_in_force(self, project: Any) -> None:
        _, shown = run_dbt_and_capture(["debug"])
        assert "Connection test: [" in shown
        assert "All checks passed!" in shown
        assert "'spark.sql.shuffle.partitions': '2'" in shown
        assert "was not applied" not in shown
        assert "database: spark_catalog" in shown


class TestTables:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"one.sql": "select 1 as id", "two.sql": "select * from {{ ref('one') }}"}

    def test_models_on_four_threads_are_built_in_the_profiles_schema(self, project: Any) -> None:
        assert len(run_dbt(["run", "--threads", "4"])) == 2
        assert project.run_sql(f"select id from {project.test_schema}.two", fetch="one")[0] == 1


def dbt_project(folder: Path, **places: str) -> None:
    target = {
        "type": "deltaspark",
        "schema": "shop",
        "master": "local[2]",
        "driver_memory": "1g",
        "threads": 2,
        "spark_config": {"spark.driver.extraJavaOptions": JAVA},
        **places,
    }
    profile = {"shop": {"target": "dev", "outputs": {"dev": target}}}
    (folder / "profiles.yml").write_text(yaml.safe_dump(profile))
    (folder / "dbt_project.yml").write_text("name: shop\nversion: '1.0'\nprofile: shop\n")
    (folder / "models").mkdir()
    model = "{{ config(materialized='table') }}\n" + SLOW_MODEL
    (folder / "models/slow.sql").write_text(model)


def started(command: list[str], folder: Path) -> subprocess.Popen[str]:
    """dbt in a process of its own, whose console is read from it."""
    dbt = Path(sys.executable).with_name("dbt")
    environment = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    return subprocess.Popen(
        [dbt, *command], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.share(2)
def test_ctrl_c_stops_a_running_model_and_dbt_within_half_a_minute(tmp_path: Path) -> None:
    dbt_project(tmp_path)
    with started(["run"], tmp_path) as process:
        try:
            wait_for_log(tmp_path / "logs/dbt.log", "On model.shop.slow")
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert time.monotonic() - began < 30, "a few seconds, on a machine with nothing else to do"
    assert "CANCEL" in output or "cancelled" in output
    assert not list((tmp_path / "warehouse").rglob("*.parquet"))


@pytest.mark.share(4)
def test_a_seed_in_a_folder_of_links_outlives_the_folder(tmp_path: Path) -> None:
    shop, links = tmp_path / "shop", tmp_path / "links"
    shop.mkdir()
    dbt_project(shop)
    (shop / "seeds").mkdir()
    (shop / "seeds/countries.csv").write_text("id,name\n1,de\n2,fr\n")
    links.mkdir()
    for entry in shop.iterdir():
        (links / entry.name).symlink_to(entry)
    folders = ["--project-dir", "links", "--profiles-dir", str(shop)]
    with started(["seed", *folders], tmp_path) as process:
        output, _ = process.communicate(timeout=300)
    assert "SEED 2 rows" in output
    shutil.rmtree(links)
    with started(["show", "--inline", "select * from shop.countries"], shop) as process:
        output, _ = process.communicate(timeout=300)
    assert "|  1 | de   |" in output and "|  2 | fr   |" in output


@pytest.mark.share(4)
def test_a_run_on_a_catalog_in_use_is_told_so_at_the_first_try(
    tmp_path: Path, spark: SparkSession, spark_target: dict[str, Any]
) -> None:
    places = {key: spark_target[key] for key in ("warehouse", "metastore")}
    dbt_project(tmp_path, **places)
    with started(["run"], tmp_path) as process:
        try:
            output, _ = process.communicate(timeout=300)
        finally:
            process.kill()
    assert process.returncode == 2
    assert output.count("Starting Spark") == 1
    for line in str(CatalogLockedError(places["metastore"])).splitlines():
        assert line in output


def wait_for_log(log: Path, text: str) -> None:
    deadline = time.monotonic() + 180
    while not (log.exists() and text in log.read_text()):
        assert time.monotonic() < deadline, f"{text!r} was not logged"
        time.sleep(0.1)
