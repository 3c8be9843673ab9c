"""Random deletes, updates and writes, and sequences of them and of merges, on random tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from golden import Change, DeleteRows, GoldenCase, Table, UpdateRows, WriteRows
from literals import ORDERED, POOLS, pool
from random_clauses import atom, condition, random_merge
from random_merges import Drawn, Sides, random_layout, random_source, random_table

if TYPE_CHECKING:
    from random import Random

LONGEST_SEQUENCE = 8


@dataclass(frozen=True, slots=True)
class Sequence:
    """Changes to one table, one after the other: its form is the first step's."""

    steps: tuple[GoldenCase, ...]


def random_change(random: Random, title: str) -> GoldenCase:
    drawn = random_table(random)
    return random_layout(random, title, drawn, *_change(random, drawn))


def random_sequence(random: Random, title: str) -> Sequence:
    drawn = random_table(random)
    first = random_layout(random, f"{title}, step 1", drawn, *_any(random, drawn))
    steps = [first]
    for number in range(2, random.randint(3, LONGEST_SEQUENCE) + 1):
        statement, source = _any(random, drawn)
        label = f"{title}, step {number}"
        steps.append(replace(first, title=label, statement=statement, source=source))
    return Sequence(tuple(steps))


def _any(random: Random, drawn: Drawn) -> tuple[str | Change, Table]:
    if random.random() < 0.4:
        return random_merge(random, drawn.sides), random_source(random, drawn)
    return _change(random, drawn)


def _change(random: Random, drawn: Drawn) -> tuple[Change, Table]:
    draw = random.choice((_delete, _update, _write))
    change = draw(random, drawn)
    return change, random_source(random, drawn, _fixed(random, change))


def _fixed(random: Random, change: Change) -> dict[str, str]:
    """Most new rows satisfy the predicate that they replace rows by."""
    if not isinstance(change, WriteRows) or change.replace_where is None or random.random() < 0.2:
        return {}
    column, equals, value = change.replace_where.partition(" = ")
    return {column: value} if equals else {}


def _delete(random: Random, drawn: Drawn) -> Change:
    return DeleteRows(_some_condition(random, drawn))


def _some_condition(random: Random, drawn: Drawn) -> str | None:
    """Now and then on the partition columns alone, or on every row."""
    target = drawn.sides.target
    partitions = tuple(column for column in target if column.name in drawn.partition_by)
    chance = random.random()
    if chance < 0.08:
        return None
    return condition(random, "", partitions if partitions and chance < 0.3 else target)


def _update(random: Random, drawn: Drawn) -> Change:
    target = drawn.sides.target
    columns = random.sample(target, random.randint(1, len(target)))
    pairs = tuple((column.name, _value(random, drawn.sides, column.name)) for column in columns)
    return UpdateRows(pairs, _some_condition(random, drawn))


def _value(random: Random, sides: Sides, name: str) -> str:
    kind = next(column.kind for column in sides.target if column.name == name)
    alike = [column.name for column in sides.target if column.kind == kind]
    other = random.choice(alike)
    shapes = [random.choice(POOLS[kind]), "NULL", other, f"coalesce({other}, {name})"]
    return random.choice(shapes)


def _write(random: Random, drawn: Drawn) -> Change:
    """Rows that `save` takes: it casts nothing, and wants the partition columns."""
    sides = drawn.sides
    names = {column.name for column in sides.source}
    outgrown = {column.name for column in sides.target} & names - {c.name for c in sides.shared}
    if outgrown or not set(drawn.partition_by) <= names:
        return _delete(random, drawn)
    draws = [_append, _overwrite, _replace_where, _replace_using, _replace_on]
    if drawn.partition_by:
        draws.append(_dynamic)
    write = random.choice(draws)(random, drawn)
    return replace(write, merge_schema=random.random() < 0.3)


def _append(*_: object) -> WriteRows:
    return WriteRows()


def _overwrite(*_: object) -> WriteRows:
    return WriteRows(mode="overwrite")


def _dynamic(*_: object) -> WriteRows:
    return WriteRows(mode="overwrite", dynamic_partitions=True)


def _replace_where(random: Random, drawn: Drawn) -> WriteRows:
    fitting = [column for column in drawn.sides.shared if column.kind in ORDERED]
    if not fitting or random.random() < 0.2:
        return WriteRows(mode="overwrite", replace_where=atom(random, "", drawn.sides.target))
    column = random.choice(fitting)
    predicate = f"{column.name} = {random.choice(pool(column.kind))}"
    return WriteRows(mode="overwrite", replace_where=predicate)


def _replace_using(random: Random, drawn: Drawn) -> WriteRows:
    names = [column.name for column in drawn.sides.shared if column.kind in ORDERED]
    if not names:
        return WriteRows(mode="overwrite")
    using = tuple(random.sample(names, min(len(names), random.choice((1, 1, 2)))))
    return WriteRows(mode="overwrite", replace_using=using)


def _replace_on(random: Random, drawn: Drawn) -> WriteRows:
    parts = [f"t.{key.name} {random.choice(('=', '<=>'))} s.{key.name}" for key in drawn.sides.keys]
    if random.random() < 0.2:
        parts.append(condition(random, "t", drawn.sides.target))
    on = " AND ".join(parts)
    return WriteRows(mode="overwrite", replace_on=on, target_alias="t", source_alias="s")
