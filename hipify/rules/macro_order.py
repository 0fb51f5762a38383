"""Macros that are called like a word of HIP's headers, and stand in front of their include.

nvcc includes CUDA's headers at the head of each file, in front of every macro of the program's, and CUDA's headers
have few words that a program would define; HIP's have `T`, `ulong4`, `warpSize` and 1,600 more.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from hipify.parser.branches import BranchPath
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.context import Context
from hipify.rules.hip_names import words
from hipify.rules.included_names import LARGEST, find_header, text_of
from hipify.rules.searching import matches, starts_line, starts_word

_DEFINE = lazy(rb"#[ \t]*(?:(define|undef)[ \t]+(\w+)|include[ \t]*\"([^\"\n]+)\")")
# With one of these a header includes HIP's own, at its head.
_CUDA = (
    *(lazy(word + rb"\b") for word in (b"__device__", b"__global__", b"threadIdx", rb"cuda[A-Z]\w+")),
    lazy(rb"#[ \t]*include[ \t]*[<\"](?:cu|thrust/|cooperative)"),
)
_MOST_HEADERS = 32


class Clash(NamedTuple):
    """A macro in front of HIP's headers: its name, its directive (or the include that brings it) by the first token."""

    name: bytes
    first: int


def in_front(context: Context, stop: int) -> Clash | None:
    """The first macro in front of token `stop` that would change HIP's headers there; None when there is none."""
    text = context.tokens.text
    own = None
    for macro in context.structure.macros:
        if macro.directive.first >= stop:
            break
        if text[macro.name] in words() and _is_seen(context, macro.directive.first, stop):
            own = Clash(text[macro.name], macro.directive.first)
            break
    return _brought(context, own.first if own is not None else stop) or own


def _is_seen(context: Context, first: int, stop: int) -> bool:
    """Whether the macro of the `#define` at token `first` is there for HIP's compiler at token `stop`."""
    structure, tokens = context.structure, context.tokens
    if context.branches.path[first]:
        from hipify.rules.conditionals import conditionals_of

        if conditionals_of(context).leaves_out(tokens.start[first]):
            return False
    macro = structure.macro_at(first)
    between = structure.directives_between(first, stop - 1)
    return macro is not None and not any(
        d.name == b"undef" and tokens.text[tokens.next(d.body, d.stop)] == tokens.text[macro.name] for d in between
    )


def shared(context: Context, first: int, second: int) -> BranchPath | None:
    """The conditionals around both of two directives; None where no compiler sees both."""
    one, other = context.branches.path[first], context.branches.path[second]
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return None if a[0] == b[0] else one[:number]
    return min(one, other, key=len)


def outermost(context: Context, first: int, around: BranchPath) -> int:
    """The directive at token `first`, or the `#if` around it that stands in the branches `around`."""
    path = context.branches.path[first]
    return path[len(around)][0] if len(path) > len(around) else first


def _brought(context: Context, stop: int) -> Clash | None:
    """The same for a macro of a header that the program includes in front of token `stop`."""
    source = context.source.path
    if context.embedded or source.startswith("<") or source in ("", "-"):
        return None
    for include in context.structure.includes:
        if include.directive.first >= stop:
            break
        if include.angled or context.library.header(include.name) is not None:
            continue
        name, has_runtime = _follow(context, os.path.dirname(source), os.fsdecode(include.name))
        if name:
            return Clash(name, include.directive.first)
        if has_runtime:
            break
    return None


def _follow(context: Context, folder: str, name: str) -> tuple[bytes, bool]:
    """The first macro of a header and those it includes, and whether HIP's headers come with it."""
    pending = [(folder, name)]
    seen: set[str] = set()
    while pending and len(seen) < _MOST_HEADERS:
        folder, name = pending.pop()
        path = find_header(folder, name, context.options.include_dirs)
        if path is None or path in seen:
            continue
        seen.add(path)
        state = os.stat(path)
        if state.st_size > LARGEST:
            continue
        macro, has_runtime, inner = _read(path, state.st_mtime_ns, state.st_size)
        if macro or has_runtime:
            return macro, has_runtime
        pending += [(os.path.dirname(path), each) for each in reversed(inner)]
    return b"", False


def _is_there(pattern: re.Pattern[bytes], data: bytes) -> bool:
    """Whether a header has a word or an include of CUDA's."""
    return next(matches(pattern, data, starts_word), None) is not None


@lru_cache(maxsize=1024)
def _read(path: str, _changed: int, _size: int) -> tuple[bytes, bool, tuple[str, ...]]:
    """The first macro of one header with a word of HIP's, whether it includes HIP's headers, and its own includes."""
    data = text_of(path)
    if any(_is_there(pattern, data) for pattern in _CUDA):
        return b"", True, ()
    found: dict[bytes, None] = {}
    inner = []
    for word, name, include in (m.groups(b"") for m in matches(_DEFINE, data, starts_line)):
        if include:
            inner.append(os.fsdecode(include))
        elif word == b"define" and name in words():
            found[name] = None
        else:
            found.pop(name, None)
    return next(iter(found), b""), False, tuple(inner)
