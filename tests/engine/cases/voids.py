"""Columns without a type: NULL as a source column, and columns of type VOID in tables."""

from __future__ import annotations

from golden import GoldenCase, table

EVOLVING = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
UPSERT = f"{EVOLVING} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
DROPPED = (("spark.databricks.delta.createDataFrame.dropNullColumns", "true"),)

CASES = (
    GoldenCase(
        title="a source key without a type matches nothing under =",
        target=table("id INT, v INT", "(2, 2), (1, 4)", "(NULL, 6)"),
        source=table("id VOID, v INT", "(NULL, 1), (NULL, 3)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
        rows="(2, 2), (1, 4), (NULL, 6), (NULL, 1), (NULL, 3)",
    ),
    GoldenCase(
        title="a source key without a type matches null keys under <=>",
        target=table("id INT, v INT", "(2, 2), (NULL, 6)"),
        source=table("id VOID, v INT", "(NULL, 1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id <=> s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(2, 2), (NULL, 1)",
    ),
    GoldenCase(
        title="a target key without a type matches nothing",
        target=table("id VOID, v INT", "(NULL, 2), (NULL, 4)"),
        source=table("id INT, v INT", "(1, 1), (0, 3), (1, 6)"),
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET id = NULL, v = s.v"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (NULL, s.v + 10)",
        rows="(NULL, 2), (NULL, 4), (NULL, 11), (NULL, 13), (NULL, 16)",
    ),
    GoldenCase(
        title="a new column without a type is added",
        target=table("id INT, v INT", "(1, 1)"),
        source=table("id INT, v INT, w VOID", "(1, 100, NULL), (2, 200, NULL)"),
        partition_by=(),
        statement=UPSERT,
        schema="id INT, v INT, w VOID",
        rows="(1, 100, NULL), (2, 200, NULL)",
    ),
    GoldenCase(
        title="a new column without a type is refused where the session drops such columns",
        target=table("id INT, v INT", "(1, 1)"),
        source=table("id INT, v INT, w VOID", "(1, 100, NULL)"),
        partition_by=(),
        conf=DROPPED,
        statement=UPSERT,
        error="DELTA_MERGE_ADD_VOID_COLUMN",
    ),
    GoldenCase(
        title="a new field without a type is refused where the session drops such columns",
        target=table("id INT, st STRUCT<a: INT>", "(1, named_struct('a', 1))"),
        source=table("id INT, st STRUCT<a: INT, z: VOID>", "(1, named_struct('a', 2, 'z', NULL))"),
        conf=DROPPED,
        statement=UPSERT,
        error="DELTA_MERGE_ADD_VOID_COLUMN",
    ),
    GoldenCase(
        title="a column without a type gets the source's type",
        target=table("id INT, v VOID", "(1, NULL), (2, NULL)"),
        source=table("id INT, v INT", "(1, 10), (3, 30)"),
        statement=f"{EVOLVING} WHEN MATCHED THEN UPDATE SET v = s.v + 1"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
        schema="id INT, v INT",
        rows="(1, 11), (2, NULL), (3, 30)",
    ),
    GoldenCase(
        title="a column without a type takes no value without evolution",
        target=table("id INT, v VOID", "(1, NULL), (2, NULL)"),
        source=table("id INT, v INT", "(1, 10), (3, 30)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v + 1",
        error="DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION",
    ),
    GoldenCase(
        title="a key without a type gets the source's type",
        target=table("id VOID, v INT", "(NULL, 2), (NULL, 4)"),
        source=table("id INT, v INT", "(1, 1), (0, 3)"),
        partition_by=(),
        statement=UPSERT,
        schema="id INT, v INT",
        rows="(NULL, 2), (NULL, 4), (1, 1), (0, 3)",
    ),
    GoldenCase(
        title="fields without a type become structs, arrays and maps",
        target=table(
            "id INT, st STRUCT<a: VOID, b: VOID, c: VOID, d: INT>",
            "(1, named_struct('a', NULL, 'b', NULL, 'c', NULL, 'd', 1)),"
            " (2, named_struct('a', NULL, 'b', NULL, 'c', NULL, 'd', 2))",
        ),
        source=table(
            "id INT, st STRUCT<a: STRUCT<x: INT, z: VOID>, b: ARRAY<STRUCT<x: INT>>,"
            " c: MAP<STRING, INT>>",
            "(1, named_struct('a', named_struct('x', 10, 'z', NULL),"
            " 'b', array(named_struct('x', 11), NULL), 'c', map('k', 12)))",
        ),
        statement=f"{EVOLVING} WHEN MATCHED THEN UPDATE SET *",
        schema="id INT, st STRUCT<a: STRUCT<x: INT, z: VOID>, b: ARRAY<STRUCT<x: INT>>,"
        " c: MAP<STRING, INT>, d: INT>",
        rows="(1, named_struct('a', named_struct('x', 10, 'z', NULL),"
        " 'b', array(named_struct('x', 11), NULL), 'c', map('k', 12), 'd', 1)),"
        " (2, named_struct('a', NULL, 'b', NULL, 'c', NULL, 'd', 2))",
    ),
)
