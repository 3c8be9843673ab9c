"""A value shape: keys and payload of one kind in a table of several files, and its changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from golden import Change, DeleteRows, GoldenCase, Table, UpdateRows, WriteRows

NULL = "NULL"
Key = str  # a SQL literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Keys by file of the target, keys of the source, and how the two meet.

    Columns are `k` (the key), `p` (a payload of the same type) and `n` (a number of the row).
    Rows of the target have n from 10 on, 20 on in the second file, those of the source from 101 on.
    """

    title: str
    kind: str
    files: tuple[tuple[Key, ...], ...]
    source: tuple[Key, ...]
    source_kind: str | None = None
    on: str = "t.k = s.k"
    payload_kind: str | None = None
    payload: tuple[Key, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    partition_by: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    conf: tuple[tuple[str, str], ...] = ()
    source_is_delta: bool = False
    inserts: bool = True
    """Whether the source's keys can be inserted: they may be wider than the table's."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A shape, one way to change its table, and whether that has deletion vectors."""

    shape: Shape
    way: str
    vectors: bool

    def __str__(self) -> str:
        vectors = "vectors" if self.vectors else "no_vectors"
        return f"{self.shape.title} [{self.way}-{vectors}]"

    def with_blanks(self) -> Trial:
        """The same rows, each key of the target with the blanks that its CHAR column reads it with.

        Delta itself writes none.
        """
        files = tuple(
            tuple(f"rpad({key}, {_length(self.shape)})" for key in keys)
            for keys in self.shape.files
        )
        return replace(self, shape=replace(self.shape, files=files, payload=_payload(self.shape)))

    def case(self) -> GoldenCase:
        shape = self.shape
        rows = [tuple(enumerate(keys, 10 * number)) for number, keys in enumerate(shape.files, 1)]
        return GoldenCase(
            title=str(self),
            target=Table(_ddl(shape, shape.kind), tuple(_rows(shape, each) for each in rows)),
            source=Table(
                _ddl(shape, shape.source_kind or shape.kind),
                (_rows(shape, tuple(enumerate(shape.source, 101))),),
            ),
            source_is_delta=shape.source_is_delta,
            statement=WAYS[self.way](shape),
            properties=shape.properties,
            partition_by=shape.partition_by,
            deletion_vectors=self.vectors,
            before=shape.before,
            conf=shape.conf,
        )


def _ddl(shape: Shape, kind: str) -> str:
    return f"k {kind}, p {shape.payload_kind or shape.kind}, n INT"


def _rows(shape: Shape, keys: tuple[tuple[int, Key], ...]) -> str:
    """Each row has the payload after its key, so that every value is a payload once."""
    payload = _payload(shape)
    return ", ".join(f"({key}, {payload[(n + 1) % len(payload)]}, {n})" for n, key in keys)


def _payload(shape: Shape) -> tuple[Key, ...]:
    return shape.payload or tuple(key for file in shape.files for key in file)


def _length(shape: Shape) -> int:
    return int(shape.kind.removeprefix("CHAR(").removesuffix(")"))


def _merge(shape: Shape, *clauses: str) -> str:
    return " ".join((f"MERGE INTO {{target}} t USING {{source}} s ON {shape.on}", *clauses))


MATCHED = (
    "WHEN MATCHED AND s.n % 3 = 0 THEN DELETE",
    "WHEN MATCHED THEN UPDATE SET p = s.p, n = s.n",
)
INSERT = "WHEN NOT MATCHED THEN INSERT (k, p, n) VALUES (s.k, s.p, s.n)"


def _upsert(shape: Shape) -> str:
    return _merge(shape, *MATCHED, *((INSERT,) if shape.inserts else ()))


def _insert(shape: Shape) -> str:
    return _merge(shape, INSERT) if shape.inserts else _merge(shape, MATCHED[0])


def _by_source(shape: Shape) -> str:
    by_source = "WHEN NOT MATCHED BY SOURCE AND t.n % 2 = 0 THEN UPDATE SET n = -t.n"
    return _merge(shape, MATCHED[1], by_source)


def _replace(shape: Shape) -> Change:
    """By the key where rows can be written as they are; `save` casts nothing."""
    if shape.source_kind is None:
        return WriteRows(mode="overwrite", replace_using=("k",))
    return WriteRows(mode="overwrite", replace_on=shape.on, target_alias="t", source_alias="s")


def _delete(shape: Shape) -> Change:
    return DeleteRows(f"k IN ({', '.join(map(_typed(shape), shape.source))})")


def _update(shape: Shape) -> Change:
    literal = _typed(shape)(next(key for key in shape.source if key != NULL))
    return UpdateRows(
        (("p", "CASE WHEN k IS NULL THEN NULL ELSE p END"), ("n", "-n")), f"k >= {literal}"
    )


def _typed(shape: Shape) -> Callable[[Key], str]:
    kind = shape.source_kind or shape.kind
    is_text = kind.startswith(("CHAR", "VARCHAR"))
    return lambda key: key if is_text else f"CAST({key} AS {kind})"


WAYS: dict[str, Callable[[Shape], str | Change]] = {
    "upsert": _upsert,
    "insert": _insert,
    "by_source": _by_source,
    "replace": _replace,
    "delete": _delete,
    "update": _update,
}
