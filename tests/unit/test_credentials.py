"""A profile's keys: defaults, unknown names, what the session is asked for, what is shown."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from dbt_common.dataclass_schema import ValidationError
from dbt_common.events.event_manager_client import add_callback_to_manager
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager
from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials

if TYPE_CHECKING:
    from dbt_common.events.base_types import EventMsg


def credentials(**keys: Any) -> DeltaSparkCredentials:
    data = {"schema": "analytics", **keys}
    DeltaSparkCredentials.validate(data)
    return DeltaSparkCredentials.from_dict(data)


@pytest.fixture
def warnings() -> list[str]:
    messages: list[str] = []

    def keep(event: EventMsg) -> None:
        if event.info.level == "warn":
            messages.append(event.info.msg)

    add_callback_to_manager(keep)
    return messages


def test_schema_is_the_only_required_key() -> None:
    assert credentials().schema == "analytics"
    with pytest.raises(ValidationError, match="'schema' is a required property"):
        DeltaSparkCredentials.validate({"master": "local[*]"})


def test_without_keys_spark_runs_here_and_keeps_its_tables_beside_the_project() -> None:
    settings = credentials().session_settings(Path("/projects/shop"))
    assert settings.master == "local[*]"
    assert settings.warehouse == "/projects/shop/warehouse"
    assert settings.metastore == "/projects/shop/metastore"
    assert settings.driver_memory == "4g"


def test_on_a_cluster_its_own_warehouse_and_catalog_stand() -> None:
    settings = credentials(master="yarn").session_settings(Path("/projects/shop"))
    assert (settings.warehouse, settings.metastore, settings.driver_memory) == (None, None, None)


def test_uris_are_left_as_they_are_and_folders_are_relative_to_the_project() -> None:
    settings = credentials(
        warehouse="s3a://lake/warehouse", metastore="thrift://hive:9083", jars=["jars/a.jar"]
    ).session_settings(Path("/projects/shop"))
    assert settings.warehouse == "s3a://lake/warehouse"
    assert settings.metastore == "thrift://hive:9083"
    assert settings.jars == ("/projects/shop/jars/a.jar",)


def test_names_have_three_parts_with_spark_catalog_by_default() -> None:
    assert credentials().database == "spark_catalog"
    assert credentials(database="lake").database == "lake"


def test_the_database_is_also_called_catalog_as_in_databricks_profiles(warnings: list[str]) -> None:
    assert (credentials(catalog="lake").database, warnings) == ("lake", [])
    target = dict(credentials(catalog="lake").connection_info(with_aliases=True))
    assert (target["catalog"], target["database"]) == ("lake", "lake")
    with pytest.raises(DbtRuntimeError, match=r'keys: \(catalog\) all map to "database"'):
        credentials(catalog="lake", database="lake")


def test_yaml_values_are_spelled_as_spark_spells_them() -> None:
    confs = {"spark.a": True, "spark.b": 8, "spark.c": "x"}
    settings = credentials(spark_config=confs).session_settings(Path("/projects/shop"))
    assert settings.spark_config == (("spark.a", "true"), ("spark.b", "8"), ("spark.c", "x"))


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("warehuose", "did you mean 'warehouse'?"),
        ("spark_configs", "did you mean 'spark_config'?"),
        ("server_side_parameters", "did you mean 'spark_config'?"),
        ("qqq", "the keys are: database, schema, master"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one(
    key: str, meant: str, warnings: list[str]
) -> None:
    credentials(**{key: "x"})
    assert [f"'{key}'" in each and meant in each for each in warnings] == [True]


def test_known_keys_and_threads_are_not_warned_of(warnings: list[str]) -> None:
    credentials(threads=4, master="local[2]", conflict_retries=2)
    assert warnings == []


def test_with_strict_unknown_keys_are_one_error() -> None:
    told = r"'shema'.*did you mean 'schema'\?\n.*'warehuose'.*did you mean 'warehouse'"
    with pytest.raises(DbtRuntimeError, match=told):
        credentials(warehuose="x", shema="y", strict=True)


@pytest.mark.parametrize(
    "master",
    [
        "local",
        "local[*]",
        "local[4]",
        "local[*, 3]",
        "local[4,3]",
        "local-cluster[2,1,1024]",
        "spark://one:7077,two:7077",
        "yarn",
        "k8s://https://host:443",
        "armada://host:50051",
    ],
)
def test_masters_that_spark_knows(master: str) -> None:
    assert credentials(master=master).master == master


@pytest.mark.parametrize(
    "master", ["", "loca[2]", "local[0]", "local[two]", "local(2)", "host:7077", "Yarn", "spark:"]
)
def test_another_master_is_refused_before_a_jvm_starts(master: str) -> None:
    with pytest.raises(DbtRuntimeError) as refused:
        credentials(master=master)
    assert str(refused.value).endswith(f"or k8s://https://host:443; got {master!r}")


@pytest.mark.parametrize("memory", ["4gb", "4 g", "lots", "0g", "-1g"])
def test_a_memory_that_java_does_not_take_is_refused(memory: str) -> None:
    with pytest.raises(DbtRuntimeError, match=f"such as 4g or 512m, got '{memory}'"):
        credentials(driver_memory=memory)


def test_packages_are_mavens_coordinates() -> None:
    settings = credentials(packages=["org.apache.hadoop:hadoop-aws:3.4.2"]).session_settings(
        Path("/p")
    )
    assert settings.packages == ("org.apache.hadoop:hadoop-aws:3.4.2",)
    with pytest.raises(DbtRuntimeError, match="group:artifact:version.*got 'hadoop-aws'"):
        credentials(packages=["hadoop-aws"])


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(DbtRuntimeError) as raised:
        credentials(master="lokal", driver_memory="4gb", conflict_retries=-1, keep_alive="soon")
    told = raised.value.msg.splitlines()
    assert [line.split()[0] for line in told] == [
        "master",
        "driver_memory",
        "conflict_retries",
        "keep_alive",
    ]


@pytest.mark.parametrize("conf", ["spark.remote", "spark.api.mode"])
def test_a_server_is_named_by_remote_and_not_by_a_conf(conf: str) -> None:
    with pytest.raises(DbtRuntimeError, match=f"by {conf}; that is the key `remote`"):
        DeltaSparkCredentials(schema="s", spark_config={conf: "connect"})


def test_remote_and_master_exclude_each_other() -> None:
    with pytest.raises(DbtRuntimeError, match="exclude each other; got remote: sc://h:15002"):
        credentials(remote="sc://h:15002", master="yarn")


def test_remote_alone_starts_no_spark_here() -> None:
    assert credentials(remote="sc://h:15002").master is None


def test_conflict_retries_is_a_count() -> None:
    with pytest.raises(DbtRuntimeError, match="conflict_retries is a count, got -1"):
        credentials(conflict_retries=-1)


def test_debug_shows_what_is_in_force() -> None:
    shown = dict(credentials(spark_config={"spark.sql.ansi.enabled": True}).connection_info())
    assert shown["master"] == "local[*]"
    assert shown["warehouse"] == "warehouse"
    assert shown["spark_config"] == {"spark.sql.ansi.enabled": True}
    assert shown["conflict_retries"] == 5


def test_debug_masks_secrets() -> None:
    shown = dict(
        credentials(
            metastore="jdbc:postgresql://db/hive?user=u&password=hunter2",
            spark_config={"spark.hadoop.fs.s3a.secret.key": "hunter2", "spark.ui.port": 4040},
        ).connection_info()
    )
    assert "hunter2" not in str(shown)
    assert shown["metastore"] == "jdbc:postgresql://db/hive?user=u&password=*****"
    assert shown["spark_config"]["spark.ui.port"] == 4040


def test_the_unique_field_is_the_shared_place_and_never_empty() -> None:
    assert credentials(metastore="thrift://hive:9083").unique_field == "thrift://hive:9083"
    assert credentials(remote="sc://h/;token=hunter2").unique_field == "sc://h/;token=*****"
    assert credentials().unique_field not in ("", "NA")


def test_errors_about_keys_mask_secrets() -> None:
    with pytest.raises(DbtRuntimeError, match=r"got remote: sc://h/;token=\*\*\*\*\* and master"):
        credentials(remote="sc://h/;token=hunter2", master="yarn")
    with pytest.raises(ValidationError, match=r"^spark_config: a str is not of type 'object'$"):
        DeltaSparkCredentials.validate({"schema": "s", "spark_config": "a.secret hunter2"})
    with pytest.raises(
        ValidationError, match=r"metastore: \{'password': '\*\*\*\*\*'\} is not valid"
    ):
        DeltaSparkCredentials.validate({"schema": "s", "metastore": {"password": "hunter2"}})


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90.0), ("30m", 1800.0), ("2h", 7200.0), (" 5 m ", 300.0)]
)
def test_spark_is_kept_for_a_time(
    text: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert credentials(keep_alive=text).session_settings(Path("/p")).keep_alive == seconds


def test_in_ci_spark_is_kept_only_if_the_profile_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert credentials(keep_alive="30m").session_settings(Path("/p")).keep_alive is None
    kept = credentials(keep_alive="30m", keep_alive_in_ci=True)
    assert kept.session_settings(Path("/p")).keep_alive == 1800.0


@pytest.mark.parametrize("text", ["30", "0m", "-5m", "1.5h", "forever", ""])
def test_a_time_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(DbtRuntimeError, match=f"such as 30m, 2h or 90s, got '{text}'"):
        credentials(keep_alive=text)


@pytest.mark.parametrize("place", [{"master": "yarn"}, {"remote": "sc://host:15002"}])
def test_the_spark_of_a_cluster_is_not_kept(place: dict[str, str], warnings: list[str]) -> None:
    """A profile that `dbt init` wrote goes to a cluster by its `master` alone."""
    found = credentials(keep_alive="30m", keep_alive_in_ci=True, **place)
    assert found.session_settings(Path("/p")).keep_alive is None
    assert ["keep_alive has no effect" in each for each in warnings] == [True]
    with pytest.raises(DbtRuntimeError, match="keep_alive has no effect"):
        credentials(keep_alive="30m", strict=True, **place)


@pytest.mark.parametrize(("keys", "told"), [({}, 1), ({"remote": "sc://host:15002"}, 0)])
def test_a_spark_that_something_else_has_started_says_itself_that_its_tables_are_on_s3(
    tmp_path: Path, warnings: list[str], keys: dict[str, Any], told: int
) -> None:
    profile: Any = SimpleNamespace(credentials=credentials(**keys), project_root=tmp_path)
    confs = {"spark.sql.warehouse.dir": "s3a://lake/w", "spark.master": "yarn"}
    session: Any = SimpleNamespace(conf=SimpleNamespace(get=confs.get))
    manager = DeltaSparkConnectionManager(profile, get_context("spawn"))
    for _ in range(2):
        manager._warnings._warn_of_unprotected(session)
    assert len([each for each in warnings if "The warehouse is an S3 (s3a://)" in each]) == told
