"""Partitioned targets: which partitions are read, and rows that move between them."""

from __future__ import annotations

from golden import GoldenCase, table

BY_P = ("p",)

CASES = (
    GoldenCase(
        title="the partition column is part of the key",
        target=table(
            "p STRING, id INT, v STRING",
            "('a', 1, 'x'), ('b', 1, 'y'), ('c', 1, 'z'), ('a', 2, 'w')",
        ),
        source=table("p STRING, id INT, v STRING", "('a', 1, 'new'), ('c', 2, 'ins')"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p = s.p AND t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="('a', 1, 'new'), ('b', 1, 'y'), ('c', 1, 'z'), ('a', 2, 'w'), ('c', 2, 'ins')",
    ),
    GoldenCase(
        title="the partition column alone is the key",
        target=table("p INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c'), (1, 'd')"),
        source=table("p INT, v STRING", "(1, 'x'), (4, 'y')"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p = s.p"
        " WHEN MATCHED THEN UPDATE SET v = concat(t.v, s.v) WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'ax'), (2, 'b'), (3, 'c'), (1, 'dx'), (4, 'y')",
    ),
    GoldenCase(
        title="null partitions do not match under =",
        target=table("p STRING, id INT", "(NULL, 1), ('a', 2)"),
        source=table("p STRING, id INT", "(NULL, 10), ('a', 20)"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p = s.p"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(NULL, 1), ('a', 20), (NULL, 10)",
    ),
    GoldenCase(
        title="null partitions match under <=>",
        target=table("p STRING, id INT", "(NULL, 1), ('a', 2), ('b', 3)"),
        source=table("p STRING, id INT", "(NULL, 10), ('a', 20)"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p <=> s.p"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(NULL, 10), ('a', 20), ('b', 3)",
    ),
    GoldenCase(
        title="an insert-only merge knows the null partition under <=>",
        target=table("p STRING, id INT", "(NULL, 1), ('a', 2)"),
        source=table("p STRING, id INT", "(NULL, 1), (NULL, 7), ('c', 2)"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p <=> s.p AND t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(NULL, 1), ('a', 2), (NULL, 7), ('c', 2)",
    ),
    GoldenCase(
        title="an update moves rows to another partition and to the null one",
        target=table("p STRING, id INT, v STRING", "('a', 1, 'x'), ('a', 2, 'y'), ('b', 3, 'z')"),
        source=table("id INT, to STRING", "(1, 'b'), (2, NULL), (3, 'new')"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET p = s.to",
        rows="('b', 1, 'x'), (NULL, 2, 'y'), ('new', 3, 'z')",
    ),
    GoldenCase(
        title="a new row goes to its own partition though ON names another",
        target=table("p STRING, id INT", "('a', 1), ('b', 2)"),
        source=table("p STRING, id INT", "('b', 1), ('b', 2)"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.p = 'a'"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="('b', 1), ('b', 2), ('b', 2)",
    ),
    GoldenCase(
        title="two partition columns of which ON names one",
        target=table(
            "y INT, m INT, id INT, v STRING",
            "(2025, 12, 1, 'a'), (2026, 1, 1, 'b'), (2026, 2, 1, 'c'), (2026, 2, 2, 'd')",
        ),
        source=table("y INT, id INT, v STRING", "(2026, 1, 'x'), (2027, 1, 'n')"),
        partition_by=("y", "m"),
        statement="MERGE INTO {target} t USING {source} s ON t.y = s.y AND t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED THEN INSERT (y, m, id, v) VALUES (s.y, 1, s.id, s.v)",
        rows="(2025, 12, 1, 'a'), (2026, 1, 1, 'x'), (2026, 2, 1, 'x'), (2026, 2, 2, 'd'),"
        " (2027, 1, 1, 'n')",
    ),
    GoldenCase(
        title="partitions by date, by text to be escaped, and by number",
        target=table(
            "d DATE, s STRING, n DECIMAL(4,1), v INT",
            "(DATE'2026-01-01', 'a/b=c d%', 1.5, 1), (DATE'2026-01-02', 'ü:{}', -2.0, 2)",
        ),
        source=table(
            "d DATE, s STRING, n DECIMAL(4,1), v INT",
            "(DATE'2026-01-01', 'a/b=c d%', 1.5, 11), (DATE'2026-01-03', 'x y', 0.0, 13)",
        ),
        partition_by=("d", "s", "n"),
        statement="MERGE INTO {target} t USING {source} s ON t.d = s.d AND t.s = s.s AND t.n = s.n"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(DATE'2026-01-01', 'a/b=c d%', 1.5, 11), (DATE'2026-01-02', 'ü:{}', -2.0, 2),"
        " (DATE'2026-01-03', 'x y', 0.0, 13)",
    ),
    GoldenCase(
        title="a timestamp partition",
        target=table(
            "p TIMESTAMP, v INT",
            "(TIMESTAMP'2026-01-01 10:00:00.123456', 1), (TIMESTAMP'2026-01-01 11:00:00', 2)",
        ),
        source=table(
            "p TIMESTAMP, v INT",
            "(TIMESTAMP'2026-01-01 10:00:00.123456', 11), (TIMESTAMP'2026-01-01 12:00:00', 13)",
        ),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p = s.p"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(TIMESTAMP'2026-01-01 10:00:00.123456', 11), (TIMESTAMP'2026-01-01 11:00:00', 2),"
        " (TIMESTAMP'2026-01-01 12:00:00', 13)",
    ),
    GoldenCase(
        title="a double partition is found by its value",
        target=table("p DOUBLE, v INT", "(0.0, 1), (1.5, 2), (double('NaN'), 3)"),
        source=table("p DOUBLE, v INT", "(-0.0D, 11), (1.5, 12), (double('NaN'), 13)"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p = s.p"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(0.0, 11), (1.5, 12), (double('NaN'), 13)",
    ),
    GoldenCase(
        title="the source's partition key is of another type",
        target=table("p INT, id INT, v STRING", "(1, 1, 'a'), (2, 1, 'b'), (10, 1, 'c')"),
        source=table("p STRING, id INT, v STRING", "('01', 1, 'x'), ('10', 1, 'y'), ('3', 1, 'z')"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p = s.p AND t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 1, 'x'), (2, 1, 'b'), (10, 1, 'y'), (3, 1, 'z')",
    ),
    GoldenCase(
        title="an empty text in a partition column comes back as null",
        target=table("p STRING, id INT", "('a', 1)"),
        source=table("p STRING, id INT", "('', 2)"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="('a', 1), (NULL, 2)",
    ),
    GoldenCase(
        title="a whole partition is deleted",
        target=table("p STRING, id INT", "('a', 1), ('a', 2), ('b', 3)"),
        source=table("p STRING", "('a'), ('c')"),
        partition_by=BY_P,
        statement="MERGE INTO {target} t USING {source} s ON t.p = s.p WHEN MATCHED THEN DELETE",
        rows="('b', 3)",
    ),
    GoldenCase(
        title="every column but one is a partition column",
        target=table("a INT, b INT, v STRING", "(1, 1, 'x'), (1, 2, 'y'), (2, 1, 'z')"),
        source=table("a INT, b INT, v STRING", "(1, 2, 'new'), (3, 3, 'ins')"),
        partition_by=("a", "b"),
        statement="MERGE INTO {target} t USING {source} s ON t.a = s.a AND t.b = s.b"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 1, 'x'), (1, 2, 'new'), (2, 1, 'z'), (3, 3, 'ins')",
    ),
    GoldenCase(
        title="a partition column with a dot in its name",
        target=table("id INT, `p.q` STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, `p.q` STRING", "(1, 'b'), (3, 'c')"),
        partition_by=("p.q",),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'b'), (2, 'b'), (3, 'c')",
        native_fails_with="`p`.`q` cannot be resolved",
    ),
)
