"""Fields of structs that a model no longer has: an update that gives the struct keeps them."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql.types import DataType, StructType

from ..column_names import found
from ..engine.spec import quoted, text_literal


def lacks_fields(new: DataType, old: DataType) -> bool:
    """Whether the stored type has fields, of structs within structs, that the new one lacks."""
    if not isinstance(new, StructType) or not isinstance(old, StructType):
        return False
    names = {field.name: found(field.name, new.names) for field in old.fields}
    return any(
        name is None or lacks_fields(new[name].dataType, old[stored].dataType)
        for stored, name in names.items()
    )


def with_kept_fields(new: str, new_type: DataType, old: str, old_type: DataType) -> str:
    """SQL for the new value, with the fields that it lacks from the old one, as UPDATE SET * does:
    only null over null is null.
    """
    if not lacks_fields(new_type, old_type):
        return new
    assert isinstance(new_type, StructType)
    assert isinstance(old_type, StructType)
    fields = ", ".join(_fields(new, new_type, old, old_type))
    return f"CASE WHEN {new} IS NOT NULL OR {old} IS NOT NULL THEN named_struct({fields}) END"


def _fields(new: str, new_type: StructType, old: str, old_type: StructType) -> Iterator[str]:
    """In the table's order, and then those that only the model has."""
    for field in old_type.fields:
        stored, name = f"{old}.{quoted(field.name)}", found(field.name, new_type.names)
        value = stored
        if name is not None:
            given = f"{new}.{quoted(name)}"
            value = with_kept_fields(given, new_type[name].dataType, stored, field.dataType)
        yield f"{text_literal(field.name)}, {value}"
    for name in new_type.names:
        if found(name, old_type.names) is None:
            yield f"{text_literal(name)}, {new}.{quoted(name)}"
