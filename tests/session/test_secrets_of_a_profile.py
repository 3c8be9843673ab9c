"""dbt with a profile full of secrets: none is printed, logged or written, come what may."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

CONFS = {
    "spark.hadoop.fs.s3a.access.key": "AKIAhunter2",
    "spark.hadoop.fs.s3a.secret.key": "s3/hunter2+secret",
    "spark.hadoop.fs.s3a.encryption.key": "sse-hunter2",
    "spark.hadoop.fs.azure.account.key.shop.dfs.core.windows.net": "azure-hunter2==",
    "spark.hadoop.fs.azure.sas.c.shop.blob.core.windows.net": "sv=1&sig=sas-hunter2",
    "spark.hadoop.fs.gs.auth.service.account.private.key": "-----BEGIN PRIVATE KEY-----\nhunter2",
    "spark.hadoop.fs.gs.auth.service.account.email": "{{ env_var('DBT_ENV_SECRET_EMAIL') }}",
    "spark.mine.password": "mine-hunter2",
    "spark.sql.shuffle.partitions": 1,
    # A catalog that is not there is told at once.
    "spark.hadoop.hive.hmshandler.retry.attempts": 1,
    "spark.hadoop.hive.hmshandler.retry.interval": "10ms",
}
GOOD = {
    "type": "deltaspark",
    "schema": "shop",
    "master": "local[1]",
    "driver_memory": "1g",
    "spark_config": CONFS,
}
HIDDEN = "hunter2"
"""Every secret has it."""
UNREACHABLE = {
    "postgres": "jdbc:postgresql://127.0.0.1:1/hive?user=u&password=pg-hunter2",
    "derby": "jdbc:derby:;databaseName=/dev/null/derby;user=u;password=derby-hunter2",
}
REFUSED: dict[str, dict[str, Any]] = {
    "both_masters": {"remote": "sc://127.0.0.1:1/;token=sc-hunter2"},
    "remote_is_no_text": {"remote": {"token": "sc-hunter2"}},
    "remote_is_no_url": {"remote": "http://u:sc-hunter2@127.0.0.1:1", "master": None},
    "metastore_is_a_list": {"metastore": [UNREACHABLE["postgres"]]},
    "metastore_is_a_dictionary": {"metastore": {"password": "pg-hunter2"}},
    "confs_are_a_text": {"spark_config": "spark.hadoop.fs.s3a.secret.key hunter2"},
    "confs_are_a_list": {"spark_config": [{"spark.hadoop.fs.s3a.secret.key": "hunter2"}]},
    "jars_are_a_text": {"jars": "https://u:hunter2@127.0.0.1/a.jar"},
    "jars_are_dictionaries": {"jars": [{"token": "hunter2"}]},
    "unknown_key": {"password": "hunter2", "strict": True},
    "unknown_url": {"server": "https://u:hunter2@h", "strict": True},
    "retries_are_a_secret": {"conflict_retries": "{{ env_var('DBT_ENV_SECRET_EMAIL') }}"},
    "retries_are_negative": {"conflict_retries": -1},
    "schema_is_a_number": {"schema": 1},
}
MODELS = {
    "good.sql": "{{ config(materialized='table', tblproperties={'a': 'b'}) }} select 1 as id",
    "seen.sql": "select id from {{ ref('good') }}",
    "raises.sql": "{{ config(materialized='table') }}"
    " select raise_error('${spark.mine.password} and ${spark.hadoop.fs.s3a.secret.key}') as id",
    "casts.sql": "{{ config(materialized='table') }}"
    " select cast('${spark.hadoop.fs.azure.account.key.shop.dfs.core.windows.net}' as int) as id",
    "no_such_column.sql": "{{ config(materialized='table') }} select `${spark.mine.password}`",
    "python.py": "def model(dbt, session):\n"
    "    key = session.conf.get('spark.hadoop.fs.s3a.encryption.key')\n"
    "    return session.sql(f'select 1 as `{key}` from no_such_table_{key}')",
    "reads_a_database.sql": "{{ config(materialized='table', pre_hook=\"create temporary view d"
    " using jdbc options (url 'jdbc:nosuch://h/d?password=${spark.mine.password}', dbtable 't')\")"
    " }} select 1 as id",
    "reads_a_bucket.sql": "{{ config(materialized='table') }}"
    " select * from parquet.`nosuch://u:${spark.mine.password}@bucket/x`",
}
RUN = """
import json, sys
from pathlib import Path
from dbt.cli.main import dbtRunner
from pyspark import SparkContext

