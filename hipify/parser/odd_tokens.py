"""Chevrons in pieces and digraphs: tokens that the compiler takes for one, whatever stands between their pieces.

nvcc takes `k<< <1, 2>> >()` for a launch, comments between the pieces included. Files with such spellings are rare:
this module is imported for them alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from hipify.parser.tokens import Tokens, is_blank

_DIGRAPHS = {
    (b"<", b"%"): b"{",
    (b"%", b">"): b"}",
    (b"<", b":"): b"[",
    (b":", b">"): b"]",
    (b"%", b":"): b"#",
}


def is_odd(tokens: Tokens, place: int) -> bool:
    """Whether the tokens from this byte on are pieces of one: most that look so are in strings and comments."""
    text, first = tokens.text, tokens.index_at(place)
    if tokens.start[first] != place:
        return False
    pair = text[first], text[first + 1] if first + 1 < len(text) else b""
    if pair in _DIGRAPHS or pair == (b"<", b"::"):
        return True
    behind = first + 2 if pair == (b">", b">") else first + 1
    third = tokens.next(behind)
    wanted = {b"<<": b"<", b">": b">"}.get(pair[0])
    return behind < third < len(text) and text[third] == wanted


def joined(tokens: Tokens) -> Tokens:
    """The tokens with `<< <` as one, with the gaps in `>> >` given to the `>` before them, and with each digraph
    spelled as what it stands for. `start` alone tells how long a token is."""
    text, start = _digraphs(tokens.text, tokens.start)
    text, start = _openings(text, start)
    if b"<<<" in text:
        text, start = _closings(text, start)
    return Tokens(text, array("I", start))


def _digraphs(text: list[bytes], start: Sequence[int]) -> tuple[list[bytes], list[int]]:
    out: list[bytes] = []
    begin: list[int] = []
    index, last = 0, len(text) - 1
    while index <= last:
        token, follower = text[index], text[index + 1] if index < last else b""
        place = start[index]
        index += 1
        if token == b"<" and follower == b"::" and text[index + 1 : index + 2] == [b">"]:  # `<::>` is `[]`
            out += (b"[", b"]")
            begin += (place, place + 2)
            index += 2
            continue
        spelled = _DIGRAPHS.get((token, follower))
        if spelled is not None:
            index += 1
            if spelled == b"#" and out[-1:] == [b"#"] and start[index - 2] == begin[-1] + 2:
                out[-1] = b"##"
                continue
        out.append(spelled or token)
        begin.append(place)
    return out, [*begin, start[len(text)]]


def _openings(text: list[bytes], start: list[int]) -> tuple[list[bytes], list[int]]:
    """`<<`, then blanks of the same line, then `<`."""
    out: list[bytes] = []
    begin: list[int] = []
    index, code = 0, b""
    while index < len(text):
        token, place = text[index], start[index]
        if token == b"<<" and code != b"operator":
            end = index + 1
            while end < len(text) and is_blank(text[end]) and text[end] not in (b"\n", b"\r\n"):
                end += 1
            if end > index + 1 and end < len(text) and text[end] == b"<":
                token, index = b"<<<", end
        out.append(token)
        begin.append(place)
        if not is_blank(token):
            code = token
        index += 1
    return out, [*begin, start[len(text)]]


def _closings(text: list[bytes], start: list[int]) -> tuple[list[bytes], list[int]]:
    """`>>`, then blanks, then `>`, in the statement of a `<<<`."""
    out: list[bytes] = []
    begin: list[int] = []
    opened = False
    for index, token in enumerate(text):
        if token in (b"<<<", b";"):
            opened = token == b"<<<"
        elif opened and is_blank(token) and _in_closing(text, index, out):
            continue
        out.append(token)
        begin.append(start[index])
    return out, [*begin, start[len(text)]]


def _in_closing(text: list[bytes], index: int, out: list[bytes]) -> bool:
    """Whether the blank token `index` stands between the second `>` of a launch and the third, or is a splice in it."""
    if out[-1] != b">":
        return False
    end = index + 1
    while end < len(text) and is_blank(text[end]):
        end += 1
    if text[end : end + 1] != [b">"]:
        return False
    spliced = all(t[:1] == b"\\" for t in text[index:end])
    return out[-2:-1] == [b">"] or (spliced and text[end + 1 : end + 2] == [b">"])
