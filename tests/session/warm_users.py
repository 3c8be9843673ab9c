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

    def end(self) -> None:
        found = handshake.read(self.warm)
        if found is not None:
            warm.end(self.warm, found)
