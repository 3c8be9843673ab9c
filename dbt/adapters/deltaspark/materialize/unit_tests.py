"""Unit tests: fixture values as SQL, and the table after a run as what is compared."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

from dbt_common.exceptions import CompilationError

from ..engine.spec import quoted, text_literal
from ..near_names import or_nearest

if TYPE_CHECKING:
    from dbt.adapters.base.relation import BaseRelation

    from ..catalog import DeltaSparkRelation
    from ..connections import DeltaSparkConnectionManager

Spec = Mapping[str, Any]
"""A plain dict from macros/specs.sql."""
EXPECTATIONS = ("query", "merged_table")
"""What `expect` may be compared with: the rows of the SELECT, or the table after the run."""
UNFIT_FOR_A_TEST = (
    "location_root",
    "idempotency_key",
    "sql_header",
    "optimize",
    "zorder",
    "liquid_clustered_by",
    "auto_liquid_cluster",
)
"""Settings that would put the table of a test elsewhere, skip its run, or only cost time; and the
header, which runs before the whole test."""
WITHOUT_HEADER = ("view", "ephemeral")
"""What is read in other sessions than its own, to which a header says nothing."""
NESTED = ("array<", "map<", "struct<")


class UnitTestError(CompilationError):
    """A unit test's definition cannot be followed."""


class Runs(Protocol):
    """The part of the adapter that a unit test needs: what a run of the model calls."""

    connections: DeltaSparkConnectionManager

    def run_table(
        self, spec: Spec, code: str, target: DeltaSparkRelation, existing: BaseRelation | None
    ) -> object: ...

    def run_incremental(
        self, spec: Spec, code: str, target: DeltaSparkRelation, existing: BaseRelation | None
    ) -> object: ...

    def check_schema_exists(self, database: str, schema: str) -> bool: ...

    def create_schema(self, relation: BaseRelation) -> None: ...

    def drop_relation(self, relation: BaseRelation) -> object: ...


def tested_model(manifest: Any, test: Mapping[str, Any]) -> dict[str, Any]:
    """The model under test, as macros see models, with `expects` and `sql_header` beside it.

    A unit test's own context has neither: dbt-core gives it a manifest of fixtures alone.
    """
    node: dict[str, Any] = manifest.nodes[test["tested_node_unique_id"]].to_dict(omit_none=True)
    expects = manifest.unit_tests[test["unique_id"]].config.meta.get("expect", "query")
    if expects not in EXPECTATIONS:
        raise UnitTestError(
            f"Unit test '{test['name']}' has meta.expect: {expects!r}, which is not known"
            f"{or_nearest(str(expects), EXPECTATIONS)} ({', '.join(EXPECTATIONS)})"
        )
    kind = node["config"]["materialized"]
    if node["config"].get("incremental_strategy") == "microbatch":
        kind = "microbatch, which runs in batches of its own"
    if expects == "merged_table" and kind != "incremental":
        raise UnitTestError(
            f"Unit test '{test['name']}' has meta.expect: merged_table, which needs a model that is"
            f" incremental, and '{node['name']}' is {kind}; leave meta.expect out to compare with"
            " the rows of its SELECT"
        )
    config = {key: value for key, value in node["config"].items() if key not in UNFIT_FOR_A_TEST}
    header = None if kind in WITHOUT_HEADER else node["config"].get("sql_header")
    return {**node, "config": config, "expects": expects, "sql_header": header}


def run_merged(
    adapter: Runs, spec: Spec, code: str, given: str | None, scratch: DeltaSparkRelation
) -> None:
    """Runs the model on a table of the rows `given`, or on none, as a run of dbt would.

    What the table holds afterwards becomes a temporary view of its name; the table is dropped,
    also when the run failed. The model's schema is made where there is none yet, and stays.
    """
    if not adapter.check_schema_exists(str(scratch.database), str(scratch.schema)):
        adapter.create_schema(scratch)
    try:
        if given is not None:
            adapter.run_table(spec, given, scratch, None)
        adapter.run_incremental(spec, code, scratch, None if given is None else scratch)
        with adapter.connections.working(f"{scratch} after the run") as spark:
            rows = spark.table(scratch.render()).localCheckpoint()
            rows.createOrReplaceTempView(quoted(str(scratch.identifier)))
    finally:
        adapter.drop_relation(scratch)


def fixture_row(row: Mapping[str, Any], types: Mapping[str, str], owner: str) -> dict[str, str]:
    """The row's values as SQL by lower-case column name, in the order of the columns.

    dbt-core unites rows by position, so rows that name their columns in another order need one.
    """
    values = {name.lower(): value for name, value in row.items()}
    unknown = [name for name in values if name not in types]
    if unknown:
        raise UnitTestError(
            f"Invalid column name: '{unknown[0]}' in unit test fixture for {owner}.\n"
            f"Accepted columns for {owner} are: {list(types)}"
        )
    return {name: literal(values[name], types[name]) for name in types if name in values}


def literal(value: Any, kind: str) -> str:
    """The value as SQL of the type; a value that the type does not take is an error of Spark's."""
    match value:
        case None:
            return f"cast(null as {kind})"
        case bool() | int() | float() | Decimal():
            return f"cast({_number(value)} as {kind})"
        case datetime.date() | datetime.datetime():
            return f"cast({text_literal(value.isoformat())} as {kind})"
        case dict() | list():
            return _from_json(json.dumps(value, default=str), kind)
        case _:
            return _from_text(str(value), kind)


def _number(value: bool | float | Decimal) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    is_finite = float("-inf") < value < float("inf")
    return str(value) if is_finite else text_literal(str(value))


def _from_text(text: str, kind: str) -> str:
    """Text of a nested column is JSON, or else an expression such as `array(1, 2)`."""
    if kind == "variant" or (kind.startswith(NESTED) and text.lstrip()[:1] in ("{", "[")):
        return _from_json(text, kind)
    return f"cast({text if kind.startswith(NESTED) else text_literal(text)} as {kind})"


def _from_json(text: str, kind: str) -> str:
    if kind == "variant":
        return f"parse_json({text_literal(text)})"
    if kind.startswith(NESTED):
        fields = f"{text_literal(text)}, {text_literal(kind)}"
        return f"from_json({fields}, map('mode', 'FAILFAST'))"
    return f"cast({text_literal(text)} as {kind})"
