"""Comments that silence findings, and the ones among them that silence nothing.

    x = __ballot_sync(m, p);  // hipify: ignore[HPY301] m holds 64 bits       this line
    // hipify: ignore[HPY304, HPY306] the block is one wavefront               the next line of code
    // hipify: off[HPY3] ported by hand                                        from here on …
    // hipify: on[HPY3]                                                        … to here (`on` alone closes every block)
    // hipify: ignore-file[HPY401] the PTX is behind a guard                   everywhere in the file

An id may be the beginning of ids. A `/* … */` comment does the same, in macro bodies too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from hipify.model import Finding, Options
from hipify.parser.source import Source
from hipify.parser.tokens import Tokens, tokenize
from hipify.patterns import lazy
from hipify.rules.checks.suppressions import MALFORMED_SUPPRESSION, UNUSED_SUPPRESSION
from hipify.rules.kinds import FindingKind, all_kinds

_LAST_LINE = 1 << 60
_MARK = b"hipify:"
_COMMENT = lazy(rb"\A(?://[/!]*|/\*+)\s*hipify:[ \t]*([\w-]*)[ \t]*(?:\[([^\]\r\n]*)(\])?)?")
_WORDS = ("ignore", "ignore-file", "off", "on")
_ID = lazy(r"HPY\d{0,3}\Z")


@dataclass
class Suppression:
    """One id of one comment: findings of `first` to `last` whose id begins so are silent."""

    id: str
    first: int
    last: int
    start: int
    end: int
    used: bool = False

    def silences(self, finding: Finding) -> bool:
        """Whether this covers the finding; one over several lines is covered by any of them."""
        return self.first <= finding.end_line and finding.line <= self.last and finding.id.startswith(self.id)


@dataclass
class Suppressions:
    """All suppressions of one file, and what was wrong with some."""

    items: list[Suppression] = field(default_factory=list)
    faults: list[tuple[int, int, str]] = field(default_factory=list)

    def split(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
        """The findings that stay, and the silent ones; marks what was used."""
        kept: list[Finding] = []
        silent: list[Finding] = []
        for finding in findings:
            covering = [item for item in self.items if item.silences(finding)]
            for item in covering:
                item.used = True
            (silent if covering else kept).append(finding)
        return kept, silent


def apply(
    source: Source, findings: Iterable[Finding], enabled: Callable[[str], bool] = lambda _: True
) -> tuple[list[Finding], list[Finding]]:
    """The findings that stay, with those about the comments themselves in their places, and the silent ones.

    A suppression of an id that is not `enabled` is never called unused: nobody looked for what it silences.
    """
    if _MARK not in source.data:
        return list(findings), []
    found = parse(source)
    kept, silent = found.split(findings)
    about = [_finding(source, MALFORMED_SUPPRESSION, start, end, text) for start, end, text in found.faults]
    for item in found.items:
        if not item.used and any(enabled(kind) for kind in all_kinds() if kind.startswith(item.id)):
            where = "in this file" if (item.first, item.last) == (1, _LAST_LINE) else "here"
            text = f"no {item.id} is found {where}: the suppression silences nothing"
            about.append(_finding(source, UNUSED_SUPPRESSION, item.start, item.end, text))
    # What is said about the comments can be silenced itself.
    more, quiet = found.split(about) if about else ([], [])
    return sorted([*kept, *more], key=lambda f: (f.line, f.column, f.id)), [*silent, *quiet]


def looked_for(options: Options) -> Callable[[str], bool]:
    """Whether these options leave findings of an id: warps that are kept and guards that are widened give fewer."""
    settled = {"3": options.warp != "report", "6": options.guards != "report"}
    return lambda identity: not settled.get(identity[3:4], False)


def parse(source: Source) -> Suppressions:
    """Every suppression of a file."""
    if _MARK not in source.data:
        return Suppressions()
    return _Reader(source, tokenize(source)).read()


class _Reader:
    """Goes through the comments in order, with the blocks that are open."""

    def __init__(self, source: Source, tokens: Tokens) -> None:
        self._source = source
        self._tokens = tokens
        self._result = Suppressions()
        self._open: list[Suppression] = []

    def read(self) -> Suppressions:
        for index, text in enumerate(self._tokens.text):
            if _MARK in text and text[:2] in (b"//", b"/*"):
                match = _COMMENT.match(text)
                if match:
                    self._comment(index, match)
        return self._result

    def _comment(self, index: int, match: re.Match[bytes]) -> None:
        start = self._tokens.start[index] + match.start(1)
        end = self._tokens.start[index] + match.end()
        word = match[1].decode("latin-1").lower()
        ids = self._ids(match, start, end)
        if word not in _WORDS:
            from difflib import get_close_matches

            # Prose may begin with `hipify:` too.
            if match[2] is not None or get_close_matches(word, _WORDS, 1, 0.7):
                self._fault(start, end, f"`hipify: {word}` is none of {', '.join(_WORDS)}")
        elif match[2] is not None and match[3] is None:
            self._fault(start, end, "the bracket of the suppression is not closed")
        elif word == "on":
            self._close(self._line(start), ids, bracket=match[2] is not None, place=(start, end))
        elif not ids:
            if match[2] is None or not match[2].strip():
                self._fault(start, end, f"`{word}` names no finding: write `{word}[HPY301]`")
        else:
            self._add(word, index, ids)

    def _ids(self, match: re.Match[bytes], start: int, end: int) -> list[tuple[str, int, int]]:
        """The known ids in the brackets with their places; what is unknown becomes a fault."""
        found: list[tuple[str, int, int]] = []
        if match[2] is None:
            return found
        offset = start - match.start(1) + match.start(2)
        for part in re.finditer(rb"[^,\s]+", match[2]):
            name = part[0].decode("latin-1").upper()
            place = (offset + part.start(), offset + part.end())
            if _ID.match(name) and any(kind.startswith(name) for kind in all_kinds()):
                found.append((name, *place))
            else:
                self._fault(*place, f"no finding has the id {part[0].decode('latin-1')}")
        return found

    def _add(self, word: str, index: int, ids: list[tuple[str, int, int]]) -> None:
        first, last = 1, _LAST_LINE
        if word == "ignore":
            first = last = self._subject(index)
        elif word == "off":
            first = self._line(self._tokens.start[index])
        items = [Suppression(name, first, last, start, end) for name, start, end in ids]
        self._result.items += items
        if word == "off":
            self._open += items

    def _close(self, line: int, ids: list[tuple[str, int, int]], bracket: bool, place: tuple[int, int]) -> None:
        wanted = [name for name, _, _ in ids]
        closed = [item for item in self._open if not bracket or item.id in wanted]
        for item in closed:
            item.last = line
        self._open = [item for item in self._open if item not in closed]
        if not closed and (wanted or not bracket):
            self._fault(*place, "`hipify: on` closes no block that is open here")

    def _subject(self, index: int) -> int:
        """The line that an `ignore` is about: its own when code stands on it, else the next one with code."""
        own = self._line(self._tokens.start[index])
        before = self._tokens.prev(index - 1)
        if before >= 0 and self._line(self._tokens.end(before) - 1) == own:
            return own
        behind = self._tokens.next(index + 1)
        return own if behind >= len(self._tokens) else self._line(self._tokens.start[behind])

    def _line(self, offset: int) -> int:
        return self._source.position(offset)[0]

    def _fault(self, start: int, end: int, text: str) -> None:
        self._result.faults.append((start, end, text))


def _finding(source: Source, kind: FindingKind, start: int, end: int, message: str) -> Finding:
    line, column = source.position(start)
    end_line, end_column = source.position(end)
    place = (line, column, end_line, end_column)
    return Finding(
        kind.id, kind.severity, source.path, *place, message, kind.why, kind.fix, start=start, end=end, output_line=0
    )
