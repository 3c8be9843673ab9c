"""MERGE: a statement or a frame, resolved, planned, matched, and carried out on its route."""

from . import classic, deletion_vectors
from .attempt import Merge, planned
from .conductor import explain, merge
from .matches import Matches, found_matches
from .request import PADDED_TOO_LATE, MergeFrame, MergeText
from .resolve import ResolvedMerge, resolve
from .source import Source, evaluated
from .statement import merge_text, sql_texts

__all__ = [
    "PADDED_TOO_LATE",
    "Matches",
    "Merge",
    "MergeFrame",
    "MergeText",
    "ResolvedMerge",
    "Source",
    "classic",
    "deletion_vectors",
    "evaluated",
    "explain",
    "found_matches",
    "merge",
    "merge_text",
    "planned",
    "resolve",
    "sql_texts",
]
