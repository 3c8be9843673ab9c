"""Values of a profile's keys: places by their kinds, empty ones, what a conf of Spark may be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt_common.dataclass_schema import ValidationError
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.session import DELTA_CATALOG


def credentials(**keys: Any) -> DeltaSparkCredentials:
    return DeltaSparkCredentials.from_dict({"schema": "analytics", **keys})


@pytest.mark.parametrize(
    ("metastore", "folder"),
    [
        ("file:///data/my%20catalog", "/data/my catalog"),
        ("file:/data/catalog", "/data/catalog"),
        ("file://localhost/data/catalog", "/data/catalog"),
        ("file:catalog", "/projects/shop/catalog"),
    ],
)
def test_a_metastore_may_be_a_folders_uri(metastore: str, folder: str) -> None:
    settings = credentials(metastore=metastore).session_settings(Path("/projects/shop"))
    assert settings.catalog_folder == Path(folder)


@pytest.mark.parametrize(
    "metastore",
    [
        "postgresql://db/hive",
        "mysql://db:3306/hive",
        "http://hive:9083",
        "hdfs://host/catalog",
        "JDBC:postgresql://db/hive",
        "file://catalog",
        "file:",
    ],
)
def test_a_metastore_of_another_kind_is_no_folder(metastore: str) -> None:
    with pytest.raises(DbtRuntimeError) as refused:
        credentials(metastore=metastore)
    assert "metastore is a folder, thrift://host:9083 or jdbc:" in refused.value.msg
    assert refused.value.msg.endswith(f"got {metastore!r}")


def test_a_refused_metastore_keeps_its_password_to_itself() -> None:
    with pytest.raises(DbtRuntimeError, match=r"got 'postgresql://u:\*\*\*\*\*@db/hive'"):
        credentials(metastore="postgresql://u:hunter2@db/hive")


def test_an_empty_place_is_as_if_it_were_left_out() -> None:
    """As `env_var('…', '')` gives it."""
    for keys in ({}, {"master": "yarn"}, {"remote": "sc://h:15002"}):
        places = {"warehouse": "", "metastore": "", "remote": "", **keys}
        assert credentials(**places) == credentials(**keys)
    assert credentials(jars=[""]).session_settings(Path("/p")).jars == ()


@pytest.mark.parametrize(
    ("value", "found"),
    [(None, "nothing"), (["a", "b"], "a list"), ({"password": "hunter2"}, "a mapping")],
)
def test_a_conf_has_one_value(value: Any, found: str) -> None:
    with pytest.raises(DbtRuntimeError) as refused:
        credentials(spark_config={"spark.a": value, "spark.b": 8, "spark.c": value})
    told = refused.value.msg.splitlines()
    assert [line.split()[1] for line in told] == ["spark.a", "spark.c"]
    assert "is a text, a number, true or false" in told[0]
    assert f"got {found}" in told[0]
    assert "hunter2" not in refused.value.msg


def test_deltas_own_catalog_is_the_sessions_alone() -> None:
    confs = {f"spark.sql.catalog.{name}": DELTA_CATALOG for name in ("spark_catalog", "second")}
    with pytest.raises(DbtRuntimeError) as refused:
        credentials(spark_config={**confs, "spark.sql.catalog.third": "org.example.Catalog"})
    assert refused.value.msg.startswith("spark_config: spark.sql.catalog.second is Delta's own")
    assert len(refused.value.msg.splitlines()) == 1


KEPT = {"master": "yarn", "keep_alive": "30m"}
UNKNOWN = {"maaster": "local[2]", "driver_memory": "lots"}
TOLD_OF_THEM = [
    "The profile has a key 'maaster', which the deltaspark adapter does not know; did you mean"
    " 'master'?",
    "driver_memory is a size such as 4g or 512m, got 'lots'",
]


@pytest.mark.parametrize("strict", [True, False])
def test_an_unknown_key_and_a_wrong_value_are_told_in_one_error(strict: bool) -> None:
    with pytest.raises(DbtRuntimeError) as refused:
        credentials(**UNKNOWN, strict=strict)
    assert refused.value.msg.splitlines() == TOLD_OF_THEM


def test_a_strict_profile_tells_of_a_spark_that_is_not_kept_with_all_else() -> None:
    with pytest.raises(DbtRuntimeError) as refused:
        credentials(**UNKNOWN, **KEPT, strict=True)
    unknown, not_kept, memory = refused.value.msg.splitlines()
    assert [unknown, memory] == TOLD_OF_THEM
    assert not_kept.startswith("The profile's keep_alive has no effect")


def test_values_of_wrong_types_are_told_with_all_else_and_without_secrets() -> None:
    secret = {"password": "hunter2"}
    with pytest.raises(ValidationError) as refused:
        DeltaSparkCredentials.validate(
            {**UNKNOWN, "conflict_retries": "few", "metastore": secret, "catalog": "lake", **KEPT}
        )
    told = refused.value.message.splitlines()
    assert [line for line in told if "keep_alive has no effect" not in line] == [
        "conflict_retries: 'few' is not of type 'integer'",
        "metastore: {'password': '*****'} is not valid under any of the given schemas",
        "'schema' is a required property",
        *TOLD_OF_THEM,
    ]
    assert len(told) == 6
