"""Our changes to such a table, and what each must leave: told by Python from what Spark says of
every row by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbt.adapters.deltaspark import engine

from .writers import values

if TYPE_CHECKING:
    from random import Random

    from pyspark.sql import DataFrame, SparkSession

    from .values import Kind, Value

NEW = 1000
"""From here on v is that of a new row."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row by the text of its key: whether the condition is true of it, and the numbers of the new
    rows that have its key: by `=`, and by `<=>`.
    """

    key: str | None
    v: int
    chosen: bool
    equal: tuple[int, ...]
    same: tuple[int, ...]


Left = list[tuple[str | None, int]]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a change is made of: a condition on the key, in which {t} stands for the table's alias,
    and new rows with keys of their own.
    """

    condition: str
    new: tuple[tuple[Value | None, int], ...]
    shown: tuple[str | None, ...] = ()
    """The texts of the new rows' keys."""

    def of(self, alias: str) -> str:
        """The condition, its columns under the alias."""
        return self.condition.format(t=alias)

    def rows(self) -> Left:
        return [(text, v) for text, (_, v) in zip(self.shown, self.new, strict=True)]


@dataclass(frozen=True, slots=True)
class Change:
    """How it is made, and what it leaves; `statement` shows it, if only roughly."""

    statement: str
    left: Callable[[Sequence[TableRow], Drawn], Left]
    run: Callable[[SparkSession, str, DataFrame, Drawn], object]


def _target(spark: SparkSession, table: str) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_name(spark, table)


def _of(row: TableRow) -> tuple[str | None, int]:
    return row.key, row.v


