"""The statistics of a file, told to have wide bounds: no digit of any other number is touched."""

from __future__ import annotations

import json
import re

TIGHT_BOUNDS = "tightBounds"
_SPACE = re.compile(r"\s*")


def told_in(statistics: str) -> str:
    """The same JSON object, but that its `tightBounds` are false."""
    decoder, place = json.JSONDecoder(), statistics.index("{") + 1
    while True:
        place = _after_space(statistics, place)
        if statistics[place] == "}":
            break
        key, place = decoder.raw_decode(statistics, place)
        place = _after_space(statistics, _after_space(statistics, place) + 1)
        _, end = decoder.raw_decode(statistics, place)
        if key == TIGHT_BOUNDS:
            return f"{statistics[:place]}false{statistics[end:]}"
        place = _after_space(statistics, end)
        place += statistics[place] == ","
    is_first = statistics[:place].strip() == "{"
    told = f'"{TIGHT_BOUNDS}":false'
    return f"{statistics[:place]}{'' if is_first else ','}{told}{statistics[place:]}"


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    assert found is not None
    return found.end()
