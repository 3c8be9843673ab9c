"""What the engine, PySpark, py4j and Python's warnings say while dbt runs, as events of dbt.

The engine knows no dbt, and says what it has to by `logging`. A console would show it raw, since
a library of dbt has the root logger write there; neither dbt.log nor dbt's JSON would have it.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable
from typing import Any, TextIO
from weakref import WeakMethod, WeakSet, finalize

from dbt.adapters.events.logging import AdapterLogger

logger = AdapterLogger("deltaspark")
OURS, PYSPARK, PY4J = "dbt.adapters.deltaspark", "pyspark", "py4j"
Say = Callable[[str], None]
Masked = Callable[[str], str]


class LogBridge(logging.Handler):
    """One for the process, in use from the first connection of a dbt command to its end."""

    def __init__(self) -> None:
        super().__init__()
        self._users: WeakSet[Any] = WeakSet()
        self._masked: Callable[[], Masked | None] = lambda: None
        self._before: dict[str, tuple[int, bool]] = {}
        self._show_before: Any = None
        self._changing = threading.RLock()  # a collector may end a user while another begins

    def begin(self, user: object, masked: Masked) -> None:
        """`masked` takes out what is secret in the user's profile. Again and again is once."""
        with self._changing:
            if user not in self._users:
                self._users.add(user)
                finalize(user, self._end_without_users)
            self._masked = WeakMethod(masked)
            for name in (OURS, PYSPARK, PY4J):
                self._attach(logging.getLogger(name))
            if warnings.showwarning != self._show:
                self._show_before, warnings.showwarning = warnings.showwarning, self._show

    def end(self, user: object) -> None:
        """After the last user all is as it was: a notebook may have handlers of its own."""
        with self._changing:
            self._users.discard(user)
            self._end_without_users()

    def _end_without_users(self) -> None:
        with self._changing:
            if self._users:
                return
            for name, (level, propagates) in self._before.items():
                self._detach(logging.getLogger(name), level, propagates=propagates)
            self._before.clear()
            if warnings.showwarning == self._show:
                warnings.showwarning = self._show_before

    def _attach(self, source: logging.Logger) -> None:
        if self in source.handlers:
            return
        self._before[source.name] = source.level, source.propagate
        source.addHandler(self)
        source.propagate = False
        if source.name == OURS and source.level == logging.NOTSET:
            source.setLevel(logging.INFO)  # for dbt.log

    def _detach(self, source: logging.Logger, level: int, *, propagates: bool) -> None:
        source.removeHandler(self)
        source.propagate = propagates
        source.setLevel(level)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._say_of(record)(self._without_secrets(record.getMessage()))
        except Exception:
            self.handleError(record)

    def _without_secrets(self, text: str) -> str:
        masked = self._masked()
        return text if masked is None else masked(text)

    def _say_of(self, record: logging.LogRecord) -> Say:
        """py4j says of a lost JVM what the error says, too, which is raised."""
        if record.levelno < logging.WARNING or record.name.partition(".")[0] == PY4J:
            return logger.debug
        return logger.warning if record.levelno < logging.ERROR else logger.error

    def _show(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        """In place of `warnings.showwarning`, which writes to the console."""
        if file is not None:
            self._show_before(message, category, filename, lineno, file, line)
        else:
            told = f"{category.__name__}: {message} ({filename}:{lineno})"
            logger.warning(self._without_secrets(told))


BRIDGE = LogBridge()