outcomes = {}
for name, arguments in json.loads(sys.argv[1]).items():
    if arguments == "stop":
        SparkContext._active_spark_context.stop()
        continue
    result = dbtRunner().invoke(arguments)
    failed = [each.node.name for each in getattr(result.result, "results", ())
              if each.status in ("error", "fail")]
    outcomes[name] = [result.success, *failed]
java = SparkContext._gateway.proc.pid
outcomes["command_line"] = Path(f"/proc/{java}/cmdline").read_text()
Path("outcomes.json").write_text(json.dumps(outcomes))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    bad = {
        **REFUSED,
        **{name: {"metastore": url} for name, url in UNREACHABLE.items()},
        "other_confs": {"spark_config": {**CONFS, "spark.mine.password": "other-hunter2"}},
    }
    outputs = {"good": GOOD, **{name: {**GOOD, **keys} for name, keys in bad.items()}}
    profile = {"shop": {"target": "good", "outputs": outputs}}
    (folder / "profiles.yml").write_text(yaml.safe_dump(profile))
    (folder / "dbt_project.yml").write_text("name: shop\nversion: '1.0'\nprofile: shop\n")
    (folder / "models").mkdir()
    for name, text in MODELS.items():
        (folder / "models" / name).write_text(text)
    return folder


def written(folder: Path) -> Iterator[Path]:
    given = {folder / "profiles.yml", *(folder / "models").iterdir()}
    return (path for path in folder.rglob("*") if path.is_file() and path not in given)


@pytest.mark.share(6)
def test_no_secret_of_the_profile_is_seen_on_the_good_path_and_on_twenty_failing_ones(
    project: Path,
) -> None:
    commands = {
        **{name: ["debug", "--target", name] for name in REFUSED},
        "good": ["debug"],
        "run": ["run", "--threads", "4"],
        "other_confs": ["debug", "--target", "other_confs"],
        "other_spark": "stop",
        **{name: ["debug", "--target", name] for name in UNREACHABLE},
    }
    result = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(commands)],
        capture_output=True,
        text=True,
        check=False,
        cwd=project,
        timeout=900,
        env={**os.environ, "DBT_ENV_SECRET_EMAIL": "env-hunter2", "DBT_LOG_LEVEL": "debug"},
    )
    said = result.stdout + result.stderr
    assert result.returncode == 0, said[-3000:]
    outcomes = json.loads((project / "outcomes.json").read_text())
    assert HIDDEN not in said
    assert [path for path in written(project) if HIDDEN.encode() in path.read_bytes()] == []
    command_line = outcomes.pop("command_line")
    assert "org.apache.spark.deploy.SparkSubmit" in command_line and HIDDEN not in command_line
    failing = {Path(name).stem for name in MODELS} - {"good", "seen"}
    assert outcomes.pop("good") == outcomes.pop("other_confs") == [True]
    ended, *failed = outcomes.pop("run")
    assert (ended, set(failed)) == (False, failing)
    assert {name for name, outcome in outcomes.items() if outcome != [False]} == set()
    assert len(failing) + len(outcomes) > 20
    assert "spark.mine.password was not applied" in said
    assert "The catalog (jdbc:derby:" in said and "needs the driver org.postgresql.Driver" in said
