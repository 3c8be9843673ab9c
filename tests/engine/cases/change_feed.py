"""The change data feed: what readers of changes get."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")

TWICE = ("2, 'x', true", "2, 'x', false", "2, 'y', true", "2, 'y', false")

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
    ),
    GoldenCase(
        title="several clauses of each kind, and one of them with the rest",
        target=table("id INT, n INT", "(0, 0), (1, 10), (3, 30)", "(4, 40), (6, 60)"),
        source=table("id INT, n INT", "(1, 1), (2, 2), (3, -1), (4, 4), (5, 0), (6, 0)"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.id = 1 THEN UPDATE SET *"
        " WHEN MATCHED AND s.id = 4 THEN UPDATE SET n = 400"
        " WHEN MATCHED AND s.id = 3 THEN DELETE WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED AND s.id = 2 THEN INSERT *"
        " WHEN NOT MATCHED THEN INSERT (id, n) VALUES (50, 50)",
        rows="(0, 0), (1, 1), (2, 2), (4, 400), (50, 50)",
        change_rows="(2, 2, 'insert'), (50, 50, 'insert'), (1, 10, 'update_preimage'),"
        " (1, 1, 'update_postimage'), (4, 40, 'update_preimage'), (4, 400, 'update_postimage'),"
        " (3, 30, 'delete'), (6, 60, 'delete')",
    ),
    GoldenCase(
        title="a conditional delete of a row that two source rows match, in the feed",
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x'), (2, 'y')"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND true THEN DELETE",
        error="DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
    ),
    GoldenCase(
        title="equal rows that several source rows delete are each deleted once",
        target=table("n INT", "(0), (1), (1)"),
        source=table("n INT", "(1), (1)"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.n = s.n WHEN MATCHED THEN DELETE",
        rows="(0)",
        change_rows="(1, 'delete'), (1, 'delete')",
    ),
    GoldenCase(
        title="a delete by target columns alone has each row once in the feed",
        target=table("n INT", "(0), (1), (1)"),
        source=table("n INT", "(0), (1)"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.n > 0 WHEN MATCHED THEN DELETE",
        rows="(0)",
        change_rows="(1, 'delete'), (1, 'delete')",
    ),
    GoldenCase(
        title="a delete by source columns alone has each row once in the feed",
        target=table("n INT", "(0), (1)", "(1)"),
        source=table("n INT", "(0), (1)"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON s.n < 2 WHEN MATCHED THEN DELETE",
        rows="",
        change_rows="(0, 'delete'), (1, 'delete'), (1, 'delete')",
    ),
    GoldenCase(
        title="an inserted row that equals one that stays is in the feed",
        target=table("n INT", "(1), (2)"),
        source=table("a INT, b INT", "(1, 10), (1, 100), (3, 2)"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.n = s.a"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (n) VALUES (s.b)",
        rows="(2), (2)",
        change_rows="(1, 'delete'), (2, 'insert')",
    ),
    GoldenCase(
        title="no clause fires, and the feed has nothing",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.id = 10 THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED AND s.id = 11 THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'c')",
        commits=False,
    ),
    GoldenCase(
        title="a column that is added is null in older images",
        target=table("id INT NOT NULL, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        source=table("id INT, v STRING, w INT", "(1, 'x', 10), (3, 'y', 30), (4, 'z', 40)"),
        properties=CHANGE_FEED,
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.id = 3 THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'x', 10), (2, 'b', NULL), (4, 'z', 40)",
        change_rows="(1, 'a', NULL, 'update_preimage'), (1, 'x', 10, 'update_postimage'),"
        " (3, 'c', NULL, 'delete'), (4, 'z', 40, 'insert')",
    ),
    GoldenCase(
        title="clauses that leave an added column out, in the feed",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')", "(4, 'd'), (5, 'e')"),
        source=table(
            "id INT, w STRING", "(1, 't'), (2, 'u'), (3, 'x'), (6, 'y'), (7, 'z'), (8, 'n')"
        ),
        properties=CHANGE_FEED,
        partition_by=(),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.id = 1 THEN UPDATE SET v = w"
        " WHEN MATCHED AND s.id = 2 THEN UPDATE SET * WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED AND s.id = 6 THEN INSERT (id) VALUES (s.id)"
        " WHEN NOT MATCHED AND s.id = 7 THEN INSERT *",
        schema="id INT, v STRING, w STRING",
        rows="(1, 't', NULL), (2, 'b', 'u'), (4, 'd', NULL), (5, 'e', NULL), (6, NULL, NULL),"
        " (7, NULL, 'z')",
        change_rows="(1, 'a', NULL, 'update_preimage'), (1, 't', NULL, 'update_postimage'),"
        " (2, 'b', NULL, 'update_preimage'), (2, 'b', 'u', 'update_postimage'),"
        " (3, 'c', NULL, 'delete'), (6, NULL, NULL, 'insert'), (7, NULL, 'z', 'insert')",
    ),
    GoldenCase(
        title="a column without a type becomes a struct, in the feed",
        target=table("id INT, st VOID", "(1, NULL), (2, NULL)"),
        source=table("id INT, st STRUCT<a: INT>", "(1, named_struct('a', 1)), (3, NULL)"),
        properties=CHANGE_FEED,
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, st STRUCT<a: INT>",
        rows="(1, named_struct('a', 1)), (2, NULL), (3, NULL)",
        change_rows="(1, NULL, 'update_preimage'), (1, named_struct('a', 1), 'update_postimage'),"
        " (3, NULL, 'insert')",
    ),
    GoldenCase(
        title="the feed's own column may not be added",
        target=TARGET,
        source=table("id INT, v STRING, _change_type STRING", "(1, 'x', 'insert')"),
        properties=CHANGE_FEED,
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        error="RESERVED_CDC_COLUMNS_ON_WRITE",
    ),
    GoldenCase(
        title="the three kinds of clauses over a conjunct that leaves files out, in the feed",
        target=table("id INT, n INT", "(1, 10)", "(2, 20), (4, 40)", "(5, 50), (6, 60)"),
        source=table("id INT, n INT", "(0, 0), (1, 1), (2, 2), (5, 5), (6, 6)"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.id > 4"
        " WHEN MATCHED AND t.id = 5 THEN DELETE WHEN NOT MATCHED AND s.id = 0 THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN UPDATE SET n = t.n + 1"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 4 THEN DELETE",
        rows="(0, 0), (1, 11), (2, 20), (6, 60)",
        change_rows="(0, 0, 'insert'), (5, 50, 'delete'), (1, 10, 'update_preimage'),"
        " (1, 11, 'update_postimage'), (4, 40, 'delete')",
    ),
    GoldenCase(
        title="the feed after rows of the same files were deleted and updated",
        target=TARGET,
        before=(
            "DELETE FROM {target} WHERE id = 1",
            "UPDATE {target} SET v = 'later' WHERE id = 3",
        ),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y'), (3, 'z')"),
        properties=CHANGE_FEED,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.id = 2 THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (3, 'z')",
        change_rows="(1, 'x', 'insert'), (2, 'b', 'delete'), (3, 'later', 'update_preimage'),"
        " (3, 'z', 'update_postimage')",
    ),
    GoldenCase(
        title="new rows beside a row that two source rows delete",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')"),
        source=table("id INT, v STRING, n BOOLEAN", *(f"({row})" for row in TWICE)),
        properties=CHANGE_FEED,
        partition_by=(),
        deletion_vectors=False,
        statement="MERGE INTO {target} t USING {source} s ON NOT s.n AND t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED AND s.n THEN INSERT (id, v) VALUES (id, v)",
        rows="(1, 'a'), (3, 'c'), (2, 'x'), (2, 'y')",
        change_rows="(2, 'b', 'delete'), (2, 'x', 'insert'), (2, 'y', 'insert')",
        native_leaves="(2, 'x'), (2, 'y'), (3, 'c')",
    ),
)
