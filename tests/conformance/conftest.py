"""What dbt's own suite needs here: Spark's SQL, a warehouse of its own, nothing left behind."""

from __future__ import annotations

import getpass
import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from dbt.adapters.spark.impl import SparkAdapter
from dbt.adapters.sql import SQLAdapter
from of_others import ignored
from postgres import sparks_sql
from pyspark.sql import SparkSession

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbt.tests.fixtures.project import TestProjInfo

IS_DBT_SPARK = os.environ.get("ADAPTER") == "spark"
"""Whether the suite runs with dbt-spark, on the same Spark, instead of with the adapter."""
FOLDERS = {"models", "macros", "snapshots", "seeds", "tests", "functions"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ignored(items, "ignore:Session-scoped fixtures defined as instance methods")


@pytest.fixture(scope="session")
def spark_target(spark_target: dict[str, Any], worker_id: str) -> dict[str, Any]:
    """The profile's target; WAREHOUSE names a folder whose tables outlive this process."""
    if "WAREHOUSE" not in os.environ:
        return spark_target
    folder = Path(os.environ["WAREHOUSE"]) / worker_id
    kept = {"warehouse": str(folder / "warehouse"), "metastore": str(folder / "metastore")}
    return {**spark_target, **kept}


@pytest.fixture(scope="session")
def dbt_profile_target(
    spark_target: dict[str, Any], request: pytest.FixtureRequest
) -> dict[str, Any]:
    """The adapter's, or dbt-spark's."""
    if not IS_DBT_SPARK:
        return dict(spark_target)
    spark_target["spark_config"]["spark.sql.sources.default"] = "delta"
    request.getfixturevalue("spark")
    return {"type": "spark", "method": "session", "host": "none", "threads": 4}


@pytest.fixture(scope="session")
def schemas_of_projects() -> set[str]:
    """The schemas that the projects had; what they call a custom schema begins with its name."""
    return set()


@pytest.fixture(scope="session", autouse=True)
def nothing_left_behind(
    spark_target: dict[str, Any], schemas_of_projects: set[str]
) -> Iterator[None]:
    """A whole run leaves no schema but custom ones, which the suite does not drop, and no table's
    folder once they are dropped.
    """
    yield
    if "WAREHOUSE" not in os.environ:
        return
    session = SparkSession.builder.getOrCreate()
    schemas = {name for (name,) in session.sql("SHOW SCHEMAS").collect()} - {"default"}
    custom = {name for name in schemas if name.startswith(tuple(schemas_of_projects))}
    assert schemas - custom == set()
    for schema in custom:
        session.sql(f"DROP SCHEMA {schema} CASCADE")
    assert session.sql("SHOW TABLES IN default").collect() == []
    left = [str(each) for each in Path(spark_target["warehouse"]).rglob("_delta_log")]
    assert left == []


@pytest.fixture(scope="session", autouse=True)
def in_sparks_sql() -> Iterator[None]:
    """What the suite itself sends, to set up and to look, it writes in Postgres' SQL."""
    adapter = SparkAdapter if IS_DBT_SPARK else SQLAdapter
    send = adapter.run_sql_for_tests

    def sent(self: SQLAdapter, sql: str, fetch: str | None, conn: Any) -> Any:
        rows = [send(self, statement, fetch, conn) for statement in sparks_sql(sql)]
        return rows[-1] if rows else None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adapter, "run_sql_for_tests", sent)
        yield


@pytest.fixture(scope="class")
def dbt_project_yml(dbt_project_yml: dict[str, Any], project_root: Path) -> dict[str, Any]:
    """The project's settings; dbt-spark makes tables of Delta's, and merges, where they say so."""
    if IS_DBT_SPARK:
        merging = {"+file_format": "delta", "+incremental_strategy": "merge"}
        for kind in ("models", "seeds", "snapshots"):
            dbt_project_yml[kind] = {**merging, **(dbt_project_yml.get(kind) or {})}
        Path(project_root, "dbt_project.yml").write_text(yaml.safe_dump(dbt_project_yml))
    return dbt_project_yml


@pytest.fixture(scope="class")
def project_files(project_files: None, project_root: Path, request: pytest.FixtureRequest) -> None:
    """The project's files, with what an override replaces in them."""
    replaced = getattr(request.cls, "replaced", {})
    for path in Path(project_root).rglob("*.*") if replaced else ():
        if path.parent.name in FOLDERS or path.name == "dbt_project.yml":
            text = path.read_text()
            for old, new in replaced.items():
                text = text.replace(old, new)
            path.write_text(text)


@pytest.fixture(scope="class")
def test_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of the suite's own module."""
    suites = next(kind for kind in request.cls.__mro__ if kind.__module__.startswith("dbt."))
    return Path(inspect.getfile(suites)).parent


@pytest.fixture(scope="class")
def project(
    project: TestProjInfo, test_dir: Path, schemas_of_projects: set[str]
) -> Iterator[TestProjInfo]:
    """The project, whose tests lie where the suite's do.

    Before dbt's fixture drops its schema no relation that the adapter makes in passing is left.
    """
    project.test_dir = str(test_dir)
    schema = project.test_schema.lower()
    schemas_of_projects.add(schema)
    yield project
    if not IS_DBT_SPARK:
        assert [name for name in _relations(f"{schema}*") if "__dbt_" in name] == []


def _relations(schemas: str) -> list[str]:
    session = SparkSession.builder.getOrCreate()
    return [
        table.tableName
        for (schema,) in session.sql(f"SHOW SCHEMAS LIKE '{schemas}'").collect()
        for table in session.sql(f"SHOW TABLES IN {schema}").collect()
        if not table.isTemporary
    ]


@pytest.fixture(scope="class")
def test_data_dir(test_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder `data`; where there is none, one to write into."""
    own = test_dir / "data"
    return own if own.is_dir() else tmp_path_factory.mktemp("data")


@pytest.fixture(scope="class")
def profile_user() -> str:
    """The owner of what is created: the profile names no user."""
    return getpass.getuser()
