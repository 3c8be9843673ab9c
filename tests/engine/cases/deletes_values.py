"""DELETE: conditions over values of every type, and the files that they are looked for in."""

from __future__ import annotations

from golden import DeleteRows, GoldenCase, table

LONG = "x" * 40

CASES = (
    GoldenCase(
        title="a delete of 0.0 takes -0.0 too, and no NaN",
        target=table(
            "id INT, x DOUBLE",
            "(1, 0.0D), (2, -0.0D), (3, 1.5D)",
            "(4, double('NaN')), (5, -0.0D), (6, NULL)",
        ),
        statement=DeleteRows("x = 0.0D"),
        rows="(3, 1.5D), (4, double('NaN')), (6, NULL)",
    ),
    GoldenCase(
        title="NaN is greater than any number to a delete",
        target=table(
            "id INT, x DOUBLE, y FLOAT",
            "(1, double('NaN'), 1.0), (2, double('Infinity'), 1.0)",
            "(3, 1.0D, float('NaN')), (4, 1.0D, float('-Infinity'))",
        ),
        statement=DeleteRows("x > double('Infinity') OR y = float('NaN')"),
        rows="(2, double('Infinity'), 1.0), (4, 1.0D, float('-Infinity'))",
    ),
    GoldenCase(
        title="a delete tells timestamps apart by their microseconds",
        target=table(
            "id INT, at TIMESTAMP",
            "(1, TIMESTAMP'2026-01-01 10:00:00.000999'), (2, TIMESTAMP'2026-01-01 10:00:00')",
            "(3, TIMESTAMP'1969-12-31 23:59:59.999999'), (4, NULL)",
        ),
        statement=DeleteRows(
            "at > TIMESTAMP'2026-01-01 10:00:00.000998' OR at < TIMESTAMP'1970-01-01 00:00:00'"
        ),
        rows="(2, TIMESTAMP'2026-01-01 10:00:00'), (4, NULL)",
    ),
    GoldenCase(
        title="a delete compares dates with timestamps and decimals with numbers",
        target=table(
            "id INT, d DATE, n DECIMAL(10,2)",
            "(1, DATE'2026-01-01', 1.50), (2, DATE'2026-01-02', 2.50)",
            "(3, DATE'2026-01-01', 2.50), (4, NULL, 1.50)",
        ),
        statement=DeleteRows("d < TIMESTAMP'2026-01-01 12:00:00' AND n >= 1.5D"),
        rows="(2, DATE'2026-01-02', 2.50), (4, NULL, 1.50)",
    ),
    GoldenCase(
        title="a delete compares text with numbers by the number",
        target=table("v STRING, id INT", "('01', 1), ('1', 2)", "('2', 3), (' 1 ', 4)"),
        statement=DeleteRows("v = 1"),
        rows="('2', 3)",
    ),
    GoldenCase(
        title="a delete finds long texts that differ at their end",
        target=table("id INT, v STRING", f"(1, '{LONG}1'), (2, '{LONG}2')", f"(3, '{LONG}3')"),
        statement=DeleteRows(f"v >= '{LONG}2'"),
        rows=f"(1, '{LONG}1')",
    ),
    GoldenCase(
        title="a delete compares a char without its padding",
        target=table("id INT, c CHAR(4), v VARCHAR(4)", "(1, 'ab', 'ab'), (2, 'abc', 'ab ')"),
        statement=DeleteRows("c = 'ab' OR v = 'ab '"),
    ),
    GoldenCase(
        title="a delete reads fields, elements and keys",
        target=table(
            "id INT, st STRUCT<a: INT, b: STRUCT<c: STRING>>, l ARRAY<INT>, m MAP<STRING, INT>",
            "(1, named_struct('a', 1, 'b', named_struct('c', 'x')), array(1, 2), map('k', 1)),"
            " (2, named_struct('a', 2, 'b', NULL), array(3), map('k', 2))",
            "(3, NULL, NULL, NULL), (4, named_struct('a', 4, 'b', named_struct('c', 'y')),"
            " array(), map())",
        ),
        statement=DeleteRows("st.b.c = 'x' OR array_contains(l, 3) OR size(m) = 0"),
        rows="(3, NULL, NULL, NULL)",
    ),
    GoldenCase(
        title="a delete compares whole structs and binary values",
        target=table(
            "id INT, st STRUCT<a: INT, b: STRING>, x BINARY",
            "(1, named_struct('a', 1, 'b', 'x'), X'00'), (2, named_struct('a', 1, 'b', NULL),"
            " X'00FF')",
            "(3, NULL, X'')",
        ),
        statement=DeleteRows("st = named_struct('a', 1, 'b', 'x') OR x = X'00FF'"),
        rows="(3, NULL, X'')",
    ),
    GoldenCase(
        title="a delete by functions of columns",
        target=table("id INT, v STRING", "(1, 'abc'), (2, 'a')", "(3, 'b_c'), (4, NULL)"),
        statement=DeleteRows("v LIKE 'a%' AND length(v) > 1 OR v RLIKE '_c$' OR v LIKE '\\\\_%'"),
        rows="(2, 'a'), (4, NULL)",
    ),
    GoldenCase(
        title="a delete by the time that it is",
        target=table(
            "id INT, at TIMESTAMP",
            "(1, TIMESTAMP'2020-01-01 00:00:00'), (2, TIMESTAMP'9000-01-01 00:00:00')",
        ),
        statement=DeleteRows("at < current_timestamp() AND current_date() > DATE'2020-01-01'"),
        rows="(2, TIMESTAMP'9000-01-01 00:00:00')",
    ),
    GoldenCase(
        title="a delete by a value inside a variant",
        target=table(
            "id INT, j VARIANT",
            """(1, parse_json('{"k": 10}')), (2, parse_json('{"k": 20}'))""",
            "(3, NULL), (4, parse_json('null'))",
        ),
        statement=DeleteRows("variant_get(j, '$.k', 'int') > 10 OR is_variant_null(j)"),
        rows="""(1, parse_json('{"k": 10}')), (3, NULL)""",
    ),
    GoldenCase(
        title="a delete that compares without case",
        target=table("id INT, v STRING", "(1, 'AAA'), (2, 'b')", "(3, 'aab'), (4, 'aAa')"),
        statement=DeleteRows("v COLLATE UTF8_LCASE = 'aaa'"),
        rows="(2, 'b'), (3, 'aab')",
    ),
    GoldenCase(
        title="a delete by a char that its writer gave no blanks",
        target=table("c CHAR(5), v INT", "('q', 1)"),
        before=(
            "SET spark.sql.legacy.charVarcharAsString = true",
            "INSERT INTO {target} SELECT /*+ COALESCE(1) */ * FROM VALUES ('a', 2), ('b', 3)",
            "RESET spark.sql.legacy.charVarcharAsString",
        ),
        partition_by=(),
        statement=DeleteRows("c = 'b'"),
        rows="('q    ', 1), ('a    ', 2)",
        native_leaves="('q    ', 1), ('a    ', 2), ('b    ', 3)",
    ),
    GoldenCase(
        title="a delete by a column without a type",
        target=table("id INT, v VOID", "(1, NULL), (2, NULL)"),
        statement=DeleteRows("v IS NULL AND id = 1"),
        rows="(2, NULL)",
    ),
)
