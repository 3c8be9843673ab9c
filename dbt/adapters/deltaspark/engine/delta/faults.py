"""What fails under a change: what the JVM's chain of causes says of the storage, in one error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ..errors import DamagedFileError, DiskFullError, StorageError, StorageRefusedError
from .jvm import JavaObject, causes_of, condition_of
from .lost_driver import lost_driver, no_commit_yet, told_before

DISK_FULL = re.compile(
    r"No space left on device|Disk quota exceeded|not enough space on the disk|QuotaExceeded"
)
REFUSED = re.compile(
    r"Permission denied|Operation not permitted|Read-only file system|Access ?Denied|AccessControl"
)
MISSING = re.compile(r"FileNotFoundException|NoSuchFileException")
DAMAGED = re.compile(
    r"is not a Parquet file|ChecksumException|EOFException|ParquetDecodingException|JsonParse"
    r"|could not read footer|corrupt",
    re.IGNORECASE,
)
UNREADABLE_FILE = "FAILED_READ_FILE"
CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]{4,}(?:\.[A-Z0-9_]+)*)\]")
OF_FILES = (UNREADABLE_FILE, "TASK_WRITE_FAILED", "FAILED_RENAME")
CONFLICT = re.compile(r"(Concurrent\w*|MetadataChanged|ProtocolChanged)Exception$")
LOG_IN_PARTS = (
    "DELTA_MISSING_PART_FILES",
    "DELTA_TRUNCATED_TRANSACTION_LOG",
    "DELTA_VERSIONS_NOT_CONTIGUOUS",
    "DELTA_LOG_FILE_NOT_FOUND",
)
PATH = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?/[^\s'\"`()]*[^\s'\"`().,:;]")


@dataclass(frozen=True, slots=True)
class Cause:
    """One throwable of the chain, as text."""

    kind: str
    message: str
    condition: str
    """Spark's name for it; "" for what is none of Spark's conditions."""

    @property
    def line(self) -> str:
        """The first one; the others are a stack trace, or advice."""
        return self.message.partition("\n")[0]

    @property
    def path(self) -> str | None:
        """The last one that it names: what stands before it is the job that failed."""
        found = PATH.findall(self.line)
        return found[-1] if found else None

    @property
    def may_tell(self) -> bool:
        """Whether its words are the storage's: those of other conditions quote values and names.

        A failed job's message has that of its task, with its condition.
        """
        named = [self.condition, *CONDITION.findall(self.line)]
        return all(each.startswith(OF_FILES) for each in named if each)

    def words(self, pattern: re.Pattern[str]) -> str | None:
        """What of the pattern stands in its class or its first line."""
        found = pattern.search(f"{self.kind} {self.line}")
        return None if found is None else found.group()


@contextmanager
def naming_faults(folder: str | None = None) -> Iterator[None]:
    """Raises StorageError for what storage refused or lost; every other error as it came.

    Also DriverLostError, or UnknownOutcomeError, where Spark's JVM is gone.

    `folder` is the table's, for faults that name no file.
    """
    no_commit_yet()
    try:
        yield
    except (Py4JError, PySparkException, OSError) as error:
        told = told_before(error)
        if told is not None:
            raise told  # noqa: B904 - it has its own cause; this one came of clearing up
        fault = lost_driver(error) or storage_fault(error, folder)
        if fault is None:
            raise
        raise fault from error


def storage_fault(error: BaseException, folder: str | None = None) -> StorageError | None:
    """What the error says of the storage; None where that is not what failed."""
    causes = [*map(_as_text, causes_of(error))]
    if any(CONFLICT.search(each.kind) for each in causes):
        return None
    path = next((each.path for each in reversed(causes) if each.path is not None), None)
    for pattern, kind in ((DISK_FULL, DiskFullError), (REFUSED, StorageRefusedError)):
        said = next(filter(None, (each.words(pattern) for each in causes if each.may_tell)), None)
        if said is not None:
            return kind(path or folder, said)
    return _unreadable(causes, path)


def _unreadable(causes: list[Cause], path: str | None) -> StorageError | None:
    """Of files that Spark could not read, those that are missing or damaged.

    A file may also be readable and of other columns, which is no fault of the storage.
    """
    lines = [each.line for each in causes]
    gap = next((each for each in lines if each.startswith(_tagged(LOG_IN_PARTS))), None)
    if gap is not None:
        return DamagedFileError(path or "one of the table's _delta_log", gap)
    if not any(each.startswith(_tagged((UNREADABLE_FILE,))) for each in lines):
        return None
    if any(each.words(MISSING) for each in causes):
        return DamagedFileError(path, "it does not exist")
    damaged = [each for each in causes if each.words(DAMAGED)]
    return DamagedFileError(path, _said(damaged[-1], path)) if damaged else None


def _tagged(conditions: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"[{name}" for name in conditions)


def _said(cause: Cause, path: str | None) -> str:
    """Its first line, or its class where it has none, without the path, which stands before it."""
    first = cause.line or cause.kind.rpartition(".")[2]
    return first if path is None else first.replace(path, "it")


def _as_text(throwable: JavaObject) -> Cause:
    message = str(throwable.getMessage() or "")
    return Cause(throwable.getClass().getName(), message, condition_of(throwable))
