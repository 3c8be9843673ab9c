"""UPDATE: values of every type, cast as they are assigned, and those that do not fit."""

from __future__ import annotations

from golden import GoldenCase, table, update

OVERFLOW = "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE"
LEGACY = (("spark.sql.storeAssignmentPolicy", "LEGACY"),)
STRICT = (("spark.sql.storeAssignmentPolicy", "STRICT"),)

CASES = (
    GoldenCase(
        title="an update casts numbers and text to the column's type",
        target=table(
            "id INT, a SMALLINT, b STRING, c DOUBLE, d DECIMAL(6,2)",
            "(1, 1, 'a', 1.5D, 1.00), (2, 2, 'b', 2.5D, 2.00)",
        ),
        statement=update(
            "id = 1", a="CAST(32767 AS BIGINT)", b="DATE'2026-02-03'", c="'2.25'", d="12.3456"
        ),
        rows="(1, 32767, '2026-02-03', 2.25D, 12.35), (2, 2, 'b', 2.5D, 2.00)",
    ),
    GoldenCase(
        title="comments in values and condition end with their line",
        target=table("id INT, n INT, v STRING", "(1, 10, 'a'), (3, 30, 'c')"),
        statement=update("id = 3 -- the third", n="n + 1 -- bump", v="'x' -- name"),
        rows="(1, 10, 'a'), (3, 31, 'x')",
    ),
    GoldenCase(
        title="an update computes in its own type before the cast",
        target=table("id INT, n INT", "(1, 7), (2, 8)"),
        statement=update(n="n / 2"),
        rows="(1, 3), (2, 4)",
    ),
    GoldenCase(
        title="an update that overflows its column fails",
        target=table("id INT, a SMALLINT", "(1, 1)", "(2, 2)"),
        statement=update("id = 2", a="id + 32767"),
        error=OVERFLOW,
    ),
    GoldenCase(
        title="a value that would overflow in a row that is not updated does no harm",
        target=table("id INT, a SMALLINT, n BIGINT", "(1, 1, 5), (2, 2, 50000)"),
        statement=update("n < 100", a="n"),
        rows="(1, 5, 5), (2, 2, 50000)",
    ),
    GoldenCase(
        title="an update to a decimal that does not fit fails",
        target=table("id INT, a DECIMAL(4,2)", "(1, 1.00)"),
        statement=update(a="id * 100.00"),
        error=OVERFLOW,
    ),
    GoldenCase(
        title="an update to text that is no number fails",
        target=table("id INT, n INT, v STRING", "(1, 1, '5'), (2, 2, 'five')"),
        statement=update(n="v"),
        partition_by=(),
        error="CAST_INVALID_INPUT",
    ),
    GoldenCase(
        title="an update that overflows before it is assigned fails by itself",
        target=table("id INT, n BIGINT", "(2147483647, 1)"),
        statement=update(n="id + 1"),
        error="ARITHMETIC_OVERFLOW",
    ),
    GoldenCase(
        title="an update to a type that nothing casts is refused",
        target=table("id INT, d DATE", "(1, DATE'2026-01-01')"),
        statement=update(d="true"),
        error="DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION",
    ),
    GoldenCase(
        title="an update under the legacy assignment makes nulls and wraps",
        target=table("id INT, a TINYINT, n INT, v STRING", "(1, 1, 1, 'seven')"),
        statement=update(a="257", n="v"),
        partition_by=(),
        conf=LEGACY,
        rows="(1, 1, NULL, 'seven')",
    ),
    GoldenCase(
        title="an update under the strict assignment refuses text for a number",
        target=table("id INT, n INT, v STRING", "(1, 1, '7')"),
        statement=update(n="v"),
        conf=STRICT,
        error="CANNOT_UP_CAST_DATATYPE",
    ),
    GoldenCase(
        title="an update pads a char and measures a varchar",
        target=table("id INT, c CHAR(4), v VARCHAR(3)", "(1, 'ab', 'xyz'), (2, 'abcd', 'q')"),
        statement=update("c = 'ab'", c="'cd'", v="'z'"),
        rows="(1, 'cd  ', 'z'), (2, 'abcd', 'q')",
    ),
    GoldenCase(
        title="an update to text that is longer than its varchar fails",
        target=table("id INT, v VARCHAR(3)", "(1, 'xyz')", "(2, 'q')"),
        statement=update(v="concat(v, 'r')"),
        error="DELTA_EXCEED_CHAR_VARCHAR_LIMIT",
    ),
    GoldenCase(
        title="an update to text that is longer than its char fails",
        target=table("id INT, c CHAR(2)", "(1, 'xy')"),
        statement=update("id = 1", c="'xyz'"),
        error="DELTA_EXCEED_CHAR_VARCHAR_LIMIT",
    ),
    GoldenCase(
        title="an update keeps NaN, -0.0 and infinity apart",
        target=table(
            "id INT, x DOUBLE, y FLOAT",
            "(1, 0.0D, 1.0), (2, double('NaN'), -0.0)",
            "(3, -0.0D, 3.0), (4, 4.0D, 4.0)",
        ),
        statement=update("x = 0.0D OR x = double('NaN')", x="-x", y="CAST(x AS FLOAT)"),
        rows="(1, -0.0D, 0.0), (2, double('NaN'), float('NaN')), (3, 0.0D, -0.0F), (4, 4.0D, 4.0)",
    ),
    GoldenCase(
        title="an update keeps the microseconds of a timestamp and the midnight of a date",
        target=table(
            "id INT, at TIMESTAMP, ntz TIMESTAMP_NTZ, d DATE",
            "(1, TIMESTAMP'2026-01-01 10:00:00.123456', TIMESTAMP_NTZ'2026-01-01 10:00:00', NULL)",
            "(2, TIMESTAMP'2026-01-02 10:00:00', NULL, DATE'2026-02-03')",
        ),
        statement=update(
            "id > 0",
            at="coalesce(d, at + INTERVAL 1 MICROSECOND)",
            ntz="at",
            d="at - INTERVAL 1 DAY",
        ),
        properties=(("delta.feature.timestampNtz", "supported"),),
        partition_by=(),
        rows="(1, TIMESTAMP'2026-01-01 10:00:00.123457',"
        " TIMESTAMP_NTZ'2026-01-01 10:00:00.123456', DATE'2025-12-31'),"
        " (2, TIMESTAMP'2026-02-03 00:00:00', TIMESTAMP_NTZ'2026-01-02 10:00:00',"
        " DATE'2026-01-01')",
    ),
    GoldenCase(
        title="an update to the time that it is",
        target=table("id INT, at TIMESTAMP, n INT", "(1, TIMESTAMP'2020-01-01 00:00:00', 0)"),
        statement=update(
            "at < current_timestamp()", n="CAST(current_timestamp() - at > INTERVAL 1 DAY AS INT)"
        ),
        partition_by=(),
        rows="(1, TIMESTAMP'2020-01-01 00:00:00', 1)",
    ),
    GoldenCase(
        title="an update sets binary and boolean values",
        target=table("id INT, x BINARY, b BOOLEAN", "(1, X'00', true), (2, NULL, NULL)"),
        statement=update("b IS NULL OR b", x="coalesce(x, X'FF')", b="x IS NULL"),
        rows="(1, X'00', false), (2, X'FF', true)",
    ),
    GoldenCase(
        title="an update sets a variant",
        target=table(
            "id INT, j VARIANT",
            """(1, parse_json('{"k": 10}')), (2, parse_json('{"k": 20}'))""",
            "(3, NULL)",
        ),
        statement=update("id = 3 OR variant_get(j, '$.k', 'int') = 10", j="parse_json('[1]')"),
        rows="""(1, parse_json('[1]')), (2, parse_json('{"k": 20}')), (3, parse_json('[1]'))""",
    ),
    GoldenCase(
        title="an update that compares without case",
        target=table("id INT, v STRING", "(1, 'AAA'), (2, 'b')", "(3, 'aAa')"),
        statement=update("v COLLATE UTF8_LCASE = 'aaa'", v="lower(v) COLLATE UNICODE_CI"),
        rows="(1, 'aaa'), (2, 'b'), (3, 'aaa')",
    ),
    GoldenCase(
        title="an update beside a column without a type",
        target=table("id INT, v VOID", "(1, NULL), (2, NULL)"),
        statement=update("v IS NULL AND id = 1", id="10"),
        rows="(10, NULL), (2, NULL)",
    ),
    GoldenCase(
        title="an update sets a column without a type to null",
        target=table("id INT, v VOID", "(1, NULL), (2, NULL)"),
        statement=update("id = 1", v="NULL", id="10"),
        rows="(10, NULL), (2, NULL)",
    ),
    GoldenCase(
        title="an update to more than a column without a type can hold is refused",
        target=table("id INT, v VOID", "(1, NULL)"),
        statement=update(v="id"),
        error="DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION",
    ),
)
