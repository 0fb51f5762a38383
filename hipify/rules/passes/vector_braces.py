"""Braces around the components of `float4` and its like: an aggregate in CUDA, a class with constructors in HIP.

HIP before ROCm 7.2 takes one number in braces for all components, where CUDA leaves the others zero. Every HIP rejects
fewer numbers than components, numbers of several vectors in one list, and names of components. The lists are completed
here.
"""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.initialisers import BITS, VECTORS, Array, Record, Shape, Vector, vector_of
from hipify.parser.structure import Argument
from hipify.parser.tokens import Kind, is_ident, kind_of
from hipify.records import NamedTuple
from hipify.rules.context import Context
from hipify.rules.declared import declared_type
from hipify.rules.kinds import FindingKind

VECTOR_BRACES = FindingKind(
    "HPY714",
    Severity.WARNING,
    "initialiser of a vector type that HIP may read otherwise",
    "CUDA's vector types are aggregates: components without an initialiser are zero, and braces may be left out. HIP's "
    "have constructors: lists that are not whole do not compile, and `float4{1}` has four ones before ROCm 7.2.",
    "Write all components, each vector in braces of its own.",
    "#include <cuda_runtime.h>\ntemplate <class T> __device__ float4 f(T a) { return {a}; }\n",
    "#include <hip/hip_runtime.h>\ntemplate <class T> __device__ float4 f(T a) { return {a, 0, 0, 0}; }\n",
)
_COMPONENTS = (b"x", b"y", b"z", b"w")
_NUMBERS = frozenset(
    f"{sign}{name}"
    for sign in ("", "u", "unsigned ")
    for name in ("int", "char", "short", "long", "int8_t", "int16_t", "int32_t", "int64_t", "long long")
) | frozenset(("float", "double", "bool", "size_t", "unsigned", "signed", "signed char", "half", "__half"))
_TRIPLES = (b"threadIdx", b"blockIdx", b"blockDim", b"gridDim")


class _Item(NamedTuple):
    """One initialiser in a list: the component or member it names, its value, and whether that is a list itself."""

    name: bytes
    whole: Argument
    value: Argument
    is_list: bool


NEEDS = frozenset(VECTORS) | frozenset(BITS)


def run(context: Context) -> None:
    """Complete every list of components, and report those that cannot be."""
    if context.options.language == "hip":
        return
    names = (VECTORS.keys() | BITS.keys()) & context.tokens.vocabulary
    if not names:
        return
    from hipify.rules.vector_lists import Reader, may_be_list

    structure, reader = context.structure, Reader(context, names)
    done: set[int] = set()
    """Lists within lists that are dealt with."""
    for opener in structure.index.get(b"{", ()):
        if opener in done or not may_be_list(context.tokens.text, opener, reader.types):
            continue
        close = structure.partner.get(opener, -1)
        if opener < close and (found := reader.shape_at(opener, close)) is not None:
            shape, direct = found
            _complete(context, opener, shape, direct, done)


def _complete(context: Context, opener: int, shape: Shape, direct: bool, done: set[int]) -> None:
    """Make the list at `opener` one that HIP reads as CUDA does."""
    done.add(opener)
    items = _items(context, opener)
    if isinstance(shape, Vector):
        _vector(context, opener, shape, items, direct)
    elif (
        len(items) == 1
        and context.text(items[0].value.first) == b"0"
        and items[0].value.stop == items[0].value.first + 1
    ):
        start = context.tokens.start
        context.edit(start[items[0].whole.first], start[items[0].whole.stop], b"")  # `{0}`: all is zero in `{}`, too
    elif isinstance(shape, Array):
        _array(context, opener, shape, items, done)
    else:
        _record(context, opener, shape, items, done)


