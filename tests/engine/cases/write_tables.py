"""Writes to tables with a will of their own, and the options of a writer."""

from __future__ import annotations

from golden import CHANGE_FEED, ROW_TRACKING, GoldenCase, WriteRows, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')")
SOURCE = table("id INT, v STRING", "(2, 'x'), (3, 'y')")
APPENDED = "(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (2, 'x'), (3, 'y')"
REPLACED = "(1, 'a'), (2, 'x'), (3, 'y'), (4, 'd')"
APPEND, OVERWRITE = WriteRows(), WriteRows(mode="overwrite")
WHERE = WriteRows(mode="overwrite", replace_where="id = 2 OR id = 3")
USING = WriteRows(mode="overwrite", replace_using=("id",))
DYNAMIC = WriteRows(mode="overwrite", dynamic_partitions=True)
APPEND_ONLY = (("delta.appendOnly", "true"),)
BY_NAME = (("delta.columnMapping.mode", "name"),)
BY_ID = (("delta.columnMapping.mode", "id"),)
CLUSTERED = ("ALTER TABLE {target} CLUSTER BY (id)",)
LOADED = ("INSERT INTO {target} WITH ('txnAppId' = 'load', 'txnVersion' = '1') VALUES (5, 'e')",)


def append_only(title: str, statement: WriteRows) -> GoldenCase:
    return GoldenCase(
        title=title,
        target=TARGET,
        source=SOURCE,
        properties=APPEND_ONLY,
        partition_by=(),
        deletion_vectors=False,
        statement=statement,
        error="DELTA_CANNOT_MODIFY_APPEND_ONLY",
    )


def tracked(title: str, statement: WriteRows, rows: str) -> GoldenCase:
    return GoldenCase(
        title=title,
        target=TARGET,
        source=SOURCE,
        properties=ROW_TRACKING,
        statement=statement,
        rows=rows,
    )


