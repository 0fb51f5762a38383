"""Words of makefiles and shell commands, with their places; quotes, references and line ends inside them count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_OPEN = {"(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word and where it stands."""

    text: str
    start: int
    stop: int


def words(text: str, start: int, stop: int) -> list[Word]:
    """The words of text[start:stop]. A backslash before a line end is white space; $(…) and quotes hold together."""
    return list(_words(text, start, stop))


def _words(text: str, start: int, stop: int) -> Iterator[Word]:
    at = start
    while at < stop:
        gap = _gap(text, at, stop)
        if gap:
            at += gap
            continue
        begin = at
        while at < stop and not _gap(text, at, stop):
            at = _step(text, at, stop)
        yield Word(text[begin:at], begin, at)


def _gap(text: str, at: int, stop: int) -> int:
    """The length of white space here; 0 for none."""
    if text[at] in " \t\r\n":
        return 1
    if text[at] == "\\":
        for end in ("\n", "\r\n"):
            if text.startswith(end, at + 1) and at + len(end) < stop:
                return 1 + len(end)
    return 0


def _step(text: str, at: int, stop: int) -> int:
    """Behind the character, the reference or the quoted text that starts here."""
    char = text[at]
    if char == "\\":
        return min(at + 2, stop)
    if char == "$" and at + 1 < stop and text[at + 1] in _OPEN:
        return close(text, at + 1, stop)
    if char in "\"'`":
        end = at + 1
        while end < stop and text[end] != char:
            end += 2 if text[end] == "\\" and char != "'" else 1
        return min(end + 1, stop) if end < stop else at + 1  # a quote that is never closed is a character
    return at + 1


def close(text: str, at: int, stop: int) -> int:
    """Behind the bracket that closes the one at `at`; behind `at` when none does."""
    opener, closer = text[at], _OPEN[text[at]]
    depth = 0
    for end in range(at, stop):
        if text[end] == opener:
            depth += 1
        elif text[end] == closer:
            depth -= 1
            if depth == 0:
                return end + 1
    return at + 1


def commands(found: list[Word]) -> Iterator[list[Word]]:
    """The simple commands of a line for a shell."""
    command: list[Word] = []
    for word in found:
        if word.text in ("&&", "||", "|", ";", "&"):
            yield command
            command = []
            continue
        command.append(word)
        if word.text.endswith(";") and len(word.text) > 1:
            command[-1] = Word(word.text[:-1], word.start, word.stop - 1)
            yield command
            command = []
    yield command


def logical_end(text: str, at: int) -> int:
    """The index of the line end that no backslash escapes."""
    while True:
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        before = text[at:end].rstrip("\r")
        if (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            return end
        at = end + 1
