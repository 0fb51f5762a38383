"""CUDA's headers named elsewhere than in an `#include`: in a macro that one takes its name from, in `__has_include`."""

from __future__ import annotations

from hipify.parser.structure import Macro
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.headers import is_beside
from hipify.rules.library import HeaderApi

_BODY = lazy(rb"[ \t]*(<[^<>\"\n]+>|\"[^\"\n]+\")[ \t\r]*(?=\n|//|/\*|\Z)")
_ASKED = lazy(rb"__has_include[ \t]*\([ \t]*(<[^<>\"\n]+>|\"[^\"\n]+\")[ \t]*\)")


def header_macros(context: Context) -> list[tuple[Macro, int, int, HeaderApi]]:
    """Macros whose body is a CUDA header's name, for an include of the file: the bytes of the body, and its row."""
    computed = {
        context.text(context.tokens.next(d.body, d.stop))
        for d in context.structure.directives
        if d.name in (b"include", b"include_next", b"import")
    }
    found = []
    for macro in context.structure.macros:
        name = context.text(macro.name)
        if macro.parameters is not None or macro.first >= macro.stop:
            continue
        match = _BODY.match(context.source.data, context.tokens.start[macro.first])
        if match is not None and (name in computed or match[1][:1] == b"<"):
            api = _row(context, match[1])
            if api is not None:
                found.append((macro, match.start(1), match.end(1), api))
    return found


def asked_for(context: Context) -> None:
    """Let `__has_include(<cuda_fp16.h>)` ask for HIP's header, unless the file knows HIP's headers itself."""
    if any(include.name.startswith(b"hip/") for include in context.structure.includes):
        return
    for index in context.structure.index.get(b"__has_include", ()):
        match = _ASKED.match(context.source.data, context.tokens.start[index])
        api = _row(context, match[1]) if match is not None else None
        new = api.hip_in(context.target.label) if api is not None else ""
        if match is not None and api is not None and new and new != api.path:
            context.edit(match.start(1) + 1, match.end(1) - 1, new.encode())
            context.refer(index, "include", api.library, True, api.path.encode())


def _row(context: Context, header: bytes) -> HeaderApi | None:
    """The row of a header name in its delimiters; None for one that is not CUDA's."""
    name = header[1:-1]
    if header[:1] == b'"' and is_beside(context.source.path, name):
        return None
    return context.library.header(name)
