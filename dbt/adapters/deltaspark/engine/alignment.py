"""New rows brought to a table's columns: by name, cast by store assignment, by Delta's analyzer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from .conflicts import add_note, conditions
from .errors import SpecError
from .jvm import CATALYST, DELTA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .jvm import JavaObject, Jvm
    from .spec import WriteSpec

CASTS = {
    "spark.databricks.delta.dml.insert.dfByName.allowImplicitCasts": "true",
    "spark.sql.defaultColumn.useNullsForMissingDefaultValues": "true",
}
"""Confs under which Delta casts what a DataFrame writes, and leaves out what it does not give."""

INVALID_INPUT = "CAST_INVALID_INPUT"


@dataclass(frozen=True, slots=True)
class Aligned:
    """The rows to write, and the table as it was when they were brought to its columns."""

    jvm: Jvm
    frame: DataFrame
    table: JavaObject
    """A DeltaTableV2."""

    @property
    def snapshot(self) -> JavaObject:
        return self.table.initialSnapshot()

    @property
    def schema(self) -> JavaObject:
        return self.snapshot.schema()


def has_counted_feed(jvm: Jvm, metadata: JavaObject) -> bool:
    """Whether the table has both identity columns and a change data feed."""
    columns = jvm.module(f"{DELTA}.ColumnWithDefaultExprUtils")
    feed = jvm.module(f"{DELTA}.DeltaConfigs").CHANGE_DATA_FEED()
    return bool(columns.hasIdentityColumn(metadata.schema()) and feed.fromMetaData(metadata))


def align(jvm: Jvm, source: DataFrame, name: str, spec: WriteSpec) -> Aligned:
    """The source's columns under the table's types; overflow is an error when the rows are read.

    Columns that the table does not have stay as they are: the write refuses or adds them. Raises
    what Delta raises for types that cannot be assigned, and SpecError for other tables than Delta.
    """
    parser = jvm.session.sessionState().sqlParser()
    relation = jvm.type(f"{CATALYST}.analysis.UnresolvedRelation")(
        parser.parseMultipartIdentifier(name),
        jvm.type("org.apache.spark.sql.util.CaseInsensitiveStringMap").empty(),
        False,
    )
    appending = jvm.module(f"{CATALYST}.plans.logical.AppendData")
    options = {**spec.growth, **dict(spec.options)}
    plan = appending.byName(relation, jvm.analyzed(source), jvm.map(options))
    analyzer = jvm.session.sessionState().analyzer()
    analyzed = analyzer.execute(plan)
    analyzer.checkAnalysis(analyzed)
    table = analyzed.table().table()
    if not jvm.is_a(table, f"{DELTA}.catalog.DeltaTableV2"):
        raise SpecError(f"{name} is not a Delta table; only Delta tables can be written to")
    return Aligned(jvm, jvm.frame(analyzed.query()), table)


@contextmanager
def naming_casts(source: Iterable[JavaObject], table: Iterable[JavaObject]) -> Iterator[None]:
    """Spark's error for a value that cannot be cast names no column: a note says which were cast.

    The columns, fields or attributes, of the source and of the table that takes those of its names.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        if INVALID_INPUT in conditions(error) and (casts := _casts(source, table)):
            add_note(
                error,
                f"Columns that are cast to the table's type: {', '.join(casts)}. Give them that"
                " type in the source, with try_cast where a value that does not fit shall be null.",
            )
        raise


def _casts(source: Iterable[JavaObject], table: Iterable[JavaObject]) -> list[str]:
    types = {column.name().lower(): column.dataType().sql() for column in table}
    given = [(column.name(), column.dataType().sql()) for column in source]
    return [
        f"{name} from {kind} to {types[name.lower()]}"
        for name, kind in given
        if types.get(name.lower(), kind) != kind
    ]
