"""Models that are partitioned where they were clustered, and the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from pathlib import Path

    from dbt.tests.fixtures.project import TestProjInfo

MODEL = """{{{{ config(materialized='{kind}', {more} partition_by=var('parts', none),
                       liquid_clustered_by=var('cluster', none)) }}}}
select {{{{ var('id', 1) }}}} as id, 'monday' as day
{{% if var('reads', false) %}} union all select id + 10, day from {{{{ this }}}} {{% endif %}}
"""
SPACED = """{{ config(materialized='incremental', partition_by='my day') }}
select 1 as id, 'monday' as `my day`
"""
SYNCED = """{{ config(materialized='incremental', unique_key='id',
                      on_schema_change='sync_all_columns', partition_by=var('parts', none),
                      liquid_clustered_by=var('cluster', none),
                      auto_liquid_cluster=var('keeps', false)) }}
select {{ var('id', 1) }} as id, 'x' as v {% if var('whole', true) %}, 'monday' as day {% endif %}
"""
KEYED = "unique_key='id',"
PARTITIONED, CLUSTERED = "parts: day", "cluster: id"


def run(project: TestProjInfo, name: str, variables: str, *options: str) -> Run:
    return dbt(project, "run", "--select", name, *options, "--vars", "{" + variables + "}")


def layout(project: TestProjInfo, name: str) -> tuple[list[str], list[str]]:
    (details,) = rows(project, f"describe detail {{schema}}.{name}")
    return list(details[7]), list(details[8])


def told_of(run: Run, name: str) -> str:
    return "\n".join(each for each in run.warnings if f"'{name}'" in each)


class TestLayouts:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "grown.sql": MODEL.format(kind="incremental", more=KEYED),
            "whole.sql": MODEL.format(kind="table", more=""),
            "placed.sql": MODEL.format(kind="table", more="location_root=var('root', none),"),
            "parted.sql": MODEL.format(kind="incremental", more=KEYED),
            "bared.sql": MODEL.format(kind="incremental", more=KEYED),
            "spaced.sql": SPACED,
            "synced.sql": SYNCED,
            "synced_too.sql": SYNCED,
        }

    def test_a_clustered_table_is_made_anew_with_partitions_by_a_full_refresh(
        self, project: TestProjInfo
    ) -> None:
        run(project, "grown", CLUSTERED)
        later = run(project, "grown", f"{PARTITIONED}, id: 2")
        assert later.status("grown") == "success", later.message("grown")
        told = told_of(later, "grown")
        assert "partition_by is ['day'], and the table is clustered by ['id']" in told
        assert "until a run with --full-refresh drops it" in told
        run(project, "grown", f"{PARTITIONED}, id: 3")
        variables = f"{PARTITIONED}, id: 4, reads: true"
        refreshed = run(project, "grown", variables, "--full-refresh")
        assert refreshed.status("grown") == "success", refreshed.message("grown")
        assert "its history ends" in told_of(refreshed, "grown")
        assert layout(project, "grown") == (["day"], [])
        found = rows(project, "select id, day from {schema}.grown order by id")
        assert found == [(4, "monday"), (11, "monday"), (12, "monday"), (13, "monday")]
        assert "history" not in told_of(
            run(project, "grown", PARTITIONED, "--full-refresh"), "grown"
        )

    def test_a_table_model_is_made_anew_with_partitions(self, project: TestProjInfo) -> None:
        run(project, "whole", CLUSTERED)
        second = run(project, "whole", f"{PARTITIONED}, id: 2")
        assert second.status("whole") == "success", second.message("whole")
        assert layout(project, "whole") == (["day"], [])
        assert rows(project, "select id, day from {schema}.whole") == [(2, "monday")]

    def test_warnings_that_are_errors_leave_the_clustered_table_there(
        self, project: TestProjInfo
    ) -> None:
        run(project, "whole", CLUSTERED, "--full-refresh")
        variables = "{" + PARTITIONED + ", id: 3}"
        strict = dbt(project, "--warn-error", "run", "--select", "whole", "--vars", variables)
        assert strict.status("whole") == "error"
        assert layout(project, "whole") == ([], ["id"])

    def test_a_clustered_table_in_a_location_stays_and_the_error_tells_the_way_out(
        self, project: TestProjInfo, tmp_path: Path
    ) -> None:
        root = f"root: '{tmp_path}'"
        run(project, "placed", f"{root}, {CLUSTERED}")
        second = run(project, "placed", f"{root}, {PARTITIONED}, id: 2")
        message = second.message("placed")
        assert "partition_by is ['day'], and the table is clustered by ['id']" in message
        assert "drop the table" in message
        assert str(tmp_path) in message
        third = run(project, "placed", f"{PARTITIONED}, id: 3")
        assert str(tmp_path) in third.message("placed")
        assert rows(project, "select id from {schema}.placed") == [(1,)]

    def test_a_partitioned_table_is_clustered_by_a_full_refresh_alone(
        self, project: TestProjInfo
    ) -> None:
        run(project, "parted", PARTITIONED)
        later = run(project, "parted", f"{CLUSTERED}, id: 2")
        assert later.status("parted") == "error"
        assert "1 config problem" in later.message("parted")
        assert "run the model with --full-refresh" in later.message("parted")
        assert rows(project, "select id from {schema}.parted") == [(1,)]
        refreshed = run(project, "parted", f"{CLUSTERED}, id: 2", "--full-refresh")
        assert refreshed.status("parted") == "success", refreshed.message("parted")
        assert layout(project, "parted") == ([], ["id"])

    def test_partitions_that_the_model_has_no_more_stay_until_a_full_refresh(
        self, project: TestProjInfo
    ) -> None:
        run(project, "bared", PARTITIONED)
        later = run(project, "bared", "id: 2")
        assert later.status("bared") == "success", later.message("bared")
        told = "partition_by is not set, and the table is partitioned by ['day']; it keeps that"
        assert f"{told} until a run with --full-refresh" in told_of(later, "bared")
        assert layout(project, "bared") == (["day"], [])
        refreshed = run(project, "bared", "id: 3", "--full-refresh")
        assert layout(project, "bared") == ([], [])
        after = run(project, "bared", "id: 4")
        assert [told_of(each, "bared") for each in (refreshed, after)] == ["", ""]

    def test_a_partition_column_whose_name_has_a_space_is_known(
        self, project: TestProjInfo
    ) -> None:
        run(project, "spaced", "")
        again = run(project, "spaced", "")
        assert again.status("spaced") == "success", again.message("spaced")
        assert told_of(again, "spaced") == ""

    @pytest.mark.parametrize(
        ("name", "first", "later", "how"),
        [
            ("synced", PARTITIONED, "", "partitioned"),
            ("synced_too", "cluster: day", "keeps: true,", "clustered"),
        ],
    )
    def test_a_column_of_the_layout_that_the_model_has_no_more_stays_until_a_full_refresh(
        self, project: TestProjInfo, name: str, first: str, later: str, how: str
    ) -> None:
        run(project, name, first)
        message = run(project, name, f"{later} whole: false, id: 2").message(name)
        assert "1 config problem" in message
        assert f"would drop day, by which the table is {how}, and Delta drops no such" in message
        assert "take it out of the settings and run the model with --full-refresh" in message
        assert rows(project, f"select * from {{schema}}.{name}") == [(1, "x", "monday")]
        refreshed = run(project, name, "whole: false, id: 2", "--full-refresh")
        assert refreshed.status(name) == "success", refreshed.message(name)
        assert rows(project, f"select * from {{schema}}.{name}") == [(2, "x")]
