"""Names of schemas and tables: those that would lead out of their folder are refused."""

from __future__ import annotations

import re

REFUSED = re.compile(r"[/\\`.\x00-\x1f\x7f]")
"""What parts folders, goes up in them, ends a name in SQL, or parts names in SQL."""


def name_problems(what: str, name: str) -> list[str]:
    """Why the schema or the alias cannot be one: its folder is named as it is."""
    found = sorted(set(REFUSED.findall(name)))
    if name.strip() and not found:
        return []
    has = f"it has {', '.join(map(repr, found))}" if found else "it is empty"
    return [
        f"{what} {name!r} is refused, since {has}: a name becomes a folder and a part of"
        " `catalog`.`schema`.`table`, so it has no separator of paths, no dot, no backtick and no"
        f" control character; give it another {what}, with letters, digits and underscores"
    ]
