"""Where expressions, statements and definitions end. Read from tokens alone: macros without a `;` may mislead."""

from __future__ import annotations

from hipify.parser.structure import Structure
from hipify.parser.tokens import is_ident

_OPENING = (b"(", b"[", b"{")
_CLOSING = (b";", b",", b")", b"]", b"}")
_WITH_HEAD = (b"if", b"for", b"while", b"switch", b"catch")
_BARE = (b"else", b"do", b"try")


def expression_end(structure: Structure, at: int) -> int:
    """The `;`, `,` or closing bracket that ends the expression which holds token `at`, or its directive's end."""
    text, partner = structure.tokens.text, structure.partner
    directive = structure.directive_at(at)
    stop = directive.stop if directive is not None else len(text)
    while at < stop:
        token = text[at]
        if token in _OPENING:
            at = partner.get(at, stop)
        elif token in _CLOSING:
            return at
        at += 1
    return stop


def definition_end(structure: Structure, at: int) -> int:
    """The `}` of the first body, or the `;`, behind the start of a definition; the number of tokens when none comes."""
    text, size = structure.tokens.text, len(structure.tokens)
    initialisers = at < size and text[at] == b":"
    while at < size:
        word = text[at]
        if word == b";":
            return at
        if word == b"{":
            before = _text(structure, structure.prev_code(at - 1))
            if not initialisers or not (before == b">" or is_ident(before or b"0")):
                return structure.partner.get(at, size)
        at = structure.next_code((structure.partner.get(at, at) if word in _OPENING else at) + 1)
    return size


def statement_end(structure: Structure, at: int) -> int:
    """The last token of the statement that begins at token `at`: with its branches, and the body of a loop."""
    pending: list[bytes] = []  # the heads whose statements have not ended yet, outer ones first
    while True:
        inner = _inner(structure, at)
        if inner > at:
            word = _text(structure, at)
            if word in _WITH_HEAD or word in _BARE:
                pending.append(word)
            at = inner
            continue
        stop = _simple_end(structure, at)
        while pending:
            head = pending.pop()
            behind = structure.next_code(stop + 1)
            word = _text(structure, behind)
            if (head, word) == (b"do", b"while"):
                stop = _simple_end(structure, behind)
            elif (head, word) in ((b"if", b"else"), (b"try", b"catch"), (b"catch", b"catch")):
                at = behind
                break
        else:
            return stop


def _inner(structure: Structure, at: int) -> int:
    """The statement behind a head, label or attribute; the token itself when it is none of these."""
    word = _text(structure, at)
    behind = structure.next_code(at + 1)
    if word in _BARE:
        return behind
    if word in _WITH_HEAD:
        behind = structure.next_code(behind + 1) if _text(structure, behind) == b"constexpr" else behind
        return structure.next_code(structure.partner.get(behind, behind) + 1)
    if word == b"[" and _text(structure, behind) == b"[":
        return structure.next_code(structure.partner.get(at, at) + 1)
    if word == b"case":
        while behind < len(structure.tokens) and _text(structure, behind) not in (b":", *_CLOSING):
            token = _text(structure, behind)
            behind = structure.next_code((structure.partner.get(behind, behind) if token in _OPENING else behind) + 1)
    if _text(structure, behind) == b":" and is_ident(word or b"0"):
        return structure.next_code(behind + 1)
    return at


def _simple_end(structure: Structure, at: int) -> int:
    """The end of a statement that is a block, `FOREACH(...) {`, or runs to its `;`."""
    text, size, first = structure.tokens.text, len(structure.tokens), at
    if _text(structure, at) == b"{":
        return structure.partner.get(at, at)
    block = -1  # where the braces of a macro with arguments may open
    while at < size - 1 and text[at] not in (b";", b"}"):
        if at == block and text[at] == b"{":
            return structure.partner.get(at, at)
        close = structure.partner.get(at, at) if text[at] in _OPENING else at
        if text[at] == b"(" and structure.prev_code(at - 1) == first and is_ident(text[first]):
            block = structure.next_code(close + 1)
        at = close + 1
    return at


def _text(structure: Structure, index: int) -> bytes:
    return structure.tokens.text[index] if 0 <= index < len(structure.tokens) else b""
