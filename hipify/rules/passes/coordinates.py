"""`uint3 at = threadIdx;`: HIP's coordinates are objects of their own, which become a dim3 and no uint3."""

from __future__ import annotations

from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import declared_type, parameters, place_of, type_word

_COORDINATES = (b"threadIdx", b"blockIdx", b"blockDim", b"gridDim")
_TYPE = b"uint3"


def run(context: Context) -> None:
    """Spell the three numbers out where a uint3 is made from a coordinate as a whole."""
    if context.options.language == "hip" or _TYPE not in context.structure.index:
        return
    for name in _COORDINATES:
        for index in context.structure.index.get(name, ()):
            behind = context.text(context.structure.next_code(index + 1))
            if behind in (b";", b",", b")", b"}") and index not in context.claimed and _is_vector(context, index):
                context.replace(index, b"make_uint3(" + b", ".join(name + b"." + a for a in (b"x", b"y", b"z")) + b")")


def _is_vector(context: Context, index: int) -> bool:
    """Whether the place of token `index` asks for a uint3."""
    structure = context.structure
    before = structure.prev_code(index - 1)
    lead = structure.prev_code(before - 1)
    left = context.text(before)
    if left == b"=":
        return (type_word(context, lead) or declared_type(context, lead)) == _TYPE
    if left == b"return":
        return _returned(context, before) == _TYPE
    if left == b"{" or (left == b"(" and not context.functions.function_at(index)):
        return context.text(lead) == _TYPE or type_word(context, lead) == _TYPE
    if left in (b"(", b","):
        opener = before if left == b"(" else structure.enclosing(index)
        return opener is not None and context.text(opener) == b"(" and _parameter(context, opener, index)
    return False


def _returned(context: Context, index: int) -> bytes:
    """The word in front of the name of the function around a token."""
    function = context.functions.function_at(index)
    return context.text(context.structure.prev_code(function.name - 1)) if function and function.name >= 0 else b""


def _parameter(context: Context, opener: int, index: int) -> bool:
    """Whether a function of the file, or a variable that is made here, takes a uint3 in this place."""
    structure = context.structure
    name = structure.prev_code(opener - 1)
    if context.text(name) == _TYPE or context.text(structure.prev_code(name - 1)) == _TYPE:
        return True
    lists = parameters(context, context.text(name)) if is_ident(context.text(name) or b"0") else []
    if not lists:
        return False
    position = place_of(context, opener, index)
    return any(0 <= position < len(words) and _TYPE in words[position] for words in lists)
