"""DELETE: which rows go, and what stays of their files."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, DeleteRows, GoldenCase, table

CASES = (
    GoldenCase(
        title="a delete takes the rows that the condition is true for",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, NULL)", "(4, 'd')"),
        statement=DeleteRows("v > 'a'"),
        rows="(1, 'a'), (3, NULL)",
    ),
    GoldenCase(
        title="a delete without a condition takes every row",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=DeleteRows(),
    ),
    GoldenCase(
        title="a delete that matches nothing commits nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        statement=DeleteRows("id = 9"),
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="the change feed has each deleted row",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=DeleteRows("id >= 2"),
        rows="(1, 'a')",
        change_rows="(2, 'b', 'delete'), (3, 'c', 'delete')",
        properties=CHANGE_FEED,
    ),
    GoldenCase(
        title="rows that a delete leaves keep their ids",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')"),
        statement=DeleteRows("id = 2 OR id = 3"),
        rows="(1, 'a'), (4, 'd')",
        properties=ROW_TRACKING,
    ),
    GoldenCase(
        title="a delete adds to the vectors that are there",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')"),
        before=("DELETE FROM {target} WHERE id = 1",),
        statement=DeleteRows("id = 3"),
        rows="(2, 'b')",
    ),
    GoldenCase(
        title="rows that a delete's condition is null for stay",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, NULL)"),
        statement=DeleteRows("NOT (v = 'b')"),
        rows="(2, 'b'), (3, NULL)",
    ),
    GoldenCase(
        title="a list with a null in NOT IN deletes nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        statement=DeleteRows("id NOT IN (1, NULL)"),
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="a list with a null deletes what it names",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (NULL, 'd')"),
        statement=DeleteRows("id IN (1, NULL, 3)"),
        rows="(2, 'b'), (NULL, 'd')",
    ),
    GoldenCase(
        title="true on one side of OR deletes, whatever the null on the other",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, NULL), (4, NULL)"),
        statement=DeleteRows("v = 'a' OR id = 3"),
        rows="(2, 'b'), (4, NULL)",
    ),
    GoldenCase(
        title="a delete finds nulls by <=> and by IS NULL",
        target=table(
            "id INT, v STRING, w INT",
            "(1, 'a', 1), (2, NULL, 2)",
            "(3, 'c', NULL), (NULL, 'd', 4)",
        ),
        statement=DeleteRows("v <=> NULL OR id IS NULL"),
        rows="(1, 'a', 1), (3, 'c', NULL)",
    ),
    GoldenCase(
        title="a delete where true takes every row",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=DeleteRows("true"),
    ),
    GoldenCase(
        title="a delete where false commits nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        statement=DeleteRows("false"),
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="a delete where null commits nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        statement=DeleteRows("CAST(NULL AS BOOLEAN)"),
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="a delete of constants that fold to true takes every row",
        target=table("id INT, v STRING", "(1, 'a'), (2, NULL)"),
        statement=DeleteRows("1 + 1 = 2 OR id = 7"),
    ),
    GoldenCase(
        title="a delete from a table without rows commits nothing",
        target=table("id INT, v STRING"),
        statement=DeleteRows("id = 1"),
        commits=False,
    ),
    GoldenCase(
        title="a delete of every row of a table without rows commits nothing",
        target=table("id INT, v STRING"),
        statement=DeleteRows(),
        commits=False,
    ),
    GoldenCase(
        title="a delete empties one file, part of another, and leaves a third",
        target=table("id INT, n INT", "(1, 10), (2, 10)", "(3, 10), (4, 10)", "(5, 10)"),
        statement=DeleteRows("id IN (2, 3, 4)"),
        rows="(1, 10), (5, 10)",
    ),
    GoldenCase(
        title="a delete by a condition that every row meets empties every file",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=DeleteRows("id > 0"),
    ),
    GoldenCase(
        title="equal rows are deleted together",
        target=table("id INT, v STRING", "(1, 'a'), (1, 'a'), (2, 'b')", "(1, 'a')"),
        statement=DeleteRows("id = 1"),
        rows="(2, 'b')",
    ),
)
