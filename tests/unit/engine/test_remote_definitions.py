"""What a server is asked to make of a table's definition, and what it is not asked; no server."""

from __future__ import annotations

import json

import pytest

from dbt.adapters.deltaspark.engine.definition import TableState
from dbt.adapters.deltaspark.engine.errors import SpecError
from dbt.adapters.deltaspark.engine.remote.definition import _as_spelled, _with_mapping
from dbt.adapters.deltaspark.engine.spec import TableDefinition

ID = {"name": "id", "type": "integer", "nullable": True, "metadata": {}}
PLAIN = TableState(
    {"schemaString": json.dumps({"fields": [ID]})},
    {"minReaderVersion": 1, "minWriterVersion": 2},
    frozenset({"appendonly", "invariants"}),
)


def changed(key: str, value: str, **others: bool) -> list[tuple[str, str | None]]:
    definition = TableDefinition(properties=((key, value),), **others)  # type: ignore[arg-type]
    changes = _with_mapping(PLAIN, _as_spelled(PLAIN, definition))
    return [(change.name, change.after) for change in changes]


def test_column_mapping_is_turned_on_first() -> None:
    mapping = ("delta.columnMapping.mode", "name")
    assert changed("team", "ours", maps_columns=True) == [mapping, ("team", "ours")]
    assert changed("DELTA.columnmapping.MODE", "name", maps_columns=True) == [mapping]


@pytest.mark.parametrize(
    ("key", "value", "maps", "said"),
    [
        ("delta.columnMapping.mode", "id", True, "cannot become 'id' in a table that is there"),
        ("delta.columnmapping.mode", "none", True, "columns cannot be mapped with"),
        ("delta.enablerowtracking", "true", False, "ALTER TABLE changes the files with it"),
    ],
)
def test_what_no_table_that_is_there_becomes_is_refused_in_any_case(
    key: str, value: str, maps: bool, said: str
) -> None:
    with pytest.raises(SpecError, match=said):
        changed(key, value, maps_columns=maps)
