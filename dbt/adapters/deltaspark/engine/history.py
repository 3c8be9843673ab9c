"""What a commit that Delta made by itself says of what it did."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .files import Commit
from .jvm import DELTA
from .metrics import OperationMetrics

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm


def newest_version(jvm: Jvm, log: JavaObject) -> int:
    version: int = log.update(False, jvm.none, jvm.none).version()
    return version


def newest_commit(jvm: Jvm, log: JavaObject, before: int | None) -> Commit:
    """The newest commit with its metrics, or none where it is not newer than `before`.

    Where another writer came in between, it is that writer's: Delta tells no one its version.
    """
    version = newest_version(jvm, log)
    if version == before:
        return Commit(None, OperationMetrics())
    metrics = _commit_info(jvm, log, version).get("operationMetrics") or {}
    return Commit(version, OperationMetrics.of({key: int(each) for key, each in metrics.items()}))


def _commit_info(jvm: Jvm, log: JavaObject, version: int) -> dict[str, Any]:
    """One small file; DESCRIBE HISTORY starts a Spark job to read it."""
    file = jvm.type(f"{DELTA}.util.FileNames").unsafeDeltaFile(log.logPath(), version)
    lines = map(json.loads, jvm.items(log.store().read(file, log.newDeltaHadoopConf())))
    return next((line["commitInfo"] for line in lines if "commitInfo" in line), {})
