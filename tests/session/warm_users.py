"""Processes that use a warm Spark, for the tests of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sessions import QUICK
from waiting import wait_until

from dbt.adapters.deltaspark.session import handshake, warm

# The catalog is in memory, which is the JVM's: its tables are there as long as it is.
CONFS = {**QUICK, "spark.sql.catalogImplementation": "in-memory"}
USER = """
import json, os, sys
from dbt.adapters.deltaspark.session import SessionConnection, SessionSettings, open_session

said, warned = [], []
{first}
told = json.loads(sys.argv[1])
settings = SessionSettings(
    warehouse="{folder}/w", metastore="{folder}/m", master="local[2]", driver_memory="1g",
    spark_config=tuple(told["confs"].items()), keep_alive=told["keep_alive"],
)
try:
    spark = open_session(settings, said.append, warned.append)
except Exception as error:
    print(json.dumps({{"error": type(error).__name__, "text": str(error)}}))
    sys.exit()
jvm = spark._jvm.java.lang.ProcessHandle.current().pid()
result = None
{code}
print(json.dumps({{"jvm": jvm, "said": said, "warned": warned, "result": result}}))
"""

ENDLESS = """
connection = SessionConnection(spark, "spark_catalog", "default")
connection.group = "model.shop.endless"
with connection.working("endless"):
    spark.sql("create temporary view mine as select 1 as id")
    open("began", "w").close()
    spark.sql("select count(*) from range(0, 10000000000000) where hash(id) % 7 = 99").collect()
"""
COUNT = """
from time import sleep
connection = SessionConnection(spark, "spark_catalog", "default")
connection.group = "model.shop.endless"
with connection.working("jobs"):
    result = [spark.range(1000).count() for _ in range(20) if sleep(0.2) is None]
"""
INTERRUPTED = """
import signal, threading, time
jobs = spark.sparkContext.statusTracker().getActiveJobsIds

def interrupt():
    while not jobs():
        time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    spark.sql("select count(*) from range(0, 10000000000000) where hash(id) % 7 = 99").collect()
except KeyboardInterrupt:
    until = time.monotonic() + 60
    while jobs() and time.monotonic() < until:
        time.sleep(0.1)
    left = len(jobs())  # before the count, whose own job may end there a moment after its result
    result = [left, spark.range(5).count()]
"""


class Users:
    """Processes that use the warm Spark of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.warm = folder / "m/warm"

    def start(
        self,
        code: str = "",
        confs: Mapping[str, str] = CONFS,
        keep_alive: float = 600,
        first: str = "",
    ) -> subprocess.Popen[str]:
        text = USER.format(folder=self.folder, code=code, first=first)
        told = json.dumps({"confs": dict(confs), "keep_alive": keep_alive})
        return subprocess.Popen(
            [sys.executable, "-c", text, told],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
        )

    def told(self, *code_and_confs: Any, **options: Any) -> dict[str, object]:
        """What a process prints at its end, which `start` started with these arguments."""
        with self.start(*code_and_confs, **options) as process:
            printed, problem = process.communicate(timeout=300)
        assert printed.strip(), problem
        return dict(json.loads(printed.splitlines()[-1]))

    @contextmanager
    def waiting(self, code: str) -> Iterator[subprocess.Popen[str]]:
        """A process that has attached, and waits for a line on its standard input."""
        attached = self.folder / "attached"
        attached.unlink(missing_ok=True)
        with self.start(f"open({str(attached)!r}, 'w').close(); {code}") as process:
            try:
                wait_until(attached.exists, "nobody attached")
                yield process
            finally:
                process.kill()

    def make_dbt_project(self) -> None:
        """Its profile asks for the same Spark."""
        target = {
            "type": "deltaspark",
            "schema": "shop",
            "master": "local[2]",
            "driver_memory": "1g",
            "warehouse": str(self.folder / "w"),
            "metastore": str(self.folder / "m"),
            "spark_config": CONFS,
            "keep_alive": "10m",
            "keep_alive_in_ci": True,
        }
        profile = {"shop": {"target": "dev", "outputs": {"dev": target}}}
        (self.folder / "profiles.yml").write_text(json.dumps(profile))
        project = "name: shop\nversion: '1.0'\nprofile: shop\n"
        (self.folder / "dbt_project.yml").write_text(project)

    def end(self) -> None:
        found = handshake.read(self.warm)
        if found is not None:
            warm.end(self.warm, found)
