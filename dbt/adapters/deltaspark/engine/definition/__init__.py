"""What a table is beside its rows, its difference from what it should be, one commit of it."""

from .alteration import Alteration, NamedTable, altered
from .clustering_names import clustering_names, clustering_text
from .column_definitions import (
    CLUSTERING,
    DEFAULTS,
    clustering_of,
    delta_table,
    given_fields,
    with_features,
)
from .difference import ROW_TRACKING, Change, changes_of
from .protocol_versions import asked_versions
from .state import MAPPING_MODE, Json, TableState
from .table_properties import refused_properties

__all__ = [
    "Alteration",
    "Change",
    "MAPPING_MODE",
    "NamedTable",
    "ROW_TRACKING",
    "TableState",
    "CLUSTERING",
    "DEFAULTS",
    "Json",
    "altered",
    "asked_versions",
    "changes_of",
    "clustering_names",
    "clustering_of",
    "clustering_text",
    "delta_table",
    "given_fields",
    "refused_properties",
    "with_features",
]
