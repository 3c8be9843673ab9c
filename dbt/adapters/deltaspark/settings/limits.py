"""Flags of a run by which a node reads a part of the rows, so that what it lacks says nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .model import ModelConfig

EMPTY, SAMPLE, WINDOW = "--empty", "--sample", "--event-time-start"
PARTIAL = (EMPTY, SAMPLE)
"""The flags by which dbt itself keeps rows from what a node reads."""
LIMITED_KINDS = ("model", "snapshot")
"""Fixtures of a unit test are whole, and a seed's rows are its file's."""


@dataclass(frozen=True, slots=True)
class RunFlags:
    """Which of the flags the command was given, by the command line or the environment."""

    empty: bool = False
    sample: bool = False
    window: bool = False

    @classmethod
    def of(cls, args: object) -> RunFlags:
        """From dbt's own arguments; a command that has no such flag was not given it."""
        return cls(
            empty=bool(getattr(args, "EMPTY", False)),
            sample=getattr(args, "SAMPLE", None) is not None,
            window=getattr(args, "EVENT_TIME_START", None) is not None,
        )


def limited_by(node: Mapping[str, Any], flags: RunFlags, manifest: Any) -> str | None:
    """The flag for which the node may read a part of the rows; None where it reads them all.

    `--empty` limits whatever is read by `ref` or `source`. `--sample` limits what has an
    event_time, and so the tables that this run makes of it, however far away. The times of a run
    are those of its microbatch models, and of the tables that these leave.
    """
    if flags == RunFlags() or node["resource_type"] not in LIMITED_KINDS:
        return None
    read = [each for each in node["depends_on"]["nodes"] if not each.startswith("function.")]
    if not read:
        return None
    if flags.empty:
        return EMPTY
    if flags.sample and any(_has_event_time(each) for each in _lineage(read, manifest)):
        return SAMPLE
    return WINDOW if flags.window and node.get("batch") is None else None


def _lineage(ids: Sequence[str], manifest: Any) -> Iterator[Any]:
    """The nodes and sources of these ids, and all that they are made of."""
    known, waiting = set(ids), [*ids]
    while waiting:
        unique_id = waiting.pop()
        found = manifest.nodes.get(unique_id) or manifest.sources.get(unique_id)
        if found is None:
            continue
        yield found
        new = set(found.depends_on_nodes) - known
        known |= new
        waiting += new


def _has_event_time(node: Any) -> bool:
    return bool(getattr(node.config, "event_time", None))


def without_key_if_partial(model: ModelConfig) -> ModelConfig:
    """A run of a part of the rows does not stand for the run that has the same idempotency_key."""
    return replace(model, idempotency_key=None) if model.limited_by in PARTIAL else model


def without_absence(model: ModelConfig) -> ModelConfig:
    """The model without what it does to rows for which the source has none."""
    clauses = tuple(each for each in model.merge.clauses if each.when != "not_matched_by_source")
    history = model.history and replace(model.history, invalidate_missing=False)
    return replace(model, merge=replace(model.merge, clauses=clauses), history=history)
