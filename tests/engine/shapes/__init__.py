"""All value shapes, and the trials that they are put to."""

from __future__ import annotations

from . import nested, numbers, tables, texts, times
from .shape import WAYS, Shape, Trial

SHAPES: tuple[Shape, ...] = tuple(
    shape for theme in (texts, numbers, times, nested, tables) for shape in theme.SHAPES
)
OTHER_WAYS = tuple(way for way in WAYS if way != "upsert")


def trials() -> tuple[Trial, ...]:
    """Every shape by an upsert with vectors and without, and by one more of the ways in turn."""
    upserts = [Trial(shape, "upsert", vectors) for shape in SHAPES for vectors in (True, False)]
    others = [
        Trial(shape, OTHER_WAYS[number % len(OTHER_WAYS)], number % 2 == 0)
        for number, shape in enumerate(SHAPES)
    ]
    return (*upserts, *others)
