"""Text and binary: longer than the 32 characters of Delta's statistics, collated, padded."""

from __future__ import annotations

from .shape import NULL, Shape

LONG = "x" * 32
LAST = "\U0010ffff"
WORDS = (("'a'", "'b'"), ("'m'", "'n'"), ("'y'", "'z'"))
CASES = (("'a'", "'B'"), ("'m'", "'N'"), ("'y'", "'É'"))
OTHER_CASES = ("'A'", "'n'", "'é'", "'q'")


def texts(title: str, *files: tuple[str, ...], source: tuple[str, ...], **more: object) -> Shape:
    quoted = tuple(tuple(map(_quoted, file)) for file in files)
    return Shape(
        title=title, kind="STRING", files=quoted, source=tuple(map(_quoted, source)), **more
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHAPES = (
    texts(
        "texts equal in their first 32 characters",
        (f"{LONG}a", f"{LONG}b"),
        (f"{LONG}m", LONG),
        (f"{LONG}z", f"{LONG}zz"),
        source=(f"{LONG}b", f"{LONG}z", f"{LONG}y", LONG),
    ),
    texts(
        "texts of 31, 32 and 33 characters",
        (LONG[1:], LONG),
        (f"{LONG}x", f"{LONG}xx"),
        ("w" * 33, "y" * 33),
        source=(LONG, f"{LONG}xx", "y" * 33, "y" * 32),
    ),
    texts(
        "texts that go on with the last code point after 32 characters",
        (f"{LONG}{LAST}", f"{LONG}{LAST}{LAST}"),
        (f"{LONG}\uffff", f"{LONG}\ue000"),
        ("a", f"{LONG}z"),
        source=(f"{LONG}{LAST}", f"{LONG}\uffff", f"{LONG}{LAST}a"),
    ),
    texts(
        "texts of nothing but the last code point",
        (LAST * 40, LAST * 33),
        (LAST * 32, LAST),
        ("a", ""),
        source=(LAST * 40, LAST * 32, LAST * 41),
    ),
    texts(
        "pairs of surrogates around the 32nd character",
        ("x" * 31 + "😀", "x" * 31 + "😀y"),
        ("x" * 30 + "😀😀", "x" * 32 + "😀"),
        ("😀" * 33, "\uffff" * 33),
        source=("x" * 31 + "😀y", "x" * 32 + "😀", "😀" * 33, "\uffff" * 33),
    ),
    texts(
        "code points above the surrogates sort after those below",
        ("\ue000", "\uffff"),
        ("😀", "\U00010000"),
        ("\ud7ff", "a"),
        source=("\uffff", "\U00010000", "\ud7ff", "\U00010001"),
    ),
    texts(
        "empty texts, and texts that end in spaces",
        ("", " "),
        ("a", "a "),
        ("a  ", "\ta"),
        source=("", "a ", "a\n", "  "),
    ),
    texts(
        "texts of control characters, quotes and wildcards",
        ("a\nb", "a\rb"),
        ("a\x01b", "a\\b"),
        ("%_", 'it\'s "so"'),
        source=("a\nb", "a\x01b", "a\\b", 'it\'s "so"', "%"),
    ),
    texts(
        "texts with a character of code 0",
        ("a\x00b", "a"),
        ("a\x00", "b"),
        ("\x00", "c"),
        source=("a\x00", "\x00", "a\x00c"),
    ),
    texts(
        "one letter, composed and decomposed",
        ("é", "e\u0301"),
        ("e", "z"),
        ("ﬁ", "fi"),
        source=("e\u0301", "fi", "É"),
    ),
    Shape(
        title="null texts by =",
        kind="STRING",
        files=(("'a'", NULL), (NULL, "''"), ("'z'", "'NULL'")),
        source=(NULL, "''", "'z'"),
    ),
    Shape(
        title="null texts by <=>",
        kind="STRING",
        files=(("'a'", NULL), ("'m'", "'n'"), ("'z'", "'NULL'")),
        source=(NULL, "'m'", "'q'"),
        on="t.k <=> s.k",
    ),
    Shape(
        title="a source of nulls alone by <=>",
        kind="STRING",
        files=(("'a'", NULL), ("'m'", "'n'"), (NULL, "'z'")),
        source=(NULL,),
        on="t.k <=> s.k",
    ),
    Shape(
        title="nulls that match by an OR",
        kind="STRING",
        files=(("'a'", NULL), ("'m'", "'n'"), ("'y'", "'z'")),
        source=(NULL, "'m'", "'q'"),
        on="t.k = s.k OR (t.k IS NULL AND s.k IS NULL)",
    ),
    Shape(
        title="keys compared by a language's order without case",
        kind="STRING",
        files=CASES,
        source=OTHER_CASES,
        on="t.k COLLATE UNICODE_CI = s.k",
    ),
    Shape(
        title="keys compared by a language's order without case and accents",
        kind="STRING",
        on="t.k = s.k COLLATE UNICODE_CI_AI",
        files=(("'a'", "'B'"), ("'m'", "'N'"), ("'y'", "'e'")),
        source=("'Á'", "'n'", "'É'", "'q'"),
    ),
    Shape(
        title="keys compared without spaces at their end",
        kind="STRING",
        on="t.k COLLATE UTF8_BINARY_RTRIM = s.k",
        files=(("'a'", "'b '"), ("'m'", "'n'"), ("'y   '", "''")),
        source=("'a  '", "'y'", "' '", "'q'"),
    ),
    Shape(
        title="keys longer than the statistics compared without case",
        kind="STRING",
        on="t.k COLLATE UTF8_LCASE = s.k COLLATE UTF8_LCASE",
        files=((f"'{LONG}a'", f"'{LONG}b'"), (f"'{LONG}M'", f"'{LONG}'"), ("'y'", "'Z'")),
        source=(f"'{LONG.upper()}A'", f"'{LONG}m'", "'z'", "'q'"),
    ),
    Shape(
        title="keys compared without case",
        kind="STRING",
        files=CASES,
        source=OTHER_CASES,
        on="t.k COLLATE UTF8_LCASE = s.k",
    ),
    Shape(
        title="a collated source for plain keys, and a collation that is asked for",
        kind="STRING",
        source_kind="STRING COLLATE UNICODE_CI",
        files=CASES,
        source=OTHER_CASES,
        on="t.k COLLATE UTF8_LCASE = s.k COLLATE UTF8_LCASE",
    ),
    Shape(
        title="a collated source for plain keys",
        kind="STRING",
        source_kind="STRING COLLATE UNICODE_CI",
        files=CASES,
        source=OTHER_CASES,
    ),
    Shape(
        title="keys of a fixed length",
        kind="CHAR(5)",
        source_kind="STRING",
        payload_kind="STRING",
        files=(("'a'", "'b '"), ("'m'", "'mmmmm'"), ("'y'", "''")),
        source=("'a'", "'mmmmm'", "'y    '", "'q'"),
    ),
    Shape(
        title="keys of a fixed length in letters of several bytes",
        kind="CHAR(3)",
        source_kind="STRING",
        payload_kind="VARCHAR(4)",
        files=(("'ä'", "'äöü'"), ("'😀'", "'m'"), ("'y'", NULL)),
        source=("'ä  '", "'äöü'", "'😀'", NULL),
        payload=("'a'", "'b '"),
    ),
    Shape(
        title="keys of a fixed length read as plain text",
        kind="CHAR(5)",
        source_kind="STRING",
        payload_kind="STRING",
        files=(("'a'", "'b'"), ("'m'", "'mmmmm'"), ("'y'", "'z'")),
        source=("'a'", "'mmmmm'", "'y    '", "'q'"),
        conf=(("spark.sql.readSideCharPadding", "false"),),
    ),
    Shape(
        title="keys of a bounded length",
        kind="VARCHAR(40)",
        source_kind="STRING",
        payload_kind="VARCHAR(40)",
        files=((f"'{LONG}a'", "'a '"), ("'m'", f"'{LONG}b'"), ("'y'", "''")),
        source=(f"'{LONG}b'", "'a '", "'a'", "'y'"),
    ),
    Shape(
        title="a key that is too long to be inserted",
        kind="VARCHAR(3)",
        source_kind="STRING",
        payload_kind="STRING",
        files=(("'a'", "'abc'"), ("'m'", "'n'"), ("'y'", "'z'")),
        source=("'abc'", "'abcd'"),
    ),
    Shape(
        title="binary keys",
        kind="BINARY",
        files=(("X''", "X'00'"), ("X'7F'", "X'80'"), ("X'FF'", "X'FFFF'")),
        source=("X''", "X'80'", "X'FFFF'", "X'FFFE'"),
    ),
    Shape(
        title="binary keys longer than the statistics",
        kind="BINARY",
        files=((f"X'{'78' * 40}'", f"X'{'78' * 41}'"), (f"X'{'FF' * 40}'", NULL)),
        source=(f"X'{'78' * 41}'", f"X'{'FF' * 40}'", f"X'{'FF' * 39}'", NULL),
        on="t.k <=> s.k",
    ),
    Shape(
        title="text that is cast to binary keys",
        kind="BINARY",
        source_kind="STRING",
        payload_kind="STRING",
        payload=("'p'",),
        files=(("X''", "X'61'"), ("X'C3A9'", "X'80'"), ("X'FF'", "X'FFFF'")),
        source=("''", "'é'", "'q'"),
        on="t.k = CAST(s.k AS BINARY)",
        inserts=False,
    ),
    Shape(
        title="keys in lower case on both sides",
        kind="STRING",
        files=CASES,
        source=OTHER_CASES,
        on="lower(t.k) = lower(s.k)",
    ),
    Shape(
        title="keys without spaces around them",
        kind="STRING",
        files=(("'a '", "' b'"), ("'m'", "'n  '"), ("''", "'z'")),
        source=("'a'", "'n'", "' '", "'q'"),
        on="trim(t.k) = trim(s.k)",
    ),
    Shape(
        title="keys put together from two columns",
        kind="STRING",
        files=WORDS,
        source=("'a'", "'n'", "'q'"),
        on="concat(t.k, ':', t.k) = concat(s.k, ':', s.k)",
    ),
    Shape(
        title="the first characters of a key",
        kind="STRING",
        files=(("'abc'", "'bcd'"), ("'mno'", "'nop'"), ("'xyz'", "''")),
        source=("'ab'", "'xy'", "''"),
        on="substring(t.k, 1, 2) = s.k",
    ),
)
