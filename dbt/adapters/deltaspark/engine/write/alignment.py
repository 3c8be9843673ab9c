"""New rows brought to a table's columns: by name, cast by store assignment, by Delta's analyzer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..delta import CATALYST, DELTA, read_as_listed
from ..errors import SpecError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ..delta import JavaObject, Jvm
    from ..spec import WriteSpec

CASTS = {
    "spark.databricks.delta.dml.insert.dfByName.allowImplicitCasts": "true",
    "spark.sql.defaultColumn.useNullsForMissingDefaultValues": "true",
}
"""Confs under which Delta casts what a DataFrame writes, and leaves out what it does not give."""


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
    rows = read_as_listed(jvm, analyzed.query(), but=table.deltaLog())
    return Aligned(jvm, jvm.frame(rows), table)
