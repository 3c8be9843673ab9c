"""A Spark that outlives the processes that use it: shared, cleared up, refused, ended."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import stat
import sys
from pathlib import Path
from typing import cast

import pytest
from waiting import wait_until
from warm_users import CONFS, COUNT, ENDLESS, INTERRUPTED, Users

from dbt.adapters.deltaspark.session import handshake
from dbt.adapters.deltaspark.session.commands import main as deltaspark


def test_a_second_process_uses_the_spark_that_the_first_one_started(users: Users) -> None:
    first = users.told("spark.sql('create table t as select 7 as id')")
    second = users.told("result = spark.table('t').collect()")
    assert (second["jvm"], second["result"]) == (first["jvm"], [[7]])
    assert str(first["said"]).startswith("['Starting Spark")
    assert f"Using the warm Spark (JVM {first['jvm']})" in str(second["said"])


A_UDF = """
from pyspark.sql.functions import udf
executable = udf(lambda _: sys.executable)
result = [row[0] for row in spark.range(1).select(executable("id")).collect()]
"""


def test_python_functions_run_in_the_python_of_the_process_that_has_them(
    users: Users, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in the `python3` that is found first."""
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    assert [users.told(A_UDF)["result"] for _ in ("starts", "attaches")] == [[sys.executable]] * 2


def test_git_takes_no_notice_of_the_folders_that_it_makes(users: Users) -> None:
    users.told()
    for name in ("m", "w"):
        assert (users.folder / name / ".gitignore").read_text() == "*\n"


