"""What a table is, changed in one commit, and put back where what follows fails."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ..delta import (
    Jvm,
    active,
    before_each_commit,
    confs,
    is_in_log,
    naming_faults,
    noted,
    table_name,
    transaction,
    until_no_conflict,
    why_native,
)
from ..errors import EngineError, add_note
from .column_definitions import delta_table
from .commit import (
    commit_change,
    normalized,
    operation_of,
    refuse_change,
    refuse_dependents,
    state_of,
    told_operation,
)
from .constraint_check import refuse_violations
from .difference import Change, applied, changes_of
from .state import MAPPING_MODE, TableState, put_back, same_definition, tightened

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..delta import JavaObject, Transaction
    from ..spec import TableDefinition

logger = logging.getLogger(__name__)


class NamedTable(Protocol):
    """A table of a session, by the SQL text of its name, as `DeltaTarget` is."""

    @property
    def spark(self) -> SparkSession: ...

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Alteration:
    """What was changed, a line each; `version` is None where there was nothing to change."""

    version: int | None
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Altered:
    """A table before and after; without a version both are the same.

    `names` are its folder and its name, `seen` the version that is as `after` says.
    """

    before: TableState
    after: TableState
    names: frozenset[str]
    seen: int
    changes: tuple[Change, ...] = ()
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table to change, by the SQL text of its name, in a session of its own."""

    jvm: Jvm
    name: str
    retries: int
    user_metadata: str | None
    idempotency_key: str | None

    @naming_faults()
    def committed(self, attempt: Callable[[Transaction], Altered]) -> Altered:
        """What the attempt did, again on the newest snapshot after each conflict."""

        def once(_: int) -> Altered:
            table = delta_table(self.jvm, self.name)
            with transaction(self.jvm, table.deltaLog(), table.catalogTable()) as txn:
                return attempt(txn)

        with active(self.jvm), confs(self.jvm, noted(self.user_metadata)):
            return until_no_conflict(self.jvm, once, self.retries)[0]


@contextmanager
def altered(
    target: NamedTable,
    definition: TableDefinition,
    *,
    conflict_retries: int = 5,
    user_metadata: str | None = None,
    idempotency_key: str | None = None,
) -> Iterator[Alteration]:
    """Make the table what the definition says, for the block that writes to it.

    Everything that differs is one commit (turning column mapping on is one of its own); where
    nothing differs, or the key is that of a write in the table's log, nothing is committed. Where
    the block raises, the table is put back by another commit, unless someone changed its definition
    meanwhile: a note of the error says so. Column mapping stays on.

    Raises ConstraintViolationError where rows break a new check or NOT NULL, SpecError for columns
    that are not there or cannot be dropped, and what Delta raises; nothing is committed then. A
    commit of the block raises EngineError where the table is not so any more: another writer has
    changed or replaced it meanwhile.
    """
    jvm = Jvm.private(target.spark)
    table = Table(jvm, target.name, conflict_retries, user_metadata, idempotency_key)
    with active(table.jvm):
        wanted = normalized(table.jvm, definition)
    done = _make(table, wanted)
    try:
        with before_each_commit(partial(_refuse_if_taken_back, table, done, wanted)):
            yield Alteration(done.version, tuple(map(str, done.changes)))
    except BaseException as error:
        _undo(table, done, error)
        raise


def _make(table: Table, wanted: TableDefinition) -> Altered:
    done = table.committed(lambda txn: _attempt(table, txn, wanted))
    if [change.name for change in done.changes] != [MAPPING_MODE]:
        return done
    try:
        rest = table.committed(lambda txn: _attempt(table, txn, wanted))
    except BaseException as error:
        stays = f"{table.name} keeps column mapping, which version {done.version} turned on."
        add_note(error, stays)
        raise
    changes, version = (*done.changes, *rest.changes), rest.version
    return replace(
        rest,
        before=replace(rest.before, features=done.before.features),
        changes=changes,
        version=done.version if version is None else version,
    )


def _attempt(table: Table, txn: Transaction, wanted: TableDefinition) -> Altered:
    """The change, or as the first of two commits column mapping alone.

    Delta refuses other changes of the schema in the commit that turns it on.
    """
    now, names = state_of(txn.jvm, txn.snapshot), _names(txn.java)
    changes = () if is_in_log(txn, table.idempotency_key) else changes_of(now, wanted)
    if not changes:
        return Altered(now, now, names, txn.snapshot.version())
    reason = why_native(txn.java)
    if reason is not None:
        raise EngineError(
            f"{table.name} cannot be changed in one commit: {reason}; nothing was changed. Change"
            " it by ALTER TABLE."
        )
    then = applied(now, changes)
    refuse_dependents(txn, now, then)
    refuse_change(txn, now, then)
    refuse_violations(txn, table.name, tightened(now, then))
    mapping = _mapping_change(now, changes)
    if mapping is not None:
        changes, then = (mapping,), applied(now, (mapping,))
    version, after = commit_change(txn, now, then, operation_of(txn, then, changes))
    if version is None:
        return Altered(now, now, names, txn.snapshot.version())
    return Altered(now, after, names, version, changes, version)


