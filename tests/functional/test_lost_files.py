"""A model whose table has lost a file, or its log: what dbt says, and what goes on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlparse

import pytest
from runs import dbt, generated_docs, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


class TestLostFiles:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        model = incremental("unique_key='id'", "select 1 as id, 1 as n", "select 1 as id, 2 as n")
        return {"facts.sql": model}

    @pytest.mark.embedded("the error is Delta's")
    def test_a_lost_data_file_is_named_in_the_first_line(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        ((uri,),) = rows(project, "select input_file_name() from {schema}.facts")
        file = Path(urlparse(uri).path)
        lost = file.rename(file.with_suffix(".lost"))
        run = dbt(project, "run")
        assert run.status("facts") == "error"
        said = run.message("facts")
        of_dbt, first, *others = said.splitlines()
        assert of_dbt == "Runtime Error in model facts (models/facts.sql)"
        assert first == f"  a file cannot be read, file:{file}: it does not exist"
        assert any("Nothing was committed" in each for each in others)
        lost.rename(file)
        assert dbt(project, "run").response("facts")["rows_updated"] == 1


@pytest.mark.embedded("a server keeps what it has read of the log")
class TestDamagedLog:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        table = "{{ config(materialized='table') }} select 1 as id"
        return {"damaged.sql": table, "whole.sql": table}

    def test_docs_have_the_others_and_warn(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        ((uri,),) = rows(project, "select input_file_name() from {schema}.damaged")
        log = Path(urlparse(uri).path).parent / "_delta_log"
        for file in [*log.glob("*.crc")]:
            file.unlink()
        (log / f"{0:020}.json").write_text("{no json\n")
        with project.adapter.connection_named("damage"):
            session = project.adapter.connections.get_thread_connection().handle.session
            session._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
        nodes, warned = generated_docs(project)
        assert [*nodes] == ["whole"]
        (told,) = [each for each in warned if "cannot be read" in each]
        assert "damaged` cannot be read, and its columns may be out of date" in told
