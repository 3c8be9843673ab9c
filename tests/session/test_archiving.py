"""An archive of classes is made by a Spark of its own, and a JVM starts from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dbt.adapters.deltaspark.session.class_archive import FOLDER

# -Xshare:on ends a JVM whose archive does not fit it.
START = """
from dbt.adapters.deltaspark.session import SessionSettings, open_session
confs = (
    ("spark.driver.extraJavaOptions", "-Xshare:on"),
    ("spark.sql.catalogImplementation", "in-memory"),
)
session = open_session(SessionSettings(master="local[1]", spark_config=confs))
runtime = session._jvm.java.lang.management.ManagementFactory.getRuntimeMXBean()
print(*runtime.getInputArguments(), sep="\\n")
"""


@pytest.mark.share(8)
def test_a_jvm_starts_from_the_archive_that_was_made(tmp_path: Path) -> None:
    environment = {**os.environ, FOLDER: str(tmp_path)}
    archiving = "dbt.adapters.deltaspark.session.archiving"
    subprocess.run([sys.executable, "-m", archiving], env=environment, check=True)
    (archive,) = tmp_path.iterdir()
    started = subprocess.run(
        [sys.executable, "-c", START],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert f"-XX:SharedArchiveFile={archive}" in started.stdout.splitlines(), started.stderr
