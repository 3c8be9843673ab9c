"""Files whose least or greatest text is not what their statistics say.

The log is JSON. Of a text that is no UTF-8 Delta writes there what Java makes of it, with a
replacement character where the bytes were: one that sorts behind most texts that sort behind those
bytes. A minimum or maximum with that character says nothing of the file's other texts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F

from .jvm import DELTA

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm

REPLACEMENT = "\ufffd"
PREFIX = 32
"""Characters that statistics keep. Older Deltas put the same character behind a cut maximum."""


def is_lossy(least: str, greatest: str) -> bool:
    """Whether a file with this minimum and maximum of a text column may hold texts beyond them."""
    kept = greatest if len(greatest) <= PREFIX else greatest[:-1]
    return REPLACEMENT in least or REPLACEMENT in kept


def mentions_replacement(column: str) -> Column:
    """Whether a JSON text has the character, as it is or escaped: without parsing it."""
    return F.lower(column).rlike(r"\\ufffd|" + REPLACEMENT)


def lossy_for(jvm: Jvm, snapshot: JavaObject, predicates: Sequence[JavaObject]) -> Column | None:
    """`is_lossy` of any text column that the predicates read, in a frame of files with parsed
    statistics. None where none of the columns has such statistics.
    """
    found = [_is_lossy(name) for name in _texts(jvm, snapshot, predicates)]
    return reduce(or_, found) if found else None


def _is_lossy(name: str) -> Column:
    least, greatest = (F.col("stats")[bound][name] for bound in ("minValues", "maxValues"))
    length = F.char_length(greatest)
    kept = F.when(length <= PREFIX, greatest).otherwise(F.left(greatest, length - 1))
    return F.coalesce(least.contains(REPLACEMENT) | kept.contains(REPLACEMENT), F.lit(False))


def _texts(jvm: Jvm, snapshot: JavaObject, predicates: Sequence[JavaObject]) -> list[str]:
    """Text columns with statistics, by the name that these have for them."""
    read = {each.name() for p in predicates for each in jvm.items(p.references().toSeq())}
    mapping = jvm.module(f"{DELTA}.DeltaColumnMapping")
    fields = [field for field in jvm.items(snapshot.schema()) if field.name() in read]
    texts = [mapping.getPhysicalName(f) for f in fields if f.dataType().typeName() == "string"]
    if not texts:
        return []
    kept = json.loads(snapshot.statsSchema().json())["fields"]
    minima = next((each["type"]["fields"] for each in kept if each["name"] == "minValues"), ())
    known = {each["name"] for each in minima}
    return [name for name in texts if name in known]
