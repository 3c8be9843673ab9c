"""Values that a cast of the model's own query refuses, named with their columns and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_
from typing import TYPE_CHECKING

from dbt_common.exceptions import DbtDatabaseError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F
from pyspark.sql.utils import is_remote

from ..column_names import found
from ..engine.delta import CATALYST, Jvm, causes_of, condition_of
from .cast_errors import SHOWN, TOO_LONG, UNWRITTEN, Misfits, misfit_of, told, value_told

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from ..engine.delta import JavaObject

CAST = f"{CATALYST}.expressions.Cast"
ATTRIBUTE = f"{CATALYST}.expressions.Attribute"
NAMED = f"{CATALYST}.expressions.NamedExpression"
UNSURE = tuple(
    f"{CATALYST}.expressions.{name}"
    for name in ("LambdaFunction", "ConditionalExpression", "And", "Or")
)
"""What is in these is not evaluated for each row, or has no value outside."""
VIEW = f"{CATALYST}.plans.logical.View"
MOST = 20
"""Steps of a query whose rows are read once more."""
OTHERS = 3
"""Columns that tell which row it is where there is no key."""
WAY_OUT = "Cast with try_cast, which gives null for them, or correct them where they come from."


@dataclass(frozen=True, slots=True)
class _Cast:
    column: str
    given: JavaObject
    wanted: str
    place: str
    """In the query, or in the view's."""

    @property
    def kind(self) -> str:
        return str(self.given.dataType().sql())

    def is_of(self, failed: _Failed) -> bool:
        types = failed.types in ((), (self.kind, self.wanted))
        return types and failed.place in ("", self.place)

    @property
    def what(self) -> str:
        return (
            f"{self.column} is cast from {self.kind} to {self.wanted}, and these values do not fit:"
        )


@dataclass(frozen=True, slots=True)
class _Failed:
    """What Spark's error says of the cast: both types, and where it is written."""

    types: tuple[str, ...] = ()
    place: str = ""

    @classmethod
    def of(cls, error: BaseException, misfit: str) -> _Failed:
        for cause in causes_of(error):
            if condition_of(cause).startswith(misfit):
                said, places = cause.getMessageParameters(), cause.getQueryContext()
                found = [said.get(key) for key in ("sourceType", "targetType")]
                types = tuple(kind.strip('"') for kind in found if kind)
                return cls(types, _place(places[0]) if len(places) else "")
        return cls()


@contextmanager
def naming_own_casts(rows: DataFrame, keys: Sequence[str]) -> Iterator[None]:
    """Spark's error for a value that the query cannot cast names neither column nor row.

    Raises DbtDatabaseError with the columns, both types, and up to five values with their keys, or
    with other columns of their rows. What the cast reads is read once more. A server's error stays.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        misfit = misfit_of(error)
        if misfit is None or misfit == TOO_LONG or is_remote():
            raise
        misfits: list[Misfits] = []
        with suppress(PySparkException, Py4JError):  # of a query with side effects, or none to read
            misfits = _first_misfits(rows, keys, _Failed.of(error, misfit))
        if not misfits:
            raise
        raise DbtDatabaseError(f"[{misfit}] {told(misfits)}\n{UNWRITTEN}{WAY_OUT}") from error


def _place(context: JavaObject) -> str:
    """Of a text that is SQL; another has none."""
    if context.contextType().toString() != "SQL":
        return ""
    return f"{context.objectName()}:{context.startIndex()}-{context.stopIndex()}"


def _first_misfits(rows: DataFrame, keys: Sequence[str], failed: _Failed) -> list[Misfits]:
    """Those of the first step that has some: later ones would fail over the same rows."""
    jvm = Jvm(rows.sparkSession)
    inlined = jvm.type(f"{CATALYST}.optimizer.InlineCTE")(True, False)
    steps = _steps(jvm, inlined.apply(jvm.analyzed(rows)), "")
    failing = ((step, [cast for cast in casts if cast.is_of(failed)]) for step, casts in steps)
    for step, casts in islice((each for each in failing if each[1]), MOST):
        with suppress(PySparkException, Py4JError):  # a cast over an aggregate, for one
            if misfits := _misfits(jvm, jvm.frame(step.children().head()), casts, keys):
                return misfits
    return []


def _steps(jvm: Jvm, plan: JavaObject, view: str) -> Iterator[tuple[JavaObject, list[_Cast]]]:
    """Each step over one other, with its casts; the first that runs comes first."""
    if jvm.is_a(plan, VIEW):
        view = f" of the view {plan.desc().identifier().unquotedString()}"
    children = jvm.items(plan.children())
    for child in children:
        yield from _steps(jvm, child, view)
    if len(children) == 1:
        yield plan, [*_casts_of(jvm, plan, view)]


def _casts_of(jvm: Jvm, plan: JavaObject, view: str) -> Iterator[_Cast]:
    """Each once, by its column where it is one's: a grouping repeats those that it groups by."""
    seen: set[str] = set()

    def is_named(expression: JavaObject) -> bool:
        return jvm.is_a(expression, NAMED)

    for expression in sorted(jvm.items(plan.expressions()), key=is_named, reverse=True):
        for cast in _casts_in(jvm, expression):
            given, wanted = cast.child(), cast.dataType().sql()
            if cast.sql() not in seen and given.dataType().sql() != wanted:
                seen.add(cast.sql())
                column = expression.name() if is_named(expression) else given.sql()
                place = _place(cast.origin().context())
                yield _Cast(f"{column}{view}", _tried(jvm, given), wanted, place)


