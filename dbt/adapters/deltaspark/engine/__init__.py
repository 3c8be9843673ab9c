"""The merge and write engine: Delta tables changed by our plans, in Delta's own transactions."""

from .api import altered, last_commit, merge_into, observed, whole_location, write
from .api import merge_frame as merge
from .builder import DeltaTarget, MergeBuilder
from .definition import Alteration, refused_properties
from .delta import UNKNOWN_VERSION
from .detail import TableDetail, detail_of
from .errors import (
    ConstraintViolationError,
    DamagedFileError,
    DiskFullError,
    DriverLostError,
    DuplicateKey,
    DuplicateMatchError,
    EngineError,
    RepeatedHourError,
    ReplaceWhereViolationError,
    SourceReadsTargetError,
    SpecError,
    StorageError,
    StorageRefusedError,
    UnknownOutcomeError,
)
from .metrics import OperationMetrics
from .plan import ChangePlan, MergePlan
from .result import MergeResult
from .spec import STAR, Delete, Insert, MergeSpec, TableDefinition, Update, WriteSpec, quoted

__all__ = [
    "STAR",
    "UNKNOWN_VERSION",
    "Alteration",
    "ChangePlan",
    "ConstraintViolationError",
    "DamagedFileError",
    "Delete",
    "DeltaTarget",
    "DiskFullError",
    "DriverLostError",
    "DuplicateKey",
    "DuplicateMatchError",
    "EngineError",
    "Insert",
    "MergeBuilder",
    "MergePlan",
    "MergeResult",
    "MergeSpec",
    "OperationMetrics",
    "RepeatedHourError",
    "ReplaceWhereViolationError",
    "SourceReadsTargetError",
    "SpecError",
    "StorageError",
    "StorageRefusedError",
    "TableDefinition",
    "TableDetail",
    "UnknownOutcomeError",
    "Update",
    "WriteSpec",
    "altered",
    "last_commit",
    "merge",
    "merge_into",
    "observed",
    "quoted",
    "refused_properties",
    "detail_of",
    "whole_location",
    "write",
]
