"""What the engine, PySpark and Python say in a node goes through dbt's events, and nowhere else."""

from __future__ import annotations

import json
import logging
import warnings
from typing import TYPE_CHECKING

import pytest
from dbt.cli.main import dbtRunner

from dbt.adapters.deltaspark.log_bridge import BRIDGE

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

SAYS = """
import logging
import warnings


def model(dbt, session):
    engine = logging.getLogger("dbt.adapters.deltaspark.engine.write")
    engine.warning("%d rows were odd", 7)
    engine.info("replay 1 of 5 follows")
    engine.debug("a plan of a hundred lines")
    logging.getLogger("pyspark.sql").error("no arrow")
    logging.getLogger("py4j.clientserver").warning("a socket was closed")
    warnings.warn("this is slow", UserWarning)
    return session.range(1)
"""
NODE = "model.test.says"


class TestEvents:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"says.py": SAYS}

    @pytest.fixture(scope="class")
    def events(
        self, project: TestProjInfo, tmp_path_factory: pytest.TempPathFactory
    ) -> list[tuple[str, str, str]]:
        """Level, text and node of each event of the adapter's, as dbt.log has them in JSON."""
        folders = ("--project-dir", project.project_root, "--profiles-dir", project.profiles_dir)
        logs = tmp_path_factory.mktemp("logs")
        formats = ("--log-format-file", "json", "--log-level-file", "debug", "--log-path", logs)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            found = dbtRunner().invoke(["run", *map(str, (*formats, *folders))])
        assert found.success, found.exception
        lines = (logs / "dbt.log").read_text().splitlines()
        parsed = [json.loads(line) for line in lines if line.startswith("{")]
        ours = [each for each in parsed if each["info"]["name"].startswith("AdapterEvent")]
        return [
            (each["info"]["level"], each["info"]["msg"], each["data"]["node_info"]["unique_id"])
            for each in ours
            if each["data"].get("node_info", {}).get("unique_id")
        ]

    @pytest.mark.parametrize(
        ("level", "text"),
        [
            ("warn", "7 rows were odd"),
            ("debug", "replay 1 of 5 follows"),
            ("error", "no arrow"),
            ("debug", "a socket was closed"),
            ("warn", "UserWarning: this is slow"),
        ],
    )
    def test_each_is_an_event_with_its_node(
        self, events: list[tuple[str, str, str]], level: str, text: str
    ) -> None:
        assert [(is_of, node) for is_of, said, node in events if text in said] == [(level, NODE)]

    def test_what_only_developers_read_is_left_out(
        self, events: list[tuple[str, str, str]]
    ) -> None:
        assert [said for _, said, _ in events if "a plan of a hundred lines" in said] == []

    def test_nothing_is_written_raw(
        self, project: TestProjInfo, capfd: pytest.CaptureFixture[str]
    ) -> None:
        logging.basicConfig()
        folders = ("--project-dir", project.project_root, "--profiles-dir", project.profiles_dir)
        capfd.readouterr()
        dbtRunner().invoke(["run", "--quiet", *map(str, folders)])
        assert [line for line in capfd.readouterr().err.splitlines() if "odd" in line] == []

    def test_loggers_are_as_they_were_afterwards(self, events: list[tuple[str, str, str]]) -> None:
        for name in ("dbt.adapters.deltaspark", "pyspark", "py4j"):
            assert logging.getLogger(name).propagate
        assert warnings.showwarning != BRIDGE._show
