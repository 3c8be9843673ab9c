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
    GoldenCase(
        title="conditions and actions read fields of structs",
        target=table(
            "k STRUCT<x: STRING, y: INT>, n STRUCT<a: INT>",
            "(named_struct('x', 'p', 'y', 1), named_struct('a', 1)),"
            " (named_struct('x', 'q', 'y', 2), named_struct('a', 2))",
        ),
        source=table(
            "k STRUCT<x: STRING, y: INT>, n STRUCT<a: INT>",
            "(named_struct('x', 'p', 'y', 1), named_struct('a', 10)),"
            " (named_struct('x', 'q', 'y', 2), named_struct('a', 20)),"
            " (named_struct('x', 'r', 'y', 3), named_struct('a', 30)),"
            " (named_struct('x', 's', 'y', 4), named_struct('a', 40))",
        ),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED AND s.k.y < 2 THEN UPDATE SET k = s.k, n = s.n"
        " WHEN NOT MATCHED AND s.k.x < 's' THEN INSERT (k, n) VALUES (s.k, s.n)",
        rows="(named_struct('x', 'p', 'y', 1), named_struct('a', 10)),"
        " (named_struct('x', 'q', 'y', 2), named_struct('a', 2)),"
        " (named_struct('x', 'r', 'y', 3), named_struct('a', 30))",
    ),
    GoldenCase(
        title="fields at several depths are set, to null too, and cast",
        target=table(
            "id INT, k STRUCT<x: STRING, y: STRUCT<i: DOUBLE>>, v STRUCT<a: INT, b: STRING>",
            "(1, named_struct('x', 'p', 'y', named_struct('i', 1.0D)), named_struct('a', 1, 'b',"
            " 'm')),"
            " (2, named_struct('x', 'q', 'y', named_struct('i', 2.0D)), named_struct('a', 2,"
            " 'b', 'n')),"
            " (3, named_struct('x', 'r', 'y', named_struct('i', 3.0D)), named_struct('a', 3,"
            " 'b', 'o'))",
        ),
        source=table("id INT, b STRING", "(1, 'new'), (2, 'no')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.id = 1 THEN UPDATE SET k.x = 'set', k.y.i = '9000',"
        " v = named_struct('a', '9', 'b', s.b)"
        " WHEN MATCHED THEN UPDATE SET k.x = NULL, k.y.i = NULL, v = NULL",
        rows="(1, named_struct('x', 'set', 'y', named_struct('i', 9000.0D)),"
        " named_struct('a', 9, 'b', 'new')),"
        " (2, named_struct('x', NULL, 'y', named_struct('i', NULL)), NULL),"
        " (3, named_struct('x', 'r', 'y', named_struct('i', 3.0D)), named_struct('a', 3, 'b',"
        " 'o'))",
    ),
    GoldenCase(
        title="arrays are replaced, at the top and inside a struct",
        target=table(
            "id INT, l ARRAY<INT>, st STRUCT<x: STRING, y: ARRAY<INT>>",
            "(1, array(1, 10), named_struct('x', 'p', 'y', array(1))),"
            " (2, array(2), named_struct('x', 'q', 'y', array(2, 22)))",
        ),
        source=table("id INT", "(1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET l = array(-9000), st.y = array(-1, -11)",
        rows="(1, array(-9000), named_struct('x', 'p', 'y', array(-1, -11))),"
        " (2, array(2), named_struct('x', 'q', 'y', array(2, 22)))",
    ),
    GoldenCase(
        title="structs in arrays in structs in arrays are found by name, and cast",
        target=table(
            "id INT, l ARRAY<STRUCT<a: STRUCT<y: INT, x: ARRAY<STRUCT<c: INT, d: INT>>>, b: INT>>",
            "(1, array(named_struct('a', named_struct('y', 1,"
            " 'x', array(named_struct('c', 2, 'd', 3))), 'b', 4)))",
        ),
        source=table(
            "id INT, l ARRAY<STRUCT<b: STRING, a: STRUCT<x: ARRAY<STRUCT<d: STRING, c: INT>>,"
            " y: INT>>>",
            "(1, array(named_struct('b', '14', 'a', named_struct('x', array("
            "named_struct('d', '13', 'c', 12), named_struct('d', '23', 'c', 22)), 'y', 11)),"
            " NULL)),"
            " (2, array(named_struct('b', '24', 'a', named_struct('x', array(), 'y', 21))))",
        ),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET l = s.l"
        " WHEN NOT MATCHED THEN INSERT (id, l) VALUES (s.id, s.l)",
        rows="(1, array(named_struct('a', named_struct('y', 11, 'x', array("
        "named_struct('c', 12, 'd', 13), named_struct('c', 22, 'd', 23))), 'b', 14), NULL)),"
        " (2, array(named_struct('a', named_struct('y', 21, 'x', array()), 'b', 24)))",
    ),
    GoldenCase(
        title="a column with dots and a field, under an alias in backquotes",
        target=table(
            "id INT, st STRUCT<x: STRING, y: INT>, `st.y` STRING",
            "(1, named_struct('x', 'p', 'y', 1), 'm'), (2, named_struct('x', 'q', 'y', 2), 'n')",
        ),
        source=table("id INT, `st.y` STRING", "(1, 'new')"),
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET `t`.st.y = 9000, t.`st.y` = s.`st.y`",
        rows="(1, named_struct('x', 'p', 'y', 9000), 'new'),"
        " (2, named_struct('x', 'q', 'y', 2), 'n')",
    ),
    GoldenCase(
        title="structs in the values and keys of maps are found by name",
        target=table(
            "id INT, m MAP<STRUCT<a: INT, b: INT>, STRUCT<c: INT, d: INT>>",
            "(1, map(named_struct('a', 1, 'b', 2), named_struct('c', 3, 'd', 4)))",
        ),
        source=table(
            "id INT, m MAP<STRUCT<b: INT, a: STRING>, STRUCT<d: STRING, c: INT>>",
            "(1, map(named_struct('b', 12, 'a', '11'), named_struct('d', '14', 'c', 13)))",
        ),
        statement=UPSERT,
        rows="(1, map(named_struct('a', 11, 'b', 12), named_struct('c', 13, 'd', 14)))",
    ),
)
