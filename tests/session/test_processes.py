"""Sessions of several processes: what outlives one, and what a second one finds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from sessions import QUICK

from dbt.adapters.deltaspark.session import SessionSettings, environment
from dbt.adapters.deltaspark.session.confs import DELTA

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CATALOG = "spark.sql.catalog.spark_catalog"
OPEN = """
from dbt.adapters.deltaspark.session import SessionSettings, open_session

settings = SessionSettings(
    warehouse={warehouse!r},
    metastore={metastore!r},
    master="local[1]",
    driver_memory="1g",
    spark_config={confs!r},
)
spark = open_session(settings)
"""


def opening(warehouse: str, metastore: str) -> str:
    return OPEN.format(warehouse=warehouse, metastore=metastore, confs=tuple(QUICK.items()))


def run_python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, timeout=300
    )


@pytest.mark.share(6)
def test_tables_and_views_outlive_the_process_and_the_second_start_resolves_no_jars(
    tmp_path: Path, spark: SparkSession
) -> None:
    assert environment.recorded_jars(SessionSettings().ivy) != ()
    opened = opening(str(tmp_path / "w"), str(tmp_path / "m"))
    made = "create table t as select 7 as id", "create view v as select id + 1 as id from t"
    first = run_python(opened + "".join(f"spark.sql({sql!r})\n" for sql in made), tmp_path)
    assert first.returncode == 0, first.stderr
    second = run_python(opened + "print(spark.table('v').collect())", tmp_path)
    assert second.stdout.splitlines()[-1:] == ["[Row(id=8)]"], second.stderr
    assert "resolving dependencies" not in second.stdout + second.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m", "w"]


def test_a_second_process_on_the_same_catalog_is_told_the_ways_out(
    tmp_path: Path, spark: SparkSession, spark_target: dict[str, Any]
) -> None:
    places = {key: spark_target[key] for key in ("warehouse", "metastore")}
    second = run_python(opening(**places), tmp_path)
    assert second.returncode == 1
    last = second.stderr[second.stderr.rindex("CatalogLockedError") :]
    assert f"in {spark_target['metastore']} is in use by another process" in last
    for way_out in ("a `metastore` folder of its own", "thrift://", "jdbc:postgresql://"):
        assert way_out in last


@pytest.mark.share(6)
def test_a_session_without_delta_that_is_already_there_is_refused(tmp_path: Path) -> None:
    code = "from pyspark.sql import SparkSession\nSparkSession.builder.master('local[1]')"
    found = f"{code}.config('spark.ui.enabled', False).getOrCreate()\n"
    result = run_python(found + opening("w", "m"), tmp_path)
    assert "in this process already, and it was started without Delta Lake" in result.stderr
    assert "--packages io.delta:delta-spark_4.1_2.13:4.4.0" in result.stderr
    assert "--conf spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension" in result.stderr
    assert f"--conf {CATALOG}={DELTA[CATALOG]}" in result.stderr


RESOLVED = """
from pyspark.sql import SparkSession
from dbt.adapters.deltaspark.session import SessionSettings, environment, open_session

SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate().stop()
confs = {{"spark.jars.ivy": {ivy!r}, "spark.sql.catalogImplementation": "in-memory"}}
settings = SessionSettings(master="local[1]", jars=({jar!r},), spark_config=tuple(confs.items()))
spark = open_session(settings)
has, recorded = spark._jsc.sc().listJars().mkString(","), environment.recorded_jars(settings.ivy)
for jars in has, ",".join(recorded):
    print("delta-spark_" in jars, "mine.jar" in jars, spark.range(2).count())
"""


@pytest.mark.share(6)
def test_a_profiles_jars_join_those_that_are_resolved_also_after_another_spark_of_the_process(
    tmp_path: Path, spark: SparkSession
) -> None:
    ivy, jar = tmp_path / "ivy", tmp_path / "mine.jar"
    ivy.mkdir()
    (ivy / "cache").symlink_to(SessionSettings().ivy / "cache")
    with ZipFile(jar, "w") as opened:
        opened.writestr("mine.txt", "")
    result = run_python(RESOLVED.format(ivy=str(ivy), jar=str(jar)), tmp_path)
    assert result.stdout.splitlines()[-2:] == ["True True 2", "True False 2"], result.stderr


SUBMITTED = """
from dbt.adapters.deltaspark.session import SessionSettings, environment, open_session

