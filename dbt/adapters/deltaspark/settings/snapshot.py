"""A snapshot's settings as they were found, and what is wrong between them and its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, TypeAlias

from pyspark.sql.types import DataType

from ..column_names import found
from ..engine.spec import Insert, MergeSpec, Update, quoted
from ..near_names import or_nearest
from .config_reader import ConfigReader, not_produced
from .hidden_metadata import problems_of_hidden_later
from .stored_values import same

SOURCE, TARGET = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"
HARD_DELETES = ("ignore", "invalidate", "new_record")
CHANGE_TYPE = "dbt_change_type"
HELPER = "dbt_snapshot_"
"""The prefix of the columns that a snapshot's SQL needs on its way."""
WORD = re.compile(r"\w+")
QUERY = "the query"

Columns: TypeAlias = Mapping[str, DataType]
"""Column names, as they are written, to their types."""


@dataclass(frozen=True, slots=True)
class MetaColumns:
    """The names of the columns that a snapshot adds."""

    valid_from: str = "dbt_valid_from"
    valid_to: str = "dbt_valid_to"
    scd_id: str = "dbt_scd_id"
    updated_at: str = "dbt_updated_at"
    is_deleted: str = "dbt_is_deleted"


@dataclass(frozen=True, slots=True)
class SnapshotSettings:
    """What dbt's config says of a snapshot, with what is wrong in it before its columns are."""

    strategy: str
    unique_key: tuple[str, ...]
    now: str
    updated_at: str | None = None
    check_columns: tuple[str, ...] | None = None
    """None stands for 'all'."""
    hard_deletes: str = "ignore"
    meta: MetaColumns = MetaColumns()
    valid_to_current: str | None = None
    """What `dbt_valid_to` is in a row that is valid now, as SQL; None is null."""
    is_limited: bool = False
    """Whether the run may read a part of the rows, so that none is taken for deleted."""
    problems: tuple[str, ...] = ()

    @property
    def added_columns(self) -> tuple[str, ...]:
        """The meta columns that the snapshot's table has after the query's own."""
        meta = self.meta
        deleted = (meta.is_deleted,) if self.hard_deletes == "new_record" else ()
        return (meta.scd_id, meta.updated_at, meta.valid_from, meta.valid_to, *deleted)


def is_current(settings: SnapshotSettings, time: str, target: Columns, side: str = "") -> str:
    """The SQL condition for a row of the table that is valid now; `time` is the type of times.

    A row has what the config says in the type of its column, at once or by way of the times' type.
    """
    name, value = quoted(settings.meta.valid_to), settings.valid_to_current
    valid_to = f"{side}.{name}" if side else name
    if value is None:
        return f"{valid_to} IS NULL"
    stored = stored_type(settings.meta.valid_to, target) or time
    by_way = value if stored == time else f"try_cast({value} as {time})"
    ends = dict.fromkeys(f"{valid_to} = try_cast({each} as {stored})" for each in (value, by_way))
    return f"({' OR '.join([f'{valid_to} IS NULL', *ends])})"


def stored_type(name: str, target: Columns) -> str | None:
    """Spark's text of the type of the table's column; None where it has none of that name."""
    column = found(name, target)
    return None if column is None else target[column].simpleString()


def read_snapshot(spec: Mapping[str, Any]) -> SnapshotSettings:
    """The settings, each usable, with every problem that shows before the columns are known."""
    reader = ConfigReader(spec["config"])
    every_column = reader.value("check_cols") == "all"
    settings = SnapshotSettings(
        strategy=reader.text("strategy") or "",
        unique_key=reader.names("unique_key") or (),
        now=spec["now"].strip(),
        updated_at=reader.text("updated_at"),
        check_columns=None if every_column else reader.names("check_cols") or (),
        hard_deletes=_hard_deletes(reader),
        meta=_meta_columns(spec, reader),
        valid_to_current=reader.text("dbt_valid_to_current"),
        is_limited=spec.get("limited_by") is not None,
    )
    kind = (reader.text("file_format") or "delta").lower()
    other = [] if kind == "delta" else [f"a snapshot needs file_format 'delta', got {kind!r}"]
    return replace(settings, problems=(*reader.problems, *_missing_settings(settings), *other))


