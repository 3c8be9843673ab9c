"""Scans that Parquet filters only where it compares as Spark does: else rows would be missed.

Spark hands its filters to Parquet's reader, which leaves out what statistics and dictionaries rule
out, by rules of its own: 0.0 and -0.0 are two values in a dictionary, a decimal or a time is cut to
what the file's type holds, a date in the ten days between the calendars and a text that is no UTF-8
arrive there as another. Delta's own commands miss such rows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .jvm import CATALYST, DELTA
from .lossy_statistics import REPLACEMENT, THE_GAP, TYPE_CHANGES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .jvm import JavaObject, Jvm
    from .transactions import Transaction

FILTERS = "spark.sql.parquet.filterPushdown"
TEXT_OR_DATE = re.compile('"(string|date)"')
IN_THE_GAP = re.compile(f"'{THE_GAP}")
"""Java's hybrid calendar has other days for these."""


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
    constants = _constants(jvm, condition, joined) if TEXT_OR_DATE.search(read) else ""
    if '"string"' in read and (constants is None or REPLACEMENT in constants):
        return {FILTERS: "false"}
    found = []
    if '"date"' in read and (constants is None or IN_THE_GAP.search(constants)):
        found.append(f"{FILTERS}.date")
    if '"timestamp"' in read:
        found.append(f"{FILTERS}.timestamp")
    if '"decimal' in read and (in_place or TYPE_CHANGES in transaction.metadata.schemaString()):
        found.append(f"{FILTERS}.decimal")
    return dict.fromkeys(found, "false")


def _constants(jvm: Jvm, condition: JavaObject, joined: DataFrame | None) -> str | None:
    """The conditions as SQL, constants folded; also what Spark knows of the joined rows, and infers
    of the others. None where there are subqueries, of which that is not known.
    """
    if jvm.module(f"{DELTA}.DeltaTableUtils").containsSubquery(condition):
        return None
    known = [] if joined is None else jvm.items(jvm.analyzed(joined).constraints())
    logical = f"{CATALYST}.plans.logical"
    filtered = jvm.type(f"{logical}.Filter")(
        jvm.all_of([condition, *known]), jvm.type(f"{logical}.OneRowRelation")()
    )
    text: str = jvm.folded(filtered).sql()
    return text
