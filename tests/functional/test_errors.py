"""Mistakes, more than fifty: what `dbt run` says of each, word for word; nothing was written.

`ERRORS=new` writes the texts anew, to be read and judged before they are committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from mistakes import DATA, MODELS, OWN_STRATEGY
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

TEXTS = Path(__file__).with_name("errors.yml")
EXPECTED: dict[str, str] = yaml.safe_load(TEXTS.read_text())
WRONG = sorted(
    name.partition(".")[0] for name in MODELS if name not in ("orders.sql", "models.yml")
)
ADDED_TO = sorted(name.partition(".")[0] for name, text in DATA.items() if "incremental" in text)
THERE = {"orders", *ADDED_TO, "hooked"}
"""The tables of right models, and that of a hook which failed when the table was made."""
SERVERS_OWN = {
    "bad_cast": "a server says which value of what type, in Spark's words",
    "bad_date": "a server says which value of what type, in Spark's words",
    "no_key": "a table with constraints is made in two commits",
    "odd_property": "a server tells of properties by itself",
    "two_layouts": "a server tells of properties by itself",
}
LONGEST = 12
"""Lines, beside dbt's own about where it was and what it called."""
OF_DBT = re.compile(r"\n+  (?:> (?:in|called by) |compiled code at |/\* {\"app\": \"dbt\").*")
OF_OTHERS = re.compile(r" or test\d+_\w+")
"""Schemas of nearly the same name, which tests before these have left."""


def embedded(name: str) -> Any:
    why = SERVERS_OWN.get(name)
    return name if why is None else pytest.param(name, marks=pytest.mark.embedded(why))


class TestMistakes:
    @pytest.fixture(scope="class")
    def models(self, unique_schema: str) -> dict[str, str]:
        return {name: text.replace("{schema}", unique_schema) for name, text in MODELS.items()}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"strategies.sql": OWN_STRATEGY}

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Run:
        """The second one: the tables of `DATA` are there."""
        dbt(project, "run", "--select", *ADDED_TO)
        run = dbt(project, "run")
        if os.environ.get("ERRORS") == "new":
            texts = {name: told(run, name, project) for name in WRONG}
            TEXTS.write_text(
                yaml.safe_dump(texts, width=1000, default_style="|", allow_unicode=True)
            )
        return run

    @pytest.mark.parametrize("name", [embedded(name) for name in WRONG])
    def test_the_mistake_is_told_in_these_words(
        self, project: TestProjInfo, run: Run, name: str
    ) -> None:
        text = told(run, name, project)
        assert text == EXPECTED[name]
        assert len(text.splitlines()) <= LONGEST

    @pytest.mark.parametrize("table", [embedded(name) for name in ADDED_TO])
    def test_the_table_is_as_it_was(self, project: TestProjInfo, run: Run, table: str) -> None:
        versions = rows(project, f"describe history {{schema}}.{table}")
        assert [row[0] for row in versions] == [0]

    def test_no_other_table_or_view_is_left(self, project: TestProjInfo, run: Run) -> None:
        assert {row[1] for row in rows(project, "show tables in {schema}")} == THERE


def told(run: Run, name: str, project: TestProjInfo) -> str:
    assert run.status(name) == "error", name
    message = OF_DBT.sub("", run.message(name)).replace(project.test_schema, "{schema}")
    lines = OF_OTHERS.sub("", message).strip().splitlines()
    return "\n".join(line.rstrip() for line in lines)
