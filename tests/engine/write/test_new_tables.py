"""Tables that the engine makes, or replaces whole, are what Delta's own CREATE TABLE AS makes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

import pytest
from commits import commit_of, latest_version
from sessions import jobs_so_far

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

OLD = "SELECT 1 AS id, 'a' AS v, named_struct('x', 1) AS n"
PLAIN = "SELECT 1L AS id, 'b' AS v, DATE'2026-01-01' AS day UNION ALL SELECT 2L, NULL, NULL"
VECTORS = ("delta.enableDeletionVectors", "true")


@dataclass(frozen=True)
class Shape:
    """A table: its rows, and what is said of it as arguments and in SQL."""

    rows: str = PLAIN
    said: dict[str, Any] = field(default_factory=dict)
    clauses: str = ""


SHAPES = {
    "plain": Shape(),
    "of no row": Shape(f"SELECT * FROM ({PLAIN}) WHERE id < 0"),
    "partitioned": Shape(said={"partition_by": ["day"]}, clauses="PARTITIONED BY (day)"),
    "clustered": Shape(said={"cluster_by": ["id", "v"]}, clauses="CLUSTER BY (id, v)"),
    "with properties and a comment": Shape(
        said={"properties": {"team": "ours", "delta.appendOnly": "false"}, "comment": "it's it"},
        clauses="COMMENT 'it\\'s it' TBLPROPERTIES ('team' = 'ours', 'delta.appendOnly' = 'false')",
    ),
    "with vectors": Shape(
        said={"properties": dict([VECTORS])}, clauses="TBLPROPERTIES ('{}' = '{}')".format(*VECTORS)
    ),
    "with features": Shape(
        said={
            "properties": {
                "delta.enableRowTracking": "true",
                "delta.enableChangeDataFeed": "true",
                "delta.feature.timestampNtz": "supported",
            }
        },
        clauses="TBLPROPERTIES ('delta.enableRowTracking' = 'true',"
        " 'delta.enableChangeDataFeed' = 'true', 'delta.feature.timestampNtz' = 'supported')",
    ),
    "mapped by names": Shape(
        "SELECT 1 AS `a b`, named_struct('c,d', 2) AS `e;f`",
        said={"properties": {"delta.columnMapping.mode": "name"}},
        clauses="TBLPROPERTIES ('delta.columnMapping.mode' = 'name')",
    ),
    **{
        f"for Iceberg, {version}": Shape(
            "SELECT 1L AS id, array(named_struct('x', 1)) AS a, map('k', 'b') AS m",
            said={"properties": {f"delta.enableIcebergCompat{version}": "true"}},
            clauses=f"TBLPROPERTIES ('delta.enableIcebergCompat{version}' = 'true')",
        )
        for version in ("V2", "V3")
    },
    "of many types": Shape(
        "SELECT CAST('x' AS VARCHAR(5)) AS c, 1.5BD AS d, X'01' AS b, array(map('k', 1)) AS m,"
        " 2.5F AS f, true AS t, INTERVAL '1' DAY IS NULL AS i, parse_json('1') AS j"
    ),
    "of chars": Shape("SELECT CAST('x' AS CHAR(3)) AS c, 1 AS id"),
    "of a struct of varchars": Shape("SELECT s FROM described_source"),
    "with a default that it has the feature for": Shape(
        "SELECT d, s FROM described_source",
        said={"properties": {"delta.feature.allowColumnDefaults": "supported"}},
        clauses="TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')",
    ),
    "of itself": Shape("SELECT * FROM {table} UNION ALL SELECT * FROM {table}"),
}


@pytest.fixture(scope="module", autouse=True)
def described_source(small: SparkSession) -> Iterator[None]:
    small.sql(
        "CREATE TABLE described_source (d INT DEFAULT 7,"
        " s STRUCT<x: INT COMMENT 'of x', y: VARCHAR(3)>) USING delta"
        " TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')"
    )
    small.sql("INSERT INTO described_source VALUES (1, named_struct('x', 1, 'y', 'abc'))")
    yield
    small.sql("DROP TABLE described_source")


@pytest.fixture
def pair(small: SparkSession) -> Iterator[tuple[str, str]]:
    names = ("made_by_ours", "made_by_delta")
    yield names
    for name in names:
        small.sql(f"DROP TABLE IF EXISTS {name}")


def written(spark: SparkSession, name: str, shape: Shape, **said: Any) -> engine.MergeResult:
    return engine.write(
        spark.sql(shape.rows.format(table=name)),
        engine.DeltaTarget.for_name(spark, name),
        mode="overwrite",
        overwrite_schema=True,
        **shape.said,
        **said,
    )


def what_it_is(spark: SparkSession, name: str) -> dict[str, Any]:
    """Everything but ids, files and times; Delta writes a file where there is no row, too."""
    detail = spark.sql(f"DESCRIBE DETAIL {name}").first().asDict()
    last = spark.sql(f"DESCRIBE HISTORY {name}").first().asDict()
    schema = json.loads(spark.table(name).schema.json())
    catalog = spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    said = {row[0]: row[1] for row in catalog if row[0] in ("Type", "Provider", "Comment")}
    properties = detail["properties"]
    parameters = last["operationParameters"]
    return {
        "rows": sorted(map(str, spark.table(name).collect())),
        "schema": schema,
        "detail": {
            key: detail[key]
            for key in ("partitionColumns", "clusteringColumns", "description", "tableFeatures")
        },
        "protocol": (detail["minReaderVersion"], detail["minWriterVersion"]),
        "properties": {k: v for k, v in properties.items() if "materialized" not in k},
        "operation": last["operation"],
        "parameters": {k: v for k, v in parameters.items() if k != "properties"},
        "said of properties": {
            k: v for k, v in json.loads(parameters["properties"]).items() if "materialized" not in k
        },
        "metrics": {
            key: value
            for key, value in last["operationMetrics"].items()
            if key in ("numOutputRows", "numRemovedFiles")
        },
        "blind": last["isBlindAppend"],
        "isolation": last["isolationLevel"],
        "note": last["userMetadata"],
        "version": last["version"],
        "catalog": said,
    }


def checksum_of(spark: SparkSession, name: str) -> dict[str, Any]:
    """What the first version's checksum says, but for ids, sizes and the files, which are ours."""
    folder = Path(urlparse(spark.sql(f"DESCRIBE DETAIL {name}").first().location).path)
    said = json.loads((folder / "_delta_log/00000000000000000000.crc").read_text())
    files = {each["path"] for each in said.pop("allFiles")}
    assert files == {each["path"] for each in commit_of(folder, 0).added}
    assert said.pop("numFiles") == len(files)
    for differs in ("txnId", "metadata", "tableSizeBytes", "fileSizeHistogram"):
        said.pop(differs)
    for key in ("deletedRecordCountsHistogramOpt", "domainMetadata"):
        said[key] = len(said.get(key, []))
    return dict(said)


