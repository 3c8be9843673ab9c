"""Overwrites of a whole table, which stays the table that it is."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, WriteRows, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, NULL)")
OVERWRITE = WriteRows(mode="overwrite")
TYPES_DIFFER = "Failed to merge"

CASES = (
    GoldenCase(
        title="an overwrite finds columns in any order and in any letters",
        target=TARGET,
        source=table("V STRING, ID INT", "('x', 2), (NULL, NULL)"),
        statement=OVERWRITE,
        rows="(2, 'x'), (NULL, NULL)",
    ),
    GoldenCase(
        title="an overwrite by no rows empties the table",
        target=TARGET,
        source=table("id INT, v STRING"),
        statement=OVERWRITE,
    ),
    GoldenCase(
        title="an overwrite by an empty Delta table empties the table",
        target=TARGET,
        source=table("id INT, v STRING"),
        source_is_delta=True,
        statement=OVERWRITE,
    ),
    GoldenCase(
        title="an overwrite of no rows by no rows commits nothing",
        target=table("id INT, v STRING"),
        source=table("id INT, v STRING"),
        statement=OVERWRITE,
        commits=False,
    ),
    GoldenCase(
        title="an overwrite of an empty table",
        target=table("id INT, v STRING"),
        source=table("id INT, v STRING", "(1, 'a'), (1, 'a')"),
        statement=OVERWRITE,
        rows="(1, 'a'), (1, 'a')",
    ),
    GoldenCase(
        title="an overwrite leaves columns that the source lacks null",
        target=TARGET,
        source=table("v STRING", "('x')"),
        partition_by=(),
        statement=OVERWRITE,
        rows="(NULL, 'x')",
    ),
    GoldenCase(
        title="an overwrite refuses a column that the table does not have",
        target=TARGET,
        source=table("id INT, v STRING, w INT", "(2, 'x', 20)"),
        statement=OVERWRITE,
        error="DELTA_METADATA_MISMATCH",
    ),
    GoldenCase(
        title="an overwrite casts numbers that fit",
        target=table("v STRING, n BIGINT, id INT", "('a', 10, 1)"),
        source=table("v STRING, n INT, id BIGINT", "('x', 20, 2)"),
        statement=OVERWRITE,
        rows="('x', 20, 2)",
        native_fails_with=TYPES_DIFFER,
    ),
    GoldenCase(
        title="an overwrite of a table with deletion vectors",
        target=TARGET,
        before=("DELETE FROM {target} WHERE id = 1",),
        source=table("id INT, v STRING", "(4, 'x')"),
        statement=OVERWRITE,
        rows="(4, 'x')",
    ),
    GoldenCase(
        title="an overwrite of a clustered table",
        target=TARGET,
        before=("ALTER TABLE {target} CLUSTER BY (id)",),
        source=table("id INT, v STRING", "(4, 'x'), (2, 'y')"),
        partition_by=(),
        statement=OVERWRITE,
        rows="(2, 'y'), (4, 'x')",
    ),
    GoldenCase(
        title="an overwrite of a table partitioned by two columns",
        target=table("id INT, p STRING, q INT", "(1, 'a', 1), (2, NULL, 2), (3, 'b', NULL)"),
        source=table("q INT, p STRING, id INT", "(NULL, 'c', 4), (1, 'a', 5)"),
        partition_by=("p", "q"),
        statement=OVERWRITE,
        rows="(4, 'c', NULL), (5, 'a', 1)",
    ),
    GoldenCase(
        title="the change feed of an overwrite has all old rows and all new ones",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'a'), (4, 'x')"),
        properties=CHANGE_FEED,
        statement=OVERWRITE,
        rows="(1, 'a'), (4, 'x')",
        change_rows="(1, 'a', 'delete'), (2, 'b', 'delete'), (3, NULL, 'delete'),"
        " (1, 'a', 'insert'), (4, 'x', 'insert')",
    ),
    GoldenCase(
        title="the change feed of an overwrite has no row that was deleted before",
        target=TARGET,
        before=("DELETE FROM {target} WHERE id = 1",),
        source=table("id INT, v STRING"),
        properties=CHANGE_FEED,
        statement=OVERWRITE,
        change_rows="(2, 'b', 'delete'), (3, NULL, 'delete')",
    ),
    GoldenCase(
        title="a write may say how the table is partitioned",
        target=table("id INT, p STRING", "(1, 'a')"),
        source=table("id INT, p STRING", "(2, 'a'), (3, 'b')"),
        partition_by=("p",),
        statement=WriteRows(partition_by=("p",)),
        rows="(1, 'a'), (2, 'a'), (3, 'b')",
    ),
    GoldenCase(
        title="an overwrite may say how the table is partitioned",
        target=table("id INT, p STRING", "(1, 'a')"),
        source=table("id INT, p STRING", "(2, 'a'), (3, 'b')"),
        partition_by=("p",),
        statement=WriteRows(mode="overwrite", partition_by=("p",)),
        rows="(2, 'a'), (3, 'b')",
    ),
    GoldenCase(
        title="an overwrite may not partition the table otherwise",
        target=table("id INT, p STRING", "(1, 'a')"),
        source=table("id INT, p STRING", "(2, 'a')"),
        partition_by=("p",),
        deletion_vectors=False,
        statement=WriteRows(mode="overwrite", partition_by=("id",)),
        error="DELTA_METADATA_MISMATCH",
    ),
)