def _casts_in(jvm: Jvm, expression: JavaObject) -> Iterator[JavaObject]:
    if any(jvm.is_a(expression, name) for name in UNSURE):
        return
    if jvm.is_a(expression, CAST) and expression.evalMode().toString() == "ANSI":
        yield expression
    for child in jvm.items(expression.children()):
        yield from _casts_in(jvm, child)


def _tried(jvm: Jvm, expression: JavaObject) -> JavaObject:
    """With null for what a cast in it refuses."""
    inner = [_tried(jvm, child) for child in jvm.items(expression.children())]
    tried = expression.withNewChildren(jvm.seq(inner)) if inner else expression
    if not jvm.is_a(tried, CAST):
        return tried
    mode = jvm.module(f"{CATALYST}.expressions.EvalMode").TRY()
    return tried.copy(tried.child(), tried.dataType(), tried.timeZoneId(), mode)


def _misfits(
    jvm: Jvm, source: DataFrame, casts: Sequence[_Cast], keys: Sequence[str]
) -> list[Misfits]:
    given = [jvm.column(each.given) for each in casts]
    refused = [_is_refused(each, cast.wanted) for each, cast in zip(given, casts, strict=True)]
    texts = [F.when(lost, each) for lost, each in zip(refused, given, strict=True)]
    others = _telling_columns(jvm, source, casts, keys)
    wrong = source.where(reduce(or_, refused)).select(*texts, *others.values())
    shown = [tuple(row) for row in wrong.limit(SHOWN * len(casts)).collect()]
    rows = [(row, dict(zip(others, row[len(casts) :], strict=True))) for row in shown]
    misfits = []
    for i, cast in enumerate(casts):
        values = [value_told(row[i], telling) for row, telling in rows if row[i] is not None]
        misfits += [Misfits(cast.column, cast.what, values[:SHOWN])] if values else []
    return misfits


def _is_refused(given: Column, wanted: str) -> Column:
    return given.isNotNull() & given.try_cast(wanted).isNull()


def _telling_columns(
    jvm: Jvm, source: DataFrame, casts: Sequence[_Cast], keys: Sequence[str]
) -> dict[str, Column]:
    """The keys that the rows have; else their first columns, but for those that are cast."""
    attributes = {each.name(): each for each in jvm.items(jvm.analyzed(source).output())}
    names = [name for key in keys if (name := found(key, attributes)) is not None]
    if not names:
        shown = {cast.given.name() for cast in casts if jvm.is_a(cast.given, ATTRIBUTE)}
        names = [name for name in attributes if name not in shown][:OTHERS]
    return {name: jvm.column(attributes[name]) for name in names}