def _items(context: Context, opener: int) -> list[_Item]:
    structure, text = context.structure, context.tokens.text
    found = []
    for whole in structure.arguments(opener) or ():
        if whole.empty:
            continue
        value, name = whole, b""
        if text[whole.first] == b".":
            member = structure.next_code(whole.first + 1)
            at = structure.next_code(member + 1)
            name = text[member]
            value = Argument(structure.next_code(at + 1) if text[at] == b"=" else at, whole.stop)
        is_list = text[value.first] == b"{" and structure.partner.get(value.first) == value.stop - 1
        found.append(_Item(name, whole, value, is_list))
    return found


def _vector(context: Context, opener: int, vector: Vector, items: list[_Item], direct: bool) -> None:
    start, text = context.tokens.start, context.tokens.text
    if vector.bits:
        _bits(context, opener, vector, items)
        return
    if not vector.size:
        _pair(context, opener, vector, items, direct)
        return
    if not items or len(items) > vector.size or items[-1].is_list or text[items[-1].value.stop - 1] == b"...":
        return
    if any(item.name for item in items):
        _by_name(context, opener, vector, items)
    elif len(items) < vector.size or (vector.size == 1 and not direct):
        number = len(items) > 1 or _is_number(context, items[0].value)
        if number and vector.size == 1:
            context.insert(start[opener], vector.name.encode())
        elif number:
            context.insert(start[items[-1].value.stop], b", 0" * (vector.size - len(items)))
        elif number is None and not (direct and context.target.at_least(7, 2)):
            shown = context.argument_bytes(items[0].value).decode("utf-8", "replace")
            what = f"HIP gives it to every component of {vector.name}" if direct else "HIP needs all components"
            stop = context.structure.partner[opener] + 1
            context.find(VECTOR_BRACES, opener, stop, message=f"if {shown} is a number, {what}")


def _bits(context: Context, opener: int, vector: Vector, items: list[_Item]) -> None:
    """The bits of half floats: HIP's types begin with the floating point number, and take bits by name only."""
    if not items or len(items) > vector.size or any(item.name for item in items):
        return
    nested = vector.size == 2 and context.target.at_least(6)
    if vector.size == 2 and not nested:
        return
    for item, name in zip(items, _COMPONENTS, strict=False):
        value = item.value
        if item.is_list and vector.size == 2:
            inner = _items(context, value.first)
            if len(inner) != 1 or inner[0].name:
                continue
            value = inner[0].value
        elif item.is_list:
            _bits(context, value.first, vector, _items(context, value.first))
            continue
        is_number = _is_number(context, value)
        if is_number is None and b"_Float16" not in context.tokens.text[value.first : value.stop]:
            shown = context.argument_bytes(value).decode("utf-8", "replace")
            message = (
                f"if {shown} is an integer, it is the bits in CUDA, and the number itself in HIP: write .x = {shown}"
            )
            context.find(VECTOR_BRACES, opener, context.structure.partner[opener] + 1, message=message)
        elif is_number:
            _by_bits(context, item, name, nested)


def _by_bits(context: Context, item: _Item, name: bytes, nested: bool) -> None:
    """Name the member that a value of bits is for."""
    start, first = context.tokens.start, item.value.first
    if not nested:
        context.insert(start[first], b".x = ")
    elif item.is_list:
        context.insert(start[first], b".%s = " % name)
        context.insert(context.tokens.end(first), b".x = ")
    else:
        context.insert(start[first], b".%s = {.x = " % name)
        context.insert(context.tokens.end(context.structure.prev_code(item.value.stop - 1)), b"}")


def _pair(context: Context, opener: int, vector: Vector, items: list[_Item], direct: bool) -> None:
    """Halves in braces, assigned or alone in a constructor's parentheses: HIP has several constructors for them."""
    before = context.text(context.structure.prev_code(opener - 1))
    if direct or before not in (b"=", b"(") or (before == b"=" and not _assigns(context, opener)):
        return
    if len(items) == 1 and context.semantics is not None:
        known = context.semantics.expr_type(*context.argument_range(items[0].value)).removeprefix("const ")
        if known in ("__half", "__nv_bfloat16"):
            stop = context.structure.partner[opener] + 1
            message = f"one number for {vector.name}: what CUDA and HIP convert it to differs"
            context.find(VECTOR_BRACES, opener, stop, message=message)
            return
    context.insert(context.tokens.start[opener], _hip_name(context, vector))


