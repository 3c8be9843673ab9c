"""Tables of one file format where the model has another, and what other formats than Delta take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from pathlib import Path

    from dbt.tests.fixtures.project import TestProjInfo

FORMAT = "file_format=var('format', 'delta')"
REFUSES = (
    "{% if var('fails', false) %} cast(raise_error('broken') as int)"
    " {% else %} {{ var('n', 1) }} {% endif %}"
)
MODELS = {
    "plain.sql": "{{ config(materialized='table', " + FORMAT + ") }} select " + REFUSES + " as n",
    "reads_itself.sql": "{{ config(materialized='table', " + FORMAT + ") }}"
    " select {% if var('n', 1) == 1 %} 1 as n {% else %} n + 1 as n from {{ this }} {% endif %}",
    "guarded.sql": "{{ config(materialized='table', "
    + FORMAT
    + ") }} select {{ var('n', 1) }} as n",
    "added.sql": "{{ config(materialized='incremental', incremental_strategy='append', "
    + FORMAT
    + ") }} select {{ var('n', 1) }} as n",
}
MODELS_YML = """
models:
  - name: guarded
    config: {contract: {enforced: "{{ var('format', 'delta') == 'delta' }}"}}
    columns: [{name: n, data_type: int, constraints: [{type: not_null}]}]
"""
KEPT = """
{% snapshot kept %}
{{ config(strategy='check', unique_key='n', check_cols='all') }} select {{ var('n', 1) }} as n
{% endsnapshot %}
"""
SEEDS_YML = "seeds: [{name: numbers, config: {file_format: \"{{ var('format', 'delta') }}\"}}]"
TABLES = ("plain", "reads_itself", "guarded", "numbers")


def provider(project: TestProjInfo, name: str) -> str:
    about = {row[0]: row[1] for row in rows(project, f"describe extended {{schema}}.{name}")}
    return str(about["Provider"])


def run_sql(project: TestProjInfo, statement: str) -> None:
    project.run_sql(statement.format(schema=project.test_schema))


class TestWhatBecomesDelta:
    """As in a project that comes from dbt-spark, whose tables are parquet where it says nothing."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {**MODELS, "models.yml": MODELS_YML}

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {"numbers.csv": "n\n1\n", "seeds.yml": SEEDS_YML}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept.sql": KEPT}

    @pytest.fixture(scope="class")
    def failed(self, project: TestProjInfo) -> Run:
        dbt(project, "build", "--exclude", "kept", "--vars", "{format: parquet}")
        assert {provider(project, name) for name in (*TABLES, "added")} == {"parquet"}
        return dbt(project, "run", "--select", "plain", "added", "--vars", "{fails: true}")

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, failed: Run) -> Run:
        return dbt(project, "build", "--exclude", "added", "kept", "--vars", "{n: 2}")

    @pytest.mark.embedded("a server says something else")
    def test_convert_to_delta_keeps_the_rows_of_a_snapshot(
        self, project: TestProjInfo, failed: Run
    ) -> None:
        assert dbt(project, "snapshot").status("kept") == "success"
        run_sql(project, "create table {schema}.copy using parquet as select * from {schema}.kept")
        run_sql(project, "drop table {schema}.kept")
        run_sql(project, "alter table {schema}.copy rename to kept")
        second = dbt(project, "snapshot", "--vars", "{n: 2}")
        assert "is a parquet table, and file_format is delta; nothing" in second.message("kept")
        way_out = f"CONVERT TO DELTA `spark_catalog`.`{project.test_schema}`.`kept`"
        assert f"written. {way_out} keeps its rows." in second.message("kept")
        run_sql(project, way_out)
        assert dbt(project, "snapshot", "--vars", "{n: 2}").status("kept") == "success"
        assert rows(project, "select n from {schema}.kept order by n") == [(1,), (2,)]

    @pytest.fixture(scope="class")
    def refreshed(self, project: TestProjInfo, failed: Run) -> Run:
        return dbt(project, "run", "--full-refresh", "--select", "added", "--vars", "{n: 2}")

    def test_the_old_table_stays_where_the_new_rows_fail(
        self, project: TestProjInfo, failed: Run
    ) -> None:
        assert failed.status("plain") == "error"
        assert "broken" in failed.message("plain")
        assert "`plain`, in whose place" in failed.message("plain")
        assert rows(project, "select * from {schema}.plain") == [(1,)]

    @pytest.mark.embedded("a server says something else")
    def test_an_incremental_run_says_what_to_do(self, project: TestProjInfo, failed: Run) -> None:
        assert failed.status("added") == "error"
        told = "is a parquet table, and file_format is delta; nothing was written. Run the model"
        assert told in failed.message("added")
        assert "--full-refresh" in failed.message("added")
        assert rows(project, "select * from {schema}.added") == [(1,)]

    @pytest.mark.parametrize(
        ("name", "n"), [("plain", 2), ("reads_itself", 2), ("guarded", 2), ("numbers", 1)]
    )
    def test_the_new_table_takes_its_place(
        self, project: TestProjInfo, second: Run, name: str, n: int
    ) -> None:
        assert second.status(name) == "success", second.message(name)
        assert provider(project, name) == "delta"
        assert rows(project, f"select * from {{schema}}.{name}") == [(n,)]

    def test_so_does_that_of_a_full_refresh(self, project: TestProjInfo, refreshed: Run) -> None:
        assert refreshed.status("added") == "success", refreshed.message("added")
        assert provider(project, "added") == "delta"
        assert rows(project, "select * from {schema}.added") == [(2,)]

    def test_nothing_else_is_left(self, project: TestProjInfo, second: Run, refreshed: Run) -> None:
        names = {row[1] for row in rows(project, "show tables in {schema}")}
        assert names - {"kept"} == {*TABLES, "added"}


