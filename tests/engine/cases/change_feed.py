"""The change data feed: what readers of changes get."""

from __future__ import annotations

from golden import ANY_ROUTE, CHANGE_FEED, GoldenCase, table

ROUTES = ANY_ROUTE
TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")

CASES = (
    GoldenCase(
        title="updates have both images, inserts and deletes one",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (2, NULL), (4, 'y')"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v IS NULL THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (3, 'c'), (4, 'y')",
        change_rows="(1, 'a', 'update_preimage'), (1, 'x', 'update_postimage'),"
        " (2, 'b', 'delete'), (4, 'y', 'insert')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="an insert-only merge is read as inserts",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (4, 'y')"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'y')",
        change_rows="(4, 'y', 'insert')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="rows that are copied are no changes",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')"),
        source=table("id INT, v STRING", "(2, 'x')"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (2, 'x'), (3, 'c')",
        change_rows="(2, 'b', 'update_preimage'), (2, 'x', 'update_postimage')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="a row that several source rows delete is deleted once",
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x'), (2, 'y'), (4, 'z'), (4, 'z')"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (3, 'c'), (4, 'z'), (4, 'z')",
        change_rows="(2, 'b', 'delete'), (4, 'z', 'insert'), (4, 'z', 'insert')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="by-source clauses are in the feed",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 'old'",
        rows="(1, 'a'), (3, 'old')",
        change_rows="(2, 'b', 'delete'), (3, 'c', 'update_preimage'),"
        " (3, 'old', 'update_postimage')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="a row that moves to another partition is an update",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, p STRING", "(1, 'b')"),
        properties=CHANGE_FEED,
        partition_by=("p",),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'b'), (2, 'b')",
        change_rows="(1, 'a', 'update_preimage'), (1, 'b', 'update_postimage')",
        routes=ROUTES,
    ),
)
