"""Partitions by a CHAR column: read with blanks at the end of their value, kept without.

Spark compares them as they are read, and Delta its files' partitions as they are kept: a condition
on such a column finds no file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..spec import CHAR_OR_VARCHAR

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm


def on_padded_partitions(
    jvm: Jvm, metadata: JavaObject, predicates: Sequence[JavaObject]
) -> list[JavaObject]:
    """Those of the predicates that read one: by them no files can be chosen."""
    partitions = jvm.items(metadata.partitionColumns()) if predicates else []
    padded = {name.lower() for name in partitions if _is_char(metadata.schema().apply(name))}
    if not padded:
        return []
    return [each for each in predicates if not padded.isdisjoint(jvm.names_read([each]))]


def _is_char(field: JavaObject) -> bool:
    metadata = field.metadata()
    kept = metadata.contains(CHAR_OR_VARCHAR) and metadata.getString(CHAR_OR_VARCHAR)
    return bool(kept) and kept.startswith("char")
