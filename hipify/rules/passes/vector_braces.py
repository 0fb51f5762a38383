"""Braces around the components of `float4` and its like: an aggregate in CUDA, a class with constructors in HIP.

HIP before ROCm 7.2 takes one number in braces for all components, where CUDA leaves the others zero. Every HIP rejects
fewer numbers than components, numbers of several vectors in one list, and names of components. The lists are completed
here.
"""

from __future__ import annotations

from typing import NamedTuple

from hipify.model import Severity
from hipify.parser.initialisers import Array, Initialisers, Record, Shape, Vector, vector_of
from hipify.parser.launches import callee_before
from hipify.parser.semantics import Owner
from hipify.parser.structure import Argument
from hipify.parser.tokens import Kind, is_ident, kind_of
from hipify.rules.context import Context
from hipify.rules.declared import declared_type, result_word
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
_KINDS = (
    "char",
    "short",
    "int",
    "long",
    "longlong",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "ulonglong",
    "float",
    "double",
)
_HALVES = {b"half2": "__half2", b"__half2": "__half2", b"nv_bfloat162": "__nv_bfloat162"}
_NAMES = {f"{kind}{n}".encode(): Vector(f"{kind}{n}", n) for kind in _KINDS for n in (1, 2, 3, 4)} | {
    name: Vector(full, 0) for name, full in {**_HALVES, b"__nv_bfloat162": "__nv_bfloat162"}.items()
}
_NUMBERS = frozenset(
    f"{sign}{name}"
    for sign in ("", "u", "unsigned ")
    for name in ("int", "char", "short", "long", "int8_t", "int16_t", "int32_t", "int64_t", "long long")
) | frozenset(("float", "double", "bool", "size_t", "unsigned", "signed", "signed char", "half", "__half"))
_NOT_LISTS = (b"do", b"else", b"try", b"const", b"noexcept", b"override", b"final", b"mutable", b"namespace")
_TRIPLES = (b"threadIdx", b"blockIdx", b"blockDim", b"gridDim")
_TYPES = (b"struct", b"class", b"union", b"enum", b"namespace", b"concept")
_BEFORE_LISTS = (b"=", b"return", b"(", b",", b"{", b"?", b":", b"]", b">")


class _Item(NamedTuple):
    """One initialiser in a list: the component or member it names, its value, and whether that is a list itself."""

    name: bytes
    whole: Argument
    value: Argument
    is_list: bool


def run(context: Context) -> None:
    """Complete every list of components, and report those that cannot be."""
    if context.options.language == "hip":
        return
    names = _NAMES.keys() & context.tokens.vocabulary
    if not names:
        return
    structure, reader, done = context.structure, _Reader(context, names), -1
    for opener in structure.index.get(b"{", ()):
        if opener < done or not _may_be_list(context.tokens.text, opener, names):
            continue
        close = structure.partner.get(opener, -1)
        if opener < close and (found := reader.shape_at(opener, close)) is not None:
            shape, direct = found
            _complete(context, opener, shape, direct)
            done = close


def _may_be_list(text: list[bytes], opener: int, names: set[bytes]) -> bool:
    """Whether a brace may open a list, and no body: a look at what stands around it, as most are bodies."""
    behind = text[opener + 1 : opener + 2]
    if behind in ([b"\n"], [b"\r\n"]) and text[opener - 1 : opener] == [b" "] and text[opener - 2] == b")":
        return False
    at = opener - 1
    while at > 0 and text[at][0] in b" \t\r\n":
        at -= 1
    word = text[at]
    return word in _BEFORE_LISTS or (text[at - 1] in names if word == b")" else word not in _NOT_LISTS)


