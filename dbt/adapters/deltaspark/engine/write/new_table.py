"""What a table becomes that is made, or replaced whole: its columns, properties and layout.

Delta's own CREATE [OR REPLACE] TABLE AS takes no definitions and makes every column nullable.
"""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.errors.exceptions.captured import convert_exception

from ..definition import CLUSTERING, DEFAULTS, given_fields, with_features
from ..delta import DELTA, Jvm, has_defaults, optional, read_as_listed, without_defaults
from ..spec import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ..definition import Json
    from ..delta import FileChanges, JavaObject, Transaction
    from ..spec import WriteSpec


@dataclass(frozen=True, slots=True)
class NewTable:
    """The new rows and what the table becomes, before its log is looked at."""

    jvm: Jvm
    source: DataFrame
    name: str
    spec: WriteSpec
    fields: list[Json]

    @classmethod
    def of(cls, jvm: Jvm, source: DataFrame, name: str, spec: WriteSpec) -> NewTable:
        """Raises what CREATE TABLE raises for definitions that cannot be."""
        return cls(jvm, source, name, spec, given_fields(jvm, source, name, spec))

    def rows_for(self, txn: Transaction) -> DataFrame:
        """The new rows, planned anew: a DataFrame that ran reads the files that it read then."""
        plan = self.jvm.analyzed(self.source)
        return self.jvm.frame(read_as_listed(self.jvm, plan, but=txn.java.deltaLog()))

    @property
    def schema(self) -> str:
        return json.dumps({"type": "struct", "fields": self.fields}, ensure_ascii=False)

    @property
    def partition_columns(self) -> list[str]:
        """As the schema spells them."""
        names = {field["name"].lower(): field["name"] for field in self.fields}
        return [names.get(name.lower(), name) for name in self.spec.partition_by]

    @property
    def properties(self) -> dict[str, str]:
        """Also those that are given as options of Delta's writer."""
        options = {key: value for key, value in self.spec.options if key.startswith("delta.")}
        given = {key: value for key, value in self.spec.properties if key != "location"}
        defined = self.fields if self.spec.columns else []
        return with_features({**options, **given}, defined)

    def clustering(self) -> JavaObject:
        """An Option of Delta's ClusterBySpec, of a clustered table."""
        names = self.jvm.seq(map(quoted, self.spec.cluster_by))
        by = self.jvm.module(f"{CLUSTERING}.temp.ClusterBySpec").fromColumnNames(names)
        return self.jvm.some(by)


def definition_of(table: NewTable) -> JavaObject:
    """The Metadata action (CreateDeltaTableCommand.getProvidedMetadata), checked as Delta does."""
    jvm = table.jvm
    schema = jvm.type("org.apache.spark.sql.types.DataType").fromJson(table.schema)
    partitioning = jvm.module("org.apache.spark.sql.execution.datasources.PartitioningUtils")
    partitioning.validatePartitionColumn(schema, jvm.seq(table.partition_columns), False)
    errors = jvm.module(f"{DELTA}.DeltaErrors")
    for field in table.fields:
        if "delta.identity.step" in field["metadata"] and field["name"] in table.partition_columns:
            raise convert_exception(errors.identityColumnPartitionNotSupported(field["name"]))
    identity = jvm.module(f"{DELTA}.IdentityColumn")
    identity.blockExplicitIdentityColumnInsert(schema, jvm.analyzed(table.source))
    return _metadata(table)


def _metadata(table: NewTable) -> JavaObject:
    jvm, spec = table.jvm, table.spec
    configs = jvm.module(f"{DELTA}.DeltaConfigs")
    checked = configs.validateConfigurations(jvm.map(table.properties))
    _refuse_managed_by_a_catalog(jvm, checked)
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    clustered.validateExistingTableFeatureProperties(checked)
    if spec.cluster_by:
        names = jvm.seq([jvm.seq([name]) for name in spec.cluster_by])
        clustered.validateNumClusteringColumns(names, jvm.none)
        checked = checked.concat(clustered.getTableFeatureProperties(checked))
    metadata = {
        "id": str(uuid.uuid4()),
        "description": spec.comment,
        "format": {"provider": "parquet", "options": {}},
        "schemaString": table.schema,
        "partitionColumns": table.partition_columns,
        "configuration": _dictionary(jvm, checked),
        "createdTime": int(time.time() * 1000),
    }
    return jvm.module(f"{DELTA}.actions.Action").fromJson(json.dumps({"metaData": metadata}))


def _refuse_managed_by_a_catalog(jvm: Jvm, configuration: JavaObject) -> None:
    """Raises what Delta raises for a table whose commits a catalog would have to make."""
    protocols = jvm.module(f"{DELTA}.actions.TableFeatureProtocolUtils")
    features = protocols.getSupportedFeaturesFromTableConfigs(configuration)
    if features.contains(jvm.module(f"{DELTA}.CatalogOwnedTableFeature")):
        errors = jvm.module(f"{DELTA}.DeltaErrors")
        raise convert_exception(errors.deltaCannotCreateCatalogManagedTable())


def _dictionary(jvm: Jvm, texts: JavaObject) -> dict[str, str]:
    return {pair._1(): pair._2() for pair in jvm.items(texts.toSeq())}


def with_dependencies(txn: Transaction, definition: JavaObject) -> JavaObject:
    """With the properties that others need: Iceberg's compatibility has columns mapped by names.

    Delta's commit adds them, too, but then the files are written, under names that nobody reads.
    Defaults of the source's columns are left out where the table has not the feature for them:
    Delta's CREATE TABLE AS ends in an error there.
    """
    formats = txn.jvm.module(f"{DELTA}.UniversalFormat")
    known, entry = definition.configuration(), optional(txn.java.catalogTable())
    whole = formats.enforceDependenciesInConfiguration(txn.jvm.session, entry, known, txn.snapshot)
    action = json.loads(definition.json())
    metadata = action["metaData"]
    metadata["configuration"] = _dictionary(txn.jvm, whole)
    asked_for = {key.lower() for key in metadata["configuration"]}
    if DEFAULTS.lower() not in asked_for and not has_defaults(txn):
        metadata["schemaString"] = without_defaults(metadata["schemaString"])
    return txn.jvm.module(f"{DELTA}.actions.Action").fromJson(json.dumps(action))


def layout_of(table: NewTable, txn: Transaction) -> JavaObject:
    """DomainMetadata actions of the clustering, as a Seq (getDomainMetadataFromTransaction)."""
    jvm = table.jvm
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    if table.spec.cluster_by:
        return clustered.getDomainMetadataFromTransaction(table.clustering(), txn.java)
    old = txn.checksum.domains()
    return clustered.getMatchingMetadataDomain(jvm.seq([]), old).clusteringDomainOpt().toList()


def clustered_by(table: NewTable, txn: Transaction, layout: JavaObject) -> JavaObject:
    """An Option of the columns' names, as the history has them."""
    clustered = table.jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    return clustered.getLogicalClusteringColumnNames(txn.java, layout)


def counts_of(written: FileChanges) -> dict[str, int]:
    return {
        "numFiles": written.files_added,
        "numOutputBytes": written.bytes_added,
        "numOutputRows": written.rows_added or 0,
    }
