"""What a table is clustered by: columns by plain names, fields of structs as SQL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..spec import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .state import Names

PART = re.compile(r"`((?:[^`]|``)+)`|([^.]+)")
BETWEEN = "`.`"
"""What stands in a field's name alone, whose parts are all in backticks."""


def clustering_names(texts: Iterable[str]) -> Names:
    """The names, of Delta's texts, which have backticks only where a name needs them."""
    named = [_parts(text) for text in texts]
    return tuple(parts[0] if len(parts) == 1 else ".".join(map(quoted, parts)) for parts in named)


def clustering_text(name: str) -> str:
    """The column or field as SQL."""
    return name if BETWEEN in name else quoted(name)


def clustering_column(name: str) -> str:
    """The column that it is, or that has the field."""
    return first_part(name) if BETWEEN in name else name


def first_part(text: str) -> str:
    """The column of a name as SQL."""
    return _parts(text)[0]


def _parts(text: str) -> list[str]:
    return [within.replace("``", "`") or plain for within, plain in PART.findall(text)]
