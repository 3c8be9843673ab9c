"""Which of a profile's confs a running Spark has, where they are lists among the adapter's own."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.session.applied_confs import is_applied

DELTA = "io.delta.sql.DeltaSparkSessionExtension"
EXTENSIONS = "spark.sql.extensions"
OPTIONS = "spark.driver.extraJavaOptions"
PACKAGES = "spark.jars.packages"


@pytest.mark.parametrize(
    ("name", "wanted", "has"),
    [
        (EXTENSIONS, "org.Sedona, org.B", f"{DELTA},org.Sedona,org.B"),
        (EXTENSIONS, f"org.Sedona,{DELTA}", f"{DELTA},org.Sedona"),
        (EXTENSIONS, "org.B,org.Sedona,org.B,", f"{DELTA}, org.Sedona, org.B"),
        (OPTIONS, "-Da=1  -Db=2", "-Xss4m -Da=1 -Db=2"),
        ("spark.jars", "/shop/udf.jar, other.jar", "file:///shop/udf.jar,file:/here/other.jar"),
        ("spark.jars.excludes", "org.a:b, org.c:d", "org.c:d,org.a:b"),
        (PACKAGES, "org.a:b:1, org.c:d:2", "io.delta:delta-spark:4,org.c:d:2,org.a:b:1"),
        ("spark.sql.ansi.enabled", "true", "true"),
    ],
)
def test_a_list_is_applied_where_all_of_its_items_are_there(
    name: str, wanted: str, has: str
) -> None:
    assert is_applied(name, wanted, has, is_ours=False)


@pytest.mark.parametrize(
    ("name", "wanted", "has"),
    [
        (EXTENSIONS, "org.B", f"{DELTA},org.B2"),
        (EXTENSIONS, "org.B", None),
        (OPTIONS, "-Da=1", "-Da=10"),
        ("spark.jars", "/shop/udf.jar", "/shop/udf.jar.old"),
        (PACKAGES, "org.a:b:1", "org.a:b:12"),
        (PACKAGES, "org.a:b:1", None),
        ("spark.sql.ansi.enabled", "true", "true,false"),
    ],
)
def test_a_part_of_another_item_is_none(name: str, wanted: str, has: str | None) -> None:
    assert not is_applied(name, wanted, has, is_ours=False)


@pytest.mark.parametrize("name", ["spark.jars", PACKAGES])
def test_jars_of_a_spark_that_was_started_with_them_may_have_other_names(name: str) -> None:
    assert is_applied(name, "org.a:b:1", None, is_ours=True)
    assert not is_applied(EXTENSIONS, "org.a.B", None, is_ours=True)
