"""`uint3` and `dim3`: CUDA makes each out of the other, and coordinates are uint3; HIP wants their numbers one by one.

HIP's coordinates are objects of their own, which become a dim3 and no uint3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import declarators, declared_type, parameters, place_of, result_word, type_word
from hipify.rules.passes.launches import is_rewritten

_COORDINATES = (b"threadIdx", b"blockIdx", b"blockDim", b"gridDim")
_VECTOR, _DIM = b"uint3", b"dim3"
_MAKE = {_VECTOR: b"make_uint3(", _DIM: b"dim3("}
_MADE = b"make_uint3"


def run(context: Context) -> None:
    """Spell the three numbers out where one type is made from a value of the other as a whole."""
    if context.options.language == "hip":
        return
    structure = context.structure
    if _VECTOR in structure.index:
        for index in _places(context, _COORDINATES):
            _convert(context, index, index, _VECTOR)
        for wanted, given in ((_DIM, _VECTOR), (_VECTOR, _DIM)):
            for index in _places(context, sorted(_declared(context, given))):
                _convert(context, _path(context, index), index, wanted)
    theirs = context.options.clang and any(not include.angled for include in structure.includes)
    if theirs or _VECTOR in structure.index or _MADE in structure.index:
        _launches(context)


def _places(context: Context, names: Iterable[bytes]) -> Iterator[int]:
    """The uses of names as a whole value that nothing has changed yet."""
    structure = context.structure
    for name in names:
        for index in structure.index.get(name, ()):
            behind = context.text(structure.next_code(index + 1))
            if behind in (b";", b",", b")", b"}") and index not in context.claimed:
                yield index


def _declared(context: Context, kind: bytes) -> set[bytes]:
    """The names of variables, members and parameters that the file declares with a type."""
    kept: dict[bytes, set[bytes]] = vars(context).setdefault("_declared_with_coordinates", {})
    if kind not in kept:
        kinds = context.structure.index.get(kind, ())
        kept[kind] = {context.text(at) for index in kinds for at in declarators(context, index, (b"const", b"&"))}
    return kept[kind]


def _path(context: Context, index: int) -> int:
    """The first token of `a.b->c` that ends with token `index`."""
    structure = context.structure
    while context.text(link := structure.prev_code(index - 1)) in (b".", b"->"):
        before = structure.prev_code(link - 1)
        if not is_ident(context.text(before) or b"0"):
            return -1
        index = before
    return index


def _convert(context: Context, first: int, last: int, wanted: bytes) -> None:
    """Make the other type of the value in tokens [first, last], where its place asks for that."""
    if first < 0 or context.claimed.intersection(range(first, last + 1)) or not _asks(context, first, last, wanted):
        return
    if context.text(last) in _COORDINATES or _type(context, first, last) == (_DIM if wanted == _VECTOR else _VECTOR):
        _respell(context, first, last, _MAKE[wanted] + _numbers(context, first, last) + b")")


def _numbers(context: Context, first: int, last: int) -> bytes:
    start = context.tokens.start
    value = context.source.data[start[first] : context.tokens.end(last)]
    return b", ".join(value + member for member in (b".x", b".y", b".z"))


def _respell(context: Context, first: int, last: int, text: bytes) -> None:
    context.edit(context.tokens.start[first], context.tokens.end(last), text)
    context.claimed.update(range(first, last + 1))


def _launches(context: Context) -> None:
    """The grid and the block of a launch are dim3."""
    for launch in context.launches:
        make, end = (b"", b"") if is_rewritten(context, launch) else (_MAKE[_DIM], b")")
        for argument in launch.config[:2]:
            first, last = argument.first, context.structure.prev_code(argument.stop - 1)
            if argument.empty or context.claimed.intersection(range(first, last + 1)):
                continue
            call = context.structure.call_at(first) if context.text(first) == _MADE else None
            if call is not None and call.close == last:
                context.replace(first, _DIM)
            elif is_ident(context.text(last) or b"0") and _path(context, last) == first:
                told = declared_type(context, last)  # clang is asked where that is nothing, or what we look for
                if told in (b"", b"auto", _VECTOR) and _type(context, first, last) == _VECTOR:
                    _respell(context, first, last, make + _numbers(context, first, last) + end)


def _type(context: Context, first: int, last: int) -> bytes:
    """The type of a variable or member, as far as it is known."""
    if context.semantics is not None:
        kind = context.semantics.expr_type(context.tokens.start[first], context.tokens.end(last))
        if kind:
            return kind.removeprefix("const ").encode()
    known = declared_type(context, last)
    if (
        not known
        and _VECTOR in context.structure.index
        and context.text(last) in _declared(context, _VECTOR) - _declared(context, _DIM)
    ):
        return _VECTOR  # not the first of `uint3 a = …, b = …;`
    return known


def _asks(context: Context, first: int, last: int, wanted: bytes) -> bool:
    """Whether the place of a value asks for a type."""
    structure = context.structure
    before = structure.prev_code(first - 1)
    left = context.text(before)
    if left == b"=":
        lead = structure.prev_code(before - 1)
        return (type_word(context, lead) or declared_type(context, lead)) == wanted
    if left == b"return":
        return context.text(result_word(context, before)) == wanted
    opener = before if left in (b"(", b"{") else structure.enclosing(first) if left == b"," else None
    if opener is None:
        return False
    name = structure.prev_code(opener - 1)
    kind = context.text(structure.prev_code(name - 1))
    later = kind == b"," and context.text(name) in _declared(context, wanted)  # `T a, b(value)`
    if later or wanted in (context.text(name), kind):
        return len(structure.arguments(opener) or ()) == 1
    return context.text(opener) == b"(" and _parameter(context, name, place_of(context, opener, first), wanted)


def _parameter(context: Context, name: int, position: int, wanted: bytes) -> bool:
    """Whether a function that the file declares takes the type in this place."""
    lists = parameters(context, context.text(name)) if is_ident(context.text(name) or b"0") else []
    return any(0 <= position < len(words) and wanted in words[position] for words in lists)
