"""The engine's errors, one class a condition that a caller can act on, built from facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

SHOWN_COLUMNS = 8
"""Of a row in an error."""
LONGEST_VALUE = 80
"""Characters."""


def add_note(error: BaseException, note: str) -> None:
    """As BaseException.add_note, which Python 3.10 has not."""
    error.__notes__ = [*getattr(error, "__notes__", ()), note]  # type: ignore[attr-defined]


def taken_notes(error: BaseException) -> list[str]:
    """Its notes, which it has no more: they are told once, by the one who takes them."""
    notes = getattr(error, "__notes__", [])
    error.__notes__ = []  # type: ignore[attr-defined]
    return list(notes)


class EngineError(Exception):
    """Base of every error the engine raises by itself; nothing was committed, or it says so."""


class SpecError(EngineError):
    """A merge or write was asked for that cannot mean anything."""


class RepeatedHourError(EngineError):
    """A table is partitioned by a timestamp, and the session's clock shows two moments alike."""

    def __init__(self, column: str, zone: str) -> None:
        super().__init__(
            f"the table is partitioned by the timestamp {column!r}, and in the session's time zone"
            f" {zone} an hour comes twice a year: both of its times have one partition, so that"
            " rows are lost or doubled; nothing was written. Run it with the session in UTC"
            " (spark_config: {spark.sql.session.timeZone: UTC} in the profile, or sql_header: set"
            " spark.sql.session.timeZone = UTC), or partition by a date column."
        )


class SourceReadsTargetError(EngineError):
    """The source was computed from the target as it was, and there is no SQL to compute it anew."""

    def __init__(self) -> None:
        super().__init__(
            "another commit changed the table, and the source DataFrame was computed from the table"
            " as it was; nothing was written. Give the source as SQL (a MERGE statement, or"
            " source_sql), so that it can be evaluated anew, or run it again from the start."
        )


def row_text(row: Mapping[str, object], about: str = "") -> str:
    """A row as a person writes it: id = 1, day = 2026-01-02, name = 'Ann'.

    Of a wide row some columns, before all those that the SQL names which the row is shown for.
    """
    words = {*re.findall(r"\w+", about.lower())}
    by_need = sorted(row, key=lambda name: words.isdisjoint(re.findall(r"\w+", name.lower())))
    chosen = {*by_need[:SHOWN_COLUMNS]}
    shown = [f"{name} = {value_text(value)}" for name, value in row.items() if name in chosen]
    return ", ".join([*shown, "…"] if len(row) > len(chosen) else shown)


def value_text(value: object) -> str:
    if value is None:
        return "null"
    text = str(value) if isinstance(value, (date, Decimal)) else repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


class ReplaceWhereViolationError(EngineError):
    """New rows are outside of what a write replaces; raised where Delta's writer raises."""

    error_class = "DELTA_REPLACE_WHERE_MISMATCH"

    def __init__(self, table: str, predicate: str, rows: Sequence[str]) -> None:
        self.table, self.rows = table, tuple(rows)
        said = predicate.replace("\n)", ")")
        super().__init__(
            self.told(
                f"replace_where {said!r} replaces rows of {table}, but there are new rows for which"
                " it is not true",
                "Filter the new rows by the predicate, or widen it so that it covers them.",
            )
        )

    def told(self, what: str, way_out: str) -> str:
        """The error's text: what was found, with the rows, and what to do."""
        shown = "".join(f"\n  - {row}" for row in self.rows)
        return f"[{self.error_class}] {what}; nothing was written. Some of them:{shown}\n{way_out}"


@dataclass(frozen=True, slots=True)
class DuplicateKey:
    """A source key that matched a target row more than once, as SQL text, and how many times."""

    key: str
    count: int


class DuplicateMatchError(EngineError):
    """Several source rows matched one target row; raised where Delta's MERGE raises."""

    error_class = "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE"

    def __init__(self, table: str, keys: Sequence[DuplicateKey]) -> None:
        self.table = table
        self.keys = tuple(keys)
        shown = "".join(f"\n  - {key.key}: {key.count} source rows" for key in self.keys)
        super().__init__(
            f"[{self.error_class}] several source rows match the same row of {table}, so it is not"
            f" clear which one should win; nothing was written.{shown}\nMake the source unique by"
            " its key (for example with row_number() … = 1), or narrow the ON condition."
        )


