"""What a block asks of the commits inside of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .jvm import JavaObject

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
