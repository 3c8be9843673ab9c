"""Columns and tables with a will of their own: generated, identity, default, tracked, mapped."""

from __future__ import annotations

from golden import GoldenCase, table

UPSERT = (
    "MERGE INTO {target} t USING {source} s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)"
)
PLAIN = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")
CHANGES = table("id INT, v STRING", "(2, 'x'), (4, 'y')")

CASES = (
    GoldenCase(
        title="generated columns are computed anew",
        target=table("id INT, v INT, twice INT GENERATED ALWAYS AS (v * 2)"),
        before=("INSERT INTO {target} (id, v) VALUES (1, 10), (2, 20)",),
        source=table("id INT, v INT", "(2, 21), (3, 30)"),
        statement=UPSERT,
        partition_by=(),
        rows="(1, 10, 20), (2, 21, 42), (3, 30, 60)",
    ),
    GoldenCase(
        title="a generated partition column follows its base column",
        target=table("id INT, v DATE, y INT GENERATED ALWAYS AS (year(v))"),
        before=(
            "INSERT INTO {target} (id, v) VALUES (1, DATE'2025-01-01'), (2, DATE'2026-01-01')",
        ),
        source=table("id INT, v DATE", "(1, DATE'2026-02-02'), (3, DATE'2027-03-03')"),
        statement=UPSERT,
        partition_by=("y",),
        rows="(1, DATE'2026-02-02', 2026), (2, DATE'2026-01-01', 2026),"
        " (3, DATE'2027-03-03', 2027)",
    ),
    GoldenCase(
        title="a value that contradicts a generated column is refused",
        target=table("id INT, v INT, twice INT GENERATED ALWAYS AS (v * 2)"),
        before=("INSERT INTO {target} (id, v) VALUES (1, 10)",),
        source=table("id INT, v INT", "(2, 21)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT (id, v, twice) VALUES (s.id, s.v, 0)",
        partition_by=(),
        error="DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
    ),
    GoldenCase(
        title="default values fill columns that an insert leaves out",
        target=table("id INT, v STRING, n INT DEFAULT 7"),
        before=("INSERT INTO {target} (id, v) VALUES (1, 'a'), (2, 'b')",),
        source=CHANGES,
        properties=(("delta.feature.allowColumnDefaults", "supported"),),
        statement=UPSERT,
        partition_by=(),
        rows="(1, 'a', 7), (2, 'x', 7), (4, 'y', 7)",
    ),
    GoldenCase(
        title="an identity column may not be updated",
        target=table("key BIGINT GENERATED ALWAYS AS IDENTITY, id INT, v STRING"),
        before=("INSERT INTO {target} (id, v) VALUES (1, 'a')",),
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET key = 100",
        partition_by=(),
        error="DELTA_IDENTITY_COLUMNS_UPDATE_NOT_SUPPORTED",
    ),
    GoldenCase(
        title="tables that track rows",
        target=PLAIN,
        source=CHANGES,
        properties=(("delta.enableRowTracking", "true"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="column mapping by name",
        target=PLAIN,
        source=CHANGES,
        properties=(("delta.columnMapping.mode", "name"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="column mapping by id",
        target=PLAIN,
        source=CHANGES,
        properties=(("delta.columnMapping.mode", "id"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="a column that was dropped and added again is another column",
        target=table("id INT, v STRING, w INT", "(1, 'a', 10), (2, 'b', 20)"),
        before=(
            "ALTER TABLE {target} DROP COLUMN w",
            "ALTER TABLE {target} ADD COLUMN w INT",
        ),
        source=table("id INT, v STRING, w INT", "(2, 'x', 21)"),
        properties=(("delta.columnMapping.mode", "name"),),
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND t.w IS NULL THEN UPDATE SET *",
        rows="(1, 'a', NULL), (2, 'x', 21)",
    ),
    GoldenCase(
        title="a clustered table",
        target=PLAIN,
        before=("ALTER TABLE {target} CLUSTER BY (id)",),
        source=CHANGES,
        partition_by=(),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="a table with a checkpoint after every commit",
        target=PLAIN,
        source=CHANGES,
        properties=(("delta.checkpointInterval", "1"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="a table whose files lie under random prefixes",
        target=PLAIN,
        source=CHANGES,
        properties=(("delta.randomizeFilePrefixes", "true"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="text that is compared without case",
        target=table("id STRING, v STRING", "('a', 'p')", "('M', 'q')", "('é', 'r')"),
        source=table("id STRING, v STRING", "('A', 'x'), ('m', 'y'), ('É', 'z'), ('n', 'n')"),
        statement="MERGE INTO {target} t USING {source} s"
        " ON t.id COLLATE UTF8_LCASE = s.id COLLATE UTF8_LCASE"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="('a', 'x'), ('M', 'y'), ('é', 'z')",
    ),
    GoldenCase(
        title="variants are carried whole",
        target=table("id INT, j VARIANT", """(1, parse_json('{"a": 1}')), (2, NULL)"""),
        source=table("id INT, j STRING", "(2, '[1, 2]')"),
        statement="MERGE INTO {target} t USING (SELECT id, parse_json(j) AS j FROM {source}) s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET *",
        rows="(1, parse_json('{\"a\": 1}')), (2, parse_json('[1, 2]'))",
    ),
    GoldenCase(
        title="optimized writes",
        target=PLAIN,
        source=CHANGES,
        properties=(("delta.autoOptimize.optimizeWrite", "true"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
)
