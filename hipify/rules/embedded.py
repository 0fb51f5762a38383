"""CUDA source inside string literals: which literals hold it, and where each of its bytes stands in the file."""

from __future__ import annotations

from hipify.parser.ptx import literal_value
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.context import Context

_RAW_START = lazy(rb'(?:u8|[uUL])?R"[^()\\\s"]{0,16}\(')
_ESCAPE = lazy(rb"\\(?:\r?\n|x[0-9A-Fa-f]+|[0-7]{1,3}|[\s\S])")
_MARKS = (b"__global__", b"__device__")


class Embedded(NamedTuple):
    """A source made of adjacent string literals: its bytes, and for each (and the end) its offset in the file."""

    tokens: tuple[int, ...]
    text: bytes
    offsets: tuple[int, ...]
    pieces: tuple[tuple[int, int, bool], ...]
    """For each literal: its first and last position in `text`, and whether it is a raw string."""


def read_literals(context: Context, indices: list[int]) -> Embedded:
    """The source that string literal tokens form together."""
    text, offsets, pieces = b"", [], []
    for index in indices:
        value, places, raw = _read(context.tokens.text[index], context.tokens.start[index])
        pieces.append((len(text), len(text) + len(value), raw))
        text += value
        offsets += places
    end = offsets[-1] + 1 if offsets else context.tokens.end(indices[-1])
    return Embedded(tuple(indices), text, (*offsets, end), tuple(pieces))


def _read(token: bytes, start: int) -> tuple[bytes, list[int], bool]:
    if raw := _RAW_START.match(token):
        value = literal_value(token)
        return value, list(range(start + raw.end(), start + raw.end() + len(value))), True
    first = token.find(b'"') + 1
    last = len(token) - 1 if token.endswith(b'"') and len(token) > first else len(token)
    value, places, at = b"", [], first
    while at < last:
        escape = _ESCAPE.match(token, at, last) if token[at : at + 1] == b"\\" else None
        part = literal_value(b'"' + escape[0] + b'"') if escape else token[at : at + 1]
        value += part
        places += [start + at] * len(part)
        at = escape.end() if escape else at + 1
    return value, places, False


def is_string(token: bytes) -> bool:
    """Whether a token is a string literal."""
    return token[-1:] == b'"' and len(token) > 1


def adjacent(context: Context, index: int) -> list[int]:
    """The string literals that the one at `index` is joined with, itself included."""
    structure = context.structure
    first = last = index
    while (before := structure.prev_code(first - 1)) >= 0 and is_string(context.text(before)):
        first = before
    while is_string(context.text(after := structure.next_code(last + 1))):
        last = after
    return [i for i in context.tokens.significant(first, last + 1) if is_string(context.text(i))]


def nvrtc_sources(context: Context) -> list[Embedded]:
    """The sources that reach nvrtcCreateProgram: given to it, through a variable, or by what they say."""
    structure, found = context.structure, dict[int, list[int]]()
    for name in (b"nvrtcCreateProgram", b"hiprtcCreateProgram"):
        for index in structure.index.get(name, ()):
            call = structure.call_at(index)
            if call is None or len(call.args) < 2 or call.args[1].empty:
                continue
            argument = call.args[1]
            for token in context.tokens.significant(argument.first, argument.stop):
                for literal in _literals(context, token):
                    group = adjacent(context, literal)
                    found[group[0]] = group
    for text in context.tokens.vocabulary if b"nvrtcCreateProgram" in context.tokens.vocabulary else ():
        if is_string(text) and any(mark in text for mark in _MARKS):
            for index in structure.index.get(text, ()):
                group = adjacent(context, index)
                found[group[0]] = group
    return [read_literals(context, found[first]) for first in sorted(found)]


def _literals(context: Context, token: int) -> list[int]:
    """The string literals that a token is, or that its variable or macro is made from."""
    text = context.text(token)
    if is_string(text):
        return [token]
    if not (text[:1].isalpha() or text[:1] == b"_"):
        return []
    structure, out = context.structure, []
    for index in structure.index.get(text, ()):
        at = structure.next_code(index + 1)
        macro = structure.macro_at(index)
        if macro is not None and macro.name == index:
            at = macro.first
        if context.text(at) == b"[" and at in structure.partner:
            at = structure.next_code(structure.partner[at] + 1)
        if context.text(at) == b"+":
            at = structure.next_code(at + 1)
        while context.text(at) in (b"=", b"(", b"{"):
            at = structure.next_code(at + 1)
        if is_string(context.text(at)):
            out.append(at)
    return out
