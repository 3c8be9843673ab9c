"""What hooks are told of the target, and Spark's words of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from dbt.events.types import JinjaLogWarning
from dbt.tests.util import run_dbt
from dbt_common.events.event_catcher import EventCatcher

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


class Deterministic:
    """Spark's word for it is DETERMINISTIC."""

    def check_function_volatility(self, sql: str) -> None:
        assert "\nDETERMINISTIC\n" in sql


class NotDeterministic:
    """Spark's words for it are NOT DETERMINISTIC."""

    def check_function_volatility(self, sql: str) -> None:
        assert "\nNOT DETERMINISTIC\n" in sql


class NoWordForStable:
    """Spark knows no volatility between the two: dbt's own warning, and none in the statement."""

    def check_function_volatility(self, sql: str) -> None:
        assert "DETERMINISTIC" not in sql
        assert "STABLE" not in sql

    def test_the_warning_is_dbts_own(self, project: TestProjInfo) -> None:
        warnings = EventCatcher(JinjaLogWarning)
        run_dbt(["build"], callbacks=[warnings.catch])
        assert [event.data.msg for event in warnings.caught_events] == [
            "Found `stable` volatility specified on function `price_for_xlarge`. This volatility"
            " is not supported by deltaspark, and will be ignored"
        ]


class DefaultArguments:
    """Spark's functions have default arguments."""

    expect_default_arg_support = True


class HooksOfModels:
    """The context's target is deltaspark's: no host, no user, no name of a database."""

    def check_hooks(self, state: str, project: TestProjInfo, host: object, count: int = 1) -> None:
        found = self.get_ctx_vars(state, count=count, project=project)  # type: ignore[attr-defined]
        for each in found:
            _check_hook(each, state, project)


class HooksOfRuns:
    """The context's target is deltaspark's: no host, no user, no name of a database."""

    replaced: ClassVar = {
        "( schema text )": "( schema string )",
        "db text, schema text": "db string, schema string",
    }

    def check_hooks(self, state: str, project: TestProjInfo, host: object) -> None:
        _check_hook(self.get_ctx_vars(state, project), state, project)  # type: ignore[attr-defined]


def _check_hook(found: dict[str, Any], state: str, project: TestProjInfo) -> None:
    known = {
        "test_state": state,
        "target_dbname": "",
        "target_host": "",
        "target_name": "default",
        "target_schema": project.test_schema,
        "target_threads": 4,
        "target_type": "deltaspark",
        "target_user": "",
        "target_pass": "",
    }
    assert {name: found[name] for name in known} == known
    assert all(found[name] for name in ("run_started_at", "invocation_id", "thread_id"))
