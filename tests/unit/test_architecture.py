"""Imports point down the layers; the engine and the session know nothing of dbt."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "dbt/adapters/deltaspark"
ENGINE = PACKAGE / "engine"

ENGINE_LAYERS = (
    "errors",
    "spec metrics jvm lost_driver",
    "files keys statement table_state conflicts",
    "storage_errors rebase scans",
    "commit_outcome commit_checks",
    "log target history alignment definition definition_change",
    "execution merge_request write_request write_command",
    "resolve vectors commands matching_columns constraint_check alteration_commit row_positions",
    "plan table_scan new_table",
    "output source change_feed result",
    "observed",
    "matches selection row_change new_rows creation first_version",
    "rows update",
    "upsert",
    "deletion_vectors insert_only classic native",
    "prediction removal redefinition",
    "replacement",
    "merge change write",
    "builder",
    "alteration api",
    "__init__",
)
ADAPTER_LAYERS = (
    "__version__ secrets",
    "environment jvm_errors jvm_start cursor config_keys listing table_names",
    "config_reader",
    "sql_tokens",
    "session relation scd2_columns table_config schema_change",
    "merge_clauses scd2_arrivals scd2_versions only_changed upkeep other_formats model_rows",
    "model_config scd2",
    "credentials catalog ddl response merge_config scd2_settings batches snapshot_settings",
    "sql_expressions",
    "model_problems strategies python_models ddl_responses",
    "connections materialize snapshot_staging",
    "seeds snapshots unit_tests",
    "catalog_adapter",
    "impl",
    "__init__",
)
WITHOUT_DBT = ("secrets", "jvm_start", "environment", "jvm_errors", "cursor", "session")


def modules(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.py"))


def ranks(layers: tuple[str, ...]) -> dict[str, int]:
    return {name: rank for rank, layer in enumerate(layers) for name in layer.split()}


def imported(path: Path) -> Iterator[str]:
    """Every module that the file imports, wherever in it: 'dbt.x.y', or '.y' beside it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is None:
            yield from ("." * node.level + alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + str(node.module)


def neighbours(path: Path) -> set[str]:
    """The modules of the same folder that the file imports."""
    names = {name.removeprefix(".").split(".")[0] for name in imported(path) if name[0] == "."}
    return names & {other.stem for other in modules(path.parent)}


def uses_dbt(path: Path) -> set[str]:
    return {name for name in imported(path) if name.split(".")[0] in {"dbt", "dbt_common"}}


@pytest.mark.parametrize(
    ("folder", "layers"),
    [(PACKAGE, ADAPTER_LAYERS), (ENGINE, ENGINE_LAYERS)],
    ids=("dbt", "engine"),
)
def test_every_module_has_its_layer(folder: Path, layers: tuple[str, ...]) -> None:
    assert {path.stem for path in modules(folder)} == set(ranks(layers))


@pytest.mark.parametrize("path", modules(ENGINE), ids=lambda path: path.stem)
def test_engine_modules_import_only_lower_layers(path: Path) -> None:
    rank = ranks(ENGINE_LAYERS)
    for name in neighbours(path):
        assert rank[name] < rank[path.stem], f"{path.stem} may not import {name}"


@pytest.mark.parametrize("path", modules(PACKAGE), ids=lambda path: path.stem)
def test_adapter_modules_import_only_lower_layers(path: Path) -> None:
    rank = ranks(ADAPTER_LAYERS)
    for name in neighbours(path):
        assert rank[name] < rank[path.stem], f"{path.stem} may not import {name}"


@pytest.mark.parametrize("path", modules(ENGINE), ids=lambda path: path.stem)
def test_engine_imports_nothing_of_dbt_or_of_the_adapter(path: Path) -> None:
    assert uses_dbt(path) == set()
    assert [name for name in imported(path) if name.startswith("..")] == []


@pytest.mark.parametrize("name", WITHOUT_DBT)
def test_session_modules_import_no_dbt(name: str) -> None:
    assert uses_dbt(PACKAGE / f"{name}.py") == set()


def test_spec_and_errors_of_the_engine_import_no_pyspark() -> None:
    for name in ("errors", "spec"):
        assert [each for each in imported(ENGINE / f"{name}.py") if "spark" in each] == []


@pytest.mark.parametrize("folder", [PACKAGE, ENGINE], ids=lambda path: path.name)
def test_no_module_passes_300_lines(folder: Path) -> None:
    long = {path.name: len(path.read_text().splitlines()) for path in modules(folder)}
    assert {name: lines for name, lines in long.items() if lines > 300} == {}


def test_every_module_is_on_the_map_in_contributing() -> None:
    map_of_the_code = (ROOT / "CONTRIBUTING.md").read_text()
    names = {path.name for path in (*modules(PACKAGE), *modules(ENGINE))} - {"__init__.py"}
    assert {name for name in names if name not in map_of_the_code} == set()
