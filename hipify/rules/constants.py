"""Integer constants in arguments: clang's value where it has one, else literals, own macros, constants and sizeof."""

from __future__ import annotations

from hipify.parser.conditions import UNKNOWN, MacroValue, evaluate
from hipify.parser.structure import Argument
from hipify.rules.context import Context

_SIZES = {
    b"char": 1, b"bool": 1, b"int8_t": 1, b"uint8_t": 1, b"short": 2, b"half": 2, b"__half": 2, b"__nv_bfloat16": 2,
    b"int16_t": 2, b"uint16_t": 2, b"int": 4, b"unsigned": 4, b"float": 4, b"int32_t": 4, b"uint32_t": 4,
    b"half2": 4, b"__half2": 4, b"uint": 4, b"long": 8, b"double": 8, b"size_t": 8, b"int64_t": 8, b"uint64_t": 8,
    b"float2": 8, b"int2": 8, b"uint2": 8, b"float4": 16, b"int4": 16, b"uint4": 16, b"double2": 16, b"float3": 12,
    b"int3": 12, b"uint3": 12, b"double3": 24, b"double4": 32, b"uchar": 1, b"uchar4": 4, b"char4": 4, b"ushort": 2,
}  # fmt: skip


def size_of(words: list[bytes]) -> int | None:
    """The size of a type of these words, when it is one of the known ones."""
    plain = [w for w in words if w not in (b"const", b"volatile", b"signed", b"static", b"__restrict__")]
    if b"*" in plain:
        return 8
    if len(plain) > 1 and plain[0] == b"unsigned":
        plain = plain[1:]
    if plain in ([b"long", b"long"], [b"long", b"int"], [b"long", b"long", b"int"]):
        return 8
    return _SIZES.get(plain[0]) if len(plain) == 1 else None


def number(context: Context, argument: Argument) -> int | None:
    """The value of an argument that is an integer constant; None for any other."""
    if argument.empty:
        return None
    semantics = context.semantics
    if semantics is not None:
        value = semantics.constant(*context.argument_range(argument))
        if value is not None:
            return int(value)
    return _lexical(context, argument.first, argument.stop, 0)


def lexical_number(context: Context, first: int, stop: int) -> int | None:
    """The value of tokens [first, stop), where the file alone tells it: clang is not asked."""
    return _lexical(context, first, stop, 0)


def _lexical(context: Context, first: int, stop: int, depth: int) -> int | None:
    if stop - first > 60 or depth > 6:
        return None
    words: list[bytes] = []
    text, index = context.tokens.text, first
    for index in context.tokens.significant(first, stop):
        words.append(text[index])
    folded = _fold_sizes(words)
    return evaluate(folded, lambda name: _named(context, name, depth)) if folded is not None else None


def _fold_sizes(words: list[bytes]) -> list[bytes] | None:
    """`sizeof(T)` becomes its number."""
    out: list[bytes] = []
    index = 0
    while index < len(words):
        if words[index] == b"sizeof":
            if index + 1 >= len(words) or words[index + 1] != b"(" or b")" not in words[index:]:
                return None
            close = words.index(b")", index)
            size = size_of(words[index + 2 : close])
            if size is None:
                return None
            out.append(b"%d" % size)
            index = close
        else:
            out.append(words[index])
        index += 1
    return out


def _named(context: Context, name: bytes, depth: int) -> MacroValue:
    """A macro or constant that the file defines once."""
    structure, text = context.structure, context.tokens.text
    if name in context.own_macros:
        found = [m for m in structure.macros if text[m.name] == name]
        if len(found) == 1 and found[0].parameters is None and found[0].first < found[0].stop:
            value = _lexical(context, found[0].first, found[0].stop, depth + 1)
            return MacroValue(True, value)
        return UNKNOWN
    values = []
    for index in structure.index.get(name, ()):
        equals = structure.next_code(index + 1)
        if context.text(equals) == b"=" and context.text(structure.next_code(equals + 1)) != b"=":
            values.append(index)
    if len(values) != 1 or not _is_constant(context, values[0]):
        return UNKNOWN
    equals = structure.next_code(values[0] + 1)
    end = equals + 1
    while end < len(text) and text[end] not in (b";", b",", b"\n"):
        end += 1
    return MacroValue(True, _lexical(context, equals + 1, end, depth + 1))


def _is_constant(context: Context, index: int) -> bool:
    """Whether a declarator belongs to a `const` or `constexpr` declaration."""
    at = index
    for _ in range(6):
        at = context.structure.prev_code(at - 1)
        word = context.text(at)
        if word in (b"const", b"constexpr"):
            return True
        if not word[:1].isalpha() and word[:1] != b"_":
            return False
    return False
