"""A commit beside the files that it found and left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from commits import Action, Commit, commit_of, deleted_rows, live_files

Claims = Iterator[tuple[str, bool]]
"""Rules in words, and whether they hold."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A commit beside the files that it found."""

    commit: Commit
    before: dict[str, Action]
    after: dict[str, Action]
    change_feed: bool

    @property
    def rewritten(self) -> list[Action]:
        """Files that are gone, as they were."""
        return [file for path, file in self.before.items() if path not in self.after]

    @property
    def new(self) -> list[Action]:
        return [file for path, file in self.after.items() if path not in self.before]

    @property
    def shrunk(self) -> list[tuple[Action, Action]]:
        """Files that stay with another vector, before and after."""
        shared = ((file, self.after.get(path)) for path, file in self.before.items())
        return [(old, new) for old, new in shared if new and deleted_rows(old) != deleted_rows(new)]

    @property
    def actions(self) -> set[str]:
        """The kinds of things the statement's clauses may do: update, delete, insert."""
        parameters = self.commit.info["operationParameters"]
        texts = [text for name, text in parameters.items() if name.endswith("Predicates")]
        return {clause["actionType"] for text in texts for clause in json.loads(text)}


def facts_of(path: Path, version: int, *, change_feed: bool) -> Facts:
    before, after = live_files(path, version - 1), live_files(path, version)
    return Facts(commit_of(path, version), before, after, change_feed)
