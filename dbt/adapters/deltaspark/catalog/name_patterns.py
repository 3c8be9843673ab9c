"""Names by SQL's patterns, as packages ask an information_schema for them."""

from __future__ import annotations

import re
from collections.abc import Iterable

PARTS = re.compile(r"\\(.)|(.)", re.DOTALL)
WILDCARDS = {"%": ".*", "_": "."}


def names_like(names: Iterable[str], pattern: str) -> list[str]:
    """The names that ILIKE takes for the pattern: % is any text, _ any character, \\ takes both
    as they are."""
    wanted = "".join(
        re.escape(escaped) if escaped else WILDCARDS.get(plain, re.escape(plain))
        for escaped, plain in PARTS.findall(pattern)
    )
    return [name for name in names if re.fullmatch(wanted, name, re.IGNORECASE | re.DOTALL)]
