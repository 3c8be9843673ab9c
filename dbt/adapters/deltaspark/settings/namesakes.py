"""Nodes of a project whose relations are one to a catalog, which ignores the case of letters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

KINDS = ("model", "seed", "snapshot")


def namesakes(nodes: Iterable[Any]) -> dict[str, list[str]]:
    """By the id of each such node the others, as an error names them."""
    alike: dict[tuple[str, ...], list[Any]] = {}
    for node in nodes:
        if node.resource_type in KINDS and node.config.materialized != "ephemeral":
            name = (str(node.database), str(node.schema), str(node.alias))
            alike.setdefault(tuple(map(str.lower, name)), []).append(node)
    return {
        node.unique_id: [_label(other) for other in group if other is not node]
        for group in alike.values()
        if len(group) > 1
        for node in group
    }


def _label(node: Any) -> str:
    return f"{node.resource_type} '{node.name}' ({node.original_file_path})"
