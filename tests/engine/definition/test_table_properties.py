"""Table properties are refused beforehand exactly where Delta would refuse them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyspark.errors import PySparkException

from dbt.adapters.deltaspark.engine import refused_properties

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

TAKEN = [
    {},
    {"made_by": "me"},
    {"delta.enableDeletionVectors": "true", "team": "x"},
    {"DELTA.APPENDONLY": "false"},
    {"delta.feature.deletionVectors": "supported"},
    {"delta.logRetentionDuration": "interval 7 days"},
]
REFUSED = {
    "delta.enableDeletionVector": ("true", "did you mean 'delta.enableDeletionVectors'?"),
    "delta.targetFileSize": ("1mb", "Delta knows no table property 'delta.targetFileSize' (with"),
    "delta.appendOnly": ("maybe", "'delta.appendOnly' cannot be 'maybe'"),
    "delta.minReaderVersion": ("9", "delta.minReaderVersion needs to be one of 1, 2, 3."),
    "delta.logRetentionDuration": ("soon", "soon is not a valid INTERVAL"),
}


def create(spark: SparkSession, path: Path, properties: dict[str, str]) -> None:
    texts = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
    clause = f"TBLPROPERTIES ({texts})" if texts else ""
    spark.sql(f"CREATE TABLE delta.`{path}` (id INT) USING delta {clause}")


@pytest.mark.parametrize("properties", TAKEN, ids=str)
def test_what_delta_takes(small: SparkSession, tmp_path: Path, properties: dict[str, str]) -> None:
    assert refused_properties(small, properties) == []
    create(small, tmp_path / "t", properties)


@pytest.mark.parametrize("name", REFUSED)
def test_what_delta_refuses(small: SparkSession, tmp_path: Path, name: str) -> None:
    value, told = REFUSED[name]
    (problem,) = refused_properties(
        small, {"delta.appendOnly": "true", "made_by": "me", name: value}
    )
    assert name in problem
    assert told in problem
    with pytest.raises(PySparkException):
        create(small, tmp_path / "t", {name: value})


def test_all_are_told_at_once(small: SparkSession) -> None:
    wrong = {name: value for name, (value, _) in REFUSED.items()}
    assert len(refused_properties(small, wrong)) == len(REFUSED)


def test_any_name_goes_where_the_session_says_so(spark: SparkSession) -> None:
    session = spark.newSession()
    session.conf.set("spark.databricks.delta.allowArbitraryProperties.enabled", "true")
    assert refused_properties(session, {"delta.targetFileSize": "1mb"}) == []
