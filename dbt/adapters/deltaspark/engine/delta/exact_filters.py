"""Scans that Parquet filters only where it compares as Spark does: else rows would be missed.

Spark hands its filters to Parquet's reader, which leaves out what statistics and dictionaries rule
out, by rules of its own: 0.0 and -0.0 are two values in a dictionary, a decimal or a time is cut to
what the file's type holds, and a text that is no UTF-8 arrives there as another. Delta's own
commands miss such rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .jvm import CATALYST
from .lossy_statistics import REPLACEMENT, TYPE_CHANGES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .jvm import JavaObject, Jvm
    from .transactions import Transaction

FILTERS = "spark.sql.parquet.filterPushdown"


def exact_filters(
    transaction: Transaction,
    condition: JavaObject,
    joined: DataFrame | None = None,
    *,
    in_place: bool = False,
) -> dict[str, str]:
    """The confs under which scans miss no row that the condition chooses, or joins.

    A decimal is narrower in files from before its column was widened: in this table, or in one that
    is joined and read in place.
    """
    jvm = transaction.jvm
    types = jvm.module(f"{CATALYST}.types.DataTypeUtils")
    read = types.fromAttributes(condition.references().toSeq()).json()
    if '"double"' in read or '"float"' in read:
        return {FILTERS: "false"}
    if '"string"' in read and _has_another_text(jvm, condition, joined):
        return {FILTERS: "false"}
    found = []
    if '"timestamp"' in read:
        found.append(f"{FILTERS}.timestamp")
    if '"decimal' in read and (in_place or TYPE_CHANGES in transaction.metadata.schemaString()):
        found.append(f"{FILTERS}.decimal")
    return dict.fromkeys(found, "false")


def _has_another_text(jvm: Jvm, condition: JavaObject, joined: DataFrame | None) -> bool:
    """Also in what Spark knows of the joined rows, and infers of the others."""
    known = [] if joined is None else jvm.items(jvm.analyzed(joined).constraints())
    return REPLACEMENT in jvm.all_of([condition, *known]).sql()
