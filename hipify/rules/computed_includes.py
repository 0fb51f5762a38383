"""CUDA's headers named elsewhere than in an `#include`: in a macro that one takes its name from, in `__has_include`."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.parser.structure import Macro, Structure
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.headers import is_beside
from hipify.rules.library import HeaderApi

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_BODY = lazy(rb"[ \t]*(<[^<>\"\n]+>|\"[^\"\n]+\")[ \t\r]*(?=\n|//|/\*|\Z)")
_UNIT = lazy(rb"import[ \t]*(<[^<>\"\n]+>|\"[^\"\n]+\")[ \t]*;")
_ASKED = lazy(rb"__has_include[ \t]*\([ \t]*(<[^<>\"\n]+>|\"[^\"\n]+\")[ \t]*\)")


def header_names(structure: Structure) -> Iterator[tuple[Macro, re.Match[bytes]]]:
    """Macros whose body is a header's name and no more, in `<>` or quotes: the match's group 1."""
    for macro in structure.macros:
        if macro.parameters is None and macro.first < macro.stop:
            match = _BODY.match(structure.source.data, structure.tokens.start[macro.first])
            if match is not None:
                yield macro, match


def header_macros(context: Context) -> list[tuple[Macro, int, int, HeaderApi]]:
    """Macros whose body is a CUDA header's name, for an include of the file: the bytes of the body, and its row."""
    computed = {
        context.text(context.tokens.next(d.body, d.stop))
        for d in context.structure.directives
        if d.name in (b"include", b"include_next", b"import")
    }
    found = []
    for macro, match in header_names(context.structure):
        if context.text(macro.name) in computed or match[1][:1] == b"<":
            api = _row(context, match[1])
            if api is not None:
                found.append((macro, match.start(1), match.end(1), api))
    return found


def header_arguments(context: Context) -> list[tuple[int, int, HeaderApi]]:
    """CUDA's headers that an include is given through a macro, `#include HEADER(cufft.h)`: the bytes, and the row."""
    found, data, tokens = [], context.source.data, context.tokens
    for directive in context.structure.directives:
        name = tokens.next(directive.body, directive.stop)
        if directive.name not in (b"include", b"include_next", b"import") or not is_ident(context.text(name) or b"0"):
            continue
        call = context.structure.call_at(name)
        for argument in call.args if call is not None and call.close < directive.stop else ():
            start, stop = context.argument_range(argument) if not argument.empty else (0, 0)
            for end in (b"", b".h"):
                api = context.library.header(data[start:stop] + end) if start < stop else None
                if api is not None:
                    found.append((start, stop, api))
                    break
    return found


def rewrite(context: Context, start: int, end: int, new: str) -> None:
    """Give a header's name at bytes [start, end) another one: no word in it is a name of its own, as `curand` is."""
    context.edit(start, end, new.encode())
    context.claimed.update(range(context.tokens.index_at(start), context.tokens.index_at(end - 1) + 1))


def asked_for(context: Context) -> None:
    """Let `__has_include(<cuda_fp16.h>)` ask for HIP's header, and header units (`import <cuda.h>;`) be HIP's.

    Not where the file knows HIP's headers itself.
    """
    if any(include.name.startswith(b"hip/") for include in context.structure.includes):
        return
    asking = [(i, _ASKED) for i in context.structure.index.get(b"__has_include", ())]
    units = [(i, _UNIT) for i in context.structure.index.get(b"import", ()) if context.is_code(i)]
    for index, form in asking + units:
        match = form.match(context.source.data, context.tokens.start[index])
        api = _row(context, match[1]) if match is not None else None
        new = api.hip_in(context.target.label) if api is not None else ""
        if match is not None and api is not None and new and new != api.path:
            rewrite(context, match.start(1) + 1, match.end(1) - 1, new)
            context.refer(index, "include", api.library, True, api.path.encode())


def _row(context: Context, header: bytes) -> HeaderApi | None:
    """The row of a header name in its delimiters; None for one that is not CUDA's."""
    name = header[1:-1]
    if header[:1] == b'"' and is_beside(context.source.path, name):
        return None
    return context.library.header(name)
