"""Tables whose columns have other names in files: schemas that grow, and the change feed."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, table

BY_NAME = (("delta.columnMapping.mode", "name"),)
BY_ID = (("delta.columnMapping.mode", "id"),)
INTO = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
UPSERT = f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
ARRAYS = table(
    "id INT, l ARRAY<STRUCT<a: STRUCT<x: INT, y: INT>, b: INT>>",
    "(1, array(named_struct('a', named_struct('x', 1, 'y', 2), 'b', 3))),"
    " (2, array(named_struct('a', NULL, 'b', 4)))",
)
WIDER_ARRAYS = table(
    "id INT, l ARRAY<STRUCT<b: STRING, a: STRUCT<z: INT, x: INT>>>, w INT",
    "(1, array(named_struct('b', '13', 'a', named_struct('z', 12, 'x', 11)),"
    " named_struct('b', '14', 'a', NULL)), 10), (3, array(), 30)",
)
GROWN_ARRAYS = "id INT, l ARRAY<STRUCT<a: STRUCT<x: INT, y: INT, z: INT>, b: INT>>, w INT"
MERGED_ARRAYS = (
    "(1, array(named_struct('a', named_struct('x', 11, 'y', NULL, 'z', 12), 'b', 13),"
    " named_struct('a', NULL, 'b', 14)), 10),"
    " (2, array(named_struct('a', NULL, 'b', 4)), NULL), (3, array(), 30)"
)

CASES = (
    GoldenCase(
        title="columns and fields are added under column mapping by name",
        target=ARRAYS,
        source=WIDER_ARRAYS,
        properties=BY_NAME,
        statement=UPSERT,
        schema=GROWN_ARRAYS,
        rows=MERGED_ARRAYS,
    ),
    GoldenCase(
        title="columns and fields are added under column mapping by id",
        target=ARRAYS,
        source=WIDER_ARRAYS,
        properties=BY_ID,
        statement=UPSERT,
        schema=GROWN_ARRAYS,
        rows=MERGED_ARRAYS,
    ),
    GoldenCase(
        title="a column that was dropped comes back as a new one",
        target=table("id INT, v STRING, w INT", "(1, 'a', 10), (2, 'b', 20)"),
        before=("ALTER TABLE {target} DROP COLUMN w",),
        source=table("id INT, v STRING, w INT", "(2, 'x', 21), (3, 'y', 31)"),
        properties=BY_NAME,
        partition_by=(),
        statement=UPSERT,
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'x', 21), (3, 'y', 31)",
    ),
    GoldenCase(
        title="a column is renamed and another takes its old name",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        before=("ALTER TABLE {target} RENAME COLUMN v TO was_v",),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y')"),
        properties=BY_NAME,
        partition_by=(),
        statement=UPSERT,
        schema="id INT, was_v STRING, v STRING",
        rows="(1, 'a', NULL), (2, 'b', 'x'), (3, NULL, 'y')",
    ),
    GoldenCase(
        title="column mapping turned on over files without it",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        before=(
            "ALTER TABLE {target} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')",
            "ALTER TABLE {target} RENAME COLUMN v TO w",
        ),
        source=table("id INT, w STRING", "(2, 'x'), (4, 'y')"),
        partition_by=(),
        statement=UPSERT,
        schema="id INT, w STRING",
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="a renamed partition column",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'b')"),
        before=("ALTER TABLE {target} RENAME COLUMN p TO q",),
        source=table("id INT, q STRING", "(1, 'b'), (3, 'c')"),
        properties=BY_NAME,
        partition_by=("p",),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.q <= s.q"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, q STRING",
        rows="(1, 'b'), (2, 'b'), (3, 'c')",
    ),
    GoldenCase(
        title="the change feed under column mapping",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        before=("ALTER TABLE {target} RENAME COLUMN v TO w",),
        source=table("id INT, w STRING", "(1, NULL), (2, 'x'), (4, 'y')"),
        properties=(*BY_NAME, *CHANGE_FEED),
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.w IS NULL THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, w STRING",
        rows="(2, 'x'), (3, 'c'), (4, 'y')",
        change_rows="(1, 'a', 'delete'), (2, 'b', 'update_preimage'),"
        " (2, 'x', 'update_postimage'), (4, 'y', 'insert')",
    ),
    GoldenCase(
        title="comments and NOT NULL on columns and fields do not disturb a merge",
        target=table(
            "id INT NOT NULL COMMENT 'a key', n INT NOT NULL, st STRUCT<a: INT COMMENT 'a field'>",
            "(1, 10, NULL), (2, 20, named_struct('a', 1))",
        ),
        source=table("id INT NOT NULL, n INT NOT NULL", "(2, 21)"),
        properties=BY_NAME,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND t.n = 20 THEN UPDATE SET n = s.n + 1"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 100 THEN UPDATE SET n = 22",
        rows="(1, 10, NULL), (2, 22, named_struct('a', 1))",
    ),
)