@pytest.mark.share(24)
@pytest.mark.parametrize("shape", [s for s in SHAPES.values() if "{table}" not in s.rows])
def test_a_table_is_made_as_by_delta(
    small: SparkSession, pair: tuple[str, str], shape: Shape
) -> None:
    ours, theirs = pair
    result = written(small, ours, shape)
    assert (result.version, result.route) == (0, "insert_only")
    small.sql(f"CREATE TABLE {theirs} USING delta {shape.clauses} AS {shape.rows}")
    assert what_it_is(small, ours) == what_it_is(small, theirs)
    assert checksum_of(small, ours) == checksum_of(small, theirs)


@pytest.mark.share(24)
@pytest.mark.parametrize(
    "old", ["", "CLUSTER BY (id)", "TBLPROPERTIES ('{}' = '{}')".format(*VECTORS)]
)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_table_is_replaced_as_by_delta(
    small: SparkSession, pair: tuple[str, str], shape: Shape, old: str
) -> None:
    if "CLUSTER" in old and "partition_by" in shape.said:
        pytest.skip("Delta makes no partitioned table of a clustered one")
    if VECTORS[0] in old and "CompatV2" in shape.clauses:
        pytest.skip("Iceberg's second version knows no vectors, which a table of any keeps")
    ours, theirs = pair
    for name in pair:
        small.sql(f"CREATE TABLE {name} USING delta COMMENT 'old' {old} AS {OLD}")
        small.sql(f"INSERT INTO {name} {OLD}")
    result = written(small, ours, shape)
    assert (result.version, result.route) == (2, "classic")
    rows = shape.rows.format(table=theirs)
    small.sql(f"CREATE OR REPLACE TABLE {theirs} USING delta {shape.clauses} AS {rows}")
    assert what_it_is(small, ours) == what_it_is(small, theirs)


