"""DELETE by EXISTS, which Delta allows where its conf says so."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, DeleteRows, GoldenCase, WriteRows, table

ALLOWED = (("spark.databricks.delta.delete.allowExistsSubquery", "true"),)
SUBQUERY = "DELTA_UNSUPPORTED_SUBQUERY"
FILES = ("(1, 'a', 1), (2, 'b', 1)", "(3, 'c', 2), (NULL, NULL, 2)", "(5, 'e', 3)")
TARGET = table("id INT, v STRING, p INT", *FILES)
OTHERS = table("other INT, w STRING", "(1, 'x'), (2, 'b'), (5, 'e'), (NULL, NULL)")


def deleted(title: str, condition: str, rows: str, change_rows: str | None = None) -> GoldenCase:
    return GoldenCase(
        title=title,
        target=TARGET,
        source=OTHERS,
        statement=DeleteRows(condition),
        rows=rows,
        change_rows=change_rows,
        properties=() if change_rows is None else CHANGE_FEED,
        conf=ALLOWED,
    )


def refused(title: str, statement: DeleteRows | WriteRows) -> GoldenCase:
    return GoldenCase(
        title=title,
        target=TARGET,
        source=table("id INT, v STRING, p INT", "(1, 'b', 1)"),
        statement=statement,
        partition_by=(),
        conf=ALLOWED,
        error=SUBQUERY,
    )


CASES = (
    deleted(
        "a delete by rows that exist elsewhere",
        "EXISTS (SELECT 1 FROM merge_source WHERE w = v)",
        "(1, 'a', 1), (3, 'c', 2), (NULL, NULL, 2)",
    ),
    deleted(
        "the change feed of a delete by rows that exist elsewhere",
        "EXISTS (SELECT 1 FROM merge_source WHERE w = v)",
        "(1, 'a', 1), (3, 'c', 2), (NULL, NULL, 2)",
        "(2, 'b', 1, 'delete'), (5, 'e', 3, 'delete')",
    ),
    deleted(
        "the change feed of a delete by rows that do not exist elsewhere",
        "NOT EXISTS (SELECT 1 FROM merge_source WHERE w <=> v AND id <=> other)",
        "(2, 'b', 1), (NULL, NULL, 2), (5, 'e', 3)",
        "(1, 'a', 1, 'delete'), (3, 'c', 2, 'delete')",
    ),
    deleted(
        "the change feed of a delete by rows that exist, or by more",
        "EXISTS (SELECT 1 FROM merge_source WHERE w = v AND other > p) OR id = 3",
        "(1, 'a', 1), (NULL, NULL, 2)",
        "(2, 'b', 1, 'delete'), (3, 'c', 2, 'delete'), (5, 'e', 3, 'delete')",
    ),
    deleted(
        "the change feed of a delete by one subquery within another, and by two",
        "EXISTS (SELECT 1 FROM merge_source o WHERE o.other = id AND EXISTS"
        " (SELECT 1 FROM merge_source i WHERE i.w = o.w AND i.other > 1))"
        " AND NOT EXISTS (SELECT 1 FROM merge_source n WHERE n.other = p)",
        "(1, 'a', 1), (2, 'b', 1), (3, 'c', 2), (NULL, NULL, 2)",
        "(5, 'e', 3, 'delete')",
    ),
    GoldenCase(
        title="the change feed of a delete by rows of the same table",
        target=TARGET,
        statement=DeleteRows(
            "EXISTS (SELECT 1 FROM golden_subquery o WHERE o.p = golden_subquery.p"
            " AND o.v > golden_subquery.v)"
        ),
        name="golden_subquery",
        rows="(2, 'b', 1), (3, 'c', 2), (NULL, NULL, 2), (5, 'e', 3)",
        change_rows="(1, 'a', 1, 'delete')",
        properties=(*CHANGE_FEED, *ROW_TRACKING),
        conf=ALLOWED,
    ),
    deleted(
        "the change feed of a delete by whether another table has rows at all",
        "id < 3 AND EXISTS (SELECT 1 FROM merge_source WHERE w = 'x')",
        "(3, 'c', 2), (NULL, NULL, 2), (5, 'e', 3)",
        "(1, 'a', 1, 'delete'), (2, 'b', 1, 'delete')",
    ),
    refused(
        "EXISTS beside a list from a subquery is refused",
        DeleteRows(
            "EXISTS (SELECT 1 FROM merge_source o WHERE o.v = p)"
            " AND id NOT IN (SELECT id FROM merge_source)"
        ),
    ),
    refused(
        "a write that replaces by EXISTS is refused also where deletes by it are not",
        WriteRows(
            mode="overwrite",
            replace_where="EXISTS (SELECT 1 FROM merge_source o WHERE o.v > 'a' AND p = 1)",
        ),
    ),
)
