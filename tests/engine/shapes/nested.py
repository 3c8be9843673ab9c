"""Keys within structs, arrays and maps, and as whole structs; payloads of every depth."""

from __future__ import annotations

from .shape import NULL, Shape

PAIR = "STRUCT<a: INT, b: STRING>"
DEEP = "STRUCT<s: STRUCT<at: TIMESTAMP, d: DECIMAL(10,2)>, l: ARRAY<STRUCT<x: DOUBLE>>>"


def pair(a: str, b: str) -> str:
    return f"named_struct('a', {a}, 'b', {b})"


def deep(at: str, d: str, x: str) -> str:
    inner = f"named_struct('at', TIMESTAMP'{at}', 'd', {d})"
    return f"named_struct('s', {inner}, 'l', array(named_struct('x', {x})))"


PAIRS = (
    (pair("1", "'x'"), pair("1", "NULL")),
    (pair("2", "'y'"), pair("NULL", "NULL")),
    (NULL, pair("3", "'z'")),
)
MET = (pair("1", "'x'"), pair("1", "NULL"), pair("3", "'z'"), pair("4", "'q'"))
DEEPS = (
    (
        deep("1500-01-01 00:00:00", "1.50", "double('NaN')"),
        deep("2026-01-01 00:00:00", "2", "-0.0D"),
    ),
    (deep("2026-01-02 00:00:00.000001", "-1", "0.0D"), NULL),
)
ARRAYS = (("array(1, 2)", "array(1, NULL)"), ("array()", "array(3)"), (NULL, "array(2, 1)"))
MAPS = (("map('x', 1)", "map('x', 2, 'y', 3)"), ("map()", "map('y', 1)"), (NULL, "map('x', NULL)"))

SHAPES = (
    Shape(title="whole structs", kind=PAIR, files=PAIRS, source=MET),
    Shape(
        title="whole structs by <=>",
        kind=PAIR,
        files=PAIRS,
        source=(*MET[:2], NULL),
        on="t.k <=> s.k",
    ),
    Shape(
        title="the field of a struct", kind=PAIR, files=PAIRS, source=MET[2:], on="t.k.a = s.k.a"
    ),
    Shape(
        title="the text field of a struct by <=>",
        kind=PAIR,
        files=PAIRS,
        source=(MET[0], NULL),
        on="t.k.b <=> s.k.b",
    ),
    Shape(
        title="structs of structs and arrays",
        kind=DEEP,
        files=DEEPS,
        source=(DEEPS[0][0], DEEPS[1][0]),
    ),
    Shape(
        title="a field deep in a struct",
        kind=DEEP,
        files=DEEPS,
        source=(DEEPS[0][0], DEEPS[1][0]),
        on="t.k.s.at = s.k.s.at",
    ),
    Shape(
        title="whole arrays",
        kind="ARRAY<INT>",
        files=ARRAYS,
        source=("array(1, NULL)", "array()", "array(9)"),
    ),
    Shape(
        title="the first of an array",
        kind="ARRAY<INT>",
        files=ARRAYS,
        source=("array(1)", "array(3)"),
        on="try_element_at(t.k, 1) = s.k[0]",
    ),
    Shape(
        title="an element that an array may not have",
        kind="ARRAY<INT>",
        files=ARRAYS,
        source=("array(1)",),
        on="t.k[0] = s.k[0]",
    ),
    Shape(
        title="the value of a map",
        kind="MAP<STRING, INT>",
        files=MAPS,
        source=("map('x', 1)", "map('x', 9)"),
        on="t.k['x'] = s.k['x']",
    ),
    Shape(
        title="whole maps are no keys", kind="MAP<STRING, INT>", files=MAPS, source=("map('x', 1)",)
    ),
    Shape(
        title="variants as payload",
        kind="INT",
        files=(("1", "2"), ("11", "12"), ("21", "22")),
        source=("1", "12", "30"),
        payload_kind="VARIANT",
        payload=("parse_json('{\"a\": [1, null]}')", "parse_json('null')", NULL),
    ),
)
