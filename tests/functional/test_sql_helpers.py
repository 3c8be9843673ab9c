"""dbt's helpers of SQL that Spark has its own functions for: differences of dates, joined texts."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

MOMENTS = (
    "1899-12-30 23:59:59.999999",
    "1969-12-28 00:00:00",
    "2023-12-30 12:30:15.5",
    "2023-12-31 00:00:00",
    "2024-01-01 00:00:00",
    "2024-02-29 23:00:00.000001",
)
PARTS = [
    "year",
    "quarter",
    "month",
    "week",
    "day",
    "hour",
    "minute",
    "second",
    "millisecond",
    "microsecond",
]
DIFFERENCES = """
with moments as (select explode(array{{ var('moments') }}) as text),
pairs as (select a.text as a, b.text as b from moments as a cross join moments as b)
{% for part in var('parts') %}
select
    '{{ part }}' as part, a, b,
    {{ dbt.datediff('a', 'b', part | upper) }} as of_texts,
    {{ dbt.datediff('cast(a as timestamp_ntz)', 'cast(b as timestamp)', part) }} as of_times,
    {{ dbt.datediff('cast(a as date)', 'cast(b as date)', part) }} as of_dates
from pairs {{ 'union all' if not loop.last }}
{% endfor %}
"""
NO_PART = "select {{ dbt.datediff('current_date', 'current_date', 'fortnight') }}"
JOINED = """
select
    k,
    {{ dbt.listagg('v', "'|'", 'order by n desc') }} as ordered,
    {{ dbt.listagg('v', "'|'", 'order by n desc', 2) }} as cut,
    {{ dbt.listagg('n', "'|'", 'order by n') }} as numbers,
    {{ dbt.listagg('distinct v', "'|'", 'order by v') }} as different
from values (1, 1, 'a,b'), (1, 2, 'ü'), (1, 3, ''), (1, 4, null), (2, 5, null) as t(k, n, v)
group by k
"""
EPOCH = datetime(1899, 12, 31)  # a Sunday


def place(moment: datetime, part: str) -> int:
    """The number of the part's unit that the moment is in."""
    months = moment.year * 12 + moment.month - 1
    microsecond = timedelta(microseconds=1)
    units = {
        "year": moment.year,
        "quarter": months // 3,
        "month": months,
        "week": (moment - EPOCH) // timedelta(weeks=1),
        "millisecond": (moment - EPOCH) // (1000 * microsecond),
        "microsecond": (moment - EPOCH) // microsecond,
    }
    return units.get(part) or (moment - EPOCH) // timedelta(**{f"{part}s": 1})


def between(a: datetime, b: datetime, part: str) -> int:
    return place(b, part) - place(a, part)


def midnight(moment: datetime) -> datetime:
    return datetime.combine(date(moment.year, moment.month, moment.day), datetime.min.time())


class TestHelpers:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"differences.sql": DIFFERENCES, "joined.sql": JOINED}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, object]:
        return {"vars": {"moments": str(MOMENTS), "parts": PARTS}}

    @pytest.fixture(scope="class", autouse=True)
    def run(self, project: TestProjInfo) -> None:
        run = dbt(project, "run")
        assert {run.status(name) for name in ("differences", "joined")} == {"success"}

    def test_a_difference_is_the_boundaries_between(self, project: TestProjInfo) -> None:
        found = rows(project, "select * from {schema}.differences")
        assert len(found) == len(PARTS) * len(MOMENTS) ** 2
        for part, a, b, *differences in found:
            one, other = datetime.fromisoformat(a), datetime.fromisoformat(b)
            exact = between(one, other, part)
            assert differences[:2] == [exact, exact], (part, a, b)
            assert differences[2] == between(midnight(one), midnight(other), part), (part, a, b)

    def test_texts_are_joined_in_order(self, project: TestProjInfo) -> None:
        assert rows(project, "select * from {schema}.joined order by k") == [
            (1, "|ü|a,b", "|ü", "1|2|3|4", "|a,b|ü"),
            (2, None, None, "5", None),
        ]


class TestUnknownPart:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"no_part.sql": NO_PART}

    def test_it_is_told_with_those_that_there_are(self, project: TestProjInfo) -> None:
        with pytest.raises(AssertionError, match="no part 'fortnight': it is one of year, quarter"):
            dbt(project, "run")
