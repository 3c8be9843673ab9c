"""Small tables are read as large ones: by the users' limits few rows do go through Python."""

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
