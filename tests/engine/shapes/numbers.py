"""Numbers: the ends of their types, other types on the other side, NaN, -0.0 and infinity."""

from __future__ import annotations

from .shape import NULL, Shape

NAN, FAR, NEAR = "double('NaN')", "double('Infinity')", "double('-Infinity')"
DOUBLES = (("-1.5D", "-0.0D"), ("0.0D", "2.5D"), (NAN, FAR), (NEAR, NULL))
FLOATS = (("-1.5F", "-0.0F"), ("0.1F", "2.5F"), ("float('NaN')", "float('Infinity')"))
INTS = (("1", "2"), ("11", "12"), ("21", "22"))
ENDS = {
    "TINYINT": (("-128", "-1"), ("0", "1"), ("126", "127")),
    "SMALLINT": (("-32768", "-1"), ("0", "1"), ("32766", "32767")),
    "INT": (("-2147483648", "-1"), ("0", "1"), ("2147483646", "2147483647")),
    "BIGINT": (
        ("-9223372036854775808", "-1"),
        ("0", "1"),
        ("9223372036854775806", "9223372036854775807"),
    ),
    "DECIMAL(38,0)": (("-" + "9" * 38, "-1"), ("0", "1"), ("9" * 37 + "8", "9" * 38)),
    "DECIMAL(38,18)": (
        ("-" + "9" * 20 + "." + "9" * 18, "-0.000000000000000001"),
        ("0", "0.000000000000000001"),
        ("9" * 20 + ".5", "9" * 20 + "." + "9" * 18),
    ),
}


def mixed(title: str, kind: str, source_kind: str, *source: str, **more: object) -> Shape:
    """Small numbers in the table, of another type in the source; a payload that fits both."""
    settings = {"files": INTS, "payload_kind": "INT", "payload": ("7", "8"), **more}
    return Shape(title=title, kind=kind, source_kind=source_kind, source=source, **settings)


