"""Py4j plumbing: Scala collections, Catalyst expressions and plans, the thread's active session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from py4j.java_gateway import is_instance_of
from pyspark.sql import Column, DataFrame, SparkSession

JavaObject: TypeAlias = Any
"""A py4j proxy; only the JVM knows its type."""


class Jvm:
    """The JVM behind one SparkSession, with the conversions that the engine needs."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self.session: JavaObject = spark._jsparkSession
        root: JavaObject = spark._jvm
        self.root = root
        self.delta: JavaObject = root.org.apache.spark.sql.delta
        self.catalyst: JavaObject = root.org.apache.spark.sql.catalyst
        self.none: JavaObject = root.scala.Option.empty()

    def seq(self, items: Iterable[JavaObject]) -> JavaObject:
        return self.root.org.apache.spark.api.python.PythonUtils.toSeq(list(items))

    def map(self, items: Mapping[str, JavaObject]) -> JavaObject:
        return self.root.org.apache.spark.api.python.PythonUtils.toScalaMap(dict(items))

    def items(self, sequence: JavaObject) -> list[JavaObject]:
        return list(self.root.scala.jdk.javaapi.CollectionConverters.asJava(sequence))

    def some(self, value: JavaObject) -> JavaObject:
        return self.root.scala.Option.apply(value)

    def module(self, package: JavaObject, name: str) -> JavaObject:
        """The Scala object `name` of `package`, also where it has no static forwarders."""
        return getattr(getattr(package, name + "$"), "MODULE$")

    def is_a(self, value: JavaObject, name: str) -> bool:
        """Whether the value is an instance of the class, or of one of its subclasses."""
        return bool(is_instance_of(self.spark.sparkContext._gateway, value, name))

    def column(self, expression: JavaObject) -> Column:
        utils = self.root.org.apache.spark.sql.classic.ExpressionUtils
        return Column(utils.column(expression))

    def frame(self, plan: JavaObject) -> DataFrame:
        return DataFrame(self.delta.DataFrameUtils.ofRows(self.session, plan), self.spark)

    def resolved(self, frame: DataFrame, condition: Column) -> JavaObject:
        """The condition as analyzed over the frame, constants folded; no Spark job.

        Delta's data skipping takes only folded literals of the column's own type.
        """
        folding = self.module(self.catalyst.optimizer, "ConstantFolding")
        return folding.apply(self.analyzed(frame.filter(condition))).condition()

    def analyzed(self, frame: DataFrame) -> JavaObject:
        """The frame's analyzed logical plan."""
        return frame._jdf.queryExecution().analyzed()

    def release(self, checkpointed: DataFrame) -> None:
        """Free the blocks of a frame that `localCheckpoint` made."""
        self.analyzed(checkpointed).rdd().unpersist(False)

    def recache(self, plan: JavaObject) -> None:
        """Refresh what Spark's cache holds over the plan's table."""
        self.session.sharedState().cacheManager().recacheByPlan(self.session, plan)

    def conf(self, key: str) -> str:
        """A Spark conf's value in this session, or its registered default."""
        value: str = self.session.conf().get(key)
        return value


def java_error(error: BaseException) -> JavaObject | None:
    """The JVM throwable behind a Python error, where there is one.

    PySpark 4.1 cannot render errors of a DELTA_* class and raises anew while it tries, so the
    throwable may hang further down the context.
    """
    seen: BaseException | None = error
    while seen is not None:
        found = getattr(seen, "java_exception", None) or getattr(seen, "_origin", None)
        if found is not None:
            return found
        seen = seen.__cause__ or seen.__context__
    return None


def is_conflict(jvm: Jvm, error: BaseException) -> bool:
    """Whether the error says that another commit came first; nothing was committed then."""
    found = java_error(error)
    return found is not None and any(
        jvm.is_a(found, name)
        for name in (
            "io.delta.exceptions.DeltaConcurrentModificationException",
            "org.apache.spark.sql.delta.DeltaConcurrentModificationException",
        )
    )


def optional(option: JavaObject) -> JavaObject:
    """What is in a Scala Option, or None."""
    return option.get() if option.isDefined() else None


@contextmanager
def active(jvm: Jvm) -> Iterator[None]:
    """Make the session the JVM thread's active one: Delta and the analyzer read its confs."""
    sessions = jvm.root.org.apache.spark.sql.classic.SparkSession
    before = sessions.getActiveSession()
    sessions.setActiveSession(jvm.session)
    try:
        yield
    finally:
        if before.isDefined():
            sessions.setActiveSession(before.get())
        else:
            sessions.clearActiveSession()


@contextmanager
def user_metadata(jvm: Jvm, text: str | None) -> Iterator[None]:
    """Put the text into the commits made meanwhile; the session's own conf comes back after."""
    if text is None:
        yield
        return
    key, conf = "spark.databricks.delta.commitInfo.userMetadata", jvm.session.conf()
    before = optional(conf.getOption(key))
    conf.set(key, text)
    try:
        yield
    finally:
        if before is None:
            conf.unset(key)
        else:
            conf.set(key, before)
