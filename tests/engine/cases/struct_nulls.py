"""Null structs and structs of nulls while structs grow: a null source struct is not filled up."""

from __future__ import annotations

from golden import GoldenCase, table

INTO = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
TARGET = table(
    "id INT, st STRUCT<y: INT, z: INT>",
    "(1, named_struct('y', 1, 'z', 10)), (2, named_struct('y', NULL, 'z', NULL)), (3, NULL)",
    "(4, named_struct('y', 4, 'z', 40)), (5, named_struct('y', NULL, 'z', NULL)), (6, NULL)",
    "(7, named_struct('y', 7, 'z', 70)), (8, named_struct('y', NULL, 'z', NULL)), (9, NULL)",
)
GROWN = "id INT, st STRUCT<y: INT, z: INT, x: INT>"
SOURCE = table(
    "id INT, st STRUCT<x: INT, y: INT>",
    "(1, named_struct('x', 100, 'y', 11)), (2, named_struct('x', 200, 'y', 12)),"
    " (3, named_struct('x', 300, 'y', 13)), (4, named_struct('x', NULL, 'y', NULL)),"
    " (5, named_struct('x', NULL, 'y', NULL)), (6, named_struct('x', NULL, 'y', NULL)),"
    " (7, NULL), (8, NULL), (9, NULL)",
)
INNER = table(
    "id INT, st STRUCT<y: STRUCT<d: INT, e: INT>, z: STRUCT<f: INT>>",
    "(1, named_struct('y', named_struct('d', 1, 'e', 2), 'z', named_struct('f', 3))),"
    " (2, named_struct('y', NULL, 'z', NULL)), (3, NULL)",
    "(4, named_struct('y', named_struct('d', 4, 'e', 5), 'z', named_struct('f', 6))),"
    " (5, named_struct('y', NULL, 'z', NULL)), (6, NULL)",
    "(7, named_struct('y', named_struct('d', 7, 'e', 8), 'z', named_struct('f', 9))),"
    " (8, named_struct('y', NULL, 'z', NULL)), (9, NULL)",
)
INNER_SOURCE = table(
    "id INT, st STRUCT<x: STRUCT<a: INT>, y: STRUCT<c: INT, d: INT>>",
    "(1, named_struct('x', named_struct('a', 10), 'y', named_struct('c', 30, 'd', 40))),"
    " (2, named_struct('x', named_struct('a', 10), 'y', named_struct('c', 30, 'd', 40))),"
    " (3, named_struct('x', named_struct('a', 10), 'y', named_struct('c', 30, 'd', 40))),"
    " (4, named_struct('x', NULL, 'y', NULL)), (5, named_struct('x', NULL, 'y', NULL)),"
    " (6, named_struct('x', NULL, 'y', NULL)), (7, NULL), (8, NULL), (9, NULL)",
)
INNER_GROWN = (
    "id INT, st STRUCT<y: STRUCT<d: INT, e: INT, c: INT>, z: STRUCT<f: INT>, x: STRUCT<a: INT>>"
)

