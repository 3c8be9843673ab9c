"""docs/reference-map.md names places in the engine and in the tests; every one of them exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "dbt/adapters/deltaspark/engine"
MODULES = {
    ".".join(path.relative_to(ENGINE).with_suffix("").parts): path for path in ENGINE.rglob("*.py")
}
PAGE = (ROOT / "docs/reference-map.md").read_text()


def bound(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    """Every name that the statements bind, as `prefix.name`; members of classes below theirs."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield f"{prefix}.{name}"
            case ast.ClassDef(name=name):
                yield f"{prefix}.{name}"
                yield from bound(node.body, f"{prefix}.{name}")
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield f"{prefix}.{name}"


def existing() -> set[str]:
    names = {*MODULES}
    for module, path in MODULES.items():
        names.update(bound(ast.parse(path.read_text()).body, module))
    return names


def quoted(text: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", text))


def table_rows() -> list[list[str]]:
    lines = (line for line in PAGE.splitlines() if line.startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_row_has_a_reference_a_place_and_a_remark() -> None:
    assert [row for row in table_rows() if len(row) != 3 or not row[0] or not row[1]] == []


def test_every_place_exists() -> None:
    places = {name for row in table_rows() for name in quoted(row[1])}
    files = {name for name in places if "/" in name}
    assert {name for name in files if not (ROOT / name).is_file()} == set()
    assert places - files - existing() == set()


def test_what_the_rest_of_the_page_names_of_the_engine_exists() -> None:
    packages = {module.partition(".")[0] for module in MODULES}
    named = {name for name in quoted(PAGE) if name.split(".")[0] in packages}
    named -= {name for name in named if name.startswith("delta.enable")}  # properties of tables
    dotted = {name for name in named if "." in name and "/" not in name}
    assert dotted - existing() == set()
