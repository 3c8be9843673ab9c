"""Tables in folders whose names mean something in a URI, or in a pattern of paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, rows
from test_locations import APPENDED, KEPT, MODELS_YML, location, model

if TYPE_CHECKING:
    from pathlib import Path

    from dbt.tests.fixtures.project import TestProjInfo

PYTHON = """
def model(dbt, session):
    dbt.config(materialized="table")
    return session.createDataFrame([(2,)], "n int")
"""
ODD = "a#b%20c%1 [1]{x,y}+?ü*:d"
"""Characters that mean something in a URI, or in a pattern of paths, and here themselves."""


class TestOddPlaces:
    """Two roots that differ after their `#` alone; tables of one may stay there."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "whole.sql": model("materialized='table'"),
            "counted.sql": model("materialized='incremental'"),
            "guarded.sql": model("materialized='table'"),
            "other.sql": model("materialized='table', file_format='parquet'"),
            "others.sql": model(APPENDED),
            "in_python.py": PYTHON,
            "models.yml": MODELS_YML + "  - name: in_python\n"
            "    config: {location_root: \"{{ var('root') }}\"}\n",
        }

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {"given.csv": "n\n2\n"}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"seeds": {"+location_root": "{{ var('root', '') }}"}}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept.sql": KEPT}

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, root: Path) -> Run:
        dbt(project, "build", "--vars", f"{{root: '{root}/odd/{ODD}', n: 1}}")
        return dbt(project, "build", "--vars", f"{{root: '{root}/odd/{ODD}', n: 2}}")

    @pytest.mark.parametrize(
        ("name", "found"),
        [
            ("whole", [2]),
            ("counted", [1, 2]),
            ("guarded", [2]),
            ("other", [2]),
            ("others", [1, 2]),
            ("in_python", [2]),
            ("given", [2]),
            ("kept", [1, 2]),
        ],
    )
    def test_have_the_rows_and_no_warning_at_the_next_run(
        self, project: TestProjInfo, root: Path, second: Run, name: str, found: list[int]
    ) -> None:
        assert second.status(name) == "success", second.message(name)
        assert rows(project, f"select n from {{schema}}.{name} order by n") == [(n,) for n in found]
        assert location(project, name) == f"file:{root}/odd/{ODD}/{project.test_schema}/{name}"
        assert [each for each in second.warnings if "location_root" in each] == []

    def test_a_clone_of_such_a_table_has_its_rows(self, project: TestProjInfo, second: Run) -> None:
        project.run_sql(
            f"create table {project.test_schema}.cloned shallow clone {project.test_schema}.whole"
        )
        assert rows(project, "select n from {schema}.cloned") == [(2,)]

    def test_a_root_of_another_end_is_another(
        self, project: TestProjInfo, root: Path, second: Run
    ) -> None:
        variables = f"{{root: '{root}/odd/{ODD}e', n: 3}}"
        third = dbt(project, "run", "--select", "counted", "other", "--vars", variables)
        assert "e/" in location(project, "other")
        assert rows(project, "select n from {schema}.other") == [(3,)]
        (warning,) = [each for each in third.warnings if "location_root" in each]
        assert "'counted'" in warning and "it stays there" in warning
