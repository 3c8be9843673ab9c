"""Schemas that grow in the merge that needs it."""

from __future__ import annotations

from golden import GoldenCase, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")
WIDER = table("id INT, v STRING, w INT", "(2, 'x', 20), (4, 'y', 40)")

CASES = (
    GoldenCase(
        title="new columns of the source are added",
        target=TARGET,
        source=WIDER,
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'c', NULL), (4, 'y', 40)",
    ),
    GoldenCase(
        title="the session may ask for evolution",
        target=TARGET,
        source=WIDER,
        conf=(("spark.databricks.delta.schema.autoMerge.enabled", "true"),),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'c', NULL), (4, 'y', 40)",
    ),
    GoldenCase(
        title="without evolution new columns are left out",
        target=TARGET,
        source=WIDER,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="columns that the source lacks keep their values",
        target=table("id INT, v STRING, w INT", "(1, 'a', 10), (2, 'b', 20)"),
        source=table("id INT, v STRING, new DOUBLE", "(2, 'x', 0.5), (3, 'y', 1.5)"),
        partition_by=(),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING, w INT, new DOUBLE",
        rows="(1, 'a', 10, NULL), (2, 'x', 20, 0.5), (3, 'y', NULL, 1.5)",
    ),
    GoldenCase(
        title="an insert-only merge evolves too",
        target=TARGET,
        source=WIDER,
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'b', NULL), (3, 'c', NULL), (4, 'y', 40)",
    ),
    GoldenCase(
        title="a column that an assignment names is added",
        target=TARGET,
        source=WIDER,
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET w = s.w",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'b', 20), (3, 'c', NULL)",
    ),
    GoldenCase(
        title="new fields of a struct are added",
        target=table("id INT, s STRUCT<a: INT>", "(1, named_struct('a', 1)), (2, NULL)"),
        source=table(
            "id INT, s STRUCT<a: INT, b: STRING>",
            "(1, named_struct('a', 10, 'b', 'x')), (3, named_struct('a', 30, 'b', 'y'))",
        ),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, s STRUCT<a: INT, b: STRING>",
        rows="(1, named_struct('a', 10, 'b', 'x')), (2, NULL),"
        " (3, named_struct('a', 30, 'b', 'y'))",
    ),
    GoldenCase(
        title="a type widens where the table allows it",
        target=table("id INT, n INT", "(1, 1), (2, 2)"),
        source=table("id INT, n BIGINT", "(2, 5000000000), (3, 3)"),
        properties=(("delta.enableTypeWidening", "true"),),
        partition_by=(),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, n BIGINT",
        rows="(1, 1), (2, 5000000000), (3, 3)",
    ),
    GoldenCase(
        title="evolution with nothing new in the source is a plain merge",
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x'), (4, 'y')"),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="an error leaves the schema as it was",
        target=TARGET,
        source=table("id INT, v STRING, w INT", "(2, 'x', 20), (2, 'y', 21)"),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
    ),
)
