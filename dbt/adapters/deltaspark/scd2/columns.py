"""What strategy scd2 is told, and the columns of source and table that it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    DataType,
    MapType,
    NumericType,
    StructField,
    StructType,
    VariantType,
)

from ..column_names import found
from ..engine import SpecError, quoted

TIMES = ("timestamp", "timestamp_ntz", "date")
WITHOUT_ORDER = ("map<", "variant")
"""Types that Spark does not compare, as `simpleString` writes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scd2:
    """How a table keeps history; names are columns of the source, in any case.

    Without `updated_at` versions start at the time of the load; without `check_columns` every new
    `updated_at` is a new version.
    """

    unique_key: tuple[str, ...]
    updated_at: str | None
    check_columns: tuple[str, ...] | None
    valid_from: str = "valid_from"
    valid_to: str = "valid_to"
    is_current: str = "is_current"
    invalidate_missing: bool = False

    def __post_init__(self) -> None:
        _refuse(self._problems())

    @property
    def added(self) -> tuple[str, str, str]:
        """The table's columns that the source does not have."""
        return self.valid_from, self.valid_to, self.is_current

    @property
    def named(self) -> tuple[str, ...]:
        """The columns that the source must have."""
        updated_at = () if self.updated_at is None else (self.updated_at,)
        return tuple(dict.fromkeys((*self.unique_key, *updated_at, *(self.check_columns or ()))))

    def _problems(self) -> Iterator[str]:
        if not self.unique_key:
            yield "unique_key must name a column"
        if self.updated_at is None and self.check_columns is None:
            yield "updated_at or check_columns must be given, nothing else says what a change is"
        if self.check_columns == ():
            yield "check_columns names no column; name some, or leave it out"
        if self.updated_at is not None and found(self.updated_at, self.unique_key) is not None:
            yield f"updated_at {self.updated_at!r} is in unique_key, so no key could ever change"
        if len({name.lower() for name in self.added}) < 3:
            yield f"valid_from, valid_to and is_current need three names, not {self.added}"


@dataclass(frozen=True, slots=True)
class Field:
    """A column of the source, and the table's of that name; None where it is to be added."""

    ours: StructField
    theirs: StructField | None

    @property
    def type(self) -> DataType:
        return (self.theirs or self.ours).dataType

    @property
    def name(self) -> str:
        """In the table."""
        return (self.theirs or self.ours).name

    @property
    def stored(self) -> Column:
        """The value in the table, in a form that can be compared."""
        value = F.lit(None).cast(self.type) if self.theirs is None else F.col(quoted(self.name))
        return comparable(value, self.type, self.type)

    def arriving(self, row: Column) -> Column:
        """The value in a row of the source, as the table would hold it."""
        return comparable(row.getField(self.ours.name), self.ours.dataType, self.type)


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns that a load has to do with, found to fit each other."""

    scd2: Scd2
    keys: tuple[Field, ...]
    values: tuple[Field, ...]
    """Those of the source, but for the keys, that the table has or is to get."""
    updated_at: StructField | None
    time: str
    """The type of valid_from and valid_to."""

    @classmethod
    def of_new_table(cls, scd2: Scd2, source: StructType) -> Shape:
        """Raises SpecError where the source does not fit."""
        _refuse(_source_problems(scd2, source))
        return cls._matched(scd2, source, source, evolve=False)

    @classmethod
    def between(cls, scd2: Scd2, source: StructType, target: StructType, *, evolve: bool) -> Shape:
        """The columns that both have, and under `evolve` the source's others; else SpecError."""
        _refuse(_source_problems(scd2, source))
        _refuse(_target_problems(scd2, source, target))
        shape = cls._matched(scd2, source, target, evolve=evolve)
        if scd2.check_columns is not None and not shape.checks:
            _refuse(iter([f"the table has none of check_columns {scd2.check_columns}"]))
        return shape

    @classmethod
    def _matched(cls, scd2: Scd2, source: StructType, target: StructType, *, evolve: bool) -> Shape:
        fields = [Field(each, _field(target, each.name)) for each in source.fields]
        values = [each for each in fields if found(each.ours.name, scd2.unique_key) is None]
        return cls(
            scd2,
            keys=tuple(
                each for each in fields if found(each.ours.name, scd2.unique_key) is not None
            ),
            values=tuple(each for each in values if evolve or each.theirs is not None),
            updated_at=_updated_at(scd2, source),
            time=_time(scd2, source),
        )

    @property
    def key_names(self) -> list[str]:
        """Internal names, in the order of `keys`."""
        return [f"key_{number}" for number, _ in enumerate(self.keys)]

    @property
    def checks(self) -> list[int]:
        """Positions in `values` of what is compared; updated_at orders changes and is none."""
        names = self.scd2.check_columns or ()
        return [
            position
            for position, each in enumerate(self.values)
            if found(each.ours.name, names) is not None and each.ours != self.updated_at
        ]


