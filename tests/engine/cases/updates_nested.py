"""UPDATE of structs, arrays and maps, and of fields inside them."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, UpdateRows, table, update

DEEP = table(
    "id INT, s STRUCT<a: INT, b: STRUCT<c: INT, d: INT>>",
    "(1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', 3)))",
    "(2, named_struct('a', 4, 'b', named_struct('c', 5, 'd', 6))), (3, NULL)",
)
CONFLICT = "DELTA_CONFLICT_SET_COLUMN"
NESTED = "DELTA_UNSUPPORTED_NESTED_FIELD_IN_UPDATE"

CASES = (
    GoldenCase(
        title="an update of fields at several depths reads the struct as it was",
        target=DEEP,
        statement=UpdateRows((("s.b.c", "s.a * 10"), ("s.a", "s.b.c")), "id = 2"),
        rows="(1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', 3))),"
        " (2, named_struct('a', 5, 'b', named_struct('c', 40, 'd', 6))), (3, NULL)",
    ),
    GoldenCase(
        title="an update of a field of a null struct makes the struct",
        target=DEEP,
        statement=UpdateRows((("s.b.d", "id"),), "id = 3"),
        rows="(1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', 3))),"
        " (2, named_struct('a', 4, 'b', named_struct('c', 5, 'd', 6))),"
        " (3, named_struct('a', NULL, 'b', named_struct('c', NULL, 'd', 3)))",
    ),
    GoldenCase(
        title="an update sets a struct to null and a field to null",
        target=DEEP,
        statement=UpdateRows((("s.b", "if(id = 1, NULL, s.b)"), ("s.a", "NULL")), "s.a > 0"),
        rows="(1, named_struct('a', NULL, 'b', NULL)),"
        " (2, named_struct('a', NULL, 'b', named_struct('c', 5, 'd', 6))), (3, NULL)",
    ),
    GoldenCase(
        title="the change feed has structs of which one field was updated",
        target=DEEP,
        statement=UpdateRows((("s.b.d", "NULL"),), "id = 1"),
        properties=CHANGE_FEED,
        rows="(1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', NULL))),"
        " (2, named_struct('a', 4, 'b', named_struct('c', 5, 'd', 6))), (3, NULL)",
        change_rows="(1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', 3)),"
        " 'update_preimage'), (1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', NULL)),"
        " 'update_postimage')",
    ),
    GoldenCase(
        title="an update finds the fields of a new struct by name, and casts them",
        target=table(
            "id INT, s STRUCT<a: INT, b: STRING>, l ARRAY<STRUCT<a: BIGINT, b: INT>>",
            "(1, named_struct('a', 1, 'b', 'x'), array(named_struct('a', 1, 'b', 2)))",
        ),
        statement=update(
            s="named_struct('b', 20, 'a', '10')",
            l="array(named_struct('b', '4', 'a', 3), NULL)",
        ),
        rows="(1, named_struct('a', 10, 'b', '20'), array(named_struct('a', 3, 'b', 4), NULL))",
    ),
    GoldenCase(
        title="an update replaces arrays and maps, with their own elements",
        target=table(
            "id INT, l ARRAY<INT>, m MAP<STRING, INT>",
            "(1, array(1, 2), map('k', 1)), (2, array(3), NULL)",
            "(3, NULL, map('k', 3))",
        ),
        statement=update(
            "array_contains(l, 1) OR m['k'] = 3",
            l="array_append(coalesce(l, array()), m['k'])",
            m="map_concat(m, map('n', size(l)))",
        ),
        rows="(1, array(1, 2, 1), map('k', 1, 'n', 2)), (2, array(3), NULL),"
        " (3, array(3), map('k', 3, 'n', NULL))",
    ),
    GoldenCase(
        title="an update casts inside arrays and maps",
        target=table("id INT, l ARRAY<DOUBLE>, m MAP<STRING, BIGINT>", "(1, NULL, NULL)"),
        statement=update(l="array(1, NULL)", m="map(7, '8')"),
        rows="(1, array(1.0D, NULL), map('7', 8))",
    ),
    GoldenCase(
        title="an update that overflows inside an array fails",
        target=table("id INT, l ARRAY<TINYINT>", "(1, NULL)"),
        statement=update(l="array(id, 200)"),
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="an update to a struct that lacks a field is refused",
        target=table("id INT, s STRUCT<a: INT, b: INT>", "(1, named_struct('a', 1, 'b', 2))"),
        statement=update(s="named_struct('a', 10)"),
        error="DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION",
    ),
    GoldenCase(
        title="an update to a struct with a field too many is refused",
        target=table("id INT, s STRUCT<a: INT, b: INT>", "(1, named_struct('a', 1, 'b', 2))"),
        statement=update(s="named_struct('a', 10, 'b', 20, 'c', 30)"),
        error="DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION",
    ),
    GoldenCase(
        title="an update of a field that the struct does not have is refused",
        target=DEEP,
        statement=UpdateRows((("s.gone", "1"),)),
        error="FIELD_NOT_FOUND",
    ),
    GoldenCase(
        title="an update of a struct and a field of it is refused",
        target=DEEP,
        statement=UpdateRows((("s.b", "NULL"), ("s.b.c", "1"))),
        error=CONFLICT,
    ),
    GoldenCase(
        title="an update of one field twice, in other letters, is refused",
        target=DEEP,
        statement=UpdateRows((("s.b.c", "1"), ("S.B.C", "2"))),
        error=CONFLICT,
    ),
    GoldenCase(
        title="an update of a field inside an array is refused",
        target=table("id INT, l ARRAY<STRUCT<a: INT>>", "(1, array(named_struct('a', 1)))"),
        statement=UpdateRows((("l.a", "2"),)),
        error=NESTED,
    ),
    GoldenCase(
        title="an update of one value of a map is refused",
        target=table("id INT, m MAP<STRING, INT>", "(1, map('k', 1))"),
        statement=UpdateRows((("m.k", "2"),)),
        error=NESTED,
    ),
    GoldenCase(
        title="an update of a null into a NOT NULL field fails",
        target=table(
            "id INT, s STRUCT<a: INT NOT NULL, b: INT>", "(1, named_struct('a', 1, 'b', 2))"
        ),
        statement=UpdateRows((("s.a", "NULL"),)),
        error="DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
    ),
)
