"""When the embedded catalog is opened beside Spark's start."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.deltaspark.session import early_catalog
from dbt.adapters.deltaspark.session.early_catalog import opening_the_catalog

HIVE = {"spark.sql.catalogImplementation": "hive", "spark.sql.warehouse.dir": "/w"}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    monkeypatch.setattr(early_catalog, "_open", found.append)
    return found


@pytest.mark.parametrize(
    ("is_there", "confs", "opens"),
    [
        (True, HIVE, True),
        (False, HIVE, False),
        (True, {**HIVE, "spark.sql.catalogImplementation": "in-memory"}, False),
        (True, {"spark.sql.catalogImplementation": "hive"}, False),
    ],
)
def test_only_a_catalog_that_is_there_and_asked_for(
    tmp_path: Path,
    opened: list[dict[str, str]],
    is_there: bool,
    confs: dict[str, str],
    opens: bool,
) -> None:
    if is_there:
        (tmp_path / "derby").mkdir()
    with opening_the_catalog(tmp_path, confs):
        pass
    assert opened == ([confs] if opens else [])


def test_where_there_is_no_folder_for_one_none_is_opened(opened: list[dict[str, str]]) -> None:
    with opening_the_catalog(None, HIVE):
        pass
    assert opened == []


def test_an_error_of_the_start_is_the_error(tmp_path: Path, opened: list[dict[str, str]]) -> None:
    (tmp_path / "derby").mkdir()
    with pytest.raises(ValueError, match="the start"), opening_the_catalog(tmp_path, HIVE):
        raise ValueError("the start")
    assert opened == [HIVE]
