"""How the keys of a project's file, of its folders and of a model come together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dbt.adapters.protocol import AdapterConfig

KEY = "tblproperties"


@dataclass
class DeltaSparkConfig(AdapterConfig):
    """Properties add up; of any other key the last value stands."""

    tblproperties: dict[str, Any] | None = None

    @classmethod
    def _merge_dicts(cls, src: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
        """dbt-core's own way ends the project at `null`, which adds nothing here.

        A value that is no dictionary stands, so that the model it is of tells it.
        """
        levels = [level[KEY] for level in (src, data) if level.get(KEY)]
        data.pop(KEY, None)
        wrong = [level for level in levels if not isinstance(level, dict)]
        if wrong:
            return {KEY: wrong[0]}
        return {KEY: {k: v for level in levels for k, v in level.items()}} if levels else {}
