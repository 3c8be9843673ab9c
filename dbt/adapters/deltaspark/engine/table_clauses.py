"""The clauses of CREATE TABLE, as SQL: for the parser here, for servers and for dbt's macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .spec import quoted, text_literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def properties_text(properties: Mapping[str, str]) -> str:
    """What stands between the parentheses of TBLPROPERTIES and OPTIONS."""
    pairs = (f"{text_literal(key)} = {text_literal(text)}" for key, text in properties.items())
    return ", ".join(pairs)


def table_clauses(
    *,
    partition_by: Sequence[str] = (),
    cluster_by: Sequence[str] = (),
    comment: str | None = None,
    properties: Mapping[str, str],
) -> str:
    """What stands between USING and AS in CREATE TABLE, a line each; nothing for what is not given.

    The location stands among the properties, as `WriteSpec` has it.
    """
    others = dict(properties)
    location = others.pop("location", None)
    clauses = {
        "PARTITIONED BY (%s)": ", ".join(map(quoted, partition_by)),
        "CLUSTER BY (%s)": ", ".join(map(quoted, cluster_by)),
        "LOCATION %s": "" if location is None else text_literal(location),
        "COMMENT %s": "" if comment is None else text_literal(comment),
        "TBLPROPERTIES (%s)": properties_text(others),
    }
    return "\n".join(clause % value for clause, value in clauses.items() if value)
