"""Types as SQL that Spark reads back."""

from __future__ import annotations

from pyspark.sql.types import ArrayType, IntegerType, MapType, StringType, StructType

from dbt.adapters.deltaspark.session.type_texts import type_text


def test_names_of_fields_are_in_backticks_where_they_need_them() -> None:
    inner = StructType().add("a", IntegerType()).add("first name", StringType()).add("1`", "double")
    kind = MapType(StringType(), ArrayType(inner))
    assert type_text(kind) == "map<string,array<struct<a:int,`first name`:string,`1```:double>>>"
