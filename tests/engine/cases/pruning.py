"""Statistics that say less than the rows do: a file may only be left out when it is safe."""

from __future__ import annotations

from golden import DeleteRows, GoldenCase, table

UPSERT = (
    "MERGE INTO {target} t USING {source} s ON t.k = s.k"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)
NARROWED = (
    "MERGE INTO {target} t USING {source} s ON CAST(t.k AS INT) = s.k"
    " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *"
)
WIDENING = (("delta.enableTypeWidening", "true"),)
WIDENED = ("ALTER TABLE {target} ALTER COLUMN k TYPE DOUBLE",)
WITHOUT_ANSI = (("spark.sql.ansi.enabled", "false"),)
LONG = "an address that is longer than the thirty-two characters of a statistic: "

CASES = (
    GoldenCase(
        title="text keys that differ beyond the statistics' prefix",
        target=table("k STRING, v INT", f"('{LONG}1', 1), ('{LONG}2', 2)", f"('{LONG}7', 7)"),
        source=table("k STRING, v INT", f"('{LONG}2', 12), ('{LONG}7', 17), ('{LONG}9', 19)"),
        statement=UPSERT,
        rows=f"('{LONG}1', 1), ('{LONG}2', 12), ('{LONG}7', 17), ('{LONG}9', 19)",
    ),
    GoldenCase(
        title="text keys of the highest characters, whose maximum cannot be shortened",
        target=table(
            "k STRING, v INT",
            "(repeat('\U0010ffff', 40), 1), (repeat('\uffff', 40), 2)",
            "('a', 3)",
        ),
        source=table("k STRING, v INT", "(repeat('\U0010ffff', 40), 11), ('b', 14)"),
        statement=UPSERT,
        rows="(repeat('\U0010ffff', 40), 11), (repeat('\uffff', 40), 2), ('a', 3), ('b', 14)",
    ),
    GoldenCase(
        title="text keys sort by bytes, not by Java's characters",
        target=table("k STRING, v INT", "('\uff5e', 1)", "('\U0001f600', 2)", "('a', 3)"),
        source=table("k STRING, v INT", "('\uff5e', 11), ('\U0001f600', 12)"),
        statement=UPSERT,
        rows="('\uff5e', 11), ('\U0001f600', 12), ('a', 3)",
    ),
    GoldenCase(
        title="a text key that is no UTF-8, which no statistics keep as it is",
        target=table("k STRING, v INT", "(CAST(X'80' AS STRING), 1)", "('b', 2)"),
        source=table("k STRING, v INT", "(CAST(X'80' AS STRING), 11), ('a', 13), ('é', 14)"),
        statement=UPSERT,
        rows="(CAST(X'80' AS STRING), 11), ('b', 2), ('a', 13), ('é', 14)",
    ),
    GoldenCase(
        title="a partition by text that is no UTF-8",
        target=table("k STRING, v INT", "(CAST(X'80' AS STRING), 1), ('b', 2)"),
        source=table("k STRING, v INT", "(CAST(X'80' AS STRING), 11)"),
        statement=UPSERT,
        rows="(CAST(X'80' AS STRING), 11), ('b', 2)",
    ),
    GoldenCase(
        title="a file with a text that is no UTF-8 below another, which its minimum then hides",
        target=table("k STRING, v INT", "('é', 1), (CAST(X'80' AS STRING), 2)", "('b', 3)"),
        source=table("k STRING, v INT", "('é', 11), ('è', 14)"),
        partition_by=(),
        statement=UPSERT,
        rows="('é', 11), (CAST(X'80' AS STRING), 2), ('b', 3), ('è', 14)",
    ),
    GoldenCase(
        title="a file with a text that is no UTF-8 above another, which its maximum then hides",
        target=table(
            "k STRING, v INT", "('\U0001f600', 1), (CAST(X'FF' AS STRING), 2)", "('b', 3)"
        ),
        source=table("k STRING, v INT", "('\U0001f600', 11), ('\U0001f601', 14)"),
        partition_by=(),
        statement=UPSERT,
        rows="('\U0001f600', 11), (CAST(X'FF' AS STRING), 2), ('b', 3), ('\U0001f601', 14)",
    ),
    GoldenCase(
        title="a text that is no UTF-8 in a column that the condition writes in other letters",
        target=table("Name STRING, v INT", "('é', 1), (CAST(X'80' AS STRING), 2)"),
        source=table("k STRING, v INT", "('é', 11), ('è', 14)"),
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.NAME = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED THEN INSERT (name, v) VALUES (s.k, s.v)",
        rows="('é', 11), (CAST(X'80' AS STRING), 2), ('è', 14)",
    ),
    GoldenCase(
        title="a field with a text that is no UTF-8, in a struct and in other letters",
        target=table(
            "s STRUCT<a: INT, b: STRING>, v INT",
            "(struct(1, 'é'), 1), (struct(2, CAST(X'80' AS STRING)), 2)",
        ),
        partition_by=(),
        statement=DeleteRows("S.B = 'é'"),
        rows="(struct(2, CAST(X'80' AS STRING)), 2)",
        native_leaves="(struct(1, 'é'), 1), (struct(2, CAST(X'80' AS STRING)), 2)",
    ),
    GoldenCase(
        title="a double key of a file from before it widened, whose statistics are of floats",
        target=table("k FLOAT, v INT", "(0.1F, 1), (0.1F, 2)"),
        before=WIDENED,
        source=table("k DOUBLE, v INT", "(CAST(0.1F AS DOUBLE), 11), (0.5D, 14)"),
        properties=WIDENING,
        partition_by=(),
        statement=UPSERT,
        schema="k DOUBLE, v INT",
        rows="(CAST(0.1F AS DOUBLE), 11), (CAST(0.1F AS DOUBLE), 11), (0.5D, 14)",
    ),
    GoldenCase(
        title="a delete above a double, in a struct and a file from before it widened",
        target=table("s STRUCT<k: FLOAT>, v INT", "(struct(0.1F), 1)", "(struct(0.05F), 2)"),
        before=("ALTER TABLE {target} ALTER COLUMN s.k TYPE DOUBLE",),
        properties=WIDENING,
        partition_by=(),
        statement=DeleteRows("s.k > 0.1D"),
        schema="s STRUCT<k: DOUBLE>, v INT",
        rows="(struct(CAST(0.05F AS DOUBLE)), 2)",
        native_leaves="(struct(CAST(0.05F AS DOUBLE)), 2), (struct(CAST(0.1F AS DOUBLE)), 1)",
    ),
    GoldenCase(
        title="a cast that narrows makes one key of distant values",
        target=table("k BIGINT, v STRING", "(4294967297, 'a')", "(2, 'b')"),
        source=table("k INT, v STRING", "(1, 'x'), (3, 'y')"),
        conf=WITHOUT_ANSI,
        statement=NARROWED,
        rows="(4294967297, 'x'), (2, 'b'), (3, 'y')",
    ),
    GoldenCase(
        title="a cast that narrows fails at a value which does not fit",
        target=table("k BIGINT, v STRING", "(4294967297, 'a')", "(2, 'b')"),
        source=table("k INT, v STRING", "(1, 'x'), (3, 'y')"),
        statement=NARROWED,
        error="CAST_OVERFLOW",
    ),
    GoldenCase(
        title="a value that does not fit a narrower type is null, and equals null",
        target=table("k BIGINT, v STRING", "(4294967297, 'a')", "(2, 'b')"),
        source=table("k INT, v STRING", "(NULL, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON try_cast(t.k AS INT) <=> s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
        rows="(4294967297, 'x'), (2, 'b'), (3, 'y')",
    ),
    GoldenCase(
        title="timestamps below the statistics' millisecond",
        target=table(
            "k TIMESTAMP, v INT",
            "(TIMESTAMP'2026-01-01 10:00:00.123456', 1)",
            "(TIMESTAMP'2026-01-01 10:00:00.123999', 2)",
            "(TIMESTAMP'2026-01-01 10:00:00.124', 3)",
        ),
        source=table(
            "k TIMESTAMP, v INT",
            "(TIMESTAMP'2026-01-01 10:00:00.123999', 12), (TIMESTAMP'2026-01-01 10:00:00.123', 19)",
        ),
        statement=UPSERT,
        rows="(TIMESTAMP'2026-01-01 10:00:00.123456', 1),"
        " (TIMESTAMP'2026-01-01 10:00:00.123999', 12),"
        " (TIMESTAMP'2026-01-01 10:00:00.124', 3), (TIMESTAMP'2026-01-01 10:00:00.123', 19)",
    ),
    GoldenCase(
        title="timestamps without a time zone",
        target=table(
            "k TIMESTAMP_NTZ, v INT",
            "(TIMESTAMP_NTZ'2026-01-01 10:00:00.123456', 1)",
            "(TIMESTAMP_NTZ'1969-12-31 23:59:59.999999', 2)",
        ),
        source=table(
            "k TIMESTAMP_NTZ, v INT",
            "(TIMESTAMP_NTZ'2026-01-01 10:00:00.123456', 11),"
            " (TIMESTAMP_NTZ'1969-12-31 23:59:59.999999', 12)",
        ),
        statement=UPSERT,
        rows="(TIMESTAMP_NTZ'2026-01-01 10:00:00.123456', 11),"
        " (TIMESTAMP_NTZ'1969-12-31 23:59:59.999999', 12)",
    ),
    GoldenCase(
        title="dates and timestamps far from today",
        target=table(
            "k DATE, at TIMESTAMP",
            "(DATE'0001-01-01', TIMESTAMP'1900-01-01 00:00:00')",
            "(DATE'9999-12-31', TIMESTAMP'9999-12-31 23:59:59.999999')",
        ),
        source=table(
            "k DATE, at TIMESTAMP",
            "(DATE'0001-01-01', TIMESTAMP'1950-01-01 00:00:00'), (DATE'1582-10-10', NULL),"
            " (DATE'9999-12-31', TIMESTAMP'2026-01-01 00:00:00')",
        ),
        statement=UPSERT,
        rows="(DATE'0001-01-01', TIMESTAMP'1950-01-01 00:00:00'), (DATE'1582-10-10', NULL),"
        " (DATE'9999-12-31', TIMESTAMP'2026-01-01 00:00:00')",
    ),
    GoldenCase(
        title="a key without statistics",
        target=table("k INT, v STRING", "(1, 'a')", "(50, 'b')"),
        source=table("k INT, v STRING", "(50, 'x'), (99, 'y')"),
        properties=(("delta.dataSkippingNumIndexedCols", "0"),),
        statement=UPSERT,
        rows="(1, 'a'), (50, 'x'), (99, 'y')",
    ),
    GoldenCase(
        title="statistics on another column than the key",
        target=table("k INT, v STRING", "(1, 'a')", "(50, 'b')"),
        source=table("k INT, v STRING", "(50, 'x'), (99, 'y')"),
        properties=(("delta.dataSkippingStatsColumns", "v"),),
        partition_by=(),
        statement=UPSERT,
        rows="(1, 'a'), (50, 'x'), (99, 'y')",
    ),
    GoldenCase(
        title="files with statistics beside files without",
        target=table("k INT, v STRING", "(1, 'a')", "(50, 'b')"),
        before=(
            "ALTER TABLE {target} SET TBLPROPERTIES ('delta.dataSkippingNumIndexedCols' = '0')",
            "INSERT INTO {target} VALUES (70, 'c')",
        ),
        source=table("k INT, v STRING", "(50, 'x'), (70, 'y')"),
        statement=UPSERT,
        rows="(1, 'a'), (50, 'x'), (70, 'y')",
    ),
    GoldenCase(
        title="a file whose keys are all null has no bounds",
        target=table("k INT, v STRING", "(NULL, 'm'), (NULL, 'n')", "(5, 'a')"),
        source=table("k INT, v STRING", "(5, 'x'), (6, 'y')"),
        statement=UPSERT,
        rows="(NULL, 'm'), (NULL, 'n'), (5, 'x'), (6, 'y')",
    ),
    GoldenCase(
        title="a column that was added later is null in older files",
        target=table("k INT, v STRING", "(1, 'a'), (2, 'b')"),
        before=(
            "ALTER TABLE {target} ADD COLUMNS (k2 INT)",
            "INSERT INTO {target} VALUES (3, 'c', 30)",
        ),
        source=table("k2 INT, v STRING", "(30, 'x'), (NULL, 'n')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k2 <=> s.k2 AND t.k > 1"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        schema="k INT, v STRING, k2 INT",
        rows="(1, 'a', NULL), (2, 'n', NULL), (3, 'x', 30)",
    ),
    GoldenCase(
        title="each part of a composite key lies in the file but the pair does not",
        target=table("a INT, b INT, v STRING", "(1, 9, 'p'), (9, 1, 'q')", "(5, 5, 'r')"),
        source=table("a INT, b INT, v STRING", "(1, 1, 'x'), (9, 1, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.a = s.a AND t.b = s.b"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 9, 'p'), (9, 1, 'y'), (5, 5, 'r'), (1, 1, 'x')",
    ),
    GoldenCase(
        title="the bounds of a file are keys themselves",
        target=table("k INT, v STRING", "(-2147483648, 'min'), (0, 'a')", "(2147483647, 'max')"),
        source=table("k INT, v STRING", "(-2147483648, 'x'), (2147483647, 'y')"),
        statement=UPSERT,
        rows="(-2147483648, 'x'), (0, 'a'), (2147483647, 'y')",
    ),
    GoldenCase(
        title="source keys lie in the gap between all files",
        target=table("k INT, v STRING", "(1, 'a'), (2, 'b')", "(8, 'c'), (9, 'd')"),
        source=table("k INT, v STRING", "(4, 'x'), (5, 'y')"),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'b'), (8, 'c'), (9, 'd'), (4, 'x'), (5, 'y')",
    ),
    GoldenCase(
        title="column mapping gives statistics other names",
        target=table("k INT, v STRING", "(1, 'a')", "(50, 'b')"),
        before=("ALTER TABLE {target} RENAME COLUMN v TO w",),
        properties=(("delta.columnMapping.mode", "name"),),
        source=table("k INT, w STRING", "(50, 'x'), (99, 'y')"),
        partition_by=(),
        statement=UPSERT,
        schema="k INT, w STRING",
        rows="(1, 'a'), (50, 'x'), (99, 'y')",
    ),
    GoldenCase(
        title="two columns have changed their names with each other",
        target=table("k INT, v INT", "(1, 100), (2, 200)", "(300, 3)"),
        before=(
            "ALTER TABLE {target} RENAME COLUMN k TO was_k",
            "ALTER TABLE {target} RENAME COLUMN v TO k",
            "ALTER TABLE {target} RENAME COLUMN was_k TO v",
        ),
        properties=(("delta.columnMapping.mode", "name"),),
        source=table("k INT, v INT", "(200, 22), (3, 33), (1, 11)"),
        partition_by=(),
        statement=UPSERT,
        schema="v INT, k INT",
        rows="(1, 100), (22, 200), (33, 3), (11, 1)",
    ),
)
