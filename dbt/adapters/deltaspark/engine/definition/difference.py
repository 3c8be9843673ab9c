"""The difference between what a table is and what it should be; nothing here runs or commits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ..errors import SpecError
from ..spec import CHAR_OR_VARCHAR, CHECKS, TableDefinition
from ..text_lengths import STRING, holds, kept_type
from .clustering_names import clustering_column
from .protocol_versions import asked_versions, has_versions
from .state import MAPPING_MODE

if TYPE_CHECKING:
    from .state import Json, Names, TableState

Kind = Literal[
    "property", "comment", "comment of column", "check", "column", "not null", "type", "clustering"
]

ROW_TRACKING = "delta.enableRowTracking"
WITHOUT = {ROW_TRACKING: "false", MAPPING_MODE: "none"}
"""What a table is that has no such property, of those that Delta reads in any case and that are
not, or not wholly, changed here."""
FEATURE = "delta.feature."
OF_NEW_TABLES = "delta.ignoreprotocoldefaults"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is otherwise than it should be; `name` is the key, the check, the column."""

    kind: Kind
    name: str
    before: str | Names | None
    after: str | Names | None

    @property
    def what(self) -> str:
        return f"{self.kind} {self.name}".strip()

    def __str__(self) -> str:
        return f"{self.what}: {_shown(self.before)} -> {_shown(self.after)}"

    def backwards(self) -> Change:
        return replace(self, before=self.after, after=self.before)

    @property
    def loosens(self) -> bool:
        """Whether a constraint goes."""
        if self.kind == "type":
            return holds(str(self.after), str(self.before))
        return (self.kind, self.after) in (("check", None), ("not null", "false"))

    def is_again(self, other: Change) -> bool:
        """Whether both make the same of the same thing, whatever it was before."""
        return replace(self, before=None) == replace(other, before=None)


def _shown(value: str | Names | None) -> str:
    return f"({', '.join(value)})" if isinstance(value, tuple) else str(value)


def changes_of(now: TableState, wanted: TableDefinition) -> tuple[Change, ...]:
    """Everything that the definition says otherwise than the table is.

    Raises SpecError for columns that are not there, and for what no table can be changed to.
    """
    return (
        *_of_properties(now, wanted),
        *_of_mapping(now, wanted),
        *_of_comment(now, wanted),
        *_of_column_comments(now, wanted),
        *_of_checks(now, wanted),
        *_of_not_null(now, wanted),
        *_of_lengths(now, wanted),
        *_of_clustering(now, wanted),
        *_of_dropped(now, wanted),
    )


