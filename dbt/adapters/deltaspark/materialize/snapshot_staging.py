"""The SQL of a snapshot: of its first table, and of the changes that a later run merges into it.

The source and the snapshot's current rows are each read once and meet in one join. Its rows become
change rows: `insert` a new version, `update` or `delete` to end an old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..column_names import found
from ..engine.spec import quoted, text_literal
from ..settings import CHANGE_TYPE, HELPER, Columns, in_one_type

if TYPE_CHECKING:
    from .snapshot_sources import Snapshot

OLD, NEW = "snapshotted_data", "source_data"
"""The names under which dbt's strategies know the old version of a row and the new one."""
DUPLICATE_KEY = "the snapshot's source has a unique_key several times"
SEVERAL_VERSIONS = "the snapshot has several current versions of a unique_key"
NO_TIME = "the snapshot's source has no updated_at in a row that has changed"
"""What a run fails with inside of Spark, where the key's values cannot be told well."""
KEY, COPIES, VERSIONS, GONE, BACK = (
    f"{HELPER}{name}" for name in ("key", "copies", "versions", "gone", "back")
)
ID, UPDATED, ENDED, BEGAN = (
    f"{HELPER}{name}" for name in ("scd_id", "updated_at", "ended", "began")
)


def creation_sql(snapshot: Snapshot) -> str:
    """The snapshot's first table: the query's rows, each valid since its last change."""
    settings, strategy = snapshot.settings, snapshot.strategy
    meta = settings.meta
    columns = {
        meta.scd_id: strategy.scd_id,
        meta.updated_at: strategy.updated_at,
        meta.valid_from: strategy.updated_at,
        meta.valid_to: snapshot.valid_to(),
    }
    if snapshot.keeps_deletions:
        columns[meta.is_deleted] = "'False'"
    return f"""select
  {_listed([*map(quoted, snapshot.source), *_named(columns)])}
from (
  select *, count(*) over (partition by {snapshot.key()}) as {COPIES}
  from (
{snapshot.sql}
  )
)
where if({COPIES} > 1, {_fails(DUPLICATE_KEY)}, true)"""


def changes_sql(snapshot: Snapshot, table: str, target: Columns) -> str:
    """The change rows between the query's rows and the table's current ones."""
    return f"""with {_both_sides(snapshot, table, target)},
compared as (
{_compared_rows(snapshot, target)}
)
{_change_rows(snapshot, target)}"""


def timeless_keys_sql(snapshot: Snapshot, table: str, target: Columns) -> str:
    """The keys of the rows for which the changes fail with `NO_TIME`."""
    return f"""with {_both_sides(snapshot, table, target)}
select {NEW}.{KEY}
from {NEW}
{_joined(snapshot, "join")}
where {snapshot.strategy.row_changed} and {_lacks_a_time(snapshot)}"""


def current_versions_sql(snapshot: Snapshot, table: str, target: Columns) -> str:
    """The keys of the table's current versions."""
    current = snapshot.is_current(target)
    return f"select {snapshot.key()} as {KEY} from {table} where {current}"


def _both_sides(snapshot: Snapshot, table: str, target: Columns) -> str:
    closed = f",\n{_closed_versions(snapshot, table, target)}" if _can_come_back(snapshot) else ""
    return f"""{_source_rows(snapshot, target)},
{_current_rows(snapshot, table, target)}{closed}"""


def _fails(reason: str) -> str:
    return f"raise_error({text_literal(reason)})"


def _source_rows(snapshot: Snapshot, target: Columns) -> str:
    settings, strategy = snapshot.settings, snapshot.strategy
    columns = {
        KEY: snapshot.key(),
        settings.meta.updated_at: strategy.updated_at,
        settings.meta.valid_from: strategy.updated_at,
        settings.meta.valid_to: snapshot.valid_to(target),
        settings.meta.scd_id: strategy.scd_id,
    }
    return f"""snapshot_query as (
{snapshot.sql}
),
{NEW} as (
  select *, count(*) over (partition by {KEY}) as {COPIES}
  from (
    select *,
      {_listed(_named(columns), 6)}
    from snapshot_query
  )
)"""


