"""Part of the route with deletion vectors: upserts that write the source's own rows, whichever of
them match. They need not wait to know.

Where every pair is updated and every other source row inserted, to the same values of the source,
a source row is written once for each target row that it matches, and once if it matches none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from .clause_columns import output_columns
from .rows import sized

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from .attempt import Merge
    from .matches import Matches


def writes_source_rows(merge: Merge) -> bool:
    """Whether what is written does not depend on the target's rows, but for how often."""
    resolved = merge.resolved
    if resolved.by_source or len(resolved.matched) != 1 or len(resolved.not_matched) != 1:
        return False
    (update,), (insert,) = resolved.matched, resolved.not_matched
    if update.kind != "update" or update.condition is not None or insert.condition is not None:
        return False
    if merge.records_changes or merge.tracking is not None or resolved.fills_identity_columns:
        return False
    pairs = zip(update.values, insert.values, strict=True)
    return all(new.semanticEquals(same) for new, same in pairs) and not resolved.read_by(
        update.values, resolved.target_columns
    )


def source_rows(merge: Merge) -> DataFrame:
    """Every source row, once."""
    return sized(merge, merge.source, merge.plan.source_rows or 0).select(*_values(merge))


def repeated_rows(merge: Merge, matches: Matches) -> DataFrame | None:
    """Source rows again, for every target row that they match beyond the first; mostly None."""
    if matches.sources == matches.fired:
        return None
    names = merge.names
    counted = matches.frame.groupBy(names.matched_row).agg((F.count(F.lit(1)) - 1).alias(names.row))
    several = counted.filter(F.col(names.row) > 0)
    if several.isEmpty():
        return None
    again = several.withColumn(names.row, F.explode(F.sequence(F.lit(1), F.col(names.row))))
    on = F.col(names.source_row) == F.col(names.matched_row)
    rows = merge.source.join(again.select(names.matched_row), on)
    return sized(merge, rows, matches.fired).select(*_values(merge))


def _values(merge: Merge) -> list[Column]:
    clauses = {0: merge.resolved.matched[0]}
    return output_columns(merge.resolved.jvm, clauses, F.lit(0), merge.resolved.column_names())
