"""Versions of the protocol that a definition asks for, and what Delta keeps of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..spec import Pairs
    from .state import TableState

VERSIONS = {
    "delta.minreaderversion": "minReaderVersion",
    "delta.minwriterversion": "minWriterVersion",
}
"""Properties, in lower case, that are kept as versions in the table's protocol."""
NAMES_FEATURES = (3, 7)
"""The last versions of readers and of writers, with which features are named one by one."""
IMPLIED = {
    "appendonly": (1, 2),
    "invariants": (1, 2),
    "checkconstraints": (1, 3),
    "changedatafeed": (1, 4),
    "generatedcolumns": (1, 4),
    "columnmapping": (2, 5),
    "identitycolumns": (1, 6),
}
"""The versions of readers and of writers from which on earlier writer's versions have a feature."""


def asked_versions(properties: Pairs) -> dict[str, str]:
    """The properties that are versions, as they are spelt."""
    return {key: value for key, value in properties if key.lower() in VERSIONS}


def has_versions(now: TableState, asked: Mapping[str, str]) -> bool:
    """Whether the table has what is asked for, so far as Delta keeps it.

    It keeps the weakest versions that have the features which both together imply
    (Protocol.normalized); later ones are enough in any case.
    """
    if not all(value.isdecimal() for value in asked.values()):
        return False
    said = {VERSIONS[key.lower()]: int(value) for key, value in asked.items()}
    there = {version: int(now.protocol[version]) for version in VERSIONS.values()}
    if all(value <= there[version] for version, value in said.items()):
        return True
    least = {} if there["minWriterVersion"] == NAMES_FEATURES[1] else there
    reader, writer = (
        max(said.get(version, there[version]), least.get(version, 0)) for version in there
    )
    return _implies_nothing_new(reader, writer, now.features)


def _implies_nothing_new(reader: int, writer: int, features: frozenset[str]) -> bool:
    """False, too, of versions that there are not, or not together: Delta says so."""
    if writer >= NAMES_FEATURES[1]:
        return writer == NAMES_FEATURES[1] and reader <= NAMES_FEATURES[0]
    return reader < NAMES_FEATURES[0] and all(
        feature in features
        for feature, (of_readers, of_writers) in IMPLIED.items()
        if of_readers <= reader and of_writers <= writer
    )
