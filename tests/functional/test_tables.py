"""Tables, seeds, views and snapshots: what is created, and what stays on the next run."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from dbt.tests.util import run_dbt
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from pathlib import Path

    from dbt.tests.fixtures.project import TestProjInfo

SEED = """id,big,exact,ratio,text,word,day
1,9007199254740993,1.10,0.5,it's "here",a b,2026-01-31
2,,,,,,
3,1,2.00,1.25,Ünïcode\\n,null,2026-02-28
"""
SEED_YML = "seeds: [{name: numbers, config: {column_types: {exact: 'decimal(9,2)'}}}]"
LAYOUT = """{{ config(materialized='table', partition_by='day', tblproperties={'steward': "o'hara"},
                     location_root=var('root'), persist_docs={'relation': true, 'columns': true}) }}
select 1 as id, date'2026-01-01' as day
"""
LAYOUT_YML = r"""
models:
  - name: layout
    description: "It's a \\ table."
    columns:
      - name: id
        description: "{{ var('about_id', \"The key's first\") }}"
        data_tests: [{not_null: {config: {store_failures: true}}}]
  - name: commented
    description: "{{ var('about_id', 'first') }}"
    columns: [{name: id, description: "{{ var('about_id', 'first') }}"}, {name: v}]
  - name: casts
    columns: [{name: whole, data_type: bigint}, {name: broken, data_type: int}]
  - name: described_view
    description: "It's a ${view}."
    config: {materialized: view, persist_docs: {relation: true, columns: true}}
    columns: [{name: ID, description: "one's \"own\"\n\\ ${id}"}]
"""
WAS_A_VIEW = """{{ config(materialized=var('kind', 'view'), unique_key='id') }} select 1 as id"""
COMMENTED = """{{ config(materialized='incremental',
                        persist_docs={'relation': true, 'columns': true}) }}
