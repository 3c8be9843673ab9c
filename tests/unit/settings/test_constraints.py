"""Constraints of a contract, and what is asked of columns that a write adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from models import ORDERS, columns, problems, spec

from dbt.adapters.deltaspark.settings.model import read_table
from dbt.adapters.deltaspark.settings.table import (
    TableConfig,
    problems_of_new_columns,
)

if TYPE_CHECKING:
    from dbt.adapters.deltaspark.settings.constraints import Constraints

NOT_ENFORCED = (
    "constraints are accepted and not enforced: Delta does not know them"
    " (warn_unenforced: false in the constraint accepts that)"
)


def contracted(**facts: Any) -> TableConfig:
    return read_table(spec({"contract": {"enforced": True}}, **facts)).table


def told(**facts: Any) -> tuple[str, ...]:
    return read_table(spec({"contract": {"enforced": True}}, **facts)).warnings


def test_constraints_of_an_enforced_contract_are_the_tables() -> None:
    table = read_table(
        spec(
            {"contract": {"enforced": True}},
            constraints=[{"type": "check", "name": "Positive", "expression": "amount > 0"}],
            columns={
                "id": {"name": "id", "constraints": [{"type": "not_null"}, {"type": "unique"}]},
                "day": {
                    "name": "day",
                    "constraints": [{"type": "custom", "expression": "GENERATED ALWAYS AS (x)"}],
                },
            },
        )
    ).table
    assert table.constraints.checks == (("positive", "amount > 0"),)
    assert table.constraints.definitions() == {"id": "NOT NULL", "day": "GENERATED ALWAYS AS (x)"}
    assert table.creation_properties(["id"])["delta.constraints.positive"] == "amount > 0"


@pytest.mark.parametrize(
    ("constraint", "checks"),
    [
        ({"expression": "CHECK (amount > (1))"}, (("check_", "amount > (1)"),)),
        ({"expression": "check(id > 0) enforced", "name": "Own"}, (("own", "id > 0"),)),
        ({"expression": "CONSTRAINT `a b` CHECK\n(id > 0)"}, (("a b", "id > 0"),)),
        ({"expression": "PRIMARY KEY (id) RELY"}, ()),
    ],
)
def test_a_custom_constraint_may_be_a_clause_of_sql(
    constraint: dict[str, str], checks: tuple[tuple[str, str], ...]
) -> None:
    custom = {"type": "custom", **constraint}
    of_model = contracted(constraints=[custom]).constraints
    of_column = contracted(columns={"id": {"name": "id", "constraints": [custom]}}).constraints
    assert of_model == of_column
    assert (len(of_model.checks), of_model.custom) == (len(checks), ())
    for (name, condition), (expected, same) in zip(of_model.checks, checks, strict=True):
        assert condition == same
        assert name == expected or name.startswith("check_")


def test_a_key_in_a_custom_constraint_is_not_enforced_either() -> None:
    custom = {"type": "custom", "expression": "FOREIGN KEY (id) REFERENCES other"}
    model = read_table(spec({"contract": {"enforced": True}}, constraints=[custom]))
    assert (model.problems, model.warnings) == ((), (f"foreign_key {NOT_ENFORCED}",))


def test_a_key_that_accepts_not_to_be_enforced_is_not_told() -> None:
    accepted = {"type": "primary_key", "columns": ["id"], "warn_unenforced": False}
    of_column = {"columns": {"id": {"name": "id", "constraints": [accepted]}}}
    assert told(constraints=[accepted]) == told(**of_column) == ()
    another = {**accepted, "warn_unenforced": True}
    assert told(**of_column, constraints=[another]) == (f"primary_key {NOT_ENFORCED}",)


def test_a_custom_constraint_of_a_model_that_is_no_clause_is_told() -> None:
    custom = {"type": "custom", "expression": "DEFAULT 1"}
    model = read_table(spec({"contract": {"enforced": True}}, constraints=[custom]))
    assert model.problems == (
        "a custom constraint of the model has the expression 'DEFAULT 1'; it can be CHECK (…), and"
        " of a column the SQL after its type, such as GENERATED ALWAYS AS (…)",
    )


def test_two_checks_of_one_name_whatever_its_case_are_a_problem() -> None:
    named = [
        {"type": "check", "name": "pos", "expression": "a > 0"},
        {"type": "check", "name": "Pos", "expression": "b > 0"},
    ]
    model = read_table(spec({"contract": {"enforced": True}}, constraints=named))
    assert model.problems == (
        "the check constraints 'pos' (a > 0) and 'Pos' (b > 0) have one name, whose case does not"
        " count; give each a name of its own",
    )


def test_one_check_said_twice_is_one() -> None:
    unnamed = {"type": "check", "expression": "a > b"}
    twice = {name: {"name": name, "constraints": [unnamed]} for name in ("a", "b")}
    named = [{**unnamed, "name": name} for name in ("pos", "Pos")]
    checks = contracted(columns=twice, constraints=named).constraints.checks
    assert [condition for _, condition in checks] == ["a > b", "a > b"]
    assert checks[0][0] == "pos"
    assert checks[1][0].startswith("check_")


def test_a_column_that_is_required_twice_is_required_once() -> None:
    of_column = {"a": {"name": "a", "constraints": [{"type": "not_null"}]}}
    of_model = [{"type": "not_null", "columns": ["A", "b", "`B`"]}]
    assert contracted(columns=of_column, constraints=of_model).constraints.not_null == ("A", "b")


def custom_of(*texts: str) -> Constraints:
    constraints = [{"type": "custom", "expression": text} for text in texts]
    return contracted(columns={"a": {"name": "a", "constraints": constraints}}).constraints


@pytest.mark.parametrize(
    ("text", "is_required", "rest"),
    [
        ("NOT NULL DEFAULT 0", True, "DEFAULT 0"),
        ("DEFAULT 0 not  null COMMENT 'x'", True, "DEFAULT 0 COMMENT 'x'"),
        ("NOT /* at all */ NULL -- ever", True, ""),
        ("DEFAULT 'a  b' NOT\nNULL", True, "DEFAULT 'a  b'"),
        ("DEFAULT 'NOT NULL'", False, "DEFAULT 'NOT NULL'"),
        ("GENERATED ALWAYS AS (b IS NOT NULL)", False, "GENERATED ALWAYS AS (b IS NOT NULL)"),
        ("DEFAULT 1 IS NOT NULL", False, "DEFAULT 1 IS NOT NULL"),
        ("DEFAULT 1 IS NOT NULL NOT NULL", True, "DEFAULT 1 IS NOT NULL"),
    ],
)
def test_not_null_in_the_text_of_a_column_makes_it_required(
    text: str, is_required: bool, rest: str
) -> None:
    found = custom_of(text)
    assert found.not_null == (("a",) if is_required else ())
    assert found.custom == ((("a", rest),) if rest else ())
    assert ("a" in found.definitions()) is bool(rest or is_required)


def test_all_texts_of_a_column_stand_after_its_type() -> None:
    found = custom_of("DEFAULT 0", "NOT NULL", "COMMENT 'x'", "DEFAULT 0")
    assert found.definitions() == {"a": "DEFAULT 0 COMMENT 'x' NOT NULL"}


def test_a_column_is_defined_once_whatever_the_case_of_its_name() -> None:
    of_model = [{"type": "not_null", "columns": ["A", "b"]}]
    custom = [{"type": "custom", "expression": "DEFAULT 0"}]
    found = contracted(columns={"a": {"name": "a", "constraints": custom}}, constraints=of_model)
    assert found.constraints.definitions() == {"a": "DEFAULT 0 NOT NULL", "b": "NOT NULL"}


@pytest.mark.parametrize(
    ("contract", "told"),
    [
        (False, "its constraints are not applied: the contract is not enforced"),
        (True, f"unique {NOT_ENFORCED}"),
    ],
)
def test_constraints_that_do_nothing_are_told(contract: bool, told: str) -> None:
    model = read_table(spec({"contract": {"enforced": contract}}, constraints=[{"type": "unique"}]))
    assert model.warnings == (told,)


@pytest.mark.parametrize(
    ("kind", "reasons"),
    [
        ("varchar(3)", []),
        ("varchar(3) NOT NULL", ["NOT NULL is no part"]),
        ("string not null", ["NOT NULL is no part"]),
        ("varchar(3) COLLATE UTF8_LCASE", ["only a whole column"]),
        ("array<varchar(3)>", ["only a whole column"]),
        ("struct<a: char(3) not null>", ["only a whole column", "NOT NULL is no part"]),
        ("struct<varchar: int>", []),
    ],
)
def test_what_a_type_promises_in_vain_is_told(kind: str, reasons: list[str]) -> None:
    columns_of = {"a": {"name": "a", "data_type": kind}}
    problems = read_table(spec({"contract": {"enforced": True}}, columns=columns_of)).problems
    assert len(problems) == len(reasons)
    for problem, reason in zip(problems, reasons, strict=True):
        assert f"'a' the type {kind!r}: {reason}" in problem


@pytest.mark.parametrize(
    ("kind", "is_told"),
    [
        ("struct<a: int comment 'x'>", True),
        ('struct<comment: string COMMENT "x">', True),
        ("struct<a: int comment r'x'>", True),
        ("struct<id: int, comment: string>", False),
        ("array<struct<comment string>>", False),
    ],
)
def test_a_comment_in_a_type_is_told_and_a_field_of_that_name_is_none(
    kind: str, is_told: bool
) -> None:
    columns_of = {"a": {"name": "a", "data_type": kind}}
    model = read_table(spec({"contract": {"enforced": True}}, columns=columns_of))
    told = "the comments in the type of 'a' are not written: Spark takes none from a query"
    assert model.warnings == ((told,) if is_told else ())


def test_what_is_asked_of_a_column_that_the_write_adds_has_a_way_out() -> None:
    grown = columns(**{field.name: field.dataType for field in ORDERS.fields}, late="int")
    clustered = {"liquid_clustered_by": "Late", "on_schema_change": "append_new_columns"}
    (problem,) = problems({"unique_key": "id", **clustered}, grown)
    assert problem == (
        "liquid_clustered_by names 'Late', which the table does not have yet: run the model once"
        " without it, or with --full-refresh"
    )
    assert problems({"unique_key": "id", **clustered}, grown, grown) == []
    left_alone = {**clustered, "incremental_apply_config_changes": False}
    assert problems({"unique_key": "id", **left_alone}, grown) == []


def test_a_required_column_that_the_write_adds_would_be_null_in_old_rows() -> None:
    table = contracted(columns={"late": {"constraints": [{"type": "not_null"}]}})
    (problem,) = problems_of_new_columns(table, ["late"])
    assert problem.startswith("a not_null constraint names 'late', which the table does not have")
    assert "--full-refresh" in problem
    assert problems_of_new_columns(table, ["other"]) == []


def test_a_check_of_a_column_that_the_write_adds_is_named() -> None:
    check = {"type": "check", "name": "early", "expression": "`late` is null or late < s.late"}
    table = contracted(constraints=[check])
    assert problems_of_new_columns(table, ["Late"]) == [
        "the check 'early' names 'late', which the table does not have yet: run the model once"
        " without it, or with --full-refresh"
    ]
    assert problems_of_new_columns(table, ["is_late"]) == []
