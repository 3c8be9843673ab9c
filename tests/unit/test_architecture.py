"""Packages import those before them by their faces, in no circle; dbt stays above the engine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "dbt/adapters/deltaspark"

ORDER = (
    "column_names near_names sql_lexemes",
    "engine.errors engine.metrics engine.internal_columns",
    "engine.spec",
    "engine.text_lengths engine.anew",
    "engine.table_clauses",
    "engine.delta",
    "engine.plan",
    "engine.result",
    "engine.definition",
    "engine.merge",
    "engine.change",
    "engine.write",
    "engine.analysis engine.observed engine.detail engine.remote",
    "engine.embedded",
    "engine.backend",
    "engine.builder",
    "engine.api",
    "engine",
    "session",
    "profile_problems",
    "credentials exact_tables",
    "profile_warnings log_bridge",
    "connections",
    "scd2",
    "settings",
    "catalog",
    "materialize notices",
    "statements",
    "impl",
    "",
)
"""Packages, and modules that lie beside packages, by their dotted names; "" is the adapter's."""
RANKS = {name: rank for rank, line in enumerate(ORDER) for name in line.split() or [""]}
WITHOUT_DBT = ("engine", "session", "scd2", "column_names", "near_names", "sql_lexemes")
LONGEST, LONGEST_FUNCTION, MEDIAN_FUNCTION = 300, 50, 8


def module_of(path: Path) -> str:
    """A file's dotted name in the adapter's package; that of a package's face is the package's."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


FILES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
BESIDE = [
    path
    for folder, pattern in (
        ("tests", "**/*.py"),
        ("benchmarks", "*.py"),
        ("integration_tests", "*.py"),
    )
    for path in sorted((ROOT / folder).glob(pattern))
]
FACES = [name for name, path in FILES.items() if path.name == "__init__.py"]


def room_of(module: str) -> str:
    """What the module is ranked by: its package, or itself where it lies beside packages."""
    if module in RANKS:
        return module
    return module.rpartition(".")[0]


def imported(module: str) -> Iterator[str]:
    """Every module of the adapter that this one imports, wherever in it."""
    for place, name, is_bare in imported_names(module):
        below = f"{place}.{name}" if place else name
        # A package's face may have a function that is called as one of its modules.
        yield below if below in FILES and is_bare else place


def imported_names(module: str) -> Iterator[tuple[str, str, bool]]:
    """What it is imported from, the name, and whether that was `from .` alone, or `from ..`."""
    package = module if module in FACES else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(FILES[module].read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package.split(".") if package else []
            base = base[: len(base) - node.level + 1]
            place = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((place, alias.name, node.module is None) for alias in node.names)


def imported_elsewhere(module: str) -> set[str]:
    nodes = [*ast.walk(ast.parse(FILES[module].read_text()))]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [
        str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and not node.level
    ]
    return {*names}


def test_every_file_has_its_place() -> None:
    assert {room_of(module) for module in FILES} - {"__version__"} <= {*RANKS}
    assert {room for room in RANKS if room not in FILES} == set()


@pytest.mark.parametrize("module", FILES)
def test_a_package_imports_only_packages_before_it(module: str) -> None:
    rank = RANKS.get(room_of(module), 0)
    others = {other for other in imported(module) if room_of(other) != room_of(module)}
    assert {other for other in others if RANKS[room_of(other)] >= rank} == set()


@pytest.mark.parametrize("module", FILES)
def test_others_are_imported_by_their_faces(module: str) -> None:
    others = {other for other in imported(module) if room_of(other) != room_of(module)}
    assert {other for other in others if other not in RANKS} == set()


def exported(face: str) -> set[str]:
    """Names of its __all__."""
    body = ast.parse(FILES[face].read_text()).body
    lists = [each.value for each in body if isinstance(each, ast.Assign) and named(each, "__all__")]
    return {name for each in lists for name in ast.literal_eval(each)}


def named(assignment: ast.Assign, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in assignment.targets)


@pytest.mark.parametrize("module", FILES)
def test_of_a_face_only_what_it_exports_is_imported(module: str) -> None:
    assert {
        f"{place}: {name}"
        for place, name, is_bare in imported_names(module)
        if place in FACES and place != room_of(module) and not is_bare
        if name not in exported(place)
    } == set()


@pytest.mark.parametrize("package", FACES)
def test_no_circle_is_inside_a_package(package: str) -> None:
    inside = {name for name in FILES if name != package and room_of(name) == package}
    graph = {name: {other for other in imported(name) if other in inside} for name in inside}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", [each for each in FILES if each.split(".")[0] in WITHOUT_DBT])
def test_what_lies_below_the_adapter_imports_no_dbt(module: str) -> None:
    found = {name.split(".")[0] for name in imported_elsewhere(module)}
    assert found & {"dbt", "dbt_common"} == set()


@pytest.mark.parametrize("module", ["engine.errors", "engine.spec"])
def test_values_of_the_engine_import_no_pyspark(module: str) -> None:
    assert [name for name in imported_elsewhere(module) if "spark" in name] == []


@pytest.mark.parametrize("path", (*FILES.values(), *BESIDE), ids=lambda path: path.stem)
def test_no_file_and_no_function_is_long(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= LONGEST
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    assert {each.name for each in functions if lines_of_code(each) > LONGEST_FUNCTION} == set()


def test_half_of_the_functions_are_short() -> None:
    trees = [ast.parse(path.read_text()) for path in FILES.values()]
    functions = [
        node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    ]
    whole = [(each.end_lineno or 0) - each.lineno + 1 for each in functions]
    assert median(whole) <= MEDIAN_FUNCTION


def test_no_two_files_of_tests_have_one_name() -> None:
    """pytest imports them by it, and refuses the second where all tests run together."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted({*names})


