"""Alters tables, in blocks that end well or fail, and reads what the tables are then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine import TableDefinition

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class BlockError(Exception):
    """What goes wrong in a block."""


def alter(target: engine.DeltaTarget, **definition: Any) -> engine.Alteration:
    with engine.altered(target, TableDefinition(**definition)) as alteration:
        return alteration


def fail(target: engine.DeltaTarget, **definition: Any) -> BlockError:
    """Alter, and fail in the block; returns the error as it came out."""
    with (
        pytest.raises(BlockError) as raised,
        engine.altered(target, TableDefinition(**definition)),
    ):
        raise BlockError
    return raised.value


def notes(error: BaseException) -> list[str]:
    return list(getattr(error, "__notes__", []))


def kept(target: engine.DeltaTarget, features: str) -> str:
    """What is told of features after an undo: Delta takes none back where files may need it."""
    return (
        f"{target.name} keeps the table features {features}, which only ALTER TABLE … DROP FEATURE"
        " takes away."
    )


def operation(path: Path, version: int) -> tuple[str, dict[str, Any]]:
    info = commit_of(path, version).info
    return info["operation"], info["operationParameters"]


def detail(target: engine.DeltaTarget) -> Any:
    return target.spark.sql(f"DESCRIBE DETAIL {target.name}").first()


def comments(target: engine.DeltaTarget) -> dict[str, str]:
    found = {field.name: field.metadata.get("comment") for field in target.schema()}
    return {name: comment for name, comment in found.items() if comment}


def rows_of(target: engine.DeltaTarget) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in target.spark.table(target.name).collect())


def insert(target: engine.DeltaTarget, rows: str) -> None:
    target.spark.sql(f"INSERT INTO {target.name} VALUES {rows}")


def refused(target: engine.DeltaTarget, said: Sequence[str], **definition: Any) -> None:
    with pytest.raises(Exception) as raised:
        alter(target, **definition)
    assert [text for text in said if text not in str(raised.value)] == []
