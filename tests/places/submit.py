"""dbt in a driver that spark-submit has started."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from every_strategy import Tables, built
from servers import SPARK

from dbt.adapters.deltaspark.session import SessionSettings, environment
from dbt.adapters.deltaspark.session.confs import DELTA

if TYPE_CHECKING:
    from pathlib import Path

RUN_DBT = """\
import sys
from dbt.cli.main import dbtRunner
sys.exit(0 if dbtRunner().invoke(sys.argv[1:]).success else 1)
"""


def test_two_builds_leave_what_embedded_ones_leave(
    tmp_path: Path, project: Path, embedded: Tables
) -> None:
    (tmp_path / "run_dbt.py").write_text(RUN_DBT)
    jars = environment.recorded_jars(SessionSettings().ivy)
    confs = {**DELTA, "spark.sql.catalogImplementation": "hive", "spark.ui.enabled": "false"}
    pairs = [text for key, value in confs.items() for text in ("--conf", f"{key}={value}")]
    python = ["env", f"PYSPARK_PYTHON={sys.executable}"]
    submit = [*python, str(SPARK / "bin" / "spark-submit"), "--master", "local[2]", *pairs]
    command = [*submit, "--jars", ",".join(jars), str(tmp_path / "run_dbt.py")]
    target = {"type": "deltaspark", "schema": "shop", "threads": 2}
    assert built(target, project, command) == embedded
