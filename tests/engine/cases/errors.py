"""Errors, after which the table is as it was."""

from __future__ import annotations

from golden import GoldenCase, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")
CHECKED = ("ALTER TABLE {target} ADD CONSTRAINT small CHECK (n < 100)",)

CASES = (
    GoldenCase(
        title="an update that violates a CHECK constraint",
        target=table("id INT, n INT", "(1, 1), (2, 2)"),
        before=CHECKED,
        source=table("id INT, n INT", "(1, 10), (2, 100)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
    ),
    GoldenCase(
        title="an insert that violates a CHECK constraint",
        target=table("id INT, n INT", "(1, 1)"),
        before=CHECKED,
        source=table("id INT, n INT", "(8, 10), (9, 101)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        error="DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
    ),
    GoldenCase(
        title="a CHECK over a null is a violation",
        target=table("id INT, n INT", "(1, 1)"),
        before=CHECKED,
        source=table("id INT", "(9)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
        error="DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
    ),
    GoldenCase(
        title="rows that keep a CHECK constraint pass",
        target=table("id INT, n INT", "(1, 1), (2, 2)"),
        before=CHECKED,
        source=table("id INT, n INT", "(2, 99), (3, 98)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 1), (2, 99), (3, 98)",
    ),
    GoldenCase(
        title="a null into a NOT NULL column by update",
        target=table("id INT NOT NULL, v STRING NOT NULL", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(1, 'x'), (2, NULL)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
    ),
    GoldenCase(
        title="a NOT NULL column that an insert leaves out",
        target=table("id INT NOT NULL, v STRING NOT NULL", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(3, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
        error="DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
    ),
    GoldenCase(
        title="NOT NULL columns are written and deleted",
        target=table("id INT NOT NULL, v STRING NOT NULL", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(1, 'x'), (2, NULL), (3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v IS NULL THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (3, 'y')",
    ),
    GoldenCase(
        title="a source that fails on one of its rows",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y'), (4, 'z')"),
        statement="MERGE INTO {target} t USING"
        " (SELECT id, if(id = 4, raise_error('broken source'), v) AS v FROM {source}) s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        error="USER_RAISED_EXCEPTION",
    ),
    GoldenCase(
        title="a clause condition that fails",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND CAST(s.v AS INT) > 1 THEN DELETE",
        error="CAST_INVALID_INPUT",
    ),
    GoldenCase(
        title="a condition with a random value is refused",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND rand() < 0.5 THEN DELETE",
        error="DELTA_NON_DETERMINISTIC_FUNCTION_NOT_SUPPORTED",
    ),
    GoldenCase(
        title="an ON condition with a subquery is refused",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s"
        " ON t.id = s.id AND t.id IN (SELECT id FROM {source}) WHEN MATCHED THEN DELETE",
        error="DELTA_UNSUPPORTED_SUBQUERY",
    ),
    GoldenCase(
        title="an aggregate in a condition is refused",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND max(s.id) > 1 THEN DELETE",
        error="DELTA_AGGREGATION_NOT_SUPPORTED",
    ),
    GoldenCase(
        title="an ambiguous column is refused",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON id = 1 WHEN MATCHED THEN DELETE",
        error="AMBIGUOUS_REFERENCE",
    ),
    GoldenCase(
        title="an insert condition may not read the target",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED AND t.v = 'a' THEN INSERT *",
        error="DELTA_MERGE_UNRESOLVED_EXPRESSION",
    ),
    GoldenCase(
        title="a table for appends only refuses updates",
        target=TARGET,
        properties=(("delta.appendOnly", "true"),),
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_CANNOT_MODIFY_APPEND_ONLY",
    ),
    GoldenCase(
        title="a table for appends only takes inserts",
        target=TARGET,
        properties=(("delta.appendOnly", "true"),),
        source=table("id INT, v STRING", "(1, 'x'), (4, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="a by-source update that violates a CHECK constraint",
        target=table("id INT, n INT", "(1, 1), (2, 2)"),
        before=CHECKED,
        source=table("id INT", "(1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET n = t.n * 100",
        error="DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
    ),
    GoldenCase(
        title="a null into a NOT NULL field of a struct",
        target=table(
            "id INT, st STRUCT<a: INT NOT NULL, b: INT>", "(1, named_struct('a', 1, 'b', 2))"
        ),
        source=table("id INT", "(1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET st.a = NULL",
        error="DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
    ),
    GoldenCase(
        title="a CHECK constraint holds while a column is added",
        target=table("id INT, n INT", "(1, 1), (2, 2)"),
        before=CHECKED,
        source=table("id INT, n INT, w INT", "(2, 200, 20)"),
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        error="DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
    ),
)
