"""Names that lead out of their folder, a key that matches every row: nothing is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt.tests.util import run_dbt, run_dbt_and_capture
from dbt_common.exceptions import DbtRuntimeError
from runs import Run, dbt, rows

MODEL = """
{{{{ config(materialized='{kind}', alias='{alias}', location_root='{root}') }}}}
select 1 as id
"""
ALIASES = {"up": "../../outside", "part": "a/b", "dot": "a.b", "backtick": "a`b", "back": "a\\\\b"}
KEYED = """
{{ config(materialized='incremental', unique_key='id) or (1=1') }}
select 1 as id, {{ 2 if is_incremental() else 1 }} as run
"""


class TestNames:
    @pytest.fixture(scope="class")
    def root(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        return tmp_path_factory.mktemp("root") / "shop" / "tables"

    @pytest.fixture(scope="class")
    def models(self, root: Path) -> dict[str, str]:
        kinds = ("table", "incremental", "view", "table", "incremental")
        return {
            "keyed.sql": KEYED,
            **{
                f"{name}.sql": MODEL.format(kind=kind, alias=alias, root=root)
                for (name, alias), kind in zip(ALIASES.items(), kinds, strict=True)
            },
        }

    def test_what_cannot_be_a_name_is_refused_with_the_model_before_anything_is_written(
        self, project: Any, root: Path
    ) -> None:
        results = run_dbt(["run"], expect_pass=False)
        said = {each.node.name: str(each.message) for each in results}
        for name, alias in ALIASES.items():
            assert f"Model '{name}' (models/{name}.sql) has 1 config problem" in said[name]
            assert f"alias {alias!r} is refused" in said[name]
            assert "give it another alias" in said[name]
        assert "Model 'keyed' (models/keyed.sql) has 1 config problem" in said["keyed"]
        assert "unique_key must be one SQL expression by itself" in said["keyed"]
        assert "got 'id) or (1=1'" in said["keyed"]
        assert not root.exists() and list(root.parent.parent.rglob("*")) == []
        assert project.run_sql(f"show tables in {project.test_schema}", fetch="all") == []

    def test_a_schema_that_leads_out_of_the_warehouse_is_not_created(self, project: Any) -> None:
        adapter = project.adapter
        with adapter.connection_named("names"):
            schema = adapter.Relation.create(database="spark_catalog", schema="../outside")
            with pytest.raises(DbtRuntimeError, match=r"schema '\.\./outside' is refused"):
                adapter.create_schema(schema)


PLAIN = "{{ config(materialized='table') }} select 1 as id"
PYTHON = """
def model(dbt, session):
    dbt.config(materialized="table")
    return session.range(1)
"""
SNAPSHOT = """{% snapshot kept %}
{{ config(strategy='check', unique_key='id', check_cols='all', alias='ke-pt') }}
select 1 as id
{% endsnapshot %}
"""
PROPERTIES = """
models:
  - name: right
    columns:
      - name: id
        data_tests:
          - not_null:
              name: stored
              config: {store_failures: true, alias: 'not-null'}
  - name: told
    description: "{{ 'x' * 40000 }}"
    config: {persist_docs: {relation: true}}
functions:
  - name: added
    config: {alias: 'ad-ded'}
    arguments: [{name: x, data_type: int}]
    returns: {data_type: int}
"""
REFUSED = {
    "my-orders": "alias 'my-orders' is refused, since it has '-'",
    "größe": "alias 'größe' is refused, since it has 'ß', 'ö'",
    "blank": "alias 'a b' is refused, since it has ' '",
    "py-model": "as in `alias: py_model`",
    "my-seed": "as in `alias: my_seed`",
    "kept": "as in `alias: ke_pt`",
    "stored": "as in `alias: not_null`",
    "added": "as in `alias: ad_ded`",
    "Twice": "is also that of model 'twice' (models/other/twice.sql), but for the case",
    "twice": "is also that of model 'Twice' (models/Twice.sql), but for the case",
}


class TestNamesThatTheCatalogDoesNotTake:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, Any]:
        return {
            "right.sql": PLAIN,
            "my-orders.sql": PLAIN,
            "größe.sql": "{{ config(materialized='incremental') }} select 1 as id",
            "blank.sql": "{{ config(materialized='view', alias='a b') }} select 1 as id",
            "py-model.py": PYTHON,
            "Twice.sql": PLAIN,
            "other": {"twice.sql": PLAIN},
            "told.sql": PLAIN,
            "properties.yml": PROPERTIES,
        }

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {"my-seed.csv": "id\n1\n"}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept.sql": SNAPSHOT}

    @pytest.fixture(scope="class")
    def functions(self) -> dict[str, str]:
        return {"added.sql": "x + 1"}

    @pytest.fixture(scope="class")
    def run(self, project: Any) -> Run:
        return dbt(project, "build")

    @pytest.mark.parametrize("name", REFUSED)
    def test_are_refused_with_one_that_it_takes(self, run: Run, name: str) -> None:
        assert run.status(name) == "error"
        assert REFUSED[name] in run.message(name)

    @pytest.mark.embedded("a server's catalog need not be the embedded one")
    def test_so_is_a_comment_for_which_it_has_no_room(self, run: Run) -> None:
        assert run.status("told") == "error"
        assert "has 40000 characters, and the embedded catalog takes 32672" in run.message("told")

    @pytest.mark.embedded("a server's catalog need not be the embedded one")
    def test_nothing_is_written(self, project: Any, run: Run, spark_target: dict[str, Any]) -> None:
        assert [row[1] for row in rows(project, "show tables in {schema}")] == ["right"]
        folder = Path(spark_target["warehouse"], f"{project.test_schema}.db")
        assert [each.name for each in folder.iterdir()] == ["right"]

    def test_debug_tells_of_the_profile_s_schema(self, project: Any) -> None:
        _, shown = run_dbt_and_capture(["debug", "--target", "odd"], expect_pass=False)
        assert "schema 'pr-123' is refused, since it has '-'" in shown
        assert "as in `schema: pr_123`" in shown

    @pytest.fixture(scope="class")
    def profiles_config_update(self, dbt_profile_target: dict[str, Any]) -> dict[str, Any]:
        odd = {**dbt_profile_target, "schema": "pr-123"}
        outputs = {"default": dbt_profile_target, "odd": odd}
        return {"test": {"outputs": outputs, "target": "default"}}

    def test_a_schema_is_refused_before_it_is_made(self, project: Any) -> None:
        adapter = project.adapter
        with adapter.connection_named("names"):
            schema = adapter.Relation.create(database="spark_catalog", schema="pr-123")
            with pytest.raises(DbtRuntimeError, match=r"as in `schema: pr_123`"):
                adapter.create_schema(schema)

    def test_a_clone_is_refused_before_its_folder_is_made(self, project: Any) -> None:
        adapter = project.adapter
        with adapter.connection_named("names"):
            clone = adapter.Relation.create(schema=project.test_schema, identifier="a-clone")
            with pytest.raises(DbtRuntimeError, match=r"as in `alias: a_clone`"):
                adapter.check_name(clone)
