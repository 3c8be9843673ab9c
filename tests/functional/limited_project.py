"""A project with every strategy and mode whose tables have rows, and what limited runs leave.

The source loses row 1, changes row 3 and gets rows 4 and 5. A sample sees rows 3, 4 and 5: a part
of the second of January, and the third.
"""

from __future__ import annotations

from dataclasses import dataclass

WINDOW = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-04")
EMPTY = ("--empty", *WINDOW)
"""The times choose the batches of a microbatch model, which would else be those of today."""
SAMPLE = ("--sample", "{'start': '2026-01-02 12:00', 'end': '2026-01-04'}")
SOURCE = """
create table {schema}.src using delta as
select id, v, date(at) as day, at, at as changed from values
  (1, 'a', timestamp'2026-01-01 08:00:00'),
  (2, 'b', timestamp'2026-01-02 08:00:00'),
  (3, 'c', timestamp'2026-01-02 13:00:00') as t(id, v, at)
"""
CHANGES = (
    "delete from {schema}.src where id = 1",
    "update {schema}.src set v = 'C', changed = timestamp'2026-01-05 00:00:00' where id = 3",
    "insert into {schema}.src values"
    " (4, 'd', date'2026-01-02', timestamp'2026-01-02 14:00:00', timestamp'2026-01-02 14:00:00'),"
    " (5, 'e', date'2026-01-03', timestamp'2026-01-03 09:00:00', timestamp'2026-01-03 09:00:00')",
)
SOURCES = """
sources:
  - name: raw
    schema: "{{ target.schema }}"
    tables:
      - {name: src, config: {event_time: at}}
      - {name: untimed, identifier: src}
"""
OF_SRC, OF_UNTIMED = "{{ source('raw', 'src') }}", "{{ source('raw', 'untimed') }}"
BY_NAME, OF_STG, OF_EPH = "{{ schema }}.src", "{{ ref('stg') }}", "{{ ref('eph') }}"
STRATEGIES = """
{% macro get_incremental_own_insert_sql(arg_dict) %}
  {% do return(get_insert_into_sql(
      arg_dict['target_relation'], arg_dict['temp_relation'], arg_dict['dest_columns'])) %}
{% endmacro %}

{% macro get_incremental_own_overwrite_sql(arg_dict) %}
  {% do return(get_insert_overwrite_merge_sql(
      arg_dict['target_relation'], arg_dict['temp_relation'], arg_dict['dest_columns'], none)) %}
{% endmacro %}
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A node, and its rows after a run by each of the flags: words of an id and a value."""

    name: str
    code: str
    empty: str
    sample: str
    window: str


def added(config: str, source: str = OF_SRC, where: str = "true") -> str:
    columns = "id, v, day, at"
    return (
        "{{ config(materialized='incremental', " + config + ") }}\n"
        f"select {columns} from {source} where {where}"
    )


def since(day: str) -> str:
    where = f"day >= '{day}'"
    return added(f"incremental_strategy='replace_where', replace_where=\"{where}\"", where=where)


MERGE, APPEND = "unique_key='id'", "incremental_strategy='append'"
DELETES = f"{MERGE}, not_matched_by_source_action='delete'"
BY_SOURCE = "{'when': 'not_matched_by_source', 'action': 'delete'}"
CLAUSES = (
    "{'when': 'matched', 'action': 'update'}, {'when': 'not_matched', 'action': 'insert'},"
    " {'when': 'not_matched_by_source', 'action': 'error'}"
)
INSERT_ONLY, SCD2 = "incremental_strategy='insert_only'", "incremental_strategy='scd2'"
OVERWRITE = "incremental_strategy='insert_overwrite'"
DELETE_INSERT = "incremental_strategy='delete+insert'"
PARQUET = f"{OVERWRITE}, file_format='parquet'"
OWN_INSERT = "incremental_strategy='own_insert'"
OWN_OVERWRITE = "incremental_strategy='own_overwrite'"
BATCH = (
    "incremental_strategy='microbatch', event_time='at', batch_size='day', begin='2026-01-01',"
    " lookback=0"
)
STG = "{{ config(materialized='table') }} select * from " + OF_SRC
KEPT = "1a 2b 3c"
"""What the first build leaves."""
UPSERTED, INSERTED = "1a 2b 3C 4d 5e", "1a 2b 3c 4d 5e"
DAY_ADDED = "1a 2b 3c 5e"
"""Only the third of January has no rows yet."""
AS_SOURCE = "2b 3C 4d 5e"
PYTHON = """
def model(dbt, session):
    dbt.config(materialized='incremental', unique_key='id',
               not_matched_by_source_action='delete')
    return dbt.source('raw', 'src').select('id', 'v')
"""

