"""Target rows that match a new row, taken out to be replaced; the merge engine finds them."""

from __future__ import annotations

from ..change import Taken
from ..merge import Matches, Merge, classic, deletion_vectors, found_matches


def take_out_matches(merge: Merge) -> Taken:
    """Delete every target row that the condition pairs with a source row, each once.

    `merge` has one unconditional WHEN MATCHED THEN DELETE and no other clause.
    """
    match merge.plan.route:
        case "deletion_vectors":
            with found_matches(merge) as matches:
                return _marked(merge, matches)
        case "classic":
            with found_matches(merge) as matches:
                return _rewritten(merge, matches)
        case "no_op" | "insert_only" | "native":
            return Taken()


def _marked(merge: Merge, matches: Matches) -> Taken:
    if not matches.fired:
        return Taken()
    marked = deletion_vectors.marked_rows(merge, matches)
    return Taken((marked,), marked.rows_marked)


def _rewritten(merge: Merge, matches: Matches) -> Taken:
    outcome = classic.rewritten(merge, matches)
    return Taken(
        outcome.changes,
        outcome.counts["numTargetRowsDeleted"],
        outcome.counts.get("numTargetRowsCopied", 0),
        change_rows=merge.records_changes and bool(outcome.changes),
    )
