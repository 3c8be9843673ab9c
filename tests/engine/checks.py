"""What must hold after a golden case's statement has run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commits import live_files, physical_rows
from golden import CHANGE_FEED, OURS, ROW_TRACKING, GoldenCase, Variant
from invariants import row_counts, violations
from orders import Engine, Order
from outcomes import Outcome, change_rows, outcome_of, sorted_rows
from pyspark.sql import functions as F
from table_definitions import definitions_differ
from targets import SOURCE, build_source, build_target, copy_of, rows_as, schema_of, with_conf

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


AMBIGUOUS = {"error": "AMBIGUOUS_REFERENCE"}
UNKNOWN_COLUMN = {"error": "UNRESOLVED_COLUMN.WITH_SUGGESTION"}
UNRESOLVED = {"error": "DELTA_MERGE_UNRESOLVED_EXPRESSION"}
SERVER_DIFFERS: dict[str, dict[str, Any]] = {
    "rows that replace others get new numbers of an identity column": {"rows": "(1, 10), (4, 20)"},
    "replace_using of a column that the table does not have": UNRESOLVED,
    "replace_using of a column that the source does not have": UNRESOLVED,
    "replace_on with a column that neither side has": UNKNOWN_COLUMN,
    "replace_on with a column of both sides": AMBIGUOUS,
    "replace_on with a column of both sides, in the feed": AMBIGUOUS,
    "new rows beside a row that two source rows delete": {"native_leaves": None},
    "an overwrite may not partition the table otherwise": {"error": "EngineError"},
    "a char column in the condition is compared with its blanks": {
        "error": "EngineError",
        "native_fails_with": None,
    },
    "an append that lacks the partition column is refused": {
        "error": None,
        "rows": "(1, 'a', 10), (NULL, 'b', NULL), (NULL, NULL, NULL)",
    },
}
"""By title, what is otherwise over Spark Connect: a MERGE replaces rows there, an append fills in
partition columns that it does not give with null, no MERGE is run that would lose rows, and none
can read a CHAR column."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A case's target on disk, as it stands before each engine gets a copy of it in `folder`.

    Its rows are only read where the case ends in an error, and they must stay.
    """

    spark: SparkSession
    case: GoldenCase
    path: Path
    folder: Path
    rows: tuple[str, ...]
    schema: str

    def run(self, engine: Engine, label: str) -> Outcome:
        path = self.folder / label
        with (
            copy_of(self.spark, self.case, self.path, path) as target,
            with_conf(self.spark, self.case.conf),
        ):
            return carried_out(self.spark, self.case, engine, target, path)


def carried_out(
    spark: SparkSession, case: GoldenCase, engine: Engine, target: str, path: Path
) -> Outcome:
    """The case's change to the table of this name in this folder."""
    statement = case.statement
    if isinstance(statement, str):
        statement = statement.format(target=target, source=SOURCE)
    return outcome_of(engine, Order(spark, statement, target, SOURCE), path)


def seed_of(spark: SparkSession, case: GoldenCase, variant: Variant, folder: Path) -> Seed:
    """The case's target and source, built in this folder."""
    build_target(spark, case, variant, folder / "seed")
    return seed_at(spark, case, folder / "seed", folder)


def seed_at(spark: SparkSession, case: GoldenCase, path: Path, folder: Path) -> Seed:
    """The case's target, which was built before; its source is built in this folder."""
    build_source(spark, case, folder)
    found = spark.read.format("delta").load(str(path))
    may_fail = case.error is not None or case.title in SERVER_DIFFERS
    rows = sorted_rows(found) if may_fail else ()
    return Seed(spark, case, path, folder, rows, found.schema.simpleString())


def check(seed: Seed, outcome: Outcome) -> None:
    if seed.case.error is not None:
        check_error(seed, outcome, seed.case.error)
        return
    assert outcome.failure is None, outcome.failure
    check_table(seed, outcome)
    if seed.case.change_rows is not None:
        check_change_rows(seed, outcome, seed.case.change_rows)


