"""What must hold right before a commit: of the table, and what a block asks of those inside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from .jvm import JavaObject, Jvm
from .repeated_hours import TIME_ZONE, refuse_repeated_hours_of, repeats_hours
from .target import schema_changed

Check = Callable[[JavaObject], None]

_checks: ContextVar[tuple[Check, ...]] = ContextVar("checks", default=())


@contextmanager
def before_each_commit(check: Check) -> Iterator[None]:
    """The check gets each OptimisticTransaction that commits in the block; it may raise."""
    token = _checks.set((*_checks.get(), check))
    try:
        yield
    finally:
        _checks.reset(token)


def check_commit(transaction: JavaObject) -> None:
    for check in _checks.get():
        check(transaction)


def refuse_another_table(jvm: Jvm, transaction: JavaObject) -> None:
    """Raises what is tried again where the table was dropped meanwhile, or made again in its place.

    Delta would put the commit under its number into the other table's log, with a gap before it,
    or where a folder is that has no table any more. Of a log that cannot be read the commit tells.
    """
    read = transaction.snapshot()
    if read.version() < 0:
        return
    try:
        now = transaction.deltaLog().update(False, jvm.none, transaction.catalogTable()).metadata()
    except (Py4JError, PySparkException):
        return
    if now.id() != read.metadata().id():
        raise schema_changed(jvm, read.metadata().schema(), now.schema())


def check_native_commit(jvm: Jvm, log: JavaObject, catalog_table: JavaObject) -> None:
    """Before a command of Delta's own, whose transaction nobody sees.

    Raises RepeatedHourError where two of the table's partitions are one by the session's clock.
    """
    if repeats_hours(jvm.conf(TIME_ZONE)):
        now = log.update(False, jvm.none, catalog_table)
        refuse_repeated_hours_of(jvm, now.metadata())
    if _checks.get():
        check_commit(log.startTransaction(catalog_table, jvm.none))
