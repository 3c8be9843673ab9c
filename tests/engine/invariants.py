"""What must hold between a MERGE's metrics, its files and its clauses, whoever committed it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from commits import Action, Commit, commit_of, deleted_rows, live_files, live_rows, physical_rows

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


@dataclass(frozen=True, slots=True)
class Facts:
    """A commit beside the files that it found."""

    commit: Commit
    before: dict[str, Action]
    after: dict[str, Action]
    change_feed: bool

    @property
    def rewritten(self) -> list[Action]:
        """Files that are gone, as they were."""
        return [file for path, file in self.before.items() if path not in self.after]

    @property
    def new(self) -> list[Action]:
        return [file for path, file in self.after.items() if path not in self.before]

    @property
    def shrunk(self) -> list[tuple[Action, Action]]:
        """Files that stay with another vector, before and after."""
        shared = ((file, self.after.get(path)) for path, file in self.before.items())
        return [(old, new) for old, new in shared if new and deleted_rows(old) != deleted_rows(new)]

    @property
    def actions(self) -> set[str]:
        """The kinds of things the statement's clauses may do: update, delete, insert."""
        parameters = self.commit.info["operationParameters"]
        texts = [text for name, text in parameters.items() if name.endswith("Predicates")]
        return {clause["actionType"] for text in texts for clause in json.loads(text)}


def violations(path: Path, version: int, *, change_feed: bool) -> list[str]:
    """Each broken rule in words; empty for a sound commit."""
    before, after = live_files(path, version - 1), live_files(path, version)
    facts = Facts(commit_of(path, version), before, after, change_feed)
    missing = set(METRICS) - facts.commit.metrics.keys()
    if missing:
        return [f"metrics are missing: {', '.join(sorted(missing))}"]
    rules = (_sums, _files_hold_what_is_counted, _clauses_do_only_what_they_say, _file_counts)
    claims = (claim for rule in (*rules, _vectors, _times) for claim in rule(facts))
    return [words for words, holds in claims if not holds]


Claims = Iterator[tuple[str, bool]]


def _sums(facts: Facts) -> Claims:
    m = facts.commit.metrics
    by_source = "numTargetRowsNotMatchedBySource"
    yield "every metric is at least 0", all(value >= 0 for value in m.values())
    for done in ("Updated", "Deleted"):
        parts = m[f"numTargetRowsMatched{done}"] + m[by_source + done]
        yield f"{done} is matched and by-source {done}", m["numTargetRows" + done] == parts
    written = m["numTargetRowsInserted"] + m["numTargetRowsUpdated"] + m["numTargetRowsCopied"]
    yield "output rows are inserted, updated and copied ones", m["numOutputRows"] == written


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
