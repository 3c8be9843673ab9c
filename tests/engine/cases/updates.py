"""UPDATE: which rows change, and to what."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, GoldenCase, UpdateRows, table, update

CASES = (
    GoldenCase(
        title="an update sets the rows that the condition is true for",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, NULL)", "(4, 'd')"),
        statement=update("v > 'a'", v="concat(v, id)"),
        rows="(1, 'a'), (2, 'b2'), (3, NULL), (4, 'd4')",
    ),
    GoldenCase(
        title="an update without a condition sets every row",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=update(id="id * 10"),
        rows="(10, 'a'), (20, 'b'), (30, 'c')",
    ),
    GoldenCase(
        title="an update that matches nothing commits nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        statement=update("id = 9", v="'z'"),
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="the change feed has both images of an updated row",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=update("id >= 2", v="'z'"),
        rows="(1, 'a'), (2, 'z'), (3, 'z')",
        change_rows="(2, 'b', 'update_preimage'), (2, 'z', 'update_postimage'),"
        " (3, 'c', 'update_preimage'), (3, 'z', 'update_postimage')",
        properties=CHANGE_FEED,
    ),
    GoldenCase(
        title="updated rows keep their ids",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')"),
        statement=update("id = 2 OR id = 3", v="'z'"),
        rows="(1, 'a'), (2, 'z'), (3, 'z'), (4, 'd')",
        properties=ROW_TRACKING,
    ),
    GoldenCase(
        title="rows that an update's condition is null for stay",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, NULL)"),
        statement=update("NOT (v = 'b')", id="id * 10"),
        rows="(10, 'a'), (2, 'b'), (3, NULL)",
    ),
    GoldenCase(
        title="an update of a list with a null sets what it names",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(NULL, 'c')"),
        statement=update("id IN (2, NULL)", v="NULL"),
        rows="(1, 'a'), (2, NULL), (NULL, 'c')",
    ),
    GoldenCase(
        title="an update finds nulls by <=> and fills them",
        target=table("id INT, n INT", "(1, 10), (2, NULL)", "(3, NULL), (4, NULL)"),
        statement=update("n <=> NULL AND id < 4", n="id * 10"),
        rows="(1, 10), (2, 20), (3, 30), (4, NULL)",
    ),
    GoldenCase(
        title="an update where true sets every row",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=update("true", v="upper(v)"),
        rows="(1, 'A'), (2, 'B'), (3, 'C')",
    ),
    GoldenCase(
        title="an update where false commits nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        statement=update("1 > 2", v="'z'"),
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="an update where null commits nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        statement=update("CAST(NULL AS BOOLEAN)", v="'z'"),
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="an update of a table without rows commits nothing",
        target=table("id INT, v STRING"),
        statement=update("id = 1", v="'z'"),
        commits=False,
    ),
    GoldenCase(
        title="an update of every row of a table without rows commits nothing",
        target=table("id INT, v STRING"),
        statement=update(v="'z'"),
        commits=False,
    ),
    GoldenCase(
        title="columns swap their values",
        target=table("a INT, b INT, c STRING", "(1, 2, 'x'), (3, NULL, 'y')", "(5, 6, 'z')"),
        statement=update("a < 5", a="b", b="a", c="concat(a, c, b)"),
        rows="(2, 1, '1x2'), (NULL, 3, NULL), (5, 6, 'z')",
    ),
    GoldenCase(
        title="an update may make its own condition false, and true",
        target=table("id INT, n INT", "(1, 1), (2, 2)", "(3, 3)"),
        statement=update("n >= 2", n="n - 2"),
        rows="(1, 1), (2, 0), (3, 1)",
    ),
    GoldenCase(
        title="an update of a column to itself commits, with both images",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=update("id > 1", v="v"),
        rows="(1, 'a'), (2, 'b'), (3, 'c')",
        change_rows="(2, 'b', 'update_preimage'), (2, 'b', 'update_postimage'),"
        " (3, 'c', 'update_preimage'), (3, 'c', 'update_postimage')",
        properties=CHANGE_FEED,
    ),
    GoldenCase(
        title="equal rows are updated together",
        target=table("id INT, v STRING", "(1, 'a'), (1, 'a'), (2, 'b')", "(1, 'a')"),
        statement=update("id = 1", v="'z'"),
        rows="(1, 'z'), (1, 'z'), (2, 'b'), (1, 'z')",
    ),
    GoldenCase(
        title="an update of all rows of one file, some of another, none of a third",
        target=table("id INT, n INT", "(1, 0), (2, 0)", "(3, 0), (4, 0)", "(5, 0)"),
        statement=update("id IN (1, 2, 3)", n="id"),
        rows="(1, 1), (2, 2), (3, 3), (4, 0), (5, 0)",
    ),
    GoldenCase(
        title="columns are named in other letters, and by the table",
        target=table("Id INT, Value STRING", "(1, 'a'), (2, 'b')"),
        statement=UpdateRows((("`VALUE`", "concat(vALUE, ID)"),), "iD = 2"),
        rows="(1, 'a'), (2, 'b2')",
    ),
)
