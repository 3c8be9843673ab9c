"""All golden cases, by theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import (
    by_source,
    casts,
    change_feed,
    conditions,
    duplicates,
    errors,
    evolution,
    keys,
    matched,
    names,
    nested,
    not_matched,
    nulls,
    partitions,
    pruning,
    sources,
    table_features,
    vectors,
)

if TYPE_CHECKING:
    from golden import GoldenCase

THEMES = (
    matched,
    not_matched,
    conditions,
    nulls,
    duplicates,
    casts,
    keys,
    names,
    partitions,
    pruning,
    vectors,
    nested,
    sources,
    errors,
    by_source,
    evolution,
    change_feed,
    table_features,
)
CASES: tuple[GoldenCase, ...] = tuple(case for theme in THEMES for case in theme.CASES)
