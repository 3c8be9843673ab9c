"""What a block asks of the commits inside of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .log import Transaction

    Check = Callable[[Transaction], None]

_checks: ContextVar[tuple[Check, ...]] = ContextVar("checks of commits", default=())


@contextmanager
def before_each_commit(check: Check) -> Iterator[None]:
    """The check sees each transaction of the block before it commits; it raises to prevent that."""
    token = _checks.set((*_checks.get(), check))
    try:
        yield
    finally:
        _checks.reset(token)


def check_commit(transaction: Transaction) -> None:
    for check in _checks.get():
        check(transaction)
