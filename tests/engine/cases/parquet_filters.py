"""Rows that Spark's comparisons find, and Parquet's reader would leave out.

Two equal values are enough for a dictionary.
"""

from __future__ import annotations

from golden import DeleteRows, GoldenCase, WriteRows, table, update

UPSERT = (
    "MERGE INTO {target} t USING {source} s ON t.k = s.k"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)
WIDENING = (("delta.enableTypeWidening", "true"),)
ZEROS = table("k DOUBLE, v INT", "(-0.0D, 1), (-0.0D, 2)", "(5D, 3), (5D, 4)")
NARROW = table("k DECIMAL(5,2), v INT", "(1.00, 1), (900.25, 2), (1.00, 3)")
WIDENED = ("ALTER TABLE {target} ALTER COLUMN k TYPE DECIMAL(10,2)",)
BROKEN = "CAST(X'80' AS STRING)"
TEXTS = table("k STRING, v INT", f"({BROKEN}, 1), ({BROKEN}, 2), ('a', 3), ('a', 4)", "('b', 5)")
TIMES = table("k TIMESTAMP, v INT")
MILLISECONDS = (
    "SET spark.sql.parquet.outputTimestampType = TIMESTAMP_MILLIS",
    "INSERT INTO {target} SELECT /*+ COALESCE(1) */ * FROM VALUES"
    " (TIMESTAMP'2026-01-01 10:00:00.123', 1), (TIMESTAMP'2026-01-01 10:00:00.123', 2)",
    "RESET spark.sql.parquet.outputTimestampType",
)
JULIAN = (
    "SET spark.sql.parquet.datetimeRebaseModeInWrite = LEGACY",
    "INSERT INTO {target} SELECT /*+ COALESCE(1) */ * FROM VALUES"
    " (DATE'1582-10-15', 1), (DATE'1582-10-15', 2)",
    "RESET spark.sql.parquet.datetimeRebaseModeInWrite",
)
GAP = "DATE'1582-10-10'"
DATES = table("k DATE, v INT", f"({GAP}, 1), ({GAP}, 2)", "(DATE'1582-10-20', 3)")
LEFT = f"({GAP}, 1), ({GAP}, 2), (DATE'1582-10-20', 3)"
FOUND = f"({GAP}, 11), ({GAP}, 11), (DATE'1582-10-20', 3)"