def check_native(seed: Seed, outcome: Outcome) -> None:
    """Delta's own MERGE proves the case, but for valid merges that it fails on or does wrong."""
    if seed.case.native_leaves is not None:
        assert outcome.failure is None, outcome.failure
        check_table(replace(seed, case=replace(seed.case, rows=seed.case.native_leaves)), outcome)
        return
    if seed.case.native_fails_with is None:
        check(seed, outcome)
    else:
        assert outcome.failure is not None, "Delta has learnt this merge: drop native_fails_with"
        assert seed.case.native_fails_with in outcome.failure.message


def check_error(seed: Seed, outcome: Outcome, error: str) -> None:
    assert outcome.failure is not None, f"expected {error}, got {outcome.rows}"
    assert error in outcome.failure.classes, outcome.failure
    assert not outcome.committed
    assert outcome.rows == seed.rows


def check_table(seed: Seed, outcome: Outcome) -> None:
    expected = None if seed.case.schema is None else schema_of(seed.case.schema).simpleString()
    assert outcome.schema.simpleString() == (expected or seed.schema)
    assert outcome.rows == _expected_rows(seed, outcome)


def _expected_rows(seed: Seed, outcome: Outcome) -> tuple[str, ...]:
    case = seed.case
    schema = outcome.schema if case.schema is None else schema_of(case.schema)
    return sorted_rows(rows_as(seed.spark, case.rows, schema))


def check_change_rows(seed: Seed, outcome: Outcome, expected: str) -> None:
    found = change_rows(seed.spark, outcome)
    assert sorted_rows(found) == sorted_rows(rows_as(seed.spark, expected, found.schema))


def check_ours(seed: Seed, outcome: Outcome) -> None:
    """What our engine says of its merge, beside the table that it left."""
    if outcome.failure is not None:
        return
    result = outcome.result
    assert result.route in OURS
    assert result.version == (outcome.version if outcome.committed else None)
    assert outcome.committed == seed.case.commits
    if outcome.committed:
        # Not asked of Delta, which forgets the vectors of files that it rewrites.
        change_feed = CHANGE_FEED[0] in seed.case.properties
        assert violations(outcome.path, outcome.version, change_feed=change_feed) == []
        assert outcome.version == outcome.version_before + 1
        said = result.metrics.as_dict()
        assert {name: said.get(name) for name in counts(outcome)} == counts(outcome)


def check_of_server(seed: Seed, outcome: Outcome) -> None:
    """What a server did, in one commit, and what the engine says of it."""
    case = seed.case
    if case.title in SERVER_DIFFERS:
        case = replace(case, **SERVER_DIFFERS[case.title])
    elif case.native_fails_with is not None and outcome.failure is None:
        case = replace(case, native_fails_with=None)  # Delta fails on it as a DataFrame alone
    check_native(replace(seed, case=case), outcome)
    if outcome.failure is not None:
        return
    result = outcome.result
    assert result.route in {"native", "no_op"}
    assert result.version == (outcome.version if outcome.committed else None)
    if outcome.committed:
        assert outcome.version == outcome.version_before + 1
        said = result.metrics.as_dict()
        assert {name: said.get(name) for name in counts(outcome)} == counts(outcome)


def check_agreement(seed: Seed, ours: Outcome, native: Outcome) -> None:
    """Definition and history are alike; Delta may commit an empty merge where ours does not."""
    if not both_done(ours, native):
        return
    assert list(definitions_differ(ours, native)) == []
    if seed.case.native_leaves is not None or not (ours.committed and native.committed):
        return
    if ROW_TRACKING[0] in seed.case.properties:
        assert list(row_ids_differ(seed.spark, ours, native, ours.version_before)) == []
    assert list(counts_differ(ours, native)) == []
    assert ours.commit.info["operation"] == native.commit.info["operation"]
    assert parameters(ours) == parameters(native)
    assert ours.commit.info["isolationLevel"] == native.commit.info["isolationLevel"]
    assert ours.commit.info["isBlindAppend"] == native.commit.info["isBlindAppend"]


