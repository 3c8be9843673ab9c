"""Whatever fails in the middle of a delete, an update or a write, the table stays as it was."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest
from broken_steps import BEFORE, BrokenStep, Tables, failing, rows_of
from commits import latest_version
from sessions import for_small_tables

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.change import conductor as change
from dbt.adapters.deltaspark.engine.change import update
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction
from dbt.adapters.deltaspark.engine.write import new_rows, removal_by_merge, replacement

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

# The package exports a function of this name.
write = importlib.import_module("dbt.adapters.deltaspark.engine.write.conductor")


def deleted(session: SparkSession, target: engine.DeltaTarget) -> engine.MergeResult:
    return target.delete("n = 2")


def updated(session: SparkSession, target: engine.DeltaTarget) -> engine.MergeResult:
    return target.update({"n": "n * 10"}, "n = 2")


def appended(session: SparkSession, target: engine.DeltaTarget) -> engine.MergeResult:
    return engine.write(session.sql("SELECT 7 AS id, 7 AS n"), target)


def overwritten(session: SparkSession, target: engine.DeltaTarget) -> engine.MergeResult:
    return engine.write(session.sql("SELECT 7 AS id, 7 AS n"), target, "overwrite")


def replaced(session: SparkSession, target: engine.DeltaTarget) -> engine.MergeResult:
    rows = session.sql("SELECT 2 AS id, 7 AS n")
    return engine.write(rows, target, "overwrite", replace_where="id = 2")


def matched(session: SparkSession, target: engine.DeltaTarget) -> engine.MergeResult:
    rows = session.sql("SELECT 2 AS id, 7 AS n")
    return engine.write(rows, target, "overwrite", replace_using=["id"])


OF_WRITES = (
    (write, "align"),
    (write, "prepare_write"),
    (write, "replacement_of"),
    (write, "take_away"),
    (write, "write_rows"),
    (new_rows, "described"),
    (Transaction, "write"),
)
STEPS = [
    *(
        (deleted, *step)
        for step in (
            (change, "resolve_change"),
            (change, "select_rows"),
            (Transaction, "read_files"),
            (change, "take_out"),
            (change, "refuse_miscounts"),
        )
    ),
    *(
        (updated, *step)
        for step in (
            (change, "select_rows"),
            (change, "update_rows"),
            (update, "_write"),
            (Transaction, "write"),
            (change, "update_operation"),
        )
    ),
    *((appended, *step) for step in OF_WRITES),
    *((overwritten, *step) for step in (*OF_WRITES, (Transaction, "remove"))),
    *(
        (replaced, *step)
        for step in (*OF_WRITES, (replacement, "select_rows"), (replacement, "take_out"))
    ),
    *(
        (matched, *step)
        for step in (*OF_WRITES, (replacement, "evaluated"), (removal_by_merge, "found_matches"))
    ),
]


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    return for_small_tables(spark)


@pytest.fixture(scope="module")
def tables(session: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(session, tmp_path_factory.mktemp("tables"), "id INT, n INT")


@pytest.fixture(params=[True, False], ids=["vectors", "no_vectors"])
def path(request: pytest.FixtureRequest, tables: Tables, tmp_path: Path) -> Path:
    return tables.copied(tmp_path, vectors=request.param)


@pytest.mark.share(40)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    ("run", "owner", "step"), STEPS, ids=[f"{run.__name__}-{step}" for run, _, step in STEPS]
)
def test_a_step_that_fails_leaves_the_table_alone_and_the_next_change_works(
    session: SparkSession,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[[SparkSession, engine.DeltaTarget], engine.MergeResult],
    owner: object,
    step: str,
    after: bool,
) -> None:
    target, version = engine.DeltaTarget.for_path(session, str(path)), latest_version(path)
    with monkeypatch.context() as patched:
        patched.setattr(owner, step, failing(getattr(owner, step), after=after))
        with pytest.raises(BrokenStep):
            run(session, target)
    assert latest_version(path) == version
    assert rows_of(session, path) == BEFORE
    assert run(session, target).version == version + 1
    assert rows_of(session, path) != BEFORE


def test_a_table_whose_first_write_fails_is_not_there(session: SparkSession) -> None:
    target = engine.DeltaTarget.for_name(session, "never_made")
    rows = session.sql("SELECT if(id > 90, raise_error('broken'), id) AS id FROM range(100)")
    with pytest.raises(Exception, match="broken"):
        engine.write(rows, target)
    assert not session.catalog.tableExists("never_made")
    assert engine.write(session.sql("SELECT 1 AS id"), target).version == 0
    session.sql("DROP TABLE never_made")
