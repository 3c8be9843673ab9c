"""UPDATE that is refused, or that fails: the table stays as it is."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, GoldenCase, UpdateRows, table, update

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")
OTHERS = table("id INT, w STRING", "(1, 'a')")
UNKNOWN = "UNRESOLVED_COLUMN.WITH_SUGGESTION"
SUBQUERY = "DELTA_UNSUPPORTED_SUBQUERY"
PREDICATE = "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.UNSUPPORTED_IN_EXISTS_SUBQUERY"
OPERATOR = "UNSUPPORTED_EXPR_FOR_OPERATOR"
RANDOM = "INVALID_NON_DETERMINISTIC_EXPRESSIONS"


def refused(title: str, error: str, change: UpdateRows) -> GoldenCase:
    return GoldenCase(
        title=title,
        target=TARGET,
        source=OTHERS,
        partition_by=(),
        deletion_vectors=True,
        statement=change,
        error=error,
    )


CASES = (
    refused("an update of a column that the table does not have", UNKNOWN, update(gone="1")),
    refused("an update to a column that the table does not have", UNKNOWN, update(v="gone")),
    refused("an update by a column that the table does not have", UNKNOWN, update("gone", v="v")),
    refused(
        "an update of one column twice, in other letters",
        "DELTA_CONFLICT_SET_COLUMN",
        update(v="'x'", V="'y'"),
    ),
    refused(
        "an update by a list from a subquery",
        SUBQUERY,
        update("id IN (SELECT id FROM merge_source)", v="'x'"),
    ),
    refused(
        "an update by whether another table has rows",
        SUBQUERY,
        update("EXISTS (SELECT 1 FROM merge_source WHERE w = v)", v="'x'"),
    ),
    refused(
        "an update to a value from a correlated subquery",
        "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.UNSUPPORTED_CORRELATED_SCALAR_SUBQUERY",
        update(v="(SELECT max(w) FROM merge_source o WHERE o.w = v)"),
    ),
    refused(
        "an update by what a list from a subquery does not have",
        SUBQUERY,
        update("id NOT IN (SELECT id FROM merge_source)", v="'x'"),
    ),
    refused(
        "an update to whether another table has rows",
        PREDICATE,
        update(v="CASE WHEN EXISTS (SELECT 1 FROM merge_source WHERE w = v) THEN 'x' END"),
    ),
    refused(
        "an update to whether a list from a subquery has it",
        PREDICATE,
        update(v="CASE WHEN id NOT IN (SELECT id FROM merge_source) THEN 'x' END"),
    ),
    GoldenCase(
        title="an update to the largest value of its own table, with both images",
        target=TARGET,
        statement=update(
            "id <> 2", v="concat(v, (SELECT max(v) FROM golden_maximum))", id="id * 10"
        ),
        name="golden_maximum",
        rows="(10, 'ac'), (2, 'b'), (30, 'cc')",
        change_rows="(1, 'a', 'update_preimage'), (10, 'ac', 'update_postimage'),"
        " (3, 'c', 'update_preimage'), (30, 'cc', 'update_postimage')",
        properties=(*CHANGE_FEED, *ROW_TRACKING),
    ),
    GoldenCase(
        title="an update to a value from a subquery of its own",
        target=TARGET,
        source=OTHERS,
        statement=update("id > 1", v="(SELECT max(w) FROM merge_source)"),
        rows="(1, 'a'), (2, 'a'), (3, 'a')",
    ),
    refused("an update by a random value", RANDOM, update("rand() < 0.5", v="'x'")),
    refused("an update to a random value", RANDOM, update(id="rand() * 10")),
    refused("an update by an aggregate", OPERATOR, update("max(id) > 1", v="'x'")),
    refused("an update to an aggregate", OPERATOR, update(id="max(id)")),
    refused(
        "an update to a window function",
        OPERATOR,
        update(id="row_number() OVER (ORDER BY v)"),
    ),
    refused(
        "an update by a null of no type",
        "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN",
        update("NULL", v="'x'"),
    ),
    refused("an update by a number", "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", update("id", v="'x'")),
    GoldenCase(
        title="an update whose condition fails on one row",
        target=TARGET,
        statement=update("if(id = 3, raise_error('broken row'), id = 1)", v="'x'"),
        error="USER_RAISED_EXCEPTION",
    ),
    GoldenCase(
        title="an update whose value fails on one row",
        target=TARGET,
        statement=update(v="if(id = 3, raise_error('broken value'), 'x')"),
        error="USER_RAISED_EXCEPTION",
    ),
    GoldenCase(
        title="an update whose value fails on a row that is not chosen",
        target=TARGET,
        statement=update("id < 3", v="if(id = 3, raise_error('broken value'), 'x')"),
        rows="(1, 'x'), (2, 'x'), (3, 'c')",
    ),
    GoldenCase(
        title="a division by zero in an update fails",
        target=table("id INT, n DOUBLE", "(1, 2.0D), (2, 0.0D)"),
        statement=update(n="id / n"),
        error="DIVIDE_BY_ZERO",
    ),
    GoldenCase(
        title="a table for appends only refuses updates of rows",
        target=TARGET,
        properties=(("delta.appendOnly", "true"),),
        statement=update("id = 1", v="'x'"),
        error="DELTA_CANNOT_MODIFY_APPEND_ONLY",
    ),
    GoldenCase(
        title="a table for appends only refuses updates that match nothing",
        target=TARGET,
        properties=(("delta.appendOnly", "true"),),
        statement=update("id = 9", v="'x'"),
        error="DELTA_CANNOT_MODIFY_APPEND_ONLY",
    ),
)
