"""Which statements of a project's own run where the model reads a part of its rows."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.materialize.limits import withholds
from dbt.adapters.deltaspark.settings import ModelConfig, TableConfig
from dbt.adapters.deltaspark.settings.limits import EMPTY, WINDOW

ADDS = "\n  insert into t select * from v"
UPSERTS = (
    "MERGE INTO t USING v ON t.id = v.id WHEN MATCHED THEN UPDATE SET *"
    " WHEN NOT MATCHED THEN INSERT *"
)


def model(limited_by: str | None) -> ModelConfig:
    return ModelConfig(name="m", path="models/m.sql", table=TableConfig(), limited_by=limited_by)


@pytest.mark.parametrize(
    ("statements", "are_held_back"),
    [
        ([ADDS], False),
        ([ADDS, UPSERTS], False),
        ([ADDS, "delete from t where id not in (select id from v)"], True),
        (["insert overwrite t select * from v"], True),
        (["insert into t replace where day > '2026-01-01' select * from v"], True),
        ([f"{UPSERTS} WHEN NOT MATCHED BY\n SOURCE THEN UPDATE SET x = 1"], True),
        (["merge into t using v on t.id = v.id when matched then delete"], True),
        (["update t set closed = true"], True),
        (["truncate table t"], True),
    ],
)
def test_what_may_take_rows_away_is_not_run(statements: list[str], are_held_back: bool) -> None:
    assert withholds(model(EMPTY), statements) is are_held_back


@pytest.mark.parametrize("flag", [None, WINDOW])
def test_with_all_rows_every_statement_runs(flag: str | None) -> None:
    assert not withholds(model(flag), ["truncate table t"])
