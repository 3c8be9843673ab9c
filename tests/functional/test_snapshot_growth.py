"""A snapshot gains a column of a type that a table must know."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

GROWS = """{% snapshot grows %}
{{ config(strategy='check', unique_key='id', check_cols=['v']) }}
select 1 as id, {{ var('v', 1) }} as v
{{ ", timestamp_ntz'2026-01-02' as at" if var('v', 1) == 2 }}
{% endsnapshot %}
"""


REFUSED = GROWS.replace("grows", "refused").replace(
    "config(", "config(allow_protocol_upgrade=false, "
)


class TestSnapshotGrowth:
    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"grows.sql": GROWS, "refused.sql": REFUSED}

    def test_its_next_run_writes_the_column(self, project: TestProjInfo) -> None:
        for v in (1, 2):
            run = dbt(project, "snapshot", "--vars", f"{{v: {v}}}")
            assert run.status("grows") == "success", run.message("grows")
        (warning,) = [each for each in run.warnings if "'grows'" in each]
        assert "the type of at needs the table feature timestampNtz" in warning
        found = rows(project, "select v, at from {schema}.grows order by v")
        assert found == [(1, None), (2, datetime(2026, 1, 2))]

    def test_it_grows_by_no_feature_that_it_refuses(self, project: TestProjInfo) -> None:
        for v in (1, 2):
            run = dbt(project, "snapshot", "--select", "refused", "--vars", f"{{v: {v}}}")
        assert "allow_protocol_upgrade is false; cast to another type" in run.message("refused")
        assert rows(project, "select v from {schema}.refused") == [(1,)]
