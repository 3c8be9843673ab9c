"""WHEN NOT MATCHED BY SOURCE: what happens to target rows that the source does not have."""

from __future__ import annotations

from golden import OURS, GoldenCase, table

ROUTES = OURS
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
        routes=ROUTES,
    ),
    GoldenCase(
        title="rows that the source does not have are updated",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = concat(t.v, '-old')",
        rows="(1, 'a'), (2, 'b-old'), (3, 'c-old'), (NULL, 'n-old')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="the three kinds of clauses make the target the source",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (3, 'y'), (7, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="(1, 'x'), (3, 'y'), (7, 'z')",
        routes=ROUTES,
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
        routes=ROUTES,
    ),
    GoldenCase(
        title="a by-source condition that is null does not fire",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE AND t.id > 0 THEN DELETE",
        rows="(1, 'a'), (NULL, 'n')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="an empty source leaves every row unmatched",
        target=TARGET,
        source=table("id INT, v STRING"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="",
        routes=ROUTES,
    ),
    GoldenCase(
        title="a target-only conjunct makes its rows unmatched by source",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y'), (3, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.id > 1"
        " WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 'unmatched'",
        rows="(1, 'unmatched'), (2, 'y'), (3, 'z'), (NULL, 'unmatched')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="repeated source keys are ambiguous beside a by-source clause alone",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (1, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        error=AMBIGUOUS,
        routes=ROUTES,
    ),
    GoldenCase(
        title="an unconditional delete beside a by-source clause is not ambiguous",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (1, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN UPDATE SET v = 'left'",
        rows="(2, 'left'), (3, 'c'), (NULL, 'n')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="a conditional insert beside a by-source clause leaves rows out",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (8, 'y'), (9, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND s.id = 8 THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN DELETE",
        rows="(1, 'a'), (3, 'c'), (NULL, 'n'), (8, 'y')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="by-source clauses over partitions",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'a')", "(3, 'b'), (4, 'c')"),
        source=table("id INT, p STRING", "(1, 'a'), (3, 'b')"),
        partition_by=("p",),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.p = s.p"
        " WHEN NOT MATCHED BY SOURCE AND t.p IN ('a', 'b') THEN DELETE",
        rows="(1, 'a'), (3, 'b'), (4, 'c')",
        routes=ROUTES,
    ),
    GoldenCase(
        title="a by-source update may not read the source",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = s.v",
        error="DELTA_MERGE_UNRESOLVED_EXPRESSION",
        routes=ROUTES,
    ),
)
