"""Structs whose fields differ between source and target, and grow with evolution."""

from __future__ import annotations

from golden import GoldenCase, table

INTO = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
UPSERT = f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
BY_POSITION = (("spark.databricks.delta.resolveMergeUpdateStructsByName.enabled", "false"),)
TARGET = table(
    "id INT, st STRUCT<a: INT, c: INT>",
    "(1, named_struct('a', 1, 'c', 10)), (2, named_struct('a', 2, 'c', 20))",
)
NEW_B = table(
    "id INT, st STRUCT<a: INT, b: INT>",
    "(1, named_struct('a', 11, 'b', 12)), (3, named_struct('a', 31, 'b', 32))",
)

CASES = (
    GoldenCase(
        title="update * keeps fields that only the target has, and adds new ones",
        target=TARGET,
        source=NEW_B,
        statement=UPSERT,
        schema="id INT, st STRUCT<a: INT, c: INT, b: INT>",
        rows="(1, named_struct('a', 11, 'c', 10, 'b', 12)),"
        " (2, named_struct('a', 2, 'c', 20, 'b', NULL)),"
        " (3, named_struct('a', 31, 'c', NULL, 'b', 32))",
    ),
    GoldenCase(
        title="a struct assigned as a whole nulls the fields that it lacks",
        target=TARGET,
        source=NEW_B,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET st = s.st",
        schema="id INT, st STRUCT<a: INT, c: INT, b: INT>",
        rows="(1, named_struct('a', 11, 'c', NULL, 'b', 12)),"
        " (2, named_struct('a', 2, 'c', 20, 'b', NULL))",
    ),
    GoldenCase(
        title="a struct inserted by name adds its new fields",
        target=TARGET,
        source=NEW_B,
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (st) VALUES (s.st)",
        schema="id INT, st STRUCT<a: INT, c: INT, b: INT>",
        rows="(1, named_struct('a', 1, 'c', 10, 'b', NULL)),"
        " (2, named_struct('a', 2, 'c', 20, 'b', NULL)),"
        " (NULL, named_struct('a', 31, 'c', NULL, 'b', 32))",
    ),
    GoldenCase(
        title="an assignment to one field adds no other",
        target=TARGET,
        source=NEW_B,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET st.a = s.st.a",
        rows="(1, named_struct('a', 11, 'c', 10)), (2, named_struct('a', 2, 'c', 20))",
    ),
    GoldenCase(
        title="an assignment adds the field that it names, and no other",
        target=TARGET,
        source=table(
            "id INT, st STRUCT<a: INT, b: INT, d: INT>",
            "(1, named_struct('a', 11, 'b', 12, 'd', 13))",
        ),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET st.b = s.st.b",
        schema="id INT, st STRUCT<a: INT, c: INT, b: INT>",
        rows="(1, named_struct('a', 1, 'c', 10, 'b', 12)),"
        " (2, named_struct('a', 2, 'c', 20, 'b', NULL))",
    ),
    GoldenCase(
        title="evolution inserts into no field of a struct",
        target=TARGET,
        source=NEW_B,
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (st.b) VALUES (s.st.b)",
        error="DELTA_UNSUPPORTED_NESTED_FIELD_IN_OPERATION",
    ),
    GoldenCase(
        title="a field that the update leaves alone is added for the insert",
        target=table(
            "id INT, st STRUCT<a: STRUCT<x: INT>>, l ARRAY<STRUCT<a: INT>>",
            "(1, named_struct('a', named_struct('x', 1)), array(named_struct('a', 10)))",
        ),
        source=table(
            "id INT, st STRUCT<a: STRUCT<x: INT, y: INT>, b: INT>, l ARRAY<STRUCT<a: INT, b: INT>>",
            "(1, NULL, NULL), (2, named_struct('a', named_struct('x', 2, 'y', 3), 'b', 4),"
            " array(named_struct('a', 20, 'b', 21)))",
        ),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET id = 0 WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, st STRUCT<a: STRUCT<x: INT, y: INT>, b: INT>,"
        " l ARRAY<STRUCT<a: INT, b: INT>>",
        rows="(0, named_struct('a', named_struct('x', 1, 'y', NULL), 'b', NULL),"
        " array(named_struct('a', 10, 'b', NULL))),"
        " (2, named_struct('a', named_struct('x', 2, 'y', 3), 'b', 4),"
        " array(named_struct('a', 20, 'b', 21)))",
    ),
    GoldenCase(
        title="an inner struct that lacks a field is updated in part and inserted whole",
        target=table(
            "id INT, st STRUCT<y: STRUCT<a: INT, b: INT, c: INT>>",
            "(1, named_struct('y', named_struct('a', 1, 'b', 2, 'c', 3)))",
        ),
        source=table(
            "id INT, st STRUCT<y: STRUCT<a: INT, c: INT>>",
            "(1, named_struct('y', named_struct('a', 11, 'c', 13))),"
            " (2, named_struct('y', named_struct('a', 21, 'c', 23)))",
        ),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET st.y.a = s.st.y.a"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, named_struct('y', named_struct('a', 11, 'b', 2, 'c', 3))),"
        " (2, named_struct('y', named_struct('a', 21, 'b', NULL, 'c', 23)))",
    ),
    GoldenCase(
        title="fields in another order are found by name while new ones are added",
        target=TARGET,
        source=table(
            "id INT, st STRUCT<b: INT, c: STRING, a: BIGINT>",
            "(1, named_struct('b', 12, 'c', '13', 'a', 11))",
        ),
        statement=UPSERT,
        schema="id INT, st STRUCT<a: INT, c: INT, b: INT>",
        rows="(1, named_struct('a', 11, 'c', 13, 'b', 12)),"
        " (2, named_struct('a', 2, 'c', 20, 'b', NULL))",
    ),
    GoldenCase(
        title="structs grow in a table partitioned by a column beside them",
        target=table(
            "p INT, id INT, st STRUCT<a: INT, c: INT>",
            "(7, 1, named_struct('a', 1, 'c', 10)), (8, 2, named_struct('a', 2, 'c', 20))",
        ),
        source=table(
            "id INT, p INT, st STRUCT<a: INT, b: INT, c: INT>",
            "(1, 7, named_struct('a', 11, 'b', 12, 'c', 13))",
        ),
        partition_by=("p",),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *",
        schema="p INT, id INT, st STRUCT<a: INT, c: INT, b: INT>",
        rows="(7, 1, named_struct('a', 11, 'c', 13, 'b', 12)),"
        " (8, 2, named_struct('a', 2, 'c', 20, 'b', NULL))",
    ),
    GoldenCase(
        title="structs are matched by position where the session asks for it",
        target=table(
            "id INT, st STRUCT<a: INT, b: INT>, l ARRAY<STRUCT<a: INT, b: INT>>",
            "(1, named_struct('a', 1, 'b', 2), array(named_struct('a', 1, 'b', 2)))",
        ),
        source=table(
            "id INT, st STRUCT<b: INT, a: INT>, l ARRAY<STRUCT<c: INT, d: INT>>",
            "(1, named_struct('b', 12, 'a', 11), array(named_struct('c', 21, 'd', 22)))",
        ),
        conf=BY_POSITION,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, named_struct('a', 12, 'b', 11), array(named_struct('a', 21, 'b', 22)))",
    ),
    GoldenCase(
        title="structs by position do not grow",
        target=TARGET,
        source=NEW_B,
        conf=BY_POSITION,
        statement=UPSERT,
        error="DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION",
    ),
    GoldenCase(
        title="a struct does not become an array",
        target=table("id INT, m MAP<STRING, ARRAY<INT>>", "(1, map('k', array(1, 2)))"),
        source=table(
            "id INT, m MAP<STRING, STRUCT<a: INT>>", "(1, map('k', named_struct('a', 2)))"
        ),
        statement=UPSERT,
        error="DELTA_FAILED_TO_MERGE_FIELDS",
    ),
)
