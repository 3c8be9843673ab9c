"""Values of both sides in one type: to be compared, and to be written without losing a field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, MapType, StructField, StructType, VariantType

from ..column_names import found
from ..engine.delta import widens

WITHOUT_ORDER = ("map<", "variant")
"""Types that Spark does not compare, as `simpleString` writes them."""


@dataclass(frozen=True, slots=True)
class Evolution:
    """What the merge of a load does to the table's columns."""

    grows: bool
    """It adds the source's new columns and fields."""
    widening: str
    """How far it widens types, as `widens` takes it."""

    def type_of(self, ours: DataType, theirs: DataType) -> DataType:
        """What the table's column becomes, without the fields that the source does not have."""
        match ours, theirs:
            case StructType(), StructType():
                return StructType([*self._fields(ours, theirs)])
            case ArrayType(), ArrayType():
                return ArrayType(self.type_of(ours.elementType, theirs.elementType))
            case MapType(), MapType():
                key = self.type_of(ours.keyType, theirs.keyType)
                return MapType(key, self.type_of(ours.valueType, theirs.valueType))
            case _:
                return ours if widens(theirs, ours, self.widening) else theirs

    def _fields(self, ours: StructType, theirs: StructType) -> Iterator[StructField]:
        for old in theirs.fields:
            new = field_of(ours, old.name)
            if new is not None:
                yield StructField(old.name, self.type_of(new.dataType, old.dataType))
        if self.grows:
            yield from (each for each in ours.fields if field_of(theirs, each.name) is None)


def field_of(schema: StructType, name: str) -> StructField | None:
    """The column of this name, in any case."""
    known = found(name, schema.names)
    return None if known is None else schema[known]


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
    field = field_of(have, want.name)
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


def lacks_fields(ours: DataType, theirs: DataType) -> bool:
    """Whether the table's type has fields that the source's does not have; not in keys of maps."""
    match ours, theirs:
        case StructType(), StructType():
            pairs = [(field_of(ours, each.name), each.dataType) for each in theirs.fields]
            return any(mine is None or lacks_fields(mine.dataType, kind) for mine, kind in pairs)
        case ArrayType(), ArrayType():
            return lacks_fields(ours.elementType, theirs.elementType)
        case MapType(), MapType():
            return lacks_fields(ours.valueType, theirs.valueType)
        case _:
            return False


def completed(value: Column, ours: DataType, theirs: DataType, stored: Column | None) -> Column:
    """The source's value with the fields that only the table has: those of `stored`, or null.

    Nothing says which element of a stored array or map one of the source's was: theirs are null.
    """
    if not lacks_fields(ours, theirs):
        return value
    match ours, theirs:
        case StructType(), StructType():
            new = [each for each in ours.fields if field_of(theirs, each.name) is None]
            fields = [
                *(_completed_field(value, ours, each, stored) for each in theirs.fields),
                *(value.getField(each.name).alias(each.name) for each in new),
            ]
            return F.when(value.isNotNull(), F.struct(*fields))
        case ArrayType(), ArrayType():
            elements = (ours.elementType, theirs.elementType, None)
            return F.transform(value, lambda each: completed(each, *elements))
        case MapType(), MapType():
            values = (ours.valueType, theirs.valueType, None)
            return F.transform_values(value, lambda _, each: completed(each, *values))
        case _:
            raise AssertionError(f"{ours} has no fields")


def _completed_field(
    value: Column, ours: StructType, field: StructField, stored: Column | None
) -> Column:
    """One that the table has."""
    before = None if stored is None else stored.getField(field.name)
    mine = field_of(ours, field.name)
    if mine is not None:
        given = completed(value.getField(mine.name), mine.dataType, field.dataType, before)
    else:
        given = F.lit(None).cast(field.dataType) if before is None else before
    return given.alias(field.name)
