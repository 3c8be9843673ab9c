"""Writes that may add the source's columns to the table (merge_schema)."""

from __future__ import annotations

from golden import BY_TABLE, CHANGE_FEED, GoldenCase, WriteRows, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')")
WIDER = table("w INT, id INT, v STRING", "(20, 2, 'x'), (30, 3, 'y')")
GROWN = "id INT, v STRING, w INT"
MERGING = WriteRows(merge_schema=True)
AUTO_MERGE = (("spark.databricks.delta.schema.autoMerge.enabled", "true"),)
WIDENING = (("delta.enableTypeWidening", "true"),)
BY_NAME = (("delta.columnMapping.mode", "name"),)

CASES = (
    GoldenCase(
        title="merge_schema=False holds against the session's autoMerge",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING, w INT", "(2, 'b', 20)"),
        conf=AUTO_MERGE,
        deletion_vectors=False,
        partition_by=(),
        statement=WriteRows(merge_schema=False),
        error="DELTA_METADATA_MISMATCH",
    ),
    GoldenCase(
        title="without merge_schema the session's autoMerge adds columns",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING, w INT", "(2, 'b', 20)"),
        conf=AUTO_MERGE,
        statement=WriteRows(),
        rows="(1, 'a', NULL), (2, 'b', 20)",
        schema="id INT, v STRING, w INT",
    ),
    GoldenCase(
        title="an append adds new columns after the others",
        target=TARGET,
        source=WIDER,
        statement=MERGING,
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'b', NULL), (2, 'x', 20), (3, 'y', 30)",
    ),
    GoldenCase(
        title="an append adds a column and lacks another",
        target=TARGET,
        source=table("id INT, w INT", "(3, 30)"),
        partition_by=(),
        statement=MERGING,
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'b', NULL), (3, NULL, 30)",
    ),
    GoldenCase(
        title="an append of no rows adds its columns",
        target=TARGET,
        source=table("id INT, w INT"),
        partition_by=(),
        statement=MERGING,
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'b', NULL)",
    ),
    GoldenCase(
        title="a new column that the source declares NOT NULL may be null in old rows",
        target=TARGET,
        source=table("id INT, w INT NOT NULL", "(3, 30)"),
        partition_by=(),
        statement=MERGING,
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'b', NULL), (3, NULL, 30)",
    ),
    GoldenCase(
        title="a column in other letters is not a new one",
        target=TARGET,
        source=table("ID INT, V STRING", "(3, 'c')"),
        statement=MERGING,
        rows="(1, 'a'), (2, 'b'), (3, 'c')",
    ),
    GoldenCase(
        title="the writer's option mergeSchema adds columns too",
        target=TARGET,
        source=WIDER,
        statement=WriteRows(options=(("mergeSchema", "true"),)),
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'b', NULL), (2, 'x', 20), (3, 'y', 30)",
    ),
    GoldenCase(
        title="an append adds fields to structs, in arrays and maps too",
        target=table(
            "id INT, s STRUCT<a: INT>, l ARRAY<STRUCT<a: INT>>, m MAP<STRING, STRUCT<a: INT>>",
            "(1, named_struct('a', 1), array(named_struct('a', 2)),"
            " map('k', named_struct('a', 3)))",
        ),
        source=table(
            "id INT, s STRUCT<b: INT, a: INT>, l ARRAY<STRUCT<a: INT, b: INT>>,"
            " m MAP<STRING, STRUCT<a: INT, b: INT>>",
            "(2, named_struct('b', 10, 'a', 11), array(named_struct('a', 12, 'b', 13)),"
            " map('k', named_struct('a', 14, 'b', 15))), (3, NULL, array(NULL), map('k', NULL))",
        ),
        statement=MERGING,
        schema="id INT, s STRUCT<a: INT, b: INT>, l ARRAY<STRUCT<a: INT, b: INT>>,"
        " m MAP<STRING, STRUCT<a: INT, b: INT>>",
        rows="(1, named_struct('a', 1, 'b', NULL), array(named_struct('a', 2, 'b', NULL)),"
        " map('k', named_struct('a', 3, 'b', NULL))),"
        " (2, named_struct('a', 11, 'b', 10), array(named_struct('a', 12, 'b', 13)),"
        " map('k', named_struct('a', 14, 'b', 15))), (3, NULL, array(NULL), map('k', NULL))",
    ),
    GoldenCase(
        title="an overwrite adds new columns and keeps the old ones",
        target=TARGET,
        source=table("id INT, w INT", "(3, 30)"),
        partition_by=(),
        statement=WriteRows(mode="overwrite", merge_schema=True),
        schema=GROWN,
        rows="(3, NULL, 30)",
    ),
    GoldenCase(
        title="replace_where adds new columns",
        target=TARGET,
        source=WIDER,
        statement=WriteRows(mode="overwrite", replace_where="id >= 2", merge_schema=True),
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'y', 30)",
    ),
    GoldenCase(
        title="replace_where may not read a column that the write adds",
        target=TARGET,
        source=WIDER,
        partition_by=(),
        deletion_vectors=False,
        statement=WriteRows(mode="overwrite", replace_where="w > 10", merge_schema=True),
        error="UNRESOLVED_COLUMN.WITH_SUGGESTION",
    ),
    GoldenCase(
        title="a dynamic overwrite adds new columns",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, p STRING, w INT", "(3, 'b', 30)"),
        partition_by=("p",),
        statement=WriteRows(mode="overwrite", dynamic_partitions=True, merge_schema=True),
        schema="id INT, p STRING, w INT",
        rows="(1, 'a', NULL), (3, 'b', 30)",
    ),
    GoldenCase(
        title="replace_using adds new columns",
        target=TARGET,
        source=WIDER,
        statement=WriteRows(mode="overwrite", replace_using=("id",), merge_schema=True),
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'y', 30)",
    ),
    GoldenCase(
        title="replace_on may read a column that the write adds",
        target=TARGET,
        source=WIDER,
        statement=WriteRows(
            mode="overwrite",
            replace_on="t.id * 10 = s.w",
            target_alias="t",
            source_alias="s",
            merge_schema=True,
        ),
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'y', 30)",
    ),
    GoldenCase(
        title="an append widens columns in a table that allows it",
        target=table("id INT, n SMALLINT, d DECIMAL(5,2)", "(1, 1, 1.25)"),
        source=table("id INT, n INT, d DECIMAL(10,4)", "(2, 70000, 123456.1234)"),
        properties=WIDENING,
        statement=MERGING,
        schema="id INT, n INT, d DECIMAL(10,4)",
        rows="(1, 1, 1.2500), (2, 70000, 123456.1234)",
    ),
    GoldenCase(
        title="an append widens fields of structs and arrays in a table that allows it",
        target=table(
            "id INT, s STRUCT<a: SMALLINT>, l ARRAY<SMALLINT>",
            "(1, named_struct('a', 1), array(2))",
        ),
        source=table(
            "id INT, s STRUCT<a: INT>, l ARRAY<INT>", "(2, named_struct('a', 70000), array(70001))"
        ),
        properties=WIDENING,
        statement=MERGING,
        schema="id INT, s STRUCT<a: INT>, l ARRAY<INT>",
        rows="(1, named_struct('a', 1), array(2)), (2, named_struct('a', 70000), array(70001))",
    ),
    GoldenCase(
        title="an append without merge_schema widens no column",
        target=table("id INT, n SMALLINT", "(1, 1)"),
        source=table("id INT, n INT", "(2, 2)"),
        properties=WIDENING,
        name=BY_TABLE,
        statement=WriteRows(),
        rows="(1, 1), (2, 2)",
    ),
    GoldenCase(
        title="an append that may not widen casts, and refuses what does not fit",
        target=table("id INT, n SMALLINT", "(1, 1)"),
        source=table("id INT, n INT", "(2, 70000)"),
        name=BY_TABLE,
        statement=MERGING,
        error="CAST_OVERFLOW_IN_TABLE_INSERT",
    ),
    GoldenCase(
        title="an overwrite widens columns in a table that allows it",
        target=table("id INT, n SMALLINT", "(1, 1)"),
        source=table("id INT, n INT", "(2, 70000)"),
        properties=WIDENING,
        partition_by=(),
        statement=WriteRows(mode="overwrite", merge_schema=True),
        schema="id INT, n INT",
        rows="(2, 70000)",
    ),
    GoldenCase(
        title="replace_where widens columns in a table that allows it",
        target=table("id INT, n SMALLINT", "(1, 1), (2, 2)"),
        source=table("id INT, n INT", "(2, 70000)"),
        properties=WIDENING,
        partition_by=(),
        statement=WriteRows(mode="overwrite", replace_where="n >= 2", merge_schema=True),
        schema="id INT, n INT",
        rows="(1, 1), (2, 70000)",
    ),
    GoldenCase(
        title="an appended column that was dropped is a new one",
        target=table("id INT, v STRING, w INT", "(1, 'a', 10)"),
        before=("ALTER TABLE {target} DROP COLUMN w",),
        source=table("id INT, v STRING, w INT", "(2, 'b', 20)"),
        properties=BY_NAME,
        partition_by=(),
        statement=MERGING,
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'b', 20)",
    ),
    GoldenCase(
        title="the change feed of replaced rows has the added column",
        target=TARGET,
        source=WIDER,
        properties=CHANGE_FEED,
        statement=WriteRows(mode="overwrite", replace_where="id >= 2", merge_schema=True),
        schema=GROWN,
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'y', 30)",
        change_rows="(2, 'b', NULL, 'delete'), (2, 'x', 20, 'insert'), (3, 'y', 30, 'insert')",
    ),
)
