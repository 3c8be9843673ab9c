"""A plan that was made: which way a change goes and why, and what it would do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from .delta import Files, FileSteps, JavaObject, TableSize

Route = Literal["no_op", "insert_only", "deletion_vectors", "classic", "native"]
Verb = Literal["DELETE", "UPDATE", "WRITE"]
Bound: TypeAlias = tuple[str, int | float | str, int | float | str]
"""A column, and its least and greatest value."""


@dataclass(frozen=True, slots=True)
class Pruning:
    """The target rows that can matter: all predicates hold, `row_filters` among them.

    `impossible` says that no row can; `rules` say where the predicates come from. Where they ask
    for bounds of columns and for nothing else, `bounds` are these.
    """

    predicates: tuple[JavaObject, ...] = ()
    row_filters: tuple[JavaObject, ...] = ()
    rules: tuple[str, ...] = ()
    impossible: bool = False
    bounds: tuple[Bound, ...] = ()


@dataclass(frozen=True, slots=True)
class Prediction:
    """Rows that a merge would change, by what would become of them, and the files they are in."""

    updated: int = 0
    deleted: int = 0
    inserted: int = 0
    copied: int = 0
    files: int = 0


@dataclass(frozen=True, slots=True)
class MergePlan:
    """Which way a merge goes, and why; making one writes nothing."""

    route: Route
    reason: str
    table: str
    source_rows: int | None = None
    source_in_place: bool = False
    """Whether the source is a table that is read where it is, rather than rows kept."""
    files: Files | None = None
    whole: TableSize | None = None
    pruning: Pruning = Pruning()
    broadcast: bool = False
    is_small: bool = False
    """Whether no join of the route shuffles, so that its jobs are best planned as they are."""
    inserts_only: bool = False
    """Whether there are only WHEN NOT MATCHED clauses, so that the source is read once."""
    prediction: Prediction | None = None
    """Only where it was asked for, by `explain`."""
    steps: FileSteps | None = None
    """What became of the target's files; None before the merge has run."""

    def explain(self) -> str:
        """The plan as text for a person."""
        lines = [f"MERGE into {self.table}", f"  route: {self.route} ({self.reason})"]
        if self.source_rows is not None:
            how = "read in place" if self.source_in_place else "evaluated once"
            lines.append(f"  source: {self.source_rows:,} rows, {how}")
        if self.files is not None and self.whole is not None:
            lines.append(
                f"  files: {self.files.count:,} of {self.whole.files:,},"
                f" {self.files.bytes:,} of {self.whole.bytes:,} bytes"
            )
            lines.append("  pruned by: " + ("; ".join(self.pruning.rules) or "nothing"))
        if self.files is not None and self.files.count:
            join = "the source is broadcast" if self.broadcast else "both sides are shuffled"
            lines.append(f"  join: {join}")
        if self.prediction is not None:
            lines += self._predicted(self.prediction)
        if self.steps is not None:
            lines.append(f"  steps: {self.steps}")
        return "\n".join(lines)

    def _predicted(self, rows: Prediction) -> list[str]:
        changed = f"{rows.inserted:,} inserted, {rows.updated:,} updated, {rows.deleted:,} deleted"
        new = rows.inserted + rows.updated
        lines = [f"  rows: {changed}"]
        if new or rows.files:
            return [*lines, f"  would write: {new:,} new rows, and {self._written(rows)}"]
        return [*lines, "  would write: nothing, and commit nothing"]

    def _written(self, rows: Prediction) -> str:
        match self.route:
            case "deletion_vectors":
                return f"deletion vectors for {rows.files:,} files"
            case "classic":
                return f"{rows.files:,} files anew, with {rows.copied:,} rows copied"
            case "no_op" | "insert_only" | "native":
                return "nothing else"


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """Which way a write, a DELETE or an UPDATE goes, and why; making one writes nothing."""

    verb: Verb
    route: Route
    reason: str
    table: str
    whole: TableSize | None = None
    replaced: Files | None = None
    """Files whose rows go all, which needs no scan."""
    scanned: Files | None = None
    """Files of whose rows some may go."""
    rule: str = "nothing"
    steps: FileSteps | None = None
    """What became of the table's files; None before the change has run."""

    def explain(self) -> str:
        """The plan as text for a person."""
        lines = [f"{self.verb} {self.table}", f"  route: {self.route} ({self.reason})"]
        if self.whole is not None and self.replaced is not None and self.scanned is not None:
            lines += [
                f"  files: {self.replaced.count:,} whole and {self.scanned.count:,} to scan,"
                f" of {self.whole.files:,}",
                f"  pruned by: {self.rule}",
            ]
        if self.steps is not None:
            lines.append(f"  steps: {self.steps}")
        return "\n".join(lines)
