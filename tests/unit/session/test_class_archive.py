"""Which archive of classes a JVM gets, and what happens where there is none."""

from __future__ import annotations

import atexit
import os
from pathlib import Path

import pytest

from dbt.adapters.deltaspark.session import archiving, class_archive
from dbt.adapters.deltaspark.session.class_archive import (
    FOLDER,
    OPTIONS,
    archive_of,
    cache_folder,
    with_archive,
)

LOCAL = {"spark.master": "local[2]"}


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "java"
    (home / "bin").mkdir(parents=True)
    (home / "lib").mkdir()
    (home / "lib/modules").touch()
    (home / "bin/java").touch(mode=0o755)
    monkeypatch.setenv("JAVA_HOME", str(home))
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    return home


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What is to be done when the process ends."""
    registered: list[tuple[object, ...]] = []
    monkeypatch.setattr(atexit, "register", lambda *call: registered.append(call))
    return registered


def test_a_local_jvm_starts_from_the_archive_and_keeps_its_own_options(java: Path) -> None:
    archive = archive_of(LOCAL)
    assert archive is not None
    archive.parent.mkdir()
    archive.touch()
    options = with_archive({**LOCAL, OPTIONS: "-Dmine=1"})[OPTIONS]
    assert options.startswith(f'"-XX:SharedArchiveFile={archive}" ')
    assert options.endswith(" -Dmine=1")


def test_own_options_of_sharing_classes_win(
    java: Path, later: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    confs = {**LOCAL, OPTIONS: '-Dmine=1 "-XX:ArchiveClassesAtExit=/mine.jsa"'}
    assert with_archive(confs) == confs
    archive = archive_of(LOCAL)
    assert archive is not None
    archive.parent.mkdir()
    archive.touch()
    assert with_archive(confs) == confs
    assert later == []


def test_an_archive_that_is_not_there_is_made_when_the_process_has_ended(
    java: Path, later: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    confs = {**LOCAL, "spark.jars": "/jars/delta.jar,/jars/mine.jar"}
    assert with_archive(confs) == confs
    jars = ["/jars/delta.jar", "/jars/mine.jar"]
    assert later == [(class_archive.made_in_background, archive_of(LOCAL), jars)]


def test_a_machine_of_ci_makes_none(
    java: Path, later: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    assert with_archive(LOCAL) == LOCAL
    assert later == []


@pytest.mark.parametrize("confs", [{}, {"spark.master": "yarn"}], ids=["none", "yarn"])
def test_a_jvm_that_is_not_local_has_none(java: Path, confs: dict[str, str]) -> None:
    assert archive_of(confs) is None


def test_another_java_has_another_archive(java: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = archive_of(LOCAL)
    java.rename(java.with_name("other"))
    monkeypatch.setenv("JAVA_HOME", str(java.with_name("other")))
    assert None not in (first, archive_of(LOCAL))
    assert archive_of(LOCAL) != first


def test_another_delta_has_another_archive_and_jars_of_the_user_have_none(
    java: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = archive_of(LOCAL)
    assert archive_of({**LOCAL, "spark.jars": "/jars/mine.jar"}) == first
    another = {**class_archive.installed(), "delta-spark": "9.9.9"}
    monkeypatch.setattr(class_archive, "installed", lambda: another)
    assert archive_of(LOCAL) not in (None, first)


def test_a_java_that_is_not_there_or_of_another_make_has_none(
    java: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (java / "lib/modules").unlink()
    assert archive_of(LOCAL) is None
    monkeypatch.setenv("JAVA_HOME", str(java / "nothing"))
    assert archive_of(LOCAL) is None


def test_an_empty_name_of_the_folder_turns_archives_off(
    java: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, "")
    assert archive_of(LOCAL) is None


def test_without_a_name_the_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/home/me/cached")
    assert cache_folder() == Path("/home/me/cached/dbt-deltaspark")


def test_a_cache_folder_is_the_same_for_the_process_that_makes_the_archive_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", ".cache")
    monkeypatch.chdir(tmp_path)
    assert cache_folder() == tmp_path / ".cache/dbt-deltaspark"


def test_spark_starts_where_the_user_has_no_home(
    java: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one in a container who is a number alone."""
    for name in (FOLDER, "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 4321987)
    assert with_archive(LOCAL) == LOCAL


def test_what_killed_processes_have_begun_is_removed_and_not_what_others_are_making(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "classes-a.jsa"
    begun = archive.with_name(f"{archive.name}.{os.getpid()}")
    monkeypatch.setattr(archiving, "open_session", lambda _: begun.touch())
    monkeypatch.setattr(archiving, "work", lambda _: None)
    monkeypatch.setattr(archiving, "end_jvm", lambda *_: True)
    for name in ("classes-b.jsa", "classes-b.jsa.1", "classes-b.jsa.2", "classes-b.lock"):
        (tmp_path / name).touch()
    os.utime(tmp_path / "classes-b.jsa.1", (0, 0))
    archiving.make(archive)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["classes-a.jsa", "classes-b.jsa", "classes-b.jsa.2", "classes-b.lock"]
