"""Structs inside arrays and maps whose fields differ between source and target."""

from __future__ import annotations

from golden import GoldenCase, table

INTO = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
UPSERT = f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"

CASES = (
    GoldenCase(
        title="structs in arrays gain fields, in arrays of any length",
        target=table(
            "id INT, l ARRAY<STRUCT<a: STRUCT<x: INT, y: INT>, b: INT>>",
            "(1, array(named_struct('a', named_struct('x', 1, 'y', 2), 'b', 3))),"
            " (2, array(named_struct('a', named_struct('x', 4, 'y', 5), 'b', 6),"
            " named_struct('a', NULL, 'b', 7))),"
            " (9, array(named_struct('a', named_struct('x', 8, 'y', 9), 'b', 10)))",
        ),
        source=table(
            "id INT, l ARRAY<STRUCT<b: STRING, a: STRUCT<z: INT, y: INT, x: INT>>>",
            "(1, array(named_struct('b', '13', 'a', named_struct('z', 12, 'y', 11, 'x', 10)),"
            " named_struct('b', '14', 'a', NULL))),"
            " (2, array(named_struct('b', '23', 'a', named_struct('z', 22, 'y', 21, 'x', 20)))),"
            " (3, array())",
        ),
        statement=UPSERT,
        schema="id INT, l ARRAY<STRUCT<a: STRUCT<x: INT, y: INT, z: INT>, b: INT>>",
        rows="(1, array(named_struct('a', named_struct('x', 10, 'y', 11, 'z', 12), 'b', 13),"
        " named_struct('a', NULL, 'b', 14))),"
        " (2, array(named_struct('a', named_struct('x', 20, 'y', 21, 'z', 22), 'b', 23))),"
        " (3, array()),"
        " (9, array(named_struct('a', named_struct('x', 8, 'y', 9, 'z', NULL), 'b', 10)))",
    ),
    GoldenCase(
        title="structs in arrays that lack a field get null in it",
        target=table(
            "id INT, l ARRAY<STRUCT<a: INT, b: INT, c: INT>>",
            "(1, array(named_struct('a', 1, 'b', 2, 'c', 3), named_struct('a', 4, 'b', 5, 'c',"
            " 6)))",
        ),
        source=table(
            "id INT, l ARRAY<STRUCT<c: INT, a: STRING>>",
            "(1, array(named_struct('c', 13, 'a', '11'))),"
            " (2, array(named_struct('c', 23, 'a', '21'), named_struct('c', 33, 'a', '31')))",
        ),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET l = s.l WHEN NOT MATCHED THEN INSERT *",
        rows="(1, array(named_struct('a', 11, 'b', NULL, 'c', 13))),"
        " (2, array(named_struct('a', 21, 'b', NULL, 'c', 23),"
        " named_struct('a', 31, 'b', NULL, 'c', 33)))",
    ),
    GoldenCase(
        title="structs in arrays that share no field with the target's",
        target=table(
            "id INT, l ARRAY<STRUCT<a: INT, b: INT>>", "(1, array(named_struct('a', 1, 'b', 2)))"
        ),
        source=table(
            "id INT, l ARRAY<STRUCT<c: INT, d: INT>>",
            "(1, array(named_struct('c', 3, 'd', 4))), (2, array(named_struct('c', 5, 'd', 6)))",
        ),
        statement=UPSERT,
        schema="id INT, l ARRAY<STRUCT<a: INT, b: INT, c: INT, d: INT>>",
        rows="(1, array(named_struct('a', NULL, 'b', NULL, 'c', 3, 'd', 4))),"
        " (2, array(named_struct('a', NULL, 'b', NULL, 'c', 5, 'd', 6)))",
    ),
    GoldenCase(
        title="structs in arrays in structs in arrays",
        target=table(
            "id INT, l ARRAY<STRUCT<a: STRUCT<y: INT, x: ARRAY<STRUCT<c: INT, d: INT>>>, b: INT>>",
            "(1, array(named_struct('a', named_struct('y', 1,"
            " 'x', array(named_struct('c', 2, 'd', 3), named_struct('c', 4, 'd', 5))), 'b', 6)))",
        ),
        source=table(
            "id INT, l ARRAY<STRUCT<b: STRING, a: STRUCT<x: ARRAY<STRUCT<d: STRING, e: INT>>,"
            " y: INT>>>",
            "(1, array(named_struct('b', '16', 'a', named_struct("
            "'x', array(named_struct('d', '13', 'e', 14)), 'y', 11)))),"
            " (2, array(named_struct('b', '26', 'a', named_struct('x', NULL, 'y', 21))))",
        ),
        statement=UPSERT,
        schema="id INT, l ARRAY<STRUCT<a: STRUCT<y: INT, x: ARRAY<STRUCT<c: INT, d: INT, e: INT>>>,"
        " b: INT>>",
        rows="(1, array(named_struct('a', named_struct('y', 11,"
        " 'x', array(named_struct('c', NULL, 'd', 13, 'e', 14))), 'b', 16))),"
        " (2, array(named_struct('a', named_struct('y', 21, 'x', NULL), 'b', 26)))",
    ),
    GoldenCase(
        title="arrays of narrower structs through the functions of arrays",
        target=table(
            "id INT, l ARRAY<STRUCT<at: STRING, `with`: STRING, place: STRING>>",
            "(1, NULL), (2, NULL), (3, NULL), (4, NULL), (5, NULL)",
        ),
        source=table(
            "id INT, l ARRAY<STRUCT<`with`: STRING, at: STRING>>",
            "(1, array(named_struct('with', NULL, 'at', 'x'))),"
            " (2, array(named_struct('with', NULL, 'at', 'x'))),"
            " (3, array(named_struct('with', NULL, 'at', 'x'))),"
            " (4, array(named_struct('with', 'k', 'at', 'x'), named_struct('with', NULL, 'at',"
            " 'y'))),"
            " (5, array(named_struct('with', NULL, 'at', 'x'), named_struct('with', NULL, 'at',"
            " 'x')))",
        ),
        statement=f"{INTO} WHEN MATCHED AND s.id = 1 THEN UPDATE SET l = array_union(s.l, s.l)"
        " WHEN MATCHED AND s.id = 2 THEN UPDATE SET l = array_intersect(s.l, s.l)"
        " WHEN MATCHED AND s.id = 3 THEN UPDATE SET l = array_except(s.l, s.l)"
        " WHEN MATCHED AND s.id = 4 THEN UPDATE SET l = array_remove(s.l,"
        " named_struct('with', 'k', 'at', 'x'))"
        " WHEN MATCHED THEN UPDATE SET l = array_distinct(s.l) WHEN NOT MATCHED THEN INSERT *",
        rows="(1, array(named_struct('at', 'x', 'with', NULL, 'place', NULL))),"
        " (2, array(named_struct('at', 'x', 'with', NULL, 'place', NULL))), (3, array()),"
        " (4, array(named_struct('at', 'y', 'with', NULL, 'place', NULL))),"
        " (5, array(named_struct('at', 'x', 'with', NULL, 'place', NULL)))",
    ),
    GoldenCase(
        title="structs in the values of maps gain, lack and reorder fields",
        target=table(
            "id INT, m MAP<STRING, STRUCT<a: INT, b: INT>>",
            "(1, map('k', named_struct('a', 1, 'b', 2))), (9, map('k', named_struct('a', 3, 'b',"
            " 4)))",
        ),
        source=table(
            "id INT, m MAP<STRING, STRUCT<c: INT, a: STRING>>",
            "(1, map('k', named_struct('c', 13, 'a', '11'), 'q', NULL)),"
            " (2, map('k', named_struct('c', 23, 'a', '21')))",
        ),
        statement=UPSERT,
        schema="id INT, m MAP<STRING, STRUCT<a: INT, b: INT, c: INT>>",
        rows="(1, map('k', named_struct('a', 11, 'b', NULL, 'c', 13), 'q', NULL)),"
        " (2, map('k', named_struct('a', 21, 'b', NULL, 'c', 23))),"
        " (9, map('k', named_struct('a', 3, 'b', 4, 'c', NULL)))",
    ),
    GoldenCase(
        title="structs in maps in maps, and in arrays in maps",
        target=table(
            "id INT, m MAP<STRING, MAP<STRING, STRUCT<a: INT, b: INT>>>,"
            " l MAP<STRING, ARRAY<STRUCT<a: INT, b: INT>>>",
            "(1, map('k', map('i', named_struct('a', 1, 'b', 2))), NULL),"
            " (9, NULL, map('k', array(named_struct('a', 3, 'b', 4))))",
        ),
        source=table(
            "id INT, m MAP<STRING, MAP<STRING, STRUCT<a: INT, c: INT>>>,"
            " l MAP<STRING, ARRAY<STRUCT<b: INT, c: INT, a: INT>>>",
            "(1, map('k', map('i', named_struct('a', 11, 'c', 13))),"
            " map('k', array(named_struct('b', 12, 'c', 13, 'a', 11)))), (2, map(), NULL)",
        ),
        statement=UPSERT,
        schema="id INT, m MAP<STRING, MAP<STRING, STRUCT<a: INT, b: INT, c: INT>>>,"
        " l MAP<STRING, ARRAY<STRUCT<a: INT, b: INT, c: INT>>>",
        rows="(1, map('k', map('i', named_struct('a', 11, 'b', NULL, 'c', 13))),"
        " map('k', array(named_struct('a', 11, 'b', 12, 'c', 13)))), (2, map(), NULL),"
        " (9, NULL, map('k', array(named_struct('a', 3, 'b', 4, 'c', NULL))))",
    ),
    GoldenCase(
        title="structs in the keys of maps gain, lack and reorder fields",
        target=table(
            "id INT, m MAP<STRUCT<a: INT, b: INT>, INT>",
            "(1, map(named_struct('a', 1, 'b', 2), 3)), (9, map(named_struct('a', 4, 'b', 5), 6))",
        ),
        source=table(
            "id INT, m MAP<STRUCT<c: INT, a: STRING>, INT>",
            "(1, map(named_struct('c', 13, 'a', '11'), 14)),"
            " (2, map(named_struct('c', 23, 'a', '21'), 24))",
        ),
        statement=UPSERT,
        schema="id INT, m MAP<STRUCT<a: INT, b: INT, c: INT>, INT>",
        rows="(1, map(named_struct('a', 11, 'b', NULL, 'c', 13), 14)),"
        " (2, map(named_struct('a', 21, 'b', NULL, 'c', 23), 24)),"
        " (9, map(named_struct('a', 4, 'b', 5, 'c', NULL), 6))",
    ),
    GoldenCase(
        title="structs grow in the keys and in the values of a map at once",
        target=table(
            "id INT, m MAP<STRUCT<a: INT>, STRUCT<d: INT>>",
            "(1, map(named_struct('a', 3), named_struct('d', 4))),"
            " (9, map(named_struct('a', 5), NULL))",
        ),
        source=table(
            "id INT, m MAP<STRUCT<a: INT, b: INT>, STRUCT<d: INT, e: INT>>",
            "(1, map(named_struct('a', 14, 'b', 15), named_struct('d', 16, 'e', 17)))",
        ),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *",
        schema="id INT, m MAP<STRUCT<a: INT, b: INT>, STRUCT<d: INT, e: INT>>",
        rows="(1, map(named_struct('a', 14, 'b', 15), named_struct('d', 16, 'e', 17))),"
        " (9, map(named_struct('a', 5, 'b', NULL), NULL))",
    ),
)
