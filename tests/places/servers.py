"""Servers on loopback that a place needs: each is started with a folder of its own, and ended."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

import pyspark
from sessions import QUICK

from dbt.adapters.deltaspark.session import SessionSettings, environment
from dbt.adapters.deltaspark.session.confs import DELTA

LONGEST_START = 120
"""Seconds."""
SPARK = Path(pyspark.__file__).parent
CONNECT_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
HIVE_METASTORE = "org.apache.hadoop.hive.metastore.HiveMetaStore"
POSTGRES_FOLDERS = "/usr/lib/postgresql/*/bin"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(
    command: Sequence[str], port: int, log: Path, environ: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that listens on the port of loopback; what it says is in the log."""
    whole = {**os.environ, **(environ or {})}
    with log.open("w") as said:
        process = subprocess.Popen(command, cwd=log.parent, env=whole, stdout=said, stderr=said)
    try:
        _wait_for(port, process, log)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(LONGEST_START * 5):
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise RuntimeError(f"{command_of(process)} did not start:\n{log.read_text()[-4000:]}")


def command_of(process: subprocess.Popen[bytes]) -> str:
    return " ".join(map(str, process.args)) if isinstance(process.args, list) else str(process.args)


@contextmanager
def s3(folder: Path) -> Iterator[str]:
    """An S3 of moto's, with its address; it keeps everything in memory."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with serving(command, port, folder / "s3.log"):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def postgres(folder: Path) -> Iterator[str]:  # noqa: ARG001  root may not share it
    """An empty database of a PostgreSQL, as a URL for JDBC with user and password."""
    port, password = free_port(), token_hex(8)
    with TemporaryDirectory(prefix="dbt-deltaspark-postgres-") as name:
        data = Path(name)
        (data / "password").write_text(password)
        as_user = _not_as_root(data)
        programs, cluster = _folder_of("initdb"), str(data / "cluster")
        initdb = [f"{programs}/initdb", "-D", cluster, "-U", "hive", "-A", "scram-sha-256"]
        made = [*as_user, *initdb, f"--pwfile={data / 'password'}"]
        subprocess.run(made, cwd=data, check=True, capture_output=True)
        server = [f"{programs}/postgres", "-D", cluster, "-k", name, "-p", str(port)]
        with serving([*as_user, *server, "-h", "127.0.0.1"], port, data / "postgres.log"):
            yield f"jdbc:postgresql://127.0.0.1:{port}/postgres?user=hive&password={password}"


@contextmanager
def hive(folder: Path) -> Iterator[str]:
    """A Hive metastore, of the jars that PySpark brings: its address."""
    port, conf = free_port(), folder / "conf"
    conf.mkdir()
    settings = {
        "hive.async.log.enabled": "false",  # a jar for it is missing
        "hive.metastore.schema.verification": "false",
        "hive.metastore.warehouse.dir": str(folder / "warehouse"),
        "javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder}/derby;create=true",
        "datanucleus.schema.autoCreateAll": "true",
    }
    lines = (
        f"<property><name>{name}</name><value>{value}</value></property>"
        for name, value in settings.items()
    )
    (conf / "hive-site.xml").write_text(f"<configuration>{''.join(lines)}</configuration>")
    command = ["java", "-cp", f"{conf}:{SPARK / 'jars'}/*", HIVE_METASTORE, "-p", str(port)]
    with serving(command, port, folder / "hive.log"):
        yield f"thrift://127.0.0.1:{port}"


def _folder_of(program: str) -> str:
    found = shutil.which(program)
    debians = sorted(Path("/").glob(f"{POSTGRES_FOLDERS[1:]}/{program}"))
    if found is None and not debians:
        raise RuntimeError(f"{program} is needed, of PostgreSQL: apt-get install postgresql")
    return str(Path(found).resolve().parent if found else debians[-1].parent)


def _not_as_root(folder: Path) -> list[str]:
    """PostgreSQL refuses root; Debian's package makes a user for it."""
    if os.getuid() != 0:
        return []
    for path in (folder, *folder.iterdir()):
        shutil.chown(path, "postgres")
    return ["runuser", "-u", "postgres", "--"]


def spark_submit(confs: Mapping[str, str], *options: str) -> list[str]:
    """The command for a local Spark."""
    pairs = [text for key, value in confs.items() for text in ("--conf", f"{key}={value}")]
    return [str(SPARK / "bin" / "spark-submit"), "--master", "local[2]", *pairs, *options]


@contextmanager
def connect(folder: Path) -> Iterator[str]:
    """A Spark Connect server with Delta for many tiny tables, which lie in the folder."""
    port = free_port()
    confs = {
        **DELTA,
        **QUICK,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.databricks.delta.delta.log.cacheSize": "20",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.legacy.parameterSubstitution.constantsOnly": "true",
        "spark.sql.ui.explainMode": "simple",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
    }
    jars = ",".join(environment.recorded_jars(SessionSettings().ivy))
    options = ("--jars", jars, "--class", CONNECT_SERVER, "--driver-memory", "3g")
    command = spark_submit(confs, *options, "spark-internal")
    own = {"PYSPARK_PYTHON": sys.executable}
    with serving(command, port, folder / "server.log", own):
        yield f"sc://127.0.0.1:{port}"


@dataclass(frozen=True, slots=True)
class Cluster:
    """A standalone Spark: its address, and its workers."""

    master: str
    workers: tuple[subprocess.Popen[bytes], ...]


@contextmanager
def cluster(folder: Path, workers: int = 2, memory: str = "2g") -> Iterator[Cluster]:
    """A master and its workers of one core each."""
    port = free_port()
    with ExitStack() as running:
        own = {
            "SPARK_HOME": str(SPARK),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_MASTER_OPTS": "-Dspark.deploy.maxExecutorRetries=-1",  # tests kill some
        }
        master = _spark_class("master.Master", "-p", str(port), "--webui-port", "0")
        running.enter_context(serving(master, port, folder / "master.log", own))
        url = f"spark://127.0.0.1:{port}"
        processes = []
        for number in range(workers):
            worker_port = free_port()
            options = ["-p", str(worker_port), "-c", "1", "-m", memory, "--webui-port", "0"]
            options += ["-d", str(folder / f"worker_{number}"), url]
            log = folder / f"worker_{number}.log"
            command = _spark_class("worker.Worker", *options)
            processes.append(running.enter_context(serving(command, worker_port, log, own)))
        yield Cluster(url, tuple(processes))


def keys_of(running: Cluster, folder: Path) -> dict[str, Any]:
    """Those of a profile, with the tables in a folder that all of it reaches."""
    return {
        "master": running.master,
        "warehouse": str(folder / "tables"),
        "metastore": str(folder / "metastore"),
        "spark_config": {
            "spark.driver.extraJavaOptions": f"-Dderby.stream.error.file={folder}/derby.log",
            "spark.driver.host": "127.0.0.1",
            "spark.executor.memory": "1g",
        },
    }


def _spark_class(name: str, *options: str) -> list[str]:
    program = str(SPARK / "bin" / "spark-class")
    return [program, f"org.apache.spark.deploy.{name}", "-h", "127.0.0.1", *options]
