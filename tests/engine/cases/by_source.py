"""WHEN NOT MATCHED BY SOURCE: what happens to target rows that the source does not have."""

from __future__ import annotations

from golden import GoldenCase, table

AMBIGUOUS = "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE"
TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (NULL, 'n')")

CASES = (
    GoldenCase(
        title="rows that the source does not have are deleted",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (9, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="(1, 'a')",
    ),
    GoldenCase(
        title="rows that the source does not have are updated",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = concat(t.v, '-old')",
        rows="(1, 'a'), (2, 'b-old'), (3, 'c-old'), (NULL, 'n-old')",
    ),
    GoldenCase(
        title="the three kinds of clauses make the target the source",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (3, 'y'), (7, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="(1, 'x'), (3, 'y'), (7, 'z')",
    ),
    GoldenCase(
        title="the first by-source clause whose condition holds wins",
        target=TARGET,
        source=table("id INT, v STRING", "(9, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE AND t.id <= 2 THEN UPDATE SET v = 'two'"
        " WHEN NOT MATCHED BY SOURCE AND t.v = 'n' THEN DELETE",
        rows="(2, 'two'), (3, 'c')",
    ),
    GoldenCase(
        title="a by-source condition that is null does not fire",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE AND t.id > 0 THEN DELETE",
        rows="(1, 'a'), (NULL, 'n')",
    ),
    GoldenCase(
        title="an empty source leaves every row unmatched",
        target=TARGET,
        source=table("id INT, v STRING"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="",
    ),
    GoldenCase(
        title="a target-only conjunct makes its rows unmatched by source",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y'), (3, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.id > 1"
        " WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 'unmatched'",
        rows="(1, 'unmatched'), (2, 'y'), (3, 'z'), (NULL, 'unmatched')",
    ),
    GoldenCase(
        title="repeated source keys are ambiguous beside a by-source clause alone",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (1, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        error=AMBIGUOUS,
    ),
    GoldenCase(
        title="an unconditional delete beside a by-source clause is not ambiguous",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (1, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN UPDATE SET v = 'left'",
        rows="(2, 'left'), (3, 'c'), (NULL, 'n')",
    ),
    GoldenCase(
        title="a conditional insert beside a by-source clause leaves rows out",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (8, 'y'), (9, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND s.id = 8 THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN DELETE",
        rows="(1, 'a'), (3, 'c'), (NULL, 'n'), (8, 'y')",
    ),
    GoldenCase(
        title="by-source clauses over partitions",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'a')", "(3, 'b'), (4, 'c')"),
        source=table("id INT, p STRING", "(1, 'a'), (3, 'b')"),
        partition_by=("p",),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.p = s.p"
        " WHEN NOT MATCHED BY SOURCE AND t.p IN ('a', 'b') THEN DELETE",
        rows="(1, 'a'), (3, 'b'), (4, 'c')",
    ),
    GoldenCase(
        title="a by-source update may not read the source",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = s.v",
        error="DELTA_MERGE_UNRESOLVED_EXPRESSION",
    ),
    GoldenCase(
        title="the three kinds of clauses, each with a condition",
        target=table("id INT, n INT", "(1, 10), (2, 20)", "(5, 50), (7, 70)"),
        source=table("id INT, n INT", "(0, 0), (1, 1), (5, 5), (6, 6)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND t.n < 30 THEN UPDATE SET *"
        " WHEN NOT MATCHED AND s.n < 4 THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE AND t.n > 40 THEN DELETE",
        rows="(0, 0), (1, 1), (2, 20), (5, 50)",
    ),
    GoldenCase(
        title="matched and unmatched rows are deleted, each under a condition",
        target=table("id INT, n INT", "(1, 10), (2, 20)", "(3, 30), (4, 40)"),
        source=table("id INT, n INT", "(1, 1), (2, 2), (5, 5)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.n % 2 = 0 THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE AND t.n % 20 = 0 THEN DELETE",
        rows="(1, 10), (3, 30)",
    ),
    GoldenCase(
        title="matched and unmatched rows are all deleted",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (9, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="",
    ),
    GoldenCase(
        title="by-source clauses beside a conjunct that leaves files out",
        target=table("id INT, n INT", "(1, 10)", "(2, 20), (4, 40)", "(5, 50), (6, 60)"),
        source=table("id INT, n INT", "(0, 0), (1, 1), (2, 2), (5, 5), (6, 6)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.id > 4"
        " WHEN MATCHED AND t.id = 5 THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN UPDATE SET n = t.n + 1"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 4 THEN DELETE",
        rows="(1, 11), (2, 20), (6, 60)",
    ),
    GoldenCase(
        title="six by-source clauses each take their rows",
        target=table("id INT, n INT", "(6, 6), (7, 7), (8, 8)", "(9, 9), (10, 10), (11, 11)"),
        source=table("id INT, n INT", "(0, 0), (1, 1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 6 THEN UPDATE SET n = t.n + 60"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 7 THEN UPDATE SET n = t.n + 70"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 8 THEN UPDATE SET n = t.n + 80"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 9 THEN UPDATE SET id = 90, n = 90"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 10 THEN UPDATE SET n = NULL"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="(6, 66), (7, 77), (8, 88), (90, 90), (10, NULL)",
    ),
    GoldenCase(
        title="inserts beside a by-source update of every row",
        target=table("id INT, n INT", "(1, 4), (2, 2)", "(7, 3)"),
        source=table("id INT, n INT", "(0, 2), (1, 1), (5, 5)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND s.n % 2 = 0 THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET n = t.n + 1",
        rows="(0, 2), (1, 4), (2, 3), (7, 4)",
    ),
    GoldenCase(
        title="inserts beside a by-source clause that never fires",
        target=table("id INT, n INT", "(1, 4), (2, 2)", "(7, 3)"),
        source=table("id INT, n INT", "(0, 2), (1, 1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE AND t.n > 10 THEN DELETE",
        rows="(0, 2), (1, 4), (2, 2), (7, 3)",
    ),
    GoldenCase(
        title="an empty source, and by-source clauses with conditions",
        target=table("id INT, n INT", "(1, 4), (2, 2)", "(7, 3)"),
        source=table("id INT, n INT"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN UPDATE SET n = t.n + 1"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 7 THEN DELETE",
        rows="(1, 4), (2, 3)",
    ),
    GoldenCase(
        title="clauses of the three kinds that never fire commit nothing",
        target=table("id INT, n INT", "(1, 4), (2, 2)", "(7, 3)"),
        source=table("id INT, n INT", "(0, 2), (1, 1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND t.n > 10 THEN UPDATE SET *"
        " WHEN NOT MATCHED AND s.n > 10 THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE AND t.n > 10 THEN DELETE",
        rows="(1, 4), (2, 2), (7, 3)",
        commits=False,
    ),
    GoldenCase(
        title="a random value in a by-source action",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT", "(2)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE AND t.id < 2"
        " THEN UPDATE SET v = concat(t.v, length(uuid()))",
        rows="(1, 'a36'), (2, 'b')",
    ),
)
