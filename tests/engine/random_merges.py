"""Random golden cases without an expectation: their tables, layouts and sources."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from golden import CHANGE_FEED, ROW_TRACKING, Change, GoldenCase, Table
from literals import CLUSTERED, GROWN, KEYS, NUMBERS, PARTITIONS, POOLS, pool
from random_clauses import atom, random_merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random


PROPERTIES = (
    (CHANGE_FEED, 0.25),
    (ROW_TRACKING, 0.15),
    ((("delta.columnMapping.mode", "name"),), 0.1),
    ((("delta.enableTypeWidening", "true"),), 0.15),
    ((("delta.dataSkippingNumIndexedCols", "1"),), 0.05),
)
"""Properties of the target, and how often a random table has them."""

Row = tuple[str, ...]  # a SQL literal for each column


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: str

    @property
    def ddl(self) -> str:
        return f"{self.name} {self.kind}"


@dataclass(frozen=True, slots=True)
class Sides:
    """The two tables' columns; `whole` says that the source has each of the target's."""

    keys: tuple[Column, ...]
    target: tuple[Column, ...]
    source: tuple[Column, ...]

    @property
    def whole(self) -> bool:
        return {column.name for column in self.target} <= {column.name for column in self.source}

    @property
    def shared(self) -> tuple[Column, ...]:
        """The target's columns that the source has in the same type."""
        return tuple(column for column in self.target if column in self.source)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random table, and rows like those that it began with."""

    sides: Sides
    files: tuple[tuple[Row, ...], ...]
    partition_by: tuple[str, ...]


def random_case(random: Random, title: str) -> GoldenCase:
    drawn = random_table(random)
    source = random_source(random, drawn)
    return random_layout(random, title, drawn, random_merge(random, drawn.sides), source)


def random_table(random: Random) -> Drawn:
    sides = _sides(random)
    files = tuple(map(tuple, _files(random, sides.target)))
    return Drawn(sides, files, _partition_by(random, sides))


def random_layout(
    random: Random, title: str, drawn: Drawn, statement: str | Change, source: Table
) -> GoldenCase:
    """The change to the table in a random form."""
    return GoldenCase(
        title=title,
        target=Table(ddl(drawn.sides.target), tuple(map(text, drawn.files))),
        source=source,
        source_is_delta=random.random() < 0.3,
        statement=statement,
        partition_by=drawn.partition_by,
        deletion_vectors=random.random() < 0.6,
        before=_before(random, drawn.sides, drawn.partition_by),
        properties=_properties(random),
    )


def random_source(random: Random, drawn: Drawn, fixed: Mapping[str, str] | None = None) -> Table:
    """Rows that often have the keys of the table's; `fixed` columns have one value in all."""
    rows = _source_rows(random, drawn.sides, [*chain(*drawn.files)])
    columns = drawn.sides.source
    some = [
        tuple((fixed or {}).get(c.name, value) for c, value in zip(columns, row, strict=True))
        for row in rows
    ]
    return Table(ddl(columns), (text(some),) if some else ())


def _properties(random: Random) -> tuple[tuple[str, str], ...]:
    chosen = [pair for pair, chance in PROPERTIES if random.random() < chance]
    return tuple(pair for pairs in chosen for pair in pairs)


def ddl(columns: tuple[Column, ...]) -> str:
    return ", ".join(column.ddl for column in columns)


def _sides(random: Random) -> Sides:
    keys = tuple(Column(f"k{i}", random.choice(KEYS)) for i in range(random.choice((1, 1, 1, 2))))
    kinds = random.choices(tuple(POOLS), k=random.randint(1, 4))
    payload = tuple(Column(f"c{i}", kind) for i, kind in enumerate(kinds))
    carried = payload if random.random() < 0.8 else payload[: random.randint(0, len(payload))]
    carried = tuple(_grown(random, column) for column in carried)
    extra = (Column("x", random.choice(tuple(POOLS))),) if random.random() < 0.25 else ()
    source = [*(_other_number(random, key) for key in keys), *carried, *extra]
    random.shuffle(source)
    return Sides(keys, (*keys, *payload), tuple(source))


def _other_number(random: Random, key: Column) -> Column:
    """Now and then a number key has a narrower type in the source, so that any value fits."""
    if key.kind not in ("INT", "BIGINT") or random.random() < 0.75:
        return key
    return Column(key.name, random.choice(NUMBERS[: NUMBERS.index(key.kind)]))


def _grown(random: Random, column: Column) -> Column:
    """Now and then a column has outgrown the target's, as schema evolution knows it."""
    if column.kind not in GROWN or random.random() < 0.85:
        return column
    return Column(column.name, GROWN[column.kind][0])


def _row(random: Random, columns: tuple[Column, ...]) -> Row:
    return tuple(
        "NULL" if random.random() < 0.12 else random.choice(pool(column.kind)) for column in columns
    )


def text(rows: Sequence[Row]) -> str:
    return ", ".join(f"({', '.join(row)})" for row in rows)


def _files(random: Random, columns: tuple[Column, ...]) -> list[list[Row]]:
    sizes = [random.randint(1, 6) for _ in range(random.choice((0, 1, 1, 2, 2, 3)))]
    return [[_row(random, columns) for _ in range(size)] for size in sizes]


def _source_rows(random: Random, sides: Sides, target: list[Row]) -> list[Row]:
    count = random.choice((0, 1, 2, 3, 5, 8))
    rows = [_source_row(random, sides, target) for _ in range(count)]
    if random.random() < 0.75:
        names = {key.name for key in sides.keys}
        at = [i for i, column in enumerate(sides.source) if column.name in names]
        rows = list({tuple(row[i] for i in at): row for row in rows}.values())
    return rows


def _source_row(random: Random, sides: Sides, target: list[Row]) -> Row:
    """A row at random, which often has the key of a row of the target."""
    row = _row(random, sides.source)
    if not target or random.random() < 0.4:
        return row
    met = dict(zip(sides.target, random.choice(target), strict=True))
    keys = {column: met[column] for column in sides.keys}
    return tuple(keys.get(c, value) for c, value in zip(sides.source, row, strict=True))


def _partition_by(random: Random, sides: Sides) -> tuple[str, ...]:
    able = [column.name for column in sides.target if column.kind in PARTITIONS]
    count = min(random.choice((0, 0, 1, 1, 2)), len(able), len(sides.target) - 1)
    return tuple(random.sample(able, count))


def _before(random: Random, sides: Sides, partition_by: tuple[str, ...]) -> tuple[str, ...]:
    count = random.choice((0, 0, 1, 2))
    key = sides.keys[0]
    clusters = not partition_by and key.kind in CLUSTERED and random.random() < 0.15
    clustered = (f"ALTER TABLE {{target}} CLUSTER BY ({key.name})",) if clusters else ()
    return clustered + tuple(
        f"DELETE FROM {{target}} AS t WHERE {atom(random, 't', sides.target)}" for _ in range(count)
    )