def lines_of_code(function: ast.FunctionDef) -> int:
    first, *_ = function.body[ast.get_docstring(function) is not None :] or function.body
    return (function.end_lineno or 0) - first.lineno + 1


def test_docs_architecture_has_the_first_line_of_every_package() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    lines = {name: (ast.get_docstring(ast.parse(FILES[name].read_text())) or "") for name in FACES}
    first = {name: text.partition("\n")[0] for name, text in lines.items()}
    assert {name: line for name, line in first.items() if not line or line not in page} == {}


def test_docs_architecture_draws_who_imports_whom() -> None:
    arrows, drawn = arrows_of_the_page(), {}
    for name in {*arrows}.union(*arrows.values()):
        drawn["engine.definition" if name == "alteration" else name] = name
        drawn[f"engine.{name}"] = name
    imports = {
        (drawn[room_of(module)], drawn[room_of(other)])
        for module in FILES
        for other in imported(module)
        if room_of(module) in drawn and room_of(other) in drawn
    }
    assert {(one, other) for one, other in imports if other not in reached(arrows, one)} == set()
    TopologicalSorter(arrows).prepare()


def arrows_of_the_page() -> dict[str, set[str]]:
    """Those of its diagram, from a package to what it imports; from a frame to what is in it."""
    diagram = (ROOT / "docs/architecture.md").read_text().split("```")[1]
    arrows: dict[str, set[str]] = {}
    for line in diagram.replace('["definition"]', "").splitlines():
        groups = [{name.strip() for name in group.split("&")} for group in line.split("-->")]
        for first, second in pairwise(groups):
            arrows |= {name: arrows.get(name, set()) | second for name in first}
            if line.startswith(8 * " "):
                arrows["engine"] = arrows.get("engine", set()) | first
    return arrows


def reached(arrows: dict[str, set[str]], start: str) -> set[str]:
    """The package, and those to which arrows lead, also through others."""
    found: set[str] = set()
    new = {start}
    while new:
        found |= new
        new = {after for name in new for after in arrows.get(name, ())} - found
    return found
