"""Relative places of a profile: in the real project, which a temporary folder may only link to."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from dbt.adapters.deltaspark.session import (
    SessionError,
    SessionSettings,
    as_jar,
    located,
    warning_of_temporary,
)
from dbt.adapters.deltaspark.session.confs import spark_confs

PROJECT = "name: shop\nversion: '1.0'\nprofile: shop\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "seeds").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text(PROJECT)
    return folder


@pytest.fixture
def links(shop: Path, tmp_path: Path) -> Path:
    """A folder of links to the entries of the project, as tools make one and remove it."""
    folder = tmp_path / "links"
    folder.mkdir()
    for entry in shop.iterdir():
        (folder / entry.name).symlink_to(entry)
    return folder


@pytest.fixture
def nothing_is_temporary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    monkeypatch.setattr("dbt.adapters.deltaspark.session.project_folder.TEMPORARY", ())


@pytest.mark.parametrize("place", ["warehouse", "data/warehouse", "./warehouse", "../warehouse"])
def test_a_folder_of_links_has_the_places_of_the_project(
    shop: Path, links: Path, place: str
) -> None:
    assert located(place, links) == str((shop / place).resolve())


def test_a_place_that_is_there_is_found_by_its_link(shop: Path, tmp_path: Path) -> None:
    (shop / "metastore").mkdir()
    links = tmp_path / "links"
    links.mkdir()
    for entry in shop.iterdir():
        (links / entry.name).symlink_to(entry)
    assert located("metastore", links) == str(shop / "metastore")


def test_a_link_to_the_whole_project_has_its_places(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(shop)
    assert located("warehouse", tmp_path / "link") == str(shop / "warehouse")


def test_a_relative_jar_that_came_later_is_the_project_s(shop: Path, links: Path) -> None:
    (shop / "driver.jar").touch()
    assert located("driver.jar", links) == str(shop / "driver.jar")


def test_a_project_that_links_another_s_file_keeps_the_tables_it_has(
    shop: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / "warehouse").mkdir(parents=True)
    (other / "dbt_project.yml").symlink_to(shop / "dbt_project.yml")
    assert located("warehouse", other) == str(other / "warehouse")


def test_a_folder_above_the_links_is_not_taken_for_one_above_the_project(
    shop: Path, tmp_path: Path
) -> None:
    (tmp_path / "warehouse").mkdir()
    links = tmp_path / "run" / "links"
    (tmp_path / "run" / "warehouse").mkdir(parents=True)
    links.mkdir()
    (links / "dbt_project.yml").symlink_to(shop / "dbt_project.yml")
    assert located("../warehouse", links) == str(tmp_path / "warehouse")


def test_a_project_in_a_temporary_folder_is_told_with_the_way_out(shop: Path) -> None:
    warning = warning_of_temporary(shop, "warehouse", "metastore")
    assert warning == (
        "The project lies in a temporary folder, and its tables are gone when that is:"
        f" {shop}/warehouse and {shop}/metastore. Absolute paths as the profile's `warehouse` and"
        " `metastore` keep them elsewhere, or there without this warning"
    )


def test_a_copy_of_the_project_s_file_among_links_is_told(shop: Path, links: Path) -> None:
    (links / "dbt_project.yml").unlink()
    (links / "dbt_project.yml").write_text(PROJECT)
    assert f"{links}/warehouse" in str(warning_of_temporary(links, "warehouse"))


@pytest.mark.parametrize("place", ["/data/warehouse", "/tmp/warehouse", "s3a://shop/w", None])
def test_an_absolute_place_is_there_on_purpose(shop: Path, place: str | None) -> None:
    assert warning_of_temporary(shop, place) is None


def test_what_runs_outside_of_a_project_is_told_nothing(tmp_path: Path) -> None:
    assert warning_of_temporary(tmp_path, "warehouse", "metastore") is None


@pytest.mark.usefixtures("nothing_is_temporary")
def test_a_project_elsewhere_is_told_nothing(shop: Path) -> None:
    assert warning_of_temporary(shop, "warehouse", "metastore") is None


@pytest.mark.parametrize(
    ("path", "jar"),
    [
        ("/a#b/x.jar", "file:///a%23b/x.jar"),
        ("/a%20b/x.jar", "file:///a%2520b/x.jar"),
        ("/a b/ü+[1]/x.jar", "/a b/ü+[1]/x.jar"),
        ("s3a://jars/x.jar#y", "s3a://jars/x.jar#y"),
    ],
)
def test_a_jar_of_a_path_that_spark_would_read_as_a_uri_is_one(path: str, jar: str) -> None:
    assert as_jar(path) == jar


def test_a_catalog_s_folder_whose_name_derby_would_cut_is_refused() -> None:
    settings = SessionSettings(warehouse="/a;b/w", metastore="/a;b/m", master="local[1]")
    with pytest.raises(SessionError, match="cannot be in /a;b/m: Derby ends a folder's name at a"):
        spark_confs(settings, 1)


@pytest.mark.parametrize("folder", ["/shop", "/shop:2", "/a#b", "/a%20b"])
def test_a_folder_of_tables_may_have_any_name(folder: str) -> None:
    assert SessionSettings(warehouse=folder).warehouse_folder == Path(folder)


@pytest.mark.parametrize("place", ["s3a://lake/w", "hdfs:/w", None])
def test_a_place_that_is_no_folder_here_is_none(place: str | None) -> None:
    assert SessionSettings(warehouse=place).warehouse_folder is None
