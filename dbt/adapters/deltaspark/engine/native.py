"""The same merges through Delta's own MERGE: the fallback, and the oracle of the tests."""

from __future__ import annotations

import importlib.metadata
import json
import logging
from functools import cache
from typing import TYPE_CHECKING

from .history import newest_commit, newest_version

if TYPE_CHECKING:
    from .files import Commit
    from .jvm import JavaObject, Jvm
    from .resolve import MergeRequest, ResolvedMerge

logger = logging.getLogger(__name__)

ASKED_FOR = "asked for"
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


def why_native(resolved: ResolvedMerge) -> str | None:
    """Why the engine cannot take the merge by its own routes, or None."""
    version = importlib.metadata.version("delta-spark")
    if not version.startswith(TESTED_DELTA):
        return f"delta-spark {version} was not tested, {TESTED_DELTA}x was"
    listed = json.loads(resolved.command.targetFileIndex().protocol().json())["protocol"]
    names = {*listed.get("readerFeatures", ()), *listed.get("writerFeatures", ())}
    unknown = ", ".join(sorted(names - KNOWN_FEATURES))
    return f"the table has features not known here: {unknown}" if unknown else None


@cache
def warn_once(table: str, reason: str) -> None:
    """Once in a process for each table and reason."""
    level = logging.INFO if reason == ASKED_FOR else logging.WARNING
    logger.log(level, "MERGE INTO %s goes through Delta's own MERGE: %s", table, reason)


def run(request: MergeRequest, jvm: Jvm, log: JavaObject) -> Commit:
    """Let Delta run the merge; the metrics are those of the commit it made."""
    before = newest_version(jvm, log)
    jvm.frame(request.plan(jvm))
    return newest_commit(jvm, log, before)