def _missing_settings(settings: SnapshotSettings) -> Iterator[str]:
    if not settings.unique_key:
        yield "unique_key is not set; a snapshot follows the row of each key over time"
    if settings.strategy == "timestamp" and settings.updated_at is None:
        yield "strategy 'timestamp' needs updated_at, the time of a row's last change"
    if settings.strategy == "check" and settings.check_columns == ():
        yield "strategy 'check' needs check_cols: a list of columns, or 'all'"


def _hard_deletes(reader: ConfigReader) -> str:
    invalidates = reader.flag("invalidate_hard_deletes", False)
    value = reader.value("hard_deletes")
    if value is None:
        return "invalidate" if invalidates else "ignore"
    if reader.value("invalidate_hard_deletes") is not None:
        reader.problems.append(
            "hard_deletes and invalidate_hard_deletes exclude each other; keep hard_deletes"
        )
    if value in HARD_DELETES:
        return str(value)
    reader.problems.append(
        f"hard_deletes must be one of {', '.join(HARD_DELETES)}, got {value!r}"
        + or_nearest(str(value), HARD_DELETES)
    )
    return "ignore"


def _meta_columns(spec: Mapping[str, Any], reader: ConfigReader) -> MetaColumns:
    names = {key.removeprefix("dbt_"): name for key, name in spec["meta_columns"].items() if name}
    meta = MetaColumns(**names)
    written = [name.lower() for name in astuple(meta)]
    reader.problems += [
        f"snapshot_meta_column_names gives several columns the name {name!r}"
        for name in dict.fromkeys(astuple(meta))
        if written.count(name.lower()) > 1
    ]
    return meta


def column_problems(
    settings: SnapshotSettings, source: Columns, target: Columns | None
) -> Iterator[str]:
    """What is wrong between the settings, the query's columns and those of the table there is."""
    for name in source:
        yield from _name_problems(settings, name)
    if target is not None:
        yield from problems_of_hidden_later(name for name in source if not found(name, target))
    for key in settings.unique_key:
        yield from _not_produced("unique_key", key, source)
        if target is not None and found(key, source) and not found(key, target):
            yield (
                f"unique_key names {key!r}, which the snapshot's table does not have"
                f"{or_nearest(key, target)}; a snapshot that is there keeps its key"
            )
    if settings.updated_at is not None:
        yield from _not_produced("updated_at", settings.updated_at, source)
    if settings.strategy == "check":
        yield from _check_problems(settings, source)


def _name_problems(settings: SnapshotSettings, name: str) -> Iterator[str]:
    if found(name, settings.added_columns):
        yield (
            f"the query produces {name!r}, which the snapshot adds itself; leave it out of the"
            " query, or rename the snapshot's own with snapshot_meta_column_names"
        )
    if name.lower() == CHANGE_TYPE or name.lower().startswith(HELPER):
        yield f"the query produces {name!r}, a name that snapshots need on their way; rename it"


def _not_produced(key: str, name: str, source: Columns) -> list[str]:
    """A single word must be a column; anything else is SQL, which Spark's analyzer checks."""
    names = [name] if WORD.fullmatch(name) else []
    return not_produced(key, names, source, by=QUERY)


def _check_problems(settings: SnapshotSettings, source: Columns) -> Iterator[str]:
    yield from not_produced("check_cols", settings.check_columns or (), source, by=QUERY)
    kinds = {name: kind.simpleString() for name, kind in source.items()}
    for name, kind in kinds.items():
        if _is_checked(settings, name) and ("map<" in kind or "variant" in kind):
            yield (
                f"check_cols has {name!r}, of the type {kind}, which Spark cannot compare; name"
                " the columns to check, or check to_json() of it under a name of its own"
            )


def _is_checked(settings: SnapshotSettings, name: str) -> bool:
    return settings.check_columns is None or found(name, settings.check_columns) is not None


