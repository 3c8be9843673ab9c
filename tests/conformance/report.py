"""docs/conformance.md from the results of a whole run of the suite (JUnit's XML)."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from deviations import DEVIATIONS
from maintainers import THEIRS
from not_applicable import NOT_APPLICABLE
from overrides import OVERRIDES
from suite import SHARE, classes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs/conformance.md"
DBT_SPARK = HERE / "dbt_spark.json"
HEAD = """# dbt's own suite

This page is written by `make test-conformance`, which runs every class of dbt-tests-adapter
{suite} with the bodies of its tests untouched. Of {classes} classes {left} cannot apply; of the
{tests} tests of the others {passed} pass and {failed} fail on purpose, for the reasons below.
{overridden} classes have another database's SQL or words, in a fixture or a check that their
tests call, in Spark's (`tests/conformance/overrides.py`). {added} of the tests are added to the
suite's, and {replaced} of the suite's has other parameters: [our own](#our-own-tests).
Where dbt-spark or dbt-databricks skip or replace one of these in their own tests, it is said beside
the reason (`tests/conformance/maintainers.py`); an empty field is no statement about them.
What the suite itself sends, to set up and to look, is Postgres' SQL, translated; what dbt sends
never is. `make test` runs one class in {share}, others at the next commit.
"""
BESIDE = """
The last column is dbt-spark {version} on the same Spark, through `method: session`: the same
tests and fixtures, Delta as the format of every `CREATE TABLE`, and for every node
`+file_format: delta` and `+incremental_strategy: merge`.
"""
REPLACED = "the suite's, whose body is called, with Spark's parameters: no materialized view"
ADDED = "added to the suite's, and counted with them: they ask for what its own cannot see here"
BY_OTHERS = "dbt-spark's and dbt-databricks' tests"
COLUMNS = ("family", "classes", "cannot apply", "tests", "pass", "fail on purpose")


def outcomes(results: Iterable[Path]) -> dict[str, Counter[str]]:
    """How many tests of each class passed, failed, and failed on purpose (skipped)."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for case in (case for path in results for case in ElementTree.parse(path).iter("testcase")):
        _, is_of_the_suite, owner = case.get("classname", "").rpartition(".Test_")
        if not is_of_the_suite:
            continue
        family, _, name = owner.partition("__")
        said = {child.tag for child in case}
        outcome = "failed" if said & {"failure", "error"} else "skipped" if said else "passed"
        found[f"{family}.{name}"][outcome] += 1
    return found


def page(ours: Mapping[str, Counter[str]], theirs: Mapping[str, Mapping[str, int]]) -> str:
    total = sum(ours.values(), Counter[str]())
    own = Counter(_own_tests().values())
    head = HEAD.format(
        suite=version("dbt-tests-adapter"),
        classes=len(classes()),
        left=len(NOT_APPLICABLE),
        tests=total.total(),
        passed=total["passed"],
        failed=total["skipped"],
        overridden=len(OVERRIDES),
        added=own[ADDED],
        replaced=own[REPLACED],
        share=SHARE,
    )
    beside = BESIDE.format(version=version("dbt-spark")) if theirs else ""
    why = {name: " ".join((kind.__doc__ or "").split()) for name, kind in OVERRIDES.items()}
    return "\n".join(
        [
            head + beside.rstrip("\n"),
            *_families(ours, theirs),
            *_by_reason("Fail on purpose", DEVIATIONS, THEIRS),
            *_by_reason("In Spark's SQL", why),
            *_by_reason("Our own tests", _own_tests()),
            *_by_reason("Cannot apply", NOT_APPLICABLE, THEIRS),
            "",
        ]
    )


def _own_tests() -> dict[str, str]:
    """The tests that the overrides have, and whether the suite has them, too."""
    return {
        f"{name}::{test}": REPLACED if hasattr(classes()[name], test) else ADDED
        for name, kind in OVERRIDES.items()
        for test in dir(kind)
        if test.startswith("test_")
    }


def _families(
    ours: Mapping[str, Counter[str]], theirs: Mapping[str, Mapping[str, int]]
) -> Iterable[str]:
    members: dict[str, list[str]] = defaultdict(list)
    for name in classes():
        members[name.partition(".")[0]].append(name)
    columns = (*COLUMNS, "pass with dbt-spark") if theirs else COLUMNS
    yield from ("", f"| {' | '.join(columns)} |", "|---|" + "--:|" * (len(columns) - 1))
    for family, names in sorted(members.items()):
        total = sum((ours[name] for name in names if name in ours), Counter[str]())
        left = sum(name in NOT_APPLICABLE for name in names)
        counts = [len(names), left or "", total.total(), total["passed"], total["skipped"] or ""]
        if theirs:
            counts.append(sum(theirs.get(name, {}).get("passed", 0) for name in names))
        yield f"| {family} | {' | '.join(map(str, counts))} |"


def _by_reason(
    title: str, why: Mapping[str, str], theirs: Mapping[str, str] | None = None
) -> Iterable[str]:
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, reason in sorted(why.items()):
        names[reason.rstrip("."), (theirs or {}).get(name, "")].append(f"`{name}`")
    columns = ("why", "what", BY_OTHERS)[: 3 if theirs else 2]
    yield from ("", f"## {title}", "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|")
    for (reason, by_others), found in sorted(names.items()):
        yield f"| {' | '.join((reason, ', '.join(found), by_others)[: len(columns)])} |"


if __name__ == "__main__":
    adapter, *paths = sys.argv[1:]
    found = outcomes(map(Path, paths))
    if adapter == "spark":
        DBT_SPARK.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    else:
        theirs = json.loads(DBT_SPARK.read_text()) if DBT_SPARK.exists() else {}
        PAGE.write_text(page(found, theirs))
