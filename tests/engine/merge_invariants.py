"""What must hold between a MERGE's metrics, its files and its clauses, whoever committed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commits import deleted_rows, live_rows, physical_rows

if TYPE_CHECKING:
    from facts import Claims, Facts

ROW_COUNTS = (
    "numSourceRows",
    "numTargetRowsInserted",
    "numTargetRowsUpdated",
    "numTargetRowsMatchedUpdated",
    "numTargetRowsNotMatchedBySourceUpdated",
    "numTargetRowsDeleted",
    "numTargetRowsMatchedDeleted",
    "numTargetRowsNotMatchedBySourceDeleted",
)
METRICS = (
    *ROW_COUNTS,
    "numTargetRowsCopied",
    "numOutputRows",
    "numTargetFilesAdded",
    "numTargetFilesRemoved",
    "numTargetBytesAdded",
    "numTargetBytesRemoved",
    "numTargetChangeFilesAdded",
    "numTargetDeletionVectorsAdded",
    "numTargetDeletionVectorsRemoved",
    "numTargetDeletionVectorsUpdated",
    "executionTimeMs",
    "materializeSourceTimeMs",
    "scanTimeMs",
    "rewriteTimeMs",
)


def merge_claims(facts: Facts) -> Claims:
    rules = (_sums, _files_hold_what_is_counted, _clauses_do_only_what_they_say, _file_counts)
    for rule in (*rules, _vectors, _times):
        yield from rule(facts)


def _sums(facts: Facts) -> Claims:
    m = facts.commit.metrics
    by_source = "numTargetRowsNotMatchedBySource"
    yield "every metric is at least 0", all(value >= 0 for value in m.values())
    for done in ("Updated", "Deleted"):
        parts = m[f"numTargetRowsMatched{done}"] + m[by_source + done]
        yield f"{done} is matched and by-source {done}", m["numTargetRows" + done] == parts
    written = m["numTargetRowsInserted"] + m["numTargetRowsUpdated"] + m["numTargetRowsCopied"]
    yield "output rows are inserted, updated and copied ones", m["numOutputRows"] == written
    enough = m["numSourceRows"] >= m["numTargetRowsInserted"]
    yield "no more rows are inserted than the source has", enough


def _files_hold_what_is_counted(facts: Facts) -> Claims:
    m = facts.commit.metrics
    gone = sum(map(live_rows, facts.rewritten))
    marked = sum(deleted_rows(new) - deleted_rows(old) for old, new in facts.shrunk)
    touched = m["numTargetRowsUpdated"] + m["numTargetRowsDeleted"] + m["numTargetRowsCopied"]
    yield f"rows taken from files ({gone} + {marked}) are {touched}", gone + marked == touched
    written = sum(map(physical_rows, facts.new))
    yield f"rows in new files ({written}) are numOutputRows", written == m["numOutputRows"]
    growth = m["numTargetRowsInserted"] - m["numTargetRowsDeleted"]
    grown = sum(map(live_rows, facts.after.values())) - sum(map(live_rows, facts.before.values()))
    yield f"the table grew by {grown} rows, inserted less deleted", grown == growth


def _clauses_do_only_what_they_say(facts: Facts) -> Claims:
    counted = {"insert": "Inserted", "delete": "Deleted", "update": "Updated"}
    for action, done in counted.items():
        count = facts.commit.metrics[f"numTargetRows{done}"]
        yield f"no {action} clause, so no {done} rows", action in facts.actions or count == 0
    copied = facts.commit.metrics["numTargetRowsCopied"]
    yield "a merge that only inserts copies nothing", facts.actions != {"insert"} or copied == 0


def _file_counts(facts: Facts) -> Claims:
    m = facts.commit.metrics
    yield "numTargetFilesAdded are the new files", m["numTargetFilesAdded"] == len(facts.new)
    gone = len(facts.rewritten)
    yield "numTargetFilesRemoved are the files gone", m["numTargetFilesRemoved"] == gone
    yield "no file is empty", all(map(physical_rows, facts.new))
    added = sum(file["size"] for file in facts.new)
    yield "numTargetBytesAdded is their size", m["numTargetBytesAdded"] == added
    removed = sum(file["size"] for file in facts.rewritten)
    yield "numTargetBytesRemoved is their size", m["numTargetBytesRemoved"] == removed
    changed = m["numTargetRowsUpdated"] + m["numTargetRowsDeleted"] > 0
    change_files = m["numTargetChangeFilesAdded"]
    yield "change files are counted", change_files == len(facts.commit.change_files)
    yield (
        "updates and deletes are in the change feed",
        change_files > 0 or not (facts.change_feed and changed),
    )
    yield "no change feed, no change files", facts.change_feed or change_files == 0


def _vectors(facts: Facts) -> Claims:
    m = facts.commit.metrics
    added, removed, updated = (
        m[f"numTargetDeletionVectors{done}"] for done in ("Added", "Removed", "Updated")
    )
    yield "vectors added are those of the shrunk files", added == len(facts.shrunk)
    had = [old for old, _ in facts.shrunk if deleted_rows(old)]
    yield "vectors updated are those that grew", updated == len(had)
    lost = [file for file in facts.rewritten if deleted_rows(file)]
    yield "vectors removed are the old ones", removed == len(had) + len(lost)


def _times(facts: Facts) -> Claims:
    m = facts.commit.metrics
    parts = ("materializeSourceTimeMs", "scanTimeMs", "rewriteTimeMs")
    longest = max(m[part] for part in parts)
    yield "executionTimeMs covers each phase", m["executionTimeMs"] >= longest