PARQUET = "file_format='parquet'"
GROWING = "select {{ var('n', 1) }} as n {% if var('n', 1) == 2 %} , 'new' as added {% endif %}"


def growing(mode: str) -> str:
    keys = f"materialized='incremental', incremental_strategy='append', {PARQUET}"
    return "{{ config(" + keys + f", on_schema_change='{mode}') " + "}} " + GROWING


OTHERS = {
    "located.sql": "{{ config(materialized='table', location_root=var('root'), "
    + PARQUET
    + ") }} select 'x' as v, "
    + REFUSES
    + " as n",
    "managed.sql": "{{ config(materialized='table', partition_by='v', "
    + PARQUET
    + ") }} select "
    + REFUSES
    + " as n, 'x' as v",
    "described.sql": "{{ config(materialized='table', tblproperties={'steward': \"o'hara\"},"
    " persist_docs={'relation': true, 'columns': true}, optimize={'after_runs': 1}, "
    + PARQUET
    + ") }} select 1 as n",
    "ignores.sql": growing("ignore"),
    "appends.sql": growing("append_new_columns"),
    "syncs.sql": growing("sync_all_columns"),
    "fails.sql": growing("fail"),
    "replaced.sql": "{{ config(materialized='incremental', incremental_strategy='insert_overwrite',"
    f" {PARQUET}) }}}} select {{{{ var('n', 1) }}}} as n",
    "parted.sql": "{{ config(materialized='incremental', incremental_strategy='insert_overwrite', "
    + PARQUET
    + ", partition_by='p' if var('n', 1) == 2 else none) }} select {{ var('n', 1) }} as n, 1 as p",
}
OTHERS_YML = """
models:
  - name: described
    description: The model's
    config: {contract: {enforced: true}}
    columns:
      - {name: n, data_type: int, description: The key, constraints: [{type: not_null}]}
"""
PARQUET_SNAPSHOT = KEPT.replace("check_cols", f"{PARQUET}, check_cols")


