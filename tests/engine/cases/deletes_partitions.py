"""DELETE by partition columns, alone and beside others."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, DeleteRows, GoldenCase, table

BY_P = ("p",)
LETTERS = table("id INT, p STRING", "(1, 'a'), (2, 'b'), (3, NULL)", "(4, 'a'), (5, 'c')")

CASES = (
    GoldenCase(
        title="a delete by a partition column alone takes the whole partition",
        target=LETTERS,
        statement=DeleteRows("p = 'a'"),
        partition_by=BY_P,
        rows="(2, 'b'), (3, NULL), (5, 'c')",
    ),
    GoldenCase(
        title="the change feed has each row of a partition that is deleted whole",
        target=LETTERS,
        statement=DeleteRows("p IN ('a', 'c', 'z')"),
        properties=CHANGE_FEED,
        partition_by=BY_P,
        rows="(2, 'b'), (3, NULL)",
        change_rows="(1, 'a', 'delete'), (4, 'a', 'delete'), (5, 'c', 'delete')",
    ),
    GoldenCase(
        title="rows that were deleted before are not deleted again with their partition",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'a'), (3, 'b')", "(4, 'a')"),
        before=("DELETE FROM {target} WHERE id = 2",),
        statement=DeleteRows("p = 'a'"),
        properties=CHANGE_FEED,
        partition_by=BY_P,
        rows="(3, 'b')",
        change_rows="(1, 'a', 'delete'), (4, 'a', 'delete')",
    ),
    GoldenCase(
        title="the null partition stays where a condition on it is null",
        target=LETTERS,
        statement=DeleteRows("p <> 'a'"),
        partition_by=BY_P,
        rows="(1, 'a'), (3, NULL), (4, 'a')",
    ),
    GoldenCase(
        title="the null partition is deleted by IS NULL",
        target=LETTERS,
        statement=DeleteRows("p IS NULL"),
        partition_by=BY_P,
        rows="(1, 'a'), (2, 'b'), (4, 'a'), (5, 'c')",
    ),
    GoldenCase(
        title="a partition list with a null deletes what it names",
        target=LETTERS,
        statement=DeleteRows("p IN ('b', NULL)"),
        partition_by=BY_P,
        rows="(1, 'a'), (3, NULL), (4, 'a'), (5, 'c')",
    ),
    GoldenCase(
        title="a delete by partition and data columns together",
        target=LETTERS,
        statement=DeleteRows("p = 'a' AND id > 1"),
        properties=CHANGE_FEED,
        partition_by=BY_P,
        rows="(1, 'a'), (2, 'b'), (3, NULL), (5, 'c')",
        change_rows="(4, 'a', 'delete')",
    ),
    GoldenCase(
        title="a delete by a partition column or a data column",
        target=LETTERS,
        statement=DeleteRows("p = 'a' OR id IN (3, 5)"),
        partition_by=BY_P,
        rows="(2, 'b')",
    ),
    GoldenCase(
        title="a delete by an expression over a partition column, in other letters",
        target=LETTERS,
        statement=DeleteRows("upper(P) = 'A' OR coalesce(`P`, 'none') = 'none'"),
        partition_by=BY_P,
        rows="(2, 'b'), (5, 'c')",
    ),
    GoldenCase(
        title="a partition that is not there deletes nothing",
        target=LETTERS,
        statement=DeleteRows("p = 'z'"),
        partition_by=BY_P,
        rows="(1, 'a'), (2, 'b'), (3, NULL), (4, 'a'), (5, 'c')",
        commits=False,
    ),
    GoldenCase(
        title="a delete that compares two partition columns",
        target=table("a INT, b INT, v STRING", "(1, 1, 'x'), (1, 2, 'y')", "(2, 2, 'z')"),
        statement=DeleteRows("a = b"),
        partition_by=("a", "b"),
        rows="(1, 2, 'y')",
    ),
    GoldenCase(
        title="a delete by partitions of dates, numbers and text to be escaped",
        target=table(
            "d DATE, s STRING, n DECIMAL(4,1), v INT",
            "(DATE'2026-01-01', 'a/b=c d%', 1.5, 1), (DATE'2026-01-02', 'ü:{}', -2.0, 2)",
            "(DATE'2026-01-03', 'x y', 0.0, 3)",
        ),
        statement=DeleteRows("d > DATE'2026-01-01' AND n < 0 OR s = 'a/b=c d%'"),
        partition_by=("d", "s", "n"),
        rows="(DATE'2026-01-03', 'x y', 0.0, 3)",
    ),
    GoldenCase(
        title="a delete by the base of a generated partition column",
        target=table("id INT, v DATE, y INT GENERATED ALWAYS AS (year(v))"),
        before=(
            "INSERT INTO {target} (id, v) VALUES (1, DATE'2025-01-01'), (2, DATE'2026-01-01'),"
            " (3, DATE'2026-06-01')",
        ),
        statement=DeleteRows("v >= DATE'2026-03-01'"),
        partition_by=("y",),
        rows="(1, DATE'2025-01-01', 2025), (2, DATE'2026-01-01', 2026)",
    ),
    GoldenCase(
        title="rows that stay when a partition goes keep their ids",
        target=LETTERS,
        statement=DeleteRows("p = 'a'"),
        properties=ROW_TRACKING,
        partition_by=BY_P,
        rows="(2, 'b'), (3, NULL), (5, 'c')",
    ),
    GoldenCase(
        title="a delete by a partition column with a dot in its name",
        target=table("id INT, `p.q` STRING", "(1, 'a'), (2, 'b')"),
        statement=DeleteRows("`p.q` = 'a'"),
        partition_by=("p.q",),
        rows="(2, 'b')",
    ),
)
