"""What a wheel carries, where the macros are found, and that dbt's commands know the adapter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from dbt.include import global_project

from dbt.adapters import deltaspark

ROOT = Path(__file__).parents[2]
PACKAGED = ("dbt", "macros", "setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE")
PACKAGED_YAML = ("dbt_project.yml", "profile_template.yml")
DBT = (sys.executable, "-m", "dbt.cli.main")


def run(*command: str | Path, folder: Path, typed: str = "", path: str = "") -> str:
    quiet = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    environment = {**os.environ, **quiet, "PYTHONPATH": path}
    result = subprocess.run(
        command, cwd=folder, env=environment, input=typed, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, unpacked; built from a copy, which the build may litter."""
    folder = tmp_path_factory.mktemp("wheel")
    checkout = folder / "checkout"
    checkout.mkdir()
    for name in (*PACKAGED, *PACKAGED_YAML):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, checkout / name)
    build = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", ".")
    run(*build, "--wheel-dir", folder, folder=checkout)
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(next(folder.glob("dbt_deltaspark-*.whl"))) as archive:
        archive.extractall(unpacked)
    return unpacked


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A path on which the wheel is installed: dbt sees adapters only in the folder it is in."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copytree(Path(global_project.__file__).parents[2], folder / "dbt")
    shutil.copytree(wheel / "dbt", folder / "dbt", dirs_exist_ok=True)
    return str(folder)


def files(folder: Path, suffix: str) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob(f"*{suffix}")}


def test_a_wheel_carries_every_macro_and_both_yaml_files(wheel: Path) -> None:
    include = wheel / "dbt/include/deltaspark"
    assert files(include / "macros", ".sql") == files(ROOT / "macros", ".sql") != set()
    assert files(include, ".yml") == {"dbt_project.yml", "profile_template.yml"}


def test_a_wheel_carries_every_module_and_the_log_settings(wheel: Path) -> None:
    package = "dbt/adapters/deltaspark"
    assert files(wheel / package, ".py") == files(ROOT / package, ".py")
    assert (wheel / package / "session/log4j2.properties").is_file()


@pytest.mark.parametrize("folder", ["dbt", "dbt/adapters", "dbt/include"])
def test_a_wheel_leaves_the_namespace_to_dbt(wheel: Path, folder: str) -> None:
    assert not (wheel / folder / "__init__.py").exists()


def test_a_wheel_carries_no_tests_and_no_python_beside_the_macros(wheel: Path) -> None:
    assert files(wheel / "dbt/include", ".py") == set()
    assert {path.name for path in wheel.iterdir() if "dist-info" not in path.name} == {"dbt"}


def test_macros_are_found_in_an_installed_wheel_and_in_a_checkout(wheel: Path) -> None:
    installed = deltaspark.include_path(wheel / "dbt/adapters/deltaspark")
    assert installed == wheel / "dbt/include/deltaspark"
    assert deltaspark.include_path(ROOT / "dbt/adapters/deltaspark") == ROOT


def test_the_plugin_names_itself_and_inherits_from_spark() -> None:
    plugin = deltaspark.Plugin
    assert plugin.adapter.type() == plugin.credentials(schema="x").type == "deltaspark"
    assert plugin.project_name == "dbt_deltaspark"
    assert plugin.dependencies == ["spark"]
    assert (Path(plugin.include_path) / "macros").is_dir()


def test_the_package_has_no_other_lazy_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Plugins'"):
        _ = deltaspark.Plugins


def test_the_engine_is_imported_without_dbt() -> None:
    code = "import sys, dbt.adapters.deltaspark.engine; print(*sys.modules)"
    imported = run(sys.executable, "-c", code, folder=ROOT).split()
    dbt = {name for name in imported if name.split(".")[0] in {"dbt", "dbt_common"}}
    ours = {name for name in dbt if name.startswith("dbt.adapters.deltaspark")}
    assert dbt - ours <= {"dbt", "dbt.adapters"}


def test_the_root_project_offers_macros_and_nothing_else() -> None:
    project = yaml.safe_load((ROOT / "dbt_project.yml").read_text())
    assert project["name"] == "dbt_deltaspark"
    for paths in ("model-paths", "test-paths", "seed-paths", "snapshot-paths", "analysis-paths"):
        assert project[paths] == []


def test_dbt_version_knows_the_adapter(installed: str, tmp_path: Path) -> None:
    assert "- deltaspark: 0.1.0" in run(*DBT, "--version", folder=tmp_path, path=installed)


def test_dbt_init_asks_for_a_schema_and_writes_a_profile_that_the_adapter_takes(
    installed: str, tmp_path: Path
) -> None:
    listing = "from dbt.version import _get_adapter_plugin_names as names; print(*names())"
    adapters = run(sys.executable, "-c", listing, folder=tmp_path, path=installed).split()
    typed = f"{adapters.index('deltaspark') + 1}\nlake\n\n"
    init = ("init", "shop", "--profiles-dir", str(tmp_path))
    run(*DBT, *init, folder=tmp_path, typed=typed, path=installed)
    target = yaml.safe_load((tmp_path / "profiles.yml").read_text())["shop"]["outputs"]["dev"]
    fixed = {"type": "deltaspark", "keep_alive": "30m"}
    assert target == {**fixed, "schema": "lake", "threads": 4}
