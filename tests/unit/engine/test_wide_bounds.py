"""A file's statistics are told to have wide bounds, and every other character stays."""

from __future__ import annotations

import json

import pytest

from dbt.adapters.deltaspark.engine.delta.wide_bounds import told_in

NUMBERS = '"maxValues":{"d":0.333333333333333333,"e":1.50,"f":1E+400}'


@pytest.mark.parametrize(
    ("statistics", "told"),
    [
        ('{"numRecords":2,"tightBounds":true}', '{"numRecords":2,"tightBounds":false}'),
        (f'{{"tightBounds":true,{NUMBERS}}}', f'{{"tightBounds":false,{NUMBERS}}}'),
        (f"{{{NUMBERS}}}", f'{{{NUMBERS},"tightBounds":false}}'),
        ("{}", '{"tightBounds":false}'),
        (
            ' { "a" : [1, {}] , "tightBounds" : null }\n',
            ' { "a" : [1, {}] , "tightBounds" : false }\n',
        ),
        ('{ "a" : "}" } ', '{ "a" : "}" ,"tightBounds":false} '),
        (
            '{"minValues":{"tightBounds":true,"s":"\\"tightBounds\\":true"}}',
            '{"minValues":{"tightBounds":true,"s":"\\"tightBounds\\":true"},"tightBounds":false}',
        ),
    ],
)
def test_only_the_bounds_are_touched(statistics: str, told: str) -> None:
    assert told_in(statistics) == told
    assert json.loads(told)["tightBounds"] is False


def test_bounds_that_are_wide_stay_as_they_are() -> None:
    wide = '{"tightBounds":false,"numRecords":1}'
    assert told_in(wide) == wide
