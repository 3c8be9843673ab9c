"""Dynamic overwrites: the partitions that get new rows give way to them."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, WriteRows, table

TARGET = table("id INT, p STRING", "(1, 'a'), (2, 'b')", "(3, 'b'), (4, NULL)")
BY_P = ("p",)
DYNAMIC = WriteRows(mode="overwrite", dynamic_partitions=True)

CASES = (
    GoldenCase(
        title="a dynamic overwrite adds partitions that are new",
        target=TARGET,
        source=table("p STRING, id INT", "('c', 7), ('c', 7)"),
        partition_by=BY_P,
        statement=DYNAMIC,
        rows="(1, 'a'), (2, 'b'), (3, 'b'), (4, NULL), (7, 'c'), (7, 'c')",
    ),
    GoldenCase(
        title="a dynamic overwrite needs the partition column",
        target=TARGET,
        source=table("id INT", "(7)"),
        partition_by=BY_P,
        deletion_vectors=False,
        statement=DYNAMIC,
        error="DELTA_PARTITION_COLUMN_NOT_FOUND",
    ),
    GoldenCase(
        title="a dynamic overwrite replaces the null partition alone",
        target=TARGET,
        source=table("id INT, p STRING", "(7, NULL)"),
        partition_by=BY_P,
        statement=DYNAMIC,
        rows="(1, 'a'), (2, 'b'), (3, 'b'), (7, NULL)",
    ),
    GoldenCase(
        title="empty text is the null partition to a dynamic overwrite",
        target=TARGET,
        source=table("id INT, p STRING", "(7, '')"),
        partition_by=BY_P,
        statement=DYNAMIC,
        rows="(1, 'a'), (2, 'b'), (3, 'b'), (7, NULL)",
    ),
    GoldenCase(
        title="a dynamic overwrite keeps the null partition where nulls are told apart",
        target=TARGET,
        source=table("id INT, p STRING", "(7, 'a'), (8, NULL)"),
        partition_by=BY_P,
        statement=WriteRows(
            mode="overwrite",
            dynamic_partitions=True,
            options=(("useNullIntolerantEqualityWithDPO", "true"),),
        ),
        rows="(2, 'b'), (3, 'b'), (4, NULL), (7, 'a'), (8, NULL)",
    ),
    GoldenCase(
        title="a dynamic overwrite by no rows replaces nothing",
        target=TARGET,
        source=table("id INT, p STRING"),
        partition_by=BY_P,
        statement=DYNAMIC,
        rows="(1, 'a'), (2, 'b'), (3, 'b'), (4, NULL)",
        commits=False,
    ),
    GoldenCase(
        title="a dynamic overwrite of a table without partitions replaces everything",
        target=table("id INT, v STRING", "(1, 'a')", "(2, 'b')"),
        source=table("id INT, v STRING", "(7, 'a')"),
        partition_by=(),
        statement=DYNAMIC,
        rows="(7, 'a')",
    ),
    GoldenCase(
        title="a dynamic overwrite by no rows of a table without partitions empties it",
        target=table("id INT, v STRING", "(1, 'a')", "(2, 'b')"),
        source=table("id INT, v STRING"),
        partition_by=(),
        statement=DYNAMIC,
    ),
    GoldenCase(
        title="a dynamic overwrite by several partition columns, with nulls in them",
        target=table(
            "id INT, p STRING, q INT",
            "(1, 'a', 1), (2, 'a', 2), (3, 'a', NULL)",
            "(4, NULL, 1), (5, NULL, NULL), (6, 'a', 1)",
        ),
        source=table("q INT, id INT, p STRING", "(1, 7, 'a'), (NULL, 8, NULL), (2, 9, 'b')"),
        partition_by=("p", "q"),
        statement=DYNAMIC,
        rows="(2, 'a', 2), (3, 'a', NULL), (4, NULL, 1), (7, 'a', 1), (8, NULL, NULL), (9, 'b', 2)",
    ),
    GoldenCase(
        title="a dynamic overwrite of days",
        target=table(
            "id INT, d DATE", "(1, DATE'2026-01-01'), (2, DATE'2026-01-02'), (3, DATE'1969-12-31')"
        ),
        source=table("id INT, d DATE", "(7, DATE'2026-01-02'), (8, DATE'1969-12-31')"),
        partition_by=("d",),
        statement=DYNAMIC,
        rows="(1, DATE'2026-01-01'), (7, DATE'2026-01-02'), (8, DATE'1969-12-31')",
    ),
    GoldenCase(
        title="a dynamic overwrite of partitions whose values are no file names",
        target=table("id INT, p STRING", "(1, 'a/b'), (2, 'a%2Fb'), (3, 'A/B')"),
        source=table("id INT, p STRING", "(7, 'a/b')"),
        partition_by=BY_P,
        statement=DYNAMIC,
        rows="(2, 'a%2Fb'), (3, 'A/B'), (7, 'a/b')",
    ),
    GoldenCase(
        title="a dynamic overwrite takes partitions with deletion vectors whole",
        target=TARGET,
        before=("DELETE FROM {target} WHERE id = 2",),
        source=table("id INT, p STRING", "(7, 'b')"),
        partition_by=BY_P,
        statement=DYNAMIC,
        rows="(1, 'a'), (4, NULL), (7, 'b')",
    ),
    GoldenCase(
        title="a dynamic overwrite refuses a column that the table does not have",
        target=TARGET,
        source=table("id INT, p STRING, w INT", "(7, 'b', 70)"),
        partition_by=BY_P,
        deletion_vectors=False,
        statement=DYNAMIC,
        error="DELTA_METADATA_MISMATCH",
    ),
    GoldenCase(
        title="a dynamic overwrite of a renamed partition column",
        target=TARGET,
        before=("ALTER TABLE {target} RENAME COLUMN p TO q",),
        source=table("id INT, q STRING", "(7, 'b')"),
        properties=(("delta.columnMapping.mode", "name"),),
        partition_by=BY_P,
        statement=DYNAMIC,
        schema="id INT, q STRING",
        rows="(1, 'a'), (4, NULL), (7, 'b')",
    ),
    GoldenCase(
        title="a dynamic overwrite of a partition column with a dot",
        target=table("id INT, `a.b` STRING", "(1, 'x'), (2, 'y')"),
        source=table("id INT, `a.b` STRING", "(7, 'y')"),
        partition_by=("a.b",),
        statement=DYNAMIC,
        rows="(1, 'x'), (7, 'y')",
    ),
    GoldenCase(
        title="the change feed of a dynamic overwrite has the replaced partitions",
        target=TARGET,
        source=table("id INT, p STRING", "(3, 'b'), (7, 'c')"),
        partition_by=BY_P,
        properties=CHANGE_FEED,
        statement=DYNAMIC,
        rows="(1, 'a'), (4, NULL), (3, 'b'), (7, 'c')",
        change_rows="(2, 'b', 'delete'), (3, 'b', 'delete'), (3, 'b', 'insert'),"
        " (7, 'c', 'insert')",
    ),
)