spark = open_session(SessionSettings(warehouse={warehouse!r}))
names = ("spark.app.name", "spark.master", "spark.sql.shuffle.partitions", "spark.sql.extensions")
print([spark.conf.get(name) for name in names], spark.range(2).count())
helping = ("snapshotPartitions", "delta.log.cacheSize")
print([spark.conf.get(f"spark.databricks.delta.{{name}}") for name in helping])
"""


def submitted(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """What spark-submit of a script says that opens a session."""
    script = folder / "script.py"
    script.write_text(SUBMITTED.format(warehouse=str(folder / "w")))
    program = str(environment.spark_home() / "bin" / "spark-submit")
    confs = ("--conf", "spark.ui.enabled=false", "--driver-memory", "1g")
    return subprocess.run(
        [program, "--master", "local[1]", *confs, *options, str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable},
        timeout=300,
    )


@pytest.mark.share(4)
def test_confs_of_spark_submit_stand_and_deltas_are_added(tmp_path: Path) -> None:
    jars = ",".join(environment.recorded_jars(SessionSettings().ivy))
    theirs = (
        "spark.sql.shuffle.partitions=7",
        "spark.sql.catalogImplementation=in-memory",
        "spark.databricks.delta.delta.log.cacheSize=11",
    )
    options = [text for conf in theirs for text in ("--conf", conf)]
    result = submitted(tmp_path, "--jars", jars, "--name", "a job", *options)
    found = "['a job', 'local[1]', '7', 'io.delta.sql.DeltaSparkSessionExtension'] 2"
    assert result.stdout.splitlines()[-2:] == [found, "['16', '11']"], result.stderr


@pytest.mark.share(4)
def test_a_driver_of_spark_submit_without_delta_is_told_and_its_jars_are_not_taken_for_deltas(
    tmp_path: Path,
) -> None:
    before = environment.recorded_jars(SessionSettings().ivy)
    mine = tmp_path / "mine.jar"
    with ZipFile(mine, "w") as jar:
        jar.writestr("mine.txt", "")
    result = submitted(tmp_path, "--jars", str(mine), "--conf", f"spark.jars.ivy={tmp_path}")
    assert "--packages io.delta:delta-spark_4.1_2.13:4.4.0" in result.stdout
    assert environment.recorded_jars(SessionSettings().ivy) == before
    assert [*tmp_path.glob("dbt-deltaspark-*.txt")] == []


@pytest.mark.share(4)
def test_a_session_with_delta_that_is_already_there_is_used_and_keeps_its_confs(
    tmp_path: Path,
) -> None:
    delta = "spark.databricks.delta"
    asked = {f"{delta}.properties.defaults.appendOnly": "false", f"{delta}.snapshotPartitions": "3"}
    code = """
from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession
from dbt.adapters.deltaspark.session.confs import DELTA

builder = SparkSession.builder.master("local[1]").appName("a notebook")
for name, value in {"spark.ui.enabled": "false", **DELTA}.items():
    builder = builder.config(name, value)
mine = configure_spark_with_delta_pip(builder).getOrCreate()
before = mine.conf.getAll
"""
    check = "print(spark.sparkContext.appName, spark is mine, spark.range(2).count())\n"
    check += f"print(mine.conf.getAll == before, spark.conf.get({next(iter(QUICK))!r}))\n"
    check += f"print([spark.conf.get(name, None) for name in {[*asked]}])\n"
    unasked = "open_session(SessionSettings()).conf.get(name, None)"
    check += f"print([{unasked} for name in {[*asked]}], mine.conf.getAll == before)"
    opened = OPEN.format(warehouse="w", metastore="m", confs=tuple({**QUICK, **asked}.items()))
    result = run_python(code + opened + check, tmp_path)
    found = ["a notebook False 2", f"True {next(iter(QUICK.values()))}", "['false', '3']"]
    assert result.stdout.splitlines()[-4:] == [*found, "[None, '16'] True"], result.stderr


WHEN_OPEN = """
from pathlib import Path
from dbt.adapters.deltaspark.session import start

def reached(session, settings, reach=start._reach_catalog):
    print(Path({lock!r}).exists())
    reach(session, settings)

start._reach_catalog = reached
"""


@pytest.mark.share(6)
def test_a_catalog_that_is_there_is_opened_while_the_context_is_made(
    tmp_path: Path, spark: SparkSession
) -> None:
    lock = tmp_path / "m" / "derby" / "db.lck"
    code = WHEN_OPEN.format(lock=str(lock)) + opening(str(tmp_path / "w"), str(tmp_path / "m"))
    code += "print(spark.sql('describe schema default').collect()[3].info_value)"
    first = run_python(code, tmp_path)
    lock.unlink(missing_ok=True)
    second = run_python(code, tmp_path)
    assert first.stdout.splitlines()[-2:] == ["False", f"file:{tmp_path}/w"], first.stderr
    assert second.stdout.splitlines()[-2:] == ["True", f"file:{tmp_path}/w"], second.stderr


@pytest.mark.share(6)
def test_a_catalog_whose_making_was_killed_gives_way_to_a_new_one(tmp_path: Path) -> None:
    derby = tmp_path / "m" / "derby"
    (derby / "seg0").mkdir(parents=True)
    (derby / "dbex.lck").touch()
    os.utime(derby / "dbex.lck", (0, 0))
    opened = opening(str(tmp_path / "w"), str(tmp_path / "m"))
    warning = opened.replace("open_session(settings)", "open_session(settings, warn=print)")
    result = run_python(warning + "print(spark.catalog.databaseExists('default'))", tmp_path)
    assert result.stdout.splitlines()[-1:] == ["True"], result.stderr
    assert "was not finished" in result.stdout
    assert (derby / "service.properties").is_file()
