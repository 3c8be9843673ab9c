"""Every version of a row: arrivals, versions and their load."""

from .arrivals import HistoryError
from .columns import Scd2
from .conductor import first_load, load

__all__ = [
    "HistoryError",
    "Scd2",
    "first_load",
    "load",
]
