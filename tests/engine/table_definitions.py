"""What a table is beside its rows, as its log says it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from commits import actions_of

if TYPE_CHECKING:
    from pathlib import Path

    from commits import Action
    from outcomes import Outcome

DRAWN = ("delta.columnMapping.physicalName", "delta.rowTracking.materializedRow")
"""Keys, by how they begin, of names that are drawn at random when they are given."""
BY_ROWS = {"delta.identity.highWaterMark", "domain delta.rowTracking"}
"""What counts rows, which two engines may write in another order, or in other files."""

CLUSTERING = "domain delta.clustering"


def definition_of(path: Path, version: int) -> dict[str, Any]:
    """The columns with all that is said of them, the properties with the constraints, the rest."""
    metadata: Action = {}
    found: dict[str, Any] = {}
    for number in range(version + 1):
        for action in actions_of(path, number):
            metadata = action.get("metaData", metadata)
            for name, said in action.get("protocol", {}).items():
                found[f"protocol {name}"] = sorted(said) if isinstance(said, list) else said
            if (domain := action.get("domainMetadata")) is not None:
                said = None if domain["removed"] else json.loads(domain["configuration"])
                found[f"domain {domain['domain']}"] = said
    rest = {key: metadata.get(key) for key in ("id", "name", "description", "partitionColumns")}
    columns = json.loads(metadata["schemaString"])["fields"]
    return found | rest | metadata["configuration"] | {"columns": columns}


def definitions_differ(ours: Outcome, native: Outcome) -> Iterator[str]:
    """Each part that the change left otherwise than Delta's own command.

    Names that were drawn before it must stay. Those that the change draws are any, and so are those
    that an earlier one of a row of changes has drawn, for each of the two its own.
    """
    before, theirs_before = (
        definition_of(outcome.path, outcome.version_before) for outcome in (ours, native)
    )
    known = _drawn(before) & _drawn(theirs_before)
    mine, theirs = (
        _without_chance(definition_of(outcome.path, outcome.version), known)
        for outcome in (ours, native)
    )
    for name in sorted(mine.keys() | theirs.keys()):
        stays = name == CLUSTERING and mine.get(name) == before.get(name)
        if stays and (_is_written(native) or _stays_clustered(native)):
            continue
        if mine.get(name) != theirs.get(name):
            yield f"{name}: ours {mine.get(name)}\n  Delta's {theirs.get(name)}"


def _is_written(native: Outcome) -> bool:
    """By `save`, which ends the clustering of what it overwrites; INSERT OVERWRITE keeps it."""
    return native.committed and native.commit.info["operation"] == "WRITE"


def _stays_clustered(native: Outcome) -> bool:
    """As it was before, which of several changes in a row an earlier one may have ended."""
    before, after = (
        definition_of(native.path, version).get(CLUSTERING)
        for version in (native.version_before, native.version)
    )
    return before == after


def _pairs(part: Any) -> Iterator[tuple[str, Any]]:
    """Each key and its value, on whichever level."""
    for each in part.values() if isinstance(part, dict) else part:
        if isinstance(each, dict | list):
            yield from _pairs(each)
    if isinstance(part, dict):
        yield from part.items()


def _drawn(definition: dict[str, Any]) -> set[Any]:
    return {value for key, value in _pairs(definition) if key.startswith(DRAWN)}


def _without_chance(part: Any, known: set[Any]) -> Any:
    match part:
        case dict():
            return {
                key: _without_chance(value, known)
                for key, value in part.items()
                if key not in BY_ROWS and not (key.startswith(DRAWN) and value not in known)
            }
        case list():
            return [_without_chance(each, known) for each in part]
    return part
