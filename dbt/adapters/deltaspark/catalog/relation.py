"""The adapter's relation and column types: three-part names, quoted, compared without case."""

from __future__ import annotations

from dataclasses import dataclass, field

from dbt.adapters.base.column import Column
from dbt.adapters.base.relation import BaseRelation
from dbt.adapters.contracts.relation import ComponentName, Policy

from ..engine.spec import quoted


@dataclass(frozen=True, eq=False, repr=False)
class DeltaSparkRelation(BaseRelation):
    """A table or view, written `catalog`.`schema`.`name`."""

    quote_policy: Policy = field(default_factory=Policy)
    include_policy: Policy = field(default_factory=Policy)
    quote_character: str = "`"
    require_alias: bool = False

    def quoted(self, identifier: str) -> str:
        return quoted(identifier)

    def _is_exactish_match(self, field: ComponentName, value: str) -> bool:
        # Spark's catalogs ignore case, and a Hive metastore stores every name in lower case.
        return bool(self.path.get_lowered_part(field) == value.lower())


@dataclass
class DeltaSparkColumn(Column):
    """A column whose `dtype` is Spark's own text of the type."""

    comment: str | None = None

    @classmethod
    def translate_type(cls, dtype: str) -> str:
        return dtype

    @classmethod
    def string_type(cls, size: int | None = None) -> str:
        return "string"

    @classmethod
    def numeric_type(cls, dtype: str, precision: int | None, scale: int | None) -> str:
        if precision is None or scale is None:
            return "decimal"
        return f"decimal({precision},{scale})"

    @property
    def quoted(self) -> str:
        return quoted(self.column)

    @property
    def data_type(self) -> str:
        return self.dtype

    def literal(self, value: object) -> str:
        return f"cast({value} as {self.dtype})"
