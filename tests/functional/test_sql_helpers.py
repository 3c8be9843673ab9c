"""dbt's helpers of SQL that Spark has its own functions for: dates, joined and quoted texts."""

from __future__ import annotations

from calendar import monthrange
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
SUMS = """
with moments as (
    select explode(array{{ var('moments') }}) as text union all select cast(null as string)
)
{% for part in var('parts') %}
select
    '{{ part }}' as part, text,
    cast({{ dbt.dateadd(part | upper, '-5', 'text') }} as string) as of_texts,
    cast({{ dbt.dateadd(part, 'n', 'cast(text as timestamp_ntz)') }} as string) as of_times,
    cast({{ dbt.dateadd(part, 'n - 10', 'cast(text as date)') }} as string) as of_dates,
    typeof({{ dbt.dateadd(part, 1, 'text') }}) as type_of_texts,
    typeof({{ dbt.dateadd(part, 1, 'cast(text as timestamp_ntz)') }}) as type_of_times,
    typeof({{ dbt.dateadd(part, 'n', 'cast(text as date)') }}) as type_of_dates
from moments cross join (select cast(5 as bigint) as n) {{ 'union all' if not loop.last }}
{% endfor %}
"""
PARTIAL = """
select
    cast({{ dbt.dateadd('hour', 1.5, "'2024-01-31'") }} as string) as hours,
    cast({{ dbt.dateadd('millisecond', 4000000, "'2024-01-31'") }} as string) as many,
    cast({{ dbt.dateadd('day', 'null', "'2024-01-31'") }} as string) as by_nothing,
    {{ dbt.last_day("timestamp'2024-02-03 04:05:06'", 'quarter') }} as last_day,
    {{ dbt.date_trunc('Month', "'2024-02-03'") }} as month
"""
TEXTS = """
select '{{ dbt.escape_single_quotes(var('text')) }}' as text
"""
OF_NO_PART = {
    "datediff": "'current_date', 'current_date', 'fortnight'",
    "dateadd": "'fortnight', 1, 'current_date'",
    "date_trunc": "'fortnight', 'current_date'",
}
JOINED = """
select
    k,
    {{ dbt.listagg('v', "'|'", 'order by n desc') }} as ordered,
    {{ dbt.listagg('v', "'|'", 'order by n desc', 2) }} as cut,
    {{ dbt.listagg('n', "'|'", 'order by n') }} as numbers,
    {{ dbt.listagg('distinct v', "'|'", 'order by v') }} as different, count(distinct n) as beside,
    {{ dbt.listagg('n', "'|'", 'order by n desc', 2) }} as cut_numbers,
    {{ dbt.listagg('DISTINCT v', "'|'", 'order by v desc', 2) }} as some_different,
    {{ dbt.listagg('distinct n', "'|'", 'order by n') }} as different_numbers
from values (1, 1, 'a,b'), (1, 2, 'ü'), (1, 3, ''), (1, 4, null), (2, 5, null) as t(k, n, v)
group by k
"""
TEXT = "they're at C:\\new\\tmp, for ${price}, a\\"
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


def plus(moment: datetime, part: str, number: int) -> datetime:
    months = {"year": 12, "quarter": 3, "month": 1}.get(part)
    if months is None:
        units = {"millisecond": timedelta(milliseconds=1), "microsecond": timedelta(microseconds=1)}
        return moment + number * (units.get(part) or timedelta(**{f"{part}s": 1}))
    index = moment.year * 12 + moment.month - 1 + number * months
    year, month = divmod(index, 12)
    day = min(moment.day, monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


def midnight(moment: datetime) -> datetime:
    return datetime.combine(date(moment.year, moment.month, moment.day), datetime.min.time())


class TestHelpers:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "differences.sql": DIFFERENCES,
            "joined.sql": JOINED,
            "sums.sql": "{{ config(materialized='table') }}" + SUMS,
            "partial.sql": PARTIAL,
            "texts.sql": TEXTS,
        }

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, object]:
        return {"vars": {"moments": str(MOMENTS), "parts": PARTS, "text": TEXT}}

    @pytest.fixture(scope="class", autouse=True)
    def run(self, project: TestProjInfo) -> None:
        run = dbt(project, "run")
        assert {name for name in run.results if run.status(name) != "success"} == set()

    def test_a_difference_is_the_boundaries_between(self, project: TestProjInfo) -> None:
        found = rows(project, "select * from {schema}.differences")
        assert len(found) == len(PARTS) * len(MOMENTS) ** 2
        for part, a, b, *differences in found:
            one, other = datetime.fromisoformat(a), datetime.fromisoformat(b)
            exact = between(one, other, part)
            assert differences[:2] == [exact, exact], (part, a, b)
            assert differences[2] == between(midnight(one), midnight(other), part), (part, a, b)

    def test_a_sum_keeps_what_is_below_the_second(self, project: TestProjInfo) -> None:
        found = rows(project, "select * from {schema}.sums")
        assert len(found) == len(PARTS) * (len(MOMENTS) + 1)
        for part, text, of_text, of_time, of_date, *types in found:
            assert types == ["timestamp", "timestamp_ntz", "timestamp"]
            if text is None:
                assert (of_text, of_time, of_date) == (None, None, None)
                continue
            moment = datetime.fromisoformat(text)
            assert datetime.fromisoformat(of_text) == plus(moment, part, -5), (part, text)
            assert datetime.fromisoformat(of_time) == plus(moment, part, 5), (part, text)
            assert datetime.fromisoformat(of_date) == plus(midnight(moment), part, -5), (part, text)

    def test_parts_of_an_hour_and_what_is_built_on_sums(self, project: TestProjInfo) -> None:
        assert rows(project, "select * from {schema}.partial") == [
            (
                "2024-01-31 01:30:00",
                "2024-01-31 01:06:40",
                None,
                date(2024, 3, 31),
                datetime(2024, 2, 1),
            )
        ]

    def test_a_text_between_single_quotes_is_the_text(self, project: TestProjInfo) -> None:
        assert rows(project, "select text from {schema}.texts") == [(TEXT,)]

    def test_texts_are_joined_in_order(self, project: TestProjInfo) -> None:
        assert rows(project, "select * from {schema}.joined order by k") == [
            (1, "|ü|a,b", "|ü", "1|2|3|4", "|a,b|ü", 4, "4|3", "ü|a,b", "1|2|3|4"),
            (2, None, None, "5", None, 1, "5", None, "5"),
        ]


class TestUnknownPart:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        calls = {name: f"({arguments})" for name, arguments in OF_NO_PART.items()}
        branches = [
            "{% if var('call') == '" + name + "' %}select {{ dbt." + name + call + " }}{% endif %}"
            for name, call in calls.items()
        ]
        return {"no_part.sql": "".join(branches)}

    @pytest.mark.parametrize("name", OF_NO_PART)
    def test_it_is_told_with_those_that_there_are(self, project: TestProjInfo, name: str) -> None:
        told = f"{name} knows no part 'fortnight': it is one of year, quarter"
        with pytest.raises(AssertionError, match=told):
            dbt(project, "run", "--vars", f"call: {name}")