SHOWN_VIOLATIONS = 4


@dataclass(frozen=True, slots=True)
class Violation:
    """A constraint, how many rows break it, and some of them as text."""

    constraint: str
    count: int
    rows: tuple[str, ...]

    def __str__(self) -> str:
        shown = "".join(f"\n  - {row}" for row in self.rows)
        return f"{self.constraint}: {self.count:,} rows, such as{shown}"


class ConstraintViolationError(EngineError):
    """Rows that are in the table break constraints that it was to get."""

    def __init__(self, table: str, violations: Sequence[Violation]) -> None:
        self.table = table
        self.violations = tuple(violations)
        shown = "\n".join(map(str, violations[:SHOWN_VIOLATIONS]))
        more = len(violations) - SHOWN_VIOLATIONS
        others = f"\nand {more} constraints more" if more > 0 else ""
        super().__init__(
            f"{table} has rows that break what it should hold; nothing was changed.\n{shown}"
            f"{others}\nCorrect or delete these rows first, or change the constraint (a CHECK that"
            " is null is violated, too)."
        )


class DriverLostError(EngineError):
    """The JVM of Spark's driver was gone before the commit began: nothing was committed."""

    advice = (
        "It was killed, or it ran out of memory: what it said last is on the console, and the"
        " operating system's log tells of a kill. Give it more memory (driver_memory of the"
        " profile, spark.driver.memory) or fewer threads, and run it again in a new process."
    )

    def __init__(
        self, said: str, outcome: str = "Nothing was committed: the rows are as they were."
    ) -> None:
        super().__init__(f"the JVM of Spark's driver is gone: {said}\n{outcome}\n{self.advice}")


class StorageError(EngineError):
    """Storage failed under a change; nothing was committed, but for UnknownOutcomeError."""

    advice = ""
    outcome = (
        "Nothing was committed: the rows are as they were. Files that this attempt has written stay"
        " in the table's folder, where no reader sees them, until VACUUM removes them."
    )

    def __init__(self, path: str | None, said: str) -> None:
        self.path = path
        self.said = said
        super().__init__(f"{self.summary()}\n{self.outcome}\n{self.advice}")

    def summary(self) -> str:
        """The first line: what failed, and where."""
        return f"storage failed{self._at()}: {self.said}"

    def _at(self) -> str:
        return "" if self.path is None else f" at {self.path}"


class DiskFullError(StorageError):
    """There is no room for what was to be written."""

    advice = (
        "Make room there (or in spark.local.dir, where Spark keeps what does not fit its memory),"
        " or have the quota raised; then run it again."
    )

    def summary(self) -> str:
        return f"the disk is full{self._at()}: {self.said}"


class StorageRefusedError(StorageError):
    """The storage may not be written to, or not be read."""

    advice = (
        "Let the user that Spark runs as read and write the table's folder and its _delta_log, or"
        " run it as one that may; then run it again."
    )

    def summary(self) -> str:
        return f"the storage refused access{self._at()}: {self.said}"


class DamagedFileError(StorageError):
    """A file that the change needs is missing, or is not what it should be."""

    advice = (
        "Put the file back from a backup, or leave what needs it: RESTORE TABLE to a version that"
        " does not, or a full refresh. Where the file is no table's but a source's, write it anew."
    )

    def summary(self) -> str:
        return f"a file cannot be read, {self.path or 'whose name is not known'}: {self.said}"


class UnknownOutcomeError(StorageError):
    """The commit ended in an error that leaves open whether it is in the log."""

    outcome = (
        "Whether it was committed is unknown. None of its files was removed: where the commit is in"
        " the log, the table needs them; where it is not, VACUUM removes them later."
    )
    advice = (
        "When the table can be reached again, DESCRIBE HISTORY says whether the last version is"
        " this one. A merge or an overwrite can be run again in either case; an append, if it is"
        " not there."
    )

    def summary(self) -> str:
        return f"the commit got no answer{self._at()}: {self.said}"
