"""Column and table names that need care."""

from __future__ import annotations

from dataclasses import replace

from golden import GoldenCase, table

MAPPING_BY_NAME = (("delta.columnMapping.mode", "name"),)
WANTED = GoldenCase(
    title="names that an engine might want for itself",
    target=table(
        "id INT, file_path STRING, row_index INT, filePath STRING, _change STRING",
        "(1, 'a', 10, 'f', 'c'), (2, 'b', 20, 'g', 'd')",
    ),
    source=table(
        "id INT, file_path STRING, row_index INT, filePath STRING, _change STRING",
        "(2, 'x', 21, 'y', 'z'), (3, 'p', 31, 'q', 'r')",
    ),
    statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    rows="(1, 'a', 10, 'f', 'c'), (2, 'x', 21, 'y', 'z'), (3, 'p', 31, 'q', 'r')",
)

CASES = (
    GoldenCase(
        title="dots, spaces and reserved words in column names",
        target=table(
            "`the id` INT, `a.b` STRING, `select` INT, `from` STRING",
            "(1, 'a', 10, 'f'), (2, 'b', 20, 'g')",
        ),
        source=table(
            "`the id` INT, `a.b` STRING, `select` INT, `from` STRING",
            "(2, 'x', 21, 'y'), (3, 'z', 30, 'w')",
        ),
        properties=MAPPING_BY_NAME,
        statement="MERGE INTO {target} t USING {source} s ON t.`the id` = s.`the id`"
        " WHEN MATCHED AND t.`select` < s.`select` THEN UPDATE SET *"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a', 10, 'f'), (2, 'x', 21, 'y'), (3, 'z', 30, 'w')",
    ),
    GoldenCase(
        title="backticks in column names",
        target=table("id INT, `a``b` STRING, `c,d` STRING", "(1, 'a', 'p'), (2, 'b', 'q')"),
        source=table("id INT, `a``b` STRING, `c,d` STRING", "(2, 'x', 'y'), (3, 'z', 'w')"),
        properties=MAPPING_BY_NAME,
        partition_by=(),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET `a``b` = s.`a``b`"
        " WHEN NOT MATCHED THEN INSERT (id, `c,d`) VALUES (s.id, s.`c,d`)",
        rows="(1, 'a', 'p'), (2, 'x', 'q'), (3, NULL, 'w')",
    ),
    GoldenCase(
        title="a dotted column beside a struct of the same path",
        target=table(
            "id INT, `a.b` STRING, a STRUCT<b: STRING>", "(1, 'dot', named_struct('b', 'field'))"
        ),
        source=table("id INT, v STRING", "(1, 'new')"),
        properties=MAPPING_BY_NAME,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id AND t.`a.b` = 'dot'"
        " WHEN MATCHED AND t.a.b = 'field' THEN UPDATE SET `a.b` = s.v",
        rows="(1, 'new', named_struct('b', 'field'))",
    ),
    GoldenCase(
        title="names that differ by case alone are the same column",
        target=table("Id INT, Value STRING", "(1, 'a'), (2, 'b')"),
        source=table("ID INT, vALUE STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} T USING {source} S ON t.iD = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'x'), (3, 'y')",
    ),
    GoldenCase(
        title="source and target columns may share every name",
        target=table("source INT, target STRING, t INT", "(1, 'a', 10), (2, 'b', 20)"),
        source=table("source INT, target STRING, t INT", "(2, 'x', 21), (3, 'y', 31)"),
        statement="MERGE INTO {target} target USING {source} source"
        " ON target.source = source.source"
        " WHEN MATCHED THEN UPDATE SET target = concat(target.target, source.target)"
        " WHEN NOT MATCHED THEN INSERT (source, t) VALUES (source.source, source.t)",
        rows="(1, 'a', 10), (2, 'bx', 20), (3, NULL, 31)",
    ),
    replace(WANTED, deletion_vectors=False),
    replace(
        WANTED,
        title="names that an engine might want for itself, with vectors",
        deletion_vectors=True,
        native_fails_with="Reference `filePath` is ambiguous",
    ),
    GoldenCase(
        title="columns named as Delta's row markers",
        target=table(
            "id INT, __row_id STRING, __touched INT, count INT, max INT",
            "(1, 'a', 10, 1, 2), (2, 'b', 20, 3, 4)",
        ),
        source=table("id INT, __row_id STRING, __touched INT", "(2, 'x', 21), (3, 'p', 31)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET __row_id = s.__row_id, count = t.max"
        " WHEN NOT MATCHED THEN INSERT (id, __touched) VALUES (s.id, s.__touched)",
        rows="(1, 'a', 10, 1, 2), (2, 'x', 20, 4, 4), (3, NULL, 31, NULL, NULL)",
    ),
    GoldenCase(
        title="no aliases at all",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("sid INT, sv STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} USING {source} ON id = sid"
        " WHEN MATCHED THEN UPDATE SET v = sv"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (sid, sv)",
        rows="(1, 'a'), (2, 'x'), (3, 'y')",
    ),
    GoldenCase(
        title="aliases that need backticks",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} AS `the target` USING {source} AS `select`"
        " ON `the target`.id = `select`.id"
        " WHEN MATCHED THEN UPDATE SET v = `select`.v WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'x'), (3, 'y')",
    ),
    GoldenCase(
        title="a table of the catalog by its name",
        name="default.golden_orders",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'x'), (3, 'y')",
    ),
    GoldenCase(
        title="a table of the catalog by its three-part name in backticks",
        name="`spark_catalog`.`default`.`golden_2026`",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} AS t USING {source} AS s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (3, 'y')",
    ),
    GoldenCase(
        title="a column that nobody has is refused",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.missing",
        error="DELTA_MERGE_UNRESOLVED_EXPRESSION",
    ),
    GoldenCase(
        title="* is refused when the source lacks a column",
        target=table("id INT, v STRING, w STRING", "(1, 'a', 'b')"),
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_MERGE_UNRESOLVED_EXPRESSION",
    ),
    GoldenCase(
        title="one column assigned twice is refused",
        target=table("id INT, v STRING", "(1, 'a')"),
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v, V = 'y'",
        error="DELTA_CONFLICT_SET_COLUMN",
    ),
    GoldenCase(
        title="a column of the user's named as the change feed's",
        target=table("id INT, v INT, _change_type STRING", "(1, 10, 'foo'), (2, 20, 'foo')"),
        source=table("id INT, v INT, _change_type STRING", "(2, 21, 'bar'), (3, 31, 'bar')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 10, 'foo'), (2, 21, 'bar'), (3, 31, 'bar')",
    ),
    GoldenCase(
        title="a column that an insert names twice, in other letters",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT (id, v, V) VALUES (s.id, s.v, s.v)",
        rows="(1, 'a'), (2, 'b'), (3, 'y')",
    ),
)
