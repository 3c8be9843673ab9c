"""One dbt project of 51 nodes, as each adapter takes it: a seed, views, tables, merges, tests."""

from __future__ import annotations

import os
import shutil
import sys
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from subprocess import run
from typing import Any

import yaml
from workload import DATA

from dbt.adapters.deltaspark.session import SessionSettings, environment
from dbt.adapters.deltaspark.session.confs import confs_without_ivy, spark_confs

SEED_ROWS, TABLE_ROWS, MERGED_ROWS, EACH = 200, 20_000, 1_000, 10
SPARK_MEMORY = "2g"


@dataclass(frozen=True, slots=True)
class Adapter:
    """A dbt adapter: what pip installs for it, and what its models are configured with."""

    name: str
    packages: tuple[str, ...]
    what: str
    numbers: str = "range({first}, {last})"
    number: str = "id"
    models: Mapping[str, Any] | None = None
    stays: bool = False
    """Whether its Spark does, when dbt ends."""

    @property
    def folder(self) -> Path:
        return DATA / "projects" / self.name

    @property
    def is_ours(self) -> bool:
        return self.name.startswith("ours")

    @property
    def python(self) -> Path:
        """The interpreter of its environment; ours is the one that runs."""
        own = DATA / "environments" / self.name
        return own / "bin" / "python" if self.packages else Path(sys.executable)


def _same(*packages: str) -> tuple[str, ...]:
    """The packages in the versions that run here."""
    return tuple(f"{name}=={version(name)}" for name in packages)


MERGES = {"+incremental_strategy": "merge"}
ADAPTERS = (
    Adapter("ours", (), "this adapter", models=MERGES),
    Adapter("ours-warm", (), "this adapter with keep_alive", models=MERGES, stays=True),
    Adapter(
        "dbt-spark",
        _same("dbt-core", "dbt-spark", "pyspark", "delta-spark"),
        "dbt-spark, method: session, with the same jars and confs",
        models={**MERGES, "+file_format": "delta"},
    ),
    Adapter(
        "dbt-duckdb",
        (*_same("dbt-core"), "dbt-duckdb"),
        "dbt-duckdb, its own tables",
        number="range",
        models=MERGES,
    ),
)


def install(adapter: Adapter) -> None:
    """Make the adapter's environment, where there is none yet."""
    if not adapter.packages or (adapter.python.parents[1] / "installed").exists():
        return
    folder = adapter.python.parents[1]
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    run([adapter.python, "-m", "pip", "install", "--quiet", *adapter.packages], check=True)
    (folder / "installed").touch()


def write_project(adapter: Adapter, threads: int) -> Path:
    """The project anew, with nothing built."""
    folder = adapter.folder
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("models", "seeds"):
        (folder / name).mkdir(parents=True)
    kind = "deltaspark" if adapter.is_ours else adapter.name.removeprefix("dbt-")
    target = {"type": kind, "schema": "shop", "threads": threads, **_connection(adapter)}
    profile = {"shop": {"target": "dev", "outputs": {"dev": target}}}
    (folder / "profiles.yml").write_text(yaml.safe_dump(profile))
    project: dict[str, Any] = {"name": "shop", "version": "1.0", "profile": "shop"}
    project |= {"models": {"shop": dict(adapter.models or {})}}
    if adapter.name == "dbt-spark":
        project["seeds"] = {"shop": {"+file_format": "delta"}}
    (folder / "dbt_project.yml").write_text(yaml.safe_dump(project))
    for name, text in _models(adapter).items():
        (folder / "models" / f"{name}.sql").write_text(text)
    (folder / "models" / "schema.yml").write_text(yaml.safe_dump(_tests()))
    lines = ["id,code,amount", *(f"{n},code {n % 7},{n / 8}" for n in range(SEED_ROWS))]
    (folder / "seeds" / "codes.csv").write_text("\n".join(lines) + "\n")
    return folder


def _connection(adapter: Adapter) -> dict[str, Any]:
    if adapter.name == "dbt-duckdb":
        return {"path": "tables.duckdb"}
    if adapter.is_ours:
        warm = {"keep_alive": "10m", "keep_alive_in_ci": True}
        return {"driver_memory": SPARK_MEMORY, **(warm if adapter.stays else {})}
    settings = SessionSettings(
        master="local[*]",
        warehouse=str(adapter.folder / "warehouse"),
        metastore=str(adapter.folder / "metastore"),
        driver_memory=SPARK_MEMORY,
    )
    jars = environment.recorded_jars(settings.ivy)
    confs = confs_without_ivy(spark_confs(settings, os.cpu_count() or 1), jars)
    if confs is None:
        raise SystemExit("Delta's jars are not on record yet: run `make .venv/.jars` first")
    return {"method": "session", "host": "none", "server_side_parameters": confs}


def _models(adapter: Adapter) -> dict[str, str]:
    def numbers(first: int, last: int) -> str:
        rows = adapter.numbers.format(first=first, last=last)
        return f"select {adapter.number} as id, {adapter.number} % 100 as grp from {rows}"

    models = {}
    newest = TABLE_ROWS - MERGED_ROWS * 9 // 10
    for n in range(EACH):
        models[f"view_{n}"] = f"select id, code, amount * {n} as amount from {{{{ ref('codes') }}}}"
        models[f"table_{n}"] = (
            "{{ config(materialized='table') }}\n"
            f"select grp, count(*) as n, sum(id) as ids from ({numbers(0, TABLE_ROWS)}) as rows_ "
            f"where id % {n + 2} > 0 group by grp"
        )
        models[f"merge_{n}"] = (
            "{{ config(materialized='incremental', unique_key='id') }}\n"
            "select id, grp, {{ var('round', 0) }} as round from (\n"
            f"{{% if is_incremental() %}}{numbers(newest, newest + MERGED_ROWS)}"
            f"{{% else %}}{numbers(0, TABLE_ROWS)}{{% endif %}}\n) as rows_"
        )
    return models


def _tests() -> dict[str, Any]:
    """20: a key of each table, and of each merged one."""
    tables = [(f"table_{n}", "grp", "not_null") for n in range(EACH)]
    merged = [(f"merge_{n}", "id", "unique") for n in range(EACH)]
    models = [
        {"name": name, "columns": [{"name": column, "data_tests": [test]}]}
        for name, column, test in (*tables, *merged)
    ]
    return {"version": 2, "models": models}
