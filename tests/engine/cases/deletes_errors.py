"""DELETE that is refused, or that fails: the table stays as it is."""

from __future__ import annotations

from golden import DeleteRows, GoldenCase, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")
OTHERS = table("id INT, w STRING", "(1, 'a')")


def refused(title: str, error: str, condition: str) -> GoldenCase:
    return GoldenCase(
        title=title,
        target=TARGET,
        source=OTHERS,
        partition_by=(),
        deletion_vectors=True,
        statement=DeleteRows(condition),
        error=error,
    )


CASES = (
    refused(
        "a delete by a column that the table does not have",
        "UNRESOLVED_COLUMN.WITH_SUGGESTION",
        "gone = 1",
    ),
    refused(
        "a delete by a list from a subquery",
        "DELTA_UNSUPPORTED_SUBQUERY",
        "id IN (SELECT id FROM merge_source)",
    ),
    refused(
        "a delete by a value from a subquery",
        "DELTA_UNSUPPORTED_SUBQUERY",
        "id = (SELECT max(id) FROM merge_source)",
    ),
    refused(
        "a delete by whether another table has rows",
        "DELTA_UNSUPPORTED_SUBQUERY",
        "EXISTS (SELECT 1 FROM merge_source WHERE w = v)",
    ),
    refused("a delete by an aggregate", "UNSUPPORTED_EXPR_FOR_OPERATOR", "max(id) > 1"),
    refused(
        "a delete by a window function",
        "UNSUPPORTED_EXPR_FOR_OPERATOR",
        "row_number() OVER (ORDER BY id) = 1",
    ),
    refused("a delete by a random value", "INVALID_NON_DETERMINISTIC_EXPRESSIONS", "rand() < 0.5"),
    refused("a delete by a number", "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "id"),
    refused("a delete by a null of no type", "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "NULL"),
    refused("a delete with more text after its condition", "PARSE_SYNTAX_ERROR", "id = 1 LIMIT 1"),
    GoldenCase(
        title="a delete whose condition fails on one row",
        target=TARGET,
        statement=DeleteRows("if(id = 3, raise_error('broken row'), id = 1)"),
        error="USER_RAISED_EXCEPTION",
    ),
    GoldenCase(
        title="a delete that casts text that is no number",
        target=TARGET,
        statement=DeleteRows("CAST(v AS INT) = 1"),
        partition_by=(),
        error="CAST_INVALID_INPUT",
    ),
    GoldenCase(
        title="a table for appends only refuses deletes",
        target=TARGET,
        properties=(("delta.appendOnly", "true"),),
        statement=DeleteRows("id = 1"),
        error="DELTA_CANNOT_MODIFY_APPEND_ONLY",
    ),
    GoldenCase(
        title="a table for appends only refuses deletes that match nothing",
        target=TARGET,
        properties=(("delta.appendOnly", "true"),),
        statement=DeleteRows("id = 9"),
        error="DELTA_CANNOT_MODIFY_APPEND_ONLY",
    ),
)
