"""Evolution beside WHEN NOT MATCHED BY SOURCE, and assignments that name a side."""

from __future__ import annotations

from golden import GoldenCase, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")
WIDER = table("id INT, v STRING, w INT", "(2, 'x', 20), (4, 'y', 40)")
INTO = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
NAMED = "MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON true"
STRUCT_T = table("a INT, t STRUCT<a: INT>", "(1, named_struct('a', 2))")
WIDER_T = table("a INT, b INT, t STRUCT<a: INT, b: INT>", "(3, 4, named_struct('a', 5, 'b', 6))")

CASES = (
    GoldenCase(
        title="insert * adds a column beside a by-source delete",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN DELETE",
        schema="id INT, v STRING, w INT",
        rows="(2, 'b', NULL), (4, 'y', 40)",
    ),
    GoldenCase(
        title="insert * adds a column beside a by-source update",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN NOT MATCHED THEN INSERT *"
        " WHEN NOT MATCHED BY SOURCE AND t.id > 1 THEN UPDATE SET v = concat(t.v, '!')",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'b', NULL), (3, 'c!', NULL), (4, 'y', 40)",
    ),
    GoldenCase(
        title="update * adds a column beside a by-source update",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET *"
        " WHEN NOT MATCHED BY SOURCE AND t.id > 1 THEN UPDATE SET v = concat(t.v, '!')",
        schema="id INT, v STRING, w INT",
        rows="(1, 'a', NULL), (2, 'x', 20), (3, 'c!', NULL)",
    ),
    GoldenCase(
        title="a by-source update alone adds no column",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = concat(t.v, '!')",
        rows="(1, 'a!'), (2, 'b'), (3, 'c!')",
    ),
    GoldenCase(
        title="a condition that reads a new column does not add it",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED AND w = 20 THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN UPDATE SET v = 'one'",
        rows="(1, 'one'), (3, 'c')",
    ),
    GoldenCase(
        title="a by-source update may not name a column of the source alone",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN NOT MATCHED BY SOURCE THEN UPDATE SET w = s.w",
        error="DELTA_MERGE_UNRESOLVED_EXPRESSION",
    ),
    GoldenCase(
        title="evolution takes the source's alias before a known column",
        target=TARGET,
        source=WIDER,
        statement=f"{INTO} WHEN MATCHED THEN UPDATE SET s.v = s.v",
        rows="(1, 'a'), (2, 'x'), (3, 'c')",
    ),
    GoldenCase(
        title="evolution takes the source's alias before a known field",
        target=STRUCT_T,
        source=WIDER_T,
        statement=f"{NAMED} WHEN MATCHED THEN UPDATE SET s.t.a = s.t.a",
        rows="(1, named_struct('a', 5))",
    ),
    GoldenCase(
        title="a known column under an alias that is also a struct's name",
        target=STRUCT_T,
        source=WIDER_T,
        statement=f"{NAMED} WHEN MATCHED THEN UPDATE SET t.a = s.a",
        rows="(3, named_struct('a', 2))",
    ),
    GoldenCase(
        title="a known field under an alias that is also a struct's name",
        target=STRUCT_T,
        source=WIDER_T,
        statement=f"{NAMED} WHEN MATCHED THEN UPDATE SET t.t.a = s.t.a",
        rows="(1, named_struct('a', 5))",
    ),
    GoldenCase(
        title="a new name under an alias that is also a struct's name is a field",
        target=STRUCT_T,
        source=WIDER_T,
        statement=f"{NAMED} WHEN MATCHED THEN UPDATE SET t.b = s.b",
        schema="a INT, t STRUCT<a: INT, b: INT>",
        rows="(1, named_struct('a', 2, 'b', 4))",
    ),
    GoldenCase(
        title="a new field under an alias that is also a struct's name is refused",
        target=STRUCT_T,
        source=WIDER_T,
        statement=f"{NAMED} WHEN MATCHED THEN UPDATE SET t.t.b = s.t.b",
        error="FIELD_NOT_FOUND",
    ),
    GoldenCase(
        title="a known column under the table's own name",
        name="default.golden_struct",
        target=table("a INT, golden_struct STRUCT<a: INT>", "(1, named_struct('a', 2))"),
        source=table("b INT", "(3)"),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} USING {source} ON true"
        " WHEN MATCHED THEN UPDATE SET golden_struct.a = b, golden_struct.golden_struct.a = b + 1",
        rows="(3, named_struct('a', 4))",
    ),
)
