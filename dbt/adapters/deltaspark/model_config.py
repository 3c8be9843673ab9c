"""dbt's model config, a plain dict, as a value; what is wrong in it is kept, to be told at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .config_keys import (
    CANNOT_WRITE_YET,
    ON_SCHEMA_CHANGE,
    STRATEGIES,
    STRATEGIES_NOW,
    no_effect_yet,
    or_nearest,
    or_strategy,
    unknown_keys,
)
from .config_reader import ConfigReader, found

ODD_CHARACTERS = frozenset(" ,;{}()\n\t=")
"""What Delta takes in a column's name only under column mapping."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What a table is created with."""

    partition_by: tuple[str, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    location: str | None = None
    comment: str | None = None
    column_comments: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def location_property(self) -> dict[str, str]:
        return {"location": self.location} if self.location else {}

    def properties_for(self, columns: Sequence[str]) -> dict[str, str]:
        """The properties, with column mapping where one of the names cannot do without."""
        mapped = any(ODD_CHARACTERS.intersection(name) for name in columns)
        return {**({"delta.columnMapping.mode": "name"} if mapped else {}), **dict(self.properties)}


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A model's settings as they were found, with what is wrong in them before its columns are."""

    name: str
    path: str
    table: TableConfig
    strategy: str = "append"
    unique_key: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    update_columns: tuple[str, ...] | None = None
    exclude_columns: tuple[str, ...] | None = None
    on_schema_change: str = "ignore"
    source_alias: str = "DBT_INTERNAL_SOURCE"
    target_alias: str = "DBT_INTERNAL_DEST"
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def evolves(self) -> bool:
        return self.on_schema_change in ("append_new_columns", "sync_all_columns")

    @property
    def label(self) -> str:
        return f"Model '{self.name}' ({self.path})"


def read_table(spec: Mapping[str, Any]) -> ModelConfig:
    """The settings of a table, a seed or a snapshot's table."""
    reader = ConfigReader(spec["config"])
    table = _table(reader, spec)
    return ModelConfig(
        name=spec["name"],
        path=spec["path"],
        table=table,
        problems=tuple(reader.problems),
        warnings=_warnings(spec),
    )


def read_incremental(spec: Mapping[str, Any]) -> ModelConfig:
    """The settings of an incremental model, with defaults filled in."""
    reader = ConfigReader(spec["config"])
    strategy = _strategy(reader, spec)
    unique_key = reader.names("unique_key") or ()
    if strategy == "insert_only" and not unique_key:
        reader.problems.append("incremental_strategy 'insert_only' needs unique_key")
    appends = strategy == "append" or (strategy == "merge" and not unique_key)
    _refuse_what_is_not_there_yet(reader)
    reader.flag("skip_empty", True)
    return ModelConfig(
        name=spec["name"],
        path=spec["path"],
        table=_table(reader, spec),
        strategy="append" if appends else strategy,
        unique_key=unique_key,
        predicates=(reader.texts("incremental_predicates") + reader.texts("predicates")),
        update_columns=reader.names("merge_update_columns"),
        exclude_columns=reader.names("merge_exclude_columns"),
        on_schema_change=reader.choice("on_schema_change", ON_SCHEMA_CHANGE, "ignore"),
        source_alias=reader.text("source_alias") or "DBT_INTERNAL_SOURCE",
        target_alias=reader.text("target_alias") or "DBT_INTERNAL_DEST",
        problems=tuple(reader.problems),
        warnings=_warnings(spec) + (_idle_keys(spec["config"]) if appends else ()),
    )


def columns_problems(model: ModelConfig, source: Sequence[str]) -> list[str]:
    """What is wrong between the settings and the columns that the model's SELECT produces."""
    named = {
        "merge_update_columns": model.update_columns or (),
        "merge_exclude_columns": model.exclude_columns or (),
        "partition_by": model.table.partition_by,
    }
    return [
        f"{key} names {name!r}, which the model does not produce{or_nearest(name, source)}"
        for key, names in named.items()
        for name in names
        if found(name, source) is None
    ]


def _strategy(reader: ConfigReader, spec: Mapping[str, Any]) -> str:
    name = reader.text("incremental_strategy") or "merge"
    macro = f"get_incremental_{name.replace('+', '_')}_sql"
    if name in STRATEGIES_NOW:
        return name
    if name in STRATEGIES:
        now = ", ".join(STRATEGIES_NOW)
        reader.problems.append(
            f"incremental_strategy {name!r} is not supported yet by this version; it has {now}"
        )
    elif macro in spec.get("custom_strategies", ()):
        reader.problems.append(f"the project's own strategy ({macro}) is not supported yet")
    else:
        reader.problems.append(
            f"incremental_strategy {name!r} is not known{or_strategy(name)}"
            f" ({', '.join(STRATEGIES)}); dbt could not find an incremental strategy macro with"
            f' the name "{macro}" in {spec.get("project", "the project")}'
        )
    return "merge"


def _refuse_what_is_not_there_yet(reader: ConfigReader) -> None:
    for key in CANNOT_WRITE_YET:
        if reader.value(key) not in (None, False):
            reader.problems.append(
                f"{key} is not supported yet by this version, and leaving it out would write"
                " other rows"
            )


def _table(reader: ConfigReader, spec: Mapping[str, Any]) -> TableConfig:
    if (file_format := reader.text("file_format") or "delta") != "delta":
        reader.problems.append(f"file_format must be 'delta' in this version, got {file_format!r}")
    if reader.value("grants"):
        reader.problems.append("grants are not possible: Spark's own catalog has no GRANT")
    vectors = str(reader.flag("deletion_vectors", True)).lower()
    root = reader.text("location_root")
    documented = reader.mapping("persist_docs")
    comment = spec.get("description") if documented.get("relation") == "true" else None
    return TableConfig(
        partition_by=_partition_columns(reader),
        properties=tuple(
            {"delta.enableDeletionVectors": vectors, **reader.mapping("tblproperties")}.items()
        ),
        location=f"{root.rstrip('/')}/{spec['schema']}/{spec['alias']}" if root else None,
        comment=reader.text("comment") or comment or None,
        column_comments=_comments(spec) if documented.get("columns") == "true" else (),
        options=tuple(reader.mapping("options").items()),
    )


def _partition_columns(reader: ConfigReader) -> tuple[str, ...]:
    value = reader.value("partition_by")
    if isinstance(value, Mapping) and isinstance(value.get("field"), str):
        return (value["field"],)
    return reader.names("partition_by") or ()


def _comments(spec: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    columns = spec.get("columns") or {}
    return tuple(
        (str(name), str(column["description"]))
        for name, column in columns.items()
        if column.get("description")
    )


def _idle_keys(config: Mapping[str, Any]) -> tuple[str, ...]:
    keys = ("incremental_predicates", "predicates", "merge_update_columns", "merge_exclude_columns")
    return tuple(
        f"{key} has no effect: without a unique_key, and with 'append', rows are only added"
        for key in keys
        if config.get(key)
    )


def _warnings(spec: Mapping[str, Any]) -> tuple[str, ...]:
    config = spec["config"]
    partitions = config.get("partition_by")
    granularity = isinstance(partitions, Mapping) and set(partitions) - {"field", "data_type"}
    return (
        *unknown_keys(config),
        *no_effect_yet(spec),
        *(("partition_by: only its 'field' is used, not the granularity",) if granularity else ()),
    )
