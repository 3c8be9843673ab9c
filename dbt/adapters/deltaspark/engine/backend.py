"""Who carries a change out, and says what Spark makes of a query: this process, or a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from pyspark.sql.utils import is_remote

from . import embedded, remote

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from datetime import datetime

    from pyspark.sql import DataFrame, SparkSession

    from .change import ChangeRequest
    from .definition import Alteration, NamedTable
    from .merge import MergeFrame, MergeText
    from .result import MergeResult
    from .spec import TableDefinition, WriteSpec


class Backend(Protocol):
    """What both can do; results, specs and errors are the same."""

    def merge(
        self,
        request: MergeText | MergeFrame,
        *,
        conflict_retries: int = 5,
        user_metadata: str | None = None,
        idempotency_key: str | None = None,
        use_native: bool = False,
    ) -> MergeResult: ...

    def write(
        self,
        source: DataFrame,
        table: str,
        spec: WriteSpec,
        *,
        conflict_retries: int = 5,
        source_sql: str | None = None,
    ) -> MergeResult: ...

    def change(
        self,
        request: ChangeRequest,
        *,
        conflict_retries: int,
        user_metadata: str | None = None,
    ) -> MergeResult: ...

    def altered(
        self,
        target: NamedTable,
        definition: TableDefinition,
        *,
        conflict_retries: int = 5,
        user_metadata: str | None = None,
        idempotency_key: str | None = None,
    ) -> AbstractContextManager[Alteration]: ...

    def observed(
        self, spark: SparkSession, table: str, *runs: Callable[[], object]
    ) -> MergeResult: ...

    def may_read(self, source: DataFrame, table: str) -> bool:
        """Whether the query reads the Delta table; True also where nobody knows."""
        ...

    def is_select_item(self, spark: SparkSession, text: str) -> bool:
        """Whether the text is an item of a SELECT and no value, as far as anybody knows.

        Raises ParseException for what is no expression by itself.
        """
        ...

    def last_commit(self, spark: SparkSession, table: str) -> datetime: ...


def backend() -> Backend:
    """Of this process: PySpark speaks to a JVM or to a server, never to both."""
    return remote if is_remote() else embedded
