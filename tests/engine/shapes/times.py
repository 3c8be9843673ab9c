"""Dates and moments: old and far ones, microseconds, time zones, and changes of summer time."""

from __future__ import annotations

from .shape import NULL, Shape

OLD_DATES = (
    ("DATE'0001-01-01'", "DATE'1582-10-04'"),
    ("DATE'1582-10-15'", "DATE'1582-10-10'"),
    ("DATE'9999-12-31'", "DATE'1970-01-01'"),
)
FAR_DATES = (
    ("DATE'-0044-03-15'", "DATE'0000-01-01'"),
    ("DATE'+10000-01-01'", "DATE'+12345-06-07'"),
    ("DATE'2026-01-01'", "DATE'-5000-01-01'"),
)
MICROS = (
    ("TIMESTAMP'2026-01-01 00:00:00.000001'", "TIMESTAMP'2026-01-01 00:00:00.000999'"),
    ("TIMESTAMP'2026-01-01 00:00:00.001'", "TIMESTAMP'2026-01-01 00:00:00'"),
    ("TIMESTAMP'1969-12-31 23:59:59.999999'", "TIMESTAMP'1969-12-31 23:59:59.999'"),
)
OLD_MOMENTS = (
    ("TIMESTAMP'0001-01-01 00:00:00'", "TIMESTAMP'1582-10-04 23:59:59.999999'"),
    ("TIMESTAMP'1582-10-15 00:00:00'", "TIMESTAMP'1883-11-18 12:00:00'"),
    ("TIMESTAMP'1900-01-01 00:00:00'", "TIMESTAMP'9999-12-31 23:59:59.999999'"),
)
# What clocks in Berlin show twice, and what they skip: both as moments.
SUMMER = (
    ("TIMESTAMP'2025-10-26 00:30:00Z'", "TIMESTAMP'2025-10-26 01:30:00Z'"),
    ("TIMESTAMP'2025-03-30 00:59:59.999999Z'", "TIMESTAMP'2025-03-30 01:00:00Z'"),
    ("TIMESTAMP'2025-10-25 23:59:00Z'", "TIMESTAMP'2025-10-26 02:30:00Z'"),
)
MET = ("TIMESTAMP'2025-10-26 01:30:00Z'", "TIMESTAMP'2025-03-30 01:00:00Z'", NULL)
# Days and noons as clocks in Berlin show them.
DAYS = (
    ("TIMESTAMP'2026-01-01 00:00:00+01:00'", "TIMESTAMP'2026-01-01 12:00:00+01:00'"),
    ("TIMESTAMP'2026-01-02 00:00:00+01:00'", "TIMESTAMP'2026-01-02 23:59:59+01:00'"),
    ("TIMESTAMP'2026-01-03 00:00:00+01:00'", NULL),
)
NOONS = (DAYS[0][1], DAYS[2][0], NULL)
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "America/St_Johns",
    "-11:30",
)
NTZ = "TIMESTAMP_NTZ"


def zone(name: str) -> tuple[tuple[str, str], ...]:
    return (("spark.sql.session.timeZone", name),)


def local(literals: tuple[str, ...]) -> tuple[str, ...]:
    """What the moments' literals show, without their zone."""
    shown = (literal.replace("+01:00'", "'") for literal in literals)
    return tuple(literal.replace("TIMESTAMP'", "TIMESTAMP_NTZ'") for literal in shown)


def by_file(files: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(local, files))


def numbered(title: str, kind: str, source_kind: str, on: str, *source: str) -> Shape:
    """Days and noons; a payload that does not depend on the type of the key."""
    return Shape(
        title=title,
        kind=kind,
        source_kind=source_kind,
        files=by_file(DAYS) if kind == NTZ else DAYS,
        source=source,
        on=on,
        payload_kind="INT",
        payload=("7", "8"),
        inserts=False,
        conf=zone("Europe/Berlin"),
    )


