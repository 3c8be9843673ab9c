"""Classes of dbt-tests-adapter that cannot apply, with the reason."""

from __future__ import annotations

NO_JAVASCRIPT = "Spark runs no JavaScript"
NO_PYTHON_FUNCTION = "open-source Spark cannot create a function of its catalog in Python"
NO_AGGREGATE = "a function of Spark's SQL cannot aggregate the rows that it is called for"
NO_PRIVILEGES = "open-source Spark has no users and no privileges"
NO_MATERIALIZED_VIEW = "Delta Lake outside of Databricks has no materialized view"
ONLY_A_BASE = "only what other classes have in common; they run its tests"

NOT_APPLICABLE: dict[str, str] = {
    "aliases.TestSameAliasDifferentDatabases": "a project lies in one catalog, spark_catalog",
    "caching.BaseCachingTest": ONLY_A_BASE,
    "constraints.BaseConstraintsColumnsEqual": ONLY_A_BASE,
    "constraints.BaseContractSqlHeader": ONLY_A_BASE,
    "dbt_clone.TestPostgresCloneNotPossible": "tables can be cloned: BaseClonePossible applies",
    "functions.BasicJSUDF": NO_JAVASCRIPT,
    "functions.JSUDFMultiLineBody": NO_JAVASCRIPT,
    "functions.JSUDFDeterministicVolatility": NO_JAVASCRIPT,
    "functions.JSUDFNonDeterministicVolatility": NO_JAVASCRIPT,
    "functions.JSUDFStableVolatilityWarns": NO_JAVASCRIPT,
    "functions.JSUDFDefaultArgSupport": NO_JAVASCRIPT,
    "functions.BasicJSAggregateUDF": NO_JAVASCRIPT,
    "functions.JSAggregateUDFVolatilityIgnored": NO_JAVASCRIPT,
    "functions.UDAFBase": ONLY_A_BASE,
    "functions.BasicPythonUDAF": NO_PYTHON_FUNCTION,
    "functions.PythonUDAFDefaultArgSupport": NO_PYTHON_FUNCTION,
    "functions.BasicSQLUDAF": NO_AGGREGATE,
    "functions.ErrorForUnsupportedType": "functions of type table are supported",
    "functions.PythonUDFNotSupported": "expects that dbt finds no macro for it; here an error names"
    " the function and the way out (tests/functional/test_functions.py)",
    "functions.PythonUDFSupported": NO_PYTHON_FUNCTION,
    "functions.PythonUDFDefaultArgSupport": NO_PYTHON_FUNCTION,
    "functions.PythonUDFVolatilitySupport": NO_PYTHON_FUNCTION,
    "functions.PythonUDFWithPackagesSupported": NO_PYTHON_FUNCTION,
    "grants.TestIncrementalGrants": NO_PRIVILEGES,
    "grants.TestInvalidGrants": NO_PRIVILEGES,
    "grants.TestModelGrants": NO_PRIVILEGES,
    "grants.TestSeedGrants": NO_PRIVILEGES,
    "grants.TestSnapshotGrants": NO_PRIVILEGES,
    "materialized_view.MaterializedViewBasic": NO_MATERIALIZED_VIEW,
    "materialized_view.MaterializedViewChanges": NO_MATERIALIZED_VIEW,
    "materialized_view.MaterializedViewChangesApplyMixin": NO_MATERIALIZED_VIEW,
    "materialized_view.MaterializedViewChangesContinueMixin": NO_MATERIALIZED_VIEW,
    "materialized_view.MaterializedViewChangesFailMixin": NO_MATERIALIZED_VIEW,
    "utils.BaseArrayUtils": ONLY_A_BASE,
    "utils.BaseUtils": ONLY_A_BASE,
    "utils.BaseDataTypeMacro": ONLY_A_BASE,
    "utils.BaseCurrentTimestamp": ONLY_A_BASE,
    "utils.TestCurrentTimestamp": "Spark's timestamps come to Python without a zone:"
    " BaseCurrentTimestampNaive applies",
}
