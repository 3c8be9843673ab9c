"""What new rows must keep: constraints, lengths, computed columns and identity columns."""

from __future__ import annotations

from golden import GoldenCase, WriteRows, table

NUMBERS = table("id INT, n INT", "(1, 1), (2, 2)")
CHECKED = ("ALTER TABLE {target} ADD CONSTRAINT small CHECK (n < 100)",)
REQUIRED = table("id INT NOT NULL, v STRING NOT NULL", "(1, 'a'), (2, 'b')")
COMPUTED = table("id INT, n INT, m INT GENERATED ALWAYS AS (n + 1)")
COMPUTED_ROWS = ("INSERT INTO {target} (id, n) VALUES (1, 2), (2, 100)",)
DEFAULTS = (("delta.feature.allowColumnDefaults", "supported"),)
NUMBERED = table("key BIGINT GENERATED ALWAYS AS IDENTITY, id INT")
NUMBERED_ROWS = ("INSERT INTO {target} (id) VALUES (10)",)
VIOLATED = "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES"
TOO_LONG = "DELTA_EXCEED_CHAR_VARCHAR_LIMIT"
NOT_NULL = "DELTA_NOT_NULL_CONSTRAINT_VIOLATED"
APPEND, OVERWRITE = WriteRows(), WriteRows(mode="overwrite")

