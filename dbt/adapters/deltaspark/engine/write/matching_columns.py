"""The columns by which new rows and old ones match, looked up before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.errors.exceptions.captured import convert_exception

from ..delta import DELTA
from ..spec import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ..delta import JavaObject, Jvm
    from ..spec import WriteSpec


def refuse_unknown_columns(jvm: Jvm, source: DataFrame, table: str, spec: WriteSpec) -> None:
    """Raises what Delta raises for columns of `replace_using` and `replace_on` that are not there,

    or that could be of either side (WriteIntoDeltaLike.getReplaceOnOrUsingExprOpt).
    """
    target = jvm.spark.table(table)
    if spec.replace_on is None:
        _check_names(jvm, source, target, spec)
        return
    old = target if spec.target_alias is None else target.alias(spec.target_alias)
    new = source if spec.source_alias is None else source.alias(spec.source_alias)
    _check_condition(jvm, new, old, spec.replace_on)


def _check_names(jvm: Jvm, source: DataFrame, target: DataFrame, spec: WriteSpec) -> None:
    errors = jvm.module(f"{DELTA}.DeltaErrors")
    for name in spec.replace_using:
        for side, frame in (("table", target), ("query", source)):
            if not _has(jvm, frame, jvm.seq([name])):
                known = ", ".join(sorted(map(quoted, frame.columns)))
                raise convert_exception(
                    errors.unresolvedInsertReplaceUsingColumnsError(name, side, known)
                )


def _check_condition(jvm: Jvm, new: DataFrame, old: DataFrame, condition: str) -> None:
    errors = jvm.module(f"{DELTA}.DeltaErrors")
    parsed = jvm.session.sessionState().sqlParser().parseExpression(condition)
    found = [
        (column.sql(), _has(jvm, new, column.nameParts()), _has(jvm, old, column.nameParts()))
        for column in jvm.items(parsed.references().toList())
    ]
    both = [name for name, in_new, in_old in found if in_new and in_old]
    if both:
        raise convert_exception(errors.insertReplaceOnAmbiguousColumnsInCond(jvm.seq(both)))
    neither = [name for name, in_new, in_old in found if not in_new and not in_old]
    if neither:
        raise convert_exception(errors.insertReplaceOnUnresolvedColumnsInCond(jvm.seq(neither)))


def _has(jvm: Jvm, frame: DataFrame, name_parts: JavaObject) -> bool:
    resolver = jvm.session.sessionState().conf().resolver()
    return bool(jvm.analyzed(frame).resolve(name_parts, resolver).isDefined())
