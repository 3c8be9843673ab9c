"""DELETE and UPDATE: the rows that a condition selects, taken away or written anew."""

from .conductor import change
from .request import ChangeRequest, resolve_change
from .selection import Selection, Taken, select_rows, take_out

__all__ = [
    "ChangeRequest",
    "Selection",
    "Taken",
    "change",
    "resolve_change",
    "select_rows",
    "take_out",
]