CASES = (
    GoldenCase(
        title="appended rows that keep a CHECK constraint pass",
        target=NUMBERS,
        before=CHECKED,
        source=table("id INT, n INT", "(3, 99)"),
        statement=APPEND,
        rows="(1, 1), (2, 2), (3, 99)",
    ),
    GoldenCase(
        title="an append that violates a CHECK constraint",
        target=NUMBERS,
        before=CHECKED,
        source=table("id INT, n INT", "(3, 99), (4, 100)"),
        statement=APPEND,
        error=VIOLATED,
    ),
    GoldenCase(
        title="an append that lacks the column of a CHECK constraint",
        target=NUMBERS,
        before=CHECKED,
        source=table("id INT", "(3)"),
        partition_by=(),
        statement=APPEND,
        error=VIOLATED,
    ),
    GoldenCase(
        title="an overwrite that violates a CHECK constraint",
        target=NUMBERS,
        before=CHECKED,
        source=table("id INT, n INT", "(3, NULL)"),
        statement=OVERWRITE,
        error=VIOLATED,
    ),
    GoldenCase(
        title="replace_using that violates a CHECK constraint",
        target=NUMBERS,
        before=CHECKED,
        source=table("id INT, n INT", "(2, 100)"),
        statement=WriteRows(mode="overwrite", replace_using=("id",)),
        error=VIOLATED,
    ),
    GoldenCase(
        title="an append of a null into a NOT NULL column",
        target=REQUIRED,
        source=table("id INT, v STRING", "(3, 'c'), (4, NULL)"),
        statement=APPEND,
        error=NOT_NULL,
    ),
    GoldenCase(
        title="an append that lacks a NOT NULL column",
        target=REQUIRED,
        source=table("id INT", "(3)"),
        partition_by=(),
        statement=APPEND,
        error="DELTA_MISSING_NOT_NULL_COLUMN_VALUE",
    ),
    GoldenCase(
        title="an overwrite with a null in a NOT NULL column",
        target=REQUIRED,
        source=table("id INT, v STRING", "(NULL, 'c')"),
        statement=OVERWRITE,
        error=NOT_NULL,
    ),
    GoldenCase(
        title="a null struct violates its NOT NULL field",
        target=table(
            "id INT, s STRUCT<a: INT NOT NULL, b: INT>", "(1, named_struct('a', 1, 'b', 2))"
        ),
        source=table("id INT, s STRUCT<a: INT, b: INT>", "(2, NULL)"),
        statement=APPEND,
        error=NOT_NULL,
    ),
    GoldenCase(
        title="appended text is padded to CHAR, and not to VARCHAR",
        target=table("id INT, c CHAR(3), v VARCHAR(3)", "(1, 'a', 'a')"),
        source=table("id INT, c STRING, v STRING", "(2, 'b', 'b'), (3, 'abc', 'ab ')"),
        statement=APPEND,
        rows="(1, 'a  ', 'a'), (2, 'b  ', 'b'), (3, 'abc', 'ab ')",
    ),
    GoldenCase(
        title="appended text does not lose spaces that VARCHAR has no room for",
        target=table("id INT, v VARCHAR(3)", "(1, 'a')"),
        source=table("id INT, v STRING", "(2, 'abc ')"),
        statement=APPEND,
        error=TOO_LONG,
    ),
    GoldenCase(
        title="appended text that is too long for VARCHAR",
        target=table("id INT, v VARCHAR(3)", "(1, 'a')"),
        source=table("id INT, v STRING", "(2, 'abcd')"),
        statement=APPEND,
        error=TOO_LONG,
    ),
    GoldenCase(
        title="appended text that is too long for CHAR",
        target=table("id INT, c CHAR(3)", "(1, 'a')"),
        source=table("id INT, c STRING", "(2, 'abcd')"),
        statement=APPEND,
        error=TOO_LONG,
    ),
    GoldenCase(
        title="an overwrite with text that is too long for VARCHAR",
        target=table("id INT, v VARCHAR(3)", "(1, 'a')"),
        source=table("id INT, v STRING", "(2, 'abcd')"),
        statement=OVERWRITE,
        error=TOO_LONG,
    ),
    GoldenCase(
        title="an append computes a generated column that the source lacks",
        target=COMPUTED,
        before=COMPUTED_ROWS,
        source=table("n INT, id INT", "(20, 3), (NULL, 4)"),
        partition_by=(),
        statement=APPEND,
        rows="(1, 2, 3), (2, 100, 101), (3, 20, 21), (4, NULL, NULL)",
    ),
    GoldenCase(
        title="an append gives a generated column its value",
        target=COMPUTED,
        before=COMPUTED_ROWS,
        source=table("id INT, n INT, m INT", "(3, 20, 21)"),
        partition_by=(),
        statement=APPEND,
        rows="(1, 2, 3), (2, 100, 101), (3, 20, 21)",
    ),
    GoldenCase(
        title="an append that contradicts a generated column",
        target=COMPUTED,
        before=COMPUTED_ROWS,
        source=table("id INT, n INT, m INT", "(3, 20, 22)"),
        partition_by=(),
        statement=APPEND,
        error=VIOLATED,
    ),
    GoldenCase(
        title="an overwrite computes a generated column",
        target=COMPUTED,
        before=COMPUTED_ROWS,
        source=table("id INT, n INT", "(3, 20)"),
        partition_by=(),
        statement=OVERWRITE,
        rows="(3, 20, 21)",
    ),
    GoldenCase(
        title="replace_where reads a generated column",
        target=COMPUTED,
        before=COMPUTED_ROWS,
        source=table("id INT, n INT", "(3, 20)"),
        partition_by=(),
        statement=WriteRows(mode="overwrite", replace_where="m < 50"),
        rows="(2, 100, 101), (3, 20, 21)",
    ),
    GoldenCase(
        title="a dynamic overwrite of generated partitions",
        target=table("id INT, d DATE, y INT GENERATED ALWAYS AS (year(d))"),
        before=(
            "INSERT INTO {target} (id, d) VALUES (1, DATE'2025-01-01'), (2, DATE'2026-01-01')",
        ),
        source=table("id INT, d DATE", "(3, DATE'2026-03-03')"),
        partition_by=("y",),
        statement=WriteRows(mode="overwrite", dynamic_partitions=True),
        rows="(1, DATE'2025-01-01', 2025), (3, DATE'2026-03-03', 2026)",
    ),
    GoldenCase(
        title="an append fills a column that the source lacks with its default",
        target=table("id INT, v STRING DEFAULT 'none', n INT"),
        before=("INSERT INTO {target} VALUES (1, 'a', 1)",),
        source=table("n INT, id INT", "(2, 2)"),
        properties=DEFAULTS,
        partition_by=(),
        statement=APPEND,
        rows="(1, 'a', 1), (2, 'none', 2)",
    ),
    GoldenCase(
        title="an appended null is no default",
        target=table("id INT, v STRING DEFAULT 'none'"),
        before=("INSERT INTO {target} VALUES (1, 'a')",),
        source=table("id INT, v STRING", "(2, NULL)"),
        properties=DEFAULTS,
        partition_by=(),
        statement=APPEND,
        rows="(1, 'a'), (2, NULL)",
    ),
    GoldenCase(
        title="an overwrite fills a column that the source lacks with its default",
        target=table("id INT, v STRING DEFAULT 'none'"),
        before=("INSERT INTO {target} VALUES (1, 'a')",),
        source=table("id INT", "(2)"),
        properties=DEFAULTS,
        partition_by=(),
        statement=OVERWRITE,
        rows="(2, 'none')",
    ),
    GoldenCase(
        title="an append gets the next number of an identity column",
        target=NUMBERED,
        before=NUMBERED_ROWS,
        source=table("id INT", "(20)"),
        partition_by=(),
        statement=APPEND,
        rows="(1, 10), (2, 20)",
    ),
    GoldenCase(
        title="an overwrite goes on with the numbers of an identity column",
        target=NUMBERED,
        before=NUMBERED_ROWS,
        source=table("id INT", "(20)"),
        partition_by=(),
        statement=OVERWRITE,
        rows="(2, 20)",
    ),
    GoldenCase(
        title="rows that replace others get new numbers of an identity column",
        target=NUMBERED,
        before=("INSERT INTO {target} (id) VALUES (10)", "INSERT INTO {target} (id) VALUES (20)"),
        source=table("id INT", "(20)"),
        partition_by=(),
        statement=WriteRows(mode="overwrite", replace_using=("id",)),
        rows="(1, 10), (3, 20)",
    ),
    GoldenCase(
        title="an append may not give an identity column that is always generated",
        target=NUMBERED,
        before=NUMBERED_ROWS,
        source=table("key BIGINT, id INT", "(7, 20)"),
        partition_by=(),
        statement=APPEND,
        error="DELTA_IDENTITY_COLUMNS_EXPLICIT_INSERT_NOT_SUPPORTED",
    ),
    GoldenCase(
        title="an append may give an identity column that is generated by default",
        target=table("key BIGINT GENERATED BY DEFAULT AS IDENTITY, id INT"),
        before=NUMBERED_ROWS,
        source=table("key BIGINT, id INT", "(7, 20)"),
        partition_by=(),
        statement=APPEND,
        rows="(1, 10), (7, 20)",
    ),
)
