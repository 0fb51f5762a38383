"""`--inline-headers`: the text of a helper header in the place of its include: the output needs no other file."""

from __future__ import annotations

from hipify.model import Edit
from hipify.patterns import lazy
from hipify.rules.context import Context

_INCLUDE = lazy(rb'#include "(hipify_\w+\.h)"')
_NAME = lazy(rb'"(hipify_\w+\.h)"\Z')


def inline(context: Context) -> None:
    """Put the headers that the passes asked for into the edits that include them, each once."""
    analysis = context.analysis
    left = dict(analysis.helper_headers)

    def text_of(name: str) -> bytes:
        text = left.pop(name, b"").rstrip(b"\n")
        text = _INCLUDE.sub(lambda m: text_of(m[1].decode()), text)  # one of ours may include another
        return text.replace(b"\n", context.source.newline)

    edits = []
    for edit in analysis.edits:
        named = _NAME.match(edit.text)
        if named is not None and named[1].decode() in analysis.helper_headers:
            start = _directive_start(context, edit.start)
            edits.append(Edit(start, edit.end, text_of(named[1].decode()), edit.confidence))
        else:
            text = _INCLUDE.sub(lambda m: text_of(m[1].decode()), edit.text)
            edits.append(edit if text == edit.text else edit._replace(text=text))
    analysis.edits = edits
    analysis.helper_headers = left


def _directive_start(context: Context, offset: int) -> int:
    """Where the `#` of the include stands whose name is at a byte."""
    include = next(i for i in context.structure.includes if i.start == offset)
    return context.tokens.start[include.directive.first]
