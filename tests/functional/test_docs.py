"""What `dbt docs generate` finds of tables and views."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession
from runs import dbt, generated_docs

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

TABLES = 40
TABLE = "{{ config(materialized='table') }} "
DEEP = ", ".join(f"'field_{i}', {i}" for i in range(60))
ODD = DEEP.replace("field_", "field-")
MODELS = {
    "parted.sql": "{{ config(materialized='table', partition_by='p') }}"
    " select id, id % 3 as p from range(9)",
    "marked.sql": "{{ config(materialized='incremental', unique_key='id',"
    " tblproperties={'delta.enableDeletionVectors': 'true'}) }}"
    " select id, {{ var('v', 1) }} as v from range({{ var('rows', 100) }})",
    "clustered.sql": "{{ config(materialized='table', liquid_clustered_by='id') }} select 1 as id",
    "seen.sql": "select * from {{ ref('parted') }}",
    "plain_files.sql": "{{ config(materialized='table', file_format='parquet') }} select 1 as id",
    "deep.sql": f"{{{{ config(materialized='table') }}}} select named_struct({DEEP}) as s",
    **{f"t{i}.sql": "{{ config(materialized='table') }} select 1 as id" for i in range(TABLES - 6)},
}
PROPERTIES = """
models:
  - {name: parted, description: nine rows, config: {persist_docs: {relation: true}}}
  - {name: seen, description: a look, config: {persist_docs: {relation: true}}}