def _current_rows(snapshot: Snapshot, table: str, target: Columns) -> str:
    columns = {KEY: snapshot.key()}
    if snapshot.keeps_deletions and not found(snapshot.settings.meta.is_deleted, target):
        columns[snapshot.settings.meta.is_deleted] = "'False'"
    return f"""{OLD} as (
  select *, count(*) over (partition by {KEY}) as {VERSIONS}
  from (
    select {_listed(["*", *_named(columns)])}
    from {table}
    where {snapshot.is_current(target)}
  )
)"""


def _can_come_back(snapshot: Snapshot) -> bool:
    """Whether a row can be new to the current rows with an id that an ended version has."""
    return snapshot.settings.hard_deletes == "invalidate"


def _closed_versions(snapshot: Snapshot, table: str, target: Columns) -> str:
    return f"""closed_data as (
  select distinct {quoted(snapshot.settings.meta.scd_id)} as {ID}
  from {table}
  where not coalesce({snapshot.is_current(target)}, false)
)"""


def _compared_rows(snapshot: Snapshot, target: Columns) -> str:
    """One row for each key that is new, changed or gone, and its kinds of change rows."""
    meta = snapshot.settings.meta
    old_id, new_id = f"{OLD}.{quoted(meta.scd_id)}", f"{NEW}.{quoted(meta.scd_id)}"
    columns = {
        CHANGE_TYPE: _change_types(snapshot),
        GONE: f"{NEW}.{KEY} is null",
        BACK: _is_back(snapshot),
        ENDED: old_id,
        ID: f"coalesce({new_id}, {old_id})",
        UPDATED: f"{NEW}.{quoted(meta.updated_at)}",
        BEGAN: _began_late(snapshot, target),
    }
    payload = [f"{value} as {quoted(name)}" for name, value in _payload(snapshot, target)]
    join = "full outer join" if snapshot.sees_deletions else "left join"
    return f"""  select
    {_listed([*_named(columns), *payload], 4)}
  from {NEW}
  {_joined(snapshot, join)}
  where if({NEW}.{COPIES} > 1, {_fails(DUPLICATE_KEY)},
    if({OLD}.{VERSIONS} > 1, {_fails(SEVERAL_VERSIONS)},
    {_has_changed(snapshot)}))"""


def _joined(snapshot: Snapshot, join: str) -> str:
    """The current rows, and the ended versions that a new row may be of."""
    current = f"{join} {OLD}\n    on {NEW}.{KEY} = {OLD}.{KEY}"
    if not _can_come_back(snapshot):
        return current
    new_id = f"{NEW}.{quoted(snapshot.settings.meta.scd_id)}"
    return f"""{current}
  left join closed_data
    on {OLD}.{KEY} is null and closed_data.{ID} = {new_id}"""


def _change_types(snapshot: Snapshot) -> str:
    deleted = "'delete', 'insert'" if snapshot.keeps_deletions else "'delete'"
    gone = f" when {NEW}.{KEY} is null then array({deleted})" if snapshot.sees_deletions else ""
    return (
        f"explode(case when {OLD}.{KEY} is null then array('insert'){gone}"
        " else array('update', 'insert') end)"
    )


def _has_changed(snapshot: Snapshot) -> str:
    changed, gone = snapshot.strategy.row_changed, ""
    if snapshot.keeps_deletions:
        deleted = f"{OLD}.{quoted(snapshot.settings.meta.is_deleted)} <=> 'True'"
        changed, gone = f"({changed} or {deleted})", f" and not ({deleted})"
    cases = [
        f"when {OLD}.{KEY} is null then true",
        *([f"when {NEW}.{KEY} is null then true{gone}"] if snapshot.sees_deletions else []),
        f"when {changed} then if({_lacks_a_time(snapshot)}, {_fails(NO_TIME)}, true)",
    ]
    return f"case {' '.join(cases)} else false end"


