"""One commit of a table's definition: Metadata and clustering, with what Delta asks of a change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..delta import DELTA, JavaObject, Jvm, Operation
from ..errors import SpecError
from ..spec import CHECKS, TableDefinition
from .clustering_names import clustering_text
from .column_definitions import CLUSTERING, clustering_of
from .state import Json, TableState
from .statistics_columns import without_dropped

if TYPE_CHECKING:
    from ..delta import Transaction
    from .difference import Change

CLUSTERING_FEATURE = "delta.feature.clustering"


def normalized(jvm: Jvm, definition: TableDefinition) -> TableDefinition:
    """The definition with Delta's spelling of the properties; raises for unknown delta.* ones."""
    configs = jvm.module(f"{DELTA}.DeltaConfigs")
    checked = configs.validateConfigurations(jvm.map(dict(definition.properties)))
    pairs = tuple((pair._1(), pair._2()) for pair in jvm.items(checked.toSeq()))
    return replace(definition, properties=pairs)


def state_of(jvm: Jvm, snapshot: JavaObject) -> TableState:
    """What the table is in this snapshot."""
    protocol = snapshot.protocol()
    features = jvm.items(protocol.implicitlyAndExplicitlySupportedFeatures().toSeq())
    return TableState(
        metadata=json.loads(snapshot.metadata().json())["metaData"],
        protocol=json.loads(protocol.json())["protocol"],
        features=frozenset(feature.name().lower() for feature in features),
        clustering=clustering_of(jvm, snapshot),
    )


def refuse_dependents(txn: Transaction, now: TableState, then: TableState) -> None:
    """Raises SpecError where a column is dropped that a check or a generated column computes with.

    The checks are those that the table is to have.
    """
    jvm, left = txn.jvm, {field["name"] for field in then.fields}
    metadata = _action(jvm, now.with_configuration(then.configuration).metadata)
    constraints = jvm.module(f"{DELTA}.constraints.Constraints")
    schemas = jvm.module(f"{DELTA}.schema.SchemaUtils")
    for column in (field["name"] for field in now.fields if field["name"] not in left):
        parts = jvm.seq([column])
        checks = constraints.findDependentConstraints(jvm.session, parts, metadata)
        generated = schemas.findDependentGeneratedColumns(
            jvm.session, parts, txn.java.protocol(), metadata.schema()
        )
        users = [f"the check {key[len(CHECKS) :]} ({text})" for key, text in _pairs(jvm, checks)]
        users += [
            f"the generated column {name} ({text})"
            for name, text in _pairs(jvm, generated)
            if name in left and name != column
        ]
        if users:
            raise SpecError(
                f"the column {column} cannot be dropped: {', '.join(users)} needs it; nothing was"
                " changed. Change or drop what needs it first."
            )


def _pairs(jvm: Jvm, java: JavaObject) -> list[tuple[str, str]]:
    return [(pair._1(), pair._2()) for pair in jvm.items(java.toSeq())]


def refuse_change(txn: Transaction, now: TableState, then: TableState) -> None:
    """Raises what Delta raises for the properties and the clustering of the later state."""
    found = now.configuration
    given = {key: each for key, each in then.configuration.items() if found.get(key) != each}
    _refuse_properties(txn, given)
    if then.clustering != now.clustering:
        _refuse_clustering(txn, then.clustering)


def commit_change(
    txn: Transaction, now: TableState, then: TableState, operation: JavaObject
) -> tuple[int | None, TableState]:
    """Commit the difference; returns the version and what the table is with it.

    No version where Delta keeps of it what is there: of versions of the protocol the weakest.
    """
    jvm, configuration = txn.jvm, then.configuration
    gone = [field["name"] for field in now.fields if field["name"] not in _names(then)]
    configuration |= without_dropped(configuration, gone)
    reclustered = then.clustering != now.clustering
    if reclustered and "clustering" not in now.features:
        configuration[CLUSTERING_FEATURE] = "supported"
    metadata = then.with_configuration(configuration).metadata
    txn.java.updateMetadata(_action(jvm, metadata), False)
    if not reclustered and _is_as_it_was(txn):
        return None, now
    actions = _reclustered(txn, then.clustering) if reclustered else []
    version = txn.commit(Operation(operation, jvm.map({})), [], {}, actions)
    assert version is not None  # of Metadata there is always a commit
    # What Delta has at hand after a commit can have another writer's next one in it.
    snapshot = txn.java.deltaLog().getSnapshotAt(version, jvm.none, txn.java.catalogTable(), False)
    return version, state_of(jvm, snapshot)


