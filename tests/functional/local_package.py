"""A package of the project's own, installed as dbt installs one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dbt.tests.util import run_dbt

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


def install(project: TestProjInfo, name: str, macros: str) -> None:
    """Puts the package beside the project, whose `packages` has it as local, and installs it."""
    package = Path(project.project_root) / name
    (package / "macros").mkdir(parents=True)
    (package / "dbt_project.yml").write_text(
        f"name: {name}\nversion: '1.0'\nconfig-version: 2\nmacro-paths: [macros]\n"
    )
    (package / "macros/all.sql").write_text(macros)
    run_dbt(["deps"])