def _of_properties(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    asked = asked_versions(wanted.properties)
    has_all = not asked or has_versions(now, asked)
    for key, value in wanted.properties:
        if has_all if key in asked else _has_property(now, key, value):
            continue
        starts_tracking = key == ROW_TRACKING and value.lower() == "true"
        if starts_tracking or (key == MAPPING_MODE and now.maps_columns):
            raise SpecError(
                f"the property {key} is {now.configuration.get(key)!r}, not {value!r}; nothing was"
                " changed. ALTER TABLE changes the files with it."
            )
        yield Change("property", key, now.configuration.get(key), value)


def _has_property(now: TableState, key: str, value: str) -> bool:
    """Features are kept in the protocol, which only grows.

    What a new table takes from its session, or not, is kept nowhere
    (Protocol.assertMetadataContainsNoProtocolProps).
    """
    known = key.lower()
    if known == OF_NEW_TABLES:
        return True
    if known.startswith(FEATURE):
        return known.removeprefix(FEATURE) in now.features
    found = now.configuration.get(key, WITHOUT.get(key))
    if key in WITHOUT and found is not None:
        return found.lower() == value.lower()
    return found == value


def _of_mapping(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    said = dict(wanted.properties).get(MAPPING_MODE, "none").lower()
    if not wanted.maps_columns or now.maps_columns or said != "none":
        return
    if MAPPING_MODE in dict(wanted.properties):
        raise SpecError(
            f"columns cannot be mapped with {MAPPING_MODE} 'none'; nothing was changed. Leave the"
            " property out, since Delta takes some characters of names under column mapping alone."
        )
    yield Change("property", MAPPING_MODE, now.configuration.get(MAPPING_MODE), "name")


def _of_comment(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    if wanted.comment is not None and (wanted.comment or None) != now.comment:
        yield Change("comment", "", now.comment, wanted.comment or None)


def _of_column_comments(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    for name, comment in wanted.column_comments:
        column = now.column(name, "column_comments")
        found = column["metadata"].get("comment") or None
        if (comment or None) != found:
            yield Change("comment of column", column["name"], found, comment or None)


def _of_checks(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    known = {key.lower(): key for key in now.configuration}
    for name, condition in wanted.checks:
        key = known.get(f"{CHECKS}{name}".lower())
        found = None if key is None else now.configuration[key]
        if found is None or found.strip() != condition.strip():
            kept = name.lower() if key is None else key[len(CHECKS) :]
            yield Change("check", kept, found, condition.strip())
    if wanted.only_constraints:
        given = {f"{CHECKS}{name}".lower() for name, _ in wanted.checks}
        for key in known.keys() - given:
            if key.startswith(CHECKS):
                yield Change(
                    "check", known[key][len(CHECKS) :], now.configuration[known[key]], None
                )


def _of_not_null(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    for name in wanted.not_null:
        column = now.column(name, "not_null")
        if column["nullable"]:
            yield Change("not null", column["name"], "false", "true")
    if wanted.only_constraints:
        given = {name.lower() for name in (*wanted.not_null, *wanted.dropped)}
        for field in now.fields:
            if not field["nullable"] and field["name"].lower() not in given:
                yield Change("not null", field["name"], "true", "false")


def _of_lengths(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    """A column that holds no texts is left to the change of its type."""
    for name, kind in wanted.lengths:
        column = now.column(name, "lengths")
        found = kept_type(column["metadata"])
        if column["type"] == STRING and found != kind:
            yield Change("type", column["name"], found, kind)


def _of_clustering(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    if wanted.cluster_by is None:
        return
    if wanted.cluster_by and now.partition_columns:
        raise SpecError(
            f"the table is partitioned by {', '.join(now.partition_columns)}, so it cannot be"
            f" clustered by {', '.join(wanted.cluster_by)}; nothing was changed. Write it anew with"
            " overwrite_schema and cluster_by."
        )
    names = tuple(now.column(name, "cluster_by")["name"] for name in wanted.cluster_by)
    if names != now.clustering:
        yield Change("clustering", "", now.clustering, names)


def _of_dropped(now: TableState, wanted: TableDefinition) -> Iterator[Change]:
    dropped = {name.lower() for name in wanted.dropped}
    gone = [field["name"] for field in now.fields if field["name"].lower() in dropped]
    if not gone:
        return
    if len(gone) == len(now.fields):
        raise SpecError(
            f"a table has at least one column, so {', '.join(gone)} cannot all be dropped; nothing"
            " was changed. Drop the table instead."
        )
    if dict(wanted.properties).get(MAPPING_MODE, "").lower() == "none":
        raise SpecError(
            f"{', '.join(gone)} cannot be dropped with {MAPPING_MODE} 'none'; nothing was changed."
            " Leave the property out, since Delta drops columns of tables with column mapping."
        )
    clustering = now.clustering if wanted.cluster_by is None else wanted.cluster_by
    clustered = [*map(clustering_column, clustering)]
    for role, names in (("partitioned", now.partition_columns), ("clustered", clustered)):
        needed = [name for name in gone if name.lower() in {other.lower() for other in names}]
        if needed:
            raise SpecError(
                f"the table is {role} by {', '.join(needed)}, which cannot be dropped; nothing was"
                f" changed. {_WAYS_OUT[role]}"
            )
    yield from (Change("column", name, "there", "dropped") for name in gone)


_WAYS_OUT = {
    "partitioned": "Write the table anew with overwrite_schema to partition it otherwise.",
    "clustered": "Cluster it otherwise in the same definition (cluster_by).",
}


def applied(now: TableState, changes: Sequence[Change]) -> TableState:
    """The table with the changes made; its schema's text stays where no column changes."""
    configuration, comment, clustering = now.configuration, now.comment, now.clustering
    fields = now.fields
    for change in changes:
        match change:
            case Change("property" | "check", name, _, str(value)):
                key = name if change.kind == "property" else f"{CHECKS}{name}"
                configuration = {**configuration, key: value}
            case Change("check", name, _, None):
                configuration = {k: v for k, v in configuration.items() if k != f"{CHECKS}{name}"}
            case Change("comment", _, _, value) if not isinstance(value, tuple):
                comment = value
            case Change("clustering", _, _, tuple(names)):
                clustering = names
            case _:
                fields = [*_changed_fields(fields, change)]
    state = now.with_configuration(configuration).with_comment(comment)
    if fields != now.fields:
        state = state.with_fields(fields)
    return replace(state, clustering=clustering)


def _changed_fields(fields: Sequence[Json], change: Change) -> Iterator[Json]:
    for field in fields:
        if field["name"] != change.name:
            yield field
        elif change.kind == "comment of column":
            metadata = {key: each for key, each in field["metadata"].items() if key != "comment"}
            given = {} if change.after is None else {"comment": change.after}
            yield {**field, "metadata": {**metadata, **given}}
        elif change.kind == "not null":
            yield {**field, "nullable": change.after == "false"}
        elif change.kind == "type":
            given = {} if change.after == STRING else {CHAR_OR_VARCHAR: str(change.after)}
            others = {k: each for k, each in field["metadata"].items() if k != CHAR_OR_VARCHAR}
            yield {**field, "metadata": {**others, **given}}
