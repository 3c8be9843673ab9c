"""Methods that macros may call take what Jinja gives them while a project is parsed."""

from __future__ import annotations

import inspect
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dbt.context.providers import ParseDatabaseWrapper
from dbt_common.clients.jinja import get_environment

from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.impl import DeltaSparkAdapter

REQUIRED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
METHODS = sorted(DeltaSparkAdapter._available_ - {"behavior"})


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> DeltaSparkAdapter:
    """Without a connection: a project is parsed without Spark."""
    credentials = DeltaSparkCredentials(database="spark_catalog", schema="s")
    folder: Path = tmp_path_factory.mktemp("project")
    config: Any = SimpleNamespace(
        credentials=credentials,
        project_root=folder,
        quoting={},
        project_name="p",
        args=SimpleNamespace(),
        log_cache_events=False,
        flags={},
    )
    return DeltaSparkAdapter(config, get_context("spawn"))


def rendered(adapter: DeltaSparkAdapter, call: str) -> str:
    """What dbt makes of a call of Jinja, as it parses a model or a macro."""
    environment = get_environment(capture_macros=True)
    wrapper = ParseDatabaseWrapper(adapter, SimpleNamespace())  # type: ignore[arg-type]
    return str(environment.from_string(f"{{{{ {call} }}}}").render({"adapter": wrapper}))


def call_of(name: str, value: str) -> str:
    parameters = inspect.signature(getattr(DeltaSparkAdapter, name)).parameters.values()
    needed = [
        each
        for each in parameters
        if each.kind in REQUIRED and each.default is each.empty and each.name != "self"
    ]
    return f"adapter.{name}({', '.join(value for _ in needed)})"


@pytest.mark.parametrize("value", ["none", "nothing_of_this_name", "nothing.at_all[0]"])
@pytest.mark.parametrize("name", METHODS)
def test_each_takes_none_and_undefined(adapter: DeltaSparkAdapter, name: str, value: str) -> None:
    assert isinstance(rendered(adapter, call_of(name, value)), str)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("adapter.quote('a`b')", "`a``b`"),
        ("adapter.quote(none)", "`None`"),
        ("adapter.quote(nothing)", "``"),
        ("adapter.quote(3)", "`3`"),
        ("adapter.quote_seed_column('a', none)", "`a`"),
        ("adapter.quote_seed_column('a', false)", "a"),
        ("adapter.quote_as_configured('a', 'identifier')", "`a`"),
        ("adapter.resolve_file_format(none)", "delta"),
    ],
)
def test_what_needs_no_statement_is_answered_in_parsing_too(
    adapter: DeltaSparkAdapter, call: str, expected: str
) -> None:
    assert rendered(adapter, call) == expected
