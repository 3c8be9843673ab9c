"""What a table is to be: its layout, properties, comments and constraints, as a frozen value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..column_names import bare, found
from ..engine.spec import TableDefinition
from ..near_names import or_nearest
from .config_reader import ConfigReader, not_produced
from .constraints import Constraints, Pairs, read_constraints, warnings_of_constraints
from .databricks_properties import without_databricks_own
from .odd_names import odd_names
from .reserved_properties import CHECKS, reserved_properties
from .sql_tokens import columns_in, name_parts
from .table_names import problems_of_comment, problems_of_names
from .upkeep import Upkeep, read_upkeep, warnings_of_zorder

WITHOUT_VECTORS = (
    ("delta.enableicebergcompatv1", "true"),
    ("delta.enableicebergcompatv2", "true"),
    ("delta.compatibility.symlinkformatmanifest.enabled", "true"),
    ("delta.universalformat.enabledformats", "hudi"),
)
"""Properties that Delta takes for tables without deletion vectors only, in lower case, each with
the value, or the item of a list, that says so.
"""
VECTORS = "delta.enableDeletionVectors"
NOTE = "usermetadata"
FORMATS = ("delta", "parquet", "orc", "avro", "csv", "json", "text", "xml", "iceberg", "hudi")


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What a table is created with, and brought to when it is there."""

    file_format: str = "delta"
    partition_by: tuple[str, ...] = ()
    cluster_by: tuple[str, ...] = ()
    keeps_clustering: bool = False
    """Where no columns are named, a table that is there keeps the clustering that it has."""
    properties: Pairs = ()
    deletion_vectors: bool | None = None
    """None: not said, so that a table that is there keeps its own."""
    location: str | None = None
    comment: str | None = None
    column_comments: Pairs = ()
    exact_names: tuple[str, ...] = ()
    """Documented with `quote: true`: dbt takes the case of such a name as it is written."""
    options: Pairs = ()
    noted: str | None = None
    """The writer's option userMetadata."""
    constraints: Constraints = Constraints()
    upkeep: Upkeep | None = None

    def creation_properties(self, names: Sequence[str]) -> dict[str, str]:
        """With column mapping where a name cannot do without, and with the CHECK constraints.

        The names are those of columns and of fields.
        """
        ours = {
            VECTORS: str(self._starts_with_vectors).lower(),
            **({"delta.columnMapping.mode": "name"} if odd_names(names) else {}),
        }
        return {
            **_each_once(ours, dict(self.properties)),
            **{f"{CHECKS}{name}": condition for name, condition in self.constraints.checks},
            **({"location": self.location} if self.location else {}),
        }

    @property
    def _starts_with_vectors(self) -> bool:
        """Of a new table: yes, but where the model says no, or asks for what excludes them."""
        asked = {
            (key.lower(), item)
            for key, value in self.properties
            for item in value.lower().split(",")
        }
        default = asked.isdisjoint(WITHOUT_VECTORS)
        return default if self.deletion_vectors is None else self.deletion_vectors

    def comments_of(self, columns: Sequence[str]) -> Pairs:
        """Those of the column comments that are of these columns."""
        return tuple(
            (name, comment)
            for name, comment in self.column_comments
            if (name in columns if name in self.exact_names else found(name, columns) is not None)
        )

    def definition(
        self, columns: Sequence[str], dropped: Sequence[str], properties: Mapping[str, str]
    ) -> TableDefinition:
        """What a table with these columns must become; nothing is said of what stays."""
        kept = [name for name in columns if found(name, dropped) is None]
        keeps = self.keeps_clustering or self.partition_by
        said = self.deletion_vectors
        vectors = {} if said is None else {VECTORS: str(said).lower()}
        given = _each_once(vectors, dict(self.properties))
        return TableDefinition(
            properties=tuple(_each_once(given, properties).items()),
            comment=self.comment,
            column_comments=self.comments_of(kept),
            checks=self.constraints.checks,
            not_null=self.constraints.not_null,
            only_constraints=self.constraints.are_declared,
            lengths=tuple(each for each in self.constraints.lengths if found(each[0], kept)),
            cluster_by=self.cluster_by or (None if keeps else ()),
            dropped=tuple(dropped),
        )


