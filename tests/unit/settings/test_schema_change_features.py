"""What a change of columns needs, by sync_all_columns and without it."""

from __future__ import annotations

import pytest
from pyspark.sql.types import IntegerType, LongType

from dbt.adapters.deltaspark.settings import SchemaChange, reader_features, sync_properties
from dbt.adapters.deltaspark.settings.schema_change import Retyped

DROPS = SchemaChange(removed=("old", "older"))
WIDENS = SchemaChange(retyped=(Retyped("n", IntegerType(), LongType()),))


@pytest.mark.parametrize(
    ("change", "needed", "properties"),
    [
        (SchemaChange(added=("new",)), {}, {}),
        (DROPS, {"columnMapping": "to drop old, older"}, {}),
        (WIDENS, {"typeWidening": "to widen n"}, {"delta.enableTypeWidening": "true"}),
    ],
)
def test_syncing_needs_the_features_of_the_change_alone(
    change: SchemaChange, needed: dict[str, str], properties: dict[str, str]
) -> None:
    assert reader_features("sync_all_columns", change) == needed
    assert sync_properties("sync_all_columns", change) == properties


@pytest.mark.parametrize("change", [DROPS, WIDENS])
@pytest.mark.parametrize("mode", ["ignore", "append_new_columns", "fail"])
def test_nothing_is_needed_where_columns_are_not_synced(mode: str, change: SchemaChange) -> None:
    assert reader_features(mode, change) == {}
    assert sync_properties(mode, change) == {}
