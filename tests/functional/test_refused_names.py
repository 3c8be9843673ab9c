"""Names that lead out of their folder, a key that matches every row: nothing is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt.tests.util import run_dbt
from dbt_common.exceptions import DbtRuntimeError

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