def _each_once(first: Mapping[str, str], then: Mapping[str, str]) -> dict[str, str]:
    """The two as one, where of a property of Delta's, whatever its case, the later one stands."""
    again = {key.lower() for key in then if key.lower().startswith("delta.")}
    return {**{key: text for key, text in first.items() if key.lower() not in again}, **then}


def read_table_config(reader: ConfigReader, spec: Mapping[str, Any]) -> TableConfig:
    """What a model says of its table; problems stay with the reader."""
    if reader.value("grants"):
        reader.problems.append(
            "grants are not possible: Spark's own catalog has no GRANT; leave them out"
        )
    partition_by = _partition_columns(reader)
    cluster_by = reader.columns("liquid_clustered_by")
    if partition_by and cluster_by:
        reader.problems.append(
            "partition_by and liquid_clustered_by exclude each other; keep one of them"
        )
    reader.problems += problems_of_names(spec)
    root = reader.text("location_root")
    documents_table, documents_columns = _documented(reader)
    described = spec.get("description") if documents_table else None
    comment = reader.text("comment") or described or None
    reader.problems += problems_of_comment(spec, comment)
    vectors = reader.value("deletion_vectors")
    options = reader.mapping("options")
    file_format, properties = _file_format(reader), reader.mapping("tblproperties")
    if reader.value("materialized") != "view":
        of_delta = file_format == "delta"
        reader.problems += reserved_properties(properties, of_delta=of_delta)
    return TableConfig(
        file_format=file_format,
        partition_by=partition_by,
        cluster_by=cluster_by,
        keeps_clustering=reader.flag("auto_liquid_cluster", False),
        properties=without_databricks_own(properties, spec),
        deletion_vectors=None if vectors is None else reader.flag("deletion_vectors", True),
        location=f"{root.rstrip('/')}/{spec['schema']}/{spec['alias']}" if root else None,
        comment=comment,
        column_comments=_comments(spec) if documents_columns else (),
        exact_names=_quoted_names(spec),
        options=tuple((key, text) for key, text in options.items() if key.lower() != NOTE),
        noted=next((text for key, text in options.items() if key.lower() == NOTE), None),
        constraints=read_constraints(reader, spec, file_format),
        upkeep=read_upkeep(reader, partition_by if file_format == "delta" else ()),
    )


def table_problems(table: TableConfig, source: Sequence[str], by: str = "the model") -> list[str]:
    """What is wrong between the settings and the columns that the model's SELECT produces."""
    zorder = table.upkeep.zorder if table.upkeep else ()
    named = {
        "partition_by": table.partition_by,
        "liquid_clustered_by": table.cluster_by,
        "zorder": zorder,
        "a not_null constraint": table.constraints.not_null,
    }
    fields = [name for name in table.cluster_by if _is_field(name, source)]
    problems = [
        each
        for key, names in named.items()
        for each in not_produced(key, [name for name in names if name not in fields], source, by)
    ]
    return [*problems, *map(_not_clustered_by, fields), *_named_twice(source, by)]


def _is_field(name: str, source: Sequence[str]) -> bool:
    first, *more = name_parts(name)
    return bool(more and found(name, source) is None and found(first, source))


def _not_clustered_by(field: str) -> str:
    return (
        f"liquid_clustered_by names {field!r}, a field of a struct, and whole columns are what it"
        " takes: give the model a column of it, or cluster the table by ALTER TABLE, which"
        " auto_liquid_cluster: true keeps"
    )


