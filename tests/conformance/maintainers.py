"""What the tests of dbt-spark and of dbt-databricks do with a class that is an exception here.

Read at dbt-labs/dbt-adapters 802d40f and databricks/dbt-databricks 45351e1. A class that they run
as it is, or do not run and say nothing of, is not listed.
"""

from __future__ import annotations

GRANTS = (
    "dbt-spark skips it on Spark without Databricks; dbt-databricks skips it, for want of users"
    " for tests"
)
WAREHOUSES = "dbt-databricks skips it on clusters: only its SQL warehouses have materialized views"
WITHOUT_THE_TEXT = "dbt-databricks replaces the test by one without the text"
ONLY_MERGES = "dbt-spark and dbt-databricks run it with a model of their own, which merges"
NO_CASCADE_EITHER = "dbt-databricks leaves it out: Databricks has no CASCADE for it, either"
NOT_WITHOUT_DATABRICKS = "dbt-spark skips the class on Spark without Databricks"

THEIRS: dict[str, str] = {
    "ephemeral.TestEphemeralMulti::test_ephemeral_multi": WITHOUT_THE_TEXT,
    "ephemeral.TestEphemeralNested::test_ephemeral_nested": WITHOUT_THE_TEXT,
    "grants.TestIncrementalGrants": GRANTS,
    "grants.TestInvalidGrants": GRANTS,
    "grants.TestModelGrants": GRANTS,
    "grants.TestSeedGrants": GRANTS,
    "grants.TestSnapshotGrants": GRANTS,
    "incremental.TestIncrementalPredicatesDeleteInsert::test__incremental_predicates": ONLY_MERGES,
    "incremental.TestIncrementalUniqueKey::test__bad_unique_key": NOT_WITHOUT_DATABRICKS,
    "incremental.TestIncrementalUniqueKey::test__bad_unique_key_list": NOT_WITHOUT_DATABRICKS,
    "incremental.TestPredicatesDeleteInsert::test__incremental_predicates": ONLY_MERGES,
    "materialized_view.MaterializedViewBasic": WAREHOUSES,
    "materialized_view.MaterializedViewChanges": WAREHOUSES,
    "materialized_view.MaterializedViewChangesApplyMixin": WAREHOUSES,
    "materialized_view.MaterializedViewChangesContinueMixin": WAREHOUSES,
    "materialized_view.MaterializedViewChangesFailMixin": WAREHOUSES,
    "python_model.BasePySparkTests::test_different_dataframes": "dbt-spark leaves the model of"
    " koalas out, dbt-databricks that of pandas-on-Spark, too",
    "simple_copy.TestSimpleCopyBase::test_simple_copy_with_materialized_views": WAREHOUSES,
    "simple_seed.TestBasicSeedTests::test_simple_seed_full_refresh_flag": NO_CASCADE_EITHER,
    "simple_seed.TestSeedSpecificFormats::test_simple_seed": "dbt-databricks leaves that seed out",
    "simple_snapshot.BaseSnapshotDbtValidToCurrent::test_valid_to_current": "dbt-databricks runs a"
    " copy of it, with ORDER BY",
    "utils.TestCurrentTimestamp": "dbt-spark runs BaseCurrentTimestampNaive, too",
}
