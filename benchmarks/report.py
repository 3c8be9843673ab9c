"""The measures as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import TYPE_CHECKING

from engines import ENGINES
from workload import WORKLOADS

if TYPE_CHECKING:
    from rounds import Measure

STAGES = ("materializeSourceTimeMs", "scanTimeMs", "rewriteTimeMs", "executionTimeMs")


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as their widest cell: the first to the left, the others to the right."""
    lines = [tuple(header), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join((line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:]))).rstrip()
        for line in lines
    )


def timing_report(measures: Sequence[Measure], marks: dict[str, dict[str, float]]) -> str:
    """For each source a line an engine: its time, the times it takes of ours, the mark for that."""
    keys = dict.fromkeys(measure.keys for measure in measures)
    return "\n\n".join(
        _keys_report(name, [m for m in measures if m.keys == name], marks.get(name, {}))
        for name in keys
    )


def _keys_report(keys: str, measures: Sequence[Measure], marks: dict[str, float]) -> str:
    return "\n".join(filter(None, (WORKLOADS[keys], _timings(measures, marks), _stages(measures))))


def _timings(measures: Sequence[Measure], marks: dict[str, float]) -> str:
    ours = [m.seconds for m in measures if m.engine == "ours"]
    rows = [_timing(measures, name, ours, marks.get(name)) for name in _engines(measures)]
    return table(("engine", "median s", "min", "max", "jobs", "x ours", "mark", "route"), rows)


def _stages(measures: Sequence[Measure]) -> str:
    told = [m for m in measures if set(STAGES) <= m.metrics.keys()]
    rows = [(name, *(_stage(told, name, stage) for stage in STAGES)) for name in _engines(told)]
    return table(("stages, ms", "source", "scan", "rewrite", "whole"), rows) if rows else ""


def _timing(
    measures: Sequence[Measure], name: str, ours: list[float], mark: float | None
) -> tuple[str, ...]:
    own = [m for m in measures if m.engine == name]
    times = [m.seconds for m in own]
    ratio = median(times) / median(ours) if ours else None
    return (
        name,
        *(f"{time:.2f}" for time in (median(times), min(times), max(times))),
        f"{median(m.jobs for m in own):g}",
        f"{ratio:.2f}" if ratio else "",
        _mark(ratio, mark),
        own[-1].route,
    )


def _mark(ratio: float | None, mark: float | None) -> str:
    if ratio is None or mark is None:
        return ""
    return f"{mark:g} {'met' if ratio >= mark else 'MISSED'}"


def _stage(measures: Sequence[Measure], name: str, stage: str) -> str:
    return f"{median(m.metrics[stage] for m in measures if m.engine == name):g}"


def _engines(measures: Sequence[Measure]) -> list[str]:
    measured = {m.engine for m in measures}
    return [engine.name for engine in ENGINES if engine.name in measured]
