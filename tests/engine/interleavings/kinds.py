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

LAYOUTS = {"plain": "", "partitioned": "PARTITIONED BY (g)", "clustered": "CLUSTER BY (id)"}
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
        made = f"CREATE TABLE {{t}} ({COLUMNS}) USING delta {LAYOUTS[self.layout]}"
        return [
            f"{made} TBLPROPERTIES ({properties})",
            *(_insert("{t}", rows) for rows in self._rows()),
            f"CREATE TABLE {{s}} ({COLUMNS}) USING delta",
            _insert("{s}", SOURCE),
        ]

    def _rows(self) -> list[str]:
        return [", ".join(FILES)] if self.files == 1 else [*FILES[: self.files]]

    def __str__(self) -> str:
        vectors = "vectors" if self.vectors else "no vectors"
        return ", ".join((vectors, self.layout, *sorted(self.features), f"{self.files} files"))


def _insert(table: str, rows: str) -> str:
    return f"INSERT INTO {table} SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}"


def random_kind(random: Random) -> Kind:
    features = {name for name in FEATURES if random.random() < 0.3}
    layout = random.choice(("plain", "plain", "partitioned", "clustered"))
    return Kind(random.random() < 0.5, layout, frozenset(features), random.choice((1, 3)))
