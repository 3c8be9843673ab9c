"""Random MERGE statements: their conditions, their clauses and what these do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from literals import NUMBERS, ORDERED, POOLS, pool

if TYPE_CHECKING:
    from random import Random

    from random_merges import Column, Sides


def random_merge(random: Random, sides: Sides) -> str:
    grown = any(column not in sides.target for column in sides.source)
    evolution = " WITH SCHEMA EVOLUTION" if random.random() < (0.4 if grown else 0.05) else ""
    clauses: list[str] = []
    while not clauses:
        clauses = [*_matched(random, sides), *_not_matched(random, sides)]
        clauses += _by_source(random, sides)
    head = f"MERGE{evolution} INTO {{target}} t USING {{source}} s ON {_on(random, sides)}"
    return " ".join((head, *clauses))


def _on(random: Random, sides: Sides) -> str:
    parts = [f"{_key(random, k)} {random.choice(('=', '=', '<=>'))} s.{k.name}" for k in sides.keys]
    if random.random() < 0.12:
        parts.append(condition(random, "t", sides.target))
    if random.random() < 0.12:
        parts.append(condition(random, "s", sides.source))
    text = " AND ".join(parts)
    if random.random() < 0.06:
        side, columns = random.choice((("t", sides.target), ("s", sides.source)))
        return f"({text}) OR {atom(random, side, columns)}"
    return text


def _key(random: Random, key: Column) -> str:
    """Now and then the target's number is narrowed, and null where it does not fit."""
    if key.kind not in NUMBERS[1:] or random.random() < 0.9:
        return f"t.{key.name}"
    return f"try_cast(t.{key.name} AS {random.choice(NUMBERS[: NUMBERS.index(key.kind)])})"


def condition(random: Random, side: str, columns: tuple[Column, ...]) -> str:
    first = atom(random, side, columns)
    chance = random.random()
    if chance < 0.15:
        return f"NOT ({first})"
    if chance < 0.35:
        return f"({first} {random.choice(('AND', 'OR'))} {atom(random, side, columns)})"
    return first


def atom(random: Random, side: str, columns: tuple[Column, ...]) -> str:
    column = random.choice(columns)
    name = f"{side}.{column.name}" if side else column.name
    values = pool(column.kind)
    shapes = [f"{name} IS NULL", f"{name} IS NOT NULL"]
    if column.kind == "BOOLEAN":
        shapes += [name, f"NOT {name}"]
    if column.kind in ORDERED:
        shapes += [f"{name} {op} {random.choice(values)}" for op in ("=", "!=", "<", ">=", "<=>")]
        shapes.append(f"{name} IN ({random.choice(values)}, {random.choice(values)})")
    return random.choice(shapes)


def _conditions(random: Random, sides: Sides, both: bool, side: str) -> list[str]:
    """One text a clause: all but the last have a condition."""
    count = random.choice((0, 1, 1, 2, 3))
    last_is_open = random.random() < 0.6
    return [
        "" if number == count - 1 and last_is_open else _when(random, sides, both, side)
        for number in range(count)
    ]


def _when(random: Random, sides: Sides, both: bool, side: str) -> str:
    sees = random.choice("ts") if both else side
    chosen = condition(random, sees, sides.target if sees == "t" else sides.source)
    alike = [column for column in sides.shared if column.kind in ORDERED]
    if both and alike and random.random() < 0.3:
        column = random.choice(alike)
        chosen = f"t.{column.name} {random.choice(('<', '!=', '<=>'))} s.{column.name}"
    return f" AND {chosen}"


def _matched(random: Random, sides: Sides) -> list[str]:
    return [
        f"WHEN MATCHED{condition} THEN {_matched_action(random, sides)}"
        for condition in _conditions(random, sides, both=True, side="")
    ]


def _matched_action(random: Random, sides: Sides) -> str:
    if random.random() < 0.3:
        return "DELETE"
    if sides.whole and random.random() < 0.5:
        return "UPDATE SET *"
    return f"UPDATE SET {_assignments(random, sides)}"


def _assignments(random: Random, sides: Sides) -> str:
    columns = random.sample(sides.target, random.randint(1, len(sides.target)))
    return ", ".join(f"{c.name} = {_expression(random, sides, c)}" for c in columns)


def _expression(random: Random, sides: Sides, column: Column) -> str:
    shapes = [random.choice(POOLS[column.kind]), "NULL", f"t.{column.name}"]
    if column in sides.source:
        shapes += [f"s.{column.name}"] * 3
        shapes.append(f"coalesce(s.{column.name}, t.{column.name})")
    return random.choice(shapes)


def _not_matched(random: Random, sides: Sides) -> list[str]:
    return [
        f"WHEN NOT MATCHED{condition} THEN INSERT {_insert(random, sides)}"
        for condition in _conditions(random, sides, both=False, side="s")
    ]


def _insert(random: Random, sides: Sides) -> str:
    if sides.whole and random.random() < 0.7:
        return "*"
    columns = random.sample(sides.target, random.randint(1, len(sides.target)))
    names = ", ".join(column.name for column in columns)
    own = {column.name for column in sides.shared}
    values = ", ".join(
        f"s.{column.name}"
        if column.name in own and random.random() < 0.8
        else random.choice(POOLS[column.kind])
        for column in columns
    )
    return f"({names}) VALUES ({values})"


def _by_source(random: Random, sides: Sides) -> list[str]:
    if random.random() > 0.15:
        return []
    return [
        f"WHEN NOT MATCHED BY SOURCE{condition} THEN {_by_source_action(random, sides)}"
        for condition in _conditions(random, sides, both=False, side="t")
    ]


def _by_source_action(random: Random, sides: Sides) -> str:
    if random.random() < 0.5:
        return "DELETE"
    column = random.choice(sides.target)
    return f"UPDATE SET {column.name} = {random.choice((*POOLS[column.kind], 'NULL'))}"
