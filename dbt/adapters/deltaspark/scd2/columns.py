"""What strategy scd2 is told, and the columns of source and table that it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, NumericType, StructField, StructType

from ..column_names import found
from ..engine import SpecError, quoted
from ..engine.delta import NO_WIDENING, widens
from .values import Evolution, comparable, completed, field_of, lacks_fields

TIMES = ("timestamp", "timestamp_ntz", "date")


def compares_nothing(
    check_columns: Sequence[str] | None, unique_key: Sequence[str], updated_at: str | None
) -> bool:
    """Whether there are columns to compare, and each is one that a key's versions differ by."""
    never = (*unique_key, *([updated_at] if updated_at else []))
    return bool(check_columns) and all(found(name, never) for name in check_columns or ())


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
        elif compares_nothing(self.check_columns, self.unique_key, self.updated_at):
            yield (
                "check_columns names only the key and updated_at, which are never compared; name"
                " the columns whose change makes a version, or leave it out"
            )
        if self.updated_at is not None and found(self.updated_at, self.unique_key) is not None:
            yield f"updated_at {self.updated_at!r} is in unique_key, so no key could ever change"
        if len({name.lower() for name in self.added}) < 3:
            yield f"valid_from, valid_to and is_current need three names, not {self.added}"


@dataclass(frozen=True, slots=True)
class Field:
    """A column of the source, and the table's of that name; None where it is to be added."""

    ours: StructField
    theirs: StructField | None
    type: DataType
    """In which both are compared."""

    @classmethod
    def of_value(cls, ours: StructField, theirs: StructField | None, evolution: Evolution) -> Field:
        kind = ours.dataType
        if theirs is not None:
            kind = evolution.type_of(kind, theirs.dataType)
        return cls(ours, theirs, kind)

    @classmethod
    def of_key(cls, ours: StructField, theirs: StructField | None, evolution: Evolution) -> Field:
        """Keys are found by all that the table has of them."""
        known = ours if theirs is None else theirs
        wider = widens(known.dataType, ours.dataType, evolution.widening)
        return cls(ours, theirs, (ours if wider else known).dataType)

    @property
    def name(self) -> str:
        """In the table."""
        return (self.theirs or self.ours).name

    @property
    def stored(self) -> Column:
        """The value in the table, in a form that can be compared."""
        if self.theirs is None:
            return comparable(F.lit(None).cast(self.type), self.type, self.type)
        return comparable(F.col(quoted(self.name)), self.theirs.dataType, self.type)

    def arriving(self, row: Column) -> Column:
        """The value in a row of the source, as the table would hold it."""
        return comparable(row.getField(self.ours.name), self.ours.dataType, self.type)

    def is_held(self, row: Column) -> Column:
        """Whether the table's type has the source's value as it is."""
        given = row.getField(self.ours.name)
        return comparable(self.arriving(row), self.type, self.ours.dataType).eqNullSafe(given)

    @property
    def casts(self) -> bool:
        """Whether the source's values take another type."""
        return self.ours.dataType.simpleString() != self.type.simpleString()

    @property
    def lacks_fields(self) -> bool:
        """Whether the table's column has fields that the source's does not have."""
        return self.theirs is not None and lacks_fields(self.ours.dataType, self.theirs.dataType)

    def written(self, row: Column, stored: Column) -> Column:
        """The value in a row of the source with the fields that only the table has."""
        assert self.theirs is not None
        given = row.getField(self.ours.name)
        return completed(given, self.ours.dataType, self.theirs.dataType, stored)


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
        return cls._matched(scd2, source, source, Evolution(grows=False, widening=NO_WIDENING))

    @classmethod
    def between(
        cls, scd2: Scd2, source: StructType, target: StructType, evolution: Evolution
    ) -> Shape:
        """The columns that both have, and in a table that grows the source's others.

        Raises SpecError where the two do not fit.
        """
        _refuse(_source_problems(scd2, source))
        _refuse(_target_problems(scd2, source, target))
        shape = cls._matched(scd2, source, target, evolution)
        if scd2.check_columns is not None and not shape.checks:
            _refuse(iter([f"the table has none of check_columns {scd2.check_columns}"]))
        return shape

    @classmethod
    def _matched(
        cls, scd2: Scd2, source: StructType, target: StructType, evolution: Evolution
    ) -> Shape:
        pairs = [(each, field_of(target, each.name)) for each in source.fields]
        keys = [each for each in pairs if found(each[0].name, scd2.unique_key) is not None]
        values = [each for each in pairs if found(each[0].name, scd2.unique_key) is None]
        return cls(
            scd2,
            keys=tuple(Field.of_key(*each, evolution) for each in keys),
            values=tuple(
                Field.of_value(*each, evolution)
                for each in values
                if evolution.grows or each[1] is not None
            ),
            updated_at=_updated_at(scd2, source),
            time=_time(scd2, source),
        )

    @property
    def key_names(self) -> list[str]:
        """Internal names, in the order of `keys`."""
        return [f"key_{number}" for number, _ in enumerate(self.keys)]

    @property
    def types(self) -> tuple[DataType, ...]:
        """In which keys and values are compared."""
        return tuple(each.type for each in (*self.keys, *self.values))

    @property
    def completed(self) -> dict[str, Field]:
        """The values that need fields of the stored version, by the name that it has them under."""
        lacking = (each for each in self.values if each.lacks_fields)
        return {f"stored_{number}": each for number, each in enumerate(lacking)}

    @property
    def checks(self) -> list[int]:
        """Positions in `values` of what is compared; updated_at orders changes and is none."""
        names = self.scd2.check_columns or ()
        return [
            position
            for position, each in enumerate(self.values)
            if found(each.ours.name, names) is not None and each.ours != self.updated_at
        ]


def _updated_at(scd2: Scd2, source: StructType) -> StructField | None:
    return None if scd2.updated_at is None else field_of(source, scd2.updated_at)


def _time(scd2: Scd2, source: StructType) -> str:
    updated_at = _updated_at(scd2, source)
    return "timestamp" if updated_at is None else updated_at.dataType.simpleString()


def _refuse(problems: Iterator[str]) -> None:
    all_problems = [*problems]
    if all_problems:
        raise SpecError(f"scd2: {'; '.join(all_problems)}; nothing was written")


def _source_problems(scd2: Scd2, source: StructType) -> Iterator[str]:
    for name in scd2.named:
        if field_of(source, name) is None:
            yield f"the source has no column {name!r}; it has {', '.join(source.names)}"
    for name in scd2.added:
        if field_of(source, name) is not None:
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
        if field_of(target, name) is None:
            yield f"the table has no key column {name!r}; a full refresh makes it"
    time = _time(scd2, source)
    times = [scd2.valid_from, scd2.valid_to, *([scd2.updated_at] if scd2.updated_at else [])]
    kinds = {**dict.fromkeys(times, time), scd2.is_current: "boolean"}
    for name, kind in kinds.items():
        field = field_of(target, name)
        if field is None:
            yield f"the table has no column {name!r} ({kind}); a full refresh makes it"
        elif field.dataType.simpleString() != kind:
            yield (
                f"the table's {name!r} is of type {field.dataType.simpleString()}, and would have"
                f" to be {kind}; cast updated_at in the source, or run a full refresh"
            )
