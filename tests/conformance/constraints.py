"""Contracts and constraints, in Spark's types and Delta's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import pytest

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

CHECKS = "delta.constraints."


class StringForText:
    """Spark's type of texts is STRING."""

    replaced: ClassVar = {"data_type: text": "data_type: string", "::text": "::string"}


class ColumnsOfSparksTypes(StringForText):
    """Spark's types, and literals of them."""

    @pytest.fixture
    def string_type(self) -> str:
        return "string"

    @pytest.fixture
    def int_type(self) -> str:
        return "int"

    @pytest.fixture
    def data_types(self) -> list[list[str]]:
        return [
            ["1", "int", "int"],
            ["'1'", "string", "string"],
            ["true", "boolean", "boolean"],
            ["timestamp'2013-11-03 00:00:00-07'", "timestamp", "timestamp"],
            ["timestamp_ntz'2013-11-03 00:00:00'", "timestamp_ntz", "timestamp_ntz"],
            ["date'2013-11-03'", "date", "date"],
            ["array('a', 'b', 'c')", "array<string>", "array<string>"],
            ["array(1, 2, 3)", "array<int>", "array<int>"],
            ["cast(1 as decimal(4, 2))", "numeric", "decimal(4,2)"],
            ["cast(1 as decimal(4, 2))", "decimal(4, 2)", "decimal(4,2)"],
            ["""parse_json('{"bar": "baz", "balance": 7.77}')""", "variant", "variant"],
        ]


class ConstraintsOfATable(StringForText):
    """No CREATE TABLE lists the constraints: the table is asked for those that it has."""

    checks: ClassVar = ["(id > 0)", "id >= 1"]

    @pytest.fixture(scope="class")
    def expected_sql(self) -> str:
        return """
-- depends_on: <foreign_key_model_identifier>
select 'blue' as color, 1 as id, '2019-01-01' as date_day
"""

    def test_the_table_has_the_constraints(self, project: TestProjInfo) -> None:
        properties = dict(project.run_sql("show tblproperties {schema}.my_model", fetch="all"))
        checks = [text for key, text in properties.items() if key.startswith(CHECKS)]
        assert sorted(checks) == sorted(self.checks)
        nullable = (
            "select is_nullable from information_schema.columns"
            " where table_schema = '{schema}' and table_name = 'my_model' and column_name = 'id'"
        )
        assert tuple(project.run_sql(nullable, fetch="one")) == ("NO",)


class QuotedConstraintsOfATable(ConstraintsOfATable):
    """Spark quotes in backticks; the table is asked for the constraints that it has."""

    replaced: ClassVar = {**StringForText.replaced, '"from"': "`from`"}
    checks: ClassVar = ["(`from` = 'blue')"]

    @pytest.fixture(scope="class")
    def expected_sql(self) -> str:
        return "select 'blue' as `from`, 1 as id, '2019-01-01' as date_day"


class ErrorsOfDelta(StringForText):
    """Delta's words for a null, which violates a CHECK, too."""

    @pytest.fixture(scope="class")
    def expected_error_messages(self) -> list[str]:
        return ["CHECK constraint", "(id > 0)", "id : null"]


class TimeZoneOfSpark(StringForText):
    """Spark sets a time zone, and asks for it, in its own words."""

    replaced: ClassVar = {
        **StringForText.replaced,
        "set session time zone": "set time zone",
        "current_setting('timezone')": "current_timezone()",
    }
