"""What became of a run and of each of its files, and who is told while it goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from hipify.project.outputs import Written
from hipify.project.records import Figures
from hipify.project.tree import Tree


class Watcher(Protocol):
    """Who is told how a run goes."""

    def start(self, total: int) -> None:
        """The number of files to work on is known."""

    def done(self, path: str) -> None:
        """One is done."""

    def say(self, line: str) -> None:
        """Something a person should know."""


@dataclass
class FileOutcome:
    """What became of one file."""

    path: str
    output: str
    action: str
    fresh: bool
    figures: Figures


@dataclass
class Result:
    """What became of a run."""

    tree: Tree
    files: list[FileOutcome] = field(default_factory=list)
    written: Written = field(default_factory=Written)
    failed: list[str] = field(default_factory=list)
    worked: int = 0
    reported: bool = True
    """Whether the reports that lie there are those of the last run that changed anything."""

    @property
    def changed(self) -> bool:
        """Whether there is anything to report that an earlier run has not reported."""
        return bool(self.worked or self.written.removed or not self.reported)

    @property
    def conflicts(self) -> list[str]:
        """Outputs that a person must look at."""
        return sorted(set(self.written.conflicts))

    def outcomes(self) -> Counter[str]:
        """How many files had each outcome."""
        return Counter(file.action for file in self.files)
