"""Loops that do nothing but wait, in each form in which C++ writes them."""

from __future__ import annotations

from hipify.parser.scopes import statement_end
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple
from hipify.rules.context import Context

_PAUSES = frozenset(b"__nanosleep __threadfence __threadfence_block __threadfence_system continue".split())
_TRUE: tuple[list[bytes], ...] = ([], [b"1"], [b"true"])
_MOST_TOKENS = 96


class WaitLoop(NamedTuple):
    """A loop at token `word`: what it asks stands in tokens (opener, close); `last` is the end of what is reported.

    `filled` are the variables that it reads into: the loop asks for them, not only for the memory.
    """

    word: int
    opener: int
    close: int
    last: int
    filled: frozenset[bytes] = frozenset()
    is_whole: bool = False
    """Whether the body asks, too."""


def wait_loop(context: Context, word: int) -> WaitLoop | None:
    """The loop whose `while` or `for` is token `word`, if it only waits."""
    structure = context.structure
    opener = structure.next_code(word + 1)
    close = structure.partner.get(opener)
    if context.text(opener) != b"(" or close is None:
        return None
    first = structure.next_code(close + 1)
    before = structure.prev_code(word - 1)
    lead, stop = word, statement_end(structure, first)
    if context.text(word) == b"while" and context.text(first) == b";" and (begin := _do_before(context, before)) >= 0:
        lead, first, stop = begin, structure.next_code(begin + 1), before
        last = close
    else:
        last = stop
    if stop - first > _MOST_TOKENS or close - opener > _MOST_TOKENS:
        return None
    condition = _condition(context, word, opener, close)
    if condition is None:
        return None
    filled: set[bytes] = set()
    asks = _statements(context, first, stop, filled)
    if asks is None:
        return None
    text = context.tokens.text
    words = [text[i] for i in context.tokens.significant(*condition)]
    if not asks and not filled:
        return WaitLoop(word, condition[0] - 1, condition[1], close) if words not in _TRUE else None
    if not asks and (words in _TRUE or filled.isdisjoint(words)):
        return None
    return WaitLoop(word, min(lead, opener), max(last, close), max(last, close), frozenset(filled), True)


def _do_before(context: Context, before: int) -> int:
    """The `do` whose body ends at a token; -1 when that is no such body."""
    structure, text = context.structure, context.text
    if text(before) == b"}":
        word = structure.prev_code(structure.partner.get(before, before) - 1)
        return word if text(word) == b"do" else -1
    at = before - 1 if text(before) == b";" else -1
    while at >= 0 and before - at < _MOST_TOKENS and text(at) not in (b";", b"{", b"}"):
        if text(at) == b"do":
            return at
        at -= 1
    return -1


def _condition(context: Context, word: int, opener: int, close: int) -> tuple[int, int] | None:
    """The tokens of a loop's condition; None for a loop that counts."""
    if context.text(word) == b"while":
        return opener + 1, close
    text = context.tokens.text
    ends = [i for i in range(opener + 1, close) if text[i] == b";" and context.structure.enclosing(i) == opener]
    if len(ends) != 2 or not _idle(context, ends[1] + 1, close):
        return None
    return ends[0] + 1, ends[1]


def _statements(context: Context, first: int, stop: int, filled: set[bytes]) -> bool | None:
    """Whether a body asks and breaks; None when it does more than that, fill variables, and pause."""
    structure, asks = context.structure, False
    if context.text(first) == b"{":
        at, end = structure.next_code(first + 1), structure.partner.get(first, first)
    else:
        at, end = first, min(stop + 1, len(context.tokens))
    while at < end:
        last = min(statement_end(structure, at), end)
        if context.text(at) == b"if":
            if not _breaks(context, at, last):
                return None
            asks = True
        elif not _idle(context, at, last):
            name = _filled(context, at, last)
            if not name:
                return None
            filled.add(name)
        at = structure.next_code(last + 1)
    return asks


def _breaks(context: Context, word: int, last: int) -> bool:
    """Whether an `if` does nothing but leave the loop."""
    structure = context.structure
    close = structure.partner.get(structure.next_code(word + 1), last)
    words = [context.tokens.text[i] for i in context.tokens.significant(close + 1, min(last + 1, len(context.tokens)))]
    return words in ([b"break", b";"], [b"{", b"break", b";", b"}"])


def _filled(context: Context, first: int, last: int) -> bytes:
    """The variable that a statement `v = …;` (or `int v = …;`) fills; nothing for any other statement."""
    words = [context.tokens.text[i] for i in context.tokens.significant(first, last)]
    if b"=" not in words:
        return b""
    at = words.index(b"=")
    plain = 0 < at <= 3 and all(is_ident(word) for word in words[:at])
    return words[at - 1] if plain and words.count(b"=") == 1 else b""


def _idle(context: Context, first: int, stop: int) -> bool:
    """Whether tokens [first, stop) do nothing, or pause."""
    text = context.tokens.text
    return all(text[i] in _PAUSES for i in context.tokens.significant(first, stop) if is_ident(text[i])) and not any(
        text[i] in (b"++", b"--") or text[i : i + 2] in ([b"+", b"+"], [b"-", b"-"]) for i in range(first, stop)
    )
