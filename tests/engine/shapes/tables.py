"""Layouts: tables without statistics, renamed and widened columns, checkpoints, odd partitions."""

from __future__ import annotations

from .shape import NULL, Shape

LONG = "x" * 32
INTS = (("1", "2"), ("11", "12"), ("21", "22"))
MET = ("2", "12", "30")
TEXTS = ((f"'{LONG}a'", f"'{LONG}b'"), ("'m'", NULL), ("'y'", "''"))
TEXTS_MET = (f"'{LONG}b'", "'y'", "'q'")
NAMES = (("delta.columnMapping.mode", "name"),)
WIDENING = (
    ("delta.enableTypeWidening", "true"),
    ("delta.feature.timestampNtz", "supported"),
)
FAR = "TIMESTAMP_NTZ'2026-01-02 12:00:00.000001'"


def laid_out(title: str, *properties: tuple[str, str], before: tuple[str, ...] = ()) -> Shape:
    return Shape(
        title=title,
        kind="STRING",
        files=TEXTS,
        source=TEXTS_MET,
        properties=properties,
        before=before,
    )


def widened(title: str, kind: str, wide: str, first: str, *source: str) -> Shape:
    """Rows of the old type, then one of the new: keys of the source are of the new one."""
    return Shape(
        title=title,
        kind=kind,
        source_kind=wide,
        files=((first, NULL),),
        source=source,
        payload_kind="INT",
        payload=("7", "8"),
        properties=WIDENING,
        before=(
            f"ALTER TABLE {{target}} ALTER COLUMN k TYPE {wide}",
            f"INSERT INTO {{target}} VALUES (CAST({source[0]} AS {wide}), 1, 50)",
        ),
    )


