"""The ON condition and the clauses' conditions: every shape they may have."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, table

TARGET = table("id INT, g INT, v STRING", "(1, 1, 'a'), (2, 1, 'b')", "(3, 2, 'c'), (4, NULL, 'd')")

CASES = (
    GoldenCase(
        title="a clause whose condition is null does not fire",
        target=TARGET,
        source=table("id INT, flag BOOLEAN", "(1, true), (2, NULL), (3, false), (8, NULL)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.flag THEN UPDATE SET v = 'yes'"
        " WHEN MATCHED AND NOT s.flag THEN DELETE"
        " WHEN NOT MATCHED AND s.flag THEN INSERT (id) VALUES (s.id)",
        rows="(1, 1, 'yes'), (2, 1, 'b'), (4, NULL, 'd')",
    ),
    GoldenCase(
        title="a null condition leaves the row to the next clause",
        target=TARGET,
        source=table("id INT, n INT", "(1, 5), (2, NULL), (9, NULL)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.n > 1 THEN UPDATE SET v = 'first'"
        " WHEN MATCHED THEN UPDATE SET v = 'second'"
        " WHEN NOT MATCHED AND s.n > 1 THEN INSERT (id, v) VALUES (s.id, 'first')"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, 'second')",
        rows="(1, 1, 'first'), (2, 1, 'second'), (3, 2, 'c'), (4, NULL, 'd'), (9, NULL, 'second')",
    ),
    GoldenCase(
        title="a target-only conjunct of ON leaves its rows unmatched",
        target=TARGET,
        source=table("id INT, g INT, v STRING", "(1, 7, 'x'), (3, 7, 'y'), (4, 7, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.g = 1"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 7, 'x'), (2, 1, 'b'), (3, 2, 'c'), (4, NULL, 'd'), (3, 7, 'y'), (4, 7, 'z')",
    ),
    GoldenCase(
        title="a source-only conjunct of ON makes its source rows new",
        target=TARGET,
        source=table("id INT, g INT, v STRING", "(1, 7, 'x'), (2, 8, 'y'), (3, NULL, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND s.g = 7"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 7, 'x'), (2, 1, 'b'), (3, 2, 'c'), (4, NULL, 'd'), (2, 8, 'y'), (3, NULL, 'z')",
    ),
    GoldenCase(
        title="conjuncts on both sides of an insert-only merge",
        target=TARGET,
        source=table("id INT, g INT, v STRING", "(1, 7, 'x'), (2, 8, 'y'), (3, 7, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND s.g = 7 AND t.g = 1"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, NULL, 'd'), (2, 8, 'y'), (3, 7, 'z')",
    ),
    GoldenCase(
        title="a range join",
        target=TARGET,
        source=table("lo INT, hi INT, v STRING", "(1, 2, 'low'), (4, 9, 'high'), (50, 60, 'none')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id BETWEEN s.lo AND s.hi"
        " WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.lo, s.v)",
        rows="(1, 1, 'low'), (2, 1, 'low'), (3, 2, 'c'), (4, NULL, 'high'), (50, NULL, 'none')",
    ),
    GoldenCase(
        title="an equality beside an inequality",
        target=TARGET,
        source=table("id INT, g INT", "(1, 1), (2, 5), (3, 1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.g < s.g"
        " WHEN MATCHED THEN UPDATE SET g = s.g"
        " WHEN NOT MATCHED THEN INSERT (id, g) VALUES (s.id, s.g)",
        rows="(1, 1, 'a'), (2, 5, 'b'), (3, 2, 'c'), (4, NULL, 'd'), (1, 1, NULL), (3, 1, NULL)",
    ),
    GoldenCase(
        title="ON with or",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'd'), (3, 'zz'), (9, 'zz')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id OR t.v = s.v"
        " WHEN MATCHED THEN UPDATE SET g = s.id * 100"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
        rows="(1, 100, 'a'), (2, 1, 'b'), (3, 300, 'c'), (4, 100, 'd'), (9, NULL, 'zz')",
    ),
    GoldenCase(
        title="a source larger than its target and an ON without an equality",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", ", ".join(f"({id}, 'new')" for id in range(2, 202))),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id OR t.id > s.id + 500"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED AND s.id < 4 THEN INSERT *",
        rows="(1, 'a'), (2, 'new'), (3, 'new')",
    ),
    GoldenCase(
        title="a key with an or beside it",
        target=TARGET,
        source=table("id INT, g INT, v STRING", "(1, 1, 'x'), (2, 9, 'y'), (4, 9, 'z')"),
        statement="MERGE INTO {target} t USING {source} s"
        " ON t.id = s.id AND (t.g = s.g OR t.g IS NULL)"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 1, 'x'), (2, 1, 'b'), (3, 2, 'c'), (4, 9, 'z'), (2, 9, 'y')",
    ),
    GoldenCase(
        title="ON false inserts every source row",
        target=TARGET,
        source=table("id INT, g INT, v STRING", "(1, 9, 'x'), (2, 9, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON false"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, NULL, 'd'), (1, 9, 'x'), (2, 9, 'y')",
    ),
    GoldenCase(
        title="ON true matches everything with the one source row",
        target=TARGET,
        source=table("n INT", "(7)"),
        statement="MERGE INTO {target} t USING {source} s ON true"
        " WHEN MATCHED AND t.id > 2 THEN DELETE WHEN MATCHED THEN UPDATE SET g = s.n",
        rows="(1, 7, 'a'), (2, 7, 'b')",
    ),
    GoldenCase(
        title="ON null matches nothing",
        target=TARGET,
        source=table("id INT, g INT, v STRING", "(1, 9, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON CAST(NULL AS BOOLEAN)"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, NULL, 'd'), (1, 9, 'x')",
    ),
    GoldenCase(
        title="a key inside an expression on the target's side",
        target=TARGET,
        source=table("code INT, v STRING", "(20, 'x'), (90, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id * 10 = s.code"
        " WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.code, s.v)",
        rows="(1, 1, 'a'), (2, 1, 'x'), (3, 2, 'c'), (4, NULL, 'd'), (90, NULL, 'y')",
    ),
    GoldenCase(
        title="a key inside an expression on the source's side",
        target=TARGET,
        source=table("code INT, v STRING", "(12, 'x'), (19, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.code - 10"
        " WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.code, s.v)",
        rows="(1, 1, 'a'), (2, 1, 'x'), (3, 2, 'c'), (4, NULL, 'd'), (19, NULL, 'y')",
    ),
    GoldenCase(
        title="a composite key matches only where each part does",
        target=table(
            "a INT, b STRING, v INT", "(1, 'x', 10), (1, 'y', 11)", "(2, 'x', 12), (2, NULL, 13)"
        ),
        source=table("a INT, b STRING, v INT", "(1, 'y', 91), (2, 'y', 92), (2, NULL, 93)"),
        statement="MERGE INTO {target} t USING {source} s ON t.a = s.a AND t.b = s.b"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x', 10), (1, 'y', 91), (2, 'x', 12), (2, NULL, 13), (2, 'y', 92), (2, NULL, 93)",
    ),
    GoldenCase(
        title="the same key column in two equalities",
        target=TARGET,
        source=table("a INT, b INT, v STRING", "(1, 1, 'x'), (2, 3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.a AND t.id = s.b"
        " WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.a + s.b, s.v)",
        rows="(1, 1, 'x'), (2, 1, 'b'), (3, 2, 'c'), (4, NULL, 'd'), (5, NULL, 'y')",
    ),
    GoldenCase(
        title="clause conditions may read either side",
        target=TARGET,
        source=table("id INT, limit INT", "(1, 0), (2, 5), (3, 5), (4, 5)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND t.g IS NULL THEN DELETE"
        " WHEN MATCHED AND t.g < s.limit AND t.v != 'c' THEN UPDATE SET v = 'less'",
        rows="(1, 1, 'a'), (2, 1, 'less'), (3, 2, 'c')",
    ),
    GoldenCase(
        title="matched-only clauses that look at the target alone",
        target=TARGET,
        source=table("id INT", "(1), (2), (3), (4)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.id < 4"
        " WHEN MATCHED AND t.g = 1 AND t.v = 'a' THEN DELETE"
        " WHEN MATCHED AND t.g = 2 THEN UPDATE SET v = 'two'",
        rows="(2, 1, 'b'), (3, 2, 'two'), (4, NULL, 'd')",
    ),
    GoldenCase(
        title="an ON condition over target columns alone",
        target=TARGET,
        source=table("n INT", "(7)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id >= 3"
        " WHEN MATCHED THEN UPDATE SET g = s.n"
        " WHEN NOT MATCHED THEN INSERT (id) VALUES (s.n)",
        rows="(1, 1, 'a'), (2, 1, 'b'), (3, 7, 'c'), (4, 7, 'd')",
    ),
    GoldenCase(
        title="an ON condition over source columns alone",
        target=TARGET,
        source=table("n INT, v STRING", "(7, 'all'), (8, 'none')"),
        statement="MERGE INTO {target} t USING {source} s ON s.n = 7"
        " WHEN MATCHED THEN UPDATE SET g = s.n"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.n, s.v)",
        rows="(1, 7, 'a'), (2, 7, 'b'), (3, 7, 'c'), (4, 7, 'd'), (8, NULL, 'none')",
    ),
    GoldenCase(
        title="ON conditions on each side alone, and clauses of every kind",
        target=table("id INT, g INT", "(-1, -1), (1, 1)", "(2, 2), (3, 3), (5, 5)"),
        source=table(
            "id INT, g INT", "(-1, -9), (0, 0), (1, 10), (2, 20), (3, 30), (4, 40), (5, 50)"
        ),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.g > 0 AND s.id < 5"
        " WHEN MATCHED AND s.id < 2 THEN UPDATE SET * WHEN MATCHED AND s.id < 3 THEN DELETE"
        " WHEN NOT MATCHED AND s.id > 1 THEN INSERT *",
        rows="(-1, -1), (1, 10), (3, 3), (4, 40), (5, 5), (5, 50)",
    ),
    GoldenCase(
        title="a condition on the source guards the cast of its key",
        target=table("v STRING, id INT", "('a', 1), ('b', 2)", "('c', 30), ('d', NULL)"),
        source=table("kind STRING, id STRING", "('n', '1'), ('n', '30'), ('text', 'one')"),
        statement="MERGE INTO {target} t USING {source} s"
        " ON t.id = CAST(s.id AS INT) AND s.kind = 'n' WHEN MATCHED THEN UPDATE SET v = s.kind",
        rows="('n', 1), ('b', 2), ('n', 30), ('d', NULL)",
    ),
    GoldenCase(
        title="a condition on the source guards a division in its key, nulls included",
        target=table("v STRING, id INT", "('a', 1), ('b', 2)", "('c', 30), ('d', NULL)"),
        source=table("id INT", "(60), (2), (0), (NULL)"),
        statement="MERGE INTO {target} t USING {source} s"
        " ON s.id IS DISTINCT FROM 0 AND t.id <=> 60 DIV s.id WHEN MATCHED THEN DELETE",
        rows="('b', 2)",
    ),
    GoldenCase(
        title="a function over the elements of an array tells the rows that no source row meets",
        target=table(
            "l ARRAY<INT>, id INT", "(array(1, 2), 1), (array(9), 2)", "(NULL, 3), (array(4), 4)"
        ),
        source=table("id INT", "(4)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET l = NULL"
        " WHEN NOT MATCHED BY SOURCE AND exists(t.l, x -> x > t.id) THEN DELETE",
        rows="(NULL, 3), (NULL, 4)",
        properties=CHANGE_FEED,
        change_rows="(array(1, 2), 1, 'delete'), (array(9), 2, 'delete'),"
        " (array(4), 4, 'update_preimage'), (NULL, 4, 'update_postimage')",
    ),
)
