"""`dbt debug` tells an adapter no project: its folders are those of the one that dbt looks at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from dbt.adapters.factory import reset_adapters
from dbt.cli.main import dbtRunner

from dbt.adapters.deltaspark import connections
from dbt.adapters.deltaspark.session import SessionError, SessionSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from dbt_common.events.base_types import EventMsg

PROFILE = "shop: {target: dev, outputs: {dev: {type: deltaspark, schema: shop}}}"


def dbt_project(folder: Path) -> Path:
    folder.mkdir()
    (folder / "dbt_project.yml").write_text("name: shop\nversion: '1.0'\nprofile: shop\n")
    (folder / "profiles.yml").write_text(PROFILE)
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[SessionSettings]:
    """What Spark is asked for, which does not start."""
    seen: list[SessionSettings] = []

    def refuse(settings: SessionSettings, *_: object, **__: object) -> None:
        seen.append(settings)
        raise SessionError("no Spark here")

    monkeypatch.setattr(connections, "open_session", refuse)
    monkeypatch.setenv("DBT_SEND_ANONYMOUS_USAGE_STATS", "false")
    return seen


def debug(*arguments: str, note: Callable[[EventMsg], None] = lambda _: None) -> None:
    try:
        dbtRunner(callbacks=[note]).invoke(
            ["--log-level-file", "none", "debug", "--connection", *arguments]
        )
    finally:
        reset_adapters()


@pytest.mark.parametrize("option", ["../shop", "absolute"])
def test_debug_with_project_dir_looks_into_that_projects_folders(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[SessionSettings]
) -> None:
    shop, here = dbt_project(tmp_path / "shop"), dbt_project(tmp_path / "here")
    monkeypatch.chdir(here)
    named = str(shop) if option == "absolute" else option
    debug("--project-dir", named, "--profiles-dir", str(shop))
    assert [each.metastore for each in asked] == [str(shop / "metastore")]


def test_debug_in_a_folder_of_links_looks_into_the_project_they_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[SessionSettings]
) -> None:
    shop, links = dbt_project(tmp_path / "shop"), tmp_path / "links"
    links.mkdir()
    (links / "dbt_project.yml").symlink_to(shop / "dbt_project.yml")
    debug("--project-dir", str(links), "--profiles-dir", str(shop))
    assert [(each.warehouse, each.metastore) for each in asked] == [
        (str(shop / "warehouse"), str(shop / "metastore"))
    ]


def test_a_project_in_a_temporary_folder_is_told_once_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[SessionSettings]
) -> None:
    shop = dbt_project(tmp_path / "shop")
    warnings: list[tuple[str, int]] = []

    def note(event: EventMsg) -> None:
        if event.info.level == "warn":
            warnings.append((event.info.msg, len(asked)))

    debug("--project-dir", str(shop), "--profiles-dir", str(shop), note=note)
    ((told, already_asked),) = warnings
    assert "The project lies in a temporary folder" in told
    assert f"{shop}/warehouse and {shop}/metastore" in told
    assert already_asked == 0


def test_debug_in_a_project_looks_into_its_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[SessionSettings]
) -> None:
    shop = dbt_project(tmp_path / "shop")
    monkeypatch.chdir(shop)
    debug()
    assert [each.metastore for each in asked] == [str(shop / "metastore")]


def test_debug_outside_of_a_project_leaves_no_folders_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[SessionSettings]
) -> None:
    (tmp_path / "profiles.yml").write_text(PROFILE)
    monkeypatch.chdir(tmp_path)
    debug("--profiles-dir", str(tmp_path))
    assert [each.metastore is not None and str(tmp_path) in each.metastore for each in asked] == [
        False
    ]
