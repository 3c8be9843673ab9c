"""A Spark that something else has started: what Delta needs must have been there from the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from delta import configure_spark_with_delta_pip
from py4j.java_gateway import JavaPackage
from pyspark.sql import SparkSession

from .confs import DELTA
from .environment import TESTED
from .errors import SessionError

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_delta(session: SparkSession) -> None:
    """Raises SessionError where its Spark lacks Delta's jars, or one of the confs for them."""
    confs = [f"--conf {name}={value}" for name, value in DELTA.items() if not _has(session, name)]
    jvm = session._jvm
    assert jvm is not None
    found = "without Delta Lake"
    if isinstance(jvm.io.delta.sql.DeltaSparkSessionExtension, JavaPackage):
        confs.insert(0, f"--packages {delta_packages()}")
    elif not (release := str(jvm.io.delta.package.VERSION())).startswith(TESTED["delta-spark"][0]):
        confs.insert(0, f"--packages {delta_packages()}")
        found = f"with Delta Lake {release}, with which the adapter was never tested"
    if confs:
        lines = "".join(f"\n  {each}" for each in confs)
        raise SessionError(
            f"Spark runs in this process already, and it was started {found}. It has to"
            f" be started with{lines}\n(options of spark-submit and of pyspark; in a notebook, stop"
            " it with spark.stop() and give them to the builder, or let dbt start Spark)"
        )


def delta_packages(others: Sequence[str] = ()) -> str:
    """Delta's Maven coordinates, as Delta itself names them, and these."""
    builder = configure_spark_with_delta_pip(SparkSession.builder, list(others))
    return str(builder._options["spark.jars.packages"])


def _has(session: SparkSession, name: str) -> bool:
    return DELTA[name] in (session.conf.get(name, None) or "")