def check_definition(ours: Outcome, native: Outcome) -> None:
    """Both leave the table alike, beside its rows."""
    if both_done(ours, native):
        assert list(definitions_differ(ours, native)) == []


def both_done(*outcomes: Outcome) -> bool:
    return all(outcome.failure is None for outcome in outcomes)


def row_ids_differ(
    spark: SparkSession, ours: Outcome, native: Outcome, common: int
) -> Iterator[str]:
    """Rows of the last common version keep their ids; those of later rows depend on the files."""
    files = live_files(ours.path, common).values()
    first_new = max((file["baseRowId"] + physical_rows(file) for file in files), default=0)
    pair = [_kept_rows(spark, outcome, first_new, common) for outcome in (ours, native)]
    if pair[0] != pair[1]:
        yield f"row ids and versions: ours {pair[0]}\n  Delta's {pair[1]}"


def _kept_rows(
    spark: SparkSession, outcome: Outcome, first_new: int, common: int
) -> tuple[str, ...]:
    """With the order of the commits after the common one that wrote them, and which are the last's:
    Delta commits a merge that changes nothing, which gives later versions another number."""
    table = spark.read.format("delta").load(str(outcome.path))
    tracked = table.select("*", "_metadata.row_id", "_metadata.row_commit_version")
    kept = tracked.filter(tracked["row_id"] < first_new)
    version = F.col("row_commit_version")
    later = kept.filter(version > common).select(version).distinct().collect()
    versions = F.array(F.lit(common), *(F.lit(row[0]) for row in sorted(later)))
    place = F.when(version > common, F.array_position(versions, version) - 1 + common)
    told = kept.withColumn("of this commit", version > outcome.version_before)
    return sorted_rows(told.withColumn("row_commit_version", F.coalesce(place, version)))


def counts(outcome: Outcome) -> dict[str, int | None]:
    """The row counts of the outcome's commit that do not depend on how its files were changed."""
    metrics = outcome.commit.metrics
    return {name: metrics.get(name) for name in row_counts(outcome.commit.info)}


def counts_differ(ours: Outcome, native: Outcome) -> Iterator[str]:
    """Each row count that is not Delta's, but for source rows that Delta counted in another way.

    Where the target is the side of its join that is broadcast, and no row of it has a key, the join
    does not read the source: the commit says 0 source rows, beside those that it inserted. And
    where ON has no equality, Spark's full outer join over loops reads the source twice
    (BroadcastNestedLoopJoinExec.defaultJoin): the commit says twice its rows.
    """
    mine, theirs = counts(ours), counts(native)
    unread = theirs.get("numSourceRows") == 0 and theirs["numTargetRowsInserted"]
    twice = theirs.get("numSourceRows") == 2 * (mine.get("numSourceRows") or 0) and _loops(native)
    for name in mine:
        if mine[name] != theirs[name] and not ((unread or twice) and name == "numSourceRows"):
            yield f"{name}: ours {mine[name]}, Delta's {theirs[name]}"


def _loops(outcome: Outcome) -> bool:
    """Whether the merge's ON has no equality to join by."""
    conjuncts = json.loads(outcome.commit.info["operationParameters"].get("predicate", "[]"))
    return not any(re.fullmatch(r"\([^ ]+ (=|<=>) [^ ]+\)", each) for each in conjuncts)


def parameters(outcome: Outcome) -> dict[str, str]:
    """Without the ids of attributes and the moments of now, which differ from run to run."""
    found: dict[str, object] = outcome.commit.info["operationParameters"]
    changing = re.compile(r"#\d+L?|\b[-\d]+ [:\d]+\.\d{1,6}")
    return {name: changing.sub("", str(text)) for name, text in found.items()}
