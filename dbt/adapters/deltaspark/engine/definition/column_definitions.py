"""Definitions of columns: what CREATE TABLE says of them, and the schema that Delta keeps of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.errors.exceptions.captured import convert_exception

from ..delta import CATALYST, CURRENT_DEFAULT, DELTA, JavaObject, optional
from ..errors import SpecError
from ..spec import quoted, text_literal
from .clustering_names import clustering_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import DataFrame

    from ..delta import Jvm
    from ..spec import WriteSpec
    from .state import Json

CLUSTERING = f"{DELTA}.skipping.clustering"
TYPES = "org.apache.spark.sql.types"
DEFAULTS = "delta.feature.allowColumnDefaults"
DELTA_KEYS = {
    "GENERATION_EXPRESSION": "delta.generationExpression",
    "identity.start": "delta.identity.start",
    "identity.step": "delta.identity.step",
    "identity.allowExplicitInsert": "delta.identity.allowExplicitInsert",
}
"""Spark's keys of a column's metadata, under which Delta keeps it (AbstractDeltaCatalog)."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table to be made: its type as SQL, and its definition where it has one."""

    name: str
    type: str
    definition: str
    comment: str | None

    @property
    def text(self) -> str:
        """As it stands in CREATE TABLE; the line's end closes any `--` comment."""
        return f"{quoted(self.name)} {self.type} {self.definition}\n"


def given_fields(jvm: Jvm, source: DataFrame, name: str, spec: WriteSpec) -> list[Json]:
    """The fields of the schema of a table that is made of the source, as Delta keeps them."""
    if spec.columns:
        return defined_fields(jvm, name, defined_columns(jvm, source, spec))
    mapping = jvm.module(f"{DELTA}.DeltaColumnMapping")
    schema = jvm.analyzed(source).schema().asNullable()
    plain = mapping.dropColumnMappingMetadata(schema)
    if plain.isEmpty():
        raise convert_exception(jvm.module(f"{DELTA}.DeltaErrors").emptyDataException())
    fields: list[Json] = json.loads(plain.json())["fields"]
    return fields


def defined_columns(jvm: Jvm, source: DataFrame, spec: WriteSpec) -> str:
    """The columns of CREATE TABLE: the source's with their types, then those it does not give.

    Raises SpecError for a definition that is not one column's.
    """
    definitions = {name.lower(): (name, text) for name, text in spec.columns}
    columns = []
    for field in jvm.items(_plain_schema(jvm, source)):
        _, text = definitions.pop(field.name().lower(), ("", ""))
        comment = optional(field.getComment())
        columns.append(Column(field.name(), field.dataType().sql(), text, comment))
    columns += [Column(name, "", text, None) for name, text in definitions.values()]
    return ", ".join(_checked(jvm, column) for column in columns)


def _plain_schema(jvm: Jvm, source: DataFrame) -> JavaObject:
    """The source's columns as CREATE TABLE AS would make them: every one may be null."""
    chars = jvm.module(f"{CATALYST}.util.CharVarcharUtils")
    return chars.getRawSchema(jvm.analyzed(source).schema()).asNullable()


def _checked(jvm: Jvm, column: Column) -> str:
    """The column's text, which defines this column and nothing else, with the source's comment."""
    text = column.text
    if column.definition:
        parsed = _parsed(jvm, column)
        if column.comment is None or parsed.comment().isDefined():
            return text
    return text if column.comment is None else f"{text} COMMENT {text_literal(column.comment)}"


def _parsed(jvm: Jvm, column: Column) -> JavaObject:
    """Spark's ColumnDefinition of it."""
    try:
        plan = _create_table(jvm, "t", column.text)
    except PySparkException as error:
        reason = str(error).strip().partition("\n")[0]
        raise SpecError(f"{_not_understood(column)} {reason}") from error
    columns = jvm.items(plan.columns())
    if [each.name() for each in columns] != [column.name]:
        raise SpecError(f"{_not_understood(column)} It defines {len(columns)} columns.")
    if plan.tableSpec().constraints().nonEmpty():
        raise SpecError(
            f"the definition {column.definition!r} of the column {column.name} has a constraint"
            " that Delta does not keep there; nothing was written. A CHECK goes into properties,"
            " as delta.constraints.<name>."
        )
    return columns[0]


def _not_understood(column: Column) -> str:
    if column.type:
        expected = f"what stands after the type ({column.type}) in CREATE TABLE, such as NOT NULL"
    else:
        expected = (
            "a type first, for the new rows do not have this column, such as"
            " BIGINT GENERATED ALWAYS AS IDENTITY"
        )
    return (
        f"the definition {column.definition!r} of the column {column.name} is not understood;"
        f" nothing was written. It is {expected}."
    )


def _create_table(jvm: Jvm, name: str, columns: str) -> JavaObject:
    parser = jvm.session.sessionState().sqlParser()
    return parser.parsePlan(f"CREATE TABLE {name} ({columns}) USING delta")


def defined_fields(jvm: Jvm, name: str, columns: str) -> list[Json]:
    """The fields of the table's schema, with defaults, generation and identity as Delta keeps them.

    Raises what CREATE TABLE raises for defaults and identities that cannot be.
    """
    analyzer = jvm.session.sessionState().analyzer()
    plan = analyzer.execute(_create_table(jvm, name, columns))
    analyzer.checkAnalysis(plan)
    fields = [column.toV1Column() for column in jvm.items(plan.columns())]
    schema = jvm.module(f"{TYPES}.StructType").apply(jvm.seq(fields))
    found = [_as_delta_keeps(field) for field in json.loads(schema.json())["fields"]]
    for field, java in zip(found, fields, strict=True):
        if "delta.identity.step" in field["metadata"] and field["type"] != "long":
            errors = jvm.module(f"{DELTA}.DeltaErrors")
            raise convert_exception(errors.identityColumnDataTypeNotSupported(java.dataType()))
    return found


def _as_delta_keeps(field: Json) -> Json:
    metadata = {DELTA_KEYS.get(key, key): value for key, value in field["metadata"].items()}
    return {**field, "metadata": metadata}


def with_features(properties: Mapping[str, str], columns: Sequence[Json]) -> dict[str, str]:
    """The properties, with the table feature that columns with a DEFAULT need."""
    needs = any(CURRENT_DEFAULT in column["metadata"] for column in columns)
    return {**({DEFAULTS: "supported"} if needs else {}), **properties}


def delta_table(jvm: Jvm, name: str) -> JavaObject:
    """The DeltaTableV2 of this name; raises SpecError where it is another kind of table."""
    parser, analyzer = jvm.session.sessionState().sqlParser(), jvm.session.sessionState().analyzer()
    parts = parser.parseMultipartIdentifier(name)
    unresolved = jvm.type(f"{CATALYST}.analysis.UnresolvedTable")(parts, "ALTER TABLE", False)
    plan = analyzer.execute(unresolved)
    analyzer.checkAnalysis(plan)
    table = plan.table()
    if not jvm.is_a(table, f"{DELTA}.catalog.DeltaTableV2"):
        raise SpecError(f"{name} is not a Delta table; nothing was changed")
    return table


def clustering_of(jvm: Jvm, snapshot: JavaObject) -> tuple[str, ...]:
    """What the table is clustered by, as `clustering_names` has it.

    Delta looks for them in the table's whole state, also where its protocol has no clustering.
    """
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    if not clustered.isSupported(snapshot.protocol()):
        return ()
    found = jvm.module(f"{CLUSTERING}.ClusteringColumnInfo").extractLogicalNames(snapshot)
    return clustering_names(jvm.items(found))