CASES = (
    GoldenCase(
        title="a date between the calendars as a key",
        target=DATES,
        source=table("k DATE, v INT", f"({GAP}, 11)"),
        partition_by=(),
        statement=UPSERT,
        rows=FOUND,
    ),
    GoldenCase(
        title="a date between the calendars as a constant of the source, computed",
        target=DATES,
        partition_by=(),
        deletion_vectors=True,
        statement="MERGE INTO {target} t"
        " USING (SELECT make_date(1582, 10, 10) AS k, 11 AS v) s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows=FOUND,
        native_leaves=f"{LEFT}, ({GAP}, 11)",
    ),
    GoldenCase(
        title="a date between the calendars, of which none is inserted",
        target=DATES,
        source=table("k DATE, v INT", f"({GAP}, 11)"),
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.k <=> s.k"
        " WHEN NOT MATCHED THEN INSERT *",
        rows=LEFT,
        commits=False,
    ),
    GoldenCase(
        title="a date between the calendars that a merge asks for itself",
        target=DATES,
        source=table("k DATE, v INT", f"({GAP}, 11), (DATE'1582-10-20', 12)"),
        partition_by=(),
        deletion_vectors=True,
        statement="MERGE INTO {target} t USING {source} s"
        " ON t.k = s.k AND t.k >= DATE'1582-10-04' + INTERVAL 5 DAYS"
        " WHEN MATCHED AND s.v = 11 THEN UPDATE SET *",
        rows=FOUND,
        native_leaves=LEFT,
    ),
    GoldenCase(
        title="a delete of a date between the calendars",
        target=DATES,
        partition_by=(),
        statement=DeleteRows(f"k = {GAP}"),
        rows="(DATE'1582-10-20', 3)",
        native_leaves=LEFT,
    ),
    GoldenCase(
        title="an update of dates other than one between the calendars",
        target=table("k DATE, v INT", "(DATE'1582-10-15', 1), (DATE'1582-10-15', 2)"),
        partition_by=(),
        statement=update(f"k != {GAP}", v="-v"),
        rows="(DATE'1582-10-15', -1), (DATE'1582-10-15', -2)",
        native_leaves="(DATE'1582-10-15', 1), (DATE'1582-10-15', 2)",
    ),
    GoldenCase(
        title="an update after a date between the calendars, in a file by the older one",
        target=table("k DATE, v INT"),
        before=JULIAN,
        partition_by=(),
        statement=update(f"k > {GAP}", v="-v"),
        rows="(DATE'1582-10-15', -1), (DATE'1582-10-15', -2)",
        native_leaves="(DATE'1582-10-15', 1), (DATE'1582-10-15', 2)",
    ),
    GoldenCase(
        title="dates between the calendars give way where they are chosen",
        target=DATES,
        source=table("k DATE, v INT", "(DATE'1582-10-14', 11)"),
        partition_by=(),
        statement=WriteRows(
            mode="overwrite", replace_where="k BETWEEN DATE'1582-10-05' AND DATE'1582-10-14'"
        ),
        rows="(DATE'1582-10-14', 11), (DATE'1582-10-20', 3)",
        native_leaves=f"{LEFT}, (DATE'1582-10-14', 11)",
    ),
    GoldenCase(
        title="dates between the calendars give way to new ones",
        target=DATES,
        source=table("k DATE, v INT", f"({GAP}, 11)"),
        partition_by=(),
        statement=WriteRows(mode="overwrite", replace_using=("k",)),
        rows=f"({GAP}, 11), (DATE'1582-10-20', 3)",
    ),
    GoldenCase(
        title="a date between the calendars that no source row meets goes",
        target=DATES,
        source=table("v INT"),
        partition_by=(),
        deletion_vectors=True,
        statement="MERGE INTO {target} t USING {source} s ON t.v = s.v"
        f" WHEN NOT MATCHED BY SOURCE AND t.k <= {GAP} AND t.k >= {GAP} THEN DELETE",
        rows="(DATE'1582-10-20', 3)",
        native_leaves=LEFT,
    ),
    GoldenCase(
        title="0.0 meets -0.0 in a file with a dictionary",
        target=ZEROS,
        source=table("k DOUBLE, v INT", "(0.0D, 11), (6D, 16)"),
        partition_by=(),
        statement=UPSERT,
        rows="(0.0D, 11), (0.0D, 11), (5D, 3), (5D, 4), (6D, 16)",
    ),
    GoldenCase(
        title="-0.0 meets 0.0 in a file with a dictionary, and nothing is inserted",
        target=table("k FLOAT, v INT", "(0.0F, 1), (0.0F, 2)"),
        source=table("k FLOAT, v INT", "(-0.0F, 11)"),
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.k <=> s.k"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(0.0F, 1), (0.0F, 2)",
        commits=False,
    ),
    GoldenCase(
        title="a delete of 0.0 finds -0.0",
        target=ZEROS,
        partition_by=(),
        statement=DeleteRows("k = 0.0D"),
        rows="(5D, 3), (5D, 4)",
        native_leaves="(-0.0D, 1), (-0.0D, 2), (5D, 3), (5D, 4)",
    ),
    GoldenCase(
        title="an update of some numbers, 0.0 among them, finds -0.0",
        target=ZEROS,
        partition_by=(),
        statement=update("k IN (0.0D, 7D)", v="-v"),
        rows="(-0.0D, -1), (-0.0D, -2), (5D, 3), (5D, 4)",
        native_leaves="(-0.0D, 1), (-0.0D, 2), (5D, 3), (5D, 4)",
    ),
    GoldenCase(
        title="rows with -0.0 give way where 0.0 does",
        target=ZEROS,
        source=table("k DOUBLE, v INT", "(0.0D, 11)"),
        partition_by=(),
        statement=WriteRows(mode="overwrite", replace_where="k = 0.0D"),
        rows="(0.0D, 11), (5D, 3), (5D, 4)",
        native_leaves="(-0.0D, 1), (-0.0D, 2), (0.0D, 11), (5D, 3), (5D, 4)",
    ),
    GoldenCase(
        title="rows with -0.0 give way to those with 0.0",
        target=ZEROS,
        source=table("k DOUBLE, v INT", "(0.0D, 11)"),
        partition_by=(),
        statement=WriteRows(mode="overwrite", replace_using=("k",)),
        rows="(0.0D, 11), (5D, 3), (5D, 4)",
    ),
    GoldenCase(
        title="a decimal key that a file's narrower type does not hold",
        target=NARROW,
        before=WIDENED,
        source=table("k DECIMAL(10,2), v INT", "(900.25, 12), (30000000.00, 14)"),
        properties=WIDENING,
        partition_by=(),
        statement=UPSERT,
        schema="k DECIMAL(10,2), v INT",
        rows="(1.00, 1), (900.25, 12), (1.00, 3), (30000000.00, 14)",
    ),
    GoldenCase(
        title="a delete below a decimal that a file's narrower type does not hold",
        target=NARROW,
        before=WIDENED,
        properties=WIDENING,
        partition_by=(),
        statement=DeleteRows("k < 30000000.00 AND v < 3"),
        schema="k DECIMAL(10,2), v INT",
        rows="(1.00, 3)",
        native_leaves="(1.00, 1), (900.25, 2), (1.00, 3)",
    ),
    GoldenCase(
        title="a delete below a decimal of more bytes than a file has for it",
        target=table("k DECIMAL(20,2), v INT", "(1.00, 1), (900.25, 2)"),
        before=("ALTER TABLE {target} ALTER COLUMN k TYPE DECIMAL(38,2)",),
        properties=WIDENING,
        partition_by=(),
        statement=DeleteRows("k < CAST('1e35' AS DECIMAL(38,2)) AND v = 1"),
        schema="k DECIMAL(38,2), v INT",
        rows="(900.25, 2)",
        native_fails_with="FAILED_READ_FILE",
    ),
    GoldenCase(
        title="a text that is no UTF-8, as a constant of the source",
        target=TEXTS,
        partition_by=(),
        deletion_vectors=True,
        statement="MERGE INTO {target} t"
        f" USING (SELECT {BROKEN} AS k, 11 AS v) s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows=f"({BROKEN}, 11), ({BROKEN}, 11), ('a', 3), ('a', 4), ('b', 5)",
        native_leaves=f"({BROKEN}, 1), ({BROKEN}, 2), ({BROKEN}, 11), ('a', 3), ('a', 4), ('b', 5)",
    ),
    GoldenCase(
        title="a delete of a text that is no UTF-8",
        target=TEXTS,
        partition_by=(),
        statement=DeleteRows(f"k = {BROKEN}"),
        rows="('a', 3), ('a', 4), ('b', 5)",
        native_leaves=f"({BROKEN}, 1), ({BROKEN}, 2), ('a', 3), ('a', 4), ('b', 5)",
    ),
    GoldenCase(
        title="a delete below a time between two milliseconds, of a file that has no others",
        target=TIMES,
        before=MILLISECONDS,
        partition_by=(),
        statement=DeleteRows("k < TIMESTAMP'2026-01-01 10:00:00.1235' AND v = 1"),
        rows="(TIMESTAMP'2026-01-01 10:00:00.123', 2)",
        native_leaves="(TIMESTAMP'2026-01-01 10:00:00.123', 1),"
        " (TIMESTAMP'2026-01-01 10:00:00.123', 2)",
    ),
    GoldenCase(
        title="a row with -0.0 that no source row meets goes where 0.0 does",
        target=table("k INT, d DOUBLE", "(1, -0.0D), (2, -0.0D), (5, 5D)"),
        source=table("k INT"),
        partition_by=(),
        deletion_vectors=True,
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN NOT MATCHED BY SOURCE AND t.d = 0.0D THEN DELETE",
        rows="(5, 5D)",
        native_leaves="(1, -0.0D), (2, -0.0D), (5, 5D)",
    ),
)
