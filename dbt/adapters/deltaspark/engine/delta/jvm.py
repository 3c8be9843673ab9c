"""Py4j plumbing: Scala collections, Catalyst expressions and plans, the thread's active session."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import reduce
from typing import Any, TypeAlias

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.errors.exceptions.captured import (
    AnalysisException,
    CapturedException,
)
from pyspark.sql import Column, DataFrame, SparkSession

from .class_cache import java_class
from .copied_session import cloned
from .server_errors import server_conditions

logger = logging.getLogger(__name__)

JavaObject: TypeAlias = Any
"""A py4j proxy; only the JVM knows its type."""

DELTA = "org.apache.spark.sql.delta"
CATALYST = "org.apache.spark.sql.catalyst"

UNRENDERED = "Cannot find main error class"
"""PySpark 4.1 looks for the words of a DELTA_* error that points into a statement among Spark's own
classes, and this failure of its own hides the error that matters."""


class Jvm:
    """The JVM behind one SparkSession, with the conversions that the engine needs."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self.session: JavaObject = spark._jsparkSession

    @classmethod
    def private(cls, spark: SparkSession) -> Jvm:
        """Behind a copy of the session, with its confs, temp views and functions.

        Its confs can be set without another thread of the caller's session ever seeing them.
        """
        return cls(cloned(spark))

    def type(self, name: str) -> JavaObject:
        """The class of this full name: its static members and its constructors."""
        return java_class(self.spark._jvm, name)

    def module(self, name: str) -> JavaObject:
        """The Scala object of this full name, also where it has no static forwarders."""
        return getattr(self.type(name + "$"), "MODULE$")

    @property
    def none(self) -> JavaObject:
        return self.module("scala.None")

    def some(self, value: JavaObject) -> JavaObject:
        return self.type("scala.Option").apply(value)

    def seq(self, items: Iterable[JavaObject]) -> JavaObject:
        """A Scala List: of few items one by one, which takes the fewest calls."""
        given, empty = [*items], self.module("scala.collection.immutable.Nil")
        if len(given) > 3:
            return self.type("org.apache.spark.api.python.PythonUtils").toSeq(given)
        return reduce(lambda tail, head: getattr(tail, "$colon$colon")(head), given[::-1], empty)

    def map(self, items: Mapping[str, JavaObject]) -> JavaObject:
        return self.type("org.apache.spark.api.python.PythonUtils").toScalaMap(dict(items))

    def array(self, name: str, items: Sequence[JavaObject]) -> JavaObject:
        """A Java array of the class of this name."""
        gateway = self.spark.sparkContext._gateway
        assert gateway is not None
        array = gateway.new_array(self.type(name), len(items))
        for i, item in enumerate(items):
            array[i] = item
        return array

    def items(self, sequence: JavaObject) -> list[JavaObject]:
        """The items of a Scala collection, which is no Iterator, one call each."""
        size = sequence.size()
        if size < 2:
            return [sequence.head()] if size else []
        indexed = sequence.toIndexedSeq()
        return [indexed.apply(i) for i in range(size)]

    def is_a(self, value: JavaObject, name: str) -> bool:
        """Whether the value is an instance of the class, or of one of its subclasses."""
        return bool(self.type("py4j.reflection.TypeUtil").isInstanceOf(name, value))

    def references(self, expression: JavaObject) -> list[JavaObject]:
        """The attributes that the expression reads."""
        return self.items(expression.references().toSeq())

    def names_read(self, expressions: Iterable[JavaObject]) -> set[str]:
        """The names of the attributes that any of the expressions reads, in lower case."""
        return {each.name().lower() for one in expressions for each in self.references(one)}

    def column(self, expression: JavaObject) -> Column:
        utils = self.type("org.apache.spark.sql.classic.ExpressionUtils")
        return Column(utils.column(expression))

    def all_of(self, conditions: Sequence[JavaObject]) -> JavaObject:
        """The conditions joined by AND."""
        return self._joined("And", conditions)

    def any_of(self, conditions: Sequence[JavaObject]) -> JavaObject:
        """The conditions joined by OR."""
        return self._joined("Or", conditions)

    def true(self) -> JavaObject:
        return self.module(f"{CATALYST}.expressions.Literal").TrueLiteral()

    def _joined(self, operator: str, conditions: Sequence[JavaObject]) -> JavaObject:
        return reduce(self.type(f"{CATALYST}.expressions.{operator}"), conditions)

    def frame(self, plan: JavaObject) -> DataFrame:
        rows = self.type(f"{DELTA}.DataFrameUtils").ofRows(self.session, plan)
        return DataFrame(rows, self.spark)

    def resolved(self, frame: DataFrame, condition: Column) -> JavaObject:
        """The condition as analyzed over the frame, constants folded; no Spark job.

        Delta's data skipping takes only folded literals of the column's own type.
        """
        return self.folded(self.analyzed(frame.filter(condition)))

    def folded(self, filtered: JavaObject) -> JavaObject:
        """The condition of a filter's plan, constants folded."""
        return self.module(f"{CATALYST}.optimizer.ConstantFolding").apply(filtered).condition()

    def analyzed(self, frame: DataFrame) -> JavaObject:
        """The frame's analyzed logical plan; of a command, which has run, what it answered."""
        return frame._jdf.queryExecution().commandExecuted()

    def release(self, checkpointed: DataFrame) -> None:
        """Free the blocks or files that keep the rows of a checkpoint; failing to is no error."""
        with never_an_error("what keeps the rows of a merge could not be freed"):
            rows = self.analyzed(checkpointed).rdd()
            rows.unpersist(False)
            if files := optional(rows.getCheckpointFile()):
                path = self.type("org.apache.hadoop.fs.Path")(files)
                path.getFileSystem(self.session.sessionState().newHadoopConf()).delete(path, True)

    def recache(self, plan: JavaObject) -> None:
        """Refresh what Spark's cache holds over the plan's table; the commit stands in any case.

        Not while a transaction is active: its snapshot is what would be cached again.
        """
        with never_an_error("Spark's cache of the table could not be refreshed"):
            if self.caches_something():
                self._cache().recacheByPlan(self.session, plan)

    def recache_table(self, name: str) -> None:
        """The same of the table of this name, which may not be readable any more."""
        with never_an_error("Spark's cache of the table could not be refreshed"):
            if self.caches_something():
                self.recache(self.analyzed(self.spark.table(name)))

    def caches_something(self) -> bool:
        """Whether Spark's cache, which all sessions share, holds the rows of any query."""
        return not self._cache().isEmpty()

    def _cache(self) -> JavaObject:
        return self.session.sharedState().cacheManager()

    def conf(self, key: str) -> str:
        """A Spark conf's value in this session, or its registered default."""
        value: str = self.session.conf().get(key)
        return value


