"""Texture and surface objects: integers in CUDA, pointers in HIP, of which no bits can be taken."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import declared_type
from hipify.rules.kinds import FindingKind
from hipify.rules.passes.device_pointers import ARITHMETIC

OBJECT_AS_INTEGER = FindingKind(
    "HPY514",
    Severity.ERROR,
    "texture or surface object used as an integer",
    "cudaTextureObject_t and cudaSurfaceObject_t are 64-bit integers; HIP's are pointers, on which operators of "
    "integers do not compile.",
    "Convert: (uint64_t)object to read bits, (hipTextureObject_t)bits to make an object of them.",
    "#include <cuda_runtime.h>\nunsigned f(cudaTextureObject_t t) { return t >> 32; }\n",
    "#include <hip/hip_runtime.h>\nunsigned f(hipTextureObject_t t) { return (uint64_t)t >> 32; }\n",
)
_TYPES = (b"cudaTextureObject_t", b"cudaSurfaceObject_t", b"CUtexObject", b"CUsurfObject")
_BITS = frozenset(b"& | ^ % / * << + -".split())
NEEDS = frozenset(_TYPES)


def run(context: Context) -> None:
    """Report every such object beside an operator of integers."""
    types = [name for name in _TYPES if name in context.tokens.vocabulary]
    if not types or context.options.language == "hip":
        return
    structure, names = context.structure, set[bytes]()
    for index in (i for name in types for i in structure.index[name]):
        after = structure.next_code(index + 1)
        if context.text(after) == b")":  # `(cudaTextureObject_t)bits | …`
            stop = _behind(context, structure.next_code(after + 1))
            lead = structure.prev_code(structure.prev_code(index - 1) - 1)
            if context.text(stop) == b")" and structure.partner.get(stop) == lead:
                stop = structure.next_code(stop + 1)
            _report(context, index, stop)
        elif is_ident(context.text(after) or b"0"):
            names.add(context.text(after))
    for index in sorted(i for name in names for i in structure.index[name]):
        before = context.text(structure.prev_code(index - 1))
        if before not in (b".", b"->", *types) and declared_type(context, index) in types:
            _report(context, index, structure.next_code(index + 1))


def _behind(context: Context, operand: int) -> int:
    """The token behind `a.b`, `a[i]`, `(…)`."""
    structure, at = context.structure, operand
    while is_ident(context.text(at) or b"0") or context.text(at) in (b".", b"->", b"[", b"("):
        at = structure.next_code((structure.partner.get(at, at) if context.text(at) in (b"[", b"(") else at) + 1)
    return at


def _report(context: Context, index: int, operator: int) -> None:
    text, follower = context.text(operator), context.text(operator + 1)
    shifted = text + follower == b">>"
    place = context.tokens.start[index]
    if any(f.start <= place < f.end for f in context.analysis.findings if f.id == ARITHMETIC.id):
        return  # cast, or told, by the pass that asks clang
    if (text in _BITS and follower != text) or shifted or text == b"<<":
        shown = (text + follower if shifted else text).decode()
        context.find(OBJECT_AS_INTEGER, index, message=f"`{shown}` on {context.text(index).decode()}, a pointer in HIP")
