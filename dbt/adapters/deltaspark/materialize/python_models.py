"""Python models: run in this process, and what they return brought to Spark."""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from dbt_common.exceptions import DbtRuntimeError
from packaging.requirements import InvalidRequirement, Requirement
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.utils import is_remote

from ..engine.delta import Jvm
from ..session import is_jvm_error, message_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ArrowTable: TypeAlias = Any
ArrowType: TypeAlias = Any
"""pyarrow is not always there, and says nothing of its types."""
END_OF_MODEL = "# This part is user provided model code"
"""What dbt writes behind the model's own code: lines below it are dbt's."""
EPHEMERAL = re.compile(r"\s*with\s+__dbt__cte__(\w+)", re.IGNORECASE)
"""dbt writes the SQL of an ephemeral model before the code that refers to it, Python or not."""
RUN = count(1)
LACKING = ("JVM_ATTRIBUTE_NOT_SUPPORTED", "NOT_IMPLEMENTED")
"""Conditions of errors of Spark Connect's client alone, which no server has told it."""
WITHOUT_RDDS = (
    "Over Spark Connect (`remote` in the profile) there are no RDDs, no sparkContext and no JVM:"
    " make rows by session.createDataFrame, and change them as DataFrames (df.mapInPandas for a"
    " function of rows), or let the target run Spark itself (`master` in place of `remote`)"
)
RETURNS = (
    "a Python model returns a PySpark DataFrame, a pandas DataFrame, or a pyarrow Table or"
    " RecordBatchReader"
)


class PythonModelError(DbtRuntimeError):
    """A Python model failed, or returned what no table can be made of; nothing was written."""


@runtime_checkable
class ArrowStream(Protocol):
    """Rows of pyarrow, or of any library that speaks Arrow's C stream interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


def frame_of(
    spark: SparkSession, compiled_code: str, model_label: str, packages: Sequence[str] = ()
) -> DataFrame:
    """What the model returns, as a DataFrame of this session.

    `packages` are those that the model's config names; a missing one is an error before the model
    runs. An error in the model names its line.
    """
    if ephemeral := EPHEMERAL.match(compiled_code):
        raise PythonModelError(
            f"{model_label} reads {ephemeral.group(1)}, an ephemeral model: it has no table, and"
            " only SQL can take its query in. Materialize it as a view or a table"
        )
    _check_packages(packages, model_label)
    returned = _run(spark, compiled_code, model_label)
    if type(returned).__module__.startswith("pyspark.pandas"):
        returned = returned.to_spark()
    if isinstance(returned, DataFrame):
        return _in_session(spark, returned, model_label)
    try:
        return _from_arrow(spark, _arrow_table(returned, model_label))
    except (PySparkException, TypeError, ValueError) as error:
        raise PythonModelError(
            f"{model_label} returned a {_type_name(returned)} that Spark cannot take:"
            f" {_reason(error)}"
        ) from error


def _check_packages(packages: Sequence[str], label: str) -> None:
    missing = [package for package in packages if not _is_installed(package)]
    if missing:
        names = " ".join(f"'{package}'" for package in missing)
        raise PythonModelError(
            f"{label} needs packages that the Python of this dbt does not have:"
            f" {', '.join(missing)}. Python models run in it: pip install {names}"
        )


def _is_installed(package: str) -> bool:
    """By the name to install (`scikit-learn>=1.4`), or else by the name to import (`sklearn`)."""
    try:
        wanted = Requirement(package)
        return wanted.specifier.contains(version(wanted.name), prereleases=True)
    except PackageNotFoundError:
        return find_spec(wanted.name.partition(".")[0]) is not None
    except InvalidRequirement:
        return False


def _run(spark: SparkSession, code: str, label: str) -> Any:
    """Calls `model(dbt, session)`. Whatever the model raises becomes one error that shows where."""
    filename = f"<{label}>"
    linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
    try:
        module = _module(spark, code, filename)
        dbt = module["dbtObj"](partial(_read, spark))
        returned = module["model"](dbt, spark)
        if is_remote() and isinstance(returned, DataFrame):
            _ = returned.schema  # a server says only now what is wrong with the plan
        return returned
    except (Exception, SystemExit) as error:  # it is the user's code: it may raise anything
        lines = _lines_of_model(error, filename, code)
        raise PythonModelError(f"{label} failed{lines}\n{_described(error)}") from error


def _read(spark: SparkSession, table: str) -> DataFrame:
    """A table by its name, or the part of one for which dbt has a query in parentheses."""
    return spark.sql(f"select * from {table}") if table.startswith("(") else spark.table(table)


def _module(spark: SparkSession, code: str, filename: str) -> dict[str, Any]:
    """The names that the code defines; batches of one model run side by side."""
    name = re.sub(r"\W+", "_", filename).strip("_")
    module = ModuleType(f"{name}_{next(RUN)}")
    names = vars(module)
    names["spark"] = spark
    sys.modules[module.__name__] = module  # dataclasses look for the module of their annotations
    try:
        exec(compile(code, filename, "exec", dont_inherit=True), names)
    finally:
        # Workers cannot import it: cloudpickle sends functions of unknown modules by value.
        del sys.modules[module.__name__]
    return names


def _lines_of_model(error: BaseException, filename: str, code: str) -> str:
    own_lines = code.partition(END_OF_MODEL)[0].count("\n")
    steps = [
        f"\n  line {step.lineno}, in {step.name}: {step.line}"
        for step in traceback.extract_tb(error.__traceback__)
        if step.filename == filename and (step.lineno or 0) <= own_lines
    ]
    return "".join((" at", *steps)) if steps else ":"


def _described(error: BaseException) -> str:
    if is_jvm_error(error):
        said = f"{type(error).__name__}: {message_of(error)}"
        if is_remote() and isinstance(error, PySparkException) and error.getCondition() in LACKING:
            said += f"\n{WITHOUT_RDDS}"
        return said
    text = "".join(traceback.format_exception_only(type(error), error)).rstrip()
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        package = error.name.partition(".")[0]
        return f"{text}\nPython models run in the Python of this dbt: pip install {package}"
    return text


def _reason(error: Exception) -> str:
    """Arrow's errors name what is wrong in one argument and the column in the next."""
    return message_of(error) if is_jvm_error(error) else "; ".join(map(str, error.args))


