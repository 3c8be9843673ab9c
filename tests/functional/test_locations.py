"""Tables in a folder of the project's choice: what is there when the catalog has no entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from pathlib import Path

    from dbt.tests.fixtures.project import TestProjInfo

ROWS = (
    "select cast({% if var('fails', false) %} raise_error('broken')"
    " {% else %} {{ var('n', 1) }} {% endif %} as int) as n"
)


def model(config: str) -> str:
    return "{{ config(location_root=var('root'), " + config + ") }} " + ROWS


MODELS = {
    "was_a_table.sql": model("materialized=var('kind', 'table')"),
    "counted.sql": model("materialized='incremental'"),
    "guarded.sql": model("materialized='table'"),
    "foreign_files.sql": model("materialized='table'"),
}
MODELS_YML = """
models:
  - name: guarded
    config: {contract: {enforced: true}}
    columns: [{name: n, data_type: int, constraints: [{type: not_null}]}]
"""
KEPT = """
{% snapshot kept %}
{{ config(strategy='check', unique_key='n', check_cols='all', location_root=var('root')) }}
select {{ var('n', 1) }} as n
{% endsnapshot %}
"""
GUARDED = pytest.param(
    "guarded", marks=pytest.mark.embedded("a server makes the table of a contract in two commits")
)
NAMES = ("was_a_table", "counted", GUARDED)


APPENDED = "materialized='incremental', incremental_strategy='append', file_format='parquet'"


def location(project: TestProjInfo, name: str) -> str:
    about = {row[0]: row[1] for row in rows(project, f"describe extended {{schema}}.{name}")}
    return str(about["Location"])


def versions(project: TestProjInfo, root: Path, name: str) -> list[int]:
    """Those of the table in the folder, newest first."""
    folder = root / project.test_schema / name
    return [row[0] for row in rows(project, f"describe history delta.`{folder}`")]


class TestTablesThatTheCatalogDoesNotKnow:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {**MODELS, "models.yml": MODELS_YML}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept.sql": KEPT}

    @pytest.fixture(scope="class")
    def forgotten(self, project: TestProjInfo, root: Path) -> None:
        """A view took one table's name, and the catalog lost the others, whose files stay."""
        folder = root / project.test_schema / "foreign_files"
        folder.mkdir(parents=True)
        (folder / "notes.txt").write_text("not to be lost")
        dbt(project, "build", "--exclude", "foreign_files", "--vars", f"{{root: '{root}'}}")
        variables = f"{{root: '{root}', kind: view}}"
        dbt(project, "run", "--select", "was_a_table", "--vars", variables)
        for name in ("counted", "guarded", "kept"):
            project.run_sql(f"drop table {project.test_schema}.{name}")

    @pytest.fixture(scope="class")
    def failed(self, project: TestProjInfo, root: Path, forgotten: None) -> Run:
        variables = f"{{root: '{root}', fails: true}}"
        return dbt(project, "run", "--select", "counted", "guarded", "--vars", variables)

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, root: Path, failed: Run) -> Run:
        return dbt(project, "build", "--vars", f"{{root: '{root}', n: 2}}")

    @pytest.mark.parametrize("name", ["counted", GUARDED])
    def test_an_error_leaves_the_rows_and_no_entry(
        self, project: TestProjInfo, root: Path, failed: Run, name: str
    ) -> None:
        assert "broken" in failed.message(name)
        assert versions(project, root, name) == [0]
        assert rows(project, f"show tables in {{schema}} like '{name}'") == []

    @pytest.mark.parametrize("name", NAMES)
    def test_they_are_replaced_in_one_commit(
        self, project: TestProjInfo, root: Path, second: Run, name: str
    ) -> None:
        assert second.status(name) == "success", second.message(name)
        assert rows(project, f"select * from {{schema}}.{name}") == [(2,)]
        assert versions(project, root, name) == [1, 0]
        assert second.response(name)["delta_version"] == 1

    def test_a_snapshot_s_history_is_not_replaced(
        self, project: TestProjInfo, root: Path, second: Run
    ) -> None:
        assert second.status("kept") == "error"
        assert versions(project, root, "kept") == [0]

    @pytest.mark.embedded("a server calls it no Delta table")
    def test_a_snapshot_says_what_is_there(self, second: Run) -> None:
        assert "a Delta table is there already" in second.message("kept")

    @pytest.mark.embedded("a server makes a table beside other files")
    def test_other_files_are_left_alone(
        self, project: TestProjInfo, root: Path, second: Run
    ) -> None:
        assert "is not empty and also not a Delta table" in second.message("foreign_files")
        folder = root / project.test_schema / "foreign_files"
        assert [file.name for file in folder.iterdir()] == ["notes.txt"]


