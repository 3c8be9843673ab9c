"""The kinds of table that writers meet on, as the statements that make them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

FILES = (
    "(1L, 1, 10, 'a'), (2L, 1, 20, 'b'), (3L, 2, 30, 'c')",
    "(4L, 2, 40, 'd'), (5L, 2, 50, NULL)",
    "(6L, 3, 60, 'f'), (NULL, 1, 5, 'null')",
)
SOURCE = "(3L, 2, 300, 's3'), (5L, 2, 500, 's5'), (8L, 1, 800, 's8')"
COLUMNS = "id BIGINT, g INT, n INT, v STRING"

HISTORY_COLUMNS = (
    "id BIGINT, v STRING, changed TIMESTAMP, valid_from TIMESTAMP, valid_to TIMESTAMP,"
    " is_current BOOLEAN"
)
FIRST, SECOND, THIRD = (f"TIMESTAMP'2026-01-0{day}'" for day in (1, 2, 3))
HISTORY_FILES = (
    f"(1L, 'a', {FIRST}, {FIRST}, NULL, true), (2L, 'b', {FIRST}, {FIRST}, NULL, true)",
    f"(3L, 'c', {FIRST}, {FIRST}, {SECOND}, false), (3L, 'c2', {SECOND}, {SECOND}, NULL, true)",
)
HISTORY_SOURCE = f"(2L, 'b2', {THIRD}), (3L, 'c3', {THIRD}), (4L, 'd', {THIRD})"

LAYOUTS = {
    "plain": "",
    "partitioned": "PARTITIONED BY (g)",
    "clustered": "CLUSTER BY (id)",
    "history": "",
}
FEATURES = {
    "feed": {"delta.enableChangeDataFeed": "true"},
    "tracking": {"delta.enableRowTracking": "true"},
    "mapping": {"delta.columnMapping.mode": "name"},
    "widening": {"delta.enableTypeWidening": "true"},
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A table of this layout and with these features, its rows in this many files."""

    vectors: bool
    layout: str
    features: frozenset[str]
    files: int

    @property
    def abilities(self) -> frozenset[str]:
        """What operations may need of the table."""
        return self.features | {self.layout}

    def statements(self) -> list[str]:
        """The table {t}, and {s} that sources read."""
        pairs = {"delta.enableDeletionVectors": str(self.vectors).lower()}
        for feature in sorted(self.features):
            pairs |= FEATURES[feature]
        properties = ", ".join(f"'{key}' = '{value}'" for key, value in pairs.items())
        columns, files, source_columns, source = self._rows()
        made = f"CREATE TABLE {{t}} ({columns}) USING delta {LAYOUTS[self.layout]}"
        rows = [", ".join(files)] if self.files == 1 else files
        return [
            f"{made} TBLPROPERTIES ({properties})",
            *(_insert("{t}", each) for each in rows),
            f"CREATE TABLE {{s}} ({source_columns}) USING delta",
            _insert("{s}", source),
        ]

    def _rows(self) -> tuple[str, tuple[str, ...], str, str]:
        """Columns and rows of the table, then of the source."""
        if self.layout == "history":
            columns = "id BIGINT, v STRING, changed TIMESTAMP"
            return HISTORY_COLUMNS, HISTORY_FILES, columns, HISTORY_SOURCE
        return COLUMNS, FILES, COLUMNS, SOURCE

    def __str__(self) -> str:
        vectors = "vectors" if self.vectors else "no vectors"
        return ", ".join((vectors, self.layout, *sorted(self.features), f"{self.files} files"))


def _insert(table: str, rows: str) -> str:
    return f"INSERT INTO {table} SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}"


def random_kind(random: Random, layouts: tuple[str, ...]) -> Kind:
    features = {name for name in FEATURES if random.random() < 0.3}
    layout = random.choice(layouts)
    return Kind(random.random() < 0.5, layout, frozenset(features), random.choice((1, 3)))
