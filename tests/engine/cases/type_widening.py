"""Columns that widen in a table that allows it, while the schema evolves."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, table

WIDENING = (("delta.enableTypeWidening", "true"),)
INTO = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
UPSERT = f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
AUTOMATIC = "spark.databricks.delta.typeWidening.allowAutomaticWidening"
SMALL = table("id INT, a SMALLINT, b SMALLINT", "(1, 10, 11), (2, 20, 21)")
LARGE = table("id INT, a INT, b INT", "(2, 22, 23), (3, 33, 34)")

CASES = (
    GoldenCase(
        title="every whole number widens to a wider one",
        target=table(
            "id INT, a TINYINT, b TINYINT, c SMALLINT, d SMALLINT, e INT",
            "(1, -128, 127, -32768, 32767, -2147483648), (2, 2, 2, 2, 2, 2), (9, NULL, 9, 9, 9, 9)",
        ),
        source=table(
            "id INT, a SMALLINT, b INT, c INT, d BIGINT, e BIGINT",
            "(2, 32767, 2147483647, -2147483648, 9223372036854775807, -9223372036854775808),"
            " (3, NULL, NULL, NULL, NULL, NULL)",
        ),
        properties=WIDENING,
        partition_by=(),
        statement=UPSERT,
        schema="id INT, a SMALLINT, b INT, c INT, d BIGINT, e BIGINT",
        rows="(1, -128, 127, -32768, 32767, -2147483648),"
        " (2, 32767, 2147483647, -2147483648, 9223372036854775807, -9223372036854775808),"
        " (3, NULL, NULL, NULL, NULL, NULL), (9, NULL, 9, 9, 9, 9)",
    ),
    GoldenCase(
        title="floats, dates and decimals widen",
        target=table(
            "id INT, a FLOAT, b DATE, c DECIMAL(9,2), d DECIMAL(8,2), e DECIMAL(9,2)",
            "(1, float('NaN'), DATE'1312-02-27', 1.23, 10.34, NULL),"
            " (2, 0.5, DATE'2024-02-29', 2.00, 2.00, 2.00)",
        ),
        source=table(
            "id INT, a DOUBLE, b TIMESTAMP_NTZ, c DECIMAL(18,2), d DECIMAL(9,3), e DECIMAL(19,3)",
            "(2, 0.1D, TIMESTAMP_NTZ'2026-01-01 10:00:00.123456', 9999999999999999.99, 999999.999,"
            " 9999999999999999.999)",
        ),
        properties=(*WIDENING, ("delta.feature.timestampNtz", "supported")),
        statement=UPSERT,
        schema="id INT, a DOUBLE, b TIMESTAMP_NTZ, c DECIMAL(18,2), d DECIMAL(9,3), e"
        " DECIMAL(19,3)",
        rows="(1, double('NaN'), TIMESTAMP_NTZ'1312-02-27 00:00:00', 1.23, 10.340, NULL),"
        " (2, 0.1D, TIMESTAMP_NTZ'2026-01-01 10:00:00.123456', 9999999999999999.99, 999999.999,"
        " 9999999999999999.999)",
    ),
    GoldenCase(
        title="whole numbers widen to doubles and decimals",
        target=table(
            "id INT, a INT, b TINYINT, c SMALLINT, d INT, e BIGINT",
            "(1, 2147483647, -128, 32767, -2147483648, 9223372036854775807), (2, 2, 2, 2, 2, 2)",
        ),
        source=table(
            "id INT, a DOUBLE, b DECIMAL(10,0), c DECIMAL(10,0), d DECIMAL(10,0), e DECIMAL(20,0)",
            "(2, -0.5D, 9999999999, 5, 6, 99999999999999999999)",
        ),
        properties=WIDENING,
        statement=UPSERT,
        schema="id INT, a DOUBLE, b DECIMAL(10,0), c DECIMAL(10,0), d DECIMAL(10,0),"
        " e DECIMAL(20,0)",
        rows="(1, 2147483647.0D, -128, 32767, -2147483648, 9223372036854775807),"
        " (2, -0.5D, 9999999999, 5, 6, 99999999999999999999)",
    ),
    GoldenCase(
        title="whole numbers stay whole where the session widens within a family",
        target=table("id INT, a SMALLINT, b SMALLINT", "(1, 1, 1), (2, 2, 2)"),
        source=table("id INT, a INT, b DOUBLE", "(2, 70000, 3.0D)"),
        properties=WIDENING,
        partition_by=(),
        conf=((AUTOMATIC, "same_family_type"),),
        statement=UPSERT,
        schema="id INT, a INT, b SMALLINT",
        rows="(1, 1, 1), (2, 70000, 3)",
    ),
    GoldenCase(
        title="nothing widens where the session forbids it",
        target=SMALL,
        source=LARGE,
        properties=WIDENING,
        conf=((AUTOMATIC, "never"),),
        statement=UPSERT,
        rows="(1, 10, 11), (2, 22, 23), (3, 33, 34)",
    ),
    GoldenCase(
        title="nothing widens in a table that does not allow it",
        target=SMALL,
        source=LARGE,
        statement=UPSERT,
        rows="(1, 10, 11), (2, 22, 23), (3, 33, 34)",
    ),
    GoldenCase(
        title="nothing widens without evolution",
        target=SMALL,
        source=LARGE,
        properties=WIDENING,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 10, 11), (2, 22, 23), (3, 33, 34)",
    ),
    GoldenCase(
        title="a value too wide for a column that does not widen fails",
        target=table("id INT, a SMALLINT", "(1, 1)"),
        source=table("id INT, a INT", "(1, 70000)"),
        properties=WIDENING,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="narrower types of the source change no column",
        target=table(
            "id INT, a INT, b BIGINT, c DOUBLE, d DECIMAL(9,2), e TIMESTAMP_NTZ",
            "(1, 1, 1, 1.5D, 1.25, TIMESTAMP_NTZ'2026-01-01 10:00:00')",
        ),
        source=table(
            "id INT, a TINYINT, b INT, c FLOAT, d DECIMAL(8,1), e DATE",
            "(1, 2, 3, 0.5, 4.5, DATE'2026-02-02')",
        ),
        properties=WIDENING,
        statement=UPSERT,
        rows="(1, 2, 3, 0.5D, 4.50, TIMESTAMP_NTZ'2026-02-02 00:00:00')",
    ),
    GoldenCase(
        title="decimals that would lose digits before the point do not widen",
        target=table(
            "id INT, a DECIMAL(9,2), b DECIMAL(9,2), c DECIMAL(18,2), d TINYINT",
            "(1, 1.25, 1.25, 1.25, 1)",
        ),
        source=table(
            "id INT, a DECIMAL(9,3), b DECIMAL(10,4), c DECIMAL(12,1), d DECIMAL(2,0)",
            "(1, 2.125, 3.1250, 4.5, 5)",
        ),
        properties=WIDENING,
        statement=UPSERT,
        rows="(1, 2.13, 3.13, 4.50, 5)",
    ),
    GoldenCase(
        title="an assignment widens the column that it names, and no other",
        target=SMALL,
        source=LARGE,
        properties=WIDENING,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET a = s.a + 100000",
        schema="id INT, a INT, b SMALLINT",
        rows="(1, 10, 11), (2, 100022, 21)",
    ),
    GoldenCase(
        title="an insert widens the column that it names, and no other",
        target=SMALL,
        source=LARGE,
        properties=WIDENING,
        partition_by=(),
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (id, b) VALUES (s.id, s.b)",
        schema="id INT, a SMALLINT, b INT",
        rows="(1, 10, 11), (2, 20, 21), (3, NULL, 34)",
    ),
    GoldenCase(
        title="fields of structs, elements of arrays and values of maps widen",
        target=table(
            "id INT, st STRUCT<a: SMALLINT>, l ARRAY<SMALLINT>, m MAP<STRING, SMALLINT>,"
            " f STRUCT<a: SMALLINT, b: SMALLINT>",
            "(1, named_struct('a', 1), array(2), map('k', 3), named_struct('a', 4, 'b', 5)),"
            " (2, named_struct('a', 6), array(7), map('k', 8), named_struct('a', 9, 'b', 10))",
        ),
        source=table(
            "id INT, st STRUCT<a: INT>, l ARRAY<INT>, m MAP<STRING, INT>, f STRUCT<a: INT, b: INT>",
            "(2, named_struct('a', 70001), array(70002), map('k', 70003),"
            " named_struct('a', 70004, 'b', 70005))",
        ),
        properties=WIDENING,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET st = s.st, l = s.l, m = s.m,"
        " f.a = s.f.a + 1",
        schema="id INT, st STRUCT<a: INT>, l ARRAY<INT>, m MAP<STRING, INT>,"
        " f STRUCT<a: INT, b: SMALLINT>",
        rows="(1, named_struct('a', 1), array(2), map('k', 3), named_struct('a', 4, 'b', 5)),"
        " (2, named_struct('a', 70001), array(70002), map('k', 70003),"
        " named_struct('a', 70005, 'b', 10))",
    ),
    GoldenCase(
        title="the key itself widens",
        target=table("id SMALLINT, v STRING", "(1, 'a')", "(2, 'b')"),
        source=table("id INT, v STRING", "(2, 'x'), (70000, 'y')"),
        properties=WIDENING,
        partition_by=(),
        statement=UPSERT,
        schema="id INT, v STRING",
        rows="(1, 'a'), (2, 'x'), (70000, 'y')",
    ),
    GoldenCase(
        title="a column that widened before is found in files of both types",
        target=table("id SMALLINT, v STRING", "(1, 'a')", "(2, 'b')"),
        before=(
            "ALTER TABLE {target} ALTER COLUMN id TYPE INT",
            "INSERT INTO {target} VALUES (70000, 'c')",
        ),
        source=table("id INT, v STRING", "(1, 'x'), (70000, 'y'), (70001, 'z')"),
        properties=WIDENING,
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING",
        rows="(1, 'x'), (2, 'b'), (70000, 'y'), (70001, 'z')",
    ),
    GoldenCase(
        title="a column widens and the change feed has both images in the wider type",
        target=table("id INT, n INT", "(1, 1), (2, 2)"),
        source=table("id INT, n BIGINT", "(2, 5000000000), (3, 3)"),
        properties=(*WIDENING, *CHANGE_FEED),
        partition_by=(),
        statement=UPSERT,
        schema="id INT, n BIGINT",
        rows="(1, 1), (2, 5000000000), (3, 3)",
        change_rows="(2, 2, 'update_preimage'), (2, 5000000000, 'update_postimage'),"
        " (3, 3, 'insert')",
    ),
)