class TestTablesThatLieElsewhere:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "counted.sql": model("materialized='incremental'"),
            "guarded.sql": model("materialized='table'"),
            "models.yml": MODELS_YML,
            "whole.sql": model("materialized='table'"),
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
    def moved(self, project: TestProjInfo, root: Path) -> Run:
        dbt(project, "build", "--vars", f"{{root: '{root}'}}")
        same = dbt(project, "build", "--vars", f"{{root: '{root}/'}}")
        assert not [each for each in same.warnings if "location_root" in each]
        return dbt(project, "build", "--vars", f"{{root: '{root}/new', n: 2}}")

    @pytest.fixture(scope="class")
    def refreshed(self, project: TestProjInfo, root: Path, moved: Run) -> Run:
        variables = f"{{root: '{root}/new', n: 2}}"
        return dbt(project, "build", "--full-refresh", "--vars", variables)

    @pytest.mark.parametrize("name", ["counted", "guarded", "kept", "whole", "given"])
    @pytest.mark.parametrize("run", ["moved", "refreshed"])
    def test_they_stay_there_with_a_warning(
        self,
        project: TestProjInfo,
        root: Path,
        name: str,
        run: str,
        request: pytest.FixtureRequest,
    ) -> None:
        found: Run = request.getfixturevalue(run)
        assert found.status(name) == "success", found.message(name)
        told = f"location_root puts the table into {root}/new/{project.test_schema}/{name}, and it"
        assert [each for each in found.warnings if told in each]
        assert not (root / "new").exists()
        assert (2,) in rows(project, f"select n from {{schema}}.{name}")
        (detail,) = rows(project, f"describe detail {{schema}}.{name}")
        assert detail[4].endswith(f"{root}/{project.test_schema}/{name}")


class TestARelativeLocation:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "whole.sql": model("materialized='table'"),
            "counted.sql": model("materialized='incremental'"),
            "guarded.sql": model("materialized='table'"),
            "other.sql": model("materialized='table', file_format='parquet'"),
            "others.sql": model(APPENDED),
            "models.yml": MODELS_YML,
        }

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept.sql": KEPT}

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo) -> Run:
        dbt(project, "build", "--vars", "{root: lake, n: 1}")
        return dbt(project, "build", "--vars", "{root: lake, n: 2}")

    @pytest.mark.parametrize(
        ("name", "found"), [("whole", [2]), ("counted", [1, 2]), ("guarded", [2]), ("kept", [1, 2])]
    )
    def test_is_in_the_warehouse_for_the_first_run_and_the_next(
        self, project: TestProjInfo, second: Run, name: str, found: list[int]
    ) -> None:
        assert second.status(name) == "success", second.message(name)
        assert rows(project, f"select n from {{schema}}.{name} order by n") == [(n,) for n in found]
        (detail,) = rows(project, f"describe detail {{schema}}.{name}")
        assert detail[4].endswith(f"warehouse/lake/{project.test_schema}/{name}")
        assert not [each for each in second.warnings if "location_root" in each]

    @pytest.mark.parametrize(("name", "found"), [("other", [2]), ("others", [1, 2])])
    def test_so_is_that_of_another_format(
        self, project: TestProjInfo, second: Run, name: str, found: list[int]
    ) -> None:
        assert second.status(name) == "success", second.message(name)
        assert rows(project, f"select n from {{schema}}.{name} order by n") == [(n,) for n in found]
        assert location(project, name).endswith(f"warehouse/lake/{project.test_schema}/{name}")
        assert not [each for each in second.warnings if "location_root" in each]
