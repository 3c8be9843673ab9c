"""What a write says of a table that is there, and what the table is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..spec import WriteSpec


def refuse_other_description(
    name: str,
    spec: WriteSpec,
    properties: Mapping[str, str | None],
    comment: str | None,
    clustering: Sequence[str],
) -> None:
    """A write to a table that is there does not change what the table is; saying so is an error.

    The properties are those of the table under the keys that the write gives.
    """
    problems = [*_problems(spec, properties, comment, clustering)]
    if problems:
        raise SpecError(
            f"the write describes {name} otherwise than it is: {'; '.join(problems)}; nothing was"
            " written. Write with overwrite_schema to replace the table, or change it by ALTER."
        )


def _problems(
    spec: WriteSpec,
    properties: Mapping[str, str | None],
    comment: str | None,
    clustering: Sequence[str],
) -> Iterator[str]:
    for key, wanted in spec.properties:
        if properties.get(key) != wanted:
            yield f"property {key} is {properties.get(key)!r}, not {wanted!r}"
    if spec.comment is not None and (comment or "") != spec.comment:
        yield f"the comment is {comment!r}, not {spec.comment!r}"
    if spec.cluster_by and [*clustering] != [*spec.cluster_by]:
        yield f"it is clustered by {[*clustering]}, not by {[*spec.cluster_by]}"
    if spec.columns:
        names = ", ".join(column for column, _ in spec.columns)
        yield f"its columns are there, but {names} would be defined (columns)"