def _named_twice(source: Sequence[str], by: str) -> list[str]:
    """Two columns that Spark takes for one."""
    spelt: dict[str, list[str]] = {}
    for name in source:
        spelt.setdefault(name.lower(), []).append(name)
    return [
        f"{by} produces the column {names[0]!r} {len(names)} times ({', '.join(names)}); give"
        " each a name of its own"
        for names in spelt.values()
        if len(names) > 1
    ]


def problems_of_new_columns(table: TableConfig, added: Sequence[str]) -> list[str]:
    """What the settings ask of columns that the table gets by the very write that follows."""
    later = "run the model once without it, or with --full-refresh"
    never = (
        "the rows that are there hold null in it; leave the constraint out, or run the model with"
        " --full-refresh"
    )
    named = [
        *(("liquid_clustered_by", name, later) for name in table.cluster_by),
        *(("a not_null constraint", name, never) for name in table.constraints.not_null),
        *(
            (f"the check {check!r}", bare(name), later)
            for check, condition in table.constraints.checks
            for name in columns_in(condition, added)
        ),
    ]
    return [
        f"{key} names {name!r}, which the table does not have yet: {way_out}"
        for key, name, way_out in dict.fromkeys(named)
        if found(name, added) is not None
    ]


def warnings_of_comments(table: TableConfig, columns: Sequence[str]) -> list[str]:
    """dbt's own warning of descriptions that are to be written, of columns that are not there."""
    there = table.comments_of(columns)
    missing = [name for name, comment in table.column_comments if (name, comment) not in there]
    if not missing:
        return []
    near = {name: or_nearest(name, columns).removeprefix("; ") for name in missing}
    hints = "".join(f"; {name}: {hint}" for name, hint in near.items() if hint)
    return [
        "The following columns are specified in the schema but are not present in the database:"
        f" {', '.join(missing)}{hints}"
    ]


def table_warnings(spec: Mapping[str, Any]) -> tuple[str, ...]:
    """What is accepted and has no effect, or only in part."""
    config = spec["config"]
    partitions = config.get("partition_by")
    warnings = []
    if isinstance(partitions, Mapping) and set(partitions) - {"field", "data_type"}:
        warnings.append("partition_by: only its 'field' is used, not the granularity")
    if config.get("idempotency_key") and config.get("materialized") not in (None, "incremental"):
        warnings.append("idempotency_key has no effect: only incremental models have it")
    warnings += warnings_of_zorder(config)
    if config.get("sql_header") and (kind := config.get("materialized")) in ("view", "function"):
        warnings.append(f"sql_header has no effect on a {kind}, which is read in other sessions")
    return (*warnings, *warnings_of_constraints(spec))


def _file_format(reader: ConfigReader) -> str:
    given = reader.text("file_format") or "delta"
    if given.lower() in FORMATS:
        return given.lower()
    reader.problems.append(
        f"file_format must be one of {', '.join(FORMATS)}, got"
        f" {given!r}{or_nearest(given, FORMATS)}"
    )
    return "delta"


def _partition_columns(reader: ConfigReader) -> tuple[str, ...]:
    value = reader.value("partition_by")
    if isinstance(value, Mapping) and isinstance(value.get("field"), str):
        return (bare(value["field"]),)
    return reader.columns("partition_by")


def _documented(reader: ConfigReader) -> tuple[bool, bool]:
    """Whether descriptions of the table, and of its columns, become comments."""
    given = reader.value("persist_docs")
    part = ConfigReader(given if isinstance(given, Mapping) else {}, "persist_docs")
    documented = part.flag("relation", False), part.flag("columns", False)
    reader.problems += part.problems
    return documented


def _quoted_names(spec: Mapping[str, Any]) -> tuple[str, ...]:
    columns = spec.get("columns") or {}
    return tuple(str(name) for name, column in columns.items() if column.get("quote"))


def _comments(spec: Mapping[str, Any]) -> Pairs:
    columns = spec.get("columns") or {}
    return tuple(
        (str(name), str(column["description"]))
        for name, column in columns.items()
        if column.get("description")
    )
