"""What a merge or a write must do, and nothing of how: frozen values, no pyspark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .errors import SpecError

Star: TypeAlias = Literal["*"]
STAR: Star = "*"
Pairs: TypeAlias = tuple[tuple[str, str], ...]
Assignments: TypeAlias = Pairs
"""Pairs of (target column as SQL, quoted where it needs it; SQL expression)."""

SESSION_CATALOG = "spark_catalog"
"""Spark's own, which Delta's stands in for."""
CHAR_OR_VARCHAR = "__CHAR_VARCHAR_TYPE_STRING"
"""Where a column's metadata has a text's type with its length, which Spark reads as `string`."""


def quoted(name: str) -> str:
    """The name as one SQL identifier, whatever characters are in it."""
    return "`" + name.replace("`", "``") + "`"


def text_literal(text: str) -> str:
    """The text as a SQL literal, in which Spark finds no `${variable}` to put a value for."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("${", "$\\{")
    return f"'{escaped}'"


@dataclass(frozen=True, slots=True)
class Update:
    """WHEN [NOT] MATCHED [BY SOURCE] … THEN UPDATE SET: `*` or assignments."""

    assignments: Assignments | Star = STAR
    condition: str | None = None

    def __post_init__(self) -> None:
        if not self.assignments:
            raise SpecError("an UPDATE clause needs at least one assignment, or '*'")


@dataclass(frozen=True, slots=True)
class Delete:
    """WHEN [NOT] MATCHED [BY SOURCE] … THEN DELETE."""

    condition: str | None = None


@dataclass(frozen=True, slots=True)
class Insert:
    """WHEN NOT MATCHED … THEN INSERT: `*` or assignments."""

    assignments: Assignments | Star = STAR
    condition: str | None = None

    def __post_init__(self) -> None:
        if not self.assignments:
            raise SpecError("an INSERT clause needs at least one column, or '*'")


@dataclass(frozen=True, slots=True)
class MergeSpec:
    """What a merge must do: the ON condition and the clauses of each kind, in order.

    `evolve_schema` adds the source's new columns, or not; None leaves that to the session.
    """

    on: str
    matched: tuple[Update | Delete, ...] = ()
    not_matched: tuple[Insert, ...] = ()
    not_matched_by_source: tuple[Update | Delete, ...] = ()
    evolve_schema: bool | None = None
    source_alias: str | None = None
    target_alias: str | None = None

    def __post_init__(self) -> None:
        groups = (self.matched, self.not_matched, self.not_matched_by_source)
        if not any(groups):
            raise SpecError("a merge needs at least one WHEN clause")
        for clause in (clause for group in groups for clause in group[:-1]):
            if clause.condition is None:
                raise SpecError(f"{clause} has no condition, so the clauses after it never run")
        if any(c.assignments == STAR for c in self.not_matched_by_source if isinstance(c, Update)):
            raise SpecError(
                "WHEN NOT MATCHED BY SOURCE cannot UPDATE SET *: there is no source row"
            )


Mode = Literal["append", "overwrite", "error", "ignore"]
ARGUMENTS = (
    "replace_where",
    "replace_using",
    "replace_on",
    "target_alias",
)
"""Arguments of a write that are options of Delta's writer under other names."""
MODES: tuple[Mode, ...] = ("append", "overwrite", "error", "ignore")


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteSpec:
    """What a write must do: which rows give way to the new ones, and what the table may become."""

    mode: Mode = "append"
    replace_where: str | None = None
    dynamic_partitions: bool = False
    replace_using: tuple[str, ...] = ()
    replace_on: str | None = None
    target_alias: str | None = None
    source_alias: str | None = None
    merge_schema: bool | None = None
    """None leaves it to the session, as Delta's writer does."""
    overwrite_schema: bool = False
    partition_by: tuple[str, ...] = ()
    cluster_by: tuple[str, ...] = ()
    properties: Pairs = ()
    comment: str | None = None
    columns: Pairs = ()
    options: Pairs = ()
    user_metadata: str | None = None
    idempotency_key: str | None = None

    def __post_init__(self) -> None:
        problems = [*self._problems()]
        if problems:
            raise SpecError("; ".join(problems) + "; nothing was written")

    @property
    def location(self) -> str | None:
        """Where a new table is put, if not into the warehouse."""
        return dict(self.properties).get("location")

    @property
    def replaces_whole(self) -> bool:
        """Whether a table that is there gives way with all that it is."""
        return self.mode == "overwrite" and self.overwrite_schema

    @property
    def replaces_some(self) -> bool:
        return self.replace_where is not None or self.replaces_matches

    @property
    def replaces_matches(self) -> bool:
        """Whether the rows that give way are those that match a new one."""
        return self.replace_on is not None or bool(self.replace_using)

    @property
    def says_what_the_table_is(self) -> bool:
        """Whether it says of a table that is there what that is, beside its partitions."""
        said = (self.properties, self.cluster_by, self.columns)
        return any(said) or self.comment is not None

    @property
    def growth(self) -> dict[str, str]:
        """The option by which Delta's writer adds new columns, or does not."""
        grows = self.merge_schema
        return {} if grows is None else {"mergeSchema": str(grows).lower()}

    def _problems(self) -> Iterator[str]:
        if self.mode not in MODES:
            yield f"the mode is one of {', '.join(MODES)}, not {self.mode!r}"
        yield from self._problems_of_choice()
        yield from self._problems_of_options()
        if self.overwrite_schema and self.merge_schema:
            yield "overwrite_schema and merge_schema exclude each other"
        if self.overwrite_schema and self.mode == "append":
            yield "overwrite_schema needs mode 'overwrite', not 'append'"
        if self.partition_by and self.cluster_by:
            yield "a table is partitioned (partition_by) or clustered (cluster_by), not both"
        aliases = (self.target_alias, self.source_alias)
        if self.replace_on is None and aliases != (None, None):
            yield "target_alias and source_alias are for replace_on"
        yield from _named_twice("columns", (name for name, _ in self.columns))
        yield from (f"columns says nothing of {name}" for name, text in self.columns if not text)

    def _problems_of_options(self) -> Iterator[str]:
        """Options of Delta's writer that are arguments here, or that are not offered."""
        arguments = {argument.replace("_", "").lower(): argument for argument in ARGUMENTS}
        arguments["partitionoverwritemode"] = "dynamic_partitions"
        for key, _ in self.options:
            if key.lower() in arguments:
                yield f"the option {key} is the argument {arguments[key.lower()]} here"
            if key.lower() == "mergeschema" and self.merge_schema is not None:
                yield "the option mergeSchema is the argument merge_schema here"
            if key.lower() == "overwriteschema" and not self.overwrite_schema:
                yield "the option overwriteSchema is the argument overwrite_schema here"
            if key.lower() == "datachange":
                yield "the option dataChange is not offered: a write changes the data"

    def _problems_of_choice(self) -> Iterator[str]:
        chosen = self._choices()
        if len(chosen) > 1:
            yield f"{' and '.join(chosen)} exclude each other: each says which rows give way"
        if chosen and self.mode != "overwrite":
            yield f"{chosen[0]} needs mode 'overwrite', not {self.mode!r}"
        if chosen and self.overwrite_schema:
            yield f"{chosen[0]} keeps rows, so overwrite_schema cannot go with it"

    def _choices(self) -> list[str]:
        given = {
            "replace_where": self.replace_where is not None,
            "dynamic_partitions": self.dynamic_partitions,
            "replace_using": bool(self.replace_using),
            "replace_on": self.replace_on is not None,
        }
        return [name for name, is_given in given.items() if is_given]


KEPT_ELSEWHERE = {
    "clusteringcolumns": "cluster_by",
    "comment": "comment",
    "delta.feature.clustering": "cluster_by",
}
"""Properties that are arguments of a TableDefinition, in lower case."""
NOT_CHANGED_HERE = ("location", "provider", "owner", "external")
"""Properties that are the catalog's, in lower case."""
CHECKS = "delta.constraints."
"""What the properties that hold CHECK constraints begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDefinition:
    """What a table should be; what is not given stays as it is.

    Columns are top-level columns by their plain names, whatever their case. `checks` are pairs of a
    name and a condition: one of the same name is replaced, others stay. With `only_constraints`
    CHECKs and NOT NULLs that are not given are dropped. `lengths` are pairs of a column of texts
    and its type, `varchar(3)` or `string`. A comment of "" is taken away. `cluster_by` of () is
    CLUSTER BY NONE. `dropped` columns may be gone already. With `maps_columns` column mapping is
    turned on where the table has none.
    """

    properties: Pairs = ()
    comment: str | None = None
    column_comments: Pairs = ()
    checks: Pairs = ()
    not_null: tuple[str, ...] = ()
    only_constraints: bool = False
    lengths: Pairs = ()
    cluster_by: tuple[str, ...] | None = None
    dropped: tuple[str, ...] = ()
    maps_columns: bool = False

    def __post_init__(self) -> None:
        problems = [*self._problems()]
        if problems:
            raise SpecError("; ".join(problems) + "; nothing was changed")

    def _problems(self) -> Iterator[str]:
        lists = {
            "properties": [key for key, _ in self.properties if key.lower().startswith("delta.")],
            "column_comments": [name for name, _ in self.column_comments],
            "checks": [name for name, _ in self.checks],
            "not_null": self.not_null,
            "lengths": [name for name, _ in self.lengths],
            "cluster_by": self.cluster_by or (),
            "dropped": self.dropped,
        }
        for argument, names in lists.items():
            yield from _named_twice(argument, names)
        for key, _ in self.properties:
            yield from _problems_of_property(key)
        yield from (f"the check {name} is empty" for name, text in self.checks if not text.strip())
        gone = {name.lower() for name in self.dropped}
        for argument in ("column_comments", "not_null", "lengths", "cluster_by"):
            for name in lists[argument]:
                if name.lower() in gone:
                    yield f"{argument} names {name}, which is dropped"


def _named_twice(argument: str, names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            yield f"{argument} names {name} twice"
        seen.add(name.lower())


def _problems_of_property(key: str) -> Iterator[str]:
    known = key.lower()
    if known.startswith(CHECKS):
        yield f"the property {key} is the check {key[len(CHECKS) :]} here (checks)"
    if known in KEPT_ELSEWHERE:
        yield f"the property {key} is the argument {KEPT_ELSEWHERE[known]} here"
    if known in NOT_CHANGED_HERE:
        yield f"the property {key} is changed by ALTER TABLE only"
