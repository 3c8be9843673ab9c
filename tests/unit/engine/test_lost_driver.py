"""What is said of a commit whose JVM is gone."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark import SparkContext

from dbt.adapters.deltaspark.engine import DriverLostError, UnknownOutcomeError
from dbt.adapters.deltaspark.engine.delta import commit_outcome, lost_driver
from dbt.adapters.deltaspark.engine.errors import add_note
from dbt.adapters.deltaspark.session.jvm_errors import message_of

GONE = Py4JNetworkError("Answer from Java side is empty")


@pytest.fixture(autouse=True)
def jvm_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    jvm = Mock()
    jvm.java.lang.System.nanoTime.side_effect = GONE
    monkeypatch.setattr(SparkContext, "_jvm", jvm)
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
    monkeypatch.setattr(SparkContext, "_jvm", Mock())
    assert lost_driver.lost_driver(GONE) is None


def test_a_process_without_a_jvm_has_lost_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkContext, "_jvm", None)
    assert lost_driver.lost_driver(FileNotFoundError("java")) is None


@pytest.mark.parametrize("error", [GONE, ConnectionRefusedError("[Errno 111] Connection refused")])
def test_the_message_of_a_statement_whose_jvm_is_gone(error: Exception) -> None:
    what, outcome, advice = message_of(error).splitlines()
    assert what == f"the JVM of Spark's driver is gone: {error}"
    assert outcome == "A statement that was at work in it may have been carried out, or not."
    assert "driver_memory" in advice


def test_the_message_of_a_jvm_that_is_gone_has_the_notes_of_what_stays() -> None:
    error = Py4JNetworkError("Answer from Java side is empty")
    add_note(error, "t has no rows: RESTORE TABLE t TO VERSION AS OF 1")
    assert message_of(error).endswith("\nt has no rows: RESTORE TABLE t TO VERSION AS OF 1")
