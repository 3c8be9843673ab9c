"""What is passed on of a starting JVM's output."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque

import pytest

from dbt.adapters.deltaspark.session.jvm_output import (
    Output,
    reason_in,
    useful,
    without_noise,
)

INCUBATOR = b"WARNING: Using incubator modules: jdk.incubator.vector\n"
OF_AMAZON = b'SLF4J: Failed to load class "org.slf4j.impl.StaticLoggerBinder".\n'
OF_SPARK = b"SLF4J(W): No SLF4J providers were found.\n"
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
    assert passed_on(INCUBATOR, OF_AMAZON, WARNING) == ([WARNING], [])
    assert passed_on(OF_SPARK) == ([OF_SPARK], [])


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


def test_what_a_jvm_that_ended_has_said() -> None:
    ran, said = "import sys; sys.stderr.write('Error: no heap')", "Error: no heap"
    with without_noise(str) as output:
        subprocess.run([sys.executable, "-c", ran], check=True)
    assert output.reason() == said


def test_the_reason_begins_with_the_first_error_and_has_no_stack_trace() -> None:
    lines = [
        "26/11/25 03:00:00 WARN Utils: Service 'SparkUI' could not bind",
        'Exception in thread "main" java.lang.RuntimeException: [unresolved dependency: a#b;1]',
        "\tat org.apache.spark.util.DependencyUtils$.resolve(DependencyUtils.scala:10)",
        "Caused by: java.io.IOException: no route",
        "",
        "\t... 10 more",
        "the end",
    ]
    assert reason_in(lines).splitlines() == [lines[1], lines[3], lines[6]]


NO_MEMORY = [
    "# There is insufficient memory for the Java Runtime Environment to continue.",
    "# Native memory allocation (mmap) failed to map 4398046511104 bytes.",
    "# An error report file with more information is saved as:",
    "# /shop/hs_err_pid14285.log",
]
COMMIT = "VM warning: INFO: os::commit_memory(0x7be2, 4398046511104, 0) failed; error='No space'"


@pytest.mark.parametrize("vm", ["OpenJDK 64-Bit Server", "Java HotSpot(TM) 64-Bit Server"])
def test_the_reason_begins_with_a_lack_of_memory_and_its_warning(vm: str) -> None:
    before = ["Picked up JDK_JAVA_OPTIONS: -Xms4t", f"{vm} VM warning: Option UseX was deprecated"]
    told = [f"{vm} {COMMIT}", *NO_MEMORY]
    assert reason_in([*before, told[0], "#", *told[1:], "#"]).splitlines() == told
    assert reason_in([*before, "#", *NO_MEMORY]).splitlines() == NO_MEMORY


def test_an_error_of_five_lines_is_shown_whole_and_nine_are_cut() -> None:
    lines = ["Error occurred during initialization of VM", *(f"Cause {each}" for each in range(9))]
    assert reason_in(["noise", *lines[:5]]).splitlines() == lines[:5]
    assert reason_in(["noise", *lines]).splitlines() == lines[:8]


def test_the_reason_is_the_last_lines_where_none_is_an_error() -> None:
    assert reason_in(map(str, range(9))) == "1\n2\n3\n4\n5\n6\n7\n8"
    assert reason_in([]) == ""


def test_why_spark_gave_its_master_up_is_in_its_log_alone() -> None:
    logged = "12:00:00 ERROR StandaloneSchedulerBackend: Application has been killed. Reason: {}"
    assert Output(deque(["noise", logged.format("No answer."), "noise"])).refusal() == "No answer."
    assert Output(deque(["noise"])).refusal() == ""