select 1 as id, 2 as v
"""
CASTS = """{{ config(materialized='table', contract={'enforced': true}) }}
{% call set_sql_header(config) %}
set spark.sql.session.timeZone = Asia/Tokyo;
create temporary function one() returns bigint return 1;
{% endcall %}
select {{ dbt.safe_cast("'x'", 'int') }} as broken, one() as whole
"""
REBUILT = """{{ config(materialized='table', deletion_vectors=false) }}
select {{ var('n', 1) }} as n
"""
PEOPLE = """
{% snapshot people %}
{{ config(strategy='check', unique_key=['a', 'b'], check_cols=['v'], hard_deletes='new_record') }}
{% if var('later', false) %}
select * from values (1, 1, 'new', 'x'), (3, 3, 'v', 'x') as t(a, b, v, w)
{% else %}
select * from values (1, 1, 'old'), (2, 2, 'v') as t(a, b, v)
{% endif %}
{% endsnapshot %}
"""


class TestTables:
    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {
            "numbers.csv": SEED,
            "seeds.yml": SEED_YML,
        }

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "layout.sql": LAYOUT,
            "layout.yml": LAYOUT_YML,
            "described_view.sql": "select 1 as id, 2 as v",
            "was_a_view.sql": WAS_A_VIEW,
            "rebuilt.sql": REBUILT,
            "commented.sql": COMMENTED,
            "casts.sql": CASTS,
        }

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"people.sql": PEOPLE}

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo, root: Path) -> Run:
        return dbt(project, "build", "--vars", f"{{root: '{root}'}}")

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run, root: Path) -> Run:
        changed = 'kind: incremental, n: 2, later: true, about_id: "The key\'s new text"'
        return dbt(project, "build", "--vars", f"{{root: '{root}', {changed}}}")

    def test_everything_is_built_twice(self, first: Run, second: Run) -> None:
        results = [result for run in (first, second) for result in run.results.values()]
        told = [result.message for result in results if result.status not in ("success", "pass")]
        assert told == []

    def test_seed_values_are_exact(self, project: TestProjInfo, first: Run) -> None:
        assert rows(project, "select * except (day) from {schema}.numbers order by id") == [
            (1, 9007199254740993, Decimal("1.10"), 0.5, 'it\'s "here"', "a b"),
            (2, None, None, None, None, None),
            (3, 1, Decimal("2.00"), 1.25, "Ünïcode\\n", None),
        ]

    def test_seed_types_are_declared_or_found(self, project: TestProjInfo, first: Run) -> None:
        types = rows(project, "describe {schema}.numbers")
        assert [each[1] for each in types] == [
            "bigint",
            "bigint",
            "decimal(9,2)",
            "double",
            "string",
            "string",
            "date",
        ]

    @pytest.mark.embedded("the history has Delta's own word")
    @pytest.mark.parametrize("name", ["numbers", "rebuilt"])
    def test_a_rebuild_is_one_more_commit(
        self, project: TestProjInfo, second: Run, name: str
    ) -> None:
        history = rows(project, f"describe history {{schema}}.{name}")
        assert [(each[0], each[4]) for each in history] == [
            (1, "CREATE OR REPLACE TABLE AS SELECT"),
            (0, "CREATE TABLE AS SELECT"),
        ]
        assert len(second.statements_of(name)) == 1

    def test_a_table_is_created_with_its_whole_layout(
        self, project: TestProjInfo, first: Run, root: Path
    ) -> None:
        detail = project.run_sql(f"describe detail {project.test_schema}.layout", fetch="one")
        assert detail["location"] == f"file:{root}/{project.test_schema}/layout"
        assert (detail["partitionColumns"], detail["description"]) == (["day"], "It's a \\ table.")
        assert detail["properties"]["steward"] == "o'hara"
        assert detail["properties"]["delta.enableDeletionVectors"] == "true"

    def test_comments_of_columns_come_with_the_table(
        self, project: TestProjInfo, second: Run
    ) -> None:
        assert rows(project, "describe {schema}.layout")[0] == ("id", "int", "The key's new text")
        assert second.response("layout")["delta_version"] == 1

    def test_changed_comments_of_a_table_that_stays_are_written(
        self, project: TestProjInfo, second: Run
    ) -> None:
        columns = rows(project, "describe {schema}.commented")
        assert columns[:2] == [("id", "int", "The key's new text"), ("v", "int", None)]
        detail = project.run_sql(f"describe detail {project.test_schema}.commented", fetch="one")
        assert detail["description"] == "The key's new text"
        assert len(second.statements_of("commented")) == 1

    def test_a_contract_orders_the_columns_that_its_header_makes_possible(
        self, project: TestProjInfo, first: Run
    ) -> None:
        assert rows(project, "select * from {schema}.casts") == [(1, None)]

    def test_a_view_has_its_comments(self, project: TestProjInfo, first: Run) -> None:
        columns = rows(project, "describe {schema}.described_view")
        assert columns[:2] == [("id", "int", 'one\'s "own"\n\\ ${id}'), ("v", "int", None)]
        assert ("Comment", "It's a ${view}.") in [
            each[:2] for each in rows(project, "describe extended {schema}.described_view")
        ]

    def test_deletion_vectors_can_be_turned_off(self, project: TestProjInfo, first: Run) -> None:
        properties = rows(project, "show tblproperties {schema}.rebuilt")
        assert ("delta.enableDeletionVectors", "false") in properties

    def test_a_view_makes_room_for_a_table(self, project: TestProjInfo, second: Run) -> None:
        assert rows(project, "show views in {schema} like 'was_a_view'") == []
        assert rows(project, "select * from {schema}.was_a_view") == [(1,)]

    def test_a_snapshot_keeps_what_was(self, project: TestProjInfo, second: Run) -> None:
        kept = rows(
            project,
            "select a, b, v, w, dbt_is_deleted, dbt_valid_to is null as current"
            " from {schema}.people order by a, dbt_valid_from, dbt_is_deleted",
        )
        assert kept == [
            (1, 1, "old", None, "False", False),
            (1, 1, "new", "x", "False", True),
            (2, 2, "v", None, "False", False),
            (2, 2, "v", None, "True", True),
            (3, 3, "v", "x", "False", True),
        ]

    def test_a_snapshot_leaves_no_view_and_no_helper_columns(
        self, project: TestProjInfo, second: Run
    ) -> None:
        assert rows(project, "show views in {schema} like 'people*'") == []
        columns = [name for name, *_ in rows(project, "describe {schema}.people")]
        assert [name for name in columns if name.startswith("dbt_unique_key")] == []

    def test_dbt_sees_three_part_names(self, project: TestProjInfo, first: Run) -> None:
        relation: Any = first.results["layout"].node.relation_name
        assert relation == f"`spark_catalog`.`{project.test_schema}`.`layout`"


FORMATTED = (
    "{{ config(materialized='table', file_format=var('format', 'parquet')) }} select 1 as id"
)
MATERIALIZED_VIEW = "{{ config(materialized='materialized_view') }} select 1 as id"

NO_SCHEMA = """
{%- set temporary = this.incorporate(path={'schema': none, 'identifier': 'one_row'}) -%}
{%- if execute -%}
  {%- do run_query(create_table_as(var('temporary'), temporary, 'select 1 as id')) -%}
{%- endif -%}
select * from {{ temporary }}
"""

RENAMED = """
{% macro renamed(kind) %}
  {%- set made = this.incorporate(path={'identifier': 'a_' ~ kind}, type=kind) -%}
  {%- set target = make_backup_relation(made, kind) -%}
  {%- if execute -%}
    {%- do run_query('create ' ~ kind ~ ' ' ~ made ~ ' as select 1 as id') -%}
    {%- do adapter.rename_relation(made, target) -%}
    {{ return('select id from ' ~ load_cached_relation(target)) }}
  {%- endif -%}
{% endmacro %}
"""
DROPPED = """
{% macro dropped() %}
  {%- do adapter.drop_relation(api.Relation.create(identifier='one_row', type='table')) -%}
{% endmacro %}
"""


class TestRelationsWithoutASchema:
    """Packages make tables so, which other platforms drop with the session."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "no_schema.sql": "{{ config(materialized='table', schema='own') }}" + NO_SCHEMA,
            "renames.sql": "{{ renamed('table') }} union all {{ renamed('view') }}",
        }

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"renamed.sql": RENAMED, "dropped.sql": DROPPED}

    def test_a_relation_is_renamed_within_its_catalog(self, project: TestProjInfo) -> None:
        run = dbt(project, "run", "--select", "renames")
        assert run.status("renames") == "success", run.message("renames")
        assert rows(project, "select * from {schema}.renames") == [(1,), (1,)]

    def test_a_temporary_one_is_a_view_of_the_session(self, project: TestProjInfo) -> None:
        run = dbt(project, "run", "--select", "no_schema", "--vars", "temporary: true")
        assert run.status("no_schema") == "success", run.message("no_schema")
        assert rows(project, "show tables in {schema} like 'one_row'") == []

    def test_another_is_a_table_of_the_profiles_schema_until_it_is_dropped(
        self, project: TestProjInfo
    ) -> None:
        run = dbt(project, "run", "--select", "no_schema", "--vars", "temporary: false")
        assert run.status("no_schema") == "success", run.message("no_schema")
        assert rows(project, "select * from {schema}.one_row") == [(1,)]
        run_dbt(["run-operation", "dropped"])
        assert rows(project, "show tables in {schema} like 'one_row'") == []


class TestWhatSparkHasNot:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"formatted.sql": FORMATTED, "mat_view.sql": MATERIALIZED_VIEW}

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        return dbt(project, "run")

    def test_a_materialized_view_is_told_with_what_there_is(self, first: Run) -> None:
        assert first.status("mat_view") == "error"
        told = "Model 'mat_view' (models/mat_view.sql): Spark has no materialized views;"
        assert told in str(first.message("mat_view"))

    def test_a_table_stays_where_its_new_format_is_not_installed(
        self, project: TestProjInfo, first: Run
    ) -> None:
        assert first.status("formatted") == "success"
        second = dbt(project, "run", "--select", "formatted", "--vars", "format: iceberg")
        assert second.status("formatted") == "error"
        assert "iceberg" in str(second.message("formatted"))
        assert rows(project, "select * from {schema}.formatted") == [(1,)]
