"""Operations of our engine: every kind of change, from sources that read the table or not."""

from __future__ import annotations

from .operations import Operation

VALUES = "SELECT * FROM VALUES (3L, 2, 100, 'x'), (7L, 1, 70, 'y') AS v(id, g, n, v)"
OTHER_TABLE = "SELECT * FROM {s}"
READING = (
    "SELECT id, g, n, concat(v, '+ours') AS v FROM {t} WHERE id = 3",
    "SELECT id + 10 AS id, g, n + 1 AS n, v FROM {t} WHERE g = 2",
    "SELECT max(id) + 1 AS id, 1 AS g, CAST(count(*) AS INT) AS n, 'max' AS v FROM {t}",
    "SELECT min(id) AS id, 2 AS g, CAST(sum(n) AS INT) AS n, 'sum' AS v FROM {t}",
    "SELECT s.id, s.g, s.n + coalesce(o.n, 0) AS n, s.v FROM {s} s LEFT JOIN {t} o ON s.id = o.id",
    "SELECT id, g, (SELECT CAST(sum(n) AS INT) FROM {t}) AS n, v FROM {s}",
    "SELECT id, g, (SELECT max(o.n) FROM {t} o WHERE o.id = s.id) AS n, v FROM {s} s",
    "SELECT id + 2 AS id, g, n, v FROM {t} WHERE id IS NOT NULL ORDER BY id DESC LIMIT 2",
    "SELECT * FROM {s} s WHERE NOT EXISTS (SELECT 1 FROM {t} o WHERE o.id = s.id)",
    "SELECT * FROM {s} WHERE id > (SELECT max(id) FROM {t} WHERE n < 100)",
    "SELECT g AS id, g, CAST(sum(n) AS INT) AS n, 'group' AS v FROM {t} GROUP BY g",
)
QUERIES = (VALUES, OTHER_TABLE, *READING)

UPSERT = "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
ADD = "WHEN MATCHED THEN UPDATE SET n = t.n + s.n, v = concat(t.v, s.v)"
INSERT_ONLY = "WHEN NOT MATCHED THEN INSERT *"
CLAUSES = (
    UPSERT,
    ADD,
    f"{ADD} WHEN NOT MATCHED THEN INSERT *",
    INSERT_ONLY,
    "WHEN MATCHED THEN DELETE",
    "WHEN MATCHED THEN UPDATE SET n = s.n WHEN NOT MATCHED BY SOURCE THEN DELETE",
    f"{UPSERT} WHEN NOT MATCHED BY SOURCE AND t.g = 1 THEN UPDATE SET n = t.n - 1",
    "WHEN MATCHED AND t.n < s.n THEN UPDATE SET n = s.n WHEN MATCHED THEN DELETE"
    " WHEN NOT MATCHED AND s.n > 75 THEN INSERT (id, g, n) VALUES (s.id, s.g, s.n)",
)
BUILDER = (
    ".when_matched_update_all().when_not_matched_insert_all()",
    ".when_matched_update({'n': 't.n + s.n'})",
    ".when_matched_delete(condition='t.n < s.n').when_not_matched_insert_all()",
    ".when_not_matched_insert_all()",
)


def merge_into(query: str, clauses: str, evolve: bool = False) -> Operation:
    evolution = "WITH SCHEMA EVOLUTION " if evolve else ""
    source = "{s}" if query == OTHER_TABLE else f"({query})"
    statement = f"MERGE {evolution}INTO {{t}} t USING {source} s ON t.id = s.id {clauses}"
    return Operation(f"engine.merge_into(spark, {statement!r})")


def builder_merge(query: str, calls: str) -> Operation:
    start = f"target.merge(spark.sql({query!r}), 't.id = s.id', source_alias='s', target_alias='t')"
    return Operation(f"{start}{calls}.execute()")


def merge_with_sql(query: str) -> Operation:
    """As dbt merges a model."""
    spec = (
        "engine.MergeSpec('t.id = s.id', (engine.Update(engine.STAR),),"
        " (engine.Insert(engine.STAR),), source_alias='s', target_alias='t')"
    )
    frame = f"spark.sql({query!r})"
    return Operation(f"engine.merge(target, {frame}, {spec}, source_sql={query!r})")


def write(query: str, arguments: str, *needs: str) -> Operation:
    return Operation(f"engine.write(spark.sql({query!r}), target, {arguments})", frozenset(needs))


def _with_column(query: str) -> str:
    return f"SELECT *, 1 AS x FROM ({query})"


def _merges() -> list[Operation]:
    found = [merge_into(query, clauses) for query in QUERIES for clauses in CLAUSES]
    found += [builder_merge(query, calls) for query in QUERIES for calls in BUILDER]
    found += [merge_into(_with_column(query), UPSERT, evolve=True) for query in QUERIES]
    return found + [merge_with_sql(query) for query in QUERIES]


