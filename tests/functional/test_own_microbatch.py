"""A microbatch strategy of the project's own, on the helper that dbt-core dispatches to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

STRATEGY = """
{% macro get_incremental_microbatch_sql(arg_dict) %}
  {% do print('own strategy') %}
  {{ return(adapter.dispatch('get_incremental_microbatch_sql', 'dbt')(arg_dict)) }}
{% endmacro %}
"""
CONFIG = (
    "{{ config(materialized='incremental', incremental_strategy='microbatch', batch_size='day',"
    " event_time='EVENT_TIME', begin='2026-01-01', lookback=3) }}\n"
)
DAYS = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-04")
DAY = "cast('{{ model.batch.event_time_start }}' as date)"
COLUMNS = {
    "at": f"cast({DAY} as timestamp) + interval 5 hours",
    "ntz": f"cast({DAY} as timestamp_ntz)",
    "day": DAY,
}
VALUE = "'{{ var('v', 'old') }}' as v"


def model(name: str, moment: str) -> str:
    """Later runs have the columns in another order."""
    return (
        CONFIG.replace("EVENT_TIME", name)
        + f"{{% if var('v', none) %}} select 1 as n, {VALUE}, {moment} as {name}"
        + f"{{% else %}} select {moment} as {name}, {VALUE}, 1 as n {{% endif %}}"
    )


class TestOwnMicrobatch:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"flags": {"require_batched_execution_for_custom_microbatch_strategy": True}}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"own.sql": STRATEGY}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        models = {f"by_{name}.sql": model(name, text) for name, text in COLUMNS.items()}
        models["outside.sql"] = model("day", "date'2026-01-02'")
        models["no_time.sql"] = model("text", "'a'")
        return models

    @pytest.fixture(scope="class")
    def again(self, project: TestProjInfo) -> Run:
        dbt(project, "run", *DAYS)
        return dbt(project, "run", "--vars", "v: 'new'", *DAYS)

    @pytest.mark.parametrize("name", COLUMNS)
    def test_each_batch_is_replaced(self, project: TestProjInfo, again: Run, name: str) -> None:
        assert again.status(f"by_{name}") == "success", again.message(f"by_{name}")
        assert "own strategy" in again.printed
        found = rows(project, f"select date({name}), v, n from {{schema}}.by_{name} order by 1")
        assert [(str(day), v, n) for day, v, n in found] == [
            (f"2026-01-0{day}", "new", 1) for day in (1, 2, 3)
        ]

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("outside", "DELTA_REPLACE_WHERE_MISMATCH"),
            ("no_time", "event_time 'text' must be a date or a timestamp, it is string"),
        ],
    )
    def test_a_row_of_no_batch_is_an_error(
        self,
        project: TestProjInfo,
        again: Run,
        capsys: pytest.CaptureFixture[str],
        name: str,
        told: str,
    ) -> None:
        before = rows(project, f"select * from {{schema}}.{name}")
        run = dbt(project, "run", "--select", name, *DAYS)
        assert run.status(name) in ("error", "partial success")
        assert told in capsys.readouterr().out
        assert rows(project, f"select * from {{schema}}.{name}") == before


class TestWithoutBatches:
    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"own.sql": STRATEGY}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"whole.sql": model("day", "date'2026-01-02'")}

    def test_a_run_of_no_batch_is_told_of_the_flag(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        message = dbt(project, "run").message("whole")
        assert "require_batched_execution_for_custom_microbatch_strategy: true" in message
