"""The same merges through Delta's own MERGE: the fallback, and the oracle of the tests."""

from __future__ import annotations

import importlib.metadata
import json
from typing import TYPE_CHECKING

from .jvm import JavaObject, Jvm, optional
from .log import Commit
from .metrics import OperationMetrics

if TYPE_CHECKING:
    from .resolve import MergeRequest, ResolvedMerge

TESTED_DELTA = "4.4."

KNOWN_FEATURES = {
    "allowColumnDefaults",
    "appendOnly",
    "checkConstraints",
    "clustering",
    "columnMapping",
    "deletionVectors",
    "domainMetadata",
    "generatedColumns",
    "identityColumns",
    "inCommitTimestamp",
    "invariants",
    "timestampNtz",
    "v2Checkpoint",
    "vacuumProtocolCheck",
}
"""Table features that the engine's routes were tested with; changeDataFeed only while it is off."""


def why_native(resolved: ResolvedMerge) -> str | None:
    """Why the engine cannot take the merge by its own routes, or None."""
    version = importlib.metadata.version("delta-spark")
    if not version.startswith(TESTED_DELTA):
        return f"delta-spark {version} was not tested, {TESTED_DELTA}x was"
    index = resolved.command.targetFileIndex()
    metadata, protocol = index.metadata(), index.protocol()
    if optional(metadata.configuration().get("delta.enableChangeDataFeed")) == "true":
        return "the table has the change data feed on"
    if optional(metadata.configuration().get("delta.enableRowTracking")) == "true":
        return "the table has row tracking on"
    listed = json.loads(protocol.json())["protocol"]
    names = {*listed.get("readerFeatures", ()), *listed.get("writerFeatures", ())}
    unknown = sorted(names - KNOWN_FEATURES - {"changeDataFeed", "rowTracking"})
    return f"the table has features not known here: {', '.join(unknown)}" if unknown else None


def run(request: MergeRequest, jvm: Jvm, log: JavaObject) -> Commit:
    """Let Delta run the merge; the metrics are those of the commit it made."""
    before = log.update(False, jvm.none, jvm.none).version()
    jvm.frame(request.plan(jvm))
    snapshot = log.update(False, jvm.none, jvm.none)
    if snapshot.version() == before:
        return Commit(None, OperationMetrics())
    newest = log.history().getHistory(jvm.some(1), jvm.none).head()
    metrics = optional(newest.operationMetrics())
    pairs = [] if metrics is None else jvm.items(metrics.toSeq())
    values = {pair._1(): int(pair._2()) for pair in pairs}
    return Commit(snapshot.version(), OperationMetrics.of(values))