CASES = (
    GoldenCase(
        title="update * by fields: null over null stays null, null over a struct nulls fields",
        target=TARGET,
        source=SOURCE,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *",
        schema=GROWN,
        rows="(1, named_struct('y', 11, 'z', 10, 'x', 100)),"
        " (2, named_struct('y', 12, 'z', NULL, 'x', 200)),"
        " (3, named_struct('y', 13, 'z', NULL, 'x', 300)),"
        " (4, named_struct('y', NULL, 'z', 40, 'x', NULL)),"
        " (5, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (6, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (7, named_struct('y', NULL, 'z', 70, 'x', NULL)),"
        " (8, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (9, NULL)",
    ),
    GoldenCase(
        title="an assignment of a null struct is null",
        target=TARGET,
        source=SOURCE,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET st = s.st",
        schema=GROWN,
        rows="(1, named_struct('y', 11, 'z', NULL, 'x', 100)),"
        " (2, named_struct('y', 12, 'z', NULL, 'x', 200)),"
        " (3, named_struct('y', 13, 'z', NULL, 'x', 300)),"
        " (4, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (5, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (6, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (7, NULL), (8, NULL), (9, NULL)",
    ),
    GoldenCase(
        title="an insert of a null struct is null",
        target=table("id INT, st STRUCT<y: INT, z: INT>", "(0, NULL)"),
        source=table(
            "id INT, st STRUCT<x: INT, y: INT>",
            "(1, named_struct('x', 100, 'y', 11)), (2, named_struct('x', NULL, 'y', NULL)),"
            " (3, NULL), (4, NULL)",
        ),
        statement=f"{INTO} WHEN NOT MATCHED AND s.id < 4 THEN INSERT *"
        " WHEN NOT MATCHED THEN INSERT (id, st) VALUES (s.id, s.st)",
        schema=GROWN,
        rows="(0, NULL), (1, named_struct('y', 11, 'z', NULL, 'x', 100)),"
        " (2, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (3, NULL), (4, NULL)",
    ),
    GoldenCase(
        title="null over a struct without fields of its own is null",
        target=table(
            "id INT, st STRUCT<Y: INT>",
            "(1, named_struct('Y', 1)), (2, named_struct('Y', NULL)), (3, NULL)",
        ),
        source=table("id INT, st STRUCT<x: INT, y: INT>", "(1, NULL), (2, NULL), (3, NULL)"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *",
        schema="id INT, st STRUCT<Y: INT, x: INT>",
        rows="(1, NULL), (2, NULL), (3, NULL)",
    ),
    GoldenCase(
        title="null structs are filled up where the session asks for it",
        target=table(
            "id INT, st STRUCT<y: INT, z: INT>", "(1, NULL), (2, named_struct('y', 2, 'z', 3))"
        ),
        source=table("id INT, st STRUCT<x: INT, y: INT>", "(1, NULL), (2, NULL), (3, NULL)"),
        conf=(("spark.databricks.delta.merge.preserveNullSourceStructs", "false"),),
        statement=f"{INTO} WHEN MATCHED AND s.id = 2 THEN UPDATE SET st = s.st"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema=GROWN,
        rows="(1, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (2, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (3, named_struct('y', NULL, 'z', NULL, 'x', NULL))",
    ),
    GoldenCase(
        title="null structs are filled up by update * alone where the session asks for it",
        target=table(
            "id INT, st STRUCT<y: INT, z: INT>", "(1, NULL), (2, named_struct('y', 2, 'z', 3))"
        ),
        source=table("id INT, st STRUCT<x: INT, y: INT>", "(1, NULL), (2, NULL), (3, NULL)"),
        conf=(("spark.databricks.delta.merge.preserveNullSourceStructs.updateStar", "false"),),
        statement=f"{INTO} WHEN MATCHED AND s.id = 2 THEN UPDATE SET st = s.st"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema=GROWN,
        rows="(1, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (2, NULL), (3, NULL)",
    ),
    GoldenCase(
        title="update * by the fields of inner structs",
        target=INNER,
        source=INNER_SOURCE,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *",
        schema=INNER_GROWN,
        rows="(1, named_struct('y', named_struct('d', 40, 'e', 2, 'c', 30),"
        " 'z', named_struct('f', 3), 'x', named_struct('a', 10))),"
        " (2, named_struct('y', named_struct('d', 40, 'e', NULL, 'c', 30),"
        " 'z', NULL, 'x', named_struct('a', 10))),"
        " (3, named_struct('y', named_struct('d', 40, 'e', NULL, 'c', 30),"
        " 'z', NULL, 'x', named_struct('a', 10))),"
        " (4, named_struct('y', named_struct('d', NULL, 'e', 5, 'c', NULL),"
        " 'z', named_struct('f', 6), 'x', NULL)),"
        " (5, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (6, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (7, named_struct('y', named_struct('d', NULL, 'e', 8, 'c', NULL),"
        " 'z', named_struct('f', 9), 'x', NULL)),"
        " (8, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (9, NULL)",
    ),
    GoldenCase(
        title="an assignment of structs with inner null structs",
        target=INNER,
        source=INNER_SOURCE,
        statement=f"{INTO} WHEN MATCHED AND s.id IN (1, 4, 7) THEN UPDATE SET st = s.st",
        schema=INNER_GROWN,
        rows="(1, named_struct('y', named_struct('d', 40, 'e', NULL, 'c', 30),"
        " 'z', NULL, 'x', named_struct('a', 10))),"
        " (2, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (3, NULL),"
        " (4, named_struct('y', NULL, 'z', NULL, 'x', NULL)),"
        " (5, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (6, NULL), (7, NULL),"
        " (8, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (9, NULL)",
    ),
    GoldenCase(
        title="an assignment of an inner struct alone",
        target=INNER,
        source=INNER_SOURCE,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET st.y = s.st.y",
        schema="id INT, st STRUCT<y: STRUCT<d: INT, e: INT, c: INT>, z: STRUCT<f: INT>>",
        rows="(1, named_struct('y', named_struct('d', 40, 'e', NULL, 'c', 30),"
        " 'z', named_struct('f', 3))),"
        " (2, named_struct('y', named_struct('d', 40, 'e', NULL, 'c', 30), 'z', NULL)),"
        " (3, named_struct('y', named_struct('d', 40, 'e', NULL, 'c', 30), 'z', NULL)),"
        " (4, named_struct('y', NULL, 'z', named_struct('f', 6))),"
        " (5, named_struct('y', NULL, 'z', NULL)), (6, named_struct('y', NULL, 'z', NULL)),"
        " (7, named_struct('y', NULL, 'z', named_struct('f', 9))),"
        " (8, named_struct('y', NULL, 'z', NULL)), (9, named_struct('y', NULL, 'z', NULL))",
    ),
    GoldenCase(
        title="an insert of structs with inner null structs",
        target=table("id INT, st STRUCT<y: STRUCT<d: INT, e: INT>, z: STRUCT<f: INT>>"),
        source=table(INNER_SOURCE.columns, *INNER_SOURCE.files),
        statement=f"{INTO} WHEN NOT MATCHED AND s.id IN (1, 4, 7) THEN INSERT *",
        schema=INNER_GROWN,
        rows="(1, named_struct('y', named_struct('d', 40, 'e', NULL, 'c', 30),"
        " 'z', NULL, 'x', named_struct('a', 10))),"
        " (4, named_struct('y', NULL, 'z', NULL, 'x', NULL)), (7, NULL)",
    ),
    GoldenCase(
        title="null structs in arrays and maps stay null while their structs grow",
        target=table(
            "id INT, l ARRAY<STRUCT<y: INT, z: INT>>, m MAP<STRING, STRUCT<y: INT, z: INT>>",
            "(1, array(named_struct('y', 1, 'z', 2)), NULL), (2, array(NULL), map('k', NULL)),"
            " (3, NULL, NULL)",
        ),
        source=table(
            "id INT, l ARRAY<STRUCT<x: INT, y: INT>>, m MAP<STRING, STRUCT<x: INT, y: INT>>",
            "(1, array(NULL, named_struct('x', NULL, 'y', NULL)), map('k', NULL)),"
            " (2, NULL, map('k', named_struct('x', 5, 'y', 6))), (3, array(NULL), map('k', NULL)),"
            " (4, array(NULL), map('k', NULL))",
        ),
        statement=f"{INTO} WHEN MATCHED AND s.id = 3 THEN UPDATE SET l = s.l, m = s.m"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, l ARRAY<STRUCT<y: INT, z: INT, x: INT>>,"
        " m MAP<STRING, STRUCT<y: INT, z: INT, x: INT>>",
        rows="(1, array(NULL, named_struct('y', NULL, 'z', NULL, 'x', NULL)), map('k', NULL)),"
        " (2, NULL, map('k', named_struct('y', 6, 'z', NULL, 'x', 5))),"
        " (3, array(NULL), map('k', NULL)), (4, array(NULL), map('k', NULL))",
    ),
    GoldenCase(
        title="null structs in arrays and maps inside a struct that grows",
        target=table(
            "id INT, st STRUCT<y: ARRAY<STRUCT<d: INT, e: INT>>, m: MAP<STRING, STRUCT<d: INT>>>",
            "(1, NULL), (2, named_struct('y', array(NULL), 'm', map('k', NULL))), (3, NULL)",
        ),
        source=table(
            "id INT, st STRUCT<x: ARRAY<STRUCT<a: INT>>, y: ARRAY<STRUCT<c: INT, d: INT>>>",
            "(1, NULL), (2, NULL), (3, named_struct('x', array(NULL), 'y', array(NULL))),"
            " (4, NULL)",
        ),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, st STRUCT<y: ARRAY<STRUCT<d: INT, e: INT, c: INT>>,"
        " m: MAP<STRING, STRUCT<d: INT>>, x: ARRAY<STRUCT<a: INT>>>",
        rows="(1, NULL), (2, named_struct('y', NULL, 'm', map('k', NULL), 'x', NULL)),"
        " (3, named_struct('y', array(NULL), 'm', NULL, 'x', array(NULL))), (4, NULL)",
    ),
    GoldenCase(
        title="two updates of a null struct, one by assignment and one by *",
        target=table(
            "id INT, st STRUCT<y: INT, z: INT>, o STRUCT<k: INT>",
            "(1, named_struct('y', 1, 'z', 2), NULL), (2, named_struct('y', 1, 'z', 2), NULL)",
        ),
        source=table(
            "id INT, st STRUCT<x: INT, y: INT>, o STRUCT<k: INT, n: INT>",
            "(1, NULL, NULL), (2, NULL, NULL), (3, NULL, NULL)",
        ),
        statement=f"{INTO} WHEN MATCHED AND s.id = 1 THEN UPDATE SET st = s.st"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, st STRUCT<y: INT, z: INT, x: INT>, o STRUCT<k: INT, n: INT>",
        rows="(1, NULL, NULL), (2, named_struct('y', NULL, 'z', 2, 'x', NULL), NULL),"
        " (3, NULL, NULL)",
    ),
    GoldenCase(
        title="a null struct that is cast to other types stays null",
        target=table(
            "id INT, st STRUCT<a: INT, b: INT>", "(1, named_struct('a', 1, 'b', 2)), (2, NULL)"
        ),
        source=table("id INT, st STRUCT<b: BIGINT, a: BIGINT>", "(1, NULL), (2, NULL), (3, NULL)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, NULL), (2, NULL), (3, NULL)",
    ),
)
