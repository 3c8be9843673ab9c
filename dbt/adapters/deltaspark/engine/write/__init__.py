"""Append, overwrite, replace: what gives way, new files, one commit; and tables that are made."""

from .alignment import CASTS
from .conductor import write_frame
from .description import refuse_other_description
from .place import AGAIN

__all__ = [
    "AGAIN",
    "CASTS",
    "refuse_other_description",
    "write_frame",
]
