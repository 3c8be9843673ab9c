"""A column `_metadata`, as Spark's own of each file: refused in time, or the rows are right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

FIRST = "select id, 'a' as `_metadata` from values (1), (2) as t(id)"
SECOND = "select id, 'b' as `_metadata` from values (2), (3) as t(id)"
MERGED = [(1, "a"), (2, "b"), (3, "b")]
REFUSED = {
    "merged": "unique_key='id'",
    "replaced": "incremental_strategy='delete+insert', unique_key='id'",
    "where": "incremental_strategy='replace_where', incremental_predicates='id > 0'",
    "versions": "incremental_strategy='scd2', unique_key='id', scd2_check_columns='all'",
    "clustered": "incremental_strategy='insert_overwrite', liquid_clustered_by='id'",
    "asked": "unique_key='id', tblproperties={'delta.enabledeletionvectors': 'TRUE'}",
}
DONE: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "merged_whole": ("unique_key='id', deletion_vectors=false", MERGED),
    "replaced_whole": (
        "incremental_strategy='delete+insert', unique_key='id',"
        " tblproperties={'delta.enableDeletionVectors': 'false'}",
        MERGED,
    ),
    "appended": ("incremental_strategy='append'", [(1, "a"), (2, "a"), (2, "b"), (3, "b")]),
    "overwritten": ("incremental_strategy='insert_overwrite'", [(2, "b"), (3, "b")]),
}
GROWN = incremental(
    "unique_key='id', on_schema_change=var('grows', 'ignore')",
    "select 1 as id",
    "select 2 as id, 'b' as `_METADATA`",
)
SNAPSHOT = """{{% snapshot {name} %}}
{{{{ config(strategy='check', unique_key='id', check_cols=['v'], {config}) }}}}
select 1 as id, {{{{ var('v', 1) }}}} as v {column}
{{% endsnapshot %}}
"""
SNAPSHOTS = {
    "seen": ("deletion_vectors=none", ", 'a' as `_metadata`"),
    "seen_whole": ("deletion_vectors=false", ", 'a' as `_metadata`"),
    "seen_later": ("deletion_vectors=none", "{{ \", 'a' as `_metadata`\" if var('v', 1) == 2 }}"),
}
NAMED = "the column '_metadata' has the name of a column that Spark and Delta find rows by"


class TestHiddenMetadata:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        configs = {**REFUSED, **{name: config for name, (config, _) in DONE.items()}}
        made = {f"{name}.sql": incremental(each, FIRST, SECOND) for name, each in configs.items()}
        kept = "{{ config(materialized='table') }} " + FIRST
        there = incremental("unique_key='id'", FIRST, SECOND)
        return {**made, "grown.sql": GROWN, "kept.sql": kept, "there.sql": there}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {
            f"{name}.sql": SNAPSHOT.format(name=name, config=config, column=column)
            for name, (config, column) in SNAPSHOTS.items()
        }

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        project.run_sql(
            "create table {schema}.there using delta"
            " tblproperties ('delta.enableDeletionVectors' = 'true') as " + FIRST
        )
        return dbt(project, "build")

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run) -> Run:
        return dbt(project, "build", "--vars", "{v: 2, grows: append_new_columns}")

    @pytest.mark.parametrize("name", [*REFUSED, "seen"])
    def test_the_first_run_is_refused_where_no_later_one_could_change_rows(
        self, project: TestProjInfo, first: Run, name: str
    ) -> None:
        assert NAMED in first.message(name)
        assert "name it otherwise, as in _metadata as metadata" in first.message(name)
        assert "or set deletion_vectors: false" in first.message(name)
        tables = rows(project, f"show tables in {project.test_schema} like '{name}'")
        assert tables == []

    @pytest.mark.parametrize(("name", "left"), [(name, case[1]) for name, case in DONE.items()])
    def test_what_is_not_refused_leaves_these_rows(
        self, project: TestProjInfo, second: Run, name: str, left: list[tuple[Any, ...]]
    ) -> None:
        assert second.status(name) == "success", second.message(name)
        assert rows(project, f"select * from {{schema}}.{name} order by 1, 2") == left

    def test_a_table_that_is_made_anew_may_have_it(
        self, project: TestProjInfo, second: Run
    ) -> None:
        assert second.status("kept") == "success"
        assert rows(project, "select * from {schema}.kept order by 1") == [(1, "a"), (2, "a")]

    def test_a_snapshot_without_deletion_vectors_goes_on(
        self, project: TestProjInfo, second: Run
    ) -> None:
        assert second.status("seen_whole") == "success", second.message("seen_whole")
        found = rows(
            project, "select v, _metadata, dbt_valid_to is null from {schema}.seen_whole order by v"
        )
        assert found == [(1, "a", False), (2, "a", True)]

    @pytest.mark.parametrize("name", ["grown", "seen_later"])
    def test_no_table_that_is_there_gets_it(
        self, project: TestProjInfo, second: Run, name: str
    ) -> None:
        assert (
            "which the table would get, has the name of a column that Spark and Delta"
            in second.message(name)
        )
        assert rows(project, f"select id from {{schema}}.{name}") == [(1,)]

    def test_where_it_is_there_beside_deletion_vectors_the_error_says_the_way_out(
        self, project: TestProjInfo, first: Run
    ) -> None:
        assert first.status("there") == "error"
        assert "rename it, or set the table property delta.enableDeletionVectors to false" in (
            first.message("there")
        )
        assert "Write the column with its table" not in first.message("there")
        assert rows(project, "select * from {schema}.there order by 1") == [(1, "a"), (2, "a")]