def _is_as_it_was(txn: Transaction) -> bool:
    snapshot = txn.snapshot
    same_metadata = txn.java.metadata().equals(snapshot.metadata())
    return bool(same_metadata and txn.java.protocol().equals(snapshot.protocol()))


def _names(state: TableState) -> set[str]:
    return {field["name"] for field in state.fields}


def _action(jvm: Jvm, metadata: Json) -> JavaObject:
    return jvm.module(f"{DELTA}.actions.Action").fromJson(json.dumps({"metaData": metadata}))


def _refuse_properties(txn: Transaction, given: dict[str, str]) -> None:
    """Raises what ALTER TABLE SET TBLPROPERTIES raises (AlterTableSetPropertiesDeltaCommand)."""
    jvm, properties = txn.jvm, txn.jvm.map(given)
    jvm.module(
        f"{DELTA}.coordinatedcommits.CoordinatedCommitsUtils"
    ).validateConfigurationsForAlterTableSetPropertiesDeltaCommand(
        txn.metadata.configuration(), properties
    )
    jvm.module(
        f"{DELTA}.coordinatedcommits.CatalogOwnedTableUtils"
    ).validatePropertiesForAlterTableSetPropertiesDeltaCommand(txn.snapshot, properties)
    redirects = jvm.module(f"{DELTA}.redirect.RedirectFeature")
    redirects.validateTableRedirect(txn.snapshot, txn.java.catalogTable(), properties)


def _refuse_clustering(txn: Transaction, columns: Sequence[str]) -> None:
    """Raises what ALTER TABLE CLUSTER BY raises."""
    jvm = txn.jvm
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    clustered.validateNumClusteringColumns(jvm.seq([jvm.seq([c]) for c in columns]), jvm.none)
    clustered.validateClusteringColumnsInStatsSchema(
        txn.snapshot, jvm.seq(map(clustering_text, columns))
    )


def _reclustered(txn: Transaction, columns: Sequence[str]) -> list[JavaObject]:
    """DomainMetadata actions."""
    jvm = txn.jvm
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    names = jvm.seq(map(clustering_text, columns))
    return jvm.items(clustered.getClusteringDomainMetadataForAlterTableClusterBy(names, txn.java))


def operation_of(txn: Transaction, then: TableState, changes: Sequence[Change]) -> JavaObject:
    """What the history calls the commit: Delta's own operation where one kind of thing changed,
    and that of a drop beside which properties are set.
    """
    jvm = txn.jvm
    kinds = {change.kind for change in changes}
    first = changes[0]
    if "column" in kinds and kinds <= {"column", "property"}:
        gone = [change.name for change in changes if change.kind == "column"]
        return _operation(jvm, "DropColumns", jvm.seq([jvm.seq([name]) for name in gone]))
    if kinds == {"clustering"}:
        return _operation(
            jvm, "ClusterBy", *(",".join(c or ()) for c in (first.before, first.after))
        )
    if kinds == {"check"} and len(changes) == 1:
        if first.after is None:
            return _operation(jvm, "DropConstraint", first.name, jvm.some(first.before))
        return _operation(jvm, "AddConstraint", first.name, first.after)
    if kinds <= {"comment of column", "not null", "type"}:
        return _changed_columns(jvm, then, list(dict.fromkeys(c.name for c in changes)))
    if kinds <= {"property", "comment"}:
        properties = {change.name or "comment": change.after or "" for change in changes}
        return _operation(jvm, "SetTableProperties", jvm.map(properties))
    return told_operation(jvm, changes)


def told_operation(jvm: Jvm, changes: Sequence[Change], **more: str) -> JavaObject:
    """SET TBLPROPERTIES, with each change as a parameter."""
    told = {change.what: str(change).removeprefix(f"{change.what}: ") for change in changes}
    return _operation(jvm, "SetTableProperties", jvm.map({**more, **told}))


def _changed_columns(jvm: Jvm, then: TableState, names: Sequence[str]) -> JavaObject:
    """The columns with their new definition."""
    schema = _action(jvm, then.metadata).schema()
    changed = [
        _operation(jvm, "ChangeColumn", jvm.seq([]), name, schema.apply(name), jvm.none)
        for name in names
    ]
    if len(changed) == 1:
        return changed[0]
    return _operation(jvm, "ChangeColumns", jvm.seq(changed))


def _operation(jvm: Jvm, name: str, *arguments: object) -> JavaObject:
    return jvm.module(f"{DELTA}.DeltaOperations${name}").apply(*arguments)
