"""Names that are not free as properties of a table: a config of its own says what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

OF_THE_CATALOG = {
    "external": "leave it out; a table with location_root is external",
    "location": "location_root says where the table lies",
    "owner": "leave it out; the catalog says whose a table is",
    "provider": "file_format says it",
}
"""Spark's own, of tables of any format, in lower case."""
CLUSTERING = "liquid_clustered_by says it"
OF_DELTA_TABLES = {
    "comment": "the config comment says it, or a description with persist_docs: {relation: true}",
    "clusteringcolumns": CLUSTERING,
    "delta.feature.clustering": CLUSTERING,
}
CHECKS = "delta.constraints."


def reserved_properties(names: Iterable[str], *, of_delta: bool) -> Iterator[str]:
    """A problem with a way out for each; Delta's writer would take some of them once, or wrongly.

    `location` would be the folder of a new table, and each later write would refuse it.
    """
    for name in names:
        way_out = OF_THE_CATALOG.get(name.lower()) or (_of_delta(name.lower()) if of_delta else "")
        if way_out:
            yield f"tblproperties names {name!r}, which is no property of a table: {way_out}"


def _of_delta(name: str) -> str:
    if name.startswith(CHECKS):
        return "constraints of an enforced contract say it, with type: check"
    return OF_DELTA_TABLES.get(name, "")
