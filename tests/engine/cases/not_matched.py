"""WHEN NOT MATCHED: inserts alone, and beside updates and deletes."""

from __future__ import annotations

from golden import GoldenCase, table

CASES = (
    GoldenCase(
        title="insert * adds the rows that match nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y'), (4, NULL)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'y'), (4, NULL)",
    ),
    GoldenCase(
        title="insert * finds columns by name",
        target=table("id INT, a INT, b STRING", "(1, 10, 'a')"),
        source=table("b STRING, extra INT, a INT, id INT", "('x', 99, 20, 2)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 10, 'a'), (2, 20, 'x')",
    ),
    GoldenCase(
        title="insert of some columns leaves the others null",
        target=table("id INT, a INT, b STRING", "(1, 10, 'a')"),
        source=table("id INT, b STRING", "(2, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT (b, id) VALUES (upper(s.b), s.id)",
        rows="(1, 10, 'a'), (2, NULL, 'X')",
    ),
    GoldenCase(
        title="insert with a condition leaves the other rows out",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y'), (3, 'z'), (4, NULL)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND s.v > 'y' THEN INSERT *",
        rows="(1, 'a'), (3, 'z')",
    ),
    GoldenCase(
        title="the first insert clause whose condition holds wins",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y'), (3, 'z'), (4, 'w')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND s.id < 3 THEN INSERT (id, v) VALUES (s.id, 'first')"
        " WHEN NOT MATCHED AND s.id < 4 THEN INSERT (id) VALUES (s.id)"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'first'), (3, NULL), (4, 'w')",
    ),
    GoldenCase(
        title="several conditional insert clauses may leave rows out",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING", "(2, 'y'), (3, 'z'), (4, 'w')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND s.id = 2 THEN INSERT (id, v) VALUES (s.id, 'two')"
        " WHEN NOT MATCHED AND s.id = 3 THEN INSERT *",
        rows="(1, 'a'), (2, 'two'), (3, 'z')",
    ),
    GoldenCase(
        title="insert-only where everything is known commits nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="insert-only whose condition is never true commits nothing",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND s.v IS NULL THEN INSERT *",
        rows="(1, 'a')",
        commits=False,
    ),
    GoldenCase(
        title="insert into an empty table",
        target=table("id INT, v STRING"),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (2, 'y')",
    ),
    GoldenCase(
        title="upsert into an empty table",
        target=table("id INT, v STRING"),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (2, 'y')",
    ),
    GoldenCase(
        title="an empty source changes nothing and commits nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="an empty source beside an empty target commits nothing",
        target=table("id INT, v STRING"),
        source=table("id INT, v STRING"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        rows="",
        commits=False,
    ),
    GoldenCase(
        title="upsert of * updates and inserts whole source rows",
        target=table("id INT, a INT, b STRING", "(1, 10, 'a'), (2, 20, 'b')", "(3, 30, 'c')"),
        source=table("id INT, a INT, b STRING", "(3, 31, 'x'), (4, 41, 'y'), (1, NULL, NULL)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, NULL, NULL), (2, 20, 'b'), (3, 31, 'x'), (4, 41, 'y')",
    ),
    GoldenCase(
        title="upsert of rows that are all new only inserts",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(7, 'x'), (8, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (7, 'x'), (8, 'y')",
    ),
    GoldenCase(
        title="delete, update and insert in one statement",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')"),
        source=table(
            "id INT, op STRING, v STRING",
            "(1, 'D', NULL), (3, 'U', 'x'), (5, 'I', 'y'), (6, 'D', NULL), (4, 'N', 'n')",
        ),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.op = 'D' THEN DELETE"
        " WHEN MATCHED AND s.op = 'U' THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED AND s.op != 'D' THEN INSERT (id, v) VALUES (s.id, s.v)",
        rows="(2, 'b'), (3, 'x'), (4, 'd'), (5, 'y')",
    ),
    GoldenCase(
        title="only the inserts of an upsert have something to do",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(1, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v = 'none' THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'y')",
    ),
    GoldenCase(
        title="several files of the target are updated by one large upsert",
        target=table("id INT, v STRING", "(1, 'a')", "(2, 'b')", "(3, 'c')", "(4, 'd')"),
        source=table("id INT, v STRING", "(1, 'p'), (2, 'q'), (3, 'r'), (4, 's'), (5, 't')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'p'), (2, 'q'), (3, 'r'), (4, 's'), (5, 't')",
    ),
    GoldenCase(
        title="eight clauses each take their rows",
        target=table("id INT, n INT", "(0, 0), (1, 10)", "(2, 20), (3, 30), (4, 40)"),
        source=table(
            "id INT, n INT",
            "(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9)",
        ),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.id = 1 THEN UPDATE SET n = s.n"
        " WHEN MATCHED AND s.id = 2 THEN DELETE"
        " WHEN MATCHED AND s.id = 3 THEN UPDATE SET n = 2 * s.n"
        " WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED AND s.id = 5 THEN INSERT *"
        " WHEN NOT MATCHED AND s.id = 6 THEN INSERT (id, n) VALUES (s.id, s.n + 1)"
        " WHEN NOT MATCHED AND s.id = 7 THEN INSERT (n, id) VALUES (s.n + 2, s.id)"
        " WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, s.n + 3)",
        rows="(0, 0), (1, 1), (3, 6), (5, 5), (6, 7), (7, 9), (8, 11), (9, 12)",
    ),
    GoldenCase(
        title="a conditional insert is all that is left of an upsert",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(7, 'x'), (8, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND t.id = 1 THEN UPDATE SET * WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED AND s.v = 'y' THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (8, 'y')",
    ),
    GoldenCase(
        title="an inserted key may be another than the one that was looked for",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT (t.id, t.v) VALUES (s.id - 2, s.v)",
        rows="(1, 'a'), (2, 'b'), (1, 'y')",
    ),
)