def _others(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    return [_of(row) for row in rows if not row.chosen]


def _chosen_anew(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    return [(row.key, -row.v - 1 if row.chosen else row.v) for row in rows]


def _replaced_where(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    return _others(rows, drawn) + drawn.rows()


def _replaced_equal(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    return [_of(row) for row in rows if not row.equal] + drawn.rows()


def _replaced_same(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    return [_of(row) for row in rows if not row.same] + drawn.rows()


def _not_met(found: set[int], drawn: Drawn) -> Left:
    return [row for n, row in enumerate(drawn.rows()) if n not in found]


def _merged(rows: Sequence[TableRow], drawn: Drawn, *, narrowed: bool) -> Left:
    left: Left = []
    found: set[int] = set()
    for row in rows:
        met = row.equal if row.chosen or not narrowed else ()
        found |= set(met)
        left.append((row.key, drawn.new[met[0]][1] if met else row.v))
    return left + _not_met(found, drawn)


def _upserted(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    return _merged(rows, drawn, narrowed=False)


def _upserted_if_chosen(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    return _merged(rows, drawn, narrowed=True)


def _inserted(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    found = {n for row in rows for n in row.same}
    return [_of(row) for row in rows] + _not_met(found, drawn)


def _mirrored(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    kept = [row for row in rows if row.equal or not row.chosen]
    return [(row.key, drawn.new[row.equal[0]][1] if row.equal else row.v) for row in kept]


def _closed(rows: Sequence[TableRow], drawn: Drawn) -> Left:
    """As a snapshot does: of changed keys the old rows end, and new ones come beside them."""
    ended = [(row.key, row.v + NEW if row.same and row.chosen else row.v) for row in rows]
    return ended + drawn.rows()


def _merge(text: str) -> Callable[[SparkSession, str, DataFrame, Drawn], object]:
    def run(spark: SparkSession, table: str, source: DataFrame, drawn: Drawn) -> object:
        source.createOrReplaceTempView("foreign_source")
        return engine.merge_into(spark, text.format(table=table, condition=drawn.of("t.")))

    return run


def _written(**options: str) -> Callable[[SparkSession, str, DataFrame, Drawn], object]:
    def run(spark: SparkSession, table: str, source: DataFrame, drawn: Drawn) -> object:
        given = {name: text.format(condition=drawn.of("")) for name, text in options.items()}
        aliases = {"source_alias": "s", "target_alias": "t"} if "replace_on" in given else {}
        return engine.write(source, _target(spark, table), "overwrite", **given, **aliases)  # type: ignore[arg-type]

    return run


def _replace_using(spark: SparkSession, table: str, source: DataFrame, drawn: Drawn) -> object:
    return engine.write(source, _target(spark, table), "overwrite", replace_using=["k"])


def _delete(spark: SparkSession, table: str, source: DataFrame, drawn: Drawn) -> object:
    return _target(spark, table).delete(drawn.of(""))


def _update(spark: SparkSession, table: str, source: DataFrame, drawn: Drawn) -> object:
    return _target(spark, table).update({"v": "-v - 1"}, drawn.of(""))


WHERE = "({condition}) OR v >= 1000"
MERGE = "MERGE INTO {table} t USING foreign_source s ON "
UPSERT = " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *"
INSERT = " WHEN NOT MATCHED THEN INSERT *"
MERGES = (
    (MERGE + "t.k = s.k" + UPSERT, _upserted),
    (MERGE + "t.k = s.k AND ({condition})" + UPSERT, _upserted_if_chosen),
    (MERGE + "t.k <=> s.k" + INSERT, _inserted),
    (
        MERGE + "t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED BY SOURCE AND {condition} THEN DELETE",
        _mirrored,
    ),
    (
        "MERGE INTO {table} t USING (SELECT *, explode(array('update', 'insert')) AS change"
        " FROM foreign_source) s ON s.change <> 'insert' AND t.k <=> s.k AND {condition}"
        " WHEN MATCHED THEN UPDATE SET v = t.v + 1000"
        " WHEN NOT MATCHED AND s.change = 'insert' THEN INSERT (k, v) VALUES (s.k, s.v)",
        _closed,
    ),
)
CHANGES = (
    Change("DELETE WHERE {condition}", _others, _delete),
    Change("UPDATE SET v = -v - 1 WHERE {condition}", _chosen_anew, _update),
    Change(f"replace_where {WHERE}", _replaced_where, _written(replace_where=WHERE)),
    Change("replace_using k", _replaced_equal, _replace_using),
    Change("replace_on t.k <=> s.k", _replaced_same, _written(replace_on="t.k <=> s.k")),
    *(Change(text, left, _merge(text)) for text, left in MERGES),
)


def drawn_change(random: Random, kind: Kind) -> tuple[Change, Drawn]:
    keys = random.sample(kind.values, k=min(random.choice((1, 1, 2, 3)), len(kind.values)))
    apart = list({key.same: key for key in keys}.values())
    new: list[Value | None] = [*apart, *([None] if random.random() < 0.2 else [])]
    rows = tuple((key, NEW + n) for n, key in enumerate(new))
    return random.choice(CHANGES), Drawn(_condition(random, kind), rows)


def _condition(random: Random, kind: Kind) -> str:
    """In such forms as users write them."""
    one, other, third = (random.choice(kind.values).sql for _ in range(3))
    operator = random.choice(("=", "<", ">", "<=", ">=", "!=", "<=>"))
    test = f"{{t}}k {operator} {one}"
    return random.choice(
        (
            *(test,) * 4,
            f"NOT ({test})",
            f"{{t}}k BETWEEN {one} AND {other}",
            f"{{t}}k IN ({one}, {other}, {third})",
            f"({test} OR {{t}}k = {other})",
            f"{test} AND {{t}}v < 4",
            f"{test} AND {{t}}k IS NOT NULL",
            "{t}k IS NULL",
        )
    )


def source_of(spark: SparkSession, kind: Kind, drawn: Drawn) -> DataFrame:
    rows = values([*drawn.new])
    return spark.sql(
        f"SELECT CAST(k AS {kind.name}) AS k, CAST(v AS INT) AS v FROM VALUES {rows} AS s(k, v)"
    )
