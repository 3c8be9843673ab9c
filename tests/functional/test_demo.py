"""The integration project, run as `make demo` runs it, on one flight in forty."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sessions import QUICK

pytestmark = pytest.mark.embedded("the demo starts a Spark of its own")

PROJECT = Path(__file__).parents[2] / "integration_tests"
LEFT_BY_RUNS = shutil.ignore_patterns("warehouse", "metastore", "target", "logs", "__pycache__")


@dataclass(frozen=True, slots=True)
class Demo:
    """A finished demo: where it ran, what it printed, how it ended."""

    project: Path
    printed: str
    exit_code: int

    def response(self, *, run: int, model: str) -> dict[str, Any]:
        """What the adapter said of a model in dbt's run_results.json."""
        artifact = self.project / "target" / f"run-{run}" / "run_results.json"
        responses = {
            result["unique_id"]: result["adapter_response"]
            for result in json.loads(artifact.read_text())["results"]
        }
        return responses[f"model.nyc_flights.{model}"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    # A process of its own: this one may have a SparkSession already, with another catalog.
    project = tmp_path_factory.mktemp("demo") / "project"
    shutil.copytree(PROJECT, project, ignore=LEFT_BY_RUNS)
    with (project / "profiles.yml").open("a") as profile:
        profile.write(f"      driver_memory: 2g\n      spark_config: {json.dumps(QUICK)}\n")
    ran = subprocess.run(
        [sys.executable, str(project / "run_demo.py"), "--one-in", "40"],
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    return Demo(project, f"{ran.stdout}\n{ran.stderr}", ran.returncode)


def test_the_demo_ends_well(demo: Demo) -> None:
    assert demo.exit_code == 0, demo.printed


@pytest.mark.parametrize(
    ("run", "model", "route"),
    [
        (2, "fct_flights", "deletion_vectors"),
        (2, "dim_planes", "insert_only"),
        (3, "fct_flights", "no_op"),
        (3, "dim_planes", "no_op"),
    ],
)
def test_every_merge_takes_a_route_of_our_own(demo: Demo, run: int, model: str, route: str) -> None:
    assert demo.response(run=run, model=model)["route"] == route


@pytest.mark.parametrize(
    ("model", "inserted", "updated"), [("fct_flights", 690, 24), ("dim_planes", 104, 0)]
)
def test_the_second_run_merges_december_and_corrections(
    demo: Demo, model: str, inserted: int, updated: int
) -> None:
    response = demo.response(run=2, model=model)
    assert (response["rows_inserted"], response["rows_updated"]) == (inserted, updated)


@pytest.mark.parametrize("model", ["fct_flights", "dim_planes"])
def test_the_third_run_commits_nothing(demo: Demo, model: str) -> None:
    response = demo.response(run=3, model=model)
    assert (response["skipped"], response["delta_version"]) == (True, None)


def test_the_output_fits_a_terminal(demo: Demo) -> None:
    assert [line for line in demo.printed.splitlines() if len(line) > 110] == []


def test_a_count_that_differs_from_the_data_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(PROJECT))
    run_demo = importlib.import_module("run_demo")
    merged = {"rows_inserted": 690, "rows_updated": 23}
    assert not run_demo.check_counts("fct_flights", merged, run_demo.Counts(690, 24))
    assert capsys.readouterr().out == (
        "  WRONG fct_flights: 690 inserted and 23 updated,"
        " but the data has 690 inserted and 24 updated\n"
    )
