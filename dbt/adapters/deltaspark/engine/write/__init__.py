"""Append, overwrite, replace: what gives way, new files, one commit; and tables that are made."""

from .conductor import write_frame

__all__ = [
    "write_frame",
]
