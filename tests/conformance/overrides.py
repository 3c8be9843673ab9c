"""What of dbt-tests-adapter is another database's, in Spark's.

Each is a class that stands in front of the suite's; its first line says why. No test's body is
changed.
"""

from __future__ import annotations

from catalogs import CatalogOfBasics, CatalogOfOne, CatalogOfReferences, KindsOfRelations
from constraints import (
    ColumnsOfSparksTypes,
    ConstraintsOfATable,
    ErrorsOfDelta,
    QuotedConstraintsOfATable,
    StringForText,
    TimeZoneOfSpark,
)
from hooks import (
    DefaultArguments,
    Deterministic,
    HooksOfModels,
    HooksOfRuns,
    NotDeterministic,
    NoWordForStable,
)
from texts import (
    CastsOfSpark,
    DatesOfSpark,
    ProfileOfTheTests,
    QuotedInBackticks,
    SeedOfFloats,
    SeedOfInts,
    SeedTypesOfSpark,
    SyntaxErrorOfSpark,
    TimestampsOfSpark,
    ValuesOfSparksTypes,
    VarcharWithALength,
)

OVERRIDES: dict[str, type] = {
    "aliases.TestAliases": StringForText,
    "aliases.TestSameAliasDifferentSchemas": StringForText,
    "basic.TestDocsGenerate": CatalogOfBasics,
    "basic.TestDocsGenReferences": CatalogOfReferences,
    "basic.BaseGetCatalogForSingleRelation": CatalogOfOne,
    "catalog.CatalogRelationTypes": KindsOfRelations,
    "column_types.TestPostgresColumnTypes": CastsOfSpark,
    "constraints.TestTableConstraintsColumnsEqual": ColumnsOfSparksTypes,
    "constraints.TestViewConstraintsColumnsEqual": ColumnsOfSparksTypes,
    "constraints.TestIncrementalConstraintsColumnsEqual": ColumnsOfSparksTypes,
    "constraints.TestTableConstraintsRuntimeDdlEnforcement": ConstraintsOfATable,
    "constraints.TestIncrementalConstraintsRuntimeDdlEnforcement": ConstraintsOfATable,
    "constraints.TestModelConstraintsRuntimeEnforcement": ConstraintsOfATable,
    "constraints.TestConstraintQuotedColumn": QuotedConstraintsOfATable,
    "constraints.TestTableConstraintsRollback": ErrorsOfDelta,
    "constraints.TestIncrementalConstraintsRollback": ErrorsOfDelta,
    "constraints.TestTableContractSqlHeader": TimeZoneOfSpark,
    "constraints.TestIncrementalContractSqlHeader": TimeZoneOfSpark,
    "dbt_show.TestShowDoesNotHandleDoubleLimit": SyntaxErrorOfSpark,
    "empty.MetadataWithEmptyFlag": VarcharWithALength,
    "functions.DeterministicUDF": Deterministic,
    "functions.NonDeterministicUDF": NotDeterministic,
    "functions.StableUDF": NoWordForStable,
    "functions.SqlUDFDefaultArgSupport": DefaultArguments,
    "hooks.TestHookRefs": HooksOfModels,
    "hooks.TestPrePostModelHooks": HooksOfModels,
    "hooks.TestPrePostModelHooksInConfig": HooksOfModels,
    "hooks.TestPrePostModelHooksInConfigKwargs": HooksOfModels,
    "hooks.TestPrePostModelHooksInConfigWithCount": HooksOfModels,
    "hooks.TestPrePostModelHooksUnderscores": HooksOfModels,
    "hooks.TestPrePostRunHooks": HooksOfRuns,
    "simple_copy.TestSimpleCopyUppercase": ProfileOfTheTests,
    "simple_seed.TestSimpleSeedColumnOverride": SeedTypesOfSpark,
    "unit_testing.BaseUnitTestQuotedReservedWordColumnNames": QuotedInBackticks,
    "unit_testing.TestPostgresUnitTestingTypes": ValuesOfSparksTypes,
    "utils.TestCurrentTimestamps": TimestampsOfSpark,
    "utils.TestGetIntervalsBetween": DatesOfSpark,
    "utils.TestTypeFloat": SeedOfFloats,
    "utils.TestTypeInt": SeedOfInts,
}