def _field(schema: StructType, name: str) -> StructField | None:
    """The column of this name, in any case."""
    known = found(name, schema.names)
    return None if known is None else schema[known]


def _updated_at(scd2: Scd2, source: StructType) -> StructField | None:
    return None if scd2.updated_at is None else _field(source, scd2.updated_at)


def _time(scd2: Scd2, source: StructType) -> str:
    updated_at = _updated_at(scd2, source)
    return "timestamp" if updated_at is None else updated_at.dataType.simpleString()


def _refuse(problems: Iterator[str]) -> None:
    all_problems = [*problems]
    if all_problems:
        raise SpecError(f"scd2: {'; '.join(all_problems)}; nothing was written")


def _source_problems(scd2: Scd2, source: StructType) -> Iterator[str]:
    for name in scd2.named:
        if _field(source, name) is None:
            yield f"the source has no column {name!r}; it has {', '.join(source.names)}"
    for name in scd2.added:
        if _field(source, name) is not None:
            yield (
                f"the source has a column {name!r}, which scd2 adds to the table; rename it, or"
                " give scd2's column another name"
            )
    updated_at = _updated_at(scd2, source)
    if updated_at is None:
        return
    kind = updated_at.dataType.simpleString()
    if kind not in TIMES and not isinstance(updated_at.dataType, NumericType):
        yield (
            f"updated_at {updated_at.name!r} is of type {kind}; it must be a timestamp, a date or"
            " a number: cast it"
        )
    elif kind not in TIMES and scd2.invalidate_missing:
        yield (
            f"invalidate_missing closes keys at the time of the load, but versions start at"
            f" {updated_at.name!r}, which is of type {kind}: use a timestamp or a date as"
            " updated_at, or leave out invalidate_missing"
        )


def _target_problems(scd2: Scd2, source: StructType, target: StructType) -> Iterator[str]:
    for name in scd2.unique_key:
        if _field(target, name) is None:
            yield f"the table has no key column {name!r}; a full refresh makes it"
    time = _time(scd2, source)
    times = [scd2.valid_from, scd2.valid_to, *([scd2.updated_at] if scd2.updated_at else [])]
    kinds = {**dict.fromkeys(times, time), scd2.is_current: "boolean"}
    for name, kind in kinds.items():
        field = _field(target, name)
        if field is None:
            yield f"the table has no column {name!r} ({kind}); a full refresh makes it"
        elif field.dataType.simpleString() != kind:
            yield (
                f"the table's {name!r} is of type {field.dataType.simpleString()}, and would have"
                f" to be {kind}; cast updated_at in the source, or run a full refresh"
            )


def comparable(value: Column, have: DataType, want: DataType) -> Column:
    """The value in the wanted type, fields by name; maps and variants in a form that has order."""
    wanted = want.simpleString()
    if have.simpleString() == wanted and not any(word in wanted for word in WITHOUT_ORDER):
        return value
    match have, want:
        case StructType(), StructType():
            fields = [_comparable_field(value, have, field) for field in want.fields]
            return F.when(value.isNotNull(), F.struct(*fields))
        case ArrayType(), ArrayType():
            inner = (have.elementType, want.elementType)
            return F.transform(value, lambda each: comparable(each, *inner))
        case MapType(), MapType():
            return F.array_sort(F.transform(F.map_entries(value), _comparable_entry(have, want)))
        case _, VariantType():
            return F.to_json(value)
        case _:
            return value.cast(want)


def _comparable_field(value: Column, have: StructType, want: StructField) -> Column:
    """A field of a struct; null where the struct has none of that name."""
    field = _field(have, want.name)
    if field is None:
        nothing = F.lit(None).cast(want.dataType)
        return comparable(nothing, want.dataType, want.dataType).alias(want.name)
    inner = comparable(value.getField(field.name), field.dataType, want.dataType)
    return inner.alias(want.name)


def _comparable_entry(have: MapType, want: MapType) -> Callable[[Column], Column]:
    def entry(each: Column) -> Column:
        key = comparable(each.getField("key"), have.keyType, want.keyType)
        value = comparable(each.getField("value"), have.valueType, want.valueType)
        return F.struct(key.alias("key"), value.alias("value"))

    return entry