class TestOtherFormats:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {**OTHERS, "models.yml": OTHERS_YML}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept.sql": PARQUET_SNAPSHOT}

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo, root: Path) -> Run:
        return dbt(project, "build", "--vars", f"{{root: '{root}'}}")

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, root: Path, first: Run) -> Run:
        variables = f"{{root: '{root}', n: 2}}"
        return dbt(project, "run", "--exclude", "described", "--vars", variables)

    @pytest.mark.parametrize("name", ["located", "managed"])
    def test_a_table_is_replaced_and_stays_where_the_new_rows_fail(
        self, project: TestProjInfo, root: Path, second: Run, name: str
    ) -> None:
        assert second.status(name) == "success", second.message(name)
        assert rows(project, f"select n, v from {{schema}}.{name}") == [(2, "x")]
        variables = f"{{root: '{root}', fails: true}}"
        third = dbt(project, "run", "--select", name, "--vars", variables)
        assert "broken" in third.message(name)
        assert rows(project, f"select n, v from {{schema}}.{name}") == [(2, "x")]
        names = {row[1] for row in rows(project, "show tables in {schema}")}
        assert {each for each in names if "__dbt_" in each} == set()

    def test_a_table_with_a_location_stays_in_it(
        self, project: TestProjInfo, root: Path, second: Run
    ) -> None:
        about = {row[0]: row[1] for row in rows(project, "describe extended {schema}.located")}
        assert about["Location"] == f"file:{root}/{project.test_schema}/located"
        assert about["Type"] == "EXTERNAL"

    def test_properties_and_comments_are_written(self, project: TestProjInfo, first: Run) -> None:
        assert ("steward", "o'hara") in rows(project, "show tblproperties {schema}.described")
        about = rows(project, "describe extended {schema}.described")
        assert about[0] == ("n", "int", "The key")
        assert ("Comment", "The model's", "") in about

    def test_what_is_not_done_is_told(self, first: Run) -> None:
        told = [each for each in first.warnings if "'described'" in each]
        assert [each.partition(".sql): ")[2] for each in told] == [
            "optimize is not done: it needs file_format 'delta', got 'parquet'",
            "constraints are not enforced: that needs file_format 'delta', got 'parquet'",
        ]

    def test_what_spark_s_writer_does_not_count_is_not_told(self, first: Run, second: Run) -> None:
        assert first.message("described").startswith("CREATE 1 rows [")
        assert second.message("replaced").startswith("OVERWRITE 1 inserted, 0 updated [")
        response = second.response("replaced")
        assert response["rows_inserted"] == 1
        assert {"rows_deleted", "files_added", "files_removed"}.isdisjoint(response)

    def test_new_columns_are_told_where_they_are_ignored(
        self, project: TestProjInfo, second: Run
    ) -> None:
        (told,) = [each for each in second.warnings if "'ignores'" in each]
        assert "not written: added" in told
        assert rows(project, "select * from {schema}.ignores order by n") == [(1,), (2,)]

    @pytest.mark.parametrize("name", ["appends", "syncs", "fails"])
    def test_new_columns_are_an_error_where_they_are_asked_for(
        self, project: TestProjInfo, second: Run, name: str
    ) -> None:
        assert second.status(name) == "error"
        assert "added" in second.message(name)
        assert "full" in second.message(name)
        assert rows(project, f"select * from {{schema}}.{name}") == [(1,)]

    def test_partitions_that_the_table_has_not_are_not_taken_for_the_whole_table(
        self, project: TestProjInfo, second: Run
    ) -> None:
        told = "partition_by is ['p'], and the table is partitioned by []"
        assert told in second.message("parted")
        assert rows(project, "select * from {schema}.parted") == [(1, 1)]

    def test_a_snapshot_is_refused_at_once(self, project: TestProjInfo, first: Run) -> None:
        assert first.status("kept") == "error"
        assert "a snapshot needs file_format 'delta', got 'parquet'" in first.message("kept")
        assert rows(project, "show tables in {schema} like 'kept'") == []
