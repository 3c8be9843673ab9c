"""What must hold between the metrics and the files of a DELETE, an UPDATE or a write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commits import deleted_rows, live_rows, physical_rows

if TYPE_CHECKING:
    from facts import Claims, Facts


def delete_claims(facts: Facts) -> Claims:
    m = facts.commit.metrics
    yield from _files(facts, "numAddedFiles", "numAddedBytes")
    yield from _vectors(facts)
    if "numDeletedRows" in m:  # unknown without statistics
        yield f"the table lost {-_growth(facts)} rows", _growth(facts) == -m["numDeletedRows"]
    copied = sum(map(physical_rows, facts.new))
    yield f"new files hold {copied} copied rows", m.get("numCopiedRows", 0) == copied


def update_claims(facts: Facts) -> Claims:
    m = facts.commit.metrics
    yield from _files(facts, "numAddedFiles", "numAddedBytes")
    yield from _vectors(facts)
    yield "an UPDATE keeps the number of rows", _growth(facts) == 0
    written = sum(map(physical_rows, facts.new))
    expected = m["numUpdatedRows"] + m["numCopiedRows"]
    yield f"new files hold {written} updated and copied rows", written == expected


def write_claims(facts: Facts) -> Claims:
    m = facts.commit.metrics
    yield from _files(facts, "numFiles", "numOutputBytes")
    written = sum(map(physical_rows, facts.new))
    yield f"new files hold {written} rows", m.get("numOutputRows", written) == written
    if "numDeletedRows" in m:
        grown = m["numOutputRows"] - m["numCopiedRows"] - m["numDeletedRows"]
        yield f"the table grew by {_growth(facts)} rows", _growth(facts) == grown


def _growth(facts: Facts) -> int:
    before, after = facts.before.values(), facts.after.values()
    return sum(map(live_rows, after)) - sum(map(live_rows, before))


def _files(facts: Facts, added: str, added_bytes: str) -> Claims:
    m = facts.commit.metrics
    yield "every metric is at least 0", all(value >= 0 for value in m.values())
    yield f"{added} are the new files", m.get(added, 0) == len(facts.new)
    yield f"{added_bytes} is their size", m[added_bytes] == sum(f["size"] for f in facts.new)
    yield "no file is empty", all(map(physical_rows, facts.new))
    gone = facts.rewritten
    yield "numRemovedFiles are the files gone", m.get("numRemovedFiles", 0) == len(gone)
    size = sum(file["size"] for file in gone)
    yield "numRemovedBytes is their size", m.get("numRemovedBytes", 0) == size
    change_files = m.get("numAddedChangeFiles", 0)
    yield "change files are counted", change_files == len(facts.commit.change_files)
    yield "no change feed, no change files", facts.change_feed or change_files == 0


def _vectors(facts: Facts) -> Claims:
    m = facts.commit.metrics
    added, removed, updated = (
        m[f"numDeletionVectors{done}"] for done in ("Added", "Removed", "Updated")
    )
    had = [old for old, _ in facts.shrunk if deleted_rows(old)]
    lost = [file for file in facts.rewritten if deleted_rows(file)]
    yield "vectors added are those of the shrunk files", added == len(facts.shrunk)
    yield "vectors updated are those that grew", updated == len(had)
    yield "vectors removed are the old ones", removed == len(had) + len(lost)
