"""Python models: what a model may return or do wrong."""

from __future__ import annotations

import datetime
import os
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


def model(*lines: str, imports: str = "", config: str = "materialized='table'") -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"{imports}\n\ndef model(dbt, session):\n    dbt.config({config})\n{body}\n"


PANDAS, ARROW = "import pandas as pd", "import pyarrow as pa"
RETURNS = {
    "numbers.sql": "{{ config(materialized='table') }}"
    " select * from values (1, 'a'), (2, null), (3, 'c') as t(id, `the name`)",
    "eph.sql": "{{ config(materialized='ephemeral') }} select 1 as id",
    "of_spark.py": model("return dbt.ref('numbers').where('id > 1')"),
    "of_sql.py": model("return session.sql('select id * 2 as id from numbers')"),
    "of_another_session.py": model(
        "from pyspark.sql import SparkSession",
        "return SparkSession.builder.getOrCreate().range(2)",
    ),
    "of_pandas.py": model(
        "return pd.DataFrame({",
        "    'name': ['x', None, float('nan')],",
        "    'number': [1.5, float('nan'), None],",
        "    'whole': pd.array([1, None, 3], dtype='Int64'),",
        "    'amount': [decimal.Decimal('1.10'), None, decimal.Decimal('20.00')],",
        "    'day': [datetime.date(2026, 1, 2), None, None],",
        "    'at': pd.to_datetime(['2026-01-02 03:04:05', None, None]),",
        "    'kind': pd.Categorical(['p', 'q', None]),",
        "    'tags': [['a', 'b'], None, []],",
        "}, index=[7, 8, 9])",
        imports=f"import datetime, decimal\n{PANDAS}",
    ),
    "of_arrow.py": model(
        "return pa.table({'small': pa.array([255, None], pa.uint8()),",
        "    'large': pa.array([2**64 - 1, None], pa.uint64()),",
        "    'word': pa.array(['a', None]).dictionary_encode(),",
        "    'zoned': pa.array([0, None], pa.timestamp('s', tz='Europe/Paris'))})",
        imports=ARROW,
    ),
    "of_a_reader.py": model("return pa.table({'id': [1, 2]}).to_reader()", imports=ARROW),
    "of_no_rows.py": model(
        "return pa.table({'id': pa.array([], pa.int64())})",
        imports=ARROW,
    ),
    "of_a_function.py": model(
        "return dbt.ref('numbers').select(twice('id').alias('id'))",
        imports="from __future__ import annotations\n"
        "from dataclasses import dataclass\nfrom pyspark.sql.functions import udf\n"
        "@dataclass\nclass Factor:\n    value: int\n"
        "def times(number):\n    return number * Factor(2).value\n"
        "@udf('int')\ndef twice(number):\n    return times(number)\n",
    ),
    "knows_itself.py": model(
        "names = [(str(dbt.this), dbt.this.identifier, dbt.config.get('colour'))]",
        "return session.sql(f\"select '{names[0][1]}' as me, '{names[0][2]}' as colour\")",
        config="materialized='table', colour='red'",
    ),
}


class TestWhatAModelReturns:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return RETURNS

    @pytest.fixture(scope="class", autouse=True)
    def run(self, project: TestProjInfo) -> Any:
        return dbt(project, "run")

    @pytest.mark.embedded("sessions of a server have nothing in common")
    def test_every_one_of_them_becomes_a_table(self, run: Any) -> None:
        assert {name: str(result.status) for name, result in run.results.items()} == dict.fromkeys(
            [name.partition(".")[0] for name in RETURNS if name != "eph.sql"], "success"
        )

    def test_a_dataframe_of_spark_keeps_its_rows_and_names(self, project: TestProjInfo) -> None:
        found = rows(project, "select id, `the name` from {schema}.of_spark order by id")
        assert found == [(2, None), (3, "c")]

    def test_names_without_a_schema_are_of_the_profiles_schema(self, project: TestProjInfo) -> None:
        assert rows(project, "select sum(id) from {schema}.of_sql") == [(12,)]

    @pytest.mark.embedded("sessions of a server have nothing in common")
    def test_a_dataframe_of_another_session_is_taken_over(self, project: TestProjInfo) -> None:
        found = rows(project, "select id from {schema}.of_another_session order by id")
        assert found == [(0,), (1,)]

    def test_a_pandas_frame_keeps_its_types_and_has_null_for_nan(
        self, project: TestProjInfo
    ) -> None:
        assert rows(
            project, "select * from {schema}.of_pandas order by name nulls last, whole"
        ) == [
            (
                "x",
                1.5,
                1,
                Decimal("1.10"),
                datetime.date(2026, 1, 2),
                datetime.datetime(2026, 1, 2, 3, 4, 5),
                "p",
                ["a", "b"],
            ),
            (None, None, None, None, None, None, "q", None),
            (None, None, 3, Decimal("20.00"), None, None, None, []),
        ]

    def test_an_arrow_table_gets_types_that_hold_its_values(self, project: TestProjInfo) -> None:
        described = rows(project, "describe {schema}.of_arrow")
        assert [tuple(row[:2]) for row in described] == [
            ("small", "smallint"),
            ("large", "decimal(20,0)"),
            ("word", "string"),
            ("zoned", "timestamp"),
        ]
        assert rows(project, "select * from {schema}.of_arrow order by small nulls last") == [
            (255, Decimal(2**64 - 1), "a", datetime.datetime(1970, 1, 1)),
            (None, None, None, None),
        ]

    def test_a_reader_is_read(self, project: TestProjInfo) -> None:
        assert rows(project, "select count(*) from {schema}.of_a_reader") == [(2,)]

    def test_a_frame_without_rows_becomes_a_table_without_rows(self, project: TestProjInfo) -> None:
        assert rows(project, "select count(id) from {schema}.of_no_rows") == [(0,)]

    def test_a_function_of_the_model_runs_on_the_workers(self, project: TestProjInfo) -> None:
        found = rows(project, "select id from {schema}.of_a_function order by id")
        assert found == [(2,), (4,), (6,)]

    def test_this_and_config_are_known(self, project: TestProjInfo) -> None:
        assert rows(project, "select me, colour from {schema}.knows_itself") == [
            ("knows_itself", "red")
        ]