@contextmanager
def never_an_error(what: str) -> Iterator[None]:
    """Spark's errors inside are logged: what comes after the work must not undo its success."""
    try:
        yield
    except (Py4JError, PySparkException) as error:
        logger.warning("%s: %s", what, error)


def java_error(error: BaseException) -> JavaObject | None:
    """The first JVM throwable behind a Python error that is not PySpark's failure to render one."""
    seen: BaseException | None = error
    while seen is not None:
        found = getattr(seen, "java_exception", None) or getattr(seen, "_origin", None)
        if found is not None and UNRENDERED not in str(found.getMessage()):
            return found
        seen = seen.__cause__ or seen.__context__
    return None


def causes_of(error: BaseException) -> Iterator[JavaObject]:
    """The JVM's throwables behind a Python error, each the cause of the one before it."""
    found = java_error(error)
    while found is not None:
        yield found
        found = found.getCause()


def conditions(error: BaseException) -> set[str]:
    """The error conditions along the chain of causes, in this JVM or in a server's."""
    return {*map(condition_of, causes_of(error)), *server_conditions(error)}


def condition_of(throwable: JavaObject) -> str:
    """Spark's name for the error, "" where it has none."""
    try:
        return str(throwable.getCondition() or "")
    except Py4JError:  # not a SparkThrowable: a proxy has every name until it is called
        return ""


def _rendered(jvm: Jvm, error: Py4JJavaError) -> PySparkException | None:
    """What PySpark would have raised if it had not failed to render it; None where it did not."""
    found = java_error(error)
    if found is None or found is error.java_exception:
        return None
    is_analysis = jvm.is_a(found, "org.apache.spark.sql.AnalysisException")
    trace = jvm.type("org.apache.spark.util.Utils").exceptionString(found)
    kind = AnalysisException if is_analysis else CapturedException
    rendered = kind(desc=found.getMessage(), stackTrace=trace)
    rendered._origin = found  # its condition and parameters; given to the constructor it would fail
    return rendered


def column_names(schema: JavaObject) -> list[str]:
    """Those of a StructType, in one call, however many they are."""
    return [field["name"] for field in json.loads(schema.json())["fields"]]


def optional(option: JavaObject) -> JavaObject:
    """What is in a Scala Option, or None."""
    return option.get() if option.isDefined() else None


@contextmanager
def active(jvm: Jvm) -> Iterator[None]:
    """Make the session the JVM thread's active one: Delta and the analyzer read its confs.

    An error of Delta's leaves with its own class and message, also where PySpark renders it not.
    """
    sessions = jvm.type("org.apache.spark.sql.classic.SparkSession")
    before = sessions.getActiveSession()
    sessions.setActiveSession(jvm.session)

    def restore() -> None:
        if before.isDefined():
            sessions.setActiveSession(before.get())
        else:
            sessions.clearActiveSession()

    with restoring(restore):
        try:
            yield
        except Py4JJavaError as error:
            rendered = _rendered(jvm, error)
            if rendered is None:
                raise
            raise rendered from None


@contextmanager
def restoring(restore: Callable[[], object]) -> Iterator[None]:
    """Restore something of the JVM's at the end; its failure hides no error that led there.

    Where the JVM has died, every call to it fails.
    """
    try:
        yield
    except BaseException:
        with suppress(Py4JError, OSError):
            restore()
        raise
    restore()


@contextmanager
def confs(jvm: Jvm, values: Mapping[str, str]) -> Iterator[None]:
    """Set confs of the session for a while. Only for a private session: no one else reads it."""
    conf = jvm.session.conf()
    before = {key: conf.get(key, None) for key in values}
    for key, value in values.items():
        conf.set(key, value)

    def restore() -> None:
        for key, value in before.items():
            conf.unset(key) if value is None else conf.set(key, value)

    with restoring(restore):
        yield
