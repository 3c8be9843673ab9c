"""The lengths of a table's texts, changed in one commit, and put back where the block fails."""

from __future__ import annotations

import pytest
from altering import alter, fail, insert, rows_of
from py4j.protocol import Py4JJavaError

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.errors import ConstraintViolationError
from dbt.adapters.deltaspark.engine.spec import CHAR_OR_VARCHAR


def kind_of(target: engine.DeltaTarget) -> str:
    return str(target.schema()["v"].metadata.get(CHAR_OR_VARCHAR, "string"))


def test_texts_get_a_length_and_another_one_and_none(target: engine.DeltaTarget) -> None:
    assert alter(target, lengths=(("V", "varchar(3)"),)).changes == (
        "type v: string -> varchar(3)",
    )
    assert alter(target, lengths=(("v", "varchar(3)"),)) == engine.Alteration(None, ())
    insert(target, "(7, 'abc', 1)")
    with pytest.raises(Py4JJavaError, match="DELTA_EXCEED_CHAR_VARCHAR_LIMIT"):
        insert(target, "(8, 'abcd', 1)")
    fail(target, lengths=(("v", "varchar(4)"),))
    assert kind_of(target) == "varchar(3)"
    with pytest.raises(ConstraintViolationError, match=r"v varchar\(2\): 1 rows"):
        alter(target, lengths=(("v", "varchar(2)"),))
    assert kind_of(target) == "varchar(3)"
    alter(target, lengths=(("v", "char(4)"),))
    insert(target, "(8, 'abcd', 1)")
    assert [row[1] for row in rows_of(target)][-2:] == ["abc ", "abcd"]
    alter(target, lengths=(("v", "string"),))
    insert(target, "(9, 'abcdefg', 1)")
    assert kind_of(target) == "string"
