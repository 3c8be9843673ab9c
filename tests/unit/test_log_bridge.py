"""What the process's loggers are after a dbt command that ran in it."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from dbt.adapters.deltaspark.log_bridge import PYSPARK, LogBridge


class User:
    def masked(self, text: str) -> str:
        return text


@pytest.fixture
def quiet() -> Iterator[logging.Logger]:
    """As a notebook may have it, whose own handler is the only one to write."""
    found = logging.getLogger(PYSPARK)
    before = found.propagate
    found.propagate = False
    yield found
    found.propagate = before


def test_a_logger_that_kept_its_words_to_itself_does_so_again(quiet: logging.Logger) -> None:
    bridge, user = LogBridge(), User()
    bridge.begin(user, user.masked)
    assert bridge in quiet.handlers
    bridge.end(user)
    assert (bridge in quiet.handlers, quiet.propagate) == (False, False)
