"""The merge and write engine: Delta tables changed by our plans, in Delta's own transactions."""

from .builder import DeltaTarget, MergeBuilder, merge_into, write
from .builder import merge_frame as merge
from .errors import (
    DuplicateKey,
    DuplicateMatchError,
    EngineError,
    ReplaceWhereViolationError,
    SourceReadsTargetError,
    SpecError,
)
from .metrics import OperationMetrics
from .plan import MergePlan
from .result import ChangePlan, MergeResult
from .spec import STAR, Delete, Insert, MergeSpec, Update, WriteSpec, quoted

__all__ = [
    "STAR",
    "ChangePlan",
    "Delete",
    "DeltaTarget",
    "DuplicateKey",
    "DuplicateMatchError",
    "EngineError",
    "Insert",
    "MergeBuilder",
    "MergePlan",
    "MergeResult",
    "MergeSpec",
    "OperationMetrics",
    "ReplaceWhereViolationError",
    "SourceReadsTargetError",
    "SpecError",
    "Update",
    "WriteSpec",
    "merge",
    "merge_into",
    "quoted",
    "write",
]
