"""Hooks of models, seeds, snapshots and functions, whose errors else look like the node's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import shorten

from dbt_common.exceptions import DbtRuntimeError

BEFORE = "pre_hook failed, before the node itself"
AFTER = "post_hook failed, after the node itself was done"
WIDTH = 120
"""Letters of a hook in an error."""


@contextmanager
def named(sql: str, *, is_post: bool) -> Iterator[None]:
    """An error says which hook it is of, and whether the node's own work was done before it."""
    try:
        yield
    except DbtRuntimeError as error:
        which = AFTER if is_post else BEFORE
        error.msg = f"{error.msg}\nThis {which}: {shorten(sql, WIDTH, placeholder=' …')}"
        raise
