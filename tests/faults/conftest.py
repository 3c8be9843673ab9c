"""Small tables, which are read as large ones, on the routes that faults may come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from limits import OF_LARGE_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def of_large_tables() -> Iterator[None]:
    with OF_LARGE_TABLES.in_force():
        yield
