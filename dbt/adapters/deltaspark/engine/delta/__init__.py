"""What all changes ask of Delta: a table's log, a transaction, files, conflicts, vectors."""

from . import native
from .cast_errors import naming_casts
from .change_feed import CHANGE_TYPE, copied, inserted, no_change, updated, with_images
from .checksum import Checksum, record_no_files
from .column_defaults import (
    CURRENT_DEFAULT,
    has_defaults,
    schema_to_grow_by,
    with_nulls_in_new_columns,
    without_defaults,
)
from .command_rules import (
    AUTO_MERGE,
    commit_merge,
    delete_operation,
    growing,
    has_been_executed,
    idempotency,
    is_in_log,
    noted,
    once,
    prepare_merge,
    record_unseen_reads,
    refuse_changes_since_analysis,
    refuse_miscounts,
    refuse_removals_if_append_only,
    update_operation,
    write_once,
)
from .commit_checks import before_each_commit, check_native_commit
from .conflicts import another_came_first, replayed, until_no_conflict
from .copied_session import KNOWS_ITS_COMMITS, cloned
from .data_skipping import MayHold
from .exact_filters import exact_filters
from .execution import ONE_JOB_A_QUERY, at_once, described, few_partitions, shown_in_ui
from .faults import naming_faults
from .few_vectors import Place
from .files import (
    UNKNOWN_VERSION,
    Commit,
    FileChanges,
    Files,
    FileSteps,
    Operation,
    TableSize,
    Tracking,
)
from .history import USER_METADATA, newest_version, our_commit, written_by
from .jvm import (
    CATALYST,
    DELTA,
    JavaObject,
    Jvm,
    active,
    causes_of,
    column_names,
    condition_of,
    conditions,
    confs,
    optional,
)
from .kept_rows import freed, kept, on_driver, on_server, until_no_row_is_lost
from .listed_tables import read_as_listed, reading_as_listed
from .lossy_statistics import is_lossy
from .lost_driver import first_line, is_lost
from .padded_partitions import on_padded_partitions
from .repeated_hours import TIME_ZONE, refuse_repeated_hours, repeats_hours
from .row_positions import counted_where_cheaper, row_position
from .scans import file_index, has_row_index, reads_other_columns, reads_table, scanned
from .server_errors import server_messages
from .server_sessions import kept_open, made_active, released
from .session_confs import session_confs
from .table_features import refuse_native, why_native
from .target import refuse_other_columns, table_exists, table_name
from .transactions import Transaction, transaction
from .type_widening import (
    ALWAYS,
    AUTOMATIC_WIDENING,
    NO_WIDENING,
    SAME_FAMILY,
    widening_of,
    widens,
)
from .vectors import are_few, mark_deleted, mark_places

__all__ = [
    "CURRENT_DEFAULT",
    "schema_to_grow_by",
    "without_defaults",
    "ALWAYS",
    "AUTO_MERGE",
    "AUTOMATIC_WIDENING",
    "CATALYST",
    "CHANGE_TYPE",
    "Checksum",
    "Commit",
    "DELTA",
    "FileChanges",
    "FileSteps",
    "Files",
    "JavaObject",
    "Jvm",
    "KNOWS_ITS_COMMITS",
    "MayHold",
    "NO_WIDENING",
    "ONE_JOB_A_QUERY",
    "Operation",
    "Place",
    "SAME_FAMILY",
    "TIME_ZONE",
    "TableSize",
    "Tracking",
    "Transaction",
    "UNKNOWN_VERSION",
    "USER_METADATA",
    "active",
    "another_came_first",
    "are_few",
    "at_once",
    "before_each_commit",
    "check_native_commit",
    "causes_of",
    "condition_of",
    "cloned",
    "column_names",
    "commit_merge",
    "conditions",
    "confs",
    "copied",
    "counted_where_cheaper",
    "delete_operation",
    "described",
    "exact_filters",
    "few_partitions",
    "file_index",
    "first_line",
    "freed",
    "growing",
    "has_been_executed",
    "has_defaults",
    "has_row_index",
    "idempotency",
    "inserted",
    "is_in_log",
    "is_lossy",
    "is_lost",
    "kept",
    "kept_open",
    "made_active",
    "mark_deleted",
    "mark_places",
    "naming_casts",
    "naming_faults",
    "native",
    "newest_version",
    "no_change",
    "noted",
    "on_driver",
    "on_server",
    "once",
    "on_padded_partitions",
    "optional",
    "our_commit",
    "prepare_merge",
    "read_as_listed",
    "reading_as_listed",
    "reads_other_columns",
    "reads_table",
    "record_no_files",
    "record_unseen_reads",
    "refuse_changes_since_analysis",
    "refuse_miscounts",
    "refuse_other_columns",
    "refuse_native",
    "refuse_removals_if_append_only",
    "refuse_repeated_hours",
    "released",
    "repeats_hours",
    "replayed",
    "row_position",
    "scanned",
    "session_confs",
    "server_messages",
    "shown_in_ui",
    "table_exists",
    "table_name",
    "transaction",
    "until_no_conflict",
    "until_no_row_is_lost",
    "update_operation",
    "updated",
    "why_native",
    "widening_of",
    "widens",
    "with_images",
    "with_nulls_in_new_columns",
    "written_by",
    "write_once",
]
