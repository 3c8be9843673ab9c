"""Table properties that Delta would refuse, found before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql.utils import is_remote

from ...near_names import or_nearest
from ..delta import DELTA, Jvm, active

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..delta import JavaObject

UNKNOWN = "DELTA_UNKNOWN_CONFIGURATION"
ANYTHING_GOES = "spark.databricks.delta.allowArbitraryProperties.enabled"


def refused_properties(spark: SparkSession, properties: Mapping[str, str]) -> list[str]:
    """What Delta has against each: an unknown name, a value that is none (DeltaConfigs)."""
    if not properties or is_remote():  # a server tells by itself
        return []
    jvm = Jvm(spark)
    with active(jvm):
        configs = jvm.module(f"{DELTA}.DeltaConfigs")
        return [*_refused(jvm, configs, properties)]


def _refused(jvm: Jvm, configs: JavaObject, properties: Mapping[str, str]) -> Iterator[str]:
    if _problem(jvm, configs, properties) is None:
        return
    for name, value in properties.items():
        problem = _problem(jvm, configs, {name: value})
        if problem is None:
            continue
        if problem.getCondition() != UNKNOWN:
            said = str(problem).removeprefix("requirement failed: ")
            yield f"the table property {name!r} cannot be {value!r}: {said}"
            continue
        yield (
            f"Delta knows no table property {name!r}{_or_nearest(jvm, configs, name)}"
            f" (with {ANYTHING_GOES} in the profile's spark_config it takes any)"
        )


def _problem(
    jvm: Jvm, configs: JavaObject, properties: Mapping[str, str]
) -> PySparkException | None:
    try:
        configs.validateConfigurations(jvm.map(properties))
    except PySparkException as error:
        return error
    return None


def _or_nearest(jvm: Jvm, configs: JavaObject, name: str) -> str:
    known = [each.key() for each in jvm.items(configs.getAllConfigs().values().toSeq())]
    return or_nearest(name, known, closeness=0.8)
