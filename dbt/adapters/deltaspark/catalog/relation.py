"""The adapter's relation and column types: three-part names, quoted, compared without case."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dbt.adapters.base.column import Column
from dbt.adapters.base.relation import BaseRelation, EventTimeFilter
from dbt.adapters.contracts.relation import ComponentName, Policy

from ..column_names import bare, unquoted
from ..engine.spec import quoted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INTEGERS = {"tinyint", "byte", "smallint", "short", "int", "integer", "bigint", "long"}
FLOATS = {"float", "real", "double"}
DECIMALS = {"decimal", "dec", "numeric"}
STRINGS = {"string", "varchar", "char", "character"}
EXPRESSION = re.compile(r"[.(:]")
"""What an event_time has that is a field of a struct or a cast, and no name."""
NAME_AND_SIZE = re.compile(r"\s*(\w+)\s*(?:\(\s*(\d+)\s*[,)])?")


@dataclass(frozen=True, eq=False, repr=False)
class DeltaSparkRelation(BaseRelation):
    """A table or view, written `catalog`.`schema`.`name`."""

    quote_policy: Policy = field(default_factory=Policy)
    include_policy: Policy = field(default_factory=Policy)
    quote_character: str = "`"
    require_alias: bool = False

    def quoted(self, identifier: str) -> str:
        """A name that is in backticks already, as a source's of dbt-spark, is not put in more."""
        return quoted(bare(identifier))

    def render(self) -> str:
        """Without a schema also without the catalog: a temporary view, or of the current schema."""
        if self.identifier and not self.schema and self.include_policy.schema:
            return self.include(database=False, schema=False).render()
        return super().render()

    def _render_event_time_filtered(self, event_time_filter: EventTimeFilter) -> str:
        """The name in backticks: in double quotes, as dbt-core has it, it is a text to Spark."""
        given = event_time_filter.field_name
        name = unquoted(given)
        column = given if name == given and EXPRESSION.search(given) else quoted(name)
        event_time_filter = replace(event_time_filter, field_name=column)
        return super()._render_event_time_filtered(event_time_filter)

    def _is_exactish_match(self, field: ComponentName, value: str) -> bool:
        # Spark's catalogs ignore case, and a Hive metastore stores every name in lower case.
        return bare(self.path.get_lowered_part(field) or "") == bare(value).lower()

    # --- what dbt-spark and dbt-databricks have, asked by macros and packages; None: not known ---

    @property
    def is_delta(self) -> bool | None:
        """Of tables of another file format, too: the catalog's lists do not say it."""
        return None if self.type is None else self.is_table

    @property
    def is_iceberg(self) -> bool:
        return False

    is_hudi = is_streaming_table = is_dlt = is_foreign_table = is_iceberg

    @property
    def information(self) -> None:
        return None

    is_external_table = is_shallow_clone = metadata = owner = stats = information

    def is_hive_metastore(self) -> bool:
        """Whether what needs Unity Catalog is not there."""
        return True


@dataclass
class DeltaSparkColumn(Column):
    """A column whose `dtype` is Spark's own text of the type, as `decimal(10,2)`."""

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

    def is_string(self) -> bool:
        return self._type_name in STRINGS

    def is_integer(self) -> bool:
        return self._type_name in INTEGERS

    def is_float(self) -> bool:
        return self._type_name in FLOATS

    def is_numeric(self) -> bool:
        return self._type_name in DECIMALS

    def string_size(self) -> int:
        """The most characters that a `varchar` or `char` holds; for a `string`, which has no limit,
        dbt's 256. Raises DbtRuntimeError where the column is no string.
        """
        return self._size or int(super().string_size())

    def can_expand_to(self, other_column: Column) -> bool:
        """Whether the other column holds longer strings: a `string` holds any."""
        if not (isinstance(other_column, DeltaSparkColumn) and other_column.is_string()):
            return False
        size, other = self._size, other_column._size
        return self.is_string() and size is not None and (other is None or other > size)

    def literal(self, value: object) -> str:
        return f"cast({value} as {self.dtype})"

    @property
    def _type_name(self) -> str:
        """Without its size, and without the collation of a string."""
        found = NAME_AND_SIZE.match(self.dtype)
        return found[1].lower() if found else ""

    @property
    def _size(self) -> int | None:
        found = NAME_AND_SIZE.match(self.dtype)
        return int(found[2]) if found and found[2] and self.is_string() else None


def reads_table(spark: SparkSession, query: str, table: BaseRelation) -> bool:
    """Whether the query reads the table, by itself or through a view."""
    plan = str(spark.sql(f"EXPLAIN EXTENDED {query}").collect()[0][0])
    parts = (table.database, table.schema, table.identifier)
    name = ".".join(part for part in parts if part).lower()
    found = re.findall(r"SubqueryAlias (.+)$", plan, re.MULTILINE)
    return name in {each.replace("`", "").lower() for each in found}
