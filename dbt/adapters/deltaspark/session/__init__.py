"""The process's Spark: its JVM, its environment, a session a connection, and what it says."""

from .confs import CATALOG_URL, DELTA_CATALOG, SessionSettings, unprotected
from .confs import EMBEDDED as EMBEDDED_URL
from .cursor import Bindings, Cursor, SessionConnection, uninterrupted
from .environment import EnvironmentProblem, is_local
from .errors import SessionError
from .fetched import to_plain
from .information_schema import served
from .jvm_errors import READ_ERRORS, is_jvm_error, message_of
from .missing_names import with_near_names
from .project_folder import URI, as_jar, located, passing_folder, warning_of_temporary
from .run_start import RunStart
from .secrets import cause, masked, shown
from .spark import (
    OF_THE_START,
    idle_keys,
    kept_confs,
    open_session,
    runs_here_by_others,
    unapplied_confs,
)
from .statements import statements_of, texts_of
from .type_texts import type_of

__all__ = [
    "CATALOG_URL",
    "DELTA_CATALOG",
    "EMBEDDED_URL",
    "OF_THE_START",
    "READ_ERRORS",
    "URI",
    "Bindings",
    "Cursor",
    "EnvironmentProblem",
    "RunStart",
    "SessionConnection",
    "SessionError",
    "SessionSettings",
    "as_jar",
    "cause",
    "idle_keys",
    "is_jvm_error",
    "is_local",
    "kept_confs",
    "located",
    "masked",
    "message_of",
    "open_session",
    "passing_folder",
    "runs_here_by_others",
    "served",
    "shown",
    "statements_of",
    "texts_of",
    "to_plain",
    "type_of",
    "unapplied_confs",
    "uninterrupted",
    "unprotected",
    "warning_of_temporary",
    "with_near_names",
]