def _assigns(context: Context, opener: int) -> bool:
    """Whether the `=` in front of a list assigns to something that is there already."""
    structure, in_parentheses = context.structure, False
    target = structure.prev_code(structure.prev_code(opener - 1) - 1)
    while context.text(target) in (b"]", b")"):
        in_parentheses |= context.text(target) == b")"
        target = structure.prev_code(structure.partner.get(target, 0) - 1)
    at = structure.prev_code(target - 1)
    while context.text(at) == b"*":
        at = structure.prev_code(at - 1)
    lead = context.text(at)
    if in_parentheses or lead in (b"else", b"do") or (lead == b")" and context.text(target) != b">"):
        return True
    return not (is_ident(lead or b"0") or lead in (b"&", b">", b","))


def _hip_name(context: Context, vector: Vector) -> bytes:
    from hipify.rules.library import map_name

    api = context.library.get(vector.name.encode())
    return (map_name(api, context.target).name or vector.name).encode() if api is not None else vector.name.encode()


def _by_name(context: Context, opener: int, vector: Vector, items: list[_Item]) -> None:
    """`{.x = a, .z = b}` by places."""
    start, at = context.tokens.start, 0
    for item in items:
        place = _COMPONENTS.index(item.name) if item.name in _COMPONENTS[: vector.size] else -1
        if place < at:
            message = f"{vector.name} has constructors in HIP: its components cannot be named"
            context.find(
                VECTOR_BRACES, opener, context.structure.partner[opener] + 1, message=message, severity=Severity.ERROR
            )
            return
        at = place + 1
    at = 0
    for item in items:
        place = _COMPONENTS.index(item.name)
        context.edit(start[item.whole.first], start[item.value.first], b"0, " * (place - at))
        at = place + 1
    context.insert(start[items[-1].value.stop], b", 0" * (vector.size - at))


def _is_number(context: Context, value: Argument) -> bool | None:
    """Whether a value is one number and no vector; None when nothing tells."""
    text = context.tokens.text
    words = list(context.tokens.significant(value.first, value.stop))
    if all(
        kind_of(text[i]) in (Kind.NUMBER, Kind.CHAR) or text[i] in (b"-", b"+", b"*", b"/", b"(", b")") for i in words
    ):
        return True
    if context.semantics is not None:
        known = context.semantics.expr_type(*context.argument_range(value)).removeprefix("const ")
        if known:
            return None if "type-parameter" in known else known in _NUMBERS
    if len(words) > 3 and text[words[0]] == b"static_cast" and text[words[1]] == b"<":
        close = context.structure.angle_end(words[1])
        if close is not None and context.structure.partner.get(close + 1) == words[-1]:
            kind = b" ".join(text[i] for i in context.tokens.significant(words[1] + 1, close))
            return True if kind.decode("utf-8", "replace") in _NUMBERS else None
    last, first = text[words[-1]], text[words[0]]
    if last in _COMPONENTS and len(words) > 1 and text[words[-2]] in (b".", b"->"):
        return True
    made = first.removeprefix(b"make_")
    if (made in VECTORS and len(words) > 1) or (first in _TRIPLES and len(words) == 1):
        return False
    if len(words) == 1 and is_ident(first):
        word = declared_type(context, words[0])
        if word.decode("utf-8", "replace") in _NUMBERS:
            return True
        if vector_of(word.decode("utf-8", "replace")) is not None:
            return False
    return None


