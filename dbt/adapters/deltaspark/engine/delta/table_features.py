"""Tables that the engine changes by its own routes: this Delta's, with features that are known."""

from __future__ import annotations

import importlib.metadata
import json
from typing import TYPE_CHECKING

from ..errors import EngineError
from .jvm import column_names

if TYPE_CHECKING:
    from .jvm import JavaObject

TESTED_DELTA = "4.4."

KNOWN_FEATURES = {
    "allowColumnDefaults",
    "appendOnly",
    "changeDataFeed",
    "checkConstraints",
    "checkpointProtection",
    "clustering",
    "columnMapping",
    "deletionVectors",
    "domainMetadata",
    "generatedColumns",
    "icebergCompatV1",
    "icebergCompatV2",
    "icebergCompatV3",
    "identityColumns",
    "inCommitTimestamp",
    "invariants",
    "materializePartitionColumns",
    "rowTracking",
    "timestampNtz",
    "typeWidening",
    "typeWidening-preview",
    "v2Checkpoint",
    "vacuumProtocolCheck",
    "variantShredding",
    "variantShredding-preview",
    "variantType",
    "variantType-preview",
}
"""Table features that the engine's routes were tested with."""

HIDDEN = "_metadata"
"""Spark's own column of a scan, with the file and the place in it that a row comes from."""


def why_native(table: JavaObject) -> str | None:
    """Why the engine cannot change the table by its own routes, or None.

    `table` is a snapshot, or what else has a `protocol` and `metadata`.
    """
    version = importlib.metadata.version("delta-spark")
    if not version.startswith(TESTED_DELTA):
        return f"delta-spark {version} was not tested, {TESTED_DELTA}x was"
    listed = json.loads(table.protocol().json())["protocol"]
    names = {*listed.get("readerFeatures", ()), *listed.get("writerFeatures", ())}
    unknown = ", ".join(sorted(names - KNOWN_FEATURES))
    if unknown:
        return f"the table has features not known here: {unknown}"
    if HIDDEN in map(str.lower, column_names(table.metadata().schema())):
        return f"a column of the table hides {HIDDEN}, by which rows are told apart"
    return None


def refuse_native(table: JavaObject, name: str) -> None:
    """Raises EngineError where another writer has made the table such a one meanwhile."""
    reason = why_native(table)
    if reason is not None:
        raise EngineError(
            f"another writer changed {name} meanwhile: {reason}; nothing was written. Run it again,"
            " by Delta's own command then."
        )