FAILURES = {
    "eph.sql": "{{ config(materialized='ephemeral') }} select 1 as id",
    "raises.py": model(
        "for number in (2, 1, 0):",
        "    share(number)",
        "return session.range(1)",
        imports="def share(number):\n    return 1 / number",
    ),
    "asks_spark.py": model("return session.range(1).select('nope')"),
    "gives_nothing.py": model("return session.range(1).createOrReplaceTempView('one')"),
    "lists.py": model("return [1, 2]"),
    "mixes.py": model("return pd.DataFrame({'id': [1], 'name': ['x']}).assign(name=['x'])"),
    "mixed.py": model("return pd.DataFrame({'name': ['x', 1]})", imports=PANDAS),
    "doubles.py": model("return pd.DataFrame([[1, 2]], columns=['a', 'a'])", imports=PANDAS),
    "leaves.py": model("exit(3)", "return session.range(1)"),
    "imports.py": model("return session.range(1)", imports="import no_such_package.of_mine"),
    "reads_ephemeral.py": model("return dbt.ref('eph')"),
    "of_rdd.py": model("return session.range(1).rdd"),
    "parallel.py": model("return session.sparkContext.parallelize([1])"),
}
OF_RDDS = (
    "Over Spark Connect (`remote` in the profile) there are no RDDs, no sparkContext and no JVM"
    if "REMOTE" in os.environ
    else "RDD; a Python model returns a PySpark DataFrame, a pandas"
)


class TestWhatAModelDoesWrong:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return FAILURES

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Any:
        return dbt(project, "run")

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            (
                "raises",
                "Model 'raises' (models/raises.py) failed at\n"
                "    line 7, in model: share(number)\n"
                "    line 2, in share: return 1 / number\n"
                "  ZeroDivisionError: division by zero",
            ),
            pytest.param(
                "asks_spark",
                "line 3, in model: return session.range(1).select('nope')\n"
                "  AnalysisException: [UNRESOLVED_COLUMN.WITH_SUGGESTION]",
                marks=pytest.mark.embedded("a server analyzes later"),
            ),
            (
                "gives_nothing",
                "models/gives_nothing.py) returned NoneType; a Python model",
            ),
            ("lists", "returned list; a Python model returns a PySpark DataFrame, a pandas"),
            ("mixes", "NameError: name 'pd' is not defined"),
            ("mixed", "pandas.DataFrame that Spark cannot take: Expected bytes, got a 'int'"),
            ("mixed", "Conversion failed for column name"),
            ("doubles", "Duplicate column names found: ['a', 'a']"),
            ("leaves", "line 3, in model: exit(3)\n  SystemExit: 3"),
            ("imports", "ModuleNotFoundError: No module named 'no_such_package'"),
            ("imports", "pip install no_such_package"),
            ("of_rdd", OF_RDDS),
            ("parallel", OF_RDDS),
            ("reads_ephemeral", "reads eph, an ephemeral model: it has no table, and only SQL"),
        ],
    )
    def test_the_error_says_what_and_where(self, run: Any, name: str, text: str) -> None:
        assert run.status(name) == "error"
        assert text in run.message(name)


class TestPackages:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "has_them.py": model(
                "return session.range(1)",
                config="materialized='table', packages=['pandas>=2', 'pyyaml', 'yaml']",
            ),
            "lacks_them.py": model(
                "return session.range(1)",
                config="materialized='table', packages=['numpy<1', 'no-such-thing>=2', 'pandas']",
            ),
        }

    def test_the_packages_of_a_model_must_be_installed(self, project: TestProjInfo) -> None:
        run = dbt(project, "run")
        assert run.status("has_them") == "success"
        assert run.status("lacks_them") == "error"
        assert "numpy<1, no-such-thing>=2. Python models run in it: pip install 'numpy<1'" in (
            run.message("lacks_them")
        )


INCREMENTAL = """
def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="id")
    if dbt.is_incremental:
        newest = session.table(str(dbt.this)).selectExpr("max(id)").first()[0]
        return session.range(newest, newest + 2).selectExpr("id", "'second' as run")
    return session.range(3).selectExpr("id", "'first' as run")
"""


class TestIncrementalModelThatReadsItself:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"growing.py": INCREMENTAL}

    def test_the_second_run_merges_what_the_model_returns(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        response = dbt(project, "run").response("growing")
        assert (response["rows_inserted"], response["rows_updated"]) == (1, 1)
        assert rows(project, "select id, run from {schema}.growing order by id") == [
            (0, "first"),
            (1, "first"),
            (2, "second"),
            (3, "second"),
        ]
