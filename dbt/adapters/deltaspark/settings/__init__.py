"""What a model's config says, read and checked, before anything runs."""

from . import limits, scd2, sql_expressions
from .batches import is_later_batch, window_of, window_of_own
from .config_levels import DeltaSparkConfig
from .config_reader import ConfigReader
from .helper_tables import spec_of
from .hidden_metadata import hidden_in_model
from .macros_not_run import warning_of_prefix, warnings_of_macros
from .merge_config import Clause, MergeConfig
from .merge_spec import merge_spec
from .model import CUSTOM, Batch, ModelConfig, read_incremental, read_table
from .namesakes import namesakes
from .odd_names import mapping_for, names_in, odd_names, odd_names_of_change
from .problems import (
    are_columns_told,
    early_problems,
    problems_of_change,
    problems_of_first_run,
    problems_of_later_run,
    problems_of_new_snapshot,
    warnings_of_added,
    warnings_of_columns,
    warnings_of_first_run,
    warnings_of_later_run,
    warnings_of_types,
)
from .promised_types import problems_of_lengths, problems_of_view
from .schema_change import (
    SchemaChange,
    change_problems,
    out_of_sync,
    shared,
    warnings_of_change,
)
from .schema_change_features import (
    SYNC_FEATURES,
    WIDENS,
    new_feature,
    reader_features,
    sync_properties,
)
from .snapshot import (
    CHANGE_TYPE,
    HELPER,
    Columns,
    SnapshotSettings,
    column_problems,
    is_current,
    missing_meta_columns,
    read_snapshot,
    row_changed,
    snapshot_merge,
    sql_of,
    stored_type,
)
from .sql_expressions import snapshot_problems
from .sql_tokens import name_parts, qualified, unqualified, without_semicolon
from .stored_values import in_one_type, warnings_of_narrower_types
from .table import TableConfig, table_problems, warnings_of_comments
from .table_names import EMBEDDED, OTHER, OWN, name_problems
from .type_features import as_properties, features_of, features_of_change, new_feature_of_type
from .upkeep import Upkeep

__all__ = [
    "CHANGE_TYPE",
    "CUSTOM",
    "Clause",
    "EMBEDDED",
    "HELPER",
    "OTHER",
    "OWN",
    "ConfigReader",
    "DeltaSparkConfig",
    "SYNC_FEATURES",
    "WIDENS",
    "Batch",
    "Columns",
    "MergeConfig",
    "ModelConfig",
    "SchemaChange",
    "SnapshotSettings",
    "TableConfig",
    "Upkeep",
    "are_columns_told",
    "as_properties",
    "change_problems",
    "column_problems",
    "early_problems",
    "features_of",
    "features_of_change",
    "in_one_type",
    "is_current",
    "is_later_batch",
    "limits",
    "mapping_for",
    "hidden_in_model",
    "merge_spec",
    "missing_meta_columns",
    "name_parts",
    "name_problems",
    "names_in",
    "namesakes",
    "new_feature",
    "new_feature_of_type",
    "odd_names",
    "odd_names_of_change",
    "out_of_sync",
    "problems_of_change",
    "problems_of_first_run",
    "problems_of_later_run",
    "problems_of_lengths",
    "problems_of_new_snapshot",
    "problems_of_view",
    "qualified",
    "read_incremental",
    "read_snapshot",
    "read_table",
    "reader_features",
    "row_changed",
    "scd2",
    "shared",
    "snapshot_merge",
    "snapshot_problems",
    "spec_of",
    "sql_expressions",
    "sql_of",
    "stored_type",
    "sync_properties",
    "table_problems",
    "unqualified",
    "warning_of_prefix",
    "warnings_of_added",
    "warnings_of_change",
    "warnings_of_columns",
    "warnings_of_comments",
    "warnings_of_first_run",
    "warnings_of_later_run",
    "warnings_of_macros",
    "warnings_of_narrower_types",
    "warnings_of_types",
    "window_of",
    "window_of_own",
    "without_semicolon",
]
