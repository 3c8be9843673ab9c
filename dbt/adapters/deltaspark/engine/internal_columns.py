"""Internal columns, under names that no table at hand has."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Names:
    """Internal columns, named so that no table at hand has them."""

    source_row: str
    matched_row: str
    file: str
    row: str
    clause: str
    change: str
    before: str
    after: str

    @classmethod
    def fresh(cls, columns: Iterable[str]) -> Names:
        """Names that none of these columns has."""
        taken = {column.lower() for column in columns}
        suffixes = (f"_{number}__" for number in count())
        suffix = next(s for s in suffixes if not any(name.endswith(s) for name in taken))
        names = (field.name for field in fields(cls))
        return cls(*(f"__{name}{suffix}" for name in names))
