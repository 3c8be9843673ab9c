"""dbt's model config, a plain dict, as a value; what is wrong in it is kept, to be told at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

from ..column_names import bare, unquoted
from .combinations import (
    never_clustered,
    problems_of_histories,
    problems_of_merges,
    problems_of_other_formats,
    without_effect,
)
from .config_keys import (
    ON_SCHEMA_CHANGE,
    STRATEGIES,
    idle_keys,
    keys_meant,
    of_columns,
    of_other_platforms,
    or_strategy,
    unknown_keys,
)
from .config_reader import ConfigReader
from .databricks_properties import properties_left_out
from .merge_config import MergeConfig, read_merge
from .other_formats import only_of_delta
from .table import TableConfig, read_table_config, table_warnings

CUSTOM = "custom"
NOT_ONCE = (
    "idempotency_key counts only for a run that makes the table anew: the strategy is the"
    " project's own, and its statements run each time"
)


@dataclass(frozen=True, slots=True)
class Batch:
    """The window of a microbatch, in UTC, its end not in it."""

    event_time: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class History:
    """What strategy scd2 is told; check_columns None: every new scd2_updated_at is a version."""

    updated_at: str | None
    check_columns: tuple[str, ...] | None
    valid_from: str
    valid_to: str
    is_current: str
    invalidate_missing: bool


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A model's settings as they were found, with what is wrong in them before its columns are."""

    name: str
    path: str
    table: TableConfig
    strategy: str = "append"
    unique_key: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    replace_on: tuple[str, ...] = ()
    merge: MergeConfig = field(default_factory=MergeConfig)
    history: History | None = None
    batch: Batch | None = None
    on_schema_change: str = "ignore"
    applies_changes: bool = True
    may_raise_protocol: bool = True
    """Whether sync_all_columns may turn features on that every reader of the table must know."""
    idempotency_key: str | None = None
    user_metadata: str | None = None
    limited_by: str | None = None
    """The run's flag for which the node may read a part of the rows (limits.py)."""
    conflict_retries: int = 5
    """How often a change is made again where another commit came first; the profile's."""
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    misspelt: tuple[str, ...] = ()
    """Warnings of keys that nobody knows; told with the problems where there are any."""
    foreign: tuple[str, ...] = ()
    """Warnings of what only another platform or format has: once a run."""
    not_run: tuple[str, ...] = ()
    """Warnings of the project's macros for other adapters, which it may need: once a run."""
    notices: tuple[str, ...] = ()
    """Of what may be meant so: once a run, and no warnings."""
    told: set[str] = field(default_factory=set, compare=False)
    """The run's warnings so far: a batch does not repeat those of the batch before."""

    @property
    def evolves(self) -> bool:
        changes = self.on_schema_change in ("append_new_columns", "sync_all_columns")
        return changes or (self.strategy == "merge" and self.merge.evolves)

    @property
    def label(self) -> str:
        return f"Model '{self.name}' ({self.path})"

    @property
    def made_strict(self) -> ModelConfig:
        """Where nothing that is asked for may be left undone."""
        own = "A key of the project's own goes under meta"
        misspelt = tuple(f"{each} {own}" for each in self.misspelt)
        problems = (*self.problems, *misspelt, *self.foreign)
        return replace(self, problems=problems, misspelt=misspelt, foreign=())


def read_table(spec: Mapping[str, Any]) -> ModelConfig:
    """The settings of a table, a seed or a snapshot's table."""
    reader = ConfigReader(spec["config"])
    table = read_table_config(reader, spec)
    return ModelConfig(
        name=spec["name"],
        path=spec["path"],
        table=table,
        applies_changes=_applies_changes(reader),
        may_raise_protocol=reader.flag("allow_protocol_upgrade", True),
        user_metadata=_user_metadata(reader, spec, table),
        limited_by=spec.get("limited_by"),
        problems=tuple(reader.problems),
        warnings=table_warnings(spec),
        misspelt=unknown_keys(spec["config"]),
        foreign=_foreign(spec, table),
        not_run=tuple(spec.get("macros_not_run", ())),
        notices=tuple(never_clustered(spec["config"], table)),
    )


def read_incremental(spec: Mapping[str, Any]) -> ModelConfig:
    """The settings of an incremental model, with defaults filled in."""
    reader = ConfigReader(spec["config"])
    asked = _strategy(reader, spec)
    table = read_table_config(reader, spec)
    unique_key = reader.names("unique_key") or ()
    strategy = _without_keys(reader, asked, unique_key)
    if strategy != asked:  # a misspelt key must not turn a merge into an append
        reader.problems += keys_meant(spec["config"], ("unique_key", "merge_on", "merge_clauses"))
    why = ": without a unique_key rows are only added" if strategy != asked else ""
    idle = () if asked == CUSTOM else idle_keys(spec["config"], strategy, why)
    idle += (*without_effect(reader, strategy),)
    if asked == CUSTOM and reader.text("idempotency_key"):
        idle += (NOT_ONCE,)
    batch = read_batch(reader, spec) if strategy == "microbatch" else None
    model = ModelConfig(
        name=spec["name"],
        path=spec["path"],
        table=table,
        strategy=strategy,
        unique_key=unique_key,
        predicates=_predicates(reader, strategy),
        replace_on=reader.names("replace_on") or (),
        merge=read_merge(reader, inserts_only=strategy == "insert_only"),
        history=_history(reader, unique_key) if strategy == "scd2" else None,
        batch=batch,
        on_schema_change=reader.choice("on_schema_change", ON_SCHEMA_CHANGE, "ignore"),
        applies_changes=_applies_changes(reader),
        may_raise_protocol=reader.flag("allow_protocol_upgrade", True),
        idempotency_key=_once(reader, batch),
        user_metadata=_user_metadata(reader, spec, table),
        limited_by=spec.get("limited_by"),
        warnings=table_warnings(spec) + idle,
        misspelt=unknown_keys(spec["config"]),
        foreign=_foreign(spec, table),
        not_run=tuple(spec.get("macros_not_run", ())),
        notices=tuple(never_clustered(spec["config"], table)),
    )
    together = (
        *problems_of_merges(reader, strategy, model.merge, unique_key, model.predicates),
        *problems_of_other_formats(strategy, table.file_format, model.replace_on),
    )
    return replace(model, problems=(*reader.problems, *together))


