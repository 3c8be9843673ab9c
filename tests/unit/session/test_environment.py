"""What is said about a machine that Spark cannot run on, before Spark is started."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dbt.adapters.deltaspark.session import environment
from dbt.adapters.deltaspark.session.environment import (
    JavaProblem,
    SparkHomeProblem,
    VersionProblem,
)


def fake_java(folder: Path, printed: str, code: int = 0) -> Path:
    """A JAVA_HOME whose java prints this on `-version`."""
    binary = folder / "bin" / "java"
    binary.parent.mkdir(parents=True)
    binary.write_text(f"#!/bin/sh\ncat >&2 <<'EOF'\n{printed}\nEOF\nexit {code}\n")
    binary.chmod(0o755)
    return folder


@pytest.mark.parametrize("release", ["17.0.15", "21.0.2", "21"])
def test_java_17_and_21_are_accepted(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path, f'openjdk version "{release}"')))
    environment.check_java()


@pytest.mark.parametrize(
    ("release", "major"), [("1.8.0_402", "8"), ("11.0.22", "11"), ("25.0.1", "25")]
)
def test_another_java_is_refused_by_its_version(
    release: str, major: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path, f'openjdk version "{release}"')))
    with pytest.raises(JavaProblem, match=f"Spark needs Java 17 or 21, but .*java is Java {major}"):
        environment.check_java()


def test_no_java_is_an_error_with_the_way_to_get_one_on_each_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JavaProblem, match="JAVA_HOME is not set and there is no java") as problem:
        environment.check_java()
    for way in (
        "Linux    sudo apt-get install",
        "macOS    brew install",
        "Windows  winget install",
    ):
        assert way in str(problem.value)


def test_a_java_home_without_java_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(JavaProblem, match=f"JAVA_HOME is {tmp_path}, which has no bin{os.sep}java"):
        environment.check_java()


def test_the_stub_of_macos_counts_as_no_java(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "The operation couldn't be completed.\nNo Java Runtime."
    stub = fake_java(tmp_path, said, code=1)
    monkeypatch.setenv("JAVA_HOME", str(stub))
    with pytest.raises(JavaProblem, match=f"-version printed: {said}"):
        environment.check_java()


def test_the_installed_versions_are_tested_ones() -> None:
    environment.check_versions()


@pytest.mark.parametrize(
    ("package", "release", "way_out"),
    [
        ("delta-spark", "4.4.1", r'pip install "delta-spark>=4.4.0,<4.5,!=4.4.1"'),
        ("delta-spark", "4.5.0", r'pip install "delta-spark>=4.4.0,<4.5,!=4.4.1"'),
        ("delta-spark", "3.3.2", r'pip install "delta-spark>=4.4.0,<4.5,!=4.4.1"'),
        ("pyspark", "4.2.0", r'pip install "pyspark>=4.1.0,<4.2"'),
        ("pyspark", "(not installed)", r'pip install "pyspark>=4.1.0,<4.2"'),
    ],
)
def test_an_untested_version_is_refused_with_the_command_that_helps(
    package: str, release: str, way_out: str
) -> None:
    with pytest.raises(VersionProblem) as problem:
        environment.check_versions({package: release})
    assert f"{package} {release} was never tested" in str(problem.value)
    assert way_out in str(problem.value)


def spark_home(folder: Path, jar: str = "", release: str = "") -> Path:
    """A SPARK_HOME with a jar of this name, or with a file RELEASE that begins so."""
    for name in ("bin/spark-submit", f"jars/{jar}" if jar else "", "RELEASE" if release else ""):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name:
            (folder / name).write_text(release)
    return folder


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"jar": "spark-core_2.12-3.5.7.jar"}, "3.5.7"),
        ({"jar": "spark-core_2.13-4.0.1-amzn-0.jar"}, "4.0.1-amzn-0"),
        ({"release": "Spark 3.5.7 (git revision ab12) built for Hadoop 3.3.4\n"}, "3.5.7"),
    ],
)
def test_a_spark_home_of_another_release_is_refused_before_it_is_started(
    files: dict[str, str], found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_HOME", str(spark_home(tmp_path, **files)))
    with pytest.raises(SparkHomeProblem) as problem:
        environment.check_spark_home()
    told = str(problem.value)
    assert f"SPARK_HOME is {tmp_path}, which has Spark {found}" in told
    assert "which has to be 4.1.x" in told
    assert "unset SPARK_HOME" in told


@pytest.mark.parametrize(
    "files",
    [
        {"jar": "spark-core_2.13-4.1.0.jar"},
        {"release": "Spark 4.1.1 (git revision ab12) built for Hadoop 3.4.2\n"},
        {},
    ],
)
def test_a_spark_home_of_the_same_release_line_or_of_an_unknown_one_is_taken(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_HOME", str(spark_home(tmp_path, **files)))
    environment.check_spark_home()


def test_a_spark_home_without_a_spark_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for home in (str(tmp_path), ""):
        monkeypatch.setenv("SPARK_HOME", home)
        with pytest.raises(SparkHomeProblem, match="which has no bin.spark-submit"):
            environment.check_spark_home()
    monkeypatch.delenv("SPARK_HOME")
    environment.check_spark_home()


def test_the_spark_that_would_be_started_is_checked_with_its_java(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = fake_java(tmp_path / "java", 'openjdk version "17"')
    monkeypatch.setenv("JAVA_HOME", str(java))
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    with pytest.raises(SparkHomeProblem):
        environment.check_machine()


def test_jars_that_ivy_resolved_are_found_again(tmp_path: Path) -> None:
    jars = [tmp_path / "delta.jar", tmp_path / "storage dir" / "antlr.jar"]
    jars[1].parent.mkdir()
    for jar in jars:
        jar.touch()
    environment.record_jars(tmp_path, (), [jar.as_uri() for jar in jars])
    assert environment.recorded_jars(tmp_path) == tuple(map(str, jars))


def test_jars_that_spark_has_itself_are_not_passed_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark, ivy = tmp_path / "spark", tmp_path / "ivy"
    names = ["io.delta_delta-spark_4.1_2.13-4.4.0.jar", "org.hadoop_hadoop-client-3.4.2.jar"]
    for path in (spark / "jars/hadoop-client-3.4.2.jar", *(ivy / name for name in names)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    environment.record_jars(ivy, (), [str(ivy / name) for name in names])
    monkeypatch.setenv("SPARK_HOME", str(spark))
    assert environment.recorded_jars(ivy) == (str(ivy / names[0]),)


def test_of_deltas_jars_none_is_passed_that_spark_has_in_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark, ivy = tmp_path / "spark", tmp_path / "ivy"
    has = ("zstd-jni-1.5.7-6.jar", "jackson-core-2.21.2.jar", "arrow-vector-18.3.0.jar")
    names = ["com.luben_zstd-jni-1.5.7-3.jar", "com.fasterxml_jackson-core-2.13.5.jar"]
    names += ["com.fasterxml_jackson-datatype-jdk8-2.13.5.jar", "io.delta_delta-spark_2.13-4.4.jar"]
    for path in (*(spark / "jars" / each for each in has), *(ivy / name for name in names)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    given = [str(ivy / name) for name in names]
    monkeypatch.setenv("SPARK_HOME", str(spark))
    environment.record_jars(ivy, (), given)
    assert environment.recorded_jars(ivy) == tuple(given[2:])
    environment.record_jars(ivy, ["org.a:b:2"], given)
    assert environment.recorded_jars(ivy, ["org.a:b:2"]) == tuple(given)


def test_a_record_with_a_missing_jar_is_not_used(tmp_path: Path) -> None:
    jar = tmp_path / "delta.jar"
    jar.touch()
    environment.record_jars(tmp_path, (), [str(jar)])
    jar.unlink()
    assert environment.recorded_jars(tmp_path) == ()


def test_other_packages_have_a_record_of_their_own(tmp_path: Path) -> None:
    jar = tmp_path / "s3a.jar"
    jar.touch()
    environment.record_jars(tmp_path, ["org.a:s3a:1", "org.a:b:2"], [str(jar)])
    assert environment.recorded_jars(tmp_path) == ()
    assert environment.recorded_jars(tmp_path, ["org.a:s3a:2", "org.a:b:2"]) == ()
    assert environment.recorded_jars(tmp_path, ["org.a:b:2", "org.a:s3a:1"]) == (str(jar),)


def test_what_is_excluded_has_a_record_of_its_own(tmp_path: Path) -> None:
    jar = tmp_path / "org.a_b-1.jar"
    jar.touch()
    environment.record_jars(tmp_path, ["org.a:b:1"], [str(jar)], ["org.a:c"])
    assert environment.recorded_jars(tmp_path, ["org.a:b:1"]) == ()
    assert environment.recorded_jars(tmp_path, ["org.a:b:1", "org.a:c"]) == ()
    assert environment.recorded_jars(tmp_path, ["org.a:b:1"], ["org.a:c"]) == (str(jar),)


def test_another_version_of_delta_has_a_record_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jar = tmp_path / "delta.jar"
    jar.touch()
    environment.record_jars(tmp_path, (), [str(jar)])
    monkeypatch.setattr(environment, "version", lambda package: "4.4.2")
    assert environment.recorded_jars(tmp_path) == ()


def test_jars_are_kept_where_the_next_start_looks_for_them(tmp_path: Path) -> None:
    ivy = tmp_path / ".ivy2.5.2"
    assert environment.ivy_confs(ivy) == {"spark.jars.ivy": str(ivy)}
    assert environment.ivy_confs(tmp_path / "no_home" / ".ivy2.5.2") == {}


def test_spark_defaults_are_read_as_spark_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert environment.spark_defaults() == {}
    (tmp_path / "spark-defaults.conf").write_text(
        "# spark.a 1\n\n  spark.jars\t /j/a.jar,/j/b.jar \nspark.sql.extensions = org.Mine\n"
        "spark.empty\nspark.driver.extraJavaOptions -Da=b -Dc:d\nspark.long a\\\n  b\n"
        "=== of the team ===\n"
    )
    assert environment.spark_defaults() == {
        "spark.jars": "/j/a.jar,/j/b.jar",
        "spark.sql.extensions": "org.Mine",
        "spark.driver.extraJavaOptions": "-Da=b -Dc:d",
    }


def test_spark_defaults_that_are_no_utf_8_are_read_as_spark_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    text = "# Größe\nspark.jars /j/a.jar\nspark.mine größer\n"
    (tmp_path / "spark-defaults.conf").write_bytes(text.encode("latin-1"))
    assert environment.spark_defaults() == {"spark.jars": "/j/a.jar", "spark.mine": "gr��er"}
