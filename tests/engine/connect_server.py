"""A Spark Connect server with Delta on loopback, and the tests that run over it.

    python tests/engine/connect_server.py -q tests/functional/test_strategies.py

starts one, runs pytest with the arguments in a process that has no JVM, and ends it. The tests'
fixtures find the server by the variable REMOTE.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pyspark
from sessions import QUICK

from dbt.adapters.deltaspark.session import SessionSettings, environment
from dbt.adapters.deltaspark.session.confs import DELTA

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
LONGEST_START = 120
"""Seconds."""


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Its address; the tables lie in the folder, and a log of what it said."""
    port = _free_port()
    log = folder / "server.log"
    with log.open("w") as said:
        process = subprocess.Popen(_command(folder, port), cwd=folder, stdout=said, stderr=said)
    try:
        _wait_for(port, process, log)
        yield f"sc://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)


def _command(folder: Path, port: int) -> list[str]:
    submit = str(Path(pyspark.__file__).parent / "bin" / "spark-submit")
    jars = environment.recorded_jars(SessionSettings().ivy) or []
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
    pairs = [text for key, value in confs.items() for text in ("--conf", f"{key}={value}")]
    options = ["--master", "local[2]", "--driver-memory", "3g", "--jars", ",".join(map(str, jars))]
    return [submit, "--class", SERVER, *options, *pairs, "spark-internal"]


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(LONGEST_START * 5):
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise RuntimeError(f"the server did not start:\n{log.read_text()[-4000:]}")


def main() -> int:
    folder = Path(mkdtemp(prefix="dbt-deltaspark-connect-"))
    try:
        with server(folder) as url:
            command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
            environ = {**os.environ, "REMOTE": url}
            return subprocess.run(command, env=environ, check=False).returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
