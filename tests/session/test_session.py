"""Sessions of one Spark: what they share and what they do not."""

from __future__ import annotations

import os
import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.session import (
    SessionError,
    SessionSettings,
    kept_confs,
    open_session,
    unapplied_confs,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def settings(spark: SparkSession, spark_target: dict[str, Any]) -> SessionSettings:
    credentials = DeltaSparkCredentials.from_dict({"schema": "default", **spark_target})
    return credentials.session_settings(Path("/"))


def test_threads_get_sessions_of_their_own_on_one_spark_context(settings: SessionSettings) -> None:
    with ThreadPoolExecutor(4) as pool:
        sessions = list(pool.map(lambda _: open_session(settings), range(4)))
    assert len({id(session) for session in sessions}) == 4
    assert len({session.sparkContext.applicationId for session in sessions}) == 1


def test_the_same_view_name_holds_other_rows_in_another_session(settings: SessionSettings) -> None:
    mine, other = open_session(settings), open_session(settings)
    mine.sql("create temporary view orders__dbt_tmp as select 'mine' as whose")
    other.sql("create temporary view orders__dbt_tmp as select 'other' as whose")
    assert mine.table("orders__dbt_tmp").collect()[0].whose == "mine"
    assert other.table("orders__dbt_tmp").collect()[0].whose == "other"


def test_what_a_model_sets_stays_set_for_it_and_unset_for_the_next(
    settings: SessionSettings,
) -> None:
    mine = open_session(settings)
    mine.sql("set spark.sql.shuffle.partitions = 7")
    mine.sql("select 1").collect()
    assert mine.conf.get("spark.sql.shuffle.partitions") == "7"
    assert open_session(settings).conf.get("spark.sql.shuffle.partitions") == "2"


def test_the_current_schema_is_a_sessions_own(settings: SessionSettings) -> None:
    mine, other = open_session(settings), open_session(settings)
    mine.sql("create schema if not exists my_own")
    mine.sql("use my_own")
    assert other.catalog.currentDatabase() == "default"


def test_tables_are_shared(settings: SessionSettings) -> None:
    open_session(settings).sql("create or replace table default.shared as select 1 as id")
    assert open_session(settings).table("default.shared").count() == 1


def test_ansi_mode_is_on_unless_the_profile_turns_it_off(settings: SessionSettings) -> None:
    off = replace(settings, spark_config=(("spark.sql.ansi.enabled", "false"),))
    assert open_session(settings).conf.get("spark.sql.ansi.enabled") == "true"
    assert open_session(off).conf.get("spark.sql.ansi.enabled") == "false"


def test_a_later_target_has_its_own_confs_and_none_of_the_firsts(settings: SessionSettings) -> None:
    names = ("spark.sql.adaptive.enabled", "spark.sql.shuffle.partitions", "spark.sql.ansi.enabled")
    later = replace(settings, spark_config=(("spark.sql.ansi.enabled", "false"),))
    found, again = open_session(later), open_session(settings)
    cores = str(2 * (os.cpu_count() or 1))
    assert [found.conf.get(name) for name in names] == ["true", cores, "false"]
    assert [again.conf.get(name) for name in names] == ["false", "2", "true"]


def test_what_a_later_target_cannot_have_is_named(settings: SessionSettings) -> None:
    later = replace(settings, jars=("/shop/udf.jar",), driver_memory="9g", app_name="another")
    session = open_session(later)
    assert kept_confs(session, settings) == ()
    assert kept_confs(session, later) == ("spark.driver.memory", "spark.jars")
    assert unapplied_confs(session, later) == ()


def test_confs_that_a_running_spark_cannot_take_are_named(settings: SessionSettings) -> None:
    asked = (("spark.driver.memory", "99g"), ("spark.sql.shuffle.partitions", "3"))
    late = replace(settings, spark_config=asked)
    session = open_session(late)
    assert session.conf.get("spark.sql.shuffle.partitions") == "3"
    assert unapplied_confs(session, late) == ("spark.driver.memory",)


def test_a_target_with_its_tables_elsewhere_is_refused(settings: SessionSettings) -> None:
    elsewhere = replace(settings, warehouse="/data/prod", metastore="/data/catalog")
    with pytest.raises(SessionError, match="'/data/prod'.*'/data/catalog'.*a process of its own"):
        open_session(elsewhere)
    assert open_session(settings).catalog.databaseExists("default")


def test_a_list_that_joined_the_adapters_own_items_is_applied(settings: SessionSettings) -> None:
    options = dict(settings.spark_config)["spark.driver.extraJavaOptions"]
    session = open_session(settings)
    assert session.conf.get("spark.driver.extraJavaOptions") != options
    assert unapplied_confs(session, settings) == ()
    packages = replace(settings, spark_config=(("spark.jars.packages", "org.a:b:1"),))
    assert unapplied_confs(session, packages) == ()  # their jars are in spark.jars
    late = replace(settings, spark_config=(("spark.driver.extraJavaOptions", "-Dlate=1"),))
    assert unapplied_confs(session, late) == ("spark.driver.extraJavaOptions",)


def test_delta_is_the_default_format(settings: SessionSettings) -> None:
    session = open_session(settings)
    session.sql("create or replace table default.plain as select 1 as id")
    provider = session.sql("describe extended default.plain").where("col_name = 'Provider'")
    assert provider.collect()[0].data_type == "delta"


def test_nothing_is_left_in_the_working_directory(settings: SessionSettings) -> None:
    assert [
        name for name in ("metastore_db", "derby.log", "spark-warehouse") if Path(name).exists()
    ] == []
    assert settings.catalog_folder is not None
    assert (settings.catalog_folder / "derby.log").is_file()


def test_the_drivers_port_reads_nothing_of_a_stranger(spark: SparkSession) -> None:
    said = b"\0\0anything, for one an object of Java"
    call = struct.pack(">bqi", 3, 7, len(said)) + said
    port = int(spark.conf.get("spark.driver.port"))
    with socket.create_connection(("127.0.0.1", port), timeout=10) as stranger:
        stranger.sendall(struct.pack(">q", 8 + len(call)) + call)
        assert b"Expected SaslMessage" in stranger.recv(1000)
