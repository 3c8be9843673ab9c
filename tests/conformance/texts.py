"""Values, types and texts of Spark's SQL."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest


class QuotedInBackticks:
    """Spark quotes a reserved word in backticks."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        from dbt.tests.adapter.unit_testing import test_quoted_reserved_word_column_names as texts

        return {
            "my_model.sql": texts.my_model_sql,
            "my_upstream_model.sql": "select 1 as `GROUP`",
            "unit_tests.yml": texts.test_my_model_csv_fixtures_yml,
        }


class ValuesOfSparksTypes:
    """Spark's literals beside YAML's."""

    @pytest.fixture
    def data_types(self) -> list[list[str]]:
        return [
            ["1", "1"],
            ["'1'", "1"],
            ["true", "true"],
            ["date'2020-01-02'", "2020-01-02"],
            ["timestamp'2013-11-03 00:00:00-0'", "2013-11-03 00:00:00-0"],
            ["timestamp_ntz'2013-11-03 00:00:00'", "2013-11-03 00:00:00"],
            ["cast(1 as decimal(10, 2))", "1.25"],
            ["cast(1 as double)", "1.5e300"],
            ["binary('a')", "abc"],
            ["array('a', 'b')", "['x', null]"],
            ["named_struct('a', 1, 'b', array(date'2020-01-01'))", "{a: 2, b: [2020-01-02]}"],
            ["map('a', 1)", "{k: 7}"],
            ["map(1, 'a')", "\"map(7, 'x')\""],
            ["cast(null as decimal(10, 2))", "null"],
        ]


class CastsOfSpark:
    """Spark's types, and its words for them."""

    replaced: ClassVar = {"::double precision": "::double", "::text": "::string"}


class VarcharWithALength:
    """Spark's VARCHAR needs a length."""

    replaced: ClassVar = {'"varchar"': '"string"'}


class SyntaxErrorOfSpark:
    """Spark's name of a syntax error."""

    DATABASE_ERROR_MESSAGE = "[PARSE_SYNTAX_ERROR]"


class ProfileOfTheTests:
    """The profile is not Postgres'."""

    @pytest.fixture(scope="class")
    def dbt_profile_target(self, spark_target: dict[str, Any]) -> dict[str, Any]:
        return dict(spark_target)


class SeedOfFloats:
    """A seed's decimals load as DOUBLE, which is not FLOAT, where no type is given."""

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"seeds": {"+column_types": {"float_col": "float"}}}


class SeedOfInts:
    """A seed's whole numbers load as BIGINT, which is not INT, where no type is given."""

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"seeds": {"+column_types": {"int_col": "int"}}}


class SeedTypesOfSpark:
    """Spark's names of types."""

    replaced: ClassVar = {
        "type: text": "type: string",
        "type: integer": "type: bigint",
        "type: timestamp without time zone": "type: timestamp",
    }

    @staticmethod
    def seed_enabled_types() -> dict[str, str]:
        return {"seed_id": "string", "birthday": "date"}

    @staticmethod
    def seed_tricky_types() -> dict[str, str]:
        return dict.fromkeys(("seed_id_str", "looks_like_a_bool", "looks_like_a_date"), "string")


class DatesOfSpark:
    """Spark reads a date as yyyy-MM-dd."""

    replaced: ClassVar = {"09/01/2023": "2023-09-01", "09/12/2023": "2023-09-12"}


class TimestampsOfSpark:
    """Spark's text and type of the current time."""

    @pytest.fixture(scope="class")
    def expected_schema(self) -> dict[str, str]:
        return dict.fromkeys(
            (
                "current_timestamp",
                "current_timestamp_in_utc_backcompat",
                "current_timestamp_backcompat",
            ),
            "timestamp",
        )

    @pytest.fixture(scope="class")
    def expected_sql(self) -> None:
        return None
