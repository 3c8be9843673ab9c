"""The confs of a session that the adapter starts: quick and quiet here, a cluster's own there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.deltaspark.session.confs import (
    COMPILER,
    DELTA,
    SessionSettings,
    added_confs,
    confs_without_ivy,
    packages_and_excludes,
    spark_confs,
    unprotected,
    yielding_confs,
)


def confs(**settings: Any) -> dict[str, str]:
    here = {"master": "local[*]", "warehouse": "/p/warehouse", "metastore": "/p/metastore"}
    return spark_confs(SessionSettings(**{**here, **settings}), cores=4)


def test_delta_is_the_catalog_and_the_extension_everywhere() -> None:
    for master in ("local[*]", "yarn", "spark://host:7077", "k8s://host"):
        found = confs(master=master)
        assert found["spark.sql.extensions"] == "io.delta.sql.DeltaSparkSessionExtension"
        assert found["spark.sql.catalog.spark_catalog"].endswith("DeltaCatalog")
        assert found["spark.master"] == master


def test_a_local_spark_is_small_quick_and_quiet() -> None:
    found = confs()
    assert found["spark.databricks.delta.snapshotPartitions"] == "2"
    assert found["spark.databricks.delta.delta.log.cacheSize"] == "100"
    assert found["spark.sql.codegen.cache.maxEntries"] == "1000"
    assert found["spark.broadcast.blockSize"] == "256k"
    assert found["spark.buffer.pageSize"] == "4m"
    assert found["spark.sql.ui.explainMode"] == "simple"
    assert found["spark.python.sql.dataFrameDebugging.enabled"] == "false"
    assert found["spark.sql.shuffle.partitions"] == "8"
    assert found["spark.sql.sources.default"] == "delta"
    assert found["spark.sql.session.timeZone"] == "UTC"
    assert found["spark.ui.enabled"] == "false"
    assert found["spark.ui.showConsoleProgress"] == "false"


def test_a_cluster_keeps_its_own_settings() -> None:
    assert set(confs(master="yarn", warehouse=None, metastore=None)) == {
        "spark.app.name",
        "spark.databricks.delta.commit.idempotencyCheck.enabled",
        "spark.master",
        "spark.sql.extensions",
        "spark.sql.catalog.spark_catalog",
        "spark.sql.catalogImplementation",
        "spark.sql.legacy.parameterSubstitution.constantsOnly",
    }


def test_what_helps_on_any_master_yields_to_whatever_else_names_it_on_a_cluster() -> None:
    there = SessionSettings(master="yarn")
    assert yielding_confs(there) == {
        "spark.databricks.delta.snapshotPartitions": "16",
        "spark.databricks.delta.delta.log.cacheSize": "100",
        "spark.python.sql.dataFrameDebugging.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    assert not {*yielding_confs(there)} & {*spark_confs(there, cores=4)}
    assert yielding_confs(SessionSettings(master="local[*]")) == {}


def test_a_driver_of_spark_submit_gets_what_helps_and_was_not_given() -> None:
    given = {"spark.databricks.delta.snapshotPartitions": "7", "spark.sql.shuffle.partitions": "9"}
    asked = (("spark.ui.showConsoleProgress", "true"),)
    found = added_confs(SessionSettings(spark_config=asked), given)
    assert not {*given} & {*found}
    assert found["spark.databricks.delta.delta.log.cacheSize"] == "100"
    assert found["spark.python.sql.dataFrameDebugging.enabled"] == "false"
    assert found["spark.ui.showConsoleProgress"] == "true"


def test_a_local_sparks_ui_hides_the_keys_of_cloud_stores_too() -> None:
    rule = re.compile(confs()["spark.redaction.regex"])
    for name in (
        "spark.hadoop.fs.azure.account.key.shop.dfs.core.windows.net",
        "spark.hadoop.fs.azure.sas.container.shop.blob.core.windows.net",
        "spark.hadoop.fs.gs.auth.service.account.private.key",
        "spark.hadoop.fs.s3a.encryption.key",
    ):
        assert rule.search(name)
    assert rule.search("delta.enableDeletionVectors") is None


def test_the_ports_of_a_spark_in_one_process_answer_nobody_without_a_secret() -> None:
    for master in ("local", "local[*]", "local[4]", "local[4,2]"):
        assert confs(master=master)["spark.authenticate"] == "true"
    for master in ("local-cluster[2,1,1024]", "yarn", "spark://host:7077"):
        assert "spark.authenticate" not in confs(master=master), "there it needs a secret's text"
    assert confs(spark_config=(("spark.authenticate", "false"),))["spark.authenticate"] == "false"


def test_ansi_mode_is_sparks_own_to_decide() -> None:
    assert "spark.sql.ansi.enabled" not in confs()
    asked = (("spark.sql.ansi.enabled", "true"),)
    assert confs(spark_config=asked)["spark.sql.ansi.enabled"] == "true"


def test_spark_config_overrides_every_default() -> None:
    asked = (("spark.sql.session.timeZone", "Europe/Paris"), ("spark.driver.memory", "9g"))
    found = confs(driver_memory="4g", spark_config=asked)
    assert found["spark.sql.session.timeZone"] == "Europe/Paris"
    assert found["spark.driver.memory"] == "9g"


def test_extensions_and_java_options_of_the_profile_join_the_adapters() -> None:
    asked = (("spark.sql.extensions", "org.Mine"), ("spark.driver.extraJavaOptions", "-Xss4m"))
    found = confs(spark_config=asked)
    assert found["spark.sql.extensions"] == "io.delta.sql.DeltaSparkSessionExtension,org.Mine"
    assert found["spark.driver.extraJavaOptions"].endswith(" -Xss4m")
    assert "log4j2" in found["spark.driver.extraJavaOptions"]


def test_lists_of_spark_defaults_join_the_adapters_and_the_profiles_come_last() -> None:
    given = {
        "spark.sql.extensions": "org.Theirs",
        "spark.jars": "/j/theirs.jar",
        "spark.jars.excludes": "org.theirs:a",
        "spark.driver.extraJavaOptions": "-Xss2m",
        "spark.sql.shuffle.partitions": "7",
    }
    asked = (("spark.driver.extraJavaOptions", "-Xss4m"), ("spark.jars.excludes", "org.mine:b"))
    settings = SessionSettings(master="yarn", spark_config=asked)
    found = spark_confs(settings, 4, given)
    assert found["spark.sql.extensions"] == f"{DELTA['spark.sql.extensions']},org.Theirs"
    assert found["spark.jars"] == "/j/theirs.jar"
    assert packages_and_excludes(found) == ([], ["org.theirs:a", "org.mine:b"])
    assert found["spark.driver.extraJavaOptions"] == "-Xss2m -Xss4m"
    assert "spark.sql.shuffle.partitions" not in found, "Spark reads it itself"


def test_on_one_machine_java_compiles_less_unless_the_profile_says_how() -> None:
    options = confs()["spark.driver.extraJavaOptions"]
    assert COMPILER in options
    given = "-XX:Tier4InvocationThreshold=5000"
    asked = confs(spark_config=(("spark.driver.extraJavaOptions", given),))
    found = asked["spark.driver.extraJavaOptions"]
    assert found.index(given) > found.index(COMPILER), "the last one counts"
    assert "spark.driver.extraJavaOptions" not in confs(master="yarn")


def test_the_embedded_catalog_and_its_log_are_in_the_metastore_folder() -> None:
    found = confs(metastore="/my projects/shop/metastore")
    url = found["spark.hadoop.javax.jdo.option.ConnectionURL"]
    assert url == "jdbc:derby:;databaseName=/my projects/shop/metastore/derby;create=true"
    log = '"-Dderby.stream.error.file=/my projects/shop/metastore/derby.log"'
    assert log in found["spark.driver.extraJavaOptions"]


def test_hive_hardly_waits_for_the_embedded_catalog() -> None:
    interval = "spark.hadoop.hive.hmshandler.retry.interval"
    assert confs(metastore="/my projects/shop/metastore")[interval] == "100ms"
    assert interval not in confs(metastore="jdbc:postgresql://db/hive")


def test_a_hive_metastore_service_is_reached_by_thrift() -> None:
    found = confs(metastore="thrift://hive:9083")
    assert found["spark.hadoop.hive.metastore.uris"] == "thrift://hive:9083"
    assert not [name for name in found if "ConnectionURL" in name]


def test_a_metastore_in_a_database_gets_its_driver() -> None:
    found = confs(metastore="jdbc:postgresql://db/hive")
    option = "spark.hadoop.javax.jdo.option.Connection"
    assert found[f"{option}URL"] == "jdbc:postgresql://db/hive"
    assert found[f"{option}DriverName"] == "org.postgresql.Driver"


@pytest.mark.parametrize(
    ("settings", "is_alone"),
    [
        ({"master": "yarn"}, False),
        ({"master": "local[2]", "metastore": "thrift://h:9083"}, False),
        ({"master": "local[2]", "metastore": "/p/metastore"}, True),
    ],
)
def test_writers_beside_each_other_on_an_s3_are_warned_of(
    settings: dict[str, Any], is_alone: bool
) -> None:
    there = SessionSettings(**{"warehouse": "s3a://lake/w", **settings})
    found = spark_confs(there, cores=4)
    told = unprotected(found.get)
    assert told is not None
    assert "spark.delta.logStore.s3a.impl" in told
    assert ("of another machine, or another project" in told) is is_alone
    assert unprotected({**found, "spark.delta.logStore.s3a.impl": "a.B"}.get) is None


def test_no_other_store_needs_that() -> None:
    there = SessionSettings(master="yarn", warehouse="hdfs://h/lake")
    assert unprotected(spark_confs(there, cores=4).get) is None


def test_jars_of_the_profile_are_passed_on() -> None:
    assert confs(jars=("/j/a.jar", "/j/b.jar"))["spark.jars"] == "/j/a.jar,/j/b.jar"


def test_jars_on_record_are_passed_without_ivy_and_the_profiles_join_them() -> None:
    recorded = ("/ivy/delta-spark_4.1_2.13-4.4.0.jar", "/ivy/delta-storage-4.4.0.jar")
    found = confs_without_ivy(confs(jars=("/j/postgresql.jar",)), recorded)
    assert found is not None
    assert found["spark.jars"].split(",") == [*recorded, "/j/postgresql.jar"]


def test_deltas_jars_in_the_profile_replace_those_on_record() -> None:
    mine = ("/j/delta-spark_4.1_2.13-4.4.0.jar", "/j/delta-storage-4.4.0.jar")
    found = confs_without_ivy(confs(jars=mine), ("/ivy/delta-spark_4.1_2.13-4.4.0.jar",))
    assert found is not None
    assert found["spark.jars"] == ",".join(mine)


def test_ivy_resolves_the_first_time_alone() -> None:
    asked = (("spark.jars.packages", "org.postgresql:postgresql:42.7.5"),)
    with_packages = confs(spark_config=asked, packages=("org.apache.hadoop:hadoop-aws:3.4.2",))
    assert with_packages["spark.jars.packages"].split(",") == [
        "org.apache.hadoop:hadoop-aws:3.4.2",
        "org.postgresql:postgresql:42.7.5",
    ]
    assert confs_without_ivy(with_packages, recorded=()) is None
    found = confs_without_ivy(with_packages, recorded=("/ivy/delta.jar", "/ivy/aws.jar"))
    assert found is not None
    assert found["spark.jars"] == "/ivy/delta.jar,/ivy/aws.jar"
    assert "spark.jars.packages" not in found


def test_ivy_is_looked_for_where_the_profile_says() -> None:
    asked = (("spark.jars.ivy", "/cache/ivy"),)
    assert SessionSettings(spark_config=asked).ivy == Path("/cache/ivy")
    assert SessionSettings().ivy == Path.home() / ".ivy2.5.2"
