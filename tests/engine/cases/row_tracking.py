"""Tables that track rows: the same rows as ever, through every clause and on every route."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, table

TRACKED = (("delta.enableRowTracking", "true"),)
TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')")
SOURCE = table("id INT, v STRING", "(2, 'x'), (3, 'y'), (5, 'z')")
INTO = "MERGE INTO {target} t USING {source} s ON t.id = s.id"
UPSERT = f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"

CASES = (
    GoldenCase(
        title="an insert-only merge into a table that tracks rows",
        target=TARGET,
        source=SOURCE,
        properties=TRACKED,
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'z')",
    ),
    GoldenCase(
        title="an update in a table that tracks rows",
        target=TARGET,
        source=SOURCE,
        properties=TRACKED,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (2, 'x'), (3, 'y'), (4, 'd')",
    ),
    GoldenCase(
        title="a delete in a table that tracks rows",
        target=TARGET,
        source=SOURCE,
        properties=TRACKED,
        statement=f"{INTO} WHEN MATCHED THEN DELETE",
        rows="(1, 'a'), (4, 'd')",
    ),
    GoldenCase(
        title="clauses of every kind in a table that tracks rows",
        target=TARGET,
        source=SOURCE,
        properties=TRACKED,
        statement=f"{INTO} WHEN MATCHED AND s.id = 2 THEN UPDATE SET v = s.v"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN UPDATE SET v = 'old'"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="(1, 'old'), (2, 'x'), (5, 'z')",
    ),
    GoldenCase(
        title="a by-source delete in a table that tracks rows",
        target=TARGET,
        source=SOURCE,
        properties=TRACKED,
        statement=f"{INTO} WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="(2, 'b'), (3, 'c')",
    ),
    GoldenCase(
        title="a by-source update in a table that tracks rows",
        target=TARGET,
        source=SOURCE,
        properties=TRACKED,
        statement=f"{INTO} WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 'old'",
        rows="(1, 'old'), (2, 'b'), (3, 'c'), (4, 'old')",
    ),
    GoldenCase(
        title="several tracked rows match one source row and are updated",
        target=TARGET,
        before=("INSERT INTO {target} VALUES (2, 'second'), (3, 'second')",),
        source=SOURCE,
        properties=TRACKED,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET v = concat(t.v, '+')",
        rows="(1, 'a'), (2, 'b+'), (3, 'c+'), (4, 'd'), (2, 'second+'), (3, 'second+')",
    ),
    GoldenCase(
        title="several tracked rows match one source row and are deleted",
        target=TARGET,
        before=("INSERT INTO {target} VALUES (2, 'second'), (3, 'second')",),
        source=SOURCE,
        properties=TRACKED,
        statement=f"{INTO} WHEN MATCHED THEN DELETE",
        rows="(1, 'a'), (4, 'd')",
    ),
    GoldenCase(
        title="a table that tracks rows is merged into itself",
        target=TARGET,
        properties=TRACKED,
        statement="MERGE INTO {target} t USING (SELECT id, upper(v) AS v FROM {target}) s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'A'), (2, 'B'), (3, 'C'), (4, 'D')",
    ),
    GoldenCase(
        title="merge after merge in a table that tracks rows",
        target=TARGET,
        before=(
            "MERGE INTO {target} t USING (SELECT 2 AS id, 'once' AS v) s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "MERGE INTO {target} t USING (SELECT 6 AS id, 'once' AS v) s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        ),
        source=table("id INT, v STRING", "(2, 'twice'), (6, 'twice'), (7, 'new')"),
        properties=TRACKED,
        statement=UPSERT,
        rows="(1, 'a'), (2, 'twice'), (3, 'c'), (4, 'd'), (6, 'twice'), (7, 'new')",
    ),
    GoldenCase(
        title="row tracking turned on over the rows that are there",
        target=TARGET,
        before=("ALTER TABLE {target} SET TBLPROPERTIES ('delta.enableRowTracking' = 'true')",),
        source=SOURCE,
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'y'), (4, 'd'), (5, 'z')",
    ),
    GoldenCase(
        title="row tracking that is supported and not turned on",
        target=TARGET,
        source=SOURCE,
        properties=(("delta.feature.rowTracking", "supported"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'y'), (4, 'd'), (5, 'z')",
    ),
    GoldenCase(
        title="a struct grows in a table that tracks rows",
        target=table(
            "id INT, st STRUCT<a: INT, c: INT>",
            "(1, named_struct('a', 1, 'c', 10)), (2, named_struct('a', 2, 'c', 20))",
        ),
        source=table(
            "id INT, st STRUCT<a: INT, b: INT, c: INT>",
            "(1, named_struct('a', 11, 'b', 12, 'c', 13))",
        ),
        properties=TRACKED,
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        schema="id INT, st STRUCT<a: INT, c: INT, b: INT>",
        rows="(1, named_struct('a', 11, 'c', 13, 'b', 12)),"
        " (2, named_struct('a', 2, 'c', 20, 'b', NULL))",
    ),
    GoldenCase(
        title="a tracked row moves to another partition",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'a'), (3, 'b')"),
        source=table("id INT, p STRING", "(1, 'b'), (4, 'c')"),
        properties=TRACKED,
        partition_by=("p",),
        statement=UPSERT,
        rows="(1, 'b'), (2, 'a'), (3, 'b'), (4, 'c')",
    ),
    GoldenCase(
        title="optimized writes in a table that tracks rows",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'a')", "(3, 'a'), (4, 'a')"),
        source=table("id INT, p STRING", "(2, 'a'), (3, 'a'), (5, 'a')"),
        properties=(*TRACKED, ("delta.autoOptimize.optimizeWrite", "true")),
        partition_by=("p",),
        statement=f"{INTO} WHEN MATCHED AND s.id = 2 THEN UPDATE SET * WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="(2, 'a'), (5, 'a')",
    ),
    GoldenCase(
        title="row tracking beside the change feed",
        target=TARGET,
        source=table("id INT, v STRING", "(1, NULL), (3, 'y'), (5, 'z')"),
        properties=(*TRACKED, *CHANGE_FEED),
        statement=f"{INTO} WHEN MATCHED AND s.v IS NULL THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(2, 'b'), (3, 'y'), (4, 'd'), (5, 'z')",
        change_rows="(1, 'a', 'delete'), (3, 'c', 'update_preimage'),"
        " (3, 'y', 'update_postimage'), (5, 'z', 'insert')",
    ),
    GoldenCase(
        title="row tracking beside column mapping, after rows were deleted",
        target=TARGET,
        before=("DELETE FROM {target} WHERE id = 4",),
        source=SOURCE,
        properties=(*TRACKED, ("delta.columnMapping.mode", "name")),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'y'), (5, 'z')",
    ),
    GoldenCase(
        title="a source that reads the row ids of the target",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')"),
        properties=TRACKED,
        statement="MERGE INTO {target} t USING"
        " (SELECT id, _metadata.row_id AS row_id FROM {target} WHERE id > 1) s ON t.id = s.id"
        " WHEN MATCHED AND s.row_id IS NOT NULL THEN UPDATE SET v = concat(t.v, '!')",
        rows="(1, 'a'), (2, 'b!'), (3, 'c!')",
    ),
)
