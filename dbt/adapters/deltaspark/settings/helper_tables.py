"""Tables that a node's own SQL makes: they have its settings only where they are the node's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .sql_tokens import name_parts

DBTS = "__dbt_"
"""What follows the node's name where dbt makes a relation beside it, which takes its place."""
WITHOUT_SETTINGS: Mapping[str, Any] = {
    "description": None,
    "columns": {},
    "constraints": [],
    "config": {},
}


def spec_of(relation: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """The facts about the node, without its settings where the relation is not its own.

    A macro that `dbt run-operation` runs has none itself, and no relation.
    """
    *above, name = name_parts(relation)
    if above and _is_of(spec, name) and _is_in(spec, above):
        return dict(spec)
    schema = {"schema": above[-1]} if above else {}
    facts = {key: value for key, value in spec.items() if key not in ("schema", "namesakes")}
    elsewhere = {} if _is_of_its_catalog(spec, above) else {"catalog": None}
    return {**facts, **schema, **elsewhere, "alias": name, **WITHOUT_SETTINGS}


def _is_of_its_catalog(spec: Mapping[str, Any], above: list[str]) -> bool:
    return len(above) < 2 or above[0].lower() == str(spec.get("database")).lower()


def _is_of(spec: Mapping[str, Any], name: str) -> bool:
    own = str(spec["alias"]).lower()
    return name.lower() == own or name.lower().startswith(f"{own}{DBTS}")


def _is_in(spec: Mapping[str, Any], above: list[str]) -> bool:
    """Whether this is the node's schema; a catalog that is not named is the node's, too."""
    own = [str(spec.get("database") or above[0]), str(spec["schema"])]
    return [part.lower() for part in above] == [part.lower() for part in own[-len(above) :]]
