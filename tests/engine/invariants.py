"""What must hold after every commit, and which of its numbers do not depend on the way it went."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from change_invariants import delete_claims, update_claims, write_claims
from facts import facts_of
from merge_invariants import METRICS, ROW_COUNTS, merge_claims

if TYPE_CHECKING:
    from commits import Action

CLAIMS = {
    "MERGE": merge_claims,
    "DELETE": delete_claims,
    "UPDATE": update_claims,
    "WRITE": write_claims,
}


def violations(path: Path, version: int, *, change_feed: bool) -> list[str]:
    """Each broken rule in words; empty for a sound commit."""
    facts = facts_of(path, version, change_feed=change_feed)
    operation = facts.commit.info["operation"]
    missing = set(METRICS) - facts.commit.metrics.keys() if operation == "MERGE" else ()
    if missing:
        return [f"metrics are missing: {', '.join(sorted(missing))}"]
    return [words for words, holds in CLAIMS[operation](facts) if not holds]


def row_counts(info: Action) -> tuple[str, ...]:
    """The metrics that any two engines must agree on."""
    match info["operation"]:
        case "MERGE":
            return ROW_COUNTS
        case "DELETE":
            return ("numDeletedRows",)
        case "UPDATE":
            return ("numUpdatedRows",)
        case _:
            # Delta calls the rows that stay in files with a vector copied, and adds them.
            parameters = info["operationParameters"]
            chosen = {"predicate", "replaceOnCond", "replaceUsingCols"} & parameters.keys()
            return () if chosen else ("numOutputRows",)
