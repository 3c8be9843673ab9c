"""dbt-tests-adapter whole: its classes as they are, but for the fixtures that are another
database's SQL (overrides.py). `make test` runs a share of them that moves with the commit."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest
from deviations import DEVIATIONS
from not_applicable import NOT_APPLICABLE
from overrides import OVERRIDES
from shares import of_turn
from suite import SHARE, classes

if TYPE_CHECKING:
    from collections.abc import Callable

CLASSES = classes()
APPLICABLE = [name for name in CLASSES if name not in NOT_APPLICABLE]
if "SEED" in os.environ:
    Random(int(os.environ["SEED"])).shuffle(APPLICABLE)


def test_class(name: str) -> type:
    """The suite's class under a name that pytest collects, with what is overridden in front."""
    front = (OVERRIDES[name],) if name in OVERRIDES else ()
    members = {test: _fails(test, CLASSES[name], why) for test, why in _deviations(name).items()}
    return type(_title(name), (*front, CLASSES[name]), {"__module__": __name__, **members})


def _deviations(name: str) -> dict[str, str]:
    found = {test.partition("::"): why for test, why in DEVIATIONS.items()}
    return {test: why for (of, _, test), why in found.items() if of == name}


def _fails(test: str, cls: type, why: str) -> Callable[..., None]:
    return pytest.mark.xfail(reason=why, strict=True)(getattr(cls, test))


def _title(name: str) -> str:
    return "Test_" + name.replace(".", "__")


test_class.__test__ = False  # type: ignore[attr-defined]
globals().update({_title(name): test_class(name) for name in of_turn(APPLICABLE, SHARE)})
