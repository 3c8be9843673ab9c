"""A model whose table has lost a file: dbt's message names it and says what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlparse

import pytest
from runs import dbt, incremental, rows

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
        assert f"a file cannot be read, file:{file}: it does not exist" in said
        assert said.index("a file cannot be read") < said.index("Nothing was committed")
        lost.rename(file)
        assert dbt(project, "run").response("facts")["rows_updated"] == 1
