"""Comments that silence findings: kinds only. hipify.lint.suppressions reads the comments and reports these."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.kinds import FindingKind

UNUSED_SUPPRESSION = FindingKind(
    "HPY910",
    Severity.WARNING,
    "suppression that silences nothing",
    "The comment names a finding that is not there, any more or at all. Left in place it would hide the next one of "
    "that id without anybody having looked at it.",
    "Remove the id, or the whole comment.",
)

MALFORMED_SUPPRESSION = FindingKind(
    "HPY911",
    Severity.WARNING,
    "suppression comment that cannot be read",
    "It begins as a suppression and is none: the word after `hipify:` is unknown, no id stands in brackets, an id does "
    "not exist, or a block is closed that was never opened. It silences nothing.",
    "Write `hipify: ignore[HPY301] reason`, `hipify: ignore-file[...]`, or `hipify: off[...]` and `hipify: on[...]`.",
)
