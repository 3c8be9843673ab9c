"""Delta's commit files as they stand on disk, read without Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Action = dict[str, Any]  # one JSON object of Delta's protocol


@dataclass(frozen=True, slots=True)
class Commit:
    """What one version of a table added, removed and said of itself."""

    version: int
    info: Action
    added: tuple[Action, ...]
    removed: tuple[Action, ...]
    change_files: tuple[Action, ...]

    @property
    def metrics(self) -> dict[str, int]:
        return {name: int(value) for name, value in self.info["operationMetrics"].items()}


def latest_version(path: Path) -> int:
    """By the commits: checkpoints of version 2 are JSON files, too, with more in their names."""
    return max(int(file.stem) for file in (path / "_delta_log").glob(f"{'[0-9]' * 20}.json"))


def commit_of(path: Path, version: int) -> Commit:
    actions = list(actions_of(path, version))
    return Commit(
        version,
        info=next(action["commitInfo"] for action in actions if "commitInfo" in action),
        added=tuple(action["add"] for action in actions if "add" in action),
        removed=tuple(action["remove"] for action in actions if "remove" in action),
        change_files=tuple(action["cdc"] for action in actions if "cdc" in action),
    )


def live_files(path: Path, version: int) -> dict[str, Action]:
    """The files of that version, by path; a file has one vector at a time."""
    files: dict[str, Action] = {}
    for number in range(version + 1):
        commit = commit_of(path, number)
        files = {name: add for name, add in files.items() if not _removes(commit, name)}
        files |= {add["path"]: add for add in commit.added}
    return files


def physical_rows(file: Action) -> int:
    return int(json.loads(file["stats"])["numRecords"])


def deleted_rows(file: Action) -> int:
    vector = file.get("deletionVector")
    return 0 if vector is None else int(vector["cardinality"])


def live_rows(file: Action) -> int:
    return physical_rows(file) - deleted_rows(file)


def _removes(commit: Commit, path: str) -> bool:
    return any(remove["path"] == path for remove in commit.removed)


def actions_of(path: Path, version: int) -> Iterator[Action]:
    text = (path / "_delta_log" / f"{version:020}.json").read_text()
    return map(json.loads, text.splitlines())
