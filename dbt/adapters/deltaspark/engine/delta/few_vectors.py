"""Deletion vectors over few rows, made on the driver: the job that groups rows takes longer.

Delta's own writer (DeletionVectorWriter) stores them, as it does those that the job's tasks make.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, TypeAlias

from .jvm import DELTA

if TYPE_CHECKING:
    from .files import Files
    from .jvm import JavaObject, Jvm
    from .transactions import Transaction

MOST_ROWS = 10_000
VECTORS = f"{DELTA}.deletionvectors"


Place: TypeAlias = tuple[str, int]
"""A row's file, by its URL-encoded path, and its position there."""


def stored_vectors(transaction: Transaction, places: Iterable[Place], files: Files) -> JavaObject:
    """Written vectors by file, those that the files have merged in (DeletionVectorResult)."""
    jvm, log = transaction.jvm, transaction.java.deltaLog()
    positions: dict[str, set[int]] = {}
    for path, position in places:
        positions.setdefault(path, set()).add(position)
    touched = jvm.items(transaction.select(files, positions).java)
    pairs = zip(positions.items(), touched, strict=True)
    new = [_new_vector(jvm, path, add, at) for (path, at), add in pairs]
    length = jvm.module(f"{DELTA}.util.Utils").getRandomPrefixLength(transaction.metadata)
    store = jvm.module(f"{DELTA}.commands.DeletionVectorWriter").createMapperToStoreDeletionVectors(
        jvm.session, log.newDeltaHadoopConf(), log.dataPath(), length
    )
    return store.apply(jvm.seq(new).iterator()).toSeq()


def _new_vector(jvm: Jvm, path: str, file: JavaObject, positions: Collection[int]) -> JavaObject:
    """DeletionVectorData: the positions as a bitmap, beside the vector that the file has."""
    old = file.deletionVector()
    return jvm.type(f"{DELTA}.commands.DeletionVectorData")(
        path,
        jvm.none if old is None else jvm.some(old.serializeToBase64()),
        _bitmap(jvm, positions),
        len(positions),
    )


def _bitmap(jvm: Jvm, positions: Collection[int]) -> bytes:
    """The bytes of Delta's RoaringBitmapArray."""
    bitmap = jvm.type(f"{VECTORS}.RoaringBitmapArray").apply(_longs(jvm, positions))
    bitmap.runOptimize()
    form = jvm.module(f"{VECTORS}.RoaringBitmapArrayFormat").Portable()
    serialized: bytes = bitmap.serializeAsByteArray(form)
    return serialized


def _longs(jvm: Jvm, numbers: Collection[int]) -> JavaObject:
    """A Scala Seq of longs, in a handful of calls."""
    gateway = jvm.spark.sparkContext._gateway
    assert gateway is not None
    array = gateway.new_array(gateway.jvm.long, len(numbers))
    packed = jvm.type("java.nio.ByteBuffer").wrap(struct.pack(f">{len(numbers)}q", *numbers))
    packed.asLongBuffer().get(array)
    return jvm.type("scala.runtime.ScalaRunTime").wrapLongArray(array)
