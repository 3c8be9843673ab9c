"""Keys of every type, alike and unlike on the two sides."""

from __future__ import annotations

from golden import GoldenCase, table

UPSERT = (
    "MERGE INTO {target} t USING {source} s ON t.k = s.k"
    " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v)"
)

CASES = (
    GoldenCase(
        title="an int key meets a bigint key",
        target=table("k INT, v STRING", "(1, 'a'), (2, 'b')", "(30, 'c')"),
        source=table("k BIGINT, v STRING", "(2, 'x'), (30, 'y'), (4, 'z')"),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (30, 'y'), (4, 'z')",
    ),
    GoldenCase(
        title="a bigint key meets an int key",
        target=table("k BIGINT, v STRING", "(1, 'a'), (5000000000, 'b')", "(30, 'c')"),
        source=table("k INT, v STRING", "(1, 'x'), (30, 'y'), (4, 'z')"),
        statement=UPSERT,
        rows="(1, 'x'), (5000000000, 'b'), (30, 'y'), (4, 'z')",
    ),
    GoldenCase(
        title="bigint keys beyond int match an int target nowhere",
        target=table("k INT, v STRING", "(1, 'a'), (705032704, 'b')"),
        source=table("k BIGINT, v STRING", "(5000000000, 'x'), (1, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (v) VALUES (s.v)",
        rows="(1, 'y'), (705032704, 'b'), (NULL, 'x')",
    ),
    GoldenCase(
        title="a double key matches whole numbers only",
        target=table("k BIGINT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (NULL, 'n')"),
        source=table("k DOUBLE, v STRING", "(1.0, 'x'), (2.5, 'y'), (3.0, 'z'), (NULL, 'w')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (v) VALUES (s.v)",
        rows="(1, 'x'), (2, 'b'), (3, 'z'), (NULL, 'n'), (NULL, 'y'), (NULL, 'w')",
    ),
    GoldenCase(
        title="large bigints meet a double key where doubles run out of digits",
        target=table("k BIGINT, v STRING", "(9007199254740992, 'a')", "(9007199254740995, 'b')"),
        source=table("k DOUBLE, v STRING", "(9007199254740992.0D, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(9007199254740992, 'x'), (9007199254740995, 'b')",
    ),
    GoldenCase(
        title="neighbouring bigints are one double",
        target=table("k BIGINT, v STRING", "(9007199254740992, 'a')", "(9007199254740993, 'b')"),
        source=table("k DOUBLE, v STRING", "(9007199254740992.0D, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(9007199254740992, 'x'), (9007199254740993, 'x')",
    ),
    GoldenCase(
        title="text keys meet number keys as numbers",
        target=table("k INT, v STRING", "(1, 'a'), (2, 'b')", "(30, 'c')"),
        source=table("k STRING, v STRING", "('01', 'x'), ('30', 'y'), ('4', 'z')"),
        statement=UPSERT,
        rows="(1, 'x'), (2, 'b'), (30, 'y'), (4, 'z')",
    ),
    GoldenCase(
        title="number keys meet text keys as numbers",
        target=table("k STRING, v STRING", "('1', 'a'), ('010', 'b')", "('9', 'c'), ('30', 'd')"),
        source=table("k INT, v STRING", "(10, 'x'), (9, 'y'), (4, 'z')"),
        statement=UPSERT,
        rows="('1', 'a'), ('010', 'x'), ('9', 'y'), ('30', 'd'), ('4', 'z')",
    ),
    GoldenCase(
        title="a text key that is no number fails against a number key",
        target=table("k INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("k STRING, v STRING", "('one', 'x')"),
        statement=UPSERT,
        error="CAST_INVALID_INPUT",
    ),
    GoldenCase(
        title="decimal keys of different scales are equal by value",
        target=table("k DECIMAL(10,2), v STRING", "(1.50, 'a'), (2.00, 'b')", "(3.25, 'c')"),
        source=table("k DECIMAL(6,3), v STRING", "(1.500, 'x'), (3.255, 'y'), (2.000, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(1.50, 'x'), (2.00, 'z'), (3.25, 'c')",
    ),
    GoldenCase(
        title="decimal keys meet int keys",
        target=table("k DECIMAL(10,2), v STRING", "(1.00, 'a'), (2.50, 'b')", "(30.00, 'c')"),
        source=table("k INT, v STRING", "(1, 'x'), (2, 'y'), (30, 'z')"),
        statement=UPSERT,
        rows="(1.00, 'x'), (2.50, 'b'), (30.00, 'z'), (2.00, 'y')",
    ),
    GoldenCase(
        title="NaN equals NaN, and 0.0 equals -0.0",
        target=table(
            "k DOUBLE, v STRING",
            "(1.5, 'a'), (double('NaN'), 'nan')",
            "(0.0, 'zero'), (double('Infinity'), 'inf')",
        ),
        source=table(
            "k DOUBLE, v STRING",
            "(double('NaN'), 'x'), (-0.0D, 'y'), (double('-Infinity'), 'z')",
        ),
        statement=UPSERT,
        rows="(1.5, 'a'), (double('NaN'), 'x'), (0.0, 'y'), (double('Infinity'), 'inf'),"
        " (double('-Infinity'), 'z')",
    ),
    GoldenCase(
        title="0.0 meets -0.0 where nothing else is in the source",
        target=table("k DOUBLE, v STRING", "(0.0, 'plus')", "(-0.0D, 'minus')", "(1.0, 'one')"),
        source=table("k DOUBLE, v STRING", "(-0.0D, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(0.0, 'x'), (-0.0D, 'x'), (1.0, 'one')",
    ),
    GoldenCase(
        title="an insert-only merge knows -0.0 by 0.0",
        target=table("k DOUBLE, v STRING", "(-0.0D, 'minus'), (1.0, 'one')"),
        source=table("k DOUBLE, v STRING", "(0.0, 'x'), (2.0, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(-0.0D, 'minus'), (1.0, 'one'), (2.0, 'y')",
    ),
    GoldenCase(
        title="a char column in the condition is compared with its blanks",
        target=table("k CHAR(3), v STRING", "('a', 'p'), ('bcd', 'q')", "('z', 'r')"),
        source=table("k STRING, v STRING", "('a  ', 'x'), ('bcd', 'y'), ('z', 'n')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="('a  ', 'x'), ('bcd', 'y'), ('z  ', 'r')",
        native_fails_with="DELTA_MERGE_RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT",
    ),
    GoldenCase(
        title="a file with NaN in it still holds its numbers",
        target=table("k DOUBLE, v STRING", "(double('NaN'), 'nan'), (5.0, 'a')", "(7.0, 'b')"),
        source=table("k DOUBLE, v STRING", "(5.0, 'x')"),
        statement=UPSERT,
        rows="(double('NaN'), 'nan'), (5.0, 'x'), (7.0, 'b')",
    ),
    GoldenCase(
        title="float keys meet double keys as doubles",
        target=table("k FLOAT, v STRING", "(float(0.1), 'a'), (float(0.5), 'b')"),
        source=table("k DOUBLE, v STRING", "(0.1D, 'x'), (0.5D, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(float(0.1), 'a'), (float(0.5), 'y')",
    ),
    GoldenCase(
        title="date keys meet timestamp keys at midnight",
        target=table("k DATE, v STRING", "(DATE'2026-01-01', 'a')", "(DATE'2026-01-02', 'b')"),
        source=table(
            "k TIMESTAMP, v STRING",
            "(TIMESTAMP'2026-01-01 00:00:00', 'x'), (TIMESTAMP'2026-01-02 10:00:00', 'y')",
        ),
        statement="MERGE INTO {target} t USING {source} s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(DATE'2026-01-01', 'x'), (DATE'2026-01-02', 'b')",
    ),
    GoldenCase(
        title="boolean keys",
        target=table("k BOOLEAN, v STRING", "(true, 'a'), (NULL, 'n')"),
        source=table("k BOOLEAN, v STRING", "(true, 'x'), (false, 'y')"),
        statement=UPSERT,
        rows="(true, 'x'), (NULL, 'n'), (false, 'y')",
    ),
    GoldenCase(
        title="binary keys",
        target=table("k BINARY, v STRING", "(X'00FF', 'a'), (X'', 'e')", "(X'01', 'b')"),
        source=table("k BINARY, v STRING", "(X'00FF', 'x'), (X'0001', 'y'), (X'', 'z')"),
        statement=UPSERT,
        rows="(X'00FF', 'x'), (X'', 'z'), (X'01', 'b'), (X'0001', 'y')",
    ),
    GoldenCase(
        title="text keys match by every character, case and space",
        target=table("k STRING, v INT", "('a', 1), ('A', 2), ('a ', 3)", "('', 4), ('ä', 5)"),
        source=table("k STRING, v INT", "('A', 12), ('', 14), ('ä', 15), ('b', 16)"),
        statement=UPSERT,
        rows="('a', 1), ('A', 12), ('a ', 3), ('', 14), ('ä', 15), ('b', 16)",
    ),
    GoldenCase(
        title="struct keys match by value",
        target=table(
            "k STRUCT<a: INT, b: STRING>, v INT",
            "(named_struct('a', 1, 'b', 'x'), 10), (named_struct('a', 2, 'b', 'y'), 11)",
        ),
        source=table(
            "k STRUCT<a: INT, b: STRING>, v INT",
            "(named_struct('a', 2, 'b', 'y'), 21), (named_struct('a', 1, 'b', 'z'), 22)",
        ),
        statement=UPSERT,
        rows="(named_struct('a', 1, 'b', 'x'), 10), (named_struct('a', 2, 'b', 'y'), 21),"
        " (named_struct('a', 1, 'b', 'z'), 22)",
    ),
    GoldenCase(
        title="a field of a struct is the key",
        target=table(
            "k STRUCT<a: INT, b: STRING>, v INT",
            "(named_struct('a', 1, 'b', 'x'), 10)",
            "(named_struct('a', 20, 'b', 'y'), 11), (NULL, 12)",
        ),
        source=table("a INT, v INT", "(20, 21), (NULL, 22)"),
        statement="MERGE INTO {target} t USING {source} s ON t.k.a = s.a"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (v) VALUES (s.v)",
        rows="(named_struct('a', 1, 'b', 'x'), 10), (named_struct('a', 20, 'b', 'y'), 21),"
        " (NULL, 12), (NULL, 22)",
    ),
)
