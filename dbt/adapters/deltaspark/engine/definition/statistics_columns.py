"""The table property that lists columns with statistics, where columns are dropped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .clustering_names import first_part

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

STATISTICS = "delta.dataSkippingStatsColumns"
ITEM = re.compile(r"(?:`(?:[^`]|``)*`|[^,`])+")
"""One of a list of names as SQL."""


def without_dropped(configuration: Mapping[str, str], gone: Collection[str]) -> dict[str, str]:
    """The property without the dropped columns and their fields; {} where it lists none of them.

    The others stay as they are written: Delta's own (StatisticsCollection.dropDeltaStatsColumns)
    writes them without the backticks that they need, and then no longer reads them.
    """
    listed = ITEM.findall(configuration.get(STATISTICS, ""))
    dropped = {name.lower() for name in gone}
    left = [item for item in listed if first_part(item.strip()).lower() not in dropped]
    return {} if len(left) == len(listed) else {STATISTICS: ",".join(left).strip()}
