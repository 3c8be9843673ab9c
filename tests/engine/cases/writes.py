"""Writes: what gives way to new rows, and what they are made into."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, WriteRows, table

CASES = (
    GoldenCase(
        title="an append adds rows by column name",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("v STRING, id INT", "('b', 2), ('c', NULL)"),
        statement=WriteRows(),
        rows="(1, 'a'), (2, 'b'), (NULL, 'c')",
    ),
    GoldenCase(
        title="an append of no rows commits nothing",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING"),
        statement=WriteRows(),
        rows="(1, 'a')",
        commits=False,
    ),
    GoldenCase(
        title="an overwrite replaces every row",
        target=table("id INT, v STRING", "(1, 'a')", "(2, 'b')"),
        source=table("id INT, v STRING", "(3, 'c')"),
        statement=WriteRows(mode="overwrite"),
        rows="(3, 'c')",
    ),
    GoldenCase(
        title="replace_where replaces the rows that the predicate is true for",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, NULL)"),
        source=table("id INT, v STRING", "(7, 'b'), (8, 'd')"),
        statement=WriteRows(mode="overwrite", replace_where="v >= 'b'"),
        rows="(1, 'a'), (4, NULL), (7, 'b'), (8, 'd')",
    ),
    GoldenCase(
        title="a new row outside of what replace_where replaces is refused",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(7, 'b'), (8, 'a')"),
        statement=WriteRows(mode="overwrite", replace_where="v >= 'b'"),
        error="DELTA_REPLACE_WHERE_MISMATCH",
    ),
    GoldenCase(
        title="replaced rows and new ones are in the change feed",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        source=table("id INT, v STRING", "(7, 'b')"),
        statement=WriteRows(mode="overwrite", replace_where="id >= 2"),
        rows="(1, 'a'), (7, 'b')",
        change_rows="(2, 'b', 'delete'), (3, 'c', 'delete'), (7, 'b', 'insert')",
        properties=CHANGE_FEED,
    ),
    GoldenCase(
        title="a dynamic overwrite replaces the partitions of the new rows",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'b')", "(3, 'b'), (4, NULL)"),
        source=table("id INT, p STRING", "(7, 'b'), (8, NULL)"),
        statement=WriteRows(mode="overwrite", dynamic_partitions=True),
        partition_by=("p",),
        rows="(1, 'a'), (7, 'b'), (8, NULL)",
    ),
    GoldenCase(
        title="replace_using replaces the rows that equal a new one in these columns",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (NULL, 'd')"),
        source=table("id INT, v STRING", "(2, 'x'), (2, 'y'), (NULL, 'z')"),
        statement=WriteRows(mode="overwrite", replace_using=("id",)),
        rows="(1, 'a'), (2, 'x'), (2, 'y'), (3, 'c'), (NULL, 'd'), (NULL, 'z')",
    ),
    GoldenCase(
        title="replace_on replaces the rows that match a new one",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (NULL, 'd')"),
        source=table("id INT, v STRING", "(2, 'x'), (NULL, 'z')"),
        statement=WriteRows(
            mode="overwrite", replace_on="t.id <=> s.id", target_alias="t", source_alias="s"
        ),
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (NULL, 'z')",
    ),
)
