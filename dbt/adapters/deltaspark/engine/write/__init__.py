"""Append, overwrite, replace: what gives way, new files, one commit; and tables that are made."""

from .alignment import CASTS
from .conductor import write_frame

__all__ = [
    "CASTS",
    "write_frame",
]
