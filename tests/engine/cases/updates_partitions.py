"""UPDATE by partition columns, and of them: rows move."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, GoldenCase, table, update

BY_P = ("p",)
LETTERS = table("id INT, p STRING", "(1, 'a'), (2, 'b'), (3, NULL)", "(4, 'a'), (5, 'c')")

CASES = (
    GoldenCase(
        title="an update by a partition column alone sets the whole partition",
        target=LETTERS,
        statement=update("p = 'a'", id="id * 10"),
        partition_by=BY_P,
        rows="(10, 'a'), (2, 'b'), (3, NULL), (40, 'a'), (5, 'c')",
    ),
    GoldenCase(
        title="the change feed has both images of a partition that is updated whole",
        target=LETTERS,
        before=("DELETE FROM {target} WHERE id = 4",),
        statement=update("p IN ('a', NULL, 'c')", id="id * 10"),
        properties=CHANGE_FEED,
        partition_by=BY_P,
        rows="(10, 'a'), (2, 'b'), (3, NULL), (50, 'c')",
        change_rows="(1, 'a', 'update_preimage'), (10, 'a', 'update_postimage'),"
        " (5, 'c', 'update_preimage'), (50, 'c', 'update_postimage')",
    ),
    GoldenCase(
        title="an update of the null partition",
        target=LETTERS,
        statement=update("p IS NULL", id="id * 10"),
        partition_by=BY_P,
        rows="(1, 'a'), (2, 'b'), (30, NULL), (4, 'a'), (5, 'c')",
    ),
    GoldenCase(
        title="an update by partition and data columns together",
        target=LETTERS,
        statement=update("p = 'a' AND id > 1 OR P <=> NULL", id="id * 10"),
        partition_by=BY_P,
        rows="(1, 'a'), (2, 'b'), (30, NULL), (40, 'a'), (5, 'c')",
    ),
    GoldenCase(
        title="an updated partition column moves rows, to the null partition and out of it",
        target=LETTERS,
        statement=update("id > 1", p="CASE p WHEN 'a' THEN 'new' WHEN 'b' THEN NULL ELSE 'a' END"),
        partition_by=BY_P,
        rows="(1, 'a'), (2, NULL), (3, 'a'), (4, 'new'), (5, 'a')",
    ),
    GoldenCase(
        title="a whole partition moves into another",
        target=LETTERS,
        statement=update("p = 'a'", p="'b'"),
        properties=CHANGE_FEED,
        partition_by=BY_P,
        rows="(1, 'b'), (2, 'b'), (3, NULL), (4, 'b'), (5, 'c')",
        change_rows="(1, 'a', 'update_preimage'), (1, 'b', 'update_postimage'),"
        " (4, 'a', 'update_preimage'), (4, 'b', 'update_postimage')",
    ),
    GoldenCase(
        title="rows that an update moves to another partition keep their ids",
        target=LETTERS,
        statement=update("p = 'a' AND id < 4 OR id = 5", p="'b'"),
        properties=ROW_TRACKING,
        partition_by=BY_P,
        rows="(1, 'b'), (2, 'b'), (3, NULL), (4, 'a'), (5, 'b')",
    ),
    GoldenCase(
        title="a partition column and a data column swap",
        target=table("a INT, p INT", "(1, 10), (2, 20)", "(3, NULL)"),
        statement=update(a="p", p="a"),
        partition_by=BY_P,
        rows="(10, 1), (20, 2), (NULL, 3)",
    ),
    GoldenCase(
        title="an update to an empty text in a partition column comes back as null",
        target=LETTERS,
        statement=update("id = 1", p="''"),
        partition_by=BY_P,
        rows="(1, NULL), (2, 'b'), (3, NULL), (4, 'a'), (5, 'c')",
    ),
    GoldenCase(
        title="an update of partitions of dates and of text to be escaped",
        target=table(
            "d DATE, s STRING, v INT",
            "(DATE'2026-01-01', 'a/b=c d%', 1), (DATE'2026-01-02', 'ü:{}', 2)",
        ),
        statement=update("s LIKE 'a/b=%'", d="date_add(d, v)", s="concat(s, '\\'\"#')"),
        partition_by=("d", "s"),
        rows="(DATE'2026-01-02', 'a/b=c d%\\'\"#', 1), (DATE'2026-01-02', 'ü:{}', 2)",
    ),
    GoldenCase(
        title="an update of the base of a generated partition column moves its rows",
        target=table("id INT, v DATE, y INT GENERATED ALWAYS AS (year(v))"),
        before=(
            "INSERT INTO {target} (id, v) VALUES (1, DATE'2025-01-01'), (2, DATE'2026-01-01'),"
            " (3, DATE'2026-06-01')",
        ),
        statement=update("y = 2026 AND id = 2", v="DATE'2027-01-01'"),
        partition_by=("y",),
        rows="(1, DATE'2025-01-01', 2025), (2, DATE'2027-01-01', 2027),"
        " (3, DATE'2026-06-01', 2026)",
    ),
    GoldenCase(
        title="a partition that is not there updates nothing",
        target=LETTERS,
        statement=update("p = 'z'", id="0"),
        partition_by=BY_P,
        rows="(1, 'a'), (2, 'b'), (3, NULL), (4, 'a'), (5, 'c')",
        commits=False,
    ),
)
