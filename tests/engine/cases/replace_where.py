"""replace_where: the rows that a predicate is true for give way to new ones."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, WriteRows, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (NULL, 'd')")
MIXED = table("id INT, p STRING", "(1, 'a'), (2, 'b'), (3, NULL)", "(4, 'a'), (5, 'b')")
BY_P = ("p",)
MISMATCH = "DELTA_REPLACE_WHERE_MISMATCH"


def where(predicate: str) -> WriteRows:
    return WriteRows(mode="overwrite", replace_where=predicate)


def refused(title: str, predicate: str, error: str) -> GoldenCase:
    return GoldenCase(
        title=title,
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x')"),
        partition_by=(),
        deletion_vectors=False,
        statement=where(predicate),
        error=error,
    )


CASES = (
    GoldenCase(
        title="replace_where replaces partitions",
        target=MIXED,
        source=table("id INT, p STRING", "(9, 'a')"),
        partition_by=BY_P,
        statement=where("p = 'a'"),
        rows="(2, 'b'), (3, NULL), (5, 'b'), (9, 'a')",
    ),
    GoldenCase(
        title="replace_where replaces the null partition",
        target=MIXED,
        source=table("id INT, p STRING", "(9, NULL)"),
        partition_by=BY_P,
        statement=where("p IS NULL"),
        rows="(1, 'a'), (2, 'b'), (4, 'a'), (5, 'b'), (9, NULL)",
    ),
    GoldenCase(
        title="replace_where replaces some rows of a partition",
        target=MIXED,
        source=table("id INT, p STRING", "(9, 'a'), (9, 'a')"),
        partition_by=BY_P,
        statement=where("p = 'a' AND id > 2"),
        rows="(1, 'a'), (2, 'b'), (3, NULL), (5, 'b'), (9, 'a'), (9, 'a')",
    ),
    GoldenCase(
        title="replace_where replaces a partition or some rows of others",
        target=MIXED,
        source=table("id INT, p STRING", "(9, 'a'), (5, 'c')"),
        statement=where("p = 'a' OR id = 5"),
        rows="(2, 'b'), (3, NULL), (5, 'c'), (9, 'a')",
    ),
    GoldenCase(
        title="replace_where keeps rows that the predicate is null for",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x')"),
        statement=where("id > 1"),
        rows="(1, 'a'), (7, 'x'), (NULL, 'd')",
    ),
    GoldenCase(
        title="a new row that the predicate is null for is refused",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x'), (NULL, 'y')"),
        statement=where("id > 1"),
        error=MISMATCH,
    ),
    GoldenCase(
        title="a new row in another partition than those replaced is refused",
        target=MIXED,
        source=table("id INT, p STRING", "(9, 'a'), (9, 'b')"),
        partition_by=BY_P,
        statement=where("p = 'a'"),
        error=MISMATCH,
    ),
    GoldenCase(
        title="a new row that lacks the predicate's column is refused",
        target=TARGET,
        source=table("v STRING", "('x')"),
        partition_by=(),
        statement=where("id > 1"),
        error=MISMATCH,
    ),
    GoldenCase(
        title="a predicate that is always false replaces nothing and refuses nothing",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x')"),
        statement=where("1 = 2"),
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (NULL, 'd'), (7, 'x')",
    ),
    GoldenCase(
        title="a predicate that is always true replaces everything",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x')"),
        statement=where("true"),
        rows="(7, 'x')",
    ),
    GoldenCase(
        title="a predicate that no row is true for lets the new rows in",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x')"),
        statement=where("id > 5"),
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (NULL, 'd'), (7, 'x')",
    ),
    GoldenCase(
        title="replace_where with no new rows deletes the rows",
        target=TARGET,
        source=table("id INT, v STRING"),
        statement=where("id >= 2"),
        rows="(1, 'a'), (NULL, 'd')",
    ),
    GoldenCase(
        title="replace_where with an empty Delta table deletes the partitions",
        target=MIXED,
        source=table("id INT, p STRING"),
        source_is_delta=True,
        partition_by=BY_P,
        statement=where("p IN ('a', 'b')"),
        rows="(3, NULL)",
    ),
    GoldenCase(
        title="replace_where with no new rows and none to replace commits nothing",
        target=TARGET,
        source=table("id INT, v STRING"),
        statement=where("id > 5"),
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (NULL, 'd')",
        commits=False,
    ),
    GoldenCase(
        title="replace_where replaces a whole file and leaves the others",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')"),
        source=table("id INT, v STRING", "(3, 'x')"),
        statement=where("id BETWEEN 3 AND 4"),
        rows="(1, 'a'), (2, 'b'), (3, 'x')",
    ),
    GoldenCase(
        title="replace_where takes a list of values",
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x'), (8, 'y')"),
        statement=where("id IN (2, 3, 8)"),
        rows="(1, 'a'), (2, 'x'), (8, 'y'), (NULL, 'd')",
    ),
    GoldenCase(
        title="replace_where takes a range of dates",
        target=table(
            "id INT, d DATE",
            "(1, DATE'2026-01-31'), (2, DATE'2026-02-01')",
            "(3, DATE'2026-02-28'), (4, DATE'2026-03-01'), (5, NULL)",
        ),
        source=table("d DATE, id INT", "(DATE'2026-02-14', 9)"),
        statement=where("d >= '2026-02-01' AND d < DATE'2026-03-01'"),
        rows="(1, DATE'2026-01-31'), (4, DATE'2026-03-01'), (5, NULL), (9, DATE'2026-02-14')",
    ),
    GoldenCase(
        title="replace_where takes a range of moments to the microsecond",
        target=table(
            "id INT, t TIMESTAMP",
            "(1, TIMESTAMP'2026-01-01 23:59:59.999999'), (2, TIMESTAMP'2026-01-02 00:00:00')",
            "(3, TIMESTAMP'2026-01-02 23:59:59.999999'), (4, TIMESTAMP'2026-01-03 00:00:00')",
        ),
        source=table("id INT, t TIMESTAMP", "(9, TIMESTAMP'2026-01-02 12:00:00')"),
        statement=where("t >= '2026-01-02 00:00:00' AND t < '2026-01-03 00:00:00'"),
        rows="(1, TIMESTAMP'2026-01-01 23:59:59.999999'), (4, TIMESTAMP'2026-01-03 00:00:00'),"
        " (9, TIMESTAMP'2026-01-02 12:00:00')",
    ),
    GoldenCase(
        title="replace_where calls functions of columns",
        target=table(
            "d DATE, v STRING",
            "(DATE'2025-05-05', 'a'), (DATE'2026-05-05', 'A')",
            "(DATE'2026-06-06', 'b')",
        ),
        source=table("d DATE, v STRING", "(DATE'2026-07-07', 'A')"),
        statement=where("year(d) = 2026 AND lower(v) LIKE 'a%'"),
        rows="(DATE'2025-05-05', 'a'), (DATE'2026-06-06', 'b'), (DATE'2026-07-07', 'A')",
    ),
    GoldenCase(
        title="replace_where reads a field of a struct",
        target=table(
            "id INT, s STRUCT<a: INT>",
            "(1, named_struct('a', 1)), (2, named_struct('a', 2))",
            "(3, NULL)",
        ),
        source=table("id INT, s STRUCT<a: INT>", "(9, named_struct('a', 2))"),
        statement=where("s.a = 2"),
        rows="(1, named_struct('a', 1)), (3, NULL), (9, named_struct('a', 2))",
    ),
    GoldenCase(
        title="replace_where reads a dotted column in backticks",
        target=table("`a.b` INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("`a.b` INT, v STRING", "(2, 'x')"),
        statement=where("`a.b` = 2"),
        rows="(1, 'a'), (2, 'x')",
    ),
    GoldenCase(
        title="replace_where names columns in any letters",
        target=table("Id INT, P STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, p STRING", "(9, 'b')"),
        statement=where("iD > 1 AND p = 'b'"),
        rows="(1, 'a'), (9, 'b')",
    ),
    GoldenCase(
        title="replace_where takes a boolean column alone",
        target=table("id INT, b BOOLEAN", "(1, true), (2, false), (3, NULL)"),
        source=table("id INT, b BOOLEAN", "(9, true)"),
        statement=where("b"),
        rows="(2, false), (3, NULL), (9, true)",
    ),
    GoldenCase(
        title="replace_where reads what a cast makes of the new rows",
        target=table("v STRING, n BIGINT, id INT", "('a', 1, 1), ('b', 2, 2)"),
        source=table("v STRING, n INT, id BIGINT", "('x', 2, 2)"),
        statement=where("n = 2"),
        rows="('a', 1, 1), ('x', 2, 2)",
        native_fails_with="Failed to merge",
    ),
    GoldenCase(
        title="replace_where adds to the vectors that are there",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')"),
        before=("DELETE FROM {target} WHERE id = 1",),
        source=table("id INT, v STRING", "(2, 'x')"),
        statement=where("id <= 2"),
        rows="(2, 'x'), (3, 'c')",
    ),
    GoldenCase(
        title="replace_where on partitions is in the change feed",
        target=MIXED,
        source=table("id INT, p STRING", "(4, 'a')"),
        partition_by=BY_P,
        properties=CHANGE_FEED,
        statement=where("p = 'a'"),
        rows="(2, 'b'), (3, NULL), (4, 'a'), (5, 'b')",
        change_rows="(1, 'a', 'delete'), (4, 'a', 'delete'), (4, 'a', 'insert')",
    ),
    GoldenCase(
        title="the change feed of replace_where without new rows has the deleted ones",
        target=TARGET,
        source=table("id INT, v STRING"),
        properties=CHANGE_FEED,
        statement=where("id = 2"),
        rows="(1, 'a'), (3, 'c'), (NULL, 'd')",
        change_rows="(2, 'b', 'delete')",
    ),
    GoldenCase(
        title="the change feed of replace_where that replaces nothing has the new rows",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x')"),
        properties=CHANGE_FEED,
        statement=where("id > 5"),
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (NULL, 'd'), (7, 'x')",
        change_rows="(7, 'x', 'insert')",
    ),
    refused("replace_where that is no SQL", "id >", "PARSE_SYNTAX_ERROR"),
    refused("replace_where on an unknown column", "gone > 1", "UNRESOLVED_COLUMN.WITH_SUGGESTION"),
    refused(
        "replace_where with a subquery",
        "id IN (SELECT max(id) FROM merge_source)",
        "DELTA_UNSUPPORTED_SUBQUERY",
    ),
    refused(
        "replace_where with a random value",
        "id > 1 AND rand() < 0.5",
        "INVALID_NON_DETERMINISTIC_EXPRESSIONS",
    ),
    refused("replace_where with an aggregate", "max(id) > 1", "UNSUPPORTED_EXPR_FOR_OPERATOR"),
)
