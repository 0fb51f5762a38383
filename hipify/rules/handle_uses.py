"""Whether a file may use a handle as the integer that it is in CUDA: cuFFT's plans, texture objects, memory handles.

Most files only hand them to CUDA's functions. Those need no clang.
"""

from __future__ import annotations

from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import declarators, parameters, place_of

HANDLES = frozenset(
    b"cufftHandle cudaTextureObject_t cudaSurfaceObject_t CUtexObject CUsurfObject CUmemGenericAllocationHandle".split()
)
# What makes handles, or takes them: a file may give those integers without a word of the type.
TAKERS = frozenset(
    b"cufftPlan1d cufftPlan2d cufftPlan3d cufftPlanMany cufftCreate cufftDestroy cufftExecC2C cufftExecR2C "
    b"cufftExecC2R cufftExecZ2Z cufftExecD2Z cufftExecZ2D cudaCreateTextureObject cudaDestroyTextureObject "
    b"cudaCreateSurfaceObject cudaDestroySurfaceObject cuTexObjectCreate cuTexObjectDestroy cuMemCreate "
    b"cuMemRelease".split()
)
_ZERO = (b"0", b"NULL", b"nullptr", b"{")


def as_integers(context: Context) -> bool:
    """Whether something is done with a handle that a pointer may not fit."""
    words = context.tokens.vocabulary
    if words.isdisjoint(HANDLES) and words.isdisjoint(TAKERS):
        return False
    names = handle_names(context)
    index = context.structure.index
    return any(not _is_plain(context, i, names) for name in sorted(names) for i in index.get(name, ())) or any(
        not _gets_handle(context, i, names) for taker in sorted(TAKERS & words) for i in index[taker]
    )


def handle_names(context: Context) -> frozenset[bytes]:
    """What the file declares as handles."""
    places = (at for word in HANDLES & context.tokens.vocabulary for at in context.structure.index[word])
    return frozenset(context.text(i) for at in places for i in declarators(context, at, (b"const", b"&", b"*", b">")))


def _is_plain(context: Context, index: int, names: frozenset[bytes]) -> bool:
    """Whether a use is a declaration, an argument for a handle, or a test against zero."""
    structure = context.structure
    after = structure.next_code(index + 1)
    while context.text(after) == b"[":
        after = structure.next_code(structure.partner.get(after, after) + 1)
    before = structure.prev_code(index - 1)
    while context.text(before) in (b".", b"->", b"&", b"*") or (
        context.text(before) not in (b"return",) and is_ident(context.text(before) or b"0")
    ):
        before = structure.prev_code(before - 1)
    left, right = context.text(before), context.text(after)
    other = context.text(structure.next_code(after + 1))
    if right in (b"=", b"==", b"!="):
        return other in _ZERO or other in names
    if right == b"{":
        return other in (b"}", b"0")
    if left in (b"(", b",") and right in (b",", b")"):
        return _takes_handle(context, index)
    return right in (b";", b",", b".", b"->", b")") and left in (
        b"",
        b";",
        b"{",
        b"}",
        b",",
        b">",
        b"(",
        b"!",
        b"=",
        b":",
    )


def _takes_handle(context: Context, index: int) -> bool:
    """Whether the argument is one of CUDA's function, or of a function whose parameter there is a handle."""
    structure = context.structure
    opener = structure.enclosing(index)
    if opener is None or context.text(opener) != b"(":
        return True
    launch = next((launch for launch in context.launches if launch.open == opener), None)
    callee = launch.callee.first if launch is not None else structure.prev_code(opener - 1)
    if context.text(callee) == b">":
        less = structure.angle_start(callee)
        callee = structure.prev_code(less - 1) if less is not None else callee
    name = context.text(callee)
    if name in context.library.names or name in (b"if", b"while", b"sizeof"):
        return True
    lists = parameters(context, name)
    position = place_of(context, opener, index)
    return bool(lists) and all(
        0 <= position < len(words) and not words[position].isdisjoint(HANDLES) for words in lists
    )


def _gets_handle(context: Context, taker: int, names: frozenset[bytes]) -> bool:
    """Whether a function of CUDA's gets one of the handles that the file declares."""
    call = context.structure.call_at(taker)
    if call is None or not call.args or call.args[0].empty:
        return True
    return not names.isdisjoint(context.tokens.text[call.args[0].first : call.args[0].stop])
