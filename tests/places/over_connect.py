"""Tests that run over a Spark Connect server of their own, in a process that has no JVM.

    PYTHONPATH=tests/engine python tests/places/over_connect.py tests/functional/test_strategies.py

starts the server on loopback, runs pytest with the arguments, and ends it. The tests' fixtures find
it by the variable REMOTE.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from servers import connect


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    with (
        TemporaryDirectory(prefix="dbt-deltaspark-connect-") as folder,
        connect(Path(folder)) as at,
    ):
        command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
        return subprocess.run(command, env={**os.environ, "REMOTE": at}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
