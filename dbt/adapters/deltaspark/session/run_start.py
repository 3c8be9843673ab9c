"""What on-run-start sets holds for its run, whose later sessions are copies of that one."""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from pyspark.sql.utils import is_remote

from ..engine.delta import cloned
from ..sql_lexemes import BLANK
from .errors import SessionError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pyspark.sql import SparkSession

    from .cursor import SessionConnection

ITS_HOOKS = re.compile(r"-on-run-start-\d+$")
"""How dbt-core names the nodes of on-run-start, after their project."""
OF_A_VARIABLE = re.compile(rf"{BLANK}*(?:declare|set\s+var(?:iable)?)\b", re.IGNORECASE)
SIGN_OF_LIFE = 300.0
"""Seconds between two: a server drops a session that nobody has asked anything for an hour."""


class RunStart:
    """The session of on-run-start, which stays until the run ends; none where it runs nothing."""

    def __init__(self) -> None:
        self._ran: SessionConnection | None = None
        self._has_ended = threading.Event()

    def note(self, connection: SessionConnection, node: Mapping[str, Any], sql: str) -> None:
        """Before each statement. Raises SessionError where what it sets cannot be handed on."""
        if ITS_HOOKS.search(str(node.get("node_name", ""))) is None:
            return
        if is_remote() and OF_A_VARIABLE.match(sql):
            raise SessionError(
                "on-run-start: a variable holds for no model over Spark Connect, whose server"
                " copies none from session to session.\nWays out: declare it in the sql_header or"
                " pre_hook of each model that reads it; or let on-run-start make a temporary view"
                " of the value, which holds for the run."
            )
        connection.is_kept = True
        if is_remote() and self._ran is not connection:
            self._stay_alive(connection.session)
        self._ran = connection

    def connection(self) -> SessionConnection | None:
        """A session with all that on-run-start has left in its own, and no way back to it."""
        ran = self._ran  # after Ctrl-C a thread may be here while the run ends
        return None if ran is None else ran.copied(cloned(ran.session))

    def end(self) -> None:
        """Of the run: the next one begins without."""
        self._has_ended.set()
        self._has_ended = threading.Event()
        if self._ran is not None:
            self._ran.is_kept = False
            self._ran.close()
        self._ran = None

    def _stay_alive(self, session: SparkSession) -> None:
        """While nodes are at work, which may take hours: later ones are to be copied from it."""
        given = (session, self._has_ended, SIGN_OF_LIFE)
        threading.Thread(target=_ask, args=given, daemon=True, name="on-run-start").start()


def _ask(session: SparkSession, has_ended: threading.Event, seconds: float) -> None:
    """Again and again. Of a server that is gone the next node tells."""
    while not has_ended.wait(seconds):
        with suppress(Exception):
            session.conf.get("spark.sql.session.timeZone")