"""


class TestDocs:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {**MODELS, "properties.yml": PROPERTIES}

    @pytest.fixture(scope="class")
    def generated(self, project: TestProjInfo) -> tuple[dict[str, Any], list[str]]:
        """Nodes of catalog.json, and the statements that it took."""
        dbt(project, "run")
        dbt(project, "run", "--select", "marked", "--vars", "{v: 2, rows: 3}")
        statements = docs_statements(project)
        written = Path(project.project_root) / "target/catalog.json"
        nodes = json.loads(written.read_text())["nodes"]
        return {key.rpartition(".")[2]: node for key, node in nodes.items()}, statements

    @pytest.fixture(scope="class")
    def nodes(self, generated: tuple[dict[str, Any], list[str]]) -> dict[str, Any]:
        return generated[0]

    def test_each_relation_is_there(self, nodes: dict[str, Any]) -> None:
        assert len(nodes) == TABLES

    def test_a_schema_takes_three_statements(
        self, generated: tuple[dict[str, Any], list[str]]
    ) -> None:
        _, statements = generated
        assert len(statements) <= 4, statements  # and one for the list of schemas

    @pytest.mark.embedded("they come from the log")
    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            ("parted", {"row_count": 9, "partitioned_by": "p"}),
            ("marked", {"row_count": 100, "deletion_vectors": 1}),
            ("clustered", {"row_count": 1, "clustered_by": "id"}),
        ],
    )
    def test_statistics_of_tables(
        self, nodes: dict[str, Any], model: str, expected: dict[str, Any]
    ) -> None:
        found = {key: item["value"] for key, item in nodes[model]["stats"].items()}
        assert found.pop("has_stats") is True
        assert found.pop("bytes") > 0
        assert found.pop("last_modified").endswith(" UTC")
        assert found.items() >= expected.items()
        assert found.keys() - expected.keys() == {"files"}

    @pytest.mark.parametrize("model", ["seen", "plain_files"])
    def test_views_and_other_formats_have_none(self, nodes: dict[str, Any], model: str) -> None:
        assert {*nodes[model]["stats"]} == {"has_stats"}
        assert nodes[model]["stats"]["has_stats"]["value"] is False

    @pytest.mark.embedded("a server knows no owner")
    def test_kinds_comments_and_owners(self, nodes: dict[str, Any]) -> None:
        about = {name: nodes[name]["metadata"] for name in ("parted", "seen", "deep")}
        assert {name: each["type"] for name, each in about.items()} == {
            "parted": "table",
            "seen": "view",
            "deep": "table",
        }
        assert {name: each["comment"] for name, each in about.items()} == {
            "parted": "nine rows",
            "seen": "a look",
            "deep": None,
        }
        assert all(each["owner"] for each in about.values())

    def test_types_are_whole(self, nodes: dict[str, Any]) -> None:
        type_name = nodes["deep"]["columns"]["s"]["type"]
        assert type_name.startswith("struct<field_0:int,")
        assert type_name.endswith(",field_59:int>")


class TestWhatCannotBeRead:
    """Listed as the catalog has it; without the table `docs generate` had ended in an error."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "gone.sql": TABLE + "select 1 as id",
            "narrowed.sql": TABLE
            + "select 1 as id {% if not var('narrow', false) %}, 2 as v{% endif %}",
            "over_gone.sql": "select id from {{ ref('gone') }}",
            "over_narrowed.sql": "select v from {{ ref('narrowed') }}",
            "over_wide.sql": f"select named_struct({ODD}) as s from {{{{ ref('gone') }}}}",
        }

    @pytest.fixture(scope="class")
    def generated(self, project: TestProjInfo) -> tuple[dict[str, Any], list[str]]:
        """Nodes of catalog.json, and the warnings."""
        dbt(project, "run")
        dbt(project, "run", "--select", "narrowed", "--vars", "narrow: true", "--full-refresh")
        project.run_sql("drop table {schema}.gone")
        nodes, warned = generated_docs(project)
        return nodes, [each for each in warned if "cannot be read" in each]

    def test_broken_views_have_the_columns_that_they_were_made_with(
        self, generated: tuple[dict[str, Any], list[str]]
    ) -> None:
        nodes, _ = generated
        assert {name: {*node.columns} for name, node in nodes.items()} == {
            "narrowed": {"id"},
            "over_gone": {"id"},
            "over_narrowed": {"v"},
            "over_wide": {"s"},
        }
        assert {nodes[name].metadata.type for name in ("over_gone", "over_narrowed")} == {"view"}

    @pytest.mark.embedded("DESCRIBE, which a server is asked, cuts long types")
    def test_the_types_of_broken_views_are_whole(
        self, generated: tuple[dict[str, Any], list[str]]
    ) -> None:
        nodes, _ = generated
        fields = ",".join(f"`field-{number}`:int" for number in range(60))
        assert nodes["over_wide"].columns["s"].type == f"struct<{fields}>"

    def test_each_is_a_warning(self, generated: tuple[dict[str, Any], list[str]]) -> None:
        _, warnings = generated
        assert len(warnings) == 3
        assert any("over_gone` cannot be read" in each for each in warnings)

    def test_a_broken_view_is_described_alone_too(
        self, project: TestProjInfo, generated: object
    ) -> None:
        relation = project.adapter.Relation.create(
            database="spark_catalog", schema=project.test_schema, identifier="over_gone"
        )
        with project.adapter.connection_named("alone"):
            found = project.adapter.get_catalog_for_single_relation(relation)
        assert {*found.columns} == {"id"}

    def test_the_project_runs_on(self, project: TestProjInfo, generated: object) -> None:
        run = dbt(project, "run", "--select", "gone", "over_gone")
        assert {str(each.status) for each in run.results.values()} == {"success"}


def docs_statements(project: TestProjInfo) -> list[str]:
    """Each that a session is sent, from wherever; over a server those of cursors."""
    from dbt.adapters.deltaspark.session import cursor

    sent: list[str] = []
    counted: tuple[Any, str] = (cursor, "_run") if "REMOTE" in os.environ else (SparkSession, "sql")
    send = getattr(*counted)

    def noted(session: Any, sql: str, *arguments: Any, **named: Any) -> Any:
        sent.append(sql)
        return send(session, sql, *arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*counted, noted)
        outcome = dbtRunner().invoke(
            ["docs", "generate", "--project-dir", str(project.project_root)]
            + ["--profiles-dir", str(project.profiles_dir)]
        )
    assert outcome.success, outcome.exception
    return sent
