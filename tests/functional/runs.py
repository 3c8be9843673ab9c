"""dbt runs in this process, with what they ran, warned of and answered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt.cli.main import dbtRunner

if TYPE_CHECKING:
    from collections.abc import Callable

    from dbt.cli.main import dbtRunnerResult
    from dbt.tests.fixtures.project import TestProjInfo
    from dbt_common.events.base_types import EventMsg

BY_MACROS = ("PrintEvent", "JinjaLogInfo")


@dataclass(frozen=True, slots=True)
class Run:
    """One finished dbt command."""

    results: dict[str, Any]
    statements: tuple[tuple[str, str], ...]
    """Node names with each SQL text that was sent to Spark on their behalf."""
    warnings: tuple[str, ...]
    notices: tuple[str, ...] = ()
    """What the adapter says that is no warning."""
    printed: tuple[str, ...] = ()
    """What macros print, or log for the user."""

    def status(self, model: str) -> str:
        return str(self.results[model].status)

    def message(self, model: str) -> str:
        return str(self.results[model].message)

    def response(self, model: str) -> dict[str, Any]:
        response: dict[str, Any] = self.results[model].adapter_response
        return response

    def statements_of(self, model: str) -> list[str]:
        return [sql for name, sql in self.statements if name == model]


def dbt(project: TestProjInfo, *arguments: str) -> Run:
    """Runs the command; models may fail, the command itself may not."""
    statements: list[tuple[str, str]] = []
    warnings: list[str] = []
    notices: list[str] = []
    printed: list[str] = []

    def note(event: EventMsg) -> None:
        if event.info.name == "SQLQuery":
            statements.append((event.data.node_info.node_name, event.data.sql))
        elif event.info.name in BY_MACROS:
            printed.append(event.info.msg)
        elif event.info.level == "warn":
            warnings.append(event.info.msg)
        elif event.info.name == "AdapterEventInfo":
            notices.append(event.info.msg)

    outcome = _outcome(project, note, *arguments)
    assert outcome.exception is None, outcome.exception
    results = {result.node.name: result for result in outcome.result}
    return Run(results, tuple(statements), tuple(warnings), tuple(notices), tuple(printed))


def operation(project: TestProjInfo, macro: str, **arguments: Any) -> list[str]:
    """What `dbt run-operation` prints; raises where it fails."""
    printed: list[str] = []

    def note(event: EventMsg) -> None:
        if event.info.name in BY_MACROS:
            printed.append(event.info.msg)

    outcome = _outcome(project, note, "run-operation", macro, "--args", json.dumps(arguments))
    assert outcome.success, f"{macro} failed, as dbt says above"
    return printed


def generated_docs(project: TestProjInfo) -> tuple[dict[str, Any], list[str]]:
    """Nodes of catalog.json by name, and the warnings; raises where the command fails."""
    warnings: list[str] = []

    def note(event: EventMsg) -> None:
        if event.info.level == "warn":
            warnings.append(event.info.msg)

    outcome = _outcome(project, note, "docs", "generate")
    assert outcome.success, outcome.exception
    nodes = outcome.result.nodes.items()
    return {key.rpartition(".")[2]: node for key, node in nodes}, warnings


def _outcome(
    project: TestProjInfo, note: Callable[[EventMsg], None], *command: str
) -> dbtRunnerResult:
    """What dbt answers, in this process and in the test's folders; `note` hears its events."""
    folders = ("--project-dir", project.project_root, "--profiles-dir", project.profiles_dir)
    return dbtRunner(callbacks=[note]).invoke([*command, *map(str, folders)])


def rows(project: TestProjInfo, query: str) -> list[tuple[Any, ...]]:
    """The query's rows; `{schema}` is the test's own."""
    found = project.run_sql(query.format(schema=project.test_schema), fetch="all")
    return [tuple(row) for row in found]


def incremental(config: str, first: str, second: str, *, later: str = "is_incremental()") -> str:
    """A model that is `first`, and where `later` holds, on its next runs, `second`."""
    return (
        "{{ config(materialized='incremental'" + (f", {config}" if config else "") + ") }}\n"
        "{% if " + later + " %} " + second + " {% else %} " + first + " {% endif %}"
    )
