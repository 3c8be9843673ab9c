"""The merge and write engine: Delta tables changed by our plans, in Delta's own transactions."""

from .builder import DeltaTarget, MergeBuilder, merge_into
from .builder import merge_frame as merge
from .errors import (
    DuplicateKey,
    DuplicateMatchError,
    EngineError,
    SourceReadsTargetError,
    SpecError,
)
from .merge import MergeResult
from .metrics import OperationMetrics
from .plan import MergePlan
from .spec import STAR, Delete, Insert, MergeSpec, Update, quoted
from .write import write

__all__ = [
    "STAR",
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
    "SourceReadsTargetError",
    "SpecError",
    "Update",
    "merge",
    "merge_into",
    "quoted",
    "write",
]
