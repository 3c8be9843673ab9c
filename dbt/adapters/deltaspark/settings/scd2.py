"""The settings of strategy scd2 against the columns that the model produces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..column_names import found
from ..scd2 import Scd2
from .config_reader import not_in_the_table, not_produced

if TYPE_CHECKING:
    from .model import History, ModelConfig

ALL = "all"
"""scd2_check_columns: every column but the key and the time."""


def written(history: History) -> tuple[str, str, str]:
    """The columns that the strategy writes beside the model's."""
    return history.valid_from, history.valid_to, history.is_current


def problems(model: ModelConfig, source: Sequence[str]) -> list[str]:
    """Columns that are missing, and columns that the model must not produce."""
    history = model.history
    if history is None:
        return []
    needed = {
        "scd2_updated_at": [history.updated_at] if history.updated_at else [],
        "scd2_check_columns": [] if _checks_all(history) else [*(history.check_columns or ())],
    }
    missing = [
        problem for key, names in needed.items() for problem in not_produced(key, names, source)
    ]
    taken = [
        f"the model produces {name!r}, which strategy scd2 writes itself; rename it, or set"
        " scd2_valid_from, scd2_valid_to or scd2_is_current"
        for name in written(history)
        if found(name, source) is not None
    ]
    return [*missing, *taken]


def table_problems(
    model: ModelConfig, source: Sequence[str], target: Sequence[str]
) -> Iterator[str]:
    """Columns that the settings name and only the model has."""
    history = model.history
    if history is None:
        return
    updated_at = [history.updated_at] if history.updated_at else []
    for key, names in (("unique_key", model.unique_key), ("scd2_updated_at", updated_at)):
        for name in names:
            if found(name, source) is not None and found(name, target) is None:
                yield (
                    f"{key} names {name!r}, which the table does not have; run the model with"
                    " --full-refresh"
                )
    if not model.evolves and not _checks_all(history):
        checked = history.check_columns or ()
        yield from not_in_the_table("scd2_check_columns", checked, source, target)


def resolved(model: ModelConfig, source: Sequence[str]) -> Scd2:
    """The settings with the columns that they mean."""
    history = model.history
    assert history is not None
    check = history.check_columns
    if _checks_all(history):
        keys = (*model.unique_key, *([history.updated_at] if history.updated_at else []))
        check = tuple(name for name in source if found(name, keys) is None)
    return Scd2(
        unique_key=model.unique_key,
        updated_at=history.updated_at,
        check_columns=check,
        valid_from=history.valid_from,
        valid_to=history.valid_to,
        is_current=history.is_current,
        invalidate_missing=history.invalidate_missing,
    )


def _checks_all(history: History) -> bool:
    return [*(history.check_columns or ())] == [ALL]