def missing_meta_columns(settings: SnapshotSettings, target: Columns) -> list[str]:
    """What the table lacks to be this snapshot's; dbt does not ask for `dbt_updated_at`.

    Nor is `dbt_is_deleted` needed: a snapshot gets it that begins to record deletions.
    """
    meta = settings.meta
    needed = (meta.scd_id, meta.valid_from, meta.valid_to)
    return [name for name in needed if found(name, target) is None]


def row_changed(
    settings: SnapshotSettings, source: Columns, target: Columns | None, old: str, new: str
) -> str:
    """When a row counts as changed, under the aliases of the old version and the new row.

    As in dbt, a check column that the table does not have yet makes every row a changed one.
    """
    if settings.strategy != "check":
        return _is_newer(settings, target or {}, old, new)
    checked = [name for name in source if _is_checked(settings, name)]
    known = [(name, stored) for name in checked if (stored := found(name, target or {}))]
    if target is None or len(known) < len(checked):
        return "true"
    unchanged = [
        same(f"{old}.{quoted(name)}", target[stored], f"{new}.{quoted(name)}", source[name])
        for name, stored in known
    ]
    return f"(not ({' and '.join(unchanged)}))"


def _is_newer(settings: SnapshotSettings, target: Columns, old: str, new: str) -> str:
    """Whether the row's time is later than the version's, or the first one; no time is never newer.

    A version that began when its row came back began later than the row's last change.
    """
    meta = settings.meta
    since, time = f"{old}.{quoted(meta.valid_from)}", f"{new}.{quoted(meta.updated_at)}"
    if found(meta.updated_at, target):
        changed = f"{old}.{quoted(meta.updated_at)}"
        since = f"least({since}, {changed})"
        if own := found(settings.updated_at or "", target):
            # The version of a row that came back without a time has none, but a beginning.
            since = f"if({changed} is null and {old}.{quoted(own)} is null, null, {since})"
    return f"({time} is not null and coalesce({since} < {time}, true))"


def sql_of(name: str, source: Columns) -> str:
    """A column by its quoted name; what is none is an expression over the columns."""
    column = found(name, source)
    return f"({name})" if column is None else quoted(column)


def snapshot_merge(
    settings: SnapshotSettings, unique_key: Sequence[str], changes: Columns, target: Columns
) -> MergeSpec:
    """The merge of the change rows, which say themselves what they are.

    An insert matches nothing: a row that came back may carry an id that the table has.
    """
    scd_id, valid_to = quoted(settings.meta.scd_id), quoted(settings.meta.valid_to)
    keys = [quoted(key) for key in unique_key if found(key, changes) and found(key, target)]
    kept = [name for name in changes if name.lower() != CHANGE_TYPE]
    time = changes[settings.meta.updated_at].simpleString()
    matches = [
        f"{SOURCE}.{CHANGE_TYPE} <> 'insert'",
        f"{SOURCE}.{scd_id} = {TARGET}.{scd_id}",
        # Ids are hashes of texts, in which a null and an empty text are the same.
        *(f"{SOURCE}.{key} <=> {TARGET}.{key}" for key in keys),
        is_current(settings, time, target, TARGET),
    ]
    inserted = tuple((quoted(name), f"{SOURCE}.{quoted(name)}") for name in kept)
    return MergeSpec(
        on=" AND ".join(matches),
        matched=(Update(assignments=((valid_to, f"{SOURCE}.{valid_to}"),)),),
        not_matched=(Insert(assignments=inserted, condition=f"{SOURCE}.{CHANGE_TYPE} = 'insert'"),),
        evolve_schema=any(_is_new(name, changes, target) for name in kept),
        source_alias=SOURCE,
        target_alias=TARGET,
    )


def _is_new(name: str, changes: Columns, target: Columns) -> bool:
    """A column that the table lacks, or one with structs, which may have new fields."""
    column = found(name, target)
    if column is None:
        return True
    given, stored = changes[name].simpleString(), target[column].simpleString()
    return given != stored and "struct<" in stored
