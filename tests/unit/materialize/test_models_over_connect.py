"""Python models over Spark Connect: what a client lacks is told with a way out."""

from __future__ import annotations

import pytest
from pyspark.sql.connect.session import SparkSession

from dbt.adapters.deltaspark.materialize import python_models

CODE = """
def model(dbt, session):
    return {}

class dbtObj:
    def __init__(self, load):
        pass
"""


@pytest.mark.parametrize(
    "call", ["session.sparkContext.parallelize([1])", "session.range(2).rdd.map(tuple).toDF()"]
)
def test_calls_of_rdds_say_what_to_use_instead(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    monkeypatch.setattr(python_models, "is_remote", lambda: True)
    session = SparkSession.__new__(SparkSession)  # without a server, which these calls do not ask
    with pytest.raises(python_models.PythonModelError) as raised:
        python_models.frame_of(session, CODE.format(call), "Model 'm'")
    said = str(raised.value)
    assert f"line 3, in model: return {call}" in said
    assert "session.createDataFrame" in said
    assert "`remote`" in said
