"""Whether a commit that ended in an error is in the table's log all the same."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException

from ..errors import DamagedFileError, UnknownOutcomeError
from .conflicts import another_came_first
from .faults import storage_fault
from .jvm import DELTA, JavaObject, Jvm, causes_of, java_error, optional
from .lost_driver import commit_begins, no_commit_yet

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LogFile:
    """A commit in the log, as text: it may not be what a commit should be."""

    version: int
    path: str
    text: str

    @property
    def is_json(self) -> bool:
        try:
            return all(isinstance(json.loads(line), dict) for line in self.text.splitlines())
        except ValueError:
            return False


def committed(jvm: Jvm, java: JavaObject, *commit: JavaObject) -> int | None:
    """The version of Delta's `commitIfNeeded`, also where only what Delta does after it failed.

    Raises UnknownOutcomeError where the error leaves open whether the commit is in the log, or
    comes into it yet.
    """
    folder: str = java.deltaLog().dataPath().toString()
    commit_begins(folder)
    try:
        return optional(java.commitIfNeeded(*commit))  # type: ignore[no-any-return]
    except (Py4JError, PySparkException, OSError) as error:
        version = _landed(jvm, java, folder, error)
        if version is None:
            no_commit_yet()
            raise
        logger.warning("version %d is committed; what follows a commit failed: %s", version, error)
        return version


def _landed(jvm: Jvm, java: JavaObject, folder: str, error: BaseException) -> int | None:
    """The version that carries this transaction's id, if there is one.

    Also after a conflict: a log that lost its answer and tries again meets its own commit.
    """
    try:
        newer = [*_newer_commits(jvm, java)]
        is_conflict = another_came_first(jvm, error)
    except (Py4JError, PySparkException, OSError) as unreadable:
        raise UnknownOutcomeError(folder, _first_line(unreadable)) from error
    for each in newer:
        if java.txnId() in each.text:
            return each.version
    if is_conflict:
        return None
    for each in newer:
        if not each.is_json:
            raise DamagedFileError(each.path, "it is no commit: its lines are not JSON") from error
    if _leaves_it_open(jvm, error):
        raise UnknownOutcomeError(folder, _first_line(error)) from error
    return None


def _newer_commits(jvm: Jvm, java: JavaObject) -> Iterator[LogFile]:
    log = java.deltaLog()
    names, conf = jvm.module(f"{DELTA}.util.FileNames"), log.newDeltaHadoopConf()
    first = names.unsafeDeltaFile(log.logPath(), java.readVersion() + 1)
    listed = log.store().listFrom(first, conf)
    while listed.hasNext():
        path = listed.next().getPath()
        if names.isDeltaFile(path):
            lines = jvm.items(log.store().read(path, conf))
            yield LogFile(names.deltaVersion(path), path.toString(), "\n".join(lines))


def _leaves_it_open(jvm: Jvm, error: BaseException) -> bool:
    """An I/O error that is not a plain refusal: a request that timed out may have been carried out.

    A process that lost its JVM knows no more.
    """
    if storage_fault(error) is not None:
        return False
    causes = [*causes_of(error)]
    if not causes:
        return not isinstance(error, (Py4JJavaError, PySparkException))
    return any(jvm.is_a(each, "java.io.IOException") for each in causes)


def _first_line(error: BaseException) -> str:
    found = java_error(error)
    said = str(error) if found is None else str(found.toString())
    return said.partition("\n")[0]
