"""A process that outlives its Spark: what the next session of it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_processes import opening, run_python

if TYPE_CHECKING:
    from pathlib import Path

ANOTHER = """
from pyspark import SparkContext

spark.sql("create table t as select 7 as id")
first = SparkContext._gateway.proc
{ends}
found = open_session(settings, warn=print)
another = SparkContext._gateway.proc.pid != first.pid
print(found.table("t").collect(), another, first.poll() is not None)
"""


@pytest.mark.share(4)
@pytest.mark.parametrize(
    ("ends", "told"),
    [
        pytest.param("first.kill()", "The Spark of this process is gone", id="killed"),
        pytest.param("spark.stop()", "", id="stopped"),
    ],
)
def test_another_spark_takes_the_place_of_one_that_has_ended(
    tmp_path: Path, ends: str, told: str
) -> None:
    opened = opening(str(tmp_path / "w"), str(tmp_path / "m"))
    result = run_python(opened + ANOTHER.format(ends=ends), tmp_path)
    assert result.stdout.splitlines()[-1:] == ["[Row(id=7)] True True"], result.stderr
    assert told in result.stdout
