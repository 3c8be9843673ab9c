"""What is said of a commit whose JVM is gone."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from py4j.protocol import Py4JError, Py4JNetworkError

from dbt.adapters.deltaspark.engine import (
    DriverLostError,
    UnknownOutcomeError,
    commit_outcome,
    lost_driver,
)

GONE = Py4JNetworkError("Answer from Java side is empty")


@pytest.fixture(autouse=True)
def jvm_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lost_driver, "_answers", lambda: False)
    lost_driver.no_commit_yet()


def transaction(folder: str, error: Exception | None) -> Mock:
    java = Mock()
    java.deltaLog().dataPath().toString.return_value = folder
    java.commitIfNeeded.side_effect = error
    return java


def test_before_a_commit_nothing_was_committed() -> None:
    assert isinstance(lost_driver.lost_driver(GONE), DriverLostError)


def test_from_a_commit_on_the_outcome_is_unknown() -> None:
    commit_outcome.committed(Mock(), transaction("/t", None))
    found = lost_driver.lost_driver(GONE)
    assert isinstance(found, UnknownOutcomeError)
    assert found.path == "/t"


def test_after_a_commit_that_is_not_in_the_log_nothing_was_committed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commit_outcome, "_landed", lambda *_: None)
    with pytest.raises(Py4JError):
        commit_outcome.committed(Mock(), transaction("/t", Py4JError("a conflict")))
    assert isinstance(lost_driver.lost_driver(GONE), DriverLostError)


def test_a_jvm_that_answers_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lost_driver, "_answers", lambda: True)
    assert lost_driver.lost_driver(GONE) is None
