"""What a table is beside its rows, its difference from what it should be, one commit of it."""

from .alteration import Alteration, altered
from .column_definitions import (
    CLUSTERING,
    clustering_of,
    delta_table,
    given_fields,
    with_features,
)
from .state import Json
from .table_properties import refused_properties

__all__ = [
    "Alteration",
    "CLUSTERING",
    "Json",
    "altered",
    "clustering_of",
    "delta_table",
    "given_fields",
    "refused_properties",
    "with_features",
]
