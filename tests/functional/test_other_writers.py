"""Models that read their own table, while another writer changes it right before their commit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from runs import dbt, incremental, rows

from dbt.adapters.deltaspark.engine.delta import optional
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo
    from pyspark.sql import SparkSession

FIRST = "select 1 as id, 'a' as v, date'2026-01-01' as changed"
OURS = "select id, concat(v, '+ours') as v, date'2026-01-09' as changed from {{ this }}"
REPLACED = ["a+rival+ours"]
ADDED = ["a+rival", "a+rival+ours"]

MODELS: dict[str, tuple[str, list[str]]] = {
    "merges": ("unique_key='id'", REPLACED),
    "deletes_and_inserts": ("incremental_strategy='delete+insert', unique_key='id'", REPLACED),
    "overwrites": ("incremental_strategy='insert_overwrite', replace_on=['id']", REPLACED),
    "replaces": (
        "incremental_strategy='replace_where', incremental_predicates=['id = 1']",
        REPLACED,
    ),
    "appends": ("incremental_strategy='append'", ADDED),
    "keeps_history": (
        "incremental_strategy='scd2', unique_key='id', scd2_updated_at='changed'",
        ADDED,
    ),
}
UPDATE = "UPDATE {name} SET v = concat(v, '+rival')"
REPLACE = """CREATE OR REPLACE TABLE {name} USING delta {layout} AS
    SELECT 7 AS id, 'rival' AS v, date'2026-01-01' AS changed"""


@pytest.fixture
def rivals(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """By table what another writer does to it once, right before the next commit to it."""
    waiting: dict[str, str] = {}
    commit = Transaction.commit

    def interrupted(self: Transaction, *values: Any, **options: Any) -> int | None:
        entry = optional(self.java.catalogTable())  # a table that is being made has none
        if entry is not None and entry.identifier().table() in waiting:
            rival = waiting.pop(entry.identifier().table())
            rival = rival.format(name=entry.identifier().quotedString())
            with ThreadPoolExecutor(1) as elsewhere:
                elsewhere.submit(spark.newSession().sql, rival).result()
        return commit(self, *values, **options)

    monkeypatch.setattr(Transaction, "commit", interrupted)
    return waiting


class TestModelsThatReadTheirTable:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        reading = {
            f"{name}.sql": incremental(config, FIRST, OURS) for name, (config, _) in MODELS.items()
        }
        partitions = "incremental_strategy='insert_overwrite', partition_by='id'"
        return {**reading, "overwrites_partitions.sql": incremental(partitions, FIRST, FIRST)}

    @pytest.mark.embedded("Delta's MERGE does not see what its source reads")
    def test_they_are_computed_from_what_the_other_writer_left(
        self, project: TestProjInfo, rivals: dict[str, str]
    ) -> None:
        dbt(project, "run", "-s", *MODELS)
        rivals.update(dict.fromkeys(MODELS, UPDATE))
        run = dbt(project, "run", "-s", *MODELS)
        assert rivals == {}
        assert {name: run.response(name)["retries"] for name in MODELS} == dict.fromkeys(MODELS, 1)
        found = {
            name: rows(project, f"select v from {{schema}}.{name} order by 1") for name in MODELS
        }
        assert found == {name: [(v,) for v in left] for name, (_, left) in MODELS.items()}

    @pytest.mark.embedded("another writer comes between steps of the engine's own")
    @pytest.mark.parametrize("layout", ["", "PARTITIONED BY (changed)"], ids=["none", "others"])
    def test_rows_of_a_table_replaced_by_one_with_other_partitions_stay(
        self, project: TestProjInfo, rivals: dict[str, str], layout: str
    ) -> None:
        model = ["run", "-s", "overwrites_partitions"]
        dbt(project, *model, "--full-refresh")
        rivals["overwrites_partitions"] = REPLACE.replace("{layout}", layout)
        told = dbt(project, *model).message("overwrites_partitions")
        assert "Partition columns do not match the partition columns of the table" in told
        left = rows(project, "select id, v from {schema}.overwrites_partitions")
        assert left == [(7, "rival")]
