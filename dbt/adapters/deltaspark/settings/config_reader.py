"""Reads values out of a config dict, one type at a time, and keeps what was wrong with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..column_names import bare, found
from ..near_names import listed, or_nearest
from ..session import shown
from .sql_tokens import items


def not_produced(
    key: str, names: Iterable[str], source: Collection[str], by: str = "the model"
) -> list[str]:
    """A problem for each name under the key that is no column of the model, with what may be."""
    return [
        f"{key} names {name!r}, which {by} does not produce"
        f"{or_nearest(name, source) or f'; its columns are {listed(source)}'}"
        for name in names
        if found(name, source) is None
    ]


def not_in_the_table(
    key: str, names: Iterable[str], source: Collection[str], target: Collection[str]
) -> Iterator[str]:
    """A problem for each name under the key that the model produces, and that is not written."""
    for name in names:
        if found(name, source) is not None and found(name, target) is None:
            yield (
                f"{key} names {name!r}, which the table does not have; set on_schema_change:"
                " append_new_columns to add it, or run the model with --full-refresh"
            )


def as_flag(value: object) -> bool | None:
    """A boolean, or the text of one in any case; None for what is neither."""
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def is_asked(value: object) -> bool:
    """Whether a key has a value, and not one that says no."""
    return bool(value) and as_flag(value) is not False


class ConfigReader:
    """Each method returns a usable value, also when it had to note a problem."""

    def __init__(self, config: Mapping[str, Any], label: str = "") -> None:
        self._config = config
        self._prefix = f"{label}." if label else ""
        self.problems: list[str] = []

    def value(self, key: str) -> Any:
        """Whatever dbt has under the key: this is where types are found out."""
        value = self._config.get(key)
        return None if value == "" else value

    def text(self, key: str) -> str | None:
        value = self.value(key)
        if value is None or isinstance(value, str):
            return value
        self._expected(key, "a text", value)
        return None

    def flag(self, key: str, default: bool) -> bool:
        value = self.value(key)
        flag = as_flag(value)
        if value is not None and flag is None:
            self._expected(key, "true or false", value)
        return default if flag is None else flag

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        value = self.value(key)
        if value is None or value in choices:
            return default if value is None else str(value)
        begun = next((each for each in choices if each.startswith(f"{value}_")), None)
        hint = or_nearest(str(value), choices, meant=begun)
        self._expected(key, "one of " + ", ".join(choices), value, hint)
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.value(key)
        return self._listed(key, [value] if isinstance(value, str) else value)

    def _listed(self, key: str, values: Any) -> tuple[str, ...]:
        if values is None:
            return ()
        if isinstance(values, (list, tuple)) and all(
            isinstance(i, str) and i.strip() for i in values
        ):
            return tuple(values)
        self._expected(key, "a text or a list of texts", self.value(key))
        return ()

    def names(self, key: str) -> tuple[str, ...] | None:
        """Column names without their quotes, each once; None when the key is not set."""
        return None if self.value(key) is None else each_once(self.texts(key))

    def columns(self, key: str) -> tuple[str, ...]:
        """The same, where a text is a list of SQL: other adapters paste it into a statement."""
        value = self.value(key)
        return each_once(self._listed(key, items(value) if isinstance(value, str) else value))

    def mapping(self, key: str) -> dict[str, str]:
        """Names to texts; numbers and booleans as Spark writes them are the caller's business."""
        value = self.value(key)
        if value is None:
            return {}
        if isinstance(value, Mapping):
            return {str(name): _written(item) for name, item in value.items()}
        self._expected(key, "a dictionary", value)
        return {}

    def _expected(self, key: str, wanted: str, value: object, hint: str = "") -> None:
        got = shown(key, value)
        self.problems.append(f"{self._prefix}{key} must be {wanted}, got {got!r}{hint}")


def each_once(names: Iterable[str]) -> tuple[str, ...]:
    """Column names without their quotes, the first of those that differ in case only."""
    once: dict[str, str] = {}
    for name in map(bare, names):
        once.setdefault(name.lower(), name)
    return tuple(once.values())


def _written(value: object) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