def _writes() -> list[Operation]:
    found = []
    for query in QUERIES:
        of_group = f"SELECT id, 2 AS g, n, v FROM ({query})"
        found += [
            write(query, "'append'"),
            write(query, "'overwrite'"),
            write(of_group, "'overwrite', replace_where='g = 2'"),
            write(query, "'overwrite', dynamic_partitions=True", "partitioned"),
            write(query, "'overwrite', replace_using=['id']"),
            write(query, "'overwrite', replace_using=['g']"),
            write(
                query,
                "'overwrite', replace_on='t.id = s.id AND t.n < 300',"
                " target_alias='t', source_alias='s'",
            ),
            write(_with_column(query), "'append', merge_schema=True"),
        ]
    return found


def _copied_row(old: int, new: int) -> str:
    return f"SELECT {new}L AS id, g, n, v FROM {{t}} WHERE id = {old}"


def _copies_of_rows(old: int, new: int) -> list[Operation]:
    """Row `new` becomes what row `old` is."""
    query = _copied_row(old, new)
    return [
        write(query, f"'overwrite', replace_where='id = {new}'"),
        write(query, "'overwrite', replace_using=['id']"),
        merge_into(query, UPSERT),
        Operation(f"target.delete('id = {new} AND n > (SELECT min(n) FROM {{t}} WHERE g = 2)')"),
    ]


MERGES = tuple(_merges())
WRITES = tuple(_writes())
MUTUAL = (*_copies_of_rows(3, 5), *_copies_of_rows(5, 3))
"""Of any two, each may read what the other writes: they must not swap rows."""
CHANGES = tuple(
    Operation(text)
    for text in (
        "target.delete('id = 3')",
        "target.delete('g = 2')",
        "target.delete('n > (SELECT avg(n) FROM {t})')",
        "target.delete('id IN (SELECT id FROM {s})')",
        "target.delete('id NOT IN (SELECT id FROM {s}) AND n < 50')",
        "target.delete()",
        "target.update({'n': 'n + 1'}, 'id = 3')",
        "target.update({'v': \"concat(v, '!')\"})",
        "target.update({'n': 'n * 2', 'v': \"'two'\"}, 'g = 2 AND n < 45')",
        "target.update({'n': 'n * 2'}, 'n = (SELECT max(n) FROM {t})')",
        "target.update({'g': 'g + 1'}, 'id IN (SELECT id FROM {s})')",
        "target.update({'n': '(SELECT max(n) FROM {t})'}, 'g = 2')",
        "target.update({'v': '(SELECT max(v) FROM {s})'}, 'id > 2')",
    )
)


def altered(definition: str, *needs: str) -> Operation:
    """The definition changed for an append, as a model's config changes it."""
    return Operation(
        f"with engine.altered(target, engine.TableDefinition({definition})):\n"
        f"    engine.write(spark.sql({VALUES!r}), target)",
        frozenset(needs),
    )


ALTERATIONS = (
    altered("properties=(('delta.checkpointInterval', '7'),)"),
    altered("properties=(('delta.enableChangeDataFeed', 'true'),)"),
    altered("comment='ours'"),
    altered("column_comments=(('v', 'ours'),)"),
    altered("checks=(('few', 'n < 400'),)"),
    altered("not_null=('g',)"),
    altered("cluster_by=('n',)", "clustered"),
    Operation(
        "with engine.altered(target, engine.TableDefinition(dropped=('v',))):\n"
        f"    engine.write(spark.sql({VALUES!r}).drop('v'), target)",
        frozenset({"mapping"}),
    ),
)


def scd2_load(query: str, arguments: str) -> Operation:
    settings = f"unique_key=('id',), updated_at='changed', {arguments}"
    moment = "datetime(2026, 1, 9, tzinfo=timezone.utc)"
    return Operation(f"scd2.load(spark.sql({query!r}), target, scd2.Scd2({settings}), {moment})")


HISTORIES = tuple(
    scd2_load(query, arguments)
    for query in (
        "SELECT * FROM {s}",
        "SELECT 2L AS id, 'late' AS v, TIMESTAMP'2026-01-01 12:00:00' AS changed",
        "SELECT id, concat(v, '+ours') AS v, TIMESTAMP'2026-01-04' AS changed FROM {t}"
        " WHERE is_current",
        "SELECT * FROM {s} WHERE changed > (SELECT max(changed) FROM {t} WHERE is_current)",
    )
    for arguments in (
        "check_columns=None",
        "check_columns=('v',)",
        "check_columns=None, invalidate_missing=True",
    )
)
"""Loads of a table that keeps every version."""
GROUPS = (MERGES, MERGES, WRITES, WRITES, CHANGES, ALTERATIONS)
"""Each is drawn from as often as it stands here."""
