"""What a model's contract promises of its rows, in Delta's terms."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..column_names import bare, found
from .config_reader import each_once
from .promised_types import problems_of_types, promised_lengths, warnings_of_types_of_contract
from .sql_tokens import without_not_null

if TYPE_CHECKING:
    from .config_reader import ConfigReader

NOT_ENFORCED = ("primary_key", "foreign_key", "unique")
CLAUSE = re.compile(
    r"\s*(?:CONSTRAINT\s+(?P<name>\w+|`[^`]+`)\s+)?"
    r"(?:CHECK\s*\((?P<condition>.*)\)(?:\s+ENFORCED)?|(?P<key>PRIMARY\s+KEY|FOREIGN\s+KEY|UNIQUE)\b.*)\s*",
    re.IGNORECASE | re.DOTALL,
)
"""What stands after ADD in ALTER TABLE, as other adapters take a custom constraint."""
Pairs: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Constraints:
    """Those that Delta holds rows to."""

    checks: Pairs = ()
    """Names to SQL conditions."""
    not_null: tuple[str, ...] = ()
    custom: Pairs = ()
    """Columns to the SQL that stands after their type."""
    lengths: Pairs = ()
    """Columns of texts to their type: `varchar(3)`, `char(3)`, or `string`."""
    are_declared: bool = False
    """Whether the contract is enforced: a table that is there then has these and no others."""

    def definitions(self) -> dict[str, str]:
        """What stands after the columns' types in CREATE TABLE."""
        texts: dict[str, str] = {}
        for name, text in dict.fromkeys(self.custom):
            texts[name] = f"{texts[name]} {text}" if name in texts else text
        for required in self.not_null:
            name = found(required, texts) or required
            texts[name] = f"{texts.get(name, '')} NOT NULL".lstrip()
        return texts


def read_constraints(
    reader: ConfigReader, spec: Mapping[str, Any], file_format: str = "delta"
) -> Constraints:
    """Of a model whose contract is enforced; else there are none. Problems stay with the reader."""
    if not is_enforced(spec["config"]):
        return Constraints()
    reader.problems += problems_of_types(spec, file_format)
    declared = [(column, each, str(each.get("type"))) for column, each in _declared(spec)]
    problems = [problem for each in declared if (problem := _problem(*each)) is not None]
    if problems:
        reader.problems += problems
        return Constraints()
    not_null = [
        name
        for column, each, kind in declared
        if kind == "not_null"
        for name in ([column] if column else map(bare, each["columns"]))
    ]
    named = [each for _, each, kind in declared if kind == "check"]
    reader.problems += dict.fromkeys(_named_alike(named))
    checks = dict.fromkeys((_name(each), _text(each)) for each in named)
    texts = [(str(column), _text(each)) for column, each, kind in declared if kind == "custom"]
    rests = [(column, without_not_null(text)) for column, text in texts]
    not_null += [given[0] for given, rest in zip(texts, rests, strict=True) if given != rest]
    custom = tuple((column, rest) for column, rest in rests if rest)
    lengths = promised_lengths(spec)
    return Constraints(tuple(checks), each_once(not_null), custom, lengths, are_declared=True)


def _named_alike(checks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A problem for each check whose name another one of them has for another condition."""
    firsts: dict[str, Mapping[str, Any]] = {}
    for each in checks:
        first = firsts.setdefault(_name(each), each)
        if _text(first) != _text(each):
            both = " and ".join(f"{one.get('name')!r} ({_text(one)})" for one in (first, each))
            yield (
                f"the check constraints {both} have one name, whose case does not count; give each"
                " a name of its own"
            )


def _problem(column: str | None, constraint: Mapping[str, Any], kind: str) -> str | None:
    expression = constraint.get("expression")
    if kind == "check" and not expression:
        return f"a check constraint{_on(column)} needs an expression"
    if kind == "not_null" and column is None and not constraint.get("columns"):
        return "a not_null constraint of the model needs columns"
    if kind == "custom" and (column is None or not expression):
        return (
            f"a custom constraint{_on(column) or ' of the model'} has the expression {expression!r}"
            "; it can be CHECK (…), and of a column the SQL after its type, such as"
            " GENERATED ALWAYS AS (…)"
        )
    return None


def warnings_of_constraints(spec: Mapping[str, Any]) -> list[str]:
    """What is declared and has no effect, but for keys that say `warn_unenforced: false`."""
    declared = [each for _, each in _declared(spec)]
    if not is_enforced(spec["config"]):
        return ["its constraints are not applied: the contract is not enforced"] if declared else []
    told = {each.get("type") for each in declared if each.get("warn_unenforced", True)}
    return warnings_of_types_of_contract(spec) + [
        f"{kind} constraints are accepted and not enforced: Delta does not know them"
        " (warn_unenforced: false in the constraint accepts that)"
        for kind in NOT_ENFORCED
        if kind in told
    ]


def is_enforced(config: Mapping[str, Any]) -> bool:
    """Whether the model's contract is."""
    contract = config.get("contract") or {}
    return bool(contract.get("enforced"))


def _declared(spec: Mapping[str, Any]) -> list[tuple[str | None, Mapping[str, Any]]]:
    """The constraints of the model and of its columns, these with their column."""
    columns = spec.get("columns") or {}
    return [
        *((None, _plain(each)) for each in spec.get("constraints") or ()),
        *(
            (str(column.get("name") or name), _plain(each))
            for name, column in columns.items()
            for each in column.get("constraints") or ()
        ),
    ]


def _plain(constraint: Mapping[str, Any]) -> Mapping[str, Any]:
    """A custom constraint that is a clause of SQL, as the constraint that it says."""
    clause = CLAUSE.fullmatch(str(constraint.get("expression") or ""))
    if constraint.get("type") != "custom" or clause is None:
        return constraint
    if clause["key"]:
        return {**constraint, "type": "_".join(clause["key"].lower().split())}
    name = constraint.get("name") or (clause["name"] and bare(clause["name"]))
    return {**constraint, "type": "check", "name": name, "expression": clause["condition"].strip()}


def _on(column: str | None) -> str:
    return f" of column {column!r}" if column else ""


def _name(constraint: Mapping[str, Any]) -> str:
    """Its own name, or one that stays the same as long as the expression does."""
    given = constraint.get("name")
    digest = hashlib.md5(_text(constraint).encode(), usedforsecurity=False)
    return str(given or f"check_{digest.hexdigest()[:12]}").lower()


def _text(constraint: Mapping[str, Any]) -> str:
    return str(constraint["expression"])
