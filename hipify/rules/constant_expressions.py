"""Integer constant expressions of C++ as written, and the width of integer types."""

from __future__ import annotations

from collections.abc import Callable

from hipify.parser.tokens import Kind, is_ident, kind_of
from hipify.records import NamedTuple

SKIPPED = frozenset(
    b"const constexpr static inline volatile extern register __device__ __host__ __constant__ __shared__ "
    b"__restrict__ __restrict typename __forceinline__ mutable".split()
)
_TYPE_BITS = {
    **dict.fromkeys(
        b"int unsigned signed uint short char uint32_t int32_t bool float u32 uint32 int32 uint16_t uint8_t uchar "
        b"ushort".split(),
        32,
    ),
    **dict.fromkeys(
        b"uint64_t int64_t size_t ull u64 uint64 uintptr_t ulong ulonglong double ptrdiff_t".split(),
        64,
    ),
}
_BINARY: tuple[dict[bytes, Callable[[int, int], int]], ...] = (
    {b"|": lambda a, b: a | b},
    {b"^": lambda a, b: a ^ b},
    {b"&": lambda a, b: a & b},
    {b"<<": lambda a, b: a << min(b, 128), b">>": lambda a, b: a >> b},
    {b"+": lambda a, b: a + b, b"-": lambda a, b: a - b},
    {b"*": lambda a, b: a * b, b"/": lambda a, b: int(a / b), b"%": lambda a, b: a % b},
)


class Value(NamedTuple):
    """An integer constant, and whether C++ computes it in 32 or 64 bits."""

    number: int
    bits: int = 32

    @property
    def mask(self) -> int:
        """The value as a lane mask: its bits, without sign."""
        return self.number & ((1 << self.bits) - 1)


class NotConstantError(Exception):
    """An expression that is none, or one that cannot be known."""


def type_bits(text: bytes) -> int:
    """The width of an integer type as it is written, 32 (or fewer) or 64; 0 when unknown."""
    return bits_of(text.split())


def bits_of(words: list[bytes]) -> int:
    """The same for a type's words."""
    kept = [w for w in words if w not in SKIPPED and w not in (b"std", b"::", b"enum")]
    if b"long" in kept:
        return 64
    widths = {_TYPE_BITS.get(w, 0) for w in kept}
    return widths.pop() if len(widths) == 1 else 0


class Reader:
    """A recursive reader of integer constant expressions."""

    def __init__(self, named: Callable[[bytes], Value | None], words: list[bytes]) -> None:
        self.named = named
        self.words = words
        self.at = 0

    def peek(self) -> bytes:
        """The next token, with `>` `>` read as one."""
        word = self.words[self.at] if self.at < len(self.words) else b""
        if word == b">" and self.words[self.at + 1 : self.at + 2] == [b">"]:
            return b">>"
        return word

    def expression(self, level: int) -> Value:
        """A binary expression whose operators bind at least as tightly as `level`."""
        if level == len(_BINARY):
            return self.unary()
        left = self.expression(level + 1)
        while (operator := _BINARY[level].get(word := self.peek())) is not None:
            self.at += 2 if word == b">>" else 1
            right = self.expression(level + 1)
            bits = left.bits if word in (b"<<", b">>") else max(left.bits, right.bits)
            if word in (b"<<", b">>") and right.number < 0:
                raise NotConstantError
            left = _wrap(operator(left.number, right.number), bits)
        return left

    def unary(self) -> Value:
        """A literal, a name, or an operator, cast or parenthesis in front of one."""
        word = self.peek()
        self.at += 1
        if word in (b"~", b"-", b"+"):
            value = self.unary()
            return Value(~value.number if word == b"~" else -value.number if word == b"-" else value.number, value.bits)
        if word == b"(":
            return self.parenthesis()
        if not word:
            raise NotConstantError
        kind = kind_of(word)
        if kind is Kind.NUMBER:
            return literal(word)
        if kind is not Kind.IDENT:
            raise NotConstantError
        if word == b"static_cast":
            return self.static_cast()
        if self.peek() == b"(" and word in _TYPE_BITS:
            self.at += 1
            return self.parenthesis()
        value_of = self.named(word)
        if value_of is None or self.peek() == b"(":
            raise NotConstantError
        return value_of

    def static_cast(self) -> Value:
        """`<type>(expression)`."""
        words = []
        while self.at < len(self.words) and self.words[self.at] != b"(":
            words.append(self.words[self.at])
            self.at += 1
        bits = bits_of([w for w in words if is_ident(w)])
        if not bits or self.peek() != b"(":
            raise NotConstantError
        self.at += 1
        return Value(self.parenthesis().number, bits)

    def parenthesis(self) -> Value:
        """What follows an opening parenthesis: a cast with its operand, or an expression."""
        words: list[bytes] = []
        while self.at < len(self.words) and (is_ident(self.words[self.at]) or self.words[self.at] == b"::"):
            words.append(self.words[self.at])
            self.at += 1
        if words and self.peek() == b")" and (bits := bits_of(words)):
            self.at += 1
            value = self.unary()
            return Value(value.number & 0xFFFFFFFF if bits == 32 and b"unsigned" in words else value.number, bits)
        self.at -= len(words)
        value = self.expression(0)
        if self.peek() != b")":
            raise NotConstantError
        self.at += 1
        return value


def _wrap(number: int, bits: int) -> Value:
    """A number as C++ would keep it, loosely: unsigned values stay as they are while they fit."""
    if -(1 << (bits - 1)) <= number < 1 << bits:
        return Value(number, bits)
    return Value(number & ((1 << bits) - 1), bits)


def literal(word: bytes) -> Value:
    """What a number token is worth; raises NotConstantError or ValueError for one that is no integer."""
    text = word.replace(b"'", b"").lower()
    digits = text.rstrip(b"ul")
    suffix = text[len(digits) :]
    if b"." in digits or (not digits.startswith(b"0x") and b"e" in digits):
        raise NotConstantError
    base = 16 if digits.startswith(b"0x") else 2 if digits.startswith(b"0b") else 8 if digits[:1] == b"0" else 10
    number = int(digits, base) if digits != b"0" else 0
    return Value(number, 64 if b"l" in suffix or number >= 1 << 32 else 32)
