"""Generated and default columns: what a clause leaves out is computed, what it gives is checked."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, table

COMPUTED = "id INT, n INT, m INT GENERATED ALWAYS AS (n + 1)"
TARGET = table(COMPUTED)
FILLED = ("INSERT INTO {target} (id, n) VALUES (1, 2), (2, 100)",)
SOURCE = table("id INT, n INT, m INT", "(1, 3, 4), (3, 20, 21)")
INTO = "MERGE INTO {target} t USING {source} s ON t.id = s.id"
EVOLVING = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
DEFAULTS = (("delta.feature.allowColumnDefaults", "supported"),)
VIOLATED = "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES"

CASES = (
    GoldenCase(
        title="a generated column follows a value of the target",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET n = t.m + s.m, id = t.id * 100",
        rows="(100, 7, 8), (2, 100, 101)",
    ),
    GoldenCase(
        title="a generated column and its input are both assigned",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET n = s.n, m = s.m",
        rows="(1, 3, 4), (2, 100, 101)",
    ),
    GoldenCase(
        title="* gives a generated column its value",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 3, 4), (2, 100, 101), (3, 20, 21)",
    ),
    GoldenCase(
        title="* with a value that contradicts a generated column",
        target=TARGET,
        before=FILLED,
        source=table("id INT, n INT, m INT", "(3, 20, 22)"),
        partition_by=(),
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT *",
        error=VIOLATED,
    ),
    GoldenCase(
        title="a generated column of a null is null",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET n = NULL"
        " WHEN NOT MATCHED THEN INSERT (n) VALUES (NULL)",
        rows="(1, NULL, NULL), (2, 100, 101), (NULL, NULL, NULL)",
    ),
    GoldenCase(
        title="an insert that leaves the input of a generated column out",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN NOT MATCHED AND s.id = 3 THEN INSERT (id) VALUES (s.id)",
        rows="(1, 2, 3), (2, 100, 101), (3, NULL, NULL)",
    ),
    GoldenCase(
        title="an insert that gives one of two inputs of a generated column",
        target=table("id INT, n INT, m INT GENERATED ALWAYS AS (n + id)"),
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (n) VALUES (s.n)",
        rows="(1, 2, 3), (2, 100, 102), (NULL, 20, NULL)",
    ),
    GoldenCase(
        title="an insert of a generated column alone contradicts its null input",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (m) VALUES (s.m)",
        error=VIOLATED,
    ),
    GoldenCase(
        title="clauses that give and leave out a generated column",
        target=TARGET,
        before=FILLED,
        source=table(
            "id INT, n INT, m INT", "(1, 3, 4), (2, 5, 6), (3, 20, 21), (4, 7, 8), (5, 9, 10)"
        ),
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED AND s.id = 1 THEN UPDATE SET n = 50"
        " WHEN MATCHED THEN UPDATE SET *"
        " WHEN NOT MATCHED AND s.id = 4 THEN INSERT (id, n) VALUES (s.id, 22)"
        " WHEN NOT MATCHED AND s.id = 5 THEN INSERT (id, n, m) VALUES (s.id, s.m, s.m + 1)"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 50, 51), (2, 5, 6), (3, 20, 21), (4, 22, 23), (5, 10, 11)",
    ),
    GoldenCase(
        title="a generated column from a grouped source",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement="MERGE INTO {target} t USING"
        " (SELECT id, max(m) + min(n) AS total FROM {source} GROUP BY id) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET n = s.total",
        rows="(1, 7, 8), (2, 100, 101)",
    ),
    GoldenCase(
        title="a by-source update recomputes a generated column",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN NOT MATCHED BY SOURCE THEN UPDATE SET n = t.n + 1",
        rows="(1, 2, 3), (2, 101, 102)",
    ),
    GoldenCase(
        title="a generated column is computed while another column is added",
        target=TARGET,
        before=FILLED,
        source=table("id INT, n INT, w INT", "(1, 3, 30), (2, 5, 50), (3, 20, 200), (4, 7, 70)"),
        partition_by=(),
        statement=f"{EVOLVING} WHEN MATCHED AND s.id = 1 THEN UPDATE SET n = 50"
        " WHEN MATCHED THEN UPDATE SET *"
        " WHEN NOT MATCHED AND s.id = 4 THEN INSERT (id, n) VALUES (s.id, s.w)"
        " WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, n INT, m INT, w INT",
        rows="(1, 50, 51, NULL), (2, 5, 6, 50), (3, 20, 21, 200), (4, 70, 71, NULL)",
    ),
    GoldenCase(
        title="a generated column whose input the source lacks, while another is added",
        target=TARGET,
        before=FILLED,
        source=table("id INT, w INT", "(3, 30)"),
        partition_by=(),
        statement=f"{EVOLVING} WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, n INT, m INT, w INT",
        rows="(1, 2, 3, NULL), (2, 100, 101, NULL), (3, NULL, NULL, 30)",
    ),
    GoldenCase(
        title="a generated column given without its input, while another is added",
        target=TARGET,
        before=FILLED,
        source=table("id INT, m INT, w INT", "(3, 4, 30)"),
        partition_by=(),
        statement=f"{EVOLVING} WHEN NOT MATCHED THEN INSERT *",
        error=VIOLATED,
    ),
    GoldenCase(
        title="a generated column of several inputs, one of them null",
        target=table("id INT, n INT, m INT GENERATED ALWAYS AS (id + CAST(n IS NULL AS INT))"),
        before=FILLED,
        source=table("id INT, n INT, w INT", "(1, 3, 30), (2, NULL, 50), (3, 20, 200), (5, 6, 70)"),
        partition_by=(),
        statement=f"{EVOLVING} WHEN MATCHED AND s.id = 1 THEN UPDATE SET n = 100"
        " WHEN MATCHED THEN UPDATE SET *"
        " WHEN NOT MATCHED AND s.id = 5 THEN INSERT (id) VALUES (s.id)"
        " WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, n INT, m INT, w INT",
        rows="(1, 100, 1, NULL), (2, NULL, 3, 50), (3, 20, 3, 200), (5, NULL, 6, NULL)",
    ),
    GoldenCase(
        title="a new column in other letters beside a generated one",
        target=table("id INT, m INT GENERATED ALWAYS AS (id + 1)"),
        before=("INSERT INTO {target} (id) VALUES (1)",),
        source=table("id INT, w INT", "(2, 4)"),
        partition_by=(),
        statement=f"{EVOLVING} WHEN NOT MATCHED THEN INSERT (id, W) VALUES (s.id, s.w)",
        schema="id INT, m INT, w INT",
        rows="(1, 2, NULL), (2, 3, 4)",
    ),
    GoldenCase(
        title="one column inserted twice beside a generated one",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        partition_by=(),
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (id, n, N) VALUES (s.id, s.n, s.n)",
        error="DELTA_DUPLICATE_COLUMNS_ON_INSERT",
    ),
    GoldenCase(
        title="the change feed has generated columns in both images",
        target=TARGET,
        before=FILLED,
        source=SOURCE,
        properties=CHANGE_FEED,
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET n = s.n"
        " WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, s.n)",
        rows="(1, 3, 4), (2, 100, 101), (3, 20, 21)",
        change_rows="(1, 2, 3, 'update_preimage'), (1, 3, 4, 'update_postimage'),"
        " (3, 20, 21, 'insert')",
    ),
    GoldenCase(
        title="the word DEFAULT is no value in a merge, as to Delta",
        target=table("id INT, v STRING DEFAULT 'none'"),
        before=("INSERT INTO {target} VALUES (1, 'a'), (2, 'b')",),
        source=table("id INT", "(1), (3)"),
        properties=DEFAULTS,
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET v = DEFAULT",
        error="DELTA_MERGE_UNRESOLVED_EXPRESSION",
    ),
)
