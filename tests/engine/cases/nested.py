"""Structs, arrays and maps."""

from __future__ import annotations

from golden import GoldenCase, table

UPSERT = (
    "MERGE INTO {target} t USING {source} s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)

CASES = (
    GoldenCase(
        title="structs, arrays and maps are carried whole",
        target=table(
            "id INT, s STRUCT<a: INT, b: STRING>, l ARRAY<INT>, m MAP<STRING, INT>",
            "(1, named_struct('a', 1, 'b', 'x'), array(1, 2), map('k', 1)), (2, NULL, NULL, NULL)",
        ),
        source=table(
            "id INT, s STRUCT<a: INT, b: STRING>, l ARRAY<INT>, m MAP<STRING, INT>",
            "(1, named_struct('a', NULL, 'b', 'y'), array(NULL), map('q', NULL)),"
            " (3, named_struct('a', 3, 'b', 'z'), array(), map())",
        ),
        statement=UPSERT,
        rows="(1, named_struct('a', NULL, 'b', 'y'), array(NULL), map('q', NULL)),"
        " (2, NULL, NULL, NULL), (3, named_struct('a', 3, 'b', 'z'), array(), map())",
    ),
    GoldenCase(
        title="one field of a struct is updated",
        target=table(
            "id INT, s STRUCT<a: INT, b: STRUCT<c: INT, d: INT>>",
            "(1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', 3))),"
            " (2, named_struct('a', 4, 'b', named_struct('c', 5, 'd', 6)))",
        ),
        source=table("id INT, n INT", "(2, 50)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET t.s.b.c = s.n, t.s.a = t.s.b.d",
        rows="(1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', 3))),"
        " (2, named_struct('a', 6, 'b', named_struct('c', 50, 'd', 6)))",
    ),
    GoldenCase(
        title="updating a field of a null struct makes the struct",
        target=table(
            "id INT, s STRUCT<a: INT, b: INT>", "(1, NULL), (2, named_struct('a', 1, 'b', 2))"
        ),
        source=table("id INT, n INT", "(1, 7)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET t.s.a = s.n",
        rows="(1, named_struct('a', 7, 'b', NULL)), (2, named_struct('a', 1, 'b', 2))",
    ),
    GoldenCase(
        title="fields of a struct are found by name",
        target=table("id INT, s STRUCT<a: INT, b: INT>", "(1, named_struct('a', 1, 'b', 2))"),
        source=table("id INT, s STRUCT<b: INT, a: INT>", "(1, named_struct('b', 20, 'a', 10))"),
        statement=UPSERT,
        rows="(1, named_struct('a', 10, 'b', 20))",
    ),
    GoldenCase(
        title="fields of structs in an array are found by name",
        target=table(
            "id INT, l ARRAY<STRUCT<a: INT, b: INT>>", "(1, array(named_struct('a', 1, 'b', 2)))"
        ),
        source=table(
            "id INT, l ARRAY<STRUCT<b: INT, a: INT>>",
            "(1, array(named_struct('b', 20, 'a', 10), NULL)), (2, array())",
        ),
        statement=UPSERT,
        rows="(1, array(named_struct('a', 10, 'b', 20), NULL)), (2, array())",
    ),
    GoldenCase(
        title="numbers inside structs, arrays and maps are cast",
        target=table(
            "id INT, s STRUCT<a: BIGINT>, l ARRAY<DOUBLE>, m MAP<STRING, BIGINT>",
            "(1, named_struct('a', 1), array(1.5D), map('k', 1))",
        ),
        source=table(
            "id INT, s STRUCT<a: INT>, l ARRAY<INT>, m MAP<STRING, INT>",
            "(1, named_struct('a', 10), array(2, 3), map('k', 10)), (2, NULL, NULL, NULL)",
        ),
        statement=UPSERT,
        rows="(1, named_struct('a', 10), array(2.0D, 3.0D), map('k', 10)), (2, NULL, NULL, NULL)",
    ),
    GoldenCase(
        title="a null struct differs from a struct of nulls",
        target=table(
            "id INT, s STRUCT<a: INT, b: INT>",
            "(1, named_struct('a', 1, 'b', 1)), (2, named_struct('a', 2, 'b', 2))",
        ),
        source=table(
            "id INT, s STRUCT<a: INT, b: INT>",
            "(1, NULL), (2, named_struct('a', NULL, 'b', NULL)), (3, NULL)",
        ),
        statement=UPSERT,
        rows="(1, NULL), (2, named_struct('a', NULL, 'b', NULL)), (3, NULL)",
    ),
    GoldenCase(
        title="nested columns in conditions and in expressions",
        target=table(
            "id INT, l ARRAY<INT>, m MAP<STRING, INT>",
            "(1, array(1, 2), map('n', 5)), (2, array(3), map('n', 6)), (3, NULL, NULL)",
        ),
        source=table("id INT, n INT", "(1, 2), (2, 2), (3, 2)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND array_contains(t.l, s.n) THEN UPDATE SET l = array_append(t.l, s.n)"
        " WHEN MATCHED AND t.m['n'] > s.n THEN DELETE",
        rows="(1, array(1, 2, 2), map('n', 5)), (3, NULL, NULL)",
    ),
    GoldenCase(
        title="a struct that lacks a field is refused",
        target=table("id INT, s STRUCT<a: INT, b: INT>", "(1, named_struct('a', 1, 'b', 2))"),
        source=table("id INT, s STRUCT<a: INT>", "(1, named_struct('a', 10))"),
        statement=UPSERT,
        error="DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION",
    ),
)
