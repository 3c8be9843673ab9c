"""The classes of dbt-tests-adapter, by family and name."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import dbt.tests.adapter

ROOT = Path(next(iter(dbt.tests.adapter.__path__)))
SHARE = 32
"""`make test` runs one class in so many."""


def classes() -> dict[str, type]:
    """The classes with tests by `family.Name`, in the order of the files.

    A base that the suite itself extends by an empty class is left out: that class runs its tests.
    """
    found = [cls for path in sorted(ROOT.rglob("*.py")) for cls in _of(path)]
    extended = {cls.__mro__[1] for cls in found if not _members(cls)}
    return {f"{family(cls)}.{cls.__name__}": cls for cls in found if cls not in extended}


def family(cls: type) -> str:
    """The suite's folder that the class lies in: `basic`, `incremental`, …"""
    return cls.__module__.split(".")[3]


def _of(path: Path) -> list[type]:
    name = ".".join(path.relative_to(ROOT.parents[2]).with_suffix("").parts)
    members = vars(importlib.import_module(name)).values()
    own = [each for each in members if inspect.isclass(each) and each.__module__ == name]
    return [cls for cls in own if any(member.startswith("test_") for member in dir(cls))]


def _members(cls: type) -> list[str]:
    return [name for name in vars(cls) if not name.startswith("__")]