SHAPES = (
    *(
        Shape(
            title=f"{kind} at both its ends",
            kind=kind,
            files=files,
            source=(files[0][0], files[1][0], files[2][1], files[2][0] if n % 2 else NULL),
            on="t.k = s.k" if n % 2 else "t.k <=> s.k",
        )
        for n, (kind, files) in enumerate(ENDS.items())
    ),
    mixed("wider integers than the key's", "TINYINT", "INT", "1", "300", "-300", inserts=False),
    mixed("bigints for int keys", "INT", "BIGINT", "1", "5000000000", "22", inserts=False),
    mixed("a bigint that does not fit is inserted", "INT", "BIGINT", "1", "5000000000"),
    mixed("narrower integers than the key's", "BIGINT", "TINYINT", "1", "22", "-1"),
    mixed(
        "doubles for bigint keys, near the end of what they tell apart",
        "BIGINT",
        "DOUBLE",
        "9007199254740992D",
        "9007199254740994D",
        "1D",
        files=(("9007199254740992", "9007199254740993"), ("9007199254740995", "1"), ("2", "3")),
        inserts=False,
    ),
    mixed("doubles beyond any bigint", "BIGINT", "DOUBLE", "1e19D", "-1e19D", "21D", inserts=False),
    mixed("doubles between int keys", "INT", "DOUBLE", "1.0D", "11.5D", "22.0D", inserts=False),
    mixed("NaN and infinity for int keys", "INT", "DOUBLE", NAN, FAR, "12D", inserts=False),
    mixed("floats for int keys", "INT", "FLOAT", "1.0F", "16777216F", "22.0F", inserts=False),
    mixed("decimals for int keys", "INT", "DECIMAL(10,2)", "1.00", "11.50", "22.00"),
    mixed(
        "large decimals for bigint keys", "BIGINT", "DECIMAL(20,0)", "1", "9" * 20, inserts=False
    ),
    mixed("text for int keys", "INT", "STRING", "'1'", "' 12 '", "'+22'", "'99'"),
    mixed("text that is no number for int keys", "INT", "STRING", "'1'", "'one'"),
    mixed(
        "ints for text keys",
        "STRING",
        "INT",
        "1",
        "22",
        "7",
        files=(("'1'", "'01'"), ("'22'", "'x'")),
    ),
    mixed("ints for decimal keys", "DECIMAL(10,2)", "INT", "1", "22", "33"),
    mixed(
        "a larger scale in the source",
        "DECIMAL(10,2)",
        "DECIMAL(12,4)",
        "1.0000",
        "11.0050",
        "22.0000",
        inserts=False,
    ),
    mixed("a smaller scale in the source", "DECIMAL(12,4)", "DECIMAL(6,1)", "1.0", "11.5", "22.0"),
    mixed(
        "doubles for decimal keys",
        "DECIMAL(5,2)",
        "DOUBLE",
        "0.1D",
        "1.1D",
        "22D",
        files=(("0.10", "0.11"), ("1.10", "2.00"), ("22.00", NULL)),
        inserts=False,
    ),
    mixed(
        "doubles for float keys",
        "FLOAT",
        "DOUBLE",
        "0.1D",
        "0.5D",
        "2.5D",
        files=(("0.1F", "0.5F"), ("2.5F", "3.5F")),
        inserts=False,
    ),
    Shape(
        title="doubles of every kind by =", kind="DOUBLE", files=DOUBLES, source=(NAN, FAR, "-0.0D")
    ),
    Shape(
        title="doubles of every kind by <=>",
        kind="DOUBLE",
        files=DOUBLES,
        source=(NULL, NEAR, "0.0D", "9.5D"),
        on="t.k <=> s.k",
    ),
    Shape(
        title="doubles and no NaN in the source",
        kind="DOUBLE",
        files=DOUBLES,
        source=("-0.0D", "2.5D", "3.5D"),
    ),
    Shape(
        title="floats of every kind",
        kind="FLOAT",
        files=FLOATS,
        source=("float('NaN')", "0.0F", "0.1F"),
    ),
    Shape(
        title="the smallest and the largest doubles",
        kind="DOUBLE",
        files=(("4.9E-324D", "-4.9E-324D"), ("1.7976931348623157E308D", "1D"), ("1e-300D", "0D")),
        source=("4.9E-324D", "1.7976931348623157E308D", "-1.7976931348623157E308D"),
    ),
    Shape(
        title="partitions by doubles of every kind",
        kind="DOUBLE",
        files=DOUBLES,
        source=(NAN, "-0.0D", NEAR),
        partition_by=("k",),
    ),
    Shape(
        title="true and false by <=>",
        kind="BOOLEAN",
        files=(("true",), ("false",), (NULL,)),
        source=("true", NULL),
        on="t.k <=> s.k",
    ),
    Shape(
        title="the rest of a division",
        kind="INT",
        files=INTS,
        source=("1", "3"),
        on="t.k % 10 = s.k",
    ),
    Shape(
        title="the key without its sign",
        kind="INT",
        files=(("-1", "2"), ("-11", "12")),
        source=("1", "12"),
        on="abs(t.k) = s.k",
    ),
    Shape(
        title="the key of a computation in the source",
        kind="INT",
        files=INTS,
        source=("2", "22", "5"),
        on="t.k = s.k - 1",
    ),
    Shape(
        title="a computation that overflows in the source",
        kind="INT",
        files=INTS,
        source=("1", "2147483647"),
        on="t.k = s.k + 1",
    ),
    Shape(
        title="a cast that a condition on the source guards",
        kind="INT",
        source_kind="STRING",
        payload_kind="INT",
        payload=("7", "8"),
        files=INTS,
        source=("'1'", "'none'", "'22'"),
        on="s.k <> 'none' AND t.k = CAST(s.k AS INT)",
        inserts=False,
    ),
    Shape(
        title="a division that a condition on the source guards",
        kind="INT",
        files=INTS,
        source=("1", "0", "22"),
        on="s.k <> 0 AND t.k = 22 DIV s.k",
        inserts=False,
    ),
    Shape(
        title="a condition on the target that fails for a row that a key meets",
        kind="INT",
        files=(("1", "2"), ("0", "12"), ("21", "22")),
        source=("1", "0"),
        on="t.k = s.k AND 10 DIV t.k >= 0",
        inserts=False,
    ),
)
