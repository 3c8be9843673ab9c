"""Where our merge and Delta's own part on the same table."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from checks import carried_out, counts_differ, row_ids_differ, seed_of
from commits import latest_version
from golden import CHANGE_FEED, ROW_TRACKING, GoldenCase, Variant
from invariants import violations
from literals import values
from orders import Engine, delta, delta_reading_as_stored
from outcomes import Outcome, change_rows, sorted_rows
from table_definitions import definitions_differ
from targets import build_source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from random_changes import Sequence

# On valid merges that need an insert or by-source clause for every row, Delta's route over
# deletion vectors fails; its other route is right.
DELTA_FAILS_ON_VECTORS = "did not match any merge clause"
# Its analyzer loses a CHAR column of the target that a clause reads.
DELTA_LOSES_CHARS = "DELTA_MERGE_RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT"
NOT_TELLING = frozenset({"INTERNAL_ERROR", "TASK_WRITE_FAILED"})


def compare(
    spark: SparkSession,
    engine: Engine,
    case: GoldenCase,
    folder: Path,
    with_blanks: GoldenCase | None = None,
) -> tuple[Outcome, Outcome, list[str]]:
    """Ours, Delta's, and each difference in words.

    Where Delta loses the CHAR columns, it runs the case whose texts are stored with their blanks.
    """
    variant = Variant(bool(case.deletion_vectors), case.partition_by or ())
    seed = seed_of(spark, case, variant, folder)
    ours, native = seed.run(engine, "ours"), seed.run(delta, "native")
    if native.failure is not None and DELTA_FAILS_ON_VECTORS in native.failure.message:
        plain = replace(variant, deletion_vectors=False)
        native = seed_of(spark, case, plain, folder / "plain").run(delta, "native")
    if native.failure is not None and DELTA_LOSES_CHARS in native.failure.message and with_blanks:
        stored = seed_of(spark, with_blanks, variant, folder / "stored")
        native = stored.run(delta_reading_as_stored, "native")
    return ours, native, list(_differences(spark, case, ours, native, ours.version_before))


def compare_sequence(
    spark: SparkSession, engine: Engine, sequence: Sequence, folder: Path
) -> tuple[Outcome, Outcome, GoldenCase, list[str]]:
    """The same step by step, up to the first difference: the last step and both its outcomes."""
    first = sequence.steps[0]
    variant = Variant(bool(first.deletion_vectors), first.partition_by or ())
    seed = seed_of(spark, first, variant, folder).path
    pairs = ((engine, folder / "ours"), (delta, folder / "native"))
    common = latest_version(seed)
    for _, path in pairs:
        shutil.copytree(seed, path)
    found: list[str] = []
    for number, step in enumerate(sequence.steps):
        build_source(spark, step, folder / str(number))
        ours, native = (carried_out(spark, step, e, f"delta.`{path}`", path) for e, path in pairs)
        if native.failure is not None and DELTA_FAILS_ON_VECTORS in native.failure.message:
            break
        found = list(_differences(spark, step, ours, native, common))
        if found:
            break
    return ours, native, step, found


def _differences(
    spark: SparkSession, case: GoldenCase, ours: Outcome, native: Outcome, common: int
) -> Iterator[str]:
    if ours.failure is not None or native.failure is not None:
        yield from _failures_differ(ours, native)
    elif native.path.parent == ours.path.parent:  # else Delta's table has no vectors
        yield from definitions_differ(ours, native)
    if ours.schema.simpleString() != native.schema.simpleString():
        yield f"schema: ours {ours.schema.simpleString()}, Delta's {native.schema.simpleString()}"
    if ours.rows != native.rows:
        yield f"rows: ours {ours.rows}\n  Delta's {native.rows}"
    if ours.committed and native.committed:
        yield from _commits_differ(spark, case, ours, native, common)
    elif ours.committed:
        yield "ours committed where Delta found nothing to do"


def _failures_differ(ours: Outcome, native: Outcome) -> Iterator[str]:
    if ours.failure is None or native.failure is None:
        yield f"failure: ours {ours.failure}\n  Delta's {native.failure}"
    elif not set(ours.failure.classes) & set(native.failure.classes) - NOT_TELLING:
        yield f"error class: ours {ours.failure}\n  Delta's {native.failure}"
    if ours.committed:
        yield "ours failed and left a commit"


def _commits_differ(
    spark: SparkSession, case: GoldenCase, ours: Outcome, native: Outcome, common: int
) -> Iterator[str]:
    yield from counts_differ(ours, native)
    change_feed = CHANGE_FEED[0] in case.properties
    yield from violations(ours.path, ours.version, change_feed=change_feed)
    if ROW_TRACKING[0] in case.properties:
        yield from row_ids_differ(spark, ours, native, common)
    if change_feed:
        pair = [sorted_rows(change_rows(spark, outcome)) for outcome in (ours, native)]
        if pair[0] != pair[1]:
            yield f"change rows: ours {pair[0]}\n  Delta's {pair[1]}"


def as_golden(spark: SparkSession, case: GoldenCase, native: Outcome) -> str:
    """The case with Delta's outcome as its expectation, as Python text."""
    if native.failure is not None:
        telling = [name for name in native.failure.classes if name not in NOT_TELLING]
        proven = replace(case, error=(telling or ["?"])[-1])
    else:
        after = spark.read.format("delta").load(str(native.path))
        ddl = ", ".join(f"{f.name} {f.dataType.simpleString()}" for f in after.schema)
        proven = replace(case, rows=values(after.collect(), after.schema), schema=ddl)
    return as_literal(proven)


def as_literal(case: GoldenCase) -> str:
    lines = ["GoldenCase("]
    for field in fields(case):
        value = getattr(case, field.name)
        if field.default is MISSING or value != field.default:
            lines.append(f"    {field.name}={value!r},")
    return "\n".join((*lines, ")"))