def _lacks_a_time(snapshot: Snapshot) -> str:
    """Whether a changed row does not say when the old version ends."""
    time = f"{NEW}.{quoted(snapshot.settings.meta.updated_at)}"
    return f"{time} is null and not ({_is_back(snapshot)})"


def _is_back(snapshot: Snapshot) -> str:
    """Whether the row was deleted, and is here again as it was: its version begins now."""
    meta = snapshot.settings.meta
    if snapshot.keeps_deletions:
        newer = f"{NEW}.{quoted(meta.updated_at)} > {OLD}.{quoted(meta.valid_from)}"
        return f"{OLD}.{quoted(meta.is_deleted)} <=> 'True' and not coalesce({newer}, false)"
    return f"closed_data.{ID} is not null" if _can_come_back(snapshot) else "false"


def _began_late(snapshot: Snapshot, target: Columns) -> str:
    """When the old version began, if its row came back only then, after the row's last change."""
    meta = snapshot.settings.meta
    if not found(meta.updated_at, target):
        return "null"
    began, changed = (f"{OLD}.{quoted(name)}" for name in (meta.valid_from, meta.updated_at))
    kind = snapshot.kind_of(meta.valid_from, target)
    return f"if({changed} is null or {began} > {changed}, try_cast({began} as {kind}), null)"


def _payload(snapshot: Snapshot, target: Columns) -> Iterable[tuple[str, str]]:
    """The query's columns and, where deletions become rows, those that only the table has.

    A row that is gone has the old version's values: for its deletion row, or to find it by.
    """
    for name in snapshot.source:
        needed = snapshot.keeps_deletions or found(name, snapshot.strategy.unique_key)
        new, stored = f"{NEW}.{quoted(name)}", found(name, target)
        if snapshot.sees_deletions and needed and stored:
            old = f"{OLD}.{quoted(name)}"
            before, now = in_one_type(old, target[stored], new, snapshot.source[name])
            yield name, f"if({NEW}.{KEY} is null, {before}, {now})"
        else:
            yield name, new
    for name in _only_in_table(snapshot, target):
        yield name, f"if({NEW}.{KEY} is null, {OLD}.{quoted(name)}, null)"


def _only_in_table(snapshot: Snapshot, target: Columns) -> list[str]:
    known = [*snapshot.source, *snapshot.settings.added_columns]
    return [name for name in target if snapshot.keeps_deletions and not found(name, known)]


def _change_rows(snapshot: Snapshot, target: Columns) -> str:
    meta, now = snapshot.settings.meta, snapshot.now
    inserts, begins_now = f"{CHANGE_TYPE} = 'insert'", f"{GONE} or {BACK}"
    # greatest() leaves nulls out.
    since = f"if({begins_now}, {now}, greatest({UPDATED}, {BEGAN}))"
    columns = {
        meta.updated_at: f"if({GONE}, {now}, {UPDATED})",
        meta.valid_from: since,
        meta.valid_to: f"if({inserts}, {snapshot.valid_to(target)}, {since})",
        meta.scd_id: f"case when not {inserts} then {ENDED}"
        f" when {begins_now} then {snapshot.later_scd_id} else {ID} end",
    }
    if snapshot.keeps_deletions:
        columns[meta.is_deleted] = f"if({GONE}, 'True', 'False')"
    names = [*snapshot.source, *_only_in_table(snapshot, target)]
    return f"""select
  {_listed([CHANGE_TYPE, *map(quoted, names), *_named(columns)])}
from compared"""


def _named(columns: Mapping[str, str]) -> list[str]:
    return [f"{value} as {quoted(name)}" for name, value in columns.items()]


def _listed(items: Sequence[str], indent: int = 2) -> str:
    return (",\n" + " " * indent).join(items)
