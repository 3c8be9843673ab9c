"""A disk that is full and a folder that takes no file, as `dbt run` tells them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlparse

import pytest
from runs import dbt, incremental, rows
from storage import fill, locked, small_disk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbt.tests.fixtures.project import TestProjInfo

OF_DBT = "Runtime Error in model facts (models/facts.sql)"


@pytest.mark.embedded("a server's folders are its own")
class TestFailingStorage:
    @pytest.fixture(scope="class")
    def disk(self, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
        with small_disk(tmp_path_factory.mktemp("storage") / "disk") as folder:
            yield folder

    @pytest.fixture(scope="class")
    def models(self, disk: Path) -> dict[str, str]:
        config = f"unique_key='id', location_root='{disk}'"
        first, later = "select 1 as id, 1 as n", "select 1 as id, 2 as n"
        return {"facts.sql": incremental(config, first, later)}

    def test_what_fails_is_in_the_first_line(self, project: TestProjInfo, disk: Path) -> None:
        dbt(project, "run")
        ((uri,),) = rows(project, "select input_file_name() from {schema}.facts")
        table = Path(urlparse(uri).path).parent
        filling = fill(disk)
        assert self.said(project) == f"  the disk is full at file:{table}: No space left on device"
        filling.unlink()
        with locked(table):
            said = self.said(project)
            assert said.startswith(f"  the storage refused access at {table}/part-"), said
        assert dbt(project, "run").response("facts")["rows_updated"] == 1

    def said(self, project: TestProjInfo) -> str:
        """The line after dbt's own."""
        of_dbt, first, *_ = dbt(project, "run").message("facts").splitlines()
        assert of_dbt == OF_DBT
        return first