def test_a_feature_that_delta_does_not_add_to_a_table_is_its_error(
    small: SparkSession, pair: tuple[str, str]
) -> None:
    wall = Shape("SELECT TIMESTAMP_NTZ'2026-01-01 00:00:00' AS w")
    name, _ = pair
    assert written(small, name, wall).version == 0
    written(small, name, SHAPES["plain"])
    small.sql(f"DROP TABLE {name}")
    written(small, name, SHAPES["plain"])
    for replaced in (
        lambda: written(small, name, wall),
        lambda: small.sql(f"CREATE OR REPLACE TABLE {name} USING delta AS {wall.rows}"),
    ):
        with pytest.raises(Exception, match="DELTA_FEATURES_REQUIRE_MANUAL_ENABLEMENT"):
            replaced()
    assert what_it_is(small, name)["version"] == 0


def test_a_table_is_made_and_replaced_without_a_job_but_those_that_write(
    small: SparkSession, pair: tuple[str, str]
) -> None:
    name, _ = pair
    start = jobs_so_far(small)
    written(small, name, SHAPES["plain"])
    before = jobs_so_far(small)
    assert before == start + 1
    written(small, name, SHAPES["plain"], user_metadata="again")
    assert jobs_so_far(small) == before + 1
    assert what_it_is(small, name)["note"] == "again"


def test_a_replacement_that_fails_leaves_the_table(
    small: SparkSession, pair: tuple[str, str]
) -> None:
    name, _ = pair
    written(small, name, SHAPES["plain"])
    before = what_it_is(small, name)
    failing = Shape("SELECT CAST(raise_error('on purpose') AS INT) AS id")
    with pytest.raises(Exception, match="on purpose"):
        written(small, name, failing)
    assert what_it_is(small, name) == before


def test_a_replacement_is_written_once_under_its_key(
    small: SparkSession, pair: tuple[str, str]
) -> None:
    name, _ = pair
    versions = [written(small, name, SHAPES["plain"], idempotency_key="k").version for _ in "ab"]
    assert versions == [0, None]


@pytest.mark.parametrize("which", ["options", "location"])
def test_a_table_of_its_own_place_and_options_is_delta_s_to_make(
    small: SparkSession, pair: tuple[str, str], tmp_path: Path, which: str
) -> None:
    said = {
        "options": {"options": {"compression": "gzip"}},
        "location": {"properties": {"location": str(tmp_path / "t")}},
    }
    name, _ = pair
    for version in (0, 1):
        result = written(small, name, Shape(said=said[which]))
        assert (result.version, result.route) == (version, "native")
    detail = small.sql(f"DESCRIBE DETAIL {name}").first()
    folder = Path(detail["location"].removeprefix("file:"))
    assert latest_version(folder) == 1
    assert commit_of(folder, 1).info["operation"].startswith("CREATE OR REPLACE")


@pytest.mark.parametrize(
    "said", [{"overwrite_schema": True}, {"merge_schema": True}], ids=["replaced", "grown"]
)
def test_a_default_of_the_source_is_not_the_table_s(
    small: SparkSession, pair: tuple[str, str], said: dict[str, Any]
) -> None:
    """Delta's own writes end in WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED."""
    name, _ = pair
    written(small, name, SHAPES["of chars"])
    target = engine.DeltaTarget.for_name(small, name)
    engine.write(small.sql("SELECT 2 AS id, d FROM described_source"), target, "overwrite", **said)
    assert small.table(name).schema["d"].metadata == {}
    detail = small.sql(f"DESCRIBE DETAIL {name}").first()
    assert detail["tableFeatures"] == ["appendOnly", "invariants"]


def test_no_table_is_made_whose_commits_are_a_catalog_s(
    small: SparkSession, pair: tuple[str, str]
) -> None:
    name, _ = pair
    managed = Shape(said={"properties": {"delta.feature.catalogManaged": "supported"}})
    with pytest.raises(Exception, match="DELTA_UNSUPPORTED_CATALOG_MANAGED_TABLE_CREATION"):
        written(small, name, managed)
    written(small, name, SHAPES["plain"])
    with pytest.raises(Exception, match="DELTA_UNSUPPORTED_CATALOG_MANAGED_TABLE_CREATION"):
        written(small, name, managed)
    assert what_it_is(small, name)["version"] == 0
