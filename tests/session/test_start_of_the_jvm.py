"""How a process's JVM starts: what its command line shows, and what it takes from the user."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

CONFS = {
    "spark.hadoop.fs.s3a.secret.key": "hunter2/=\\ :#!é",
    "spark.hadoop.fs.azure.account.key.shop": "hunter2==",
    "spark.hadoop.javax.jdo.option.ConnectionPassword": "hunter2\\u0041\t",
}
LOOPBACK = ("0100007F", "0000000000000000FFFF00000100007F")
"""127.0.0.1 as Linux writes it, by IPv4 and IPv6."""
STARTED = """
import os, sys
from pathlib import Path
from pyspark import SparkContext
from dbt.adapters.deltaspark.session import SessionSettings, open_session

settings = SessionSettings(
    master="local[1]",
    driver_memory="512m",
    spark_config=tuple(
        {{
            "spark.sql.catalogImplementation": "in-memory",
            "spark.ui.enabled": "true",
            "spark.ui.port": "0",
            **{confs!r},
        }}.items()
    ),
)
spark = open_session(settings)
java = SparkContext._gateway.proc.pid
print("cmdline", Path(f"/proc/{{java}}/cmdline").read_text().split("\\0"))
print("hidden", "hunter2" not in Path(f"/proc/{{java}}/environ").read_text())
print("arguments", os.environ.get("PYSPARK_SUBMIT_ARGS"))
print("confs", all(spark.conf.get(name) == text for name, text in settings.spark_config))
print("theirs", spark.conf.get("spark.mine.a", None), spark.conf.get("spark.mine.b", None))

def behind(file):
    try:
        return os.readlink(file)
    except FileNotFoundError:  # closed meanwhile
        return None

sockets = {{behind(each) for each in Path(f"/proc/{{java}}/fd").iterdir()}}
ports = [line.split() for each in ("tcp", "tcp6") for line in open(f"/proc/net/{{each}}")]
opened = [each[1] for each in ports if each[3] == "0A" and f"socket:[{{each[9]}}]" in sockets]
print("opened", len(opened), {{each.split(":")[0] for each in opened}} <= set({loopback!r}))
print("memory", spark.sparkContext._jvm.java.lang.Runtime.getRuntime().maxMemory() >> 20)
"""

TOO_LARGE = """
from dbt.adapters.deltaspark.session import SessionSettings, open_session

options = ("spark.driver.extraJavaOptions", "-Xms4t -XX:ErrorFile=hs_err.log")
open_session(
    SessionSettings(
        master="local[1]",
        metastore="metastore",
        warehouse="warehouse",
        driver_memory="4t",
        spark_config=(options,),
        keep_alive={keep_alive},
    )
)
"""


def run_python(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "tmp").mkdir()
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=300,
        env={**os.environ, "TMPDIR": str(folder / "tmp"), **environment},
    )


def printed(result: subprocess.CompletedProcess[str]) -> dict[str, str]:
    assert result.returncode == 0, result.stderr
    pairs = (line.partition(" ") for line in result.stdout.splitlines())
    return {name: value for name, _, value in pairs}


def test_confs_and_the_users_own_arguments_reach_spark_and_no_secret_is_on_the_command_line(
    tmp_path: Path,
) -> None:
    (tmp_path / "my own.properties").write_text("spark.mine.a 1\nspark.driver.memory=9g")
    arguments = "--properties-file 'my own.properties' --conf spark.mine.b=2 pyspark-shell"
    code = STARTED.format(confs=CONFS, loopback=LOOPBACK)
    result = run_python(code, tmp_path, PYSPARK_SUBMIT_ARGS=arguments)
    found = printed(result)
    assert "org.apache.spark.deploy.SparkSubmit" in found["cmdline"]
    assert "hunter2" not in found["cmdline"]
    assert found["hidden"] == "True"
    assert found["arguments"] == arguments
    assert found["confs"] == "True"
    assert found["theirs"] == "1 2"
    assert found["memory"] == "512"
    assert found["opened"] == "4 True", "Python's, the driver's, its blocks', and the UI's port"
    assert list((tmp_path / "tmp").glob("dbt-deltaspark-*")) == []


def test_a_jvm_that_does_not_start_leaves_no_file_with_confs(tmp_path: Path) -> None:
    confs = {**CONFS, "spark.driver.memory": "no size"}
    result = run_python(STARTED.format(confs=confs, loopback=LOOPBACK), tmp_path)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-4:] == [
        "dbt.adapters.deltaspark.session.errors.NotStartedError: Spark did not start. It said:",
        "Invalid maximum heap size: -Xmxno size",
        "Error: Could not create the Java Virtual Machine.",
        "Error: A fatal exception has occurred. Program will exit.",
    ]
    assert "hunter2" not in result.stdout + result.stderr
    assert list((tmp_path / "tmp").iterdir()) == []


UNREACHED = """
from dbt.adapters.deltaspark.session import SessionSettings, open_session

places = dict(metastore={metastore!r}, warehouse="warehouse", driver_memory="512m")
open_session(SessionSettings(master={master!r}, **places))
"""


@pytest.mark.share(6)
def test_a_catalog_that_cannot_be_reached_is_named_with_the_last_cause(tmp_path: Path) -> None:
    code = UNREACHED.format(master="local[1]", metastore="thrift://127.0.0.1:1")
    result = run_python(code, tmp_path)
    assert result.stderr.partition("errors.SessionError: ")[2].splitlines() == [
        "The catalog (thrift://127.0.0.1:1) cannot be reached: The catalog failed:"
        " java.lang.RuntimeException: Unable to instantiate"
        " org.apache.hadoop.hive.ql.metadata.SessionHiveMetaStoreClient",
        "Could not connect to meta store using any of the URIs provided. Most recent failure:"
        " org.apache.thrift.transport.TTransportException: java.net.ConnectException: Connection"
        " refused",
        "Caused by: java.net.ConnectException: Connection refused",
    ]


@pytest.mark.share(6)
def test_a_master_that_is_not_there_is_told_in_sparks_words(tmp_path: Path) -> None:
    code = UNREACHED.format(master="spark://nohost:1", metastore="metastore")
    began = time.monotonic()
    result = run_python(code, tmp_path)
    assert time.monotonic() - began < 150, "Spark tries for a minute"
    assert result.stderr.partition("errors.NotStartedError: ")[2].splitlines() == [
        "Spark did not start. It said:",
        "All masters are unresponsive! Giving up. (master: spark://nohost:1)",
    ]


@pytest.mark.parametrize("keep_alive", [None, 60.0])
def test_a_jvm_that_gets_no_memory_says_so(tmp_path: Path, keep_alive: float | None) -> None:
    result = run_python(TOO_LARGE.format(keep_alive=keep_alive), tmp_path)
    told = result.stderr[result.stderr.rindex("Error: Spark did not start. It said:") :]
    assert "# There is insufficient memory for the Java Runtime Environment" in told
    assert "# Native memory allocation (mmap) failed to map" in told
    assert result.stdout == "", "dbt's results would be there"
