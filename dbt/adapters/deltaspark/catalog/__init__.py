"""What the catalog has: relations, their listing, DDL texts, and what dbt docs shows."""

from .adapter import CatalogAdapter
from .ddl import clauses_of_table, clauses_of_view, comment_statements, describing_statements
from .docs import described, format_of, is_delta, is_in, is_managed, location_of
from .locations import lies_in
from .relation import DeltaSparkColumn, DeltaSparkRelation
from .seed_files import SeedFile
from .seed_types import told_as_text, type_of_cells

__all__ = [
    "CatalogAdapter",
    "DeltaSparkColumn",
    "DeltaSparkRelation",
    "SeedFile",
    "clauses_of_table",
    "clauses_of_view",
    "comment_statements",
    "described",
    "describing_statements",
    "format_of",
    "is_delta",
    "is_in",
    "is_managed",
    "lies_in",
    "location_of",
    "told_as_text",
    "type_of_cells",
]
