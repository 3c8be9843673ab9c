"""Single tests of dbt-tests-adapter that fail on purpose, with the reason."""

from __future__ import annotations

CHECKED_AT_ONCE = (
    "a unique_key that the model does not produce is an error of its first build already, not of"
    " the second one"
)
FILTERS_BOTH = (
    "incremental_predicates of delete+insert filter the table's and the new rows alike, as"
    " dbt-databricks does: no key comes twice"
)
POSTGRES_TEXT = "expects the text of Postgres' own statement"

NO_CASCADE = "expects that dropping a seed drops the view over it, as Postgres' CASCADE does"

DEVIATIONS: dict[str, str] = {
    "incremental.TestIncrementalUniqueKey::test__bad_unique_key": CHECKED_AT_ONCE,
    "incremental.TestIncrementalUniqueKey::test__bad_unique_key_list": CHECKED_AT_ONCE,
    "incremental.TestIncrementalPredicatesDeleteInsert::test__incremental_predicates": FILTERS_BOTH,
    "incremental.TestPredicatesDeleteInsert::test__incremental_predicates": FILTERS_BOTH,
    "ephemeral.TestEphemeralMulti::test_ephemeral_multi": POSTGRES_TEXT,
    "ephemeral.TestEphemeralNested::test_ephemeral_nested": POSTGRES_TEXT,
    "empty.BaseTestEmptySeedFlag::test_seed_empty_creates_table_with_zero_rows": "dbt-core 1.11"
    " has no `dbt seed --empty`",
    "empty.BaseTestEmptySeedFlag::test_seed_empty_preserves_column_types": "dbt-core 1.11 has no"
    " `dbt seed --empty`",
    "empty.BaseTestEmptySeedFlag::test_build_empty_with_seed": "dbt-core 1.11 has no empty seeds",
    "python_model.BasePySparkTests::test_different_dataframes": "pandas-on-Spark of Spark 4.1 needs"
    " pandas 2, and koalas, which it came from, needs Spark 3",
    "simple_copy.TestSimpleCopyBase::test_simple_copy_with_materialized_views": "creates a"
    " materialized view, which Delta Lake outside of Databricks has not",
    "simple_seed.TestBasicSeedTests::test_simple_seed_full_refresh_flag": NO_CASCADE,
    "simple_seed.TestSeedConfigFullRefreshOn::test_simple_seed_full_refresh_config": NO_CASCADE,
    "simple_snapshot.BaseSnapshotDbtValidToCurrent::test_valid_to_current": "takes rows by their"
    " place without an ORDER BY",
    "simple_seed.TestSeedSpecificFormats::test_simple_seed": "has a seed with dots in its name,"
    " which no table of Spark's catalog may have",
}
