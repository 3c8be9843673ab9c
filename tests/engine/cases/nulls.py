"""Null keys, under = and under <=>."""

from __future__ import annotations

from golden import GoldenCase, table

CASES = (
    GoldenCase(
        title="= never matches null keys",
        target=table("id INT, v STRING", "(1, 'a'), (NULL, 'n')"),
        source=table("id INT, v STRING", "(1, 'x'), (NULL, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (NULL, 'n'), (NULL, 'y')",
    ),
    GoldenCase(
        title="<=> matches null keys",
        target=table("id INT, v STRING", "(1, 'a'), (NULL, 'n')", "(2, 'b')"),
        source=table("id INT, v STRING", "(1, 'x'), (NULL, 'y'), (3, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id <=> s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (NULL, 'y'), (2, 'b'), (3, 'z')",
    ),
    GoldenCase(
        title="<=> finds a null key in a file of nulls alone",
        target=table("id INT, v STRING", "(1, 'a')", "(NULL, 'm'), (NULL, 'n')"),
        source=table("id INT, v STRING", "(NULL, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id <=> s.id"
        " WHEN MATCHED THEN UPDATE SET v = concat(t.v, s.v)",
        rows="(1, 'a'), (NULL, 'my'), (NULL, 'ny')",
    ),
    GoldenCase(
        title="<=> inserts the null key that is not there yet",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING", "(NULL, 'y'), (1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id <=> s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (NULL, 'y')",
    ),
    GoldenCase(
        title="<=> does not insert the null key twice",
        target=table("id INT, v STRING", "(NULL, 'n')", "(1, 'a')"),
        source=table("id INT, v STRING", "(NULL, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id <=> s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (NULL, 'n')",
        commits=False,
    ),
    GoldenCase(
        title="a composite null-safe key",
        target=table("a INT, b STRING, v INT", "(1, NULL, 10), (NULL, 'x', 11), (NULL, NULL, 12)"),
        source=table("a INT, b STRING, v INT", "(1, NULL, 90), (NULL, NULL, 92), (1, 'x', 93)"),
        statement="MERGE INTO {target} t USING {source} s ON t.a <=> s.a AND t.b <=> s.b"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, NULL, 90), (NULL, 'x', 11), (NULL, NULL, 92), (1, 'x', 93)",
    ),
    GoldenCase(
        title="one part of the key null-safe and the other not",
        target=table("a INT, b INT, v STRING", "(1, NULL, 'p'), (NULL, 1, 'q'), (2, 2, 'r')"),
        source=table("a INT, b INT, v STRING", "(1, NULL, 'x'), (NULL, 1, 'y'), (2, 2, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.a <=> s.a AND t.b = s.b"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(1, NULL, 'p'), (NULL, 1, 'y'), (2, 2, 'z')",
    ),
    GoldenCase(
        title="a source of null keys alone matches nothing under =",
        target=table("id INT, v STRING", "(1, 'a'), (NULL, 'n')"),
        source=table("id INT, v STRING", "(NULL, 'x'), (NULL, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (NULL, 'n'), (NULL, 'x'), (NULL, 'y')",
    ),
    GoldenCase(
        title="a target of null keys alone, smaller than the table that is its source",
        target=table(
            "id FLOAT, k STRUCT<a: INT, b: STRING>", "(NULL, named_struct('a', 1, 'b', 'x'))"
        ),
        source=table(
            "k STRUCT<a: INT, b: STRING>, id FLOAT",
            "(named_struct('a', 1, 'b', 'x'), 1.0F), (named_struct('a', 1, 'b', 'x'), NULL),"
            " (named_struct('a', NULL, 'b', 'y'), 2.5F), (NULL, 2.5F)",
        ),
        source_is_delta=True,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.k <=> s.k"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(NULL, named_struct('a', 1, 'b', 'x')), (NULL, named_struct('a', 1, 'b', 'x')),"
        " (1.0F, named_struct('a', 1, 'b', 'x')), (2.5F, named_struct('a', NULL, 'b', 'y')),"
        " (2.5F, NULL)",
    ),
    GoldenCase(
        title="values become null and null values become known",
        target=table("id INT, a STRING, b DATE", "(1, NULL, DATE'2026-01-01'), (2, 'b', NULL)"),
        source=table("id INT, a STRING, b DATE", "(1, 'x', NULL), (2, NULL, DATE'2026-01-02')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'x', NULL), (2, NULL, DATE'2026-01-02')",
    ),
    GoldenCase(
        title="an equality beside IS NULL on the key matches nothing",
        target=table("id INT, v STRING", "(1, 'a'), (NULL, 'n')"),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y'), (NULL, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND s.id IS NULL"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (NULL, 'n'), (1, 'x'), (2, 'y'), (NULL, 'z')",
    ),
    GoldenCase(
        title="an equality beside IS NOT NULL on a value",
        target=table("id INT, v STRING", "(1, 'a'), (2, NULL), (NULL, 'n')"),
        source=table("id INT, v STRING", "(1, NULL), (2, 'y'), (NULL, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.v IS NOT NULL"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
        rows="(1, NULL), (2, NULL), (NULL, 'n'), (2, 'y'), (NULL, 'z')",
    ),
    GoldenCase(
        title="an equality beside NULL matches nothing",
        target=table("id INT, v STRING", "(1, 'a'), (NULL, 'n')"),
        source=table("id INT, v STRING", "(1, 'x'), (NULL, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND NULL"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (NULL, 'n'), (1, 'x'), (NULL, 'z')",
    ),
    GoldenCase(
        title="an insert that asks for null keys",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(1, 'x'), (3, 'y'), (NULL, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND s.id IS NULL THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (NULL, 'z')",
    ),
)