CASES = (
    tracked("rows that an append leaves keep their ids", APPEND, APPENDED),
    tracked("rows that replace_where leaves keep their ids", WHERE, REPLACED),
    tracked("rows that replace_using leaves keep their ids", USING, REPLACED),
    tracked("rows of an overwrite get new ids", OVERWRITE, "(2, 'x'), (3, 'y')"),
    GoldenCase(
        title="rows that a dynamic overwrite leaves keep their ids",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'b')", "(3, 'b'), (4, 'c')"),
        source=table("id INT, p STRING", "(7, 'b')"),
        partition_by=("p",),
        properties=ROW_TRACKING,
        statement=DYNAMIC,
        rows="(1, 'a'), (4, 'c'), (7, 'b')",
    ),
    GoldenCase(
        title="rows keep their ids while the change feed has the replaced ones",
        target=TARGET,
        source=SOURCE,
        properties=(*ROW_TRACKING, *CHANGE_FEED),
        statement=WHERE,
        rows=REPLACED,
        change_rows="(2, 'b', 'delete'), (3, 'c', 'delete'), (2, 'x', 'insert'),"
        " (3, 'y', 'insert')",
    ),
    GoldenCase(
        title="an append to a table for appends only",
        target=TARGET,
        source=SOURCE,
        properties=APPEND_ONLY,
        statement=APPEND,
        rows=APPENDED,
    ),
    append_only("a table for appends only refuses an overwrite", OVERWRITE),
    append_only("a table for appends only refuses replace_where", WHERE),
    append_only("a table for appends only refuses replace_using", USING),
    GoldenCase(
        title="a table for appends only refuses replace_where that replaces nothing",
        target=TARGET,
        source=table("id INT, v STRING", "(9, 'x')"),
        properties=APPEND_ONLY,
        partition_by=(),
        deletion_vectors=False,
        statement=WriteRows(mode="overwrite", replace_where="id = 9"),
        error="DELTA_CANNOT_MODIFY_APPEND_ONLY",
    ),
    GoldenCase(
        title="an append to a clustered table",
        target=TARGET,
        before=CLUSTERED,
        source=SOURCE,
        partition_by=(),
        statement=APPEND,
        rows=APPENDED,
    ),
    GoldenCase(
        title="replace_where in a clustered table",
        target=TARGET,
        before=CLUSTERED,
        source=SOURCE,
        partition_by=(),
        statement=WHERE,
        rows=REPLACED,
    ),
    GoldenCase(
        title="replace_using in a clustered table",
        target=TARGET,
        before=CLUSTERED,
        source=SOURCE,
        partition_by=(),
        statement=USING,
        rows=REPLACED,
    ),
    GoldenCase(
        title="an append under column mapping by id",
        target=table("id INT, s STRUCT<a: INT>, v STRING", "(1, named_struct('a', 1), 'a')"),
        before=("ALTER TABLE {target} RENAME COLUMN s.a TO b",),
        source=table("v STRING, s STRUCT<b: INT>", "('x', named_struct('b', 2))"),
        properties=BY_ID,
        partition_by=(),
        statement=APPEND,
        schema="id INT, s STRUCT<b: INT>, v STRING",
        rows="(1, named_struct('b', 1), 'a'), (NULL, named_struct('b', 2), 'x')",
    ),
    GoldenCase(
        title="an overwrite under column mapping",
        target=TARGET,
        before=("ALTER TABLE {target} RENAME COLUMN id TO key",),
        source=table("key INT, v STRING", "(2, 'x')"),
        properties=BY_NAME,
        partition_by=(),
        statement=OVERWRITE,
        schema="key INT, v STRING",
        rows="(2, 'x')",
    ),
    GoldenCase(
        title="replace_where and its change feed under column mapping",
        target=TARGET,
        before=("ALTER TABLE {target} RENAME COLUMN id TO key",),
        source=table("key INT, v STRING", "(2, 'x')"),
        properties=(*BY_NAME, *CHANGE_FEED),
        partition_by=(),
        statement=WriteRows(mode="overwrite", replace_where="key >= 2 AND key < 4"),
        schema="key INT, v STRING",
        rows="(1, 'a'), (2, 'x'), (4, 'd')",
        change_rows="(2, 'b', 'delete'), (3, 'c', 'delete'), (2, 'x', 'insert')",
    ),
    GoldenCase(
        title="replace_using and its change feed under column mapping",
        target=TARGET,
        before=("ALTER TABLE {target} RENAME COLUMN id TO key",),
        source=table("key INT, v STRING", "(2, 'x')"),
        properties=(*BY_NAME, *CHANGE_FEED),
        partition_by=(),
        statement=WriteRows(mode="overwrite", replace_using=("key",)),
        schema="key INT, v STRING",
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'd')",
        change_rows="(2, 'b', 'delete'), (2, 'x', 'insert')",
    ),
    GoldenCase(
        title="writes with a checkpoint after every commit",
        target=TARGET,
        source=SOURCE,
        properties=(("delta.checkpointInterval", "1"),),
        statement=WHERE,
        rows=REPLACED,
    ),
    GoldenCase(
        title="a writer's option limits the rows of a file",
        target=TARGET,
        source=SOURCE,
        statement=WriteRows(options=(("maxRecordsPerFile", "1"),)),
        rows=APPENDED,
    ),
    GoldenCase(
        title="a writer's option limits the rows of a file that replaces others",
        target=TARGET,
        source=SOURCE,
        statement=WriteRows(
            mode="overwrite", replace_using=("id",), options=(("maxRecordsPerFile", "1"),)
        ),
        rows=REPLACED,
    ),
    GoldenCase(
        title="a write whose key is in the log does nothing",
        target=TARGET,
        before=LOADED,
        source=SOURCE,
        statement=WriteRows(mode="overwrite", idempotency_key="load"),
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e')",
        commits=False,
    ),
    GoldenCase(
        title="a write with another key than those in the log",
        target=TARGET,
        before=LOADED,
        source=SOURCE,
        statement=WriteRows(mode="overwrite", idempotency_key="another load"),
        rows="(2, 'x'), (3, 'y')",
    ),
    GoldenCase(
        title="a writer's options name a later version of the key in the log",
        target=TARGET,
        before=LOADED,
        source=SOURCE,
        statement=WriteRows(options=(("txnAppId", "load"), ("txnVersion", "2"))),
        rows=f"{APPENDED}, (5, 'e')",
    ),
)