CASES = (
    # name, SQL, and the rows after a run with --empty, with --sample, and with the times of one
    Case("appends", added(APPEND), KEPT, f"{KEPT} 3C 4d 5e", f"{KEPT} {AS_SOURCE}"),
    Case("merges", added(MERGE), KEPT, UPSERTED, UPSERTED),
    Case("deletes", added(DELETES), KEPT, UPSERTED, UPSERTED),
    Case("has_clauses", added(f"{MERGE}, merge_clauses=[{CLAUSES}]"), KEPT, UPSERTED, UPSERTED),
    Case("only_deletes", added(f"{MERGE}, merge_clauses=[{BY_SOURCE}]"), KEPT, KEPT, KEPT),
    Case("inserts", added(f"{MERGE}, {INSERT_ONLY}"), KEPT, INSERTED, INSERTED),
    Case("replaces_keys", added(f"{MERGE}, {DELETE_INSERT}"), KEPT, INSERTED, UPSERTED),
    Case("replaces_days", added(f"unique_key='day', {DELETE_INSERT}"), KEPT, DAY_ADDED, UPSERTED),
    Case("partitions", added(f"{OVERWRITE}, partition_by='day'"), KEPT, DAY_ADDED, UPSERTED),
    Case("replaces_on", added(f"{OVERWRITE}, replace_on='day'"), KEPT, DAY_ADDED, UPSERTED),
    Case("overwrites", added(OVERWRITE), KEPT, KEPT, KEPT),
    Case("replaces_where", since("2026-01-02"), "2b 3c", "2b 3c", AS_SOURCE),
    Case("fills_where", since("2026-01-03"), "", "5e", "5e"),
    Case("batches", added(BATCH), KEPT, DAY_ADDED, AS_SOURCE),
    Case("parquet", added(PARQUET), KEPT, KEPT, KEPT),
    Case("parquet_days", added(f"{PARQUET}, partition_by='day'"), KEPT, KEPT, UPSERTED),
    Case("own_inserts", added(OWN_INSERT), KEPT, f"{KEPT} 3C 4d 5e", f"{KEPT} {AS_SOURCE}"),
    Case("own_overwrites", added(OWN_OVERWRITE), KEPT, KEPT, AS_SOURCE),
    Case("by_name", added(DELETES, BY_NAME), AS_SOURCE, AS_SOURCE, AS_SOURCE),
    Case("of_untimed", added(DELETES, OF_UNTIMED), KEPT, AS_SOURCE, UPSERTED),
    Case("stg", STG, "", "3C 4d 5e", AS_SOURCE),
    Case("of_stg", added(DELETES, OF_STG), KEPT, UPSERTED, UPSERTED),
    Case("of_eph", added(DELETES, OF_EPH), KEPT, UPSERTED, UPSERTED),
    Case("python", PYTHON, KEPT, UPSERTED, UPSERTED),
)
HISTORY = added(f"{MERGE}, {SCD2}, scd2_check_columns=['v'], scd2_invalidate_missing=true")
VERSIONS = "1a+ 2b+ 3c+"
"""A plus stands for a version that is current."""
CHANGED_VERSIONS = "1a+ 2b+ 3C+ 3c- 4d+ 5e+"
EPHEMERAL = "{{ config(materialized='ephemeral') }} select * from " + OF_SRC
TIMES, CHECKS = "strategy: timestamp, updated_at: changed", "strategy: check, check_cols: [v]"
SNAPSHOTS = {
    "times_ignore": f"{TIMES}, hard_deletes: ignore",
    "times_invalidate": f"{TIMES}, hard_deletes: invalidate",
    "times_new_record": f"{TIMES}, hard_deletes: new_record",
    "times_old_key": f"{TIMES}, invalidate_hard_deletes: true",
    "checks_invalidate": f"{CHECKS}, hard_deletes: invalidate",
    "checks_new_record": f"{CHECKS}, hard_deletes: new_record",
}


def models() -> dict[str, str]:
    files = {f"{each.name}.sql": each.code for each in CASES if each.name != "python"}
    others = {"python.py": PYTHON, "history.sql": HISTORY, "eph.sql": EPHEMERAL}
    return {**files, **others, "sources.yml": SOURCES}


def snapshots() -> dict[str, str]:
    lines = [
        f"  - {{name: {name}, relation: \"source('raw', 'src')\","
        f" config: {{unique_key: id, {config}}}}}"
        for name, config in SNAPSHOTS.items()
    ]
    return {"snapshots.yml": "\n".join(["snapshots:", *lines])}
