"""replace_using and replace_on: the rows that match a new one give way to all new ones."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, WriteRows, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (NULL, 'd')")
ALL = "(1, 'a'), (2, 'b'), (3, 'c'), (NULL, 'd')"
NAMED = table("`the id` INT, `a.b` STRING, v INT", "(1, 'a', 1), (2, 'b', 2), (2, 'c', 3)")
BY_NAME = (("delta.columnMapping.mode", "name"),)


def using(*columns: str) -> WriteRows:
    return WriteRows(mode="overwrite", replace_using=columns)


def on(condition: str) -> WriteRows:
    return WriteRows(mode="overwrite", replace_on=condition, target_alias="t", source_alias="s")


def refused(
    title: str, statement: WriteRows, error: str, properties: tuple[tuple[str, str], ...] = ()
) -> GoldenCase:
    return GoldenCase(
        title=title,
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x')"),
        properties=properties,
        partition_by=(),
        deletion_vectors=False,
        statement=statement,
        error=error,
    )


CASES = (
    GoldenCase(
        title="replace_using compares several columns",
        target=table("id INT, n INT, v STRING", "(1, 1, 'a'), (1, 2, 'b')", "(2, 1, 'c')"),
        source=table("v STRING, n INT, id INT", "('x', 2, 1), ('y', 2, 2)"),
        statement=using("id", "n"),
        rows="(1, 1, 'a'), (1, 2, 'x'), (2, 1, 'c'), (2, 2, 'y')",
    ),
    GoldenCase(
        title="replace_using keeps rows with a null in one of its columns",
        target=table("id INT, n INT, v STRING", "(1, NULL, 'a'), (1, 2, 'b'), (NULL, 2, 'c')"),
        source=table("id INT, n INT, v STRING", "(1, NULL, 'x'), (1, 2, 'y'), (NULL, 2, 'z')"),
        statement=using("id", "n"),
        rows="(1, NULL, 'a'), (NULL, 2, 'c'), (1, NULL, 'x'), (1, 2, 'y'), (NULL, 2, 'z')",
    ),
    GoldenCase(
        title="replace_using takes a column twice",
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x')"),
        statement=using("id", "ID"),
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (NULL, 'd')",
    ),
    GoldenCase(
        title="replace_using of the partition column replaces partitions",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'b')", "(3, 'b'), (4, NULL)"),
        source=table("id INT, p STRING", "(7, 'b'), (8, 'c'), (9, NULL)"),
        partition_by=("p",),
        statement=using("p"),
        rows="(1, 'a'), (4, NULL), (7, 'b'), (8, 'c'), (9, NULL)",
    ),
    GoldenCase(
        title="replace_using of the partition column and another replaces rows of partitions",
        target=table("id INT, p STRING, v INT", "(1, 'a', 1), (1, 'b', 2)", "(2, 'b', 3)"),
        source=table("id INT, p STRING, v INT", "(1, 'b', 20), (2, 'a', 30)"),
        partition_by=("p",),
        statement=using("p", "id"),
        rows="(1, 'a', 1), (2, 'b', 3), (1, 'b', 20), (2, 'a', 30)",
    ),
    GoldenCase(
        title="replace_using by no rows replaces nothing",
        target=TARGET,
        source=table("id INT, v STRING"),
        statement=using("id"),
        rows=ALL,
        commits=False,
    ),
    GoldenCase(
        title="replace_using adds rows that match nothing",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x'), (7, 'x')"),
        statement=using("id"),
        rows=f"{ALL}, (7, 'x'), (7, 'x')",
    ),
    GoldenCase(
        title="one new row replaces several in different files",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(2, 'c'), (3, 'd')", "(2, 'e')"),
        source=table("id INT, v STRING", "(2, 'x')"),
        statement=using("id"),
        rows="(1, 'a'), (2, 'x'), (3, 'd')",
    ),
    GoldenCase(
        title="replace_using takes names with spaces and dots as they are",
        target=NAMED,
        source=table("`the id` INT, `a.b` STRING, v INT", "(2, 'b', 20)"),
        properties=BY_NAME,
        partition_by=(),
        statement=using("the id", "a.b"),
        rows="(1, 'a', 1), (2, 'b', 20), (2, 'c', 3)",
        native_fails_with="PARSE_SYNTAX_ERROR",
    ),
    GoldenCase(
        title="replace_using leaves columns that the source lacks null",
        target=table("id INT, v STRING, n INT", "(1, 'a', 1), (2, 'b', 2)"),
        source=table("id INT, n INT", "(2, 20)"),
        statement=using("id"),
        rows="(1, 'a', 1), (2, NULL, 20)",
    ),
    GoldenCase(
        title="replace_using finds numbers by their value",
        target=table("d DOUBLE, v STRING", "(double('NaN'), 'a'), (0.0D, 'b'), (1.0D, 'c')"),
        source=table("d DOUBLE, v STRING", "(double('NaN'), 'x'), (-0.0D, 'y')"),
        statement=using("d"),
        rows="(1.0D, 'c'), (double('NaN'), 'x'), (-0.0D, 'y')",
    ),
    GoldenCase(
        title="replace_using adds to the vectors that are there",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')"),
        before=("DELETE FROM {target} WHERE id = 1",),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        statement=using("id"),
        rows="(1, 'x'), (2, 'y'), (3, 'c')",
    ),
    GoldenCase(
        title="the change feed of replace_using has each replaced row once",
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x'), (2, 'y'), (NULL, 'z')"),
        properties=CHANGE_FEED,
        statement=using("id"),
        rows="(1, 'a'), (2, 'x'), (2, 'y'), (3, 'c'), (NULL, 'd'), (NULL, 'z')",
        change_rows="(2, 'b', 'delete'), (2, 'x', 'insert'), (2, 'y', 'insert'),"
        " (NULL, 'z', 'insert')",
    ),
    GoldenCase(
        title="the change feed of replace_using that replaces nothing has the new rows",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x')"),
        properties=CHANGE_FEED,
        statement=using("id"),
        rows=f"{ALL}, (7, 'x')",
        change_rows="(7, 'x', 'insert')",
    ),
    GoldenCase(
        title="replace_on takes a range around each new row",
        target=table("id INT, v STRING", "(1, 'a'), (9, 'b'), (10, 'c')", "(19, 'd'), (20, 'e')"),
        source=table("id INT, v STRING", "(10, 'x')"),
        statement=on("t.id >= s.id AND t.id < s.id + 10"),
        rows="(1, 'a'), (9, 'b'), (20, 'e'), (10, 'x')",
    ),
    GoldenCase(
        title="replace_on with a true condition on the new rows alone replaces everything",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x'), (8, 'y')"),
        statement=on("s.id = 8"),
        rows="(7, 'x'), (8, 'y')",
    ),
    GoldenCase(
        title="replace_on with a false condition on the new rows alone replaces nothing",
        target=TARGET,
        source=table("id INT, v STRING", "(7, 'x')"),
        statement=on("s.id = 8"),
        rows=f"{ALL}, (7, 'x')",
    ),
    GoldenCase(
        title="replace_on with a condition on the old rows alone",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement=on("t.id >= 2"),
        rows="(1, 'a'), (NULL, 'd'), (1, 'x')",
    ),
    GoldenCase(
        title="replace_on with a condition on the old rows alone, and no new ones",
        target=TARGET,
        source=table("id INT, v STRING"),
        statement=on("t.id >= 2"),
        rows=ALL,
        commits=False,
    ),
    GoldenCase(
        title="replace_on keeps matches that a condition on the old rows leaves out",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        statement=on("t.id = s.id AND t.v = 'b'"),
        rows="(1, 'a'), (3, 'c'), (NULL, 'd'), (1, 'x'), (2, 'y')",
    ),
    GoldenCase(
        title="replace_on takes either of two equalities",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'c'), (NULL, 'd')"),
        statement=on("t.id = s.id OR t.v = s.v"),
        rows="(2, 'b'), (1, 'c'), (NULL, 'd')",
    ),
    GoldenCase(
        title="replace_on takes a row that matches several new ones once",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (1, 'y'), (0, 'z')"),
        properties=CHANGE_FEED,
        statement=on("t.id > s.id AND t.v < 'c'"),
        rows="(3, 'c'), (NULL, 'd'), (1, 'x'), (1, 'y'), (0, 'z')",
        change_rows="(1, 'a', 'delete'), (2, 'b', 'delete'), (0, 'z', 'insert'),"
        " (1, 'x', 'insert'), (1, 'y', 'insert')",
    ),
    GoldenCase(
        title="replace_on compares null keys of several columns",
        target=table("id INT, n INT, v STRING", "(1, NULL, 'a'), (1, 1, 'b')", "(NULL, NULL, 'c')"),
        source=table("id INT, n INT, v STRING", "(1, NULL, 'x'), (NULL, NULL, 'y')"),
        statement=on("t.id <=> s.id AND t.n <=> s.n"),
        rows="(1, 1, 'b'), (1, NULL, 'x'), (NULL, NULL, 'y')",
    ),
    GoldenCase(
        title="replace_on compares fields of structs and values of functions",
        target=table(
            "id INT, st STRUCT<a: STRING>",
            "(1, named_struct('a', 'x')), (2, named_struct('a', 'y'))",
            "(3, NULL)",
        ),
        source=table("id INT, st STRUCT<a: STRING>", "(7, named_struct('a', 'X'))"),
        statement=on("t.st.a = lower(s.st.a)"),
        rows="(2, named_struct('a', 'y')), (3, NULL), (7, named_struct('a', 'X'))",
    ),
    GoldenCase(
        title="replace_on reads a column that only the table has without an alias",
        target=table("id INT, n INT, v STRING", "(1, 1, 'a'), (2, 2, 'b')"),
        source=table("id INT, v STRING", "(2, 'x')"),
        statement=on("n = s.id"),
        rows="(1, 1, 'a'), (2, NULL, 'x')",
    ),
    refused(
        "replace_using of a column that the table does not have",
        using("gone"),
        "UNRESOLVED_INSERT_REPLACE_USING_COLUMN",
    ),
    GoldenCase(
        title="replace_using of a column that the source does not have",
        target=TARGET,
        source=table("v STRING", "('x')"),
        partition_by=(),
        deletion_vectors=False,
        statement=using("id"),
        error="UNRESOLVED_INSERT_REPLACE_USING_COLUMN",
    ),
    refused(
        "replace_on with a column that neither side has",
        on("t.id = s.gone"),
        "DELTA_INSERT_REPLACE_ON_UNRESOLVED_COLUMNS_IN_CONDITION",
    ),
    refused(
        "replace_on with a column of both sides",
        on("id = s.id"),
        "DELTA_INSERT_REPLACE_ON_AMBIGUOUS_COLUMNS_IN_CONDITION",
    ),
    refused(
        "replace_on with a column of both sides, in the feed",
        on("id = s.id"),
        "DELTA_INSERT_REPLACE_ON_AMBIGUOUS_COLUMNS_IN_CONDITION",
        CHANGE_FEED,
    ),
    refused("replace_on that is no SQL", on("t.id ="), "PARSE_SYNTAX_ERROR"),
    refused(
        "replace_on that closes what it did not open",
        on("t.id = s.id) OR (true"),
        "PARSE_SYNTAX_ERROR",
    ),
    refused(
        "replace_on that leaves a comment open",
        on("t.id = s.id /* why"),
        "UNCLOSED_BRACKETED_COMMENT",
    ),
)
