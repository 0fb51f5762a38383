"""Trigraphs: nvcc reads `??=` as `#` whatever the standard is, hipcc's standards of today do not."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.tokens import Kind, kind_of
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

TRIGRAPH = FindingKind(
    "HPY616",
    Severity.NOTE,
    "trigraph written as the character that it stands for",
    "nvcc reads trigraphs, in strings too. hipcc leaves them, unless -std=c++14 or older or -trigraphs asks for them.",
    "Nothing needs to be done. A directive or line end that a trigraph makes was not read: translate the output again.",
    "#include <cuda_runtime.h>\nint a ??( 2 ??);\n",
    "#include <hip/hip_runtime.h>\nint a [ 2 ];\n",
)
_MEANS = dict(zip(b"=/'()!<>-", b"#\\^[]|{}~", strict=True))
_TRIGRAPH = lazy(rb"\?\?([=/'()!<>-])")


def run(context: Context) -> None:
    """Replace the trigraphs of a CUDA source."""
    data = context.source.data
    if b"??" not in data or context.options.language == "hip" or not context.source.has_cuda_name:
        return
    for match in _TRIGRAPH.finditer(data):
        start, end = match.span()
        token = context.tokens.text[context.tokens.index_at(start)]
        letter = match[1]
        if kind_of(token) is Kind.COMMENT and not (letter == b"/" and data[end : end + 2].lstrip(b"\r")[:1] == b"\n"):
            continue
        if token.rstrip(b'"')[-1:] == b")" and token.lstrip(b"uUL8")[:2] == b'R"':
            continue  # raw strings keep them
        severity = Severity.WARNING if letter in (b"=", b"/") else Severity.NOTE
        context.edit(start, end, bytes((_MEANS[letter[0]],)))
        context.find_bytes(TRIGRAPH, start, end, severity=severity)
