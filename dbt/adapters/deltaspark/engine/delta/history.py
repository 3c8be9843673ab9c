"""What a commit that Delta made by itself says of what it did, and which commit that is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..metrics import OperationMetrics
from .files import UNKNOWN_VERSION, Commit
from .jvm import DELTA, optional

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm

USER_METADATA = "spark.databricks.delta.commitInfo.userMetadata"


@dataclass(frozen=True, slots=True)
class Logged:
    """A commit of anyone's, as the log has it."""

    version: int
    operation: str
    user_metadata: str | None
    metrics: dict[str, int]
    applications: tuple[str, ...]
    """The idempotency keys that it carries (SetTransaction)."""


Sign: TypeAlias = Callable[[Logged], bool]
"""Whether a commit can be the one that is looked for."""


def newest_version(jvm: Jvm, log: JavaObject) -> int:
    version: int = log.update(False, jvm.none, jvm.none).version()
    return version


def our_commit(
    jvm: Jvm,
    log: JavaObject,
    before: int,
    is_ours: Sign,
    counted: OperationMetrics | None = None,
) -> Commit:
    """The one commit after the version `before` that can be ours, with its metrics.

    Delta tells no one the version of a commit, and other writers' may stand around it. No commit
    that can be ours is none made. Of several no one can say which: the version is UNKNOWN_VERSION
    then, and the metrics are what was `counted` elsewhere, or none.
    """
    newer = range(before + 1, newest_version(jvm, log) + 1)
    found = [each for each in (_logged(jvm, log, version) for version in newer) if is_ours(each)]
    if not found:
        return Commit(None, OperationMetrics())
    if len(found) > 1:
        return Commit(UNKNOWN_VERSION, counted or OperationMetrics())
    return Commit(found[0].version, OperationMetrics.of(found[0].metrics))


def written_by(
    jvm: Jvm, operations: tuple[str, ...], user_metadata: str | None, idempotency_key: str | None
) -> Sign:
    """The sign of a write: its kind, and the note and key that it carries."""
    of_session = optional(jvm.session.conf().getOption(USER_METADATA))
    note = of_session if user_metadata is None else user_metadata

    def is_ours(commit: Logged) -> bool:
        return (
            commit.operation in operations
            and commit.user_metadata == note
            and (idempotency_key is None or idempotency_key in commit.applications)
        )

    return is_ours


def _logged(jvm: Jvm, log: JavaObject, version: int) -> Logged:
    """One small file; DESCRIBE HISTORY starts a Spark job to read it."""
    file = jvm.type(f"{DELTA}.util.FileNames").unsafeDeltaFile(log.logPath(), version)
    lines = [*map(json.loads, jvm.items(log.store().read(file, log.newDeltaHadoopConf())))]
    info: dict[str, Any] = next((line["commitInfo"] for line in lines if "commitInfo" in line), {})
    metrics = info.get("operationMetrics") or {}
    return Logged(
        version,
        info.get("operation", ""),
        info.get("userMetadata"),
        {key: int(each) for key, each in metrics.items()},
        tuple(line["txn"]["appId"] for line in lines if "txn" in line),
    )
