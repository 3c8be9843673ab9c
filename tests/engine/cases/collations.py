"""Text that is compared by a collation that the statement or the source asks for.

Delta 4.4 keeps no column with a collation of its own.
"""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, table

LOWER = "t.id COLLATE UTF8_LCASE = s.id COLLATE UTF8_LCASE"
INTO = "MERGE INTO {target} t USING {source} s"

CASES = (
    GoldenCase(
        title="an upsert of keys without case",
        target=table("id STRING, v STRING", "('a', 'p')", "('M', 'q')", "('é', 'r')"),
        source=table("id STRING, v STRING", "('A', 'x'), ('m', 'y'), ('n', 'z')"),
        statement=f"{INTO} ON {LOWER}"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
        rows="('a', 'x'), ('M', 'y'), ('é', 'r'), ('n', 'z')",
    ),
    GoldenCase(
        title="an insert-only merge knows a key without case",
        target=table("id STRING, v STRING", "('a', 'p')", "('M', 'q')"),
        source=table("id STRING, v STRING", "('A', 'x'), ('m', 'y'), ('N', 'z')"),
        statement=f"{INTO} ON {LOWER} WHEN NOT MATCHED THEN INSERT *",
        rows="('a', 'p'), ('M', 'q'), ('N', 'z')",
    ),
    GoldenCase(
        title="keys that differ by case alone are ambiguous without case",
        target=table("id STRING, v STRING", "('a', 'p'), ('b', 'q')"),
        source=table("id STRING, v STRING", "('A', 'x'), ('a', 'y')"),
        statement=f"{INTO} ON {LOWER} WHEN MATCHED THEN UPDATE SET v = s.v",
        error="DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
    ),
    GoldenCase(
        title="keys by a language's collation match without case and accents",
        target=table("id STRING, v STRING", "('café', 'p'), ('tee', 'q')", "('Zimt', 'r')"),
        source=table("id STRING, v STRING", "('CAFE', 'x'), ('zimt', 'y'), ('mate', 'z')"),
        statement=f"{INTO} ON t.id COLLATE UNICODE_CI_AI = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
        rows="('café', 'x'), ('tee', 'q'), ('Zimt', 'y'), ('mate', 'z')",
    ),
    GoldenCase(
        title="keys without their trailing spaces",
        target=table("id STRING, v STRING", "('a', 'p'), ('b  ', 'q')"),
        source=table("id STRING, v STRING", "('a ', 'x'), ('b', 'y')"),
        statement=f"{INTO} ON t.id COLLATE UTF8_BINARY_RTRIM = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="('a', 'x'), ('b  ', 'y')",
    ),
    GoldenCase(
        title="a statistic by bytes leaves out no file with a key without case",
        target=table(
            "id STRING, v STRING", "('AAA', 'p'), ('BBB', 'q')", "('aab', 'r'), ('zz', 's')"
        ),
        source=table("id STRING, v STRING", "('bbb', 'x'), ('ZZ', 'y')"),
        statement=f"{INTO} ON {LOWER} WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="('AAA', 'p'), ('BBB', 'x'), ('aab', 'r'), ('zz', 'y')",
    ),
    GoldenCase(
        title="the only key of the source, without case, beside a null-safe one",
        target=table("id STRING, g INT, v STRING", "('AAA', NULL, 'p')", "('zz', 1, 's')"),
        source=table("id STRING, g INT, v STRING", "('aaa', NULL, 'x')"),
        statement=f"{INTO} ON {LOWER} AND t.g <=> s.g WHEN MATCHED THEN DELETE",
        rows="('zz', 1, 's')",
    ),
    GoldenCase(
        title="conditions without case on columns of the target",
        target=table("id STRING, v STRING", "('A', 'p')", "('b', 'Q')"),
        source=table("v STRING", "('x')"),
        statement=f"{INTO} ON t.id COLLATE UTF8_LCASE IN ('a', 'B')"
        " WHEN MATCHED AND t.v COLLATE UTF8_LCASE = 'q' THEN UPDATE SET v = s.v",
        rows="('A', 'p'), ('b', 'x')",
    ),
    GoldenCase(
        title="by-source clauses without case, in the change feed",
        target=table("id STRING, v STRING", "('a', 'p')", "('M', 'q')"),
        source=table("id STRING, v STRING", "('A', 'x')"),
        properties=CHANGE_FEED,
        statement=f"{INTO} ON {LOWER} WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="('a', 'x')",
        change_rows="('a', 'p', 'update_preimage'), ('a', 'x', 'update_postimage'),"
        " ('M', 'q', 'delete')",
    ),
    GoldenCase(
        title="a source column with a collation goes into a column without",
        target=table("id INT, v STRING", "(1, 'p'), (2, 'q')"),
        source=table("id INT, v STRING COLLATE UTF8_LCASE", "(1, 'X'), (3, 'Y')"),
        statement=f"{INTO} ON t.id = s.id WHEN MATCHED AND s.v = 'x' THEN UPDATE SET *"
        " WHEN NOT MATCHED AND s.v = 'y' THEN INSERT *",
        rows="(1, 'X'), (2, 'q'), (3, 'Y')",
    ),
    GoldenCase(
        title="a new column with a collation is refused",
        target=table("id INT", "(1), (2)"),
        source=table("id INT, v STRING COLLATE UTF8_LCASE", "(2, 'X'), (3, 'y')"),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        error="DELTA_UNSUPPORTED_DATA_TYPES",
    ),
)