def _names(transaction: JavaObject) -> frozenset[str]:
    """By either the table is known that a transaction is of, also one that was made anew."""
    log = transaction.deltaLog()
    return frozenset((log.dataPath().toString(), table_name(transaction.catalogTable(), log)))


def _mapping_change(now: TableState, changes: tuple[Change, ...]) -> Change | None:
    """Turning column mapping on, where that is asked for or a column is dropped."""
    for change in changes:
        if change.name == MAPPING_MODE and change.kind == "property":
            return change
    if now.maps_columns or all(change.kind != "column" for change in changes):
        return None
    return Change("property", MAPPING_MODE, now.configuration.get(MAPPING_MODE), "name")


def _refuse_if_taken_back(
    table: Table, done: Altered, wanted: TableDefinition, transaction: JavaObject
) -> None:
    """Raises EngineError where a change would have to be made again, after a RESTORE for example.

    The change and what is written after it are two commits, and rows that were written for the one
    definition do not go into a table that has the other. So it is with what was found to be there
    and needed no change; but a constraint more, which another writer adds, is none of ours.
    """
    snapshot = transaction.snapshot()
    is_as_seen = snapshot.version() == done.seen
    if is_as_seen and snapshot.metadata().id() == done.after.metadata["id"]:
        return
    if done.names.isdisjoint(_names(transaction)):
        return
    differed = changes_of(done.after, wanted)
    taken_back = [
        str(change)
        for change in changes_of(state_of(table.jvm, snapshot), wanted)
        if change not in differed
        and (not change.loosens or any(map(change.is_again, done.changes)))
    ]
    if taken_back:
        raise EngineError(
            f"another writer took back what {table.name} was in version {done.seen}"
            f" ({'; '.join(taken_back)}); no rows were written. Run it again, so that the change is"
            " made again, or take it out of the definition."
        )


def _undo(table: Table, done: Altered, error: BaseException) -> None:
    """Put the table back; whatever fails here is a note of the error that led here."""
    if done.version is None:
        return
    try:
        undone = table.committed(lambda txn: _put_back(table, txn, done))
    except Exception as failure:
        stays = _what_stays(table, done, done.changes)
        add_note(error, f"{stays} Putting it back failed: {failure}")
        return
    features = done.after.features & undone.before.features - done.before.features
    if features:
        told = f"{table.name} keeps the table features {', '.join(sorted(features))}, which only"
        add_note(error, f"{told} ALTER TABLE … DROP FEATURE takes away.")
    if undone.changes:
        stays = _what_stays(table, done, undone.changes)
        add_note(error, f"{stays} Another writer changed it meanwhile.")
    if undone.version is not None:
        logger.info("the definition of %s was put back in version %s", table.name, undone.version)


def _what_stays(table: Table, done: Altered, changes: tuple[Change, ...]) -> str:
    told = "; ".join(map(str, changes))
    return f"{table.name} stays as it was changed in version {done.version} ({told})."


def _put_back(table: Table, txn: Transaction, done: Altered) -> Altered:
    """One commit; the changes that stay where another writer changed the definition."""
    now = state_of(txn.jvm, txn.snapshot)
    then = put_back(done.before, now)
    as_it_is = Altered(now, now, done.names, txn.snapshot.version())
    if same_definition(now, then):
        return as_it_is
    if not same_definition(now, done.after):
        stays = tuple(each for each in done.changes if applied(now, (each,)) == now)
        return replace(as_it_is, changes=stays)
    asked = tightened(now, then)
    if txn.snapshot.version() != done.version:
        refuse_violations(txn, table.name, asked)
    elif asked:
        txn.read_files([])  # so that rows which come before this commit are a conflict
    changes = [each.backwards() for each in done.changes if each.name != MAPPING_MODE]
    operation = told_operation(txn.jvm, changes, undone=f"version {done.version}")
    version, after = commit_change(txn, now, then, operation)
    seen = txn.snapshot.version() if version is None else version
    return Altered(now, after, done.names, seen, (), version)
