"""What a table is, as its log has it: values that can be compared, changed and put back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..errors import SpecError
from ..spec import CHECKS
from ..text_lengths import holds, kept_type

Json: TypeAlias = dict[str, Any]
Names: TypeAlias = tuple[str, ...]

MAPPING_MODE = "delta.columnMapping.mode"
IDENTITY_MARK = "delta.identity.highWaterMark"
KEPT_BY_UNDO = ("delta.columnmapping.", "delta.rowtracking.")
"""Properties that Delta keeps for itself and that files depend on, in lower case."""


@dataclass(frozen=True, slots=True)
class TableState:
    """What a table is, as its log has it: the Metadata action, and what is kept beside it."""

    metadata: Json
    protocol: Json
    features: frozenset[str]
    clustering: Names = ()

    @property
    def configuration(self) -> dict[str, str]:
        found: dict[str, str] = self.metadata.get("configuration") or {}
        return found

    @property
    def comment(self) -> str | None:
        return self.metadata.get("description") or None

    @property
    def fields(self) -> list[Json]:
        found: list[Json] = json.loads(self.metadata["schemaString"])["fields"]
        return found

    @property
    def partition_columns(self) -> list[str]:
        return self.metadata.get("partitionColumns") or []

    @property
    def maps_columns(self) -> bool:
        """Whether column mapping is on; Delta reads its mode in any case."""
        return self.configuration.get(MAPPING_MODE, "none").lower() != "none"

    def column(self, name: str, argument: str) -> Json:
        """The column of this name, whatever its case."""
        for field in self.fields:
            if field["name"].lower() == name.lower():
                return field
        known = ", ".join(field["name"] for field in self.fields)
        raise SpecError(
            f"{argument} names {name}, which is not a column of the table; nothing was changed."
            f" Its columns are {known}."
        )

    def with_fields(self, fields: Sequence[Json]) -> TableState:
        schema = json.dumps({"type": "struct", "fields": fields}, ensure_ascii=False)
        return self._with(schemaString=schema)

    def with_configuration(self, configuration: Mapping[str, str]) -> TableState:
        return self._with(configuration=dict(configuration))

    def with_comment(self, comment: str | None) -> TableState:
        return self._with(description=comment)

    def _with(self, **given: object) -> TableState:
        return replace(self, metadata={**self.metadata, **given})


@dataclass(frozen=True, slots=True)
class Tightened:
    """Constraints that rows may break which were written without them."""

    checks: Mapping[str, str]
    not_null: Names
    lengths: Mapping[str, str]
    """Columns to their types."""

    def __bool__(self) -> bool:
        return bool(self.checks or self.not_null or self.lengths)


def tightened(now: TableState, then: TableState) -> Tightened:
    """What the later state asks of rows that the earlier one did not ask."""
    checks = {
        key[len(CHECKS) :]: text
        for key, text in then.configuration.items()
        if key.lower().startswith(CHECKS) and now.configuration.get(key) != text
    }
    held = {field["name"] for field in now.fields if not field["nullable"]}
    asked = (field["name"] for field in then.fields if not field["nullable"])
    kinds = {field["name"]: kept_type(field["metadata"]) for field in now.fields}
    lengths = {
        field["name"]: kind
        for field in then.fields
        if field["type"] == "string"
        and not holds(kind := kept_type(field["metadata"]), kinds.get(field["name"], kind))
    }
    return Tightened(checks, tuple(name for name in asked if name not in held), lengths)


def same_definition(one: TableState, other: TableState) -> bool:
    """Whether nobody changed what the table is; identity columns count on with every write."""
    return _without_marks(one) == _without_marks(other)


def _without_marks(state: TableState) -> TableState:
    plain = state.with_fields([*map(_without_mark, state.fields)])
    return replace(plain, protocol={}, features=frozenset())


def _without_mark(field: Json) -> Json:
    kept = {key: value for key, value in field["metadata"].items() if key != IDENTITY_MARK}
    return {**field, "metadata": kept}


def put_back(before: TableState, now: TableState) -> TableState:
    """The table as it was, with what Delta cannot take back: column mapping, counted identities."""
    kept = {k: v for k, v in now.configuration.items() if k.lower().startswith(KEPT_BY_UNDO)}
    mine = {k: v for k, v in before.configuration.items() if not k.lower().startswith(KEPT_BY_UNDO)}
    marks = {field["name"]: field["metadata"].get(IDENTITY_MARK) for field in now.fields}
    fields = [
        {**field, "metadata": {**field["metadata"], IDENTITY_MARK: marks[field["name"]]}}
        if marks.get(field["name"]) is not None
        else field
        for field in before.fields
    ]
    return before.with_configuration({**mine, **kept}).with_fields(fields)
