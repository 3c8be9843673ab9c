"""What the demo prints: one line a model as soon as it is done, and tables that fit a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.json_format import MessageToDict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dbt_common.events.base_types import EventMsg

MODEL_COLUMNS = {
    "model": -18,
    "result": -13,
    "inserted": 8,
    "updated": 7,
    "deleted": 7,
    "files": 7,
    "vectors": 7,
    "route": -16,
    "version": 7,
    "seconds": 7,
}
"""Heading and width of each column; a negative width is aligned to the left."""


def line(cells: Iterable[str], widths: Iterable[int]) -> str:
    """One line of a table, indented."""
    aligned = (
        cell.ljust(-width) if width < 0 else cell.rjust(width)
        for cell, width in zip(cells, widths, strict=True)
    )
    return ("  " + " ".join(aligned)).rstrip()


def number(response: Mapping[str, Any], name: str) -> str:
    """A count of the response as a person writes it; nothing where the adapter gave none."""
    value = response.get(name)
    return "" if value is None else f"{int(value):,}"


def files(response: Mapping[str, Any]) -> str:
    """Files added and removed, as in +3 -2."""
    signed = (("+", "files_added"), ("-", "files_removed"))
    return " ".join(f"{sign}{int(response[name])}" for sign, name in signed if response.get(name))


def done(materialized: str, response: Mapping[str, Any]) -> str:
    """What became of the model, in the adapter's word for it."""
    if response.get("skipped"):
        return "nothing to do"
    return str(response.get("code", materialized)).lower()


def model_line(name: str, materialized: str, result: Mapping[str, Any]) -> str:
    """What one model did."""
    response = result.get("adapter_response") or {}
    cells = (
        name,
        result["status"] if result["status"] != "success" else done(materialized, response),
        number(response, "rows_inserted"),
        number(response, "rows_updated"),
        number(response, "rows_deleted"),
        files(response),
        number(response, "deletion_vectors_added"),
        response.get("route", ""),
        number(response, "delta_version"),
        f"{result['execution_time']:.1f}",
    )
    return line(cells, MODEL_COLUMNS.values())


def print_model_heading() -> None:
    print(line(MODEL_COLUMNS, MODEL_COLUMNS.values()))


def print_finished_model(event: EventMsg) -> None:
    """A dbt event callback: prints the line of a model that has just finished."""
    if event.info.name != "NodeFinished" or event.data.node_info.resource_type != "model":
        return
    node = event.data.node_info
    result = MessageToDict(event.data.run_result, preserving_proto_field_name=True)
    # In one piece with its end: models finish on several threads.
    print(model_line(node.node_name, node.materialized, result) + "\n", end="", flush=True)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table as wide as it needs to be, with text to the left and numbers to the right."""
    body = [[cell(value) for value in row] for row in rows]
    sizes = [max(map(len, column)) for column in zip(headings, *body, strict=True)]
    sides = [-1 if isinstance(value, str) else 1 for value in rows[0]]
    widths = [side * size for side, size in zip(sides, sizes, strict=True)]
    for cells in (headings, ["-" * size for size in sizes], *body):
        print(line(cells, widths))


def cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
