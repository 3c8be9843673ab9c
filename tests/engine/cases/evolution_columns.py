"""Which clauses add columns of the source to the target, and which columns they add."""

from __future__ import annotations

from golden import GoldenCase, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")
WIDER = table("id INT, v STRING, w INT, u INT", "(2, 'x', 20, 200), (4, 'y', 40, 400)")
INTO = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
UNRESOLVED = "DELTA_MERGE_UNRESOLVED_EXPRESSION"

CASES = (
    GoldenCase(
        title="an update of whole rows alone adds columns",
        target=TARGET,
        source=table("id INT, v STRING, w INT", "(2, 'x', 20), (4, 'y', 40)"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'c', NULL)",
    ),
    GoldenCase(
        title="a new column takes the value of an old one",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET w = s.id * 5",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'b', 10), (3, 'c', NULL)",
    ),
    GoldenCase(
        title="a new column takes the value of another new one, which is not added",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET w = s.u"
        " WHEN NOT MATCHED THEN INSERT (id, w) VALUES (s.id, s.u + 1)",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'b', 200), (3, 'c', NULL), (4, NULL, 401)",
    ),
    GoldenCase(
        title="a new column takes a literal",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET w = -1",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'b', -1), (3, 'c', NULL)",
    ),
    GoldenCase(
        title="a column that an insert names is added",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (id, w) VALUES (s.id, s.w)",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'b', NULL), (3, 'c', NULL), (4, NULL, 40)",
    ),
    GoldenCase(
        title="the update adds one column and the insert another",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET w = s.w"
        " WHEN NOT MATCHED THEN INSERT (id, u) VALUES (s.id, s.u)",
        schema="id INT, v STRING, w INT, u INT",
        rows="(1, 'a', NULL, NULL), (2, 'b', 20, NULL), (3, 'c', NULL, NULL), (4, NULL, NULL, 400)",
    ),
    GoldenCase(
        title="columns that no clause writes are not added",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED AND s.w < 100 THEN UPDATE SET v = CAST(s.u AS STRING)"
        " WHEN NOT MATCHED AND s.u > 0 THEN INSERT (id) VALUES (s.w)",
        rows="(1, 'a'), (2, '200'), (3, 'c'), (40, NULL)",
    ),
    GoldenCase(
        title="a clause before the one with * leaves the new column null",
        target=TARGET,
        source=table("id INT, v STRING, w INT", "(1, 'x', 10), (2, 'y', 20), (4, 'z', 40)"),
        statement=f"{INTO} WHEN MATCHED AND s.id = 1 THEN UPDATE SET v = s.v"
        " WHEN MATCHED THEN UPDATE SET *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'x', NULL), (2, 'y', 20), (3, 'c', NULL)",
    ),
    GoldenCase(
        title="insert * adds columns that the update beside it leaves null",
        target=TARGET,
        source=table("id INT, v STRING, w INT", "(2, 'x', 20), (4, 'y', 40)"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'x', NULL), (3, 'c', NULL), (4, 'y', 40)",
    ),
    GoldenCase(
        title="update * adds columns that the insert beside it leaves null",
        target=TARGET,
        source=table("id INT, v STRING, w INT", "(2, 'x', 20), (4, 'y', 40)"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'c', NULL), (4, 'y', NULL)",
    ),
    GoldenCase(
        title="clauses of every kind beside the ones that add a column",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')", "(4, 'd'), (5, 'e')"),
        source=table(
            "id INT, w STRING",
            "(1, 'p'), (2, 'q'), (3, 'r'), (4, 's'), (6, 'u'), (7, 'x'), (8, 'y')",
        ),
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED AND s.id = 1 THEN UPDATE SET v = w"
        " WHEN MATCHED AND s.id = 2 THEN UPDATE SET *"
        " WHEN MATCHED AND s.id = 3 THEN DELETE WHEN MATCHED AND s.id = 4 THEN DELETE"
        " WHEN NOT MATCHED AND s.id = 6 THEN INSERT (id) VALUES (s.id)"
        " WHEN NOT MATCHED AND s.id = 7 THEN INSERT *",
        schema="id INT, v STRING, w STRING",
        rows="(1, 'p', NULL), (2, 'b', 'q'), (5, 'e', NULL), (6, NULL, NULL), (7, NULL, 'x')",
    ),
    GoldenCase(
        title="two clauses with insert * in one evolution",
        target=TARGET,
        source=table("id INT, w STRING", "(1, 'p'), (6, 'u'), (7, 'x'), (8, 'y')"),
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET v = w"
        " WHEN NOT MATCHED AND s.id = 6 THEN INSERT *"
        " WHEN NOT MATCHED AND s.id = 7 THEN INSERT *",
        schema="id INT, v STRING, w STRING",
        rows="(1, 'p', NULL), (2, 'b', NULL), (3, 'c', NULL), (6, NULL, 'u'), (7, NULL, 'x')",
    ),
    GoldenCase(
        title="new columns stand first in the source and last in the target",
        target=table("id STRING, old STRING, d DATE", "('k', 'o', DATE'2026-01-02')"),
        source=table(
            "new STRING, id STRING, old STRING, d DATE", "('n', 'k', 'p', DATE'2026-01-03')"
        ),
        partition_by=(),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s"
        " ON t.id = s.id AND t.d <= date_add(current_date(), 36500)"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id STRING, old STRING, d DATE, new STRING",
        rows="('k', 'p', DATE'2026-01-03', 'n')",
    ),
    GoldenCase(
        title="a new column with dots in its name",
        target=table("id INT, `a.b` STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, `a.b` STRING, `c.d` INT", "(2, 'x', 20), (3, 'y', 30)"),
        partition_by=(),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, `a.b` STRING, `c.d` INT",
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'y', 30)",
    ),
    GoldenCase(
        title="a new column that is never null in the source is null in old rows",
        target=TARGET,
        source=table("id INT NOT NULL, v STRING, w INT NOT NULL", "(2, 'x', 20)"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'c', NULL)",
    ),
    GoldenCase(
        title="NOT NULL columns stay so while a column is added",
        target=table("id INT NOT NULL, v STRING NOT NULL", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING, w INT", "(1, 'x', 10), (2, NULL, 20), (3, 'y', 30)"),
        statement=f"{INTO} WHEN MATCHED AND s.v IS NULL THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v STRING, w INT",
        rows="(1, 'x', 10), (3, 'y', 30)",
    ),
    GoldenCase(
        title="a new column of arrays of structs",
        target=table("id INT", "(1), (2)"),
        source=table(
            "id INT, l STRUCT<d: DATE, a: ARRAY<STRUCT<x: DOUBLE>>>",
            "(2, named_struct('d', DATE'2026-01-01', 'a', array(named_struct('x', 0.5D)))),"
            " (3, named_struct('d', NULL, 'a', array()))",
        ),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, l STRUCT<d: DATE, a: ARRAY<STRUCT<x: DOUBLE>>>",
        rows="(1, NULL),"
        " (2, named_struct('d', DATE'2026-01-01', 'a', array(named_struct('x', 0.5D)))),"
        " (3, named_struct('d', NULL, 'a', array()))",
    ),
    GoldenCase(
        title="narrower numbers of the source widen while a column is added",
        target=table("id INT, v BIGINT", "(1, 5000000000), (2, 2)"),
        source=table("id TINYINT, v INT, w INT", "(2, 22, 20), (3, 33, 30)"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, v BIGINT, w INT",
        rows="(1, 5000000000, NULL), (2, 22, 20), (3, 33, 30)",
    ),
    GoldenCase(
        title="wider numbers of the source are narrowed while a column is added",
        target=table("id TINYINT, v SMALLINT", "(1, 1), (2, 2)"),
        source=table("id INT, v INT, w INT", "(2, 22, 20), (3, 33, 30)"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id TINYINT, v SMALLINT, w INT",
        rows="(1, 1, NULL), (2, 22, 20), (3, 33, 30)",
    ),
    GoldenCase(
        title="evolution does not merge binary into int",
        target=table("id INT, n INT", "(1, 1)"),
        source=table("id INT, n BINARY", "(1, X'01')"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        error="DELTA_FAILED_TO_MERGE_FIELDS",
    ),
    GoldenCase(
        title="evolution does not merge text into boolean",
        target=table("id INT, b BOOLEAN", "(1, true)"),
        source=table("id INT, b STRING", "(1, 'false')"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        error="DELTA_FAILED_TO_MERGE_FIELDS",
    ),
    GoldenCase(
        title="evolution adds no column that nobody has",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET gone = s.w",
        error=UNRESOLVED,
    ),
    GoldenCase(
        title="evolution inserts into no column that nobody has",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (gone) VALUES (s.w)",
        error=UNRESOLVED,
    ),
    GoldenCase(
        title="names that differ by case alone are no new columns",
        target=TARGET,
        source=table("ID INT, V STRING", "(2, 'x'), (4, 'y')"),
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *"
        " WHEN NOT MATCHED THEN INSERT (id, V) VALUES (s.id, s.v)",
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="names that differ by case are new columns where the session tells them apart",
        target=TARGET,
        source=table("id INT, v STRING, W INT", "(2, 'x', 20), (4, 'y', 40)"),
        conf=(("spark.sql.caseSensitive", "true"),),
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (id, v, W) VALUES (s.id, s.v, s.W)",
        schema="id INT, v STRING, W INT",
        rows="(1, 'a', NULL), (2, 'b', NULL), (3, 'c', NULL), (4, 'y', 40)",
    ),
    GoldenCase(
        title="a column of another case is unknown where the session tells them apart",
        target=TARGET,
        source=table("id INT, V STRING", "(2, 'x'), (4, 'y')"),
        conf=(("spark.sql.caseSensitive", "true"),),
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
        error=UNRESOLVED,
    ),
)
