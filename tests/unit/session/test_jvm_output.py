"""What is passed on of a starting JVM's output."""

from __future__ import annotations

import os
import subprocess
import sys

from dbt.adapters.deltaspark.session.jvm_output import useful, without_noise

INCUBATOR = b"WARNING: Using incubator modules: jdk.incubator.vector\n"
WARNING = b"26/11/25 03:00:00 WARN Utils: Service 'SparkUI' could not bind\n"
BEGINNING = [
    b":: loading settings :: url = jar:file:/spark/jars/ivy.jar!/ivysettings.xml\n",
    b"Ivy Default Cache set to: /home/ann/.ivy2/cache\n",
    b"io.delta#delta-spark_4.1_2.13 added as a dependency\n",
]
DOWNLOAD = b"downloading https://repo1.maven.org/maven2/io/delta/delta-spark.jar ...\n"
END = b"\t33 artifacts copied, 0 already retrieved (87018kB/240ms)\n"


def passed_on(*lines: bytes) -> tuple[list[bytes], list[str]]:
    said: list[str] = []
    return [*useful(lines, said.append)], said


def test_warnings_pass_and_what_nobody_can_use_does_not() -> None:
    assert passed_on(INCUBATOR, WARNING) == ([WARNING], [])


def test_jars_that_are_downloaded_are_one_sentence() -> None:
    lines = (*BEGINNING, DOWNLOAD, DOWNLOAD, END, WARNING)
    assert passed_on(*lines) == ([WARNING], ["Fetching Delta's jars, once"])


def test_jars_that_are_there_are_none() -> None:
    assert passed_on(*BEGINNING, END) == ([], [])


def test_what_ivy_says_is_shown_whole_where_it_fails() -> None:
    failure = b"\t\t::          UNRESOLVED DEPENDENCIES         ::\n"
    assert passed_on(*BEGINNING, failure, WARNING)[0] == [*BEGINNING, failure, WARNING]


def test_what_ivy_has_said_is_shown_where_the_jvm_ends() -> None:
    assert passed_on(*BEGINNING)[0] == BEGINNING


def test_a_process_that_starts_within_is_read_after_it_too() -> None:
    source, sink = os.pipe()
    kept = os.dup(2)
    os.dup2(sink, 2)
    try:
        with without_noise(str):
            text = "import sys; sys.stderr.write(sys.stdin.read())"
            child = subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE)
        child.communicate(INCUBATOR + WARNING)
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(sink)
    with os.fdopen(source, "rb") as found:
        assert found.readline() == WARNING
