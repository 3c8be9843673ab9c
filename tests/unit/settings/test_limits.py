"""For which flag of a run a node may read a part of the rows only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from models import spec

from dbt.adapters.deltaspark.settings import limits, read_incremental
from dbt.adapters.deltaspark.settings.limits import (
    EMPTY,
    SAMPLE,
    WINDOW,
    RunFlags,
    limited_by,
)


@dataclass(frozen=True)
class Config:
    event_time: str | None = None


@dataclass(frozen=True)
class Node:
    config: Config = field(default_factory=Config)
    depends_on_nodes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Manifest:
    nodes: dict[str, Node]
    sources: dict[str, Node]


MANIFEST = Manifest(
    nodes={
        "model.p.stg": Node(depends_on_nodes=("source.p.raw.timed",)),
        "model.p.mart": Node(depends_on_nodes=("model.p.stg", "model.p.mart")),
        "model.p.other": Node(depends_on_nodes=("source.p.raw.untimed", "source.p.raw.unknown")),
    },
    sources={
        "source.p.raw.timed": Node(Config("at")),
        "source.p.raw.untimed": Node(),
    },
)
ALL = RunFlags(empty=True, sample=True, window=True)


def node(*read: str, kind: str = "model", batch: object = None) -> dict[str, Any]:
    return {"resource_type": kind, "depends_on": {"nodes": [*read]}, "batch": batch}


@pytest.mark.parametrize(
    ("reader", "flags", "flag"),
    [
        (node("model.p.other"), RunFlags(), None),
        (node("model.p.other"), RunFlags(empty=True), EMPTY),
        (node("model.p.other", kind="snapshot"), RunFlags(empty=True), EMPTY),
        (node("model.p.other", kind="unit_test"), ALL, None),
        (node(kind="seed"), ALL, None),
        (node(), ALL, None),
        (node("function.p.f"), ALL, None),
        (node("source.p.raw.timed"), RunFlags(sample=True), SAMPLE),
        (node("model.p.mart"), RunFlags(sample=True), SAMPLE),
        (node("model.p.other"), RunFlags(sample=True), None),
        (node("model.p.other"), RunFlags(window=True), WINDOW),
        (node("model.p.other", batch={"id": "1"}), RunFlags(window=True), None),
        (node("model.p.other", batch={"id": "1"}), RunFlags(window=True, empty=True), EMPTY),
        (node("model.p.mart", batch={"id": "1"}), RunFlags(window=True, sample=True), SAMPLE),
        (node("model.p.mart"), ALL, EMPTY),
    ],
)
def test_what_limits_a_node(reader: dict[str, Any], flags: RunFlags, flag: str | None) -> None:
    assert limited_by(reader, flags, MANIFEST) == flag


@pytest.mark.parametrize(
    ("flag", "key"), [(None, "k"), (EMPTY, None), (SAMPLE, None), (WINDOW, "k")]
)
def test_a_part_of_the_rows_does_not_use_the_key_up(flag: str | None, key: str | None) -> None:
    model = read_incremental(spec({"idempotency_key": "k"}, limited_by=flag))
    assert limits.without_key_if_partial(model).idempotency_key == key


@pytest.mark.parametrize("action", ["delete", "update set amount = 0"])
def test_clauses_for_rows_that_the_source_lacks_are_left_out(action: str) -> None:
    model = read_incremental(spec({"unique_key": "id", "not_matched_by_source_action": action}))
    held = limits.without_absence(model)
    assert [each.when for each in held.merge.clauses] == ["matched", "not_matched"]


def test_a_history_closes_no_missing_keys() -> None:
    config = {
        "incremental_strategy": "scd2",
        "unique_key": "id",
        "scd2_updated_at": "day",
        "scd2_invalidate_missing": True,
    }
    held = limits.without_absence(read_incremental(spec(config)))
    assert held.history is not None
    assert not held.history.invalidate_missing
