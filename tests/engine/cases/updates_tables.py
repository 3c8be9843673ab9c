"""UPDATE of tables with features, odd names and settings of their own."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, GoldenCase, UpdateRows, table, update

BY_NAME = (("delta.columnMapping.mode", "name"),)
BY_ID = (("delta.columnMapping.mode", "id"),)
WIDENING = (("delta.enableTypeWidening", "true"),)
PLAIN = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')")
MIDDLE = update("id = 2 OR v = 'c'", v="concat(v, '!')")
TWO_SET = "(1, 'a'), (2, 'b!'), (3, 'c!'), (4, 'd')"
CHECKPOINTS = (("spark.databricks.delta.checkpointV2.topLevelFileFormat", "parquet"),)
ONCE = (
    ("spark.databricks.delta.write.txnAppId", "golden-update"),
    ("spark.databricks.delta.write.txnVersion", "7"),
)
COUNTED = (
    *(f"SET {name} = {value}" for name, value in ONCE),
    "UPDATE {target} SET n = n + 1 WHERE id = 1",
)

CASES = (
    GoldenCase(
        title="an update leaves rows that were deleted before deleted",
        target=PLAIN,
        before=("DELETE FROM {target} WHERE id = 2",),
        statement=update(v="concat(v, '!')"),
        properties=CHANGE_FEED,
        rows="(1, 'a!'), (3, 'c!'), (4, 'd!')",
        change_rows="(1, 'a', 'update_preimage'), (1, 'a!', 'update_postimage'),"
        " (3, 'c', 'update_preimage'), (3, 'c!', 'update_postimage'),"
        " (4, 'd', 'update_preimage'), (4, 'd!', 'update_postimage')",
    ),
    GoldenCase(
        title="an update of rows that are gone commits nothing",
        target=table("id INT, n INT", "(1, 10), (2, 10)", "(3, 10)"),
        before=("DELETE FROM {target} WHERE id = 2",),
        statement=update("id = 2", n="0"),
        rows="(1, 10), (3, 10)",
        commits=False,
    ),
    GoldenCase(
        title="an update after a delete and an update of the same files",
        target=PLAIN,
        before=(
            "DELETE FROM {target} WHERE id = 1",
            "UPDATE {target} SET v = 'later' WHERE id = 3",
        ),
        statement=update("id IN (1, 2, 3)", v="concat(v, '!')"),
        rows="(2, 'b!'), (3, 'later!'), (4, 'd')",
    ),
    GoldenCase(
        title="an update of a table whose vectors have been turned off",
        target=PLAIN,
        deletion_vectors=True,
        before=(
            "DELETE FROM {target} WHERE id = 1",
            "ALTER TABLE {target} SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'false')",
        ),
        statement=MIDDLE,
        rows="(2, 'b!'), (3, 'c!'), (4, 'd')",
    ),
    GoldenCase(
        title="the session forbids updates to write vectors",
        target=PLAIN,
        before=("DELETE FROM {target} WHERE id = 1",),
        conf=(("spark.databricks.delta.update.deletionVectors.persistent", "false"),),
        statement=MIDDLE,
        rows="(2, 'b!'), (3, 'c!'), (4, 'd')",
    ),
    GoldenCase(
        title="rows that are updated twice keep their ids, in the change feed too",
        target=PLAIN,
        before=("UPDATE {target} SET v = 'once' WHERE id IN (1, 3)",),
        statement=update("id > 2", v="concat(v, '!')"),
        properties=(*ROW_TRACKING, *CHANGE_FEED),
        rows="(1, 'once'), (2, 'b'), (3, 'once!'), (4, 'd!')",
        change_rows="(3, 'once', 'update_preimage'), (3, 'once!', 'update_postimage'),"
        " (4, 'd', 'update_preimage'), (4, 'd!', 'update_postimage')",
    ),
    GoldenCase(
        title="every row is updated, and keeps its id",
        target=PLAIN,
        statement=update(v="upper(v)"),
        properties=ROW_TRACKING,
        rows="(1, 'A'), (2, 'B'), (3, 'C'), (4, 'D')",
    ),
    GoldenCase(
        title="an update of names with dots, spaces, backticks and reserved words",
        target=table(
            "`the id` INT, `a.b` STRING, `select` INT, `c``d` STRING, a STRUCT<b: STRING>",
            "(1, 'x', 10, 'p', named_struct('b', 'i')), (2, 'y', 20, 'q', named_struct('b', 'j'))",
            "(3, 'z', 30, 'r', named_struct('b', 'k'))",
        ),
        statement=UpdateRows(
            (
                ("`a.b`", "a.b"),
                ("a.b", "`a.b`"),
                ("`select`", "`select` + `the id`"),
                ("`c``d`", "upper(`c``d`)"),
            ),
            "`the id` = 2 OR `c``d` = 'r'",
        ),
        properties=BY_NAME,
        rows="(1, 'x', 10, 'p', named_struct('b', 'i')),"
        " (2, 'j', 22, 'Q', named_struct('b', 'y')),"
        " (3, 'k', 33, 'R', named_struct('b', 'z'))",
    ),
    GoldenCase(
        title="an update under column mapping by id, in the change feed",
        target=table("Id INT, `the Value` STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=UpdateRows((("`THE value`", "concat(`The value`, ID)"),), "ID > 1"),
        properties=(*BY_ID, *CHANGE_FEED),
        rows="(1, 'a'), (2, 'b2'), (3, 'c3')",
        change_rows="(2, 'b', 'update_preimage'), (2, 'b2', 'update_postimage'),"
        " (3, 'c', 'update_preimage'), (3, 'c3', 'update_postimage')",
    ),
    GoldenCase(
        title="an update of a column that was renamed, beside one that took its name",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        before=(
            "ALTER TABLE {target} RENAME COLUMN v TO w",
            "ALTER TABLE {target} ADD COLUMN v STRING",
        ),
        statement=update("w = 'a'", v="w", w="coalesce(v, 'none')"),
        properties=BY_NAME,
        partition_by=(),
        schema="id INT, w STRING, v STRING",
        rows="(1, 'none', 'a'), (2, 'b', NULL)",
    ),
    GoldenCase(
        title="an update of columns that are named as Delta's own",
        target=table(
            "_change_type STRING, file_path STRING, row_index INT, count INT",
            "('a', 'f', 1, 1), ('b', 'f', 2, 1)",
            "('c', 'g', 3, 1)",
        ),
        statement=update(
            "_change_type = 'a' OR row_index = 3", file_path="'z'", row_index="count + row_index"
        ),
        partition_by=(),
        rows="('a', 'z', 2, 1), ('b', 'f', 2, 1), ('c', 'z', 4, 1)",
    ),
    GoldenCase(
        title="an update of a column that is named as the condition in Delta's own update",
        target=table("id INT, __condition__ INT", "(1, 1), (2, 2)", "(3, 3)"),
        statement=update("id = 1 OR __condition__ = 3", __condition__="id * 10"),
        partition_by=(),
        rows="(1, 10), (2, 2), (3, 30)",
        native_fails_with='"__condition__" missing from',
    ),
    GoldenCase(
        title="an update of a table of the catalog by its name",
        name="default.golden_updates",
        target=PLAIN,
        statement=UpdateRows(
            (("golden_updates.v", "concat(golden_updates.v, '!')"),), "id = 2 OR v = 'c'"
        ),
        rows=TWO_SET,
    ),
    GoldenCase(
        title="an update of a clustered table",
        target=PLAIN,
        before=("ALTER TABLE {target} CLUSTER BY (id)",),
        partition_by=(),
        statement=MIDDLE,
        rows=TWO_SET,
    ),
    GoldenCase(
        title="an update of a table without statistics of columns",
        target=PLAIN,
        properties=(("delta.dataSkippingNumIndexedCols", "0"),),
        statement=MIDDLE,
        rows=TWO_SET,
    ),
    GoldenCase(
        title="an update of a table with optimized writes",
        target=PLAIN,
        properties=(("delta.autoOptimize.optimizeWrite", "true"),),
        statement=MIDDLE,
        rows=TWO_SET,
    ),
    GoldenCase(
        title="an update of a table with checkpoints of version 2 and commit timestamps",
        target=PLAIN,
        before=(
            *(f"SET {name} = {value}" for name, value in CHECKPOINTS),
            "DELETE FROM {target} WHERE id = 1",
        ),
        conf=CHECKPOINTS,
        properties=(
            ("delta.checkpointPolicy", "v2"),
            ("delta.checkpointInterval", "2"),
            ("delta.enableInCommitTimestamps", "true"),
            ("delta.randomizeFilePrefixes", "true"),
        ),
        statement=MIDDLE,
        rows="(2, 'b!'), (3, 'c!'), (4, 'd')",
    ),
    GoldenCase(
        title="an update of a column that was widened, in files of both types",
        target=table("id INT, n SMALLINT", "(1, 10), (2, 20)"),
        before=(
            "ALTER TABLE {target} ALTER COLUMN n TYPE INT",
            "INSERT INTO {target} VALUES (3, 70000)",
        ),
        statement=update("n IN (20, 70000)", n="n + 70000"),
        properties=WIDENING,
        partition_by=(),
        schema="id INT, n INT",
        rows="(1, 10), (2, 70020), (3, 140000)",
    ),
    GoldenCase(
        title="an update widens no column",
        target=table("id INT, n SMALLINT", "(1, 10)"),
        statement=update(n="n + 70000"),
        properties=WIDENING,
        error="DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    ),
    GoldenCase(
        title="an update of a version that the log knows is not done again",
        target=table("id INT, n INT", "(1, 10)"),
        before=COUNTED,
        conf=ONCE,
        statement=update(n="n + 1"),
        rows="(1, 11)",
        commits=False,
    ),
    GoldenCase(
        title="an update of the next version is done",
        target=table("id INT, n INT", "(1, 10)"),
        before=COUNTED,
        conf=(ONCE[0], ("spark.databricks.delta.write.txnVersion", "8")),
        statement=update(n="n + 1"),
        rows="(1, 12)",
    ),
)
