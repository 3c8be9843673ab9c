"""Columns of type VARIANT."""

from __future__ import annotations

from golden import CHANGE_FEED, GoldenCase, table

INTO = "MERGE INTO {target} t USING {source} s"
TARGET = table(
    "id INT, j VARIANT",
    """(1, parse_json('{"a": 1, "b": [true, null]}')), (2, parse_json('2'))""",
    "(3, NULL), (4, parse_json('null'))",
)

CASES = (
    GoldenCase(
        title="variants are updated, inserted and copied",
        target=TARGET,
        source=table(
            "id INT, j VARIANT", """(2, parse_json('{"c": "x"}')), (5, parse_json('1.5'))"""
        ),
        statement=f"{INTO} ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="""(1, parse_json('{"a": 1, "b": [true, null]}')), (2, parse_json('{"c": "x"}')),"""
        """ (3, NULL), (4, parse_json('null')), (5, parse_json('1.5'))""",
    ),
    GoldenCase(
        title="variants are compared as text, and made by an expression",
        target=TARGET,
        source=table("id INT, j VARIANT", "(20, parse_json('2')), (50, parse_json('5'))"),
        statement=f"{INTO} ON to_json(s.j) = to_json(t.j)"
        " WHEN MATCHED THEN UPDATE SET id = s.id + t.id, j = t.j"
        """ WHEN NOT MATCHED THEN INSERT (id, j) VALUES (s.id, parse_json('"new"'))""",
        rows="""(1, parse_json('{"a": 1, "b": [true, null]}')), (22, parse_json('2')),"""
        """ (3, NULL), (4, parse_json('null')), (50, parse_json('"new"'))""",
    ),
    GoldenCase(
        title="a value inside a variant is a key and a condition",
        target=table(
            "id INT, j VARIANT",
            """(1, parse_json('{"k": 10, "on": true}')), (2, parse_json('{"k": 20}'))""",
            """(3, parse_json('{"k": 30, "on": true}'))""",
        ),
        source=table("k INT, v INT", "(10, 11), (20, 21), (40, 41)"),
        statement=f"{INTO} ON variant_get(t.j, '$.k', 'int') = s.k"
        " WHEN MATCHED AND variant_get(t.j, '$.on', 'boolean') THEN UPDATE SET id = s.v"
        " WHEN MATCHED THEN DELETE",
        rows="""(11, parse_json('{"k": 10, "on": true}')),"""
        """ (3, parse_json('{"k": 30, "on": true}'))""",
    ),
    GoldenCase(
        title="variants inside structs, arrays and maps",
        target=table(
            "id INT, st STRUCT<a: VARIANT, b: INT>, l ARRAY<VARIANT>, m MAP<STRING, VARIANT>",
            "(1, named_struct('a', parse_json('1'), 'b', 1), array(parse_json('2')), NULL),"
            " (2, NULL, NULL, map('k', parse_json('3')))",
        ),
        source=table(
            "id INT, st STRUCT<a: VARIANT, b: INT>, l ARRAY<VARIANT>, m MAP<STRING, VARIANT>",
            "(1, named_struct('a', parse_json('[1]'), 'b', 10), array(NULL, parse_json('20')),"
            " map('k', parse_json('30')))",
        ),
        statement=f"{INTO} ON t.id = s.id WHEN MATCHED THEN UPDATE SET *",
        rows="(1, named_struct('a', parse_json('[1]'), 'b', 10), array(NULL, parse_json('20')),"
        " map('k', parse_json('30'))), (2, NULL, NULL, map('k', parse_json('3')))",
    ),
    GoldenCase(
        title="a new column of variants",
        target=table("id INT, j VARIANT", "(1, parse_json('1')), (2, parse_json('2'))"),
        source=table(
            "id INT, j VARIANT, k VARIANT",
            "(2, parse_json('20'), parse_json('21')), (3, parse_json('30'), parse_json('31'))",
        ),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, j VARIANT, k VARIANT",
        rows="(1, parse_json('1'), NULL), (2, parse_json('20'), parse_json('21')),"
        " (3, parse_json('30'), parse_json('31'))",
    ),
    GoldenCase(
        title="a first column of variants makes the table one that has them",
        target=table("id INT", "(1), (2)"),
        source=table("id INT, j VARIANT", "(2, parse_json('20')), (3, NULL)"),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, j VARIANT",
        rows="(1, NULL), (2, parse_json('20')), (3, NULL)",
    ),
    GoldenCase(
        title="variants in the change feed, by source too",
        target=table("id INT, j VARIANT", "(1, parse_json('1')), (2, parse_json('2'))"),
        source=table("id INT, j VARIANT", "(2, parse_json('[2]'))"),
        properties=CHANGE_FEED,
        statement=f"{INTO} ON t.id = s.id WHEN MATCHED THEN UPDATE SET *"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE",
        rows="(2, parse_json('[2]'))",
        change_rows="(1, parse_json('1'), 'delete'), (2, parse_json('2'), 'update_preimage'),"
        " (2, parse_json('[2]'), 'update_postimage')",
    ),
)
