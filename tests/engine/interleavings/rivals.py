"""What another writer does meanwhile: Delta's own commands."""

from __future__ import annotations

from .operations import sql

ROWS = (
    sql("UPDATE {t} SET v = concat(v, '+rival') WHERE id = 3"),
    sql("UPDATE {t} SET n = n + 1000"),
    sql("UPDATE {t} SET g = 1 WHERE id = 4"),
    sql("DELETE FROM {t} WHERE id = 3"),
    sql("DELETE FROM {t} WHERE id >= 4"),
    sql("DELETE FROM {t} WHERE g = 2"),
    sql("DELETE FROM {t}"),
    sql("INSERT INTO {t} VALUES (7L, 1, 7, 'rival')"),
    sql("INSERT INTO {t} VALUES (50L, 2, 500, 'rival')"),
    sql("INSERT INTO {t} VALUES (2L, 2, 25, 'twice')"),
    sql("INSERT INTO {t} SELECT id + 100, g, n, v FROM {t}"),
    sql("INSERT OVERWRITE {t} VALUES (3L, 2, 33, 'rival'), (9L, 1, 90, 'rival')"),
    sql(
        "MERGE INTO {t} t USING {s} s ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = t.n + s.n"
        " WHEN NOT MATCHED THEN INSERT *"
    ),
    sql("MERGE INTO {t} t USING {s} s ON t.id = s.id WHEN MATCHED THEN DELETE"),
)
FILES = (
    sql("OPTIMIZE {t}"),
    sql("REORG TABLE {t} APPLY (PURGE)"),
    sql("VACUUM {t}"),
    sql("DELETE FROM {t} WHERE id = 3", "REORG TABLE {t} APPLY (PURGE)"),
    sql("RESTORE TABLE {t} TO VERSION AS OF 1"),
)
DEFINITION = (
    sql("ALTER TABLE {t} ADD COLUMNS (w BIGINT)"),
    sql("ALTER TABLE {t} ADD COLUMNS (w BIGINT)", "UPDATE {t} SET w = id"),
    sql("ALTER TABLE {t} ADD COLUMNS (w INT FIRST)", "UPDATE {t} SET w = 5"),
    sql("ALTER TABLE {t} ALTER COLUMN n AFTER id"),
    sql("ALTER TABLE {t} RENAME COLUMN v TO w", needs=("mapping",)),
    sql("ALTER TABLE {t} RENAME COLUMN n TO w", "UPDATE {t} SET w = 5", needs=("mapping",)),
    sql("ALTER TABLE {t} DROP COLUMN v", needs=("mapping",)),
    sql(
        "ALTER TABLE {t} DROP COLUMN v",
        "ALTER TABLE {t} ADD COLUMNS (v STRING)",
        needs=("mapping",),
    ),
    sql("ALTER TABLE {t} ALTER COLUMN n TYPE BIGINT", needs=("widening",)),
    sql(
        "ALTER TABLE {t} ALTER COLUMN n TYPE BIGINT",
        "UPDATE {t} SET n = 5000000000 WHERE id = 3",
        needs=("widening",),
    ),
    sql("ALTER TABLE {t} SET TBLPROPERTIES ('note' = 'rival')"),
    sql("ALTER TABLE {t} SET TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')"),
    sql("ALTER TABLE {t} SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"),
    sql("ALTER TABLE {t} SET TBLPROPERTIES ('delta.appendOnly' = 'true')"),
    sql("ALTER TABLE {t} ADD CONSTRAINT few CHECK (n < 90)"),
    sql("ALTER TABLE {t} CLUSTER BY (g)", needs=("clustered",)),
)
OF_THE_SOURCE = (
    sql("ALTER TABLE {s} ALTER COLUMN n AFTER id"),
    sql("ALTER TABLE {s} ALTER COLUMN v FIRST"),
    sql("ALTER TABLE {s} ADD COLUMNS (z INT FIRST)"),
    sql("ALTER TABLE {s} ADD COLUMNS (z INT AFTER g)", "UPDATE {s} SET z = 77"),
    sql("INSERT INTO {s} VALUES (6L, 3, 600, 's6')"),
    sql("UPDATE {s} SET n = n + 1"),
    sql("DELETE FROM {s} WHERE id = 3"),
)
OF_BOTH = (
    sql("ALTER TABLE {s} ALTER COLUMN n AFTER id", "UPDATE {t} SET n = n + 1000"),
    sql("ALTER TABLE {s} ALTER COLUMN v FIRST", "DELETE FROM {t} WHERE id = 3"),
)
GROUPS = (ROWS, ROWS, FILES, DEFINITION, OF_THE_SOURCE, OF_BOTH)
"""Each is drawn from as often as it stands here."""

OF_A_HISTORY = (
    sql("UPDATE {t} SET v = concat(v, '+rival') WHERE is_current"),
    sql("UPDATE {t} SET valid_to = TIMESTAMP'2026-01-05', is_current = false WHERE id = 2"),
    sql("DELETE FROM {t} WHERE id = 3"),
    sql("DELETE FROM {t} WHERE id = 3 AND is_current"),
    sql(
        "INSERT INTO {t} VALUES (4L, 'rival', TIMESTAMP'2026-01-02', TIMESTAMP'2026-01-02',"
        " NULL, true)"
    ),
    sql("ALTER TABLE {t} ADD COLUMNS (w BIGINT)", "UPDATE {t} SET w = id"),
    sql("OPTIMIZE {t}"),
    sql("ALTER TABLE {s} ALTER COLUMN changed AFTER id", "DELETE FROM {t} WHERE id = 2"),
)