def _array(context: Context, opener: int, shape: Array, items: list[_Item], done: set[int]) -> None:
    """Each element by itself; numbers of several vectors without braces get them."""
    inner = shape.of
    loose = [item for item in items if not item.is_list and not item.name]
    if (
        isinstance(inner, Vector)
        and inner.size
        and not inner.bits
        and len(loose) == len(items) > 0
        and _is_number(context, items[0].value)
    ):
        _group(context, opener, items, inner.size)
        return
    if isinstance(inner, Vector) and inner.bits and loose and _is_number(context, loose[0].value):
        _bits_apart(context, opener, inner, loose)
    for item in items:
        if item.is_list:
            _complete(context, item.value.first, inner, False, done)
    if not isinstance(inner, Vector) and any(_is_number(context, item.value) for item in loose[:1]):
        _report_elided(context, opener)


def _bits_apart(context: Context, opener: int, vector: Vector, loose: list[_Item]) -> None:
    """Bits in an array without braces of their own."""
    start = context.tokens.start
    if vector.size == 2:
        _report_elided(context, opener)
        return
    for item in loose:
        context.insert(start[item.value.first], b"{.x = ")
        context.insert(context.tokens.end(context.structure.prev_code(item.value.stop - 1)), b"}")


def _group(context: Context, opener: int, items: list[_Item], size: int) -> None:
    """Braces around every `size` numbers, written at the list's own braces and commas: passes write around numbers."""
    start, structure = context.tokens.start, context.structure
    context.edit(start[opener], context.tokens.end(opener), b"{{")
    for item in items[size::size]:
        comma = structure.prev_code(item.value.first - 1)
        behind = comma + 1
        while context.text(behind)[0] in b" \t":
            behind += 1
        context.edit(start[comma], start[behind], b"}, {")
    missing = [b"0"] * (-len(items) % size)
    close = structure.partner[opener]
    if missing and context.text(structure.prev_code(close - 1)) != b",":
        missing.insert(0, b"")
    context.edit(start[close], context.tokens.end(close), b", ".join(missing) + b"}}")


def _record(context: Context, opener: int, shape: Record, items: list[_Item], done: set[int]) -> None:
    """Each member by itself; a number where a vector is wanted means that braces were left out."""
    named = dict(shape.members)
    order = iter(shape.members)
    for item in items:
        _, inner = next(order, ("", None))
        if item.name:
            inner = named.get(item.name.decode("utf-8", "replace"))
        if inner is None:
            continue
        if item.is_list:
            _complete(context, item.value.first, inner, False, done)
        elif not item.name and _is_number(context, item.value):
            if not _is_whole(context, shape, items):
                _report_elided(context, opener)
            return


def _is_whole(context: Context, shape: Record, items: list[_Item]) -> bool:
    """Whether a list that leaves out braces of members has a value for every vector: none is where it seems to be."""
    given = [item for item in items if item.is_list or _is_vector(context, item.value)]
    return len(items) > len(shape.members) and len(given) == _vectors_in(shape)


def _vectors_in(shape: Shape | None) -> int:
    """How many vectors an aggregate holds; -1 and less for arrays, whose length is not known."""
    if isinstance(shape, Record):
        counts = [_vectors_in(inner) for _, inner in shape.members]
        return -1 if min(counts, default=0) < 0 else sum(counts)
    return -1 if isinstance(shape, Array) else int(shape is not None)


def _is_vector(context: Context, value: Argument) -> bool:
    if context.text(value.first).removeprefix(b"make_") in VECTORS:
        return True
    known = context.semantics.expr_type(*context.argument_range(value)) if context.semantics is not None else ""
    return vector_of(known.removeprefix("const ")) is not None


def _report_elided(context: Context, opener: int) -> None:
    message = (
        "numbers for a vector type without braces of their own: HIP's have constructors, and this does not compile"
    )
    stop = context.structure.partner[opener] + 1
    context.find(VECTOR_BRACES, opener, stop, message=message, severity=Severity.ERROR)