def test_nobody_else_can_find_or_use_it(users: Users) -> None:
    users.told()
    found = handshake.read(users.warm)
    assert found is not None
    for path in (users.warm, *users.warm.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    for process in (found.jvm, found.keeper):
        assert found.secret not in Path(f"/proc/{process}/cmdline").read_text()
    for said in (b"", b"A\nwrong\n"):
        with socket.create_connection(("127.0.0.1", found.port), timeout=10) as connection:
            connection.sendall(said + b"c\nz:java.lang.System\nnanoTime\ne\n")
            assert not connection.recv(100).startswith(b"!y")
    (users.warm / handshake.FILE).chmod(0o640)
    assert handshake.read(users.warm) is None, "another user may have read it"
    (users.warm / handshake.FILE).chmod(0o600)


NOBODY = """
import email.parser  # nobody may not read the modules of root's Python that come later
os.setgroups([]), os.setgid(65534), os.setuid(65534)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_another_user_is_refused(users: Users) -> None:
    users.told()
    parents = [users.folder, *users.folder.parents][:3]
    modes = {path: path.stat().st_mode for path in parents}
    for path in parents:
        path.chmod(0o755)
    try:
        refused = users.told(first=NOBODY)
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    assert refused["error"] == "SessionError"
    assert "serves the user alone who started it" in str(refused["text"])


def test_confs_of_a_session_are_those_of_the_profile_that_attaches(users: Users) -> None:
    key = "spark.sql.shuffle.partitions"
    asked = f"result = spark.conf.get('{key}')"
    confs = {**CONFS, key: "9"}
    assert [users.told(asked, each)["result"] for each in (CONFS, confs, CONFS)] == ["2", "9", "2"]
    ansi = {**CONFS, "spark.sql.ansi.enabled": "false"}
    asked = "result = spark.conf.get('spark.sql.ansi.enabled')"
    assert [users.told(asked, each)["result"] for each in (ansi, CONFS)] == ["false", "true"]


@pytest.mark.share(6)
def test_other_static_confs_are_refused_while_it_is_used_and_start_another_one_after_that(
    users: Users,
) -> None:
    jvm = users.told()["jvm"]
    other = {**CONFS, "spark.local.dir": str(users.folder)}
    with users.waiting("sys.stdin.readline()") as busy:
        refused = users.told(confs=other)
        busy.communicate("\n")
    assert refused["error"] == "SessionError"
    assert "spark.local.dir differs" in str(refused["text"])
    assert "deltaspark stop" in str(refused["text"])
    another = users.told(confs=other)
    assert another["jvm"] != jvm
    assert "gives way to another" in str(another["said"])
    users.told()  # as the other tests have it


def test_who_stops_its_spark_leaves_it_to_the_others(users: Users) -> None:
    jvm = users.told()["jvm"]
    code = "spark.stop(); spark = open_session(settings); result = spark.range(3).count()"
    with users.waiting("result = sys.stdin.readline(), spark.range(5).count()") as other:
        again = users.told(code)
        printed, problem = other.communicate("\n")
    assert (again["jvm"], again["result"]) == (jvm, 3)
    assert json.loads(printed.splitlines()[-1])["result"] == ["\n", 5], problem


def test_what_is_shared_outlasts_that_somebody_stops_its_spark(users: Users) -> None:
    shared = "spark.sql('create or replace global temporary view g as select 7 as id')"
    asked = "spark = open_session(settings); result = spark.table('global_temp.g').collect()"
    with users.waiting("sys.stdin.readline()") as other:
        again = users.told(f"{shared}; spark.stop(); {asked}")
        next_one = users.told(f"spark.newSession().stop(); {asked}")
        other.communicate("\n")
    assert (again["result"], next_one["result"]) == ([[7]], [[7]])


@pytest.mark.share(6)
def test_what_is_shared_is_let_go_each_time_that_nobody_is_left(users: Users) -> None:
    shared = "spark.sql('create or replace global temporary view g as select 7 as id')"
    asked = "result = spark.sql('show tables in global_temp').collect()"
    for _ in range(2):
        users.told(shared)
        wait_until(lambda: users.told(asked)["result"] == [], "the view is still there")


@pytest.mark.share(6)
def test_a_busy_spark_that_others_use_is_not_ended(users: Users) -> None:
    jvm = users.told()["jvm"]
    assert isinstance(jvm, int)
    with users.waiting("sys.stdin.readline()") as other:
        os.kill(jvm, signal.SIGSTOP)
        refused = users.told()
        os.kill(jvm, signal.SIGCONT)
        other.communicate("\n")
    assert "has not answered for 10 s, and is in use by dbt-" in str(refused["text"])
    assert users.told()["jvm"] == jvm


HELD = """
gateway = spark.sparkContext._gateway.java_gateway_server.getGateway()
jobs = spark.sparkContext.statusTracker().getActiveJobsIds()
result = [gateway.getBindings().size(), len(list(jobs))]
"""


def held(users: Users) -> tuple[int, int]:
    """The objects that the JVM holds for Pythons, and its running jobs."""
    objects, jobs = cast("list[int]", users.told(HELD)["result"])
    return objects, jobs


def test_a_killed_process_loses_its_jobs_alone_and_leaves_nothing_behind(users: Users) -> None:
    before, _ = held(users)
    with users.start(ENDLESS) as killed, users.start(COUNT) as other:
        wait_until((users.folder / "began").exists, "no job began")
        killed.kill()
        printed, problem = other.communicate(timeout=300)
    assert json.loads(printed.splitlines()[-1])["result"] == [1000] * 20, problem

    def is_cleared_up() -> bool:
        found.append(held(users))
        objects, jobs = found[-1]
        return jobs == 0 and objects <= before + 20

    found: list[tuple[int, int]] = []
    try:
        wait_until(is_cleared_up, "its job goes on, or the JVM holds what it had")
    finally:
        print(f"objects and jobs: {before} before, then {found}")


def test_an_interrupted_statement_of_the_main_thread_ends_and_the_session_goes_on(
    users: Users,
) -> None:
    assert users.told(INTERRUPTED)["result"] == [0, 5]


@pytest.mark.share(6)
def test_a_copy_of_the_project_has_a_spark_of_its_own_which_ends_with_its_keeper_alone(
    users: Users, tmp_path: Path
) -> None:
    jvm = users.told()["jvm"]
    shutil.copytree(users.folder / "m", tmp_path / "m")
    copy = Users(tmp_path)
    try:
        own = copy.told()["jvm"]
        assert own != jvm
        found = handshake.read(copy.warm)
        assert found is not None
        os.kill(found.keeper, signal.SIGKILL)
        wait_until(lambda: not Path(f"/proc/{own}").exists(), "it outlives its keeper")
    finally:
        copy.end()
    assert users.told()["jvm"] == jvm


@pytest.mark.share(4)
def test_a_spark_that_hangs_or_was_killed_is_replaced(users: Users) -> None:
    jvm = users.told()["jvm"]
    assert isinstance(jvm, int)
    os.kill(jvm, signal.SIGSTOP)
    replaced = users.told()
    assert replaced["jvm"] != jvm
    assert "The warm Spark is gone, or answers no more" in str(replaced["warned"])
    assert isinstance(replaced["jvm"], int)
    os.kill(replaced["jvm"], signal.SIGKILL)
    assert users.told()["jvm"] != replaced["jvm"]


@pytest.mark.share(6)
def test_one_that_hangs_and_nobody_uses_is_ended_by_its_keeper(users: Users) -> None:
    jvm = users.told()["jvm"]
    assert isinstance(jvm, int)
    os.kill(jvm, signal.SIGSTOP)
    wait_until(lambda: not Path(f"/proc/{jvm}").exists(), "it hangs on")
    assert handshake.read(users.warm) is None


def test_dbt_debug_and_deltaspark_start_name_the_spark_that_is_warm(
    users: Users, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    jvm = users.told()["jvm"]
    users.make_dbt_project()
    monkeypatch.chdir(users.folder)
    assert deltaspark(["start"]) == 0  # which is `dbt debug`, in a process of its own
    shown = capfd.readouterr().out
    assert f"Using the warm Spark (JVM {jvm}), which was started" in shown
    assert "Connection test: [" in shown


def test_the_command_shows_and_stops_it(
    users: Users, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    jvm = users.told("spark._jvm.java.lang.System.err.println('said by the JVM')")["jvm"]
    monkeypatch.chdir(users.folder)
    assert deltaspark(["status"]) == 0
    shown = capsys.readouterr().out
    assert f"JVM {jvm}, keeper" in shown
    assert re.search(r"MB, [1-9]\d* sessions, 0 running jobs", shown)
    assert f"log: {users.warm / handshake.LOG}" in shown
    assert "said by the JVM" in (users.warm / handshake.LOG).read_text()
    assert deltaspark(["stop"]) == 0
    assert not Path(f"/proc/{jvm}").exists()
    assert deltaspark(["status"]) == 1


@pytest.mark.share(6)
def test_it_ends_after_its_idle_time(users: Users) -> None:
    users.end()
    jvm = users.told(keep_alive=1)["jvm"]
    wait_until(lambda: not Path(f"/proc/{jvm}").exists(), "it runs on")
    assert handshake.read(users.warm) is None


@pytest.mark.share(6)
def test_it_ends_when_its_folder_is_gone(users: Users) -> None:
    jvm = users.told()["jvm"]
    shutil.rmtree(users.folder / "m")
    wait_until(lambda: not Path(f"/proc/{jvm}").exists(), "it runs on")
