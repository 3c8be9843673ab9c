"""DELETE from tables with features, odd names and settings of their own."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, DeleteRows, GoldenCase, table

BY_NAME = (("delta.columnMapping.mode", "name"),)
BY_ID = (("delta.columnMapping.mode", "id"),)
PLAIN = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')")
TWO_LEFT = "(1, 'a'), (4, 'd')"
MIDDLE = DeleteRows("id = 2 OR v = 'c'")
CHECKPOINTS = (("spark.databricks.delta.checkpointV2.topLevelFileFormat", "parquet"),)
ONCE = (
    ("spark.databricks.delta.write.txnAppId", "golden-delete"),
    ("spark.databricks.delta.write.txnVersion", "7"),
)

CASES = (
    GoldenCase(
        title="the change feed has the rows of files that are emptied beside others",
        target=table("id INT, n INT", "(1, 10), (2, 10)", "(3, 10), (4, 10)", "(5, 10)"),
        statement=DeleteRows("id IN (2, 3, 4)"),
        properties=CHANGE_FEED,
        rows="(1, 10), (5, 10)",
        change_rows="(2, 10, 'delete'), (3, 10, 'delete'), (4, 10, 'delete')",
    ),
    GoldenCase(
        title="the change feed has every row of a table that is emptied",
        target=PLAIN,
        before=("UPDATE {target} SET v = 'later' WHERE id = 4",),
        statement=DeleteRows(),
        properties=CHANGE_FEED,
        change_rows="(1, 'a', 'delete'), (2, 'b', 'delete'), (3, 'c', 'delete'),"
        " (4, 'later', 'delete')",
    ),
    GoldenCase(
        title="the change feed leaves out rows that were deleted before",
        target=PLAIN,
        before=("DELETE FROM {target} WHERE id = 3",),
        statement=DeleteRows("id >= 2"),
        properties=CHANGE_FEED,
        rows="(1, 'a')",
        change_rows="(2, 'b', 'delete'), (4, 'd', 'delete')",
    ),
    GoldenCase(
        title="a delete empties files whose vectors were begun before",
        target=table("id INT, n INT", "(1, 10), (2, 10)", "(3, 10), (4, 10), (5, 10)"),
        before=("DELETE FROM {target} WHERE id IN (1, 3)",),
        statement=DeleteRows("id IN (2, 4)"),
        rows="(5, 10)",
    ),
    GoldenCase(
        title="a delete of rows that are gone commits nothing",
        target=table("id INT, n INT", "(1, 10), (2, 10)", "(3, 10)"),
        before=("DELETE FROM {target} WHERE id = 2",),
        statement=DeleteRows("id = 2"),
        rows="(1, 10), (3, 10)",
        commits=False,
    ),
    GoldenCase(
        title="a delete in a table whose vectors have been turned off",
        target=PLAIN,
        deletion_vectors=True,
        before=(
            "DELETE FROM {target} WHERE id = 1",
            "ALTER TABLE {target} SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'false')",
        ),
        statement=MIDDLE,
        rows="(4, 'd')",
    ),
    GoldenCase(
        title="the session forbids deletes to write vectors",
        target=PLAIN,
        before=("DELETE FROM {target} WHERE id = 1",),
        conf=(("spark.databricks.delta.delete.deletionVectors.persistent", "false"),),
        statement=MIDDLE,
        rows="(4, 'd')",
    ),
    GoldenCase(
        title="rows that were updated before keep their ids through a delete",
        target=PLAIN,
        before=("UPDATE {target} SET v = concat(v, '!') WHERE id IN (1, 3)",),
        statement=DeleteRows("id = 2 OR v = 'c!'"),
        properties=(*ROW_TRACKING, *CHANGE_FEED),
        rows="(1, 'a!'), (4, 'd')",
        change_rows="(2, 'b', 'delete'), (3, 'c!', 'delete')",
    ),
    GoldenCase(
        title="a delete by names with dots, spaces, backticks and reserved words",
        target=table(
            "`the id` INT, `a.b` STRING, `select` INT, `c``d` STRING, a STRUCT<b: STRING>",
            "(1, 'x', 10, 'p', named_struct('b', 'x')), (2, 'y', 20, 'q', named_struct('b', 'x'))",
            "(3, 'y', 30, 'r', named_struct('b', 'x')), (4, 'x', 40, 's', named_struct('b', 'y'))",
        ),
        statement=DeleteRows("`a.b` = a.b AND `select` < 20 OR `c``d` = 'q' AND `the id` = 2"),
        properties=BY_NAME,
        rows="(3, 'y', 30, 'r', named_struct('b', 'x')), (4, 'x', 40, 's', named_struct('b', 'y'))",
    ),
    GoldenCase(
        title="a delete under column mapping by id, in other letters",
        target=table("Id INT, `the Value` STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        statement=DeleteRows("ID = 1 OR `THE value` = 'c'"),
        properties=(*BY_ID, *CHANGE_FEED),
        rows="(2, 'b')",
        change_rows="(1, 'a', 'delete'), (3, 'c', 'delete')",
    ),
    GoldenCase(
        title="a delete by a column that was renamed, beside one that took its name",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        before=(
            "ALTER TABLE {target} RENAME COLUMN v TO w",
            "ALTER TABLE {target} ADD COLUMN v STRING",
        ),
        statement=DeleteRows("w = 'a' AND v IS NULL"),
        properties=BY_NAME,
        partition_by=(),
        schema="id INT, w STRING, v STRING",
        rows="(2, 'b', NULL)",
    ),
    GoldenCase(
        title="a delete by columns that are named as Delta's own",
        target=table(
            "_change_type STRING, file_path STRING, row_index INT, count INT",
            "('a', 'f', 1, 1), ('b', 'f', 2, 1)",
            "('c', 'g', 3, 1)",
        ),
        statement=DeleteRows("_change_type = 'a' OR row_index = 3"),
        partition_by=(),
        rows="('b', 'f', 2, 1)",
    ),
    GoldenCase(
        title="a delete from a table of the catalog by its name",
        name="default.golden_deletes",
        target=PLAIN,
        statement=DeleteRows("golden_deletes.id = 2 OR v = 'c'"),
        rows=TWO_LEFT,
    ),
    GoldenCase(
        title="a delete from a clustered table",
        target=PLAIN,
        before=("ALTER TABLE {target} CLUSTER BY (id)",),
        partition_by=(),
        statement=MIDDLE,
        rows=TWO_LEFT,
    ),
    GoldenCase(
        title="a delete from a table without statistics of columns",
        target=PLAIN,
        properties=(("delta.dataSkippingNumIndexedCols", "0"),),
        statement=MIDDLE,
        rows=TWO_LEFT,
    ),
    GoldenCase(
        title="a delete by values that only a widened column can hold",
        target=table("id SMALLINT, v STRING", "(1, 'a'), (2, 'b')"),
        before=(
            "ALTER TABLE {target} ALTER COLUMN id TYPE INT",
            "INSERT INTO {target} VALUES (70000, 'c'), (70001, 'd')",
        ),
        statement=DeleteRows("id IN (2, 70000)"),
        properties=(("delta.enableTypeWidening", "true"),),
        partition_by=(),
        rows="(1, 'a'), (70001, 'd')",
    ),
    GoldenCase(
        title="a delete heeds neither CHECK nor NOT NULL",
        target=table("id INT NOT NULL, n INT", "(1, 1), (2, 2)"),
        before=("ALTER TABLE {target} ADD CONSTRAINT small CHECK (n < 100)",),
        statement=DeleteRows("n = 2"),
        rows="(1, 1)",
    ),
    GoldenCase(
        title="a delete leaves generated and identity columns as they are",
        target=table(
            "key BIGINT GENERATED ALWAYS AS IDENTITY, n INT, m INT GENERATED ALWAYS AS (n + 1)"
        ),
        before=("INSERT INTO {target} (n) VALUES (10)", "INSERT INTO {target} (n) VALUES (20)"),
        statement=DeleteRows("m = 11"),
        partition_by=(),
        rows="(2, 20, 21)",
    ),
    GoldenCase(
        title="a delete from a table with checkpoints of version 2 and commit timestamps",
        target=PLAIN,
        before=(
            *(f"SET {name} = {value}" for name, value in CHECKPOINTS),
            "UPDATE {target} SET v = 'later' WHERE id = 1",
        ),
        conf=CHECKPOINTS,
        properties=(
            ("delta.checkpointPolicy", "v2"),
            ("delta.checkpointInterval", "2"),
            ("delta.enableInCommitTimestamps", "true"),
            ("delta.randomizeFilePrefixes", "true"),
        ),
        statement=MIDDLE,
        rows="(1, 'later'), (4, 'd')",
    ),
    GoldenCase(
        title="a delete of a version that the log knows is not done again",
        target=PLAIN,
        before=(
            *(f"SET {name} = {value}" for name, value in ONCE),
            "UPDATE {target} SET v = 'b2' WHERE id = 2",
        ),
        conf=ONCE,
        statement=DeleteRows("id = 2"),
        rows="(1, 'a'), (2, 'b2'), (3, 'c'), (4, 'd')",
        commits=False,
    ),
    GoldenCase(
        title="a delete of the next version is done",
        target=PLAIN,
        before=(
            *(f"SET {name} = {value}" for name, value in ONCE),
            "UPDATE {target} SET v = 'b2' WHERE id = 2",
        ),
        conf=(ONCE[0], ("spark.databricks.delta.write.txnVersion", "8")),
        statement=DeleteRows("id = 2"),
        rows="(1, 'a'), (3, 'c'), (4, 'd')",
    ),
)
