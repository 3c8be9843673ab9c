"""Source rows that repeat a key: an error exactly where Delta has one."""

from __future__ import annotations

from golden import GoldenCase, table

AMBIGUOUS = "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE"
TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")
TWICE = table("id INT, v STRING", "(2, 'x'), (2, 'y'), (4, 'z')")

CASES = (
    GoldenCase(
        title="two source rows may not update one target row",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="an upsert of a repeated key that matches is ambiguous",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="two matches are ambiguous even if one clause alone fires",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v = 'x' THEN UPDATE SET *",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="two matches are ambiguous even if no clause fires",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v = 'none' THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="identical source rows are ambiguous too",
        target=TARGET,
        source=table("id INT, v STRING", "(3, 'x'), (3, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="an unconditional delete alone is not ambiguous",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id WHEN MATCHED THEN DELETE",
        rows="(1, 'a'), (3, 'c')",
    ),
    GoldenCase(
        title="an unconditional delete beside an insert is not ambiguous",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (3, 'c'), (4, 'z')",
    ),
    GoldenCase(
        title="a conditional delete is ambiguous",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND true THEN DELETE",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="two delete clauses are ambiguous",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v = 'x' THEN DELETE WHEN MATCHED THEN DELETE",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="insert-only keeps the source's duplicates and never checks",
        target=TARGET,
        source=table("id INT, v STRING", "(2, 'x'), (2, 'y'), (4, 'z'), (4, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'z'), (4, 'z')",
    ),
    GoldenCase(
        title="repeated keys that match nothing are all inserted",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (8, 'p'), (8, 'q'), (9, 'r'), (9, 'r')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (2, 'b'), (3, 'c'), (8, 'p'), (8, 'q'), (9, 'r'), (9, 'r')",
    ),
    GoldenCase(
        title="repeated null keys match nothing under =",
        target=table("id INT, v STRING", "(1, 'a'), (NULL, 'n')"),
        source=table("id INT, v STRING", "(NULL, 'x'), (NULL, 'y'), (1, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'z'), (NULL, 'n')",
    ),
    GoldenCase(
        title="repeated null keys are ambiguous under <=>",
        target=table("id INT, v STRING", "(1, 'a'), (NULL, 'n')"),
        source=table("id INT, v STRING", "(NULL, 'x'), (NULL, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id <=> s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="repeated keys are told apart by the rest of the ON condition",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND s.v = 'y'"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (2, 'y'), (3, 'c')",
    ),
    GoldenCase(
        title="different keys may meet in one target row by or",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (9, 'a')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id OR t.v = s.v"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="keys that differ only before the cast are ambiguous",
        target=TARGET,
        source=table("id STRING, v STRING", "('2', 'x'), ('02', 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="every source row matches, and an unconditional delete happens once",
        target=TARGET,
        source=table("id INT", "(7), (8), (8)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id >= 2 WHEN MATCHED THEN DELETE",
        rows="(1, 'a')",
    ),
    GoldenCase(
        title="an update beside an unconditional delete is ambiguous",
        target=TARGET,
        source=TWICE,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v = 'x' THEN UPDATE SET * WHEN MATCHED THEN DELETE",
        error=AMBIGUOUS,
    ),
)
