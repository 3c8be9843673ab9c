"""Spark's messages as a person reads them."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.session.readable import readable

FAULT = "[PARSE_SYNTAX_ERROR] Syntax error at or near 't'. SQLSTATE: 42601"


def unparsed(lines: int, fault: int) -> str:
    """What Spark says of a statement of so many lines, one of which does not parse."""
    sql = [f"line {number}" for number in range(1, lines + 1)]
    shown = "\n".join([*sql[:fault], "-----^^^", *sql[fault:]])
    return f"\n{FAULT} (line {fault}, pos 5)\n\n== SQL ==\n{shown}\n"


@pytest.mark.parametrize(
    ("lines", "fault", "shown"),
    [
        (70, 62, "== SQL, lines 60 to 64 of 70 ==\nline 60\nline 61\nline 62\n-----^^^\nline 63"),
        (70, 1, "== SQL, lines 1 to 3 of 70 ==\nline 1\n-----^^^\nline 2\nline 3"),
        (70, 70, "== SQL, lines 68 to 70 of 70 ==\nline 68\nline 69\nline 70\n-----^^^"),
        (5, 3, "== SQL ==\nline 1\nline 2\nline 3\n-----^^^\nline 4\nline 5"),
        (1, 1, "== SQL ==\nline 1\n-----^^^"),
    ],
)
def test_of_a_long_statement_the_lines_around_the_fault_are_shown(
    lines: int, fault: int, shown: str
) -> None:
    told = readable(unparsed(lines, fault))
    assert told.startswith(f"{FAULT} (line {fault}, pos 5)\n\n{shown}")
    assert len(told.splitlines()) <= 9


def violated(*values: str) -> str:
    said = "[DELTA_VIOLATE_CONSTRAINT_WITH_VALUES] CHECK constraint few (v > 0) violated by row"
    return readable("\n - ".join([f"{said} with values:", *values]))


def test_a_null_may_be_why_a_check_is_violated_and_nothing_was_written() -> None:
    for told in (violated("v : null"), violated("v : -7", "w : null")):
        assert told.splitlines()[-1].startswith("Nothing was written. A CHECK that is null is")
    assert violated("v : -7").endswith(
        "Leave such rows out of the model, or change the constraint."
    )


def test_a_view_cannot_hold_what_information_schema_tells() -> None:
    told = readable(
        "[INVALID_TEMP_OBJ_REFERENCE] Cannot create the persistent object `c`.`s`.`mine` of the"
        " type VIEW because it references to the temporary object"
        " `__information_schema_tables_of_spark_catalog` of the type VIEW. Please make the"
        " temporary object persistent."
    )
    assert told == (
        "[INVALID_TEMP_OBJ_REFERENCE] `c`.`s`.`mine`, a view, cannot read information_schema, which"
        " is filled when a statement reads it: materialize the model as a table."
    )


def test_a_stack_trace_in_a_message_is_left_out() -> None:
    said = "Could not connect: java.net.ConnectException: refused"
    stack = "\n\tat a.b.C$D.<init>(C.scala:1)\n\tat java.base/x.Y.run(Y.java:2)\n\t... 52 more"
    assert readable(f"{said}{stack}\nCaused by: that{stack}") == f"{said}\nCaused by: that"
    assert readable("the values\n\tat (1, 2)") == "the values\n\tat (1, 2)"
