"""A project that reads from another catalog than that of its tables: a database, by JDBC."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from dbt.tests.util import run_dbt
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

CATALOG = "spark.sql.catalog.shop"
SOURCES = """\
sources:
  - name: shop
    catalog: shop
    schema: APP
    tables:
      - name: ORDERS
        columns: [{name: ID, data_tests: [unique, not_null]}]
"""


class TestADatabase:
    @pytest.fixture(scope="class")
    def dbt_profile_target(self, dbt_profile_target: dict[str, Any]) -> dict[str, Any]:
        confs = {
            CATALOG: "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog",
            f"{CATALOG}.url": "jdbc:derby:memory:shop;create=true",
            f"{CATALOG}.driver": "org.apache.derby.iapi.jdbc.AutoloadedDriver",
        }
        own = {**dbt_profile_target.get("spark_config", {}), **confs}
        return {**dbt_profile_target, "spark_config": own}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "sources.yml": SOURCES,
            "orders.sql": "{{ config(materialized='incremental', unique_key='ID') }}"
            " select * from {{ source('shop', 'ORDERS') }}",
            "listed.sql": "{{ config(materialized='table') }} select table_name, table_type"
            " from shop.information_schema.tables where table_schema = 'APP'",
            "copied.sql": "{{ config(materialized='table', catalog='shop') }} select 1 as id",
            "target.sql": "select '{{ target.catalog }}.{{ target.database }}' as names",
        }

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Run:
        project.run_sql("create table shop.APP.ORDERS (ID int, V string)")
        project.run_sql("insert into shop.APP.ORDERS values (1, 'a'), (2, 'b')")
        return dbt(project, "build")

    def test_its_tables_are_read_as_sources(self, project: TestProjInfo, run: Run) -> None:
        assert run.status("orders") == "success", run.message("orders")
        query = "select ID, V from {schema}.orders order by ID"
        assert rows(project, query) == [(1, "a"), (2, "b")]

    def test_its_tables_are_tested(self, run: Run) -> None:
        tests = [str(each.status) for name, each in run.results.items() if "ORDERS" in name]
        assert tests == ["pass", "pass"]

    def test_its_information_schema_knows_no_views(self, project: TestProjInfo, run: Run) -> None:
        assert run.status("listed") == "success", run.message("listed")
        assert rows(project, "select * from {schema}.listed") == [("ORDERS", "BASE TABLE")]

    def test_a_model_cannot_be_made_in_it_and_the_others_are(self, run: Run) -> None:
        assert run.status("copied") == "error"
        assert "JDBC catalog" in run.message("copied")

    def test_a_target_has_the_catalog_by_both_names(self, project: TestProjInfo, run: Run) -> None:
        assert rows(project, "select * from {schema}.target") == [("spark_catalog.spark_catalog",)]

    def test_docs_have_its_columns(self, project: TestProjInfo, run: Run) -> None:
        catalog = run_dbt(["docs", "generate"])
        (found,) = catalog.sources.values()
        assert {name: each.type for name, each in found.columns.items()} == {
            "ID": "int",
            "V": "string",
        }


class TestACatalogThatIsNotThere:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        lost = "{{ config(database='nowhere') }} select 1 as id"
        return {"lost.sql": lost, "kept.sql": "select 1 as id"}

    def test_who_does_not_build_in_it_is_not_stopped(self, project: TestProjInfo) -> None:
        run = dbt(project, "run", "--select", "kept")
        assert run.status("kept") == "success"
        assert {*run_dbt(["docs", "generate"]).nodes} == {"model.test.kept"}

    def test_it_is_named_with_the_way_out(self, project: TestProjInfo) -> None:
        with pytest.raises(AssertionError) as raised:
            dbt(project, "run")
        told = str(raised.value)
        assert "Spark has no catalog `nowhere`, which is the `database` of a model" in told
        assert "spark_config: {spark.sql.catalog.nowhere: …}" in told

    def test_so_is_that_of_a_profile(self, project: TestProjInfo) -> None:
        profiles = Path(project.profiles_dir, "profiles.yml")
        known = yaml.safe_load(profiles.read_text())
        outputs = known["test"]["outputs"]
        outputs["databricks"] = {**outputs["default"], "catalog": "main"}
        profiles.write_text(yaml.safe_dump(known))
        with pytest.raises(AssertionError) as raised:
            dbt(project, "run", "--select", "kept", "--target", "databricks")
        told = str(raised.value)
        assert "Spark has no catalog `main`, which is the `database` of a model" in told