def _in_session(spark: SparkSession, frame: DataFrame, label: str) -> DataFrame:
    """The frame as one of this session, also where another session of the same Spark made it."""
    owner = frame.sparkSession
    if owner is spark:
        return frame
    if type(owner) is not type(spark) or is_remote():
        here, there = ("Spark Connect's" if is_remote() else "this process's"), type(owner)
        raise PythonModelError(
            f"{label} returned a DataFrame of another Spark ({there.__module__}.{there.__name__}),"
            f" while dbt writes with {here}; make it with the session that the model is called"
            " with: def model(dbt, session)"
        )
    jvm = Jvm(spark)
    return jvm.frame(jvm.analyzed(frame))


def _arrow_table(returned: Any, label: str) -> ArrowTable:
    pandas = sys.modules.get("pandas")
    of_pandas = pandas is not None and isinstance(returned, pandas.DataFrame)
    if not (of_pandas or isinstance(returned, ArrowStream)):
        raise PythonModelError(f"{label} returned {_type_name(returned)}; {RETURNS}")
    try:
        pyarrow = import_module("pyarrow")  # not at the top: most installations do without it
    except ImportError as error:
        raise PythonModelError(
            f"{label} returned a {_type_name(returned)}, and Spark takes it by way of pyarrow,"
            " which is not installed: pip install pyarrow"
        ) from error
    if of_pandas:
        return pyarrow.Table.from_pandas(returned, preserve_index=False)
    return pyarrow.RecordBatchReader.from_stream(returned).read_all()


def _from_arrow(spark: SparkSession, table: ArrowTable) -> DataFrame:
    """The rows in Spark, without Python workers."""
    pyarrow = import_module("pyarrow")
    fields = [field.with_type(_known_to_spark(pyarrow, field.type)) for field in table.schema]
    table = table.cast(pyarrow.schema(fields))
    # Without rows Spark Connect infers nothing.
    kind = None if table.num_rows else from_arrow_schema(table.schema)
    frame = spark.createDataFrame(table, kind)
    # A large table comes in a partition for each 10,000 rows, and each would become a file.
    return frame if is_remote() else frame.coalesce(spark.sparkContext.defaultParallelism)


def _known_to_spark(arrow: Any, kind: ArrowType) -> ArrowType:
    """The nearest type that holds the same values and that PySpark converts."""
    types = arrow.types
    if types.is_dictionary(kind):
        return _known_to_spark(arrow, kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind):
        return arrow.list_(_known_to_spark(arrow, kind.value_type))
    if types.is_struct(kind):
        fields = [field.with_type(_known_to_spark(arrow, field.type)) for field in kind]
        return arrow.struct(fields)
    wider = {
        arrow.uint8(): arrow.int16(),
        arrow.uint16(): arrow.int32(),
        arrow.uint32(): arrow.int64(),
        arrow.uint64(): arrow.decimal128(20, 0),
        arrow.float16(): arrow.float32(),
        arrow.date64(): arrow.date32(),
        arrow.string_view(): arrow.string(),
        arrow.binary_view(): arrow.binary(),
    }
    return wider.get(kind, kind)


def _type_name(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
