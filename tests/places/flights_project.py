"""The flights project of integration_tests, built twice wherever Spark runs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from dbt_runs import HELD, Tables, held, run_dbt

if TYPE_CHECKING:
    from places import Place

PROJECT = Path(__file__).parents[2] / "integration_tests"
LEFT_BY_RUNS = shutil.ignore_patterns("warehouse", "metastore", "target", "logs", "__pycache__")
UNTIL = ("2013-11-30", "2014-01-31")
"""The days that data has arrived until, for one build after the other."""
MERGED = ("fct_flights", "dim_planes")
LOAD = """\
import sys
from pathlib import Path
from load_flights import load, open_spark

project = Path.cwd()
load(open_spark(project), project, one_in=40)
"""


def built(place: Place, folder: Path) -> Tables:
    """What each of its relations holds, and what the last build said of its two merges."""
    shutil.copytree(PROJECT, folder, ignore=LEFT_BY_RUNS, dirs_exist_ok=True)
    target = {"type": "deltaspark", "threads": 2, **place.keys, "schema": "nyc"}
    profile = {"nyc_flights": {"target": "dev", "outputs": {"dev": target}}}
    (folder / "profiles.yml").write_text(yaml.safe_dump(profile))
    (folder / "macros").mkdir()
    (folder / "macros" / "held.sql").write_text(HELD)
    (folder / "load.py").write_text(LOAD)
    run_dbt(folder, [*place.python, str(folder / "load.py")])
    for day in UNTIL:
        run_dbt(folder, [*place.dbt, "build", "--vars", f"{{arrived_until: '{day}'}}"])
    responses = _responses(folder)
    tables = held(folder, place.dbt, whole=False)
    for model in MERGED:
        tables[model] |= {key: responses[model][key] for key in ("rows_inserted", "rows_updated")}
    return tables


def _responses(folder: Path) -> dict[str, Mapping[str, Any]]:
    results = json.loads((folder / "target" / "run_results.json").read_text())["results"]
    return {each["unique_id"].rpartition(".")[2]: each["adapter_response"] for each in results}
