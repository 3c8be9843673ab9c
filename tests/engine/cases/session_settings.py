"""Settings of the session that a merge heeds: casts, statistics, names, idempotent writes."""

from __future__ import annotations

from golden import GoldenCase, table

UPSERT = (
    "MERGE INTO {target} t USING {source} s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)
LEGACY = (("spark.sql.storeAssignmentPolicy", "LEGACY"),)
STRICT = (("spark.sql.storeAssignmentPolicy", "STRICT"),)
FOLLOW_ANSI = ("spark.databricks.delta.updateAndMergeCastingFollowsAnsiEnabledFlag", "true")
PLAIN = table("id INT, v STRING", "(1, 'a')", "(50, 'b')")
CHANGES = table("id INT, v STRING", "(50, 'x'), (99, 'y')")
ONCE = (
    ("spark.databricks.delta.write.txnAppId", "golden"),
    ("spark.databricks.delta.write.txnVersion", "7"),
)
COUNTED = (
    "MERGE INTO {target} t USING {source} s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET n = t.n + s.n WHEN NOT MATCHED THEN INSERT *"
)

CASES = (
    GoldenCase(
        title="the legacy assignment makes null of text that is no number",
        target=table("id INT, a INT, b INT", "(1, 1, 1)"),
        source=table(
            "id INT, a STRING, b DOUBLE", "(1, 'seven', 2.9D), (2, '8', double('Infinity'))"
        ),
        conf=LEGACY,
        statement=UPSERT,
        rows="(1, NULL, 2), (2, 8, 2147483647)",
    ),
    GoldenCase(
        title="the legacy assignment wraps values that overflow",
        target=table("id INT, a TINYINT, b INT", "(1, 1, 1)"),
        source=table("id INT, a INT, b BIGINT", "(1, 257, 4294967298), (2, 128, 1)"),
        conf=LEGACY,
        statement=UPSERT,
        rows="(1, 1, 2), (2, -128, 1)",
    ),
    GoldenCase(
        title="the strict assignment takes what always fits",
        target=table("id BIGINT, a STRING, l ARRAY<STRUCT<x: BIGINT>>", "(1, 'a', NULL)"),
        source=table(
            "id INT, a BIGINT, l ARRAY<STRUCT<x: INT>>", "(1, 10, array(named_struct('x', 2)))"
        ),
        conf=STRICT,
        statement=UPSERT,
        rows="(1, '10', array(named_struct('x', 2)))",
    ),
    GoldenCase(
        title="the strict assignment refuses text for a number",
        target=table("id INT, a INT", "(1, 1)"),
        source=table("id INT, a STRING", "(1, '10')"),
        conf=STRICT,
        statement=UPSERT,
        error="CANNOT_UP_CAST_DATATYPE",
    ),
    GoldenCase(
        title="the strict assignment beside a column that is added",
        target=table("id INT, a INT", "(1, 1), (2, 2)"),
        source=table("id INT, a INT, w STRING", "(1, 10, 'one'), (3, 30, 'three')"),
        partition_by=(),
        conf=STRICT,
        statement="MERGE WITH SCHEMA EVOLUTION INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET a = CAST(s.a AS SMALLINT) WHEN NOT MATCHED THEN INSERT *",
        schema="id INT, a INT, w STRING",
        rows="(1, 10, NULL), (2, 2, NULL), (3, 30, 'three')",
    ),
    GoldenCase(
        title="casts that follow ANSI fail with Spark's own error",
        target=table("id INT, a SMALLINT", "(1, 1)"),
        source=table("id INT, a BIGINT", "(1, 32768)"),
        conf=(FOLLOW_ANSI, ("spark.sql.ansi.enabled", "true")),
        statement=UPSERT,
        error="CAST_OVERFLOW",
    ),
    GoldenCase(
        title="casts that follow ANSI do not fail where it is off",
        target=table("id INT, a SMALLINT, b INT", "(1, 1, 1)"),
        source=table("id INT, a BIGINT, b STRING", "(1, 32768, 'two'), (2, 5, '6')"),
        conf=(FOLLOW_ANSI, ("spark.sql.ansi.enabled", "false")),
        statement=UPSERT,
        rows="(1, -32768, NULL), (2, 5, 6)",
    ),
    GoldenCase(
        title="the session turns data skipping off",
        target=PLAIN,
        source=CHANGES,
        conf=(("spark.databricks.delta.stats.skipping", "false"),),
        deletion_vectors=False,  # with them Delta cannot read its table under this setting
        statement=UPSERT,
        rows="(1, 'a'), (50, 'x'), (99, 'y')",
    ),
    GoldenCase(
        title="the session does not gather rows by partition before they are written",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, p STRING", "(2, 'c'), (3, 'a'), (4, 'c')"),
        partition_by=("p",),
        conf=(("spark.databricks.delta.merge.repartitionBeforeWrite.enabled", "false"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'c'), (3, 'a'), (4, 'c')",
    ),
    GoldenCase(
        title="the session optimizes writes of a partitioned table",
        target=table("id INT, p STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, p STRING", "(2, 'c'), (3, 'a'), (4, 'c')"),
        partition_by=("p",),
        conf=(("spark.databricks.delta.optimizeWrite.enabled", "true"),),
        statement=UPSERT,
        rows="(1, 'a'), (2, 'c'), (3, 'a'), (4, 'c')",
    ),
    GoldenCase(
        title="a merge of a version that the log knows is not done again",
        target=table("id INT, n INT", "(1, 10)"),
        before=(
            *(f"SET {name} = {value}" for name, value in ONCE),
            "MERGE INTO {target} t USING (SELECT 1 AS id, 5 AS n) s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET n = t.n + s.n",
        ),
        source=table("id INT, n INT", "(1, 5), (2, 5)"),
        conf=ONCE,
        statement=COUNTED,
        rows="(1, 15)",
        commits=False,
    ),
    GoldenCase(
        title="a merge of the next version is done",
        target=table("id INT, n INT", "(1, 10)"),
        before=(
            *(f"SET {name} = {value}" for name, value in ONCE),
            "MERGE INTO {target} t USING (SELECT 1 AS id, 5 AS n) s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET n = t.n + s.n",
        ),
        source=table("id INT, n INT", "(1, 5), (2, 5)"),
        conf=(ONCE[0], ("spark.databricks.delta.write.txnVersion", "8")),
        statement=COUNTED,
        rows="(1, 20), (2, 5)",
    ),
)