def parted(
    title: str, kind: str, *keys: str, source: tuple[str, ...], on: str = "t.k = s.k"
) -> Shape:
    return Shape(
        title=title,
        kind=kind,
        files=(keys[: len(keys) // 2], keys[len(keys) // 2 :]),
        source=source,
        on=on,
        payload_kind="INT",
        payload=("7", "8"),
        partition_by=("k",),
    )


SHAPES = (
    laid_out("no column has statistics", ("delta.dataSkippingNumIndexedCols", "0")),
    laid_out("the first column alone has statistics", ("delta.dataSkippingNumIndexedCols", "1")),
    laid_out("a column after the key has statistics", ("delta.dataSkippingStatsColumns", "n")),
    laid_out(
        "statistics begin with the second file",
        ("delta.dataSkippingNumIndexedCols", "0"),
        before=(
            "ALTER TABLE {target} UNSET TBLPROPERTIES ('delta.dataSkippingNumIndexedCols')",
            "INSERT INTO {target} VALUES ('q', 'p', 50), ('r', 'p', 51)",
        ),
    ),
    laid_out("statistics of longer texts", ("delta.dataSkippingStringPrefixLength", "40")),
    laid_out(
        "a renamed key",
        *NAMES,
        before=(
            "ALTER TABLE {target} RENAME COLUMN n TO k2",
            "ALTER TABLE {target} RENAME COLUMN k TO n",
            "ALTER TABLE {target} RENAME COLUMN n TO k",
            "ALTER TABLE {target} RENAME COLUMN k2 TO n",
        ),
    ),
    laid_out(
        "a payload dropped and added again",
        *NAMES,
        before=("ALTER TABLE {target} DROP COLUMN p", "ALTER TABLE {target} ADD COLUMN p STRING"),
    ),
    laid_out("columns by id", ("delta.columnMapping.mode", "id")),
    laid_out(
        "checkpoints of version 2",
        ("delta.checkpointPolicy", "v2"),
        ("delta.checkpointInterval", "1"),
        before=("INSERT INTO {target} VALUES ('q', 'p', 50)",),
    ),
    laid_out(
        "checkpoints with statistics as columns alone",
        ("delta.checkpoint.writeStatsAsStruct", "true"),
        ("delta.checkpoint.writeStatsAsJson", "false"),
        ("delta.checkpointInterval", "1"),
        before=("INSERT INTO {target} VALUES ('q', 'p', 50)",),
    ),
    laid_out(
        "clustered by the key", before=("ALTER TABLE {target} CLUSTER BY (k)", "OPTIMIZE {target}")
    ),
    laid_out("rows that are gone already", before=("DELETE FROM {target} WHERE n IN (11, 20)",)),
    laid_out(
        "the change feed and row tracking",
        ("delta.enableChangeDataFeed", "true"),
        ("delta.enableRowTracking", "true"),
    ),
    widened("bytes widened to ints", "TINYINT", "INT", "1", "300", "1", "-7"),
    widened("ints widened to bigints", "INT", "BIGINT", "1", "5000000000", "1", "7"),
    widened("ints widened to doubles", "INT", "DOUBLE", "1", "double('NaN')", "1.0D", "1.5D"),
    widened("floats widened to doubles", "FLOAT", "DOUBLE", "0.1F", "0.1D", "0.1F", "2D"),
    widened(
        "decimals of more digits", "DECIMAL(6,2)", "DECIMAL(12,4)", "1.50", "1.5001", "1.5", "7"
    ),
    widened("ints widened to decimals", "INT", "DECIMAL(14,2)", "1", "1.50", "1.00", "7"),
    widened(
        "dates widened to local times",
        "DATE",
        "TIMESTAMP_NTZ",
        "DATE'1500-01-01'",
        FAR,
        "TIMESTAMP_NTZ'1500-01-01 00:00:00'",
    ),
    parted(
        "partitions with spaces and slashes",
        "STRING",
        "'a b'",
        "' a'",
        "'a/b'",
        "'a '",
        source=("'a b'", "'a/b'", "'a '"),
    ),
    parted(
        "partitions of signs that paths escape",
        "STRING",
        "'a%b'",
        "'a=b'",
        "'a%20b'",
        "'a:b?#'",
        source=("'a%b'", "'a=b'", "'a%20b'", "'a:b?#'"),
    ),
    parted(
        "partitions of other scripts",
        "STRING",
        "'ü'",
        "'u\u0308'",
        "'日本'",
        "'😀'",
        source=("'ü'", "'日本'", "'😀'"),
    ),
    parted(
        "partitions of long names",
        "STRING",
        f"'{'x' * 150}a'",
        f"'{'x' * 150}b'",
        "'x'",
        source=(f"'{'x' * 150}b'", "'x'"),
    ),
    parted("an empty text as partition", "STRING", "''", "'a'", NULL, "'b'", source=("''", "'a'")),
    parted(
        "a null partition by <=>",
        "STRING",
        NULL,
        "'a'",
        "''",
        "'__HIVE_DEFAULT_PARTITION__'",
        source=(NULL, "'a'"),
        on="t.k <=> s.k",
    ),
    parted("a null partition by =", "INT", NULL, "1", "2", source=(NULL, "1")),
    parted(
        "partitions of quotes, lines and backslashes",
        "STRING",
        "'it\\'s'",
        "'a\\nb'",
        "'a\\\\b'",
        "'\"'",
        source=("'it\\'s'", "'a\\nb'", "'a\\\\b'"),
    ),
    parted(
        "partitions that only differ by case",
        "STRING",
        "'a'",
        "'A'",
        "'b'",
        "'B'",
        source=("'A'", "'b'"),
    ),
    parted(
        "partitions by decimals", "DECIMAL(10,2)", "1.00", "1.50", "-1.50", source=("1.00", "-1.50")
    ),
    parted("partitions by true and false", "BOOLEAN", "true", "false", NULL, source=("true",)),
    parted(
        "partitions by binary values",
        "BINARY",
        "X'6162'",
        "X'62'",
        "X'61'",
        source=("X'6162'", "X'61'"),
    ),
    Shape(
        title="partitions and a source of a wider type",
        kind="INT",
        source_kind="BIGINT",
        files=INTS,
        source=("1", "5000000000", "22"),
        partition_by=("k",),
        payload_kind="INT",
        payload=("7", "8"),
        inserts=False,
    ),
    Shape(
        title="partitions by another column than the key",
        kind="INT",
        files=INTS,
        source=MET,
        partition_by=("p",),
    ),
    Shape(
        title="a source in a Delta table",
        kind="STRING",
        files=TEXTS,
        source=TEXTS_MET,
        source_is_delta=True,
    ),
    Shape(
        title="a source in a Delta table, with numbers of every kind",
        kind="DOUBLE",
        files=(("double('NaN')", "-0.0D"), ("1D", "2D"), (NULL, "9D")),
        source=("double('NaN')", "0.0D", "9D"),
        source_is_delta=True,
    ),
)
