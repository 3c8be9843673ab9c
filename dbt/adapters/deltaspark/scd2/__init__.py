"""Every version of a row: arrivals, versions and their load."""

from .arrivals import HistoryError
from .columns import Scd2, compares_nothing
from .conductor import first_load, load

__all__ = [
    "HistoryError",
    "Scd2",
    "compares_nothing",
    "first_load",
    "load",
]
