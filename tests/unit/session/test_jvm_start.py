"""The confs as a properties file that Java reads back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbt.adapters.deltaspark.session.confs import LOG4J
from dbt.adapters.deltaspark.session.jvm_start import java_options, lines, properties

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_plain_characters_stand_as_they_are() -> None:
    assert properties({"spark.master": "local-2_x/y.z"}) == "spark.master=local-2_x/y.z\n"


def test_what_the_format_has_rules_for_is_written_by_its_code() -> None:
    assert properties({"a b": "x=y\\\n#"}) == "a\\u0020b=x\\u003dy\\u005c\\u000a\\u0023\n"


def test_characters_of_two_units_are_written_by_both() -> None:
    assert properties({"k": "é\N{GRINNING FACE}"}) == "k=\\u00e9\\ud83d\\ude00\n"


def test_the_users_lines_win_over_what_yields_and_lose_to_the_profiles() -> None:
    theirs = b"spark.a 2\nspark.b 2 \\"
    found = lines({"spark.a": "1"}, theirs, {"spark.b": "3"}).decode().splitlines()
    assert [line for line in found if line] == [
        "spark.a=1",
        "spark.a 2",
        "spark.b 2 \\",
        "spark.b=3",
    ]
    assert found[found.index("spark.b 2 \\") + 1] == "", "the last line goes on in nothing"


def test_a_clusters_driver_is_as_quiet_as_a_local_one_unless_the_user_says_how_it_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.delenv("SPARK_SUBMIT_OPTS", raising=False)
    local, cluster = {"spark.master": "local[2]"}, {"spark.master": "yarn"}
    quiet = f"-Dlog4j2.configurationFile={LOG4J.as_uri()}"
    assert options_of(cluster) == [quiet]
    assert options_of(local) == [], "its own confs say the rest"
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", "-Dlog4j2.configurationFile=/mine")
    assert options_of(cluster) == [quiet, "-Dlog4j2.configurationFile=/mine"]
    (tmp_path / "log4j2.properties").touch()
    assert options_of(cluster) == ["-Dlog4j2.configurationFile=/mine"]


def options_of(confs: dict[str, str]) -> list[str]:
    return java_options(confs)["SPARK_SUBMIT_OPTS"].split()