SHAPES = (
    Shape(
        title="dates around the change of the calendar",
        kind="DATE",
        files=OLD_DATES,
        source=("DATE'1582-10-04'", "DATE'1582-10-10'", "DATE'9999-12-31'", "DATE'1500-02-28'"),
    ),
    Shape(
        title="dates before the first year and after the last that four digits show",
        kind="DATE",
        files=FAR_DATES,
        source=("DATE'-0044-03-15'", "DATE'+12345-06-07'", "DATE'+99999-01-01'"),
    ),
    Shape(
        title="partitions by old and far dates",
        kind="DATE",
        files=(*OLD_DATES, ("DATE'+10000-01-01'", NULL)),
        source=("DATE'1582-10-10'", "DATE'0001-01-01'", "DATE'+10000-01-01'", NULL),
        on="t.k <=> s.k",
        partition_by=("k",),
    ),
    Shape(
        title="moments by their microseconds",
        kind="TIMESTAMP",
        files=MICROS,
        source=(MICROS[0][0], MICROS[1][0], MICROS[2][0]),
    ),
    Shape(
        title="old moments",
        kind="TIMESTAMP",
        files=OLD_MOMENTS,
        source=(OLD_MOMENTS[0][1], OLD_MOMENTS[1][1], OLD_MOMENTS[2][1]),
    ),
    Shape(
        title="the first and the last moment",
        kind="TIMESTAMP",
        files=(
            ("timestamp_micros(-9223372036854775808)", "timestamp_micros(-1)"),
            ("timestamp_micros(9223372036854775807)", "timestamp_micros(0)"),
        ),
        source=("timestamp_micros(9223372036854775807)", "timestamp_micros(-1)"),
    ),
    Shape(
        title="old moments in a zone of odd seconds",
        kind="TIMESTAMP",
        files=OLD_MOMENTS,
        source=(OLD_MOMENTS[0][0], OLD_MOMENTS[1][1], OLD_MOMENTS[2][0]),
        conf=zone("Europe/Amsterdam"),
    ),
    *(
        Shape(
            title=f"moments around a change of summer time, seen from {name}",
            kind="TIMESTAMP",
            files=SUMMER,
            source=MET,
            conf=zone(name),
        )
        for name in ZONES
    ),
    Shape(
        title="partitions by moments around a change of summer time",
        kind="TIMESTAMP",
        files=SUMMER,
        source=MET,
        on="t.k <=> s.k",
        partition_by=("k",),
        conf=zone("UTC"),
    ),
    Shape(
        title="partitions by moments with microseconds",
        kind="TIMESTAMP",
        files=MICROS,
        source=(MICROS[0][0], MICROS[1][1], MICROS[2][0]),
        partition_by=("k",),
        conf=zone("Asia/Kathmandu"),
    ),
    Shape(
        title="local times by their microseconds",
        kind=NTZ,
        files=by_file(MICROS),
        source=local((MICROS[0][0], MICROS[1][0], MICROS[2][0])),
    ),
    Shape(
        title="old local times",
        kind=NTZ,
        files=by_file(OLD_MOMENTS),
        source=local((OLD_MOMENTS[0][1], OLD_MOMENTS[2][1])),
        conf=zone("Europe/Berlin"),
    ),
    Shape(
        title="local times that a clock skips and shows twice",
        kind=NTZ,
        files=(
            ("TIMESTAMP_NTZ'2025-10-26 02:30:00'", "TIMESTAMP_NTZ'2025-10-26 01:30:00'"),
            ("TIMESTAMP_NTZ'2025-03-30 02:30:00'", "TIMESTAMP_NTZ'2025-03-30 03:30:00'"),
        ),
        source=("TIMESTAMP_NTZ'2025-10-26 02:30:00'", "TIMESTAMP_NTZ'2025-03-30 02:30:00'"),
        conf=zone("Europe/Berlin"),
    ),
    Shape(
        title="partitions by local times",
        kind=NTZ,
        files=by_file(MICROS),
        source=local((MICROS[0][0], MICROS[1][1], MICROS[2][0])),
        partition_by=("k",),
        conf=zone("Europe/Berlin"),
    ),
    numbered("local times for moments", "TIMESTAMP", NTZ, "t.k = s.k", *local(NOONS)),
    numbered("moments for local times", NTZ, "TIMESTAMP", "t.k = s.k", *NOONS),
    numbered(
        "dates for moments",
        "TIMESTAMP",
        "DATE",
        "t.k = s.k",
        "DATE'2026-01-01'",
        "DATE'2026-01-03'",
    ),
    numbered(
        "moments cut to their day, for dates",
        "TIMESTAMP",
        "DATE",
        "CAST(t.k AS DATE) = s.k",
        "DATE'2026-01-01'",
        "DATE'2026-01-03'",
    ),
    numbered(
        "moments truncated to their day",
        "TIMESTAMP",
        "TIMESTAMP",
        "date_trunc('DAY', t.k) = s.k",
        DAYS[0][0],
        DAYS[1][0],
    ),
    numbered(
        "moments truncated on both sides",
        "TIMESTAMP",
        "TIMESTAMP",
        "date_trunc('HOUR', t.k) = date_trunc('HOUR', s.k)",
        *NOONS,
    ),
    numbered(
        "moments as numbers",
        "TIMESTAMP",
        "BIGINT",
        "unix_micros(t.k) = s.k",
        "1767222000000000",
        "1",
    ),
    numbered(
        "the year of a moment", "TIMESTAMP", "INT", "year(t.k) = s.k AND t.k IS NOT NULL", "2026"
    ),
    numbered(
        "text for moments",
        "TIMESTAMP",
        "STRING",
        "t.k = s.k",
        "'2026-01-01 12:00:00'",
        "'2026-01-03'",
    ),
    numbered(
        "the moment some time before the source's",
        "TIMESTAMP",
        "TIMESTAMP",
        "t.k = s.k - INTERVAL '12' HOUR",
        *NOONS,
    ),
    Shape(
        title="moments for dates",
        kind="DATE",
        source_kind="TIMESTAMP",
        files=(("DATE'2026-01-01'", "DATE'2026-01-02'"), ("DATE'2026-03-30'", NULL)),
        source=("TIMESTAMP'2026-01-01 00:00:00'", "TIMESTAMP'2026-01-02 00:00:01'"),
        payload_kind="INT",
        payload=("7", "8"),
        inserts=False,
    ),
    Shape(
        title="text for dates",
        kind="DATE",
        source_kind="STRING",
        files=OLD_DATES,
        source=("'1582-10-10'", "'9999-12-31'", "'2026'"),
        payload_kind="INT",
        payload=("7", "8"),
    ),
)
