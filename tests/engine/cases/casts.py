"""Values that change type on their way into the target, and those that do not fit."""

from __future__ import annotations

from golden import GoldenCase, table

CASES = (
    GoldenCase(
        title="narrower source types widen into the target's",
        target=table("id BIGINT, a DOUBLE, b DECIMAL(10,2)", "(1, 1.5, 2.50)"),
        source=table("id INT, a FLOAT, b DECIMAL(5,1)", "(1, 2.5, 3.5), (2, 0.25, 99.9)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 2.5, 3.50), (2, 0.25, 99.90)",
    ),
    GoldenCase(
        title="wider source values that fit are narrowed",
        target=table("id INT, a SMALLINT", "(1, 1)"),
        source=table("id BIGINT, a BIGINT", "(1, 32767), (2, -32768)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 32767), (2, -32768)",
    ),
    GoldenCase(
        title="an updated value that overflows fails and changes nothing",
        target=table("id INT, a SMALLINT", "(1, 1), (2, 2)"),
        source=table("id INT, a BIGINT", "(1, 5), (2, 32768)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="an inserted value that overflows fails and changes nothing",
        target=table("id INT, a SMALLINT", "(1, 1), (2, 2)"),
        source=table("id INT, a BIGINT", "(3, 5), (4, 32768)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="a value that overflows in a row that no clause writes does no harm",
        target=table("id INT, a SMALLINT", "(1, 1), (2, 2)"),
        source=table("id INT, a BIGINT", "(1, 5), (2, 32768), (3, 32768)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.a < 100 THEN UPDATE SET *"
        " WHEN NOT MATCHED AND s.a < 100 THEN INSERT *",
        rows="(1, 5), (2, 2)",
    ),
    GoldenCase(
        title="a decimal is rounded to the target's scale",
        target=table("id INT, a DECIMAL(6,2)", "(1, 1.00)"),
        source=table("id INT, a DECIMAL(10,4)", "(1, 12.3456), (2, 9999.9949)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 12.35), (2, 9999.99)",
    ),
    GoldenCase(
        title="a decimal that does not fit fails",
        target=table("id INT, a DECIMAL(4,2)", "(1, 1.00)"),
        source=table("id INT, a DECIMAL(10,2)", "(1, 100.00)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="text that is a number goes into a number",
        target=table("id INT, a INT", "(1, 1)"),
        source=table("id INT, a STRING", "(1, '42'), (2, ' 7 ')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 42), (2, 7)",
    ),
    GoldenCase(
        title="text that is no number fails",
        target=table("id INT, a INT", "(1, 1)"),
        source=table("id INT, a STRING", "(1, 'forty-two')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="CAST_INVALID_INPUT",
    ),
    GoldenCase(
        title="dates, timestamps and numbers become text",
        target=table("id INT, a STRING", "(1, 'a')"),
        source=table("id INT, d DATE, n DECIMAL(4,1)", "(1, DATE'2026-02-03', 1.5)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET a = s.d WHEN NOT MATCHED THEN INSERT (a) VALUES (s.n)",
        rows="(1, '2026-02-03')",
    ),
    GoldenCase(
        title="a date becomes the timestamp of its midnight",
        target=table("id INT, at TIMESTAMP", "(1, TIMESTAMP'2026-01-01 10:00:00')"),
        source=table("id INT, at DATE", "(1, DATE'2026-02-03')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, TIMESTAMP'2026-02-03 00:00:00')",
    ),
    GoldenCase(
        title="types that nothing casts are refused",
        target=table("id INT, a DATE", "(1, DATE'2026-01-01')"),
        source=table("id INT, a BOOLEAN", "(1, true)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION",
    ),
    GoldenCase(
        title="an expression is evaluated in its own type before the cast",
        target=table("id INT, a INT", "(1, 7), (2, 8)"),
        source=table("id INT, n INT", "(1, 2), (2, 3)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET a = t.a / s.n",
        rows="(1, 3), (2, 2)",
    ),
    GoldenCase(
        title="a division by zero under a cast fails as an overflow of the column",
        target=table("id INT, a INT", "(1, 7), (2, 8)"),
        source=table("id INT, n INT", "(1, 1), (2, 0)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET a = t.a / s.n",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="char and varchar are padded and measured",
        target=table("id INT, c CHAR(4), v VARCHAR(3)", "(1, 'ab', 'xyz')"),
        source=table("id INT, c STRING, v STRING", "(1, 'cd', 'q'), (2, 'abcd', 'abc')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'cd  ', 'q'), (2, 'abcd', 'abc')",
    ),
    GoldenCase(
        title="text that is longer than its varchar fails",
        target=table("id INT, v VARCHAR(3)", "(1, 'xyz')"),
        source=table("id INT, v STRING", "(1, 'four')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_EXCEED_CHAR_VARCHAR_LIMIT",
    ),
    GoldenCase(
        title="an overflow inside a struct fails",
        target=table("id INT, st STRUCT<a: INT>", "(1, named_struct('a', 1))"),
        source=table("id INT, st STRUCT<a: BIGINT>", "(1, named_struct('a', 5000000000))"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="an overflow inside an array fails",
        target=table("id INT, l ARRAY<INT>", "(1, array(1))"),
        source=table("id INT, l ARRAY<BIGINT>", "(2, array(1, 5000000000))"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="an overflow inside a map fails",
        target=table("id INT, m MAP<STRING, INT>", "(1, map('k', 1))"),
        source=table("id INT, m MAP<STRING, BIGINT>", "(1, map('k', 5000000000))"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="a by-source value that overflows fails",
        target=table("id INT, a TINYINT, b BIGINT", "(1, 1, 1), (2, 2, 2)"),
        source=table("id INT", "(1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET a = t.b + 127",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="a double too large for a bigint fails",
        target=table("id INT, a BIGINT", "(1, 1)"),
        source=table("id INT, a DOUBLE", "(2, 12345678901234567890D)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="a bigint too large for a decimal fails",
        target=table("id INT, a DECIMAL(7,2)", "(1, 1.00)"),
        source=table("id INT, a BIGINT", "(1, 100000)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="a key and a value through casts of their own",
        target=table("id INT, v INT", "(1, 4), (2, 2)"),
        source=table("id INT, v STRING", "(1, '5'), (3, '9'), (4, 'a')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET id = 33 + CAST(t.id AS DOUBLE), v = '20'"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES ('44', try_cast(s.v AS DOUBLE) + 10)",
        rows="(34, 20), (2, 2), (44, 19), (44, NULL)",
    ),
)