class _Reader:
    """Tells what a brace initialises: by the type in front of it, else by clang."""

    def __init__(self, context: Context, names: set[bytes]) -> None:
        self.context = context
        self.names = names
        self.clang: Initialisers | None = None

    def shape_at(self, opener: int, close: int) -> tuple[Shape, bool] | None:
        """The shape, and whether the list initialises directly, with no `=` or the like."""
        context, structure = self.context, self.context.structure
        before = structure.prev_code(opener - 1)
        word = context.text(before)
        first = structure.next_code(opener + 1)
        if b";" in context.tokens.text[first : min(close, first + 64)] or (first == close and word != b"="):
            return None
        shape = self._named(before)
        if shape is None and (word in _BEFORE_LISTS or self._may_initialise(before, word)):
            shape = self._asked(opener)
        return (shape, word not in (b"=", b"return", b"(", b",", b"?", b":")) if shape is not None else None

    def _may_initialise(self, before: int, word: bytes) -> bool:
        if not is_ident(word or b"0") or word in _NOT_LISTS:
            return False
        return self.context.text(self.context.structure.prev_code(before - 1)) not in _TYPES

    def _asked(self, opener: int) -> Shape | None:
        semantics = self.context.semantics
        if semantics is None:
            return self._declared(opener)
        if self.clang is None:
            from hipify.parser.initialisers import Initialisers

            self.clang = Initialisers(semantics, self.context.library.names)
        return self.clang.at(self.context.tokens.start[opener]) or self._assigned(opener)

    def _assigned(self, opener: int) -> Shape | None:
        """The type of what is assigned to or returned: a class's `=` and a template leave the list without a type."""
        context, structure = self.context, self.context.structure
        equals = structure.prev_code(opener - 1)
        if context.text(equals) == b"return":
            return self._vector(result_word(context, equals))
        target = callee_before(structure, equals, 0) if context.text(equals) == b"=" else None
        if target is None or context.semantics is None or target.empty:
            return None
        return vector_of(context.semantics.expr_type(*context.argument_range(target)))

    def _declared(self, opener: int) -> Shape | None:
        """By the declaration of the variable, member or function in this file, where there is no clang."""
        context, structure = self.context, self.context.structure
        before = structure.prev_code(opener - 1)
        if context.text(before) == b"return":
            return self._vector(result_word(context, before))
        name = structure.prev_code(before - 1) if context.text(before) == b"=" else before
        is_element = context.text(name) == b"]"
        if is_element:
            name = structure.prev_code(structure.partner.get(name, 0) - 1)
        if not is_ident(context.text(name) or b"0"):
            return None
        for index in structure.index[context.text(name)]:
            lead = structure.prev_code(index - 1)
            if is_element and context.text(lead) == b"*":
                lead = structure.prev_code(lead - 1)
            if (vector := self._vector(lead)) is not None:
                return vector
        return None

    def _cast(self, close: int) -> Vector | None:
        """The vector type in the parentheses of a compound literal `(float4){…}`."""
        structure = self.context.structure
        opener = structure.partner.get(close, -1)
        name = structure.next_code(opener + 1)
        lone = opener >= 0 and structure.next_code(name + 1) == close
        is_call = is_ident(self.context.text(structure.prev_code(opener - 1)) or b"0")
        return self._vector(name) if lone and not is_call else None

    def _vector(self, index: int) -> Vector | None:
        name = self.context.text(index)
        if name not in self.names or self.context.owner(index)[0] is Owner.USER or self.context.declared_here(name):
            return None
        return _NAMES[name]

    def _named(self, before: int) -> Shape | None:
        """The shape where the type's name stands in front of the list or of the variable."""
        context, structure = self.context, self.context.structure
        if context.text(before) == b")":
            return self._cast(before)
        if (vector := self._vector(before)) is not None:
            lead = context.text(structure.prev_code(before - 1))
            return None if lead in (b"->", b".", *_TYPES) else vector
        at = structure.prev_code(before - 1) if context.text(before) == b"=" else before
        depth = 0
        while context.text(at) == b"]" and (opener := structure.partner.get(at, -1)) > 0:
            at, depth = structure.prev_code(opener - 1), depth + 1
        if not is_ident(context.text(at) or b"0"):
            return None
        at = structure.prev_code(at - 1)
        while context.text(at) in (b"const", b"volatile", b"constexpr"):
            at = structure.prev_code(at - 1)
        shape: Shape | None = self._vector(at)
        for _ in range(depth if shape is not None else 0):
            shape = Array(shape) if shape is not None else None
        return shape


def _complete(context: Context, opener: int, shape: Shape, direct: bool) -> None:
    """Make the list at `opener` one that HIP reads as CUDA does."""
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
        _array(context, opener, shape, items)
    else:
        _record(context, opener, shape, items)


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
    if not vector.size:
        if not direct and context.text(context.structure.prev_code(opener - 1)) == b"=" and _assigns(context, opener):
            context.insert(start[opener], _hip_name(context, vector))
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


def _assigns(context: Context, opener: int) -> bool:
    """Whether the `=` in front of a list assigns to something that is there already."""
    structure = context.structure
    target = structure.prev_code(structure.prev_code(opener - 1) - 1)
    while context.text(target) == b"]":
        target = structure.prev_code(structure.partner.get(target, 0) - 1)
    lead = context.text(structure.prev_code(target - 1))
    return not (is_ident(lead or b"0") or lead in (b"*", b"&", b">", b",")) or lead in (b"else", b"do")


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
    last, first = text[words[-1]], text[words[0]]
    if last in _COMPONENTS and len(words) > 1 and text[words[-2]] in (b".", b"->"):
        return True
    made = first.removeprefix(b"make_")
    if (made in _NAMES and len(words) > 1) or (first in _TRIPLES and len(words) == 1):
        return False
    if len(words) == 1 and is_ident(first):
        word = declared_type(context, words[0])
        if word.decode("utf-8", "replace") in _NUMBERS:
            return True
        if vector_of(word.decode("utf-8", "replace")) is not None:
            return False
    return None


def _array(context: Context, opener: int, shape: Array, items: list[_Item]) -> None:
    """Each element by itself; numbers of several vectors without braces get them."""
    inner = shape.of
    loose = [item for item in items if not item.is_list and not item.name]
    if (
        isinstance(inner, Vector)
        and inner.size
        and len(loose) == len(items) > 0
        and _is_number(context, items[0].value)
    ):
        _group(context, opener, items, inner.size)
        return
    for item in items:
        if item.is_list:
            _complete(context, item.value.first, inner, False)
    if not isinstance(inner, Vector) and any(_is_number(context, item.value) for item in loose[:1]):
        _report_elided(context, opener)


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


def _record(context: Context, opener: int, shape: Record, items: list[_Item]) -> None:
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
            _complete(context, item.value.first, inner, False)
        elif not item.name and _is_number(context, item.value):
            _report_elided(context, opener)
            return


def _report_elided(context: Context, opener: int) -> None:
    message = (
        "numbers for a vector type without braces of their own: HIP's have constructors, and this does not compile"
    )
    stop = context.structure.partner[opener] + 1
    context.find(VECTOR_BRACES, opener, stop, message=message, severity=Severity.ERROR)
