"""Ctrl-C while the main thread waits for Spark, whichever thread has started that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_processes import opening, run_python

if TYPE_CHECKING:
    from pathlib import Path

INTERRUPTED = """
import os, signal, threading, time
from dbt.adapters.deltaspark.session import SessionConnection

spark = open_session(settings)
jobs = spark.sparkContext.statusTracker().getActiveJobsIds

def interrupt():
    while not jobs():
        time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)

connection = SessionConnection(spark, "spark_catalog", "default")
connection.group = "operation.shop.endless"
threading.Thread(target=interrupt, daemon=True).start()
try:
    with connection.working("endless"):
        spark.sql("select count(*) from range(0, 10000000000000) where hash(id) % 7 = 99").collect()
except KeyboardInterrupt:
    until = time.monotonic() + 30
    while jobs() and time.monotonic() < until:
        time.sleep(0.1)
    print("interrupted", jobs(), spark.range(5).count())
"""
IN_ANOTHER_THREAD = """
from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor(1) as pool:
    spark = pool.submit(open_session, settings).result()
"""


@pytest.mark.share(2)
@pytest.mark.parametrize("first", ["", IN_ANOTHER_THREAD], ids=["main", "another thread"])
def test_ctrl_c_ends_the_main_threads_job_and_spark_goes_on(tmp_path: Path, first: str) -> None:
    opened = opening(str(tmp_path / "w"), str(tmp_path / "m"))
    begun = opened.replace("spark = open_session(settings)", first)
    result = run_python(begun + INTERRUPTED, tmp_path)
    assert result.stdout.splitlines()[-1:] == ["interrupted [] 5"], result.stderr
