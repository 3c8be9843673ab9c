"""Where a table is, as the catalog says it, and where a model puts it."""

from __future__ import annotations

import re
from posixpath import isabs, normpath

LOCATION = re.compile(r"(?:([^:/]+):)?(?://([^/]*))?(.*)", re.DOTALL)
"""Scheme, host and path, as Hadoop reads them: `#`, `?` and `%` are characters of the path."""
SAME_STORE = {"s3a": "s3", "s3n": "s3", "abfss": "abfs", "wasbs": "wasb"}


def lies_in(found: str, location: str) -> bool:
    """Whether the place that the catalog says is the one that a model says.

    A relative one is in the warehouse, wherever that is. Spark adds the scheme and the host of its
    default file system where they are left out, and the catalog has them.
    """
    (known_scheme, known_host, known), (scheme, host, given) = _parts(found), _parts(location)
    here, there = normpath(known), normpath(given)
    if not (scheme or isabs(there)):
        return here.endswith(f"/{there}")
    is_of_store = scheme == "" or _store(scheme) == _store(known_scheme)
    return is_of_store and here == there and host in ("", known_host)


def _parts(location: str) -> tuple[str, str, str]:
    found = LOCATION.fullmatch(location)
    scheme, host, path = found.groups("") if found else ("", "", location)
    return scheme, host, path


def _store(scheme: str) -> str:
    """One store has several schemes, for its clients and for how they connect."""
    return SAME_STORE.get(scheme, scheme)