def _applies_changes(reader: ConfigReader) -> bool:
    return reader.flag("incremental_apply_config_changes", True)


def _strategy(reader: ConfigReader, spec: Mapping[str, Any]) -> str:
    """The project's own macro comes before a strategy of the adapter's, as dbt has it."""
    name = reader.text("incremental_strategy") or "merge"
    macro = f"get_incremental_{name.replace('+', '_')}_sql"
    if macro in spec.get("custom_strategies", ()):
        return CUSTOM
    if name in STRATEGIES:
        return name
    if name == "default":
        return "merge"
    reader.problems.append(
        f"incremental_strategy {name!r} is not known{or_strategy(name)}"
        f" ({', '.join(STRATEGIES)}); dbt could not find an incremental strategy macro with"
        f' the name "{macro}" in {spec.get("project", "the project")}'
    )
    return "merge"


def _without_keys(reader: ConfigReader, strategy: str, unique_key: tuple[str, ...]) -> str:
    """What the strategy comes to where the model has no key."""
    if unique_key:
        return strategy
    if strategy in ("insert_only", "delete+insert", "scd2"):
        reader.problems.append(f"incremental_strategy {strategy!r} needs unique_key")
    conditioned = reader.value("merge_on") or reader.value("merge_clauses")
    return "append" if strategy == "merge" and not conditioned else strategy


def _predicates(reader: ConfigReader, strategy: str) -> tuple[str, ...]:
    given = reader.texts("incremental_predicates") + reader.texts("predicates")
    if strategy != "replace_where":
        return given
    given += reader.texts("replace_where")
    if not given:
        reader.problems.append(
            "incremental_strategy 'replace_where' needs incremental_predicates (or replace_where),"
            " which say what is replaced"
        )
    return given


def _history(reader: ConfigReader, unique_key: tuple[str, ...]) -> History:
    updated_at = bare(reader.text("scd2_updated_at") or "") or None
    check = reader.names("scd2_check_columns")
    if updated_at is None and check is None:
        reader.problems.append(
            "incremental_strategy 'scd2' needs scd2_updated_at, a column that says when a row"
            " became so, or scd2_check_columns, the columns whose change makes a version"
        )
    reader.problems += problems_of_histories(updated_at, check, unique_key)
    return History(
        updated_at=updated_at,
        check_columns=check,
        valid_from=bare(reader.text("scd2_valid_from") or "valid_from"),
        valid_to=bare(reader.text("scd2_valid_to") or "valid_to"),
        is_current=bare(reader.text("scd2_is_current") or "is_current"),
        invalidate_missing=reader.flag("scd2_invalidate_missing", False),
    )


def read_batch(reader: ConfigReader, spec: Mapping[str, Any]) -> Batch | None:
    event_time = reader.text("event_time")
    window = spec.get("batch")
    if event_time is None:
        reader.problems.append(
            "incremental_strategy 'microbatch' needs event_time, the column that says which batch a"
            " row belongs to"
        )
    if event_time is None or not window:
        return None
    return Batch(
        unquoted(event_time),
        instant(window["event_time_start"]),
        instant(window["event_time_end"]),
    )


def _once(reader: ConfigReader, batch: Batch | None) -> str | None:
    """The idempotency key; each batch of a run has one of its own."""
    key = reader.text("idempotency_key")
    return key if key is None or batch is None else f"{key}/{batch.start.isoformat()}"


def moment(value: object) -> datetime:
    """As a config, or dbt-core's description of a batch, has it."""
    return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))


def instant(value: object) -> datetime:
    """A bound of a batch; dbt-core's are in UTC, also where they do not say so."""
    parsed = moment(value)
    zoned = parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)
    return zoned.astimezone(timezone.utc)


def _user_metadata(reader: ConfigReader, spec: Mapping[str, Any], table: TableConfig) -> str:
    """What the commit's history says of who made it, as JSON."""
    given = reader.value("commit_metadata") or table.noted
    if given is not None and not isinstance(given, (str, Mapping)):
        reader.problems.append(f"commit_metadata must be a text or a dictionary, got {given!r}")
    about = {"node_id": spec.get("node_id"), "invocation_id": spec.get("invocation_id")}
    told = {} if given is None else {"commit_metadata": given}
    return json.dumps({**about, **told}, default=str)


def _foreign(spec: Mapping[str, Any], table: TableConfig) -> tuple[str, ...]:
    config, columns = spec["config"], spec.get("columns") or {}
    return (
        *of_other_platforms(config),
        *of_columns(columns),
        *properties_left_out(spec),
        *only_of_delta(table, config),
    )
