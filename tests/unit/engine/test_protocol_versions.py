"""Which versions of the protocol a table has: what Delta would change, and what it would not."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.engine.definition import TableState, changes_of
from dbt.adapters.deltaspark.engine.spec import TableDefinition

LATER = {"checkconstraints", "changedatafeed", "generatedcolumns"}
FOUND = {
    "plain": (1, 2, set()),
    "with later features": (1, 4, LATER),
    "mapped": (2, 5, {*LATER, "columnmapping"}),
    "naming its features": (1, 7, {"domainmetadata"}),
}


def state(kind: str) -> TableState:
    reader, writer, features = FOUND[kind]
    versions = {"minReaderVersion": reader, "minWriterVersion": writer}
    return TableState(
        {"schemaString": '{"fields": []}'},
        versions,
        frozenset({*features, "appendonly", "invariants"}),
    )


@pytest.mark.parametrize(
    ("kind", "reader", "writer"),
    [
        ("plain", "1", "2"),
        ("plain", "2", None),
        ("plain", "2", "2"),
        ("plain", "1", "7"),
        ("plain", "3", "7"),
        ("with later features", "1", "5"),
        ("with later features", "2", "3"),
        ("mapped", None, "3"),
        ("naming its features", "1", "5"),
        ("naming its features", "3", None),
    ],
)
def test_what_delta_keeps_weaker_or_has_is_no_change(
    kind: str, reader: str | None, writer: str | None
) -> None:
    assert asked(kind, reader, writer) == []


@pytest.mark.parametrize(
    ("kind", "reader", "writer"),
    [
        ("plain", "1", "3"),
        ("plain", None, "5"),
        ("with later features", "2", "5"),
        ("mapped", None, "6"),
        ("naming its features", "2", "5"),
    ],
)
def test_versions_that_bring_features_are_a_change(
    kind: str, reader: str | None, writer: str | None
) -> None:
    assert asked(kind, reader, writer) != []


@pytest.mark.parametrize(
    ("kind", "reader", "writer"),
    [
        ("plain", "3", None),
        ("plain", "3", "6"),
        ("plain", "3", "8"),
        ("plain", "4", "7"),
        ("plain", "1", "many"),
        ("naming its features", "3", "5"),
    ],
)
def test_versions_that_are_none_are_left_to_delta_to_refuse(
    kind: str, reader: str | None, writer: str | None
) -> None:
    assert asked(kind, reader, writer) != []


def asked(kind: str, reader: str | None, writer: str | None) -> list[str]:
    versions = {"delta.minReaderVersion": reader, "delta.minWRITERversion": writer}
    given = tuple((key, value) for key, value in versions.items() if value is not None)
    return [str(each) for each in changes_of(state(kind), TableDefinition(properties=given))]
