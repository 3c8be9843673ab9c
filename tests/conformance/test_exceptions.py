"""What is listed as an exception is there in dbt-tests-adapter, and is one."""

from __future__ import annotations

from deviations import DEVIATIONS
from maintainers import THEIRS
from not_applicable import NOT_APPLICABLE
from overrides import OVERRIDES
from suite import classes


def test_each_is_a_class_of_the_suite() -> None:
    owners = {name.partition("::")[0] for name in DEVIATIONS}
    assert (owners | NOT_APPLICABLE.keys() | OVERRIDES.keys()) - classes().keys() == set()


def test_each_test_is_one_of_its_class() -> None:
    named = [(name, *name.split("::")) for name in DEVIATIONS]
    assert [name for name, owner, test in named if not hasattr(classes()[owner], test)] == []


def test_a_class_that_cannot_apply_has_no_other_exception() -> None:
    owners = {name.partition("::")[0] for name in DEVIATIONS}
    assert (owners | OVERRIDES.keys()) & NOT_APPLICABLE.keys() == set()


def test_what_maintainers_do_is_said_of_an_exception() -> None:
    assert THEIRS.keys() - DEVIATIONS.keys() - NOT_APPLICABLE.keys() == set()
