"""What a thread's jobs carry: the group by which they are cancelled, and their description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark import SparkContext

GROUP = "spark.jobGroup.id"
OF_A_GROUP = (GROUP, "spark.job.description", "spark.job.interruptOnCancel")


def group_of(context: SparkContext) -> dict[str, str | None]:
    """What the calling thread's next jobs carry."""
    return {name: context.getLocalProperty(name) for name in OF_A_GROUP}


def give_back(context: SparkContext, group: Mapping[str, str | None]) -> None:
    for name, value in group.items():
        context.setLocalProperty(name, value)  # type: ignore[arg-type]


@contextmanager
def without_group(context: SparkContext) -> Iterator[None]:
    """Jobs started within are of no group."""
    group = context.getLocalProperty(GROUP)
    give_back(context, {GROUP: None})
    try:
        yield
    finally:
        give_back(context, {GROUP: group})
