"""What CUDA's documentation says of each function that the helper headers provide, over Python's exact numbers."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from fractions import Fraction

Number = int | float
MASK = 0xFFFFFFFF


def lanes(word: int, bits: int, signed: bool) -> list[int]:
    """The bytes or halves of a word, lowest first."""
    values = [(word >> at) & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [v - (1 << bits) if signed and v >> (bits - 1) else v for v in values]


def packed(values: list[int], bits: int) -> int:
    """Lanes put together, each cut to its bits."""
    return sum((v & ((1 << bits) - 1)) << (i * bits) for i, v in enumerate(values))


def clamp(value: int, bits: int, signed: bool) -> int:
    """A value limited to what a lane can hold."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return max(low, min(high, value))


def wrap(value: int) -> int:
    """A value as a signed word."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
    "le": lambda a, b: a <= b,
    "lt": lambda a, b: a < b,
}
# stem: (are lanes signed, is the result clamped, the operation)
_BY_LANE: dict[str, tuple[bool, bool, Callable[[int, int], int]]] = {
    "abs": (True, False, lambda a, b: abs(a)),
    "absss": (True, True, lambda a, b: abs(a)),
    "neg": (True, False, lambda a, b: -a),
    "negss": (True, True, lambda a, b: -a),
    "add": (False, False, lambda a, b: a + b),
    "addss": (True, True, lambda a, b: a + b),
    "addus": (False, True, lambda a, b: a + b),
    "sub": (False, False, lambda a, b: a - b),
    "subss": (True, True, lambda a, b: a - b),
    "subus": (False, True, lambda a, b: a - b),
    "absdiffs": (True, False, lambda a, b: abs(a - b)),
    "absdiffu": (False, False, lambda a, b: abs(a - b)),
    "avgs": (True, False, lambda a, b: (a + b + (a + b >= 0)) >> 1),
    "avgu": (False, False, lambda a, b: (a + b + 1) >> 1),
    "haddu": (False, False, lambda a, b: (a + b) >> 1),
    "maxs": (True, False, max),
    "maxu": (False, False, max),
    "mins": (True, False, min),
    "minu": (False, False, min),
}


def simd(name: str, a: int, b: int = 0) -> int:
    """`__vadd4`, `__vcmpgts2`, `__vsadu4` and the like."""
    stem, bits = name[3:-1], 8 if name.endswith("4") else 16
    if stem in ("sads", "sadu"):
        pairs = zip(lanes(a, bits, stem == "sads"), lanes(b, bits, stem == "sads"), strict=True)
        return sum(abs(x - y) for x, y in pairs)
    if match := re.fullmatch(r"(cmp|set)(eq|ne|ge|gt|le|lt)([su]?)", stem):
        signed, true = match[3] == "s", (1 << bits) - 1 if match[1] == "cmp" else 1
        pairs = zip(lanes(a, bits, signed), lanes(b, bits, signed), strict=True)
        return packed([true * _COMPARE[match[2]](x, y) for x, y in pairs], bits)
    signed, clamped, operation = _BY_LANE[stem]
    results = [operation(x, y) for x, y in zip(lanes(a, bits, signed), lanes(b, bits, signed), strict=True)]
    return packed([clamp(r, bits, signed) for r in results] if clamped else results, bits)


def dpx(name: str, *args: int) -> int:
    """`__vimax3_s32_relu`, `__viaddmin_u16x2` and the like; words of halves and unsigned words come as unsigned."""
    match = re.fullmatch(r"__vi(add)?(max|min)3?_([su])(32|16x2)(_relu)?", name)
    assert match is not None, name
    add, pick, signed, relu = match[1], max if match[2] == "max" else min, match[3] == "s", bool(match[5])
    if match[4] == "32":
        return _dpx_lane(list(args), 32, signed, bool(add), pick, relu)
    columns = zip(*(lanes(a, 16, signed) for a in args), strict=True)
    return packed([_dpx_lane(list(c), 16, signed, bool(add), pick, relu) for c in columns], 16)


def _dpx_lane(values: list[int], bits: int, signed: bool, add: bool, pick: Callable[..., int], relu: bool) -> int:
    if add:
        total = (values[0] + values[1]) & ((1 << bits) - 1)
        values = [total - (1 << bits) if signed and total >> (bits - 1) else total, values[2]]
    result = pick(values)
    return max(result, 0) if relu else result


def dot(name: str, a: int, b: int, c: int, signed: bool) -> int:
    """`__dp4a`, `__dp2a_lo`, `__dp2a_hi`: the sum modulo 2**32."""
    if name == "__dp4a":
        pairs = list(zip(lanes(a, 8, signed), lanes(b, 8, signed), strict=True))
    else:
        half = lanes(b, 8, signed)[2:] if name.endswith("hi") else lanes(b, 8, signed)[:2]
        pairs = list(zip(lanes(a, 16, signed), half, strict=True))
    return (c + sum(x * y for x, y in pairs)) & MASK


def single(value: float) -> float:
    """A number rounded to single precision."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _grid(exact: Fraction, digits: int, lowest: int) -> Fraction:
    """The distance of floating-point numbers around a value."""
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    return Fraction(2) ** max(exponent - digits + 1, lowest)


def directed(exact: Fraction, mode: str, is_single: bool) -> float:
    """The floating-point number at or next to an exact value: down, up or towards zero."""
    digits, lowest, top = (24, -149, 127) if is_single else (53, -1074, 1023)
    if mode == "rz":
        mode = "rd" if exact > 0 else "ru"
    grid = _grid(exact, digits, lowest)
    steps = math.floor(exact / grid) if mode == "rd" else math.ceil(exact / grid)
    sign = 1.0 if exact > 0 else -1.0
    value, largest = steps * grid, (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** top
    if abs(value) > largest:
        inward = (value > 0) == (mode == "rd")
        return sign * (float(largest) if inward else math.inf)
    return math.copysign(float(value), sign)


def _root(exact: Fraction, mode: str, is_single: bool) -> float:
    """A square root, rounded: with so many bits below that no other rounding lies between."""
    shift = 700
    scaled = exact * 4**shift
    floor = math.isqrt(scaled.numerator // scaled.denominator)
    near = Fraction(floor, 2**shift)
    if near * near != exact:
        near += Fraction(1, 2 ** (shift + 1))  # strictly between two multiples: not exact, in the right place
    return directed(near, mode, is_single)


def rounded(name: str, *args: float) -> float:
    """`__fadd_rd`, `__ddiv_rz`, `__fma_ru` and the like."""
    match = re.fullmatch(r"__([fd])?(add|sub|mul|div|rcp|sqrt|fmaf?(?:_ieee)?)_(rd|ru|rz)", name)
    assert match is not None, name
    operation, mode = match[2], match[3]
    is_single = match[1] == "f" or operation.startswith("fmaf")
    a = args[0]
    if operation == "sqrt":
        if not a > 0 or math.isinf(a):
            return a if a == 0 or a > 0 else math.nan
        return _root(Fraction(a), mode, is_single)
    if operation in ("div", "rcp"):
        left, right = (1.0, a) if operation == "rcp" else args
        return _quotient(left, right, mode, is_single)
    if operation == "mul":
        return _product_sum(args[0], args[1], None, mode, is_single)
    if operation in ("add", "sub"):
        return _product_sum(1.0, args[0], args[1] if operation == "add" else -args[1], mode, is_single)
    return _product_sum(args[0], args[1], args[2], mode, is_single)


def _quotient(a: float, b: float, mode: str, is_single: bool) -> float:
    sign = math.copysign(1, a) * math.copysign(1, b)
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0) or (math.isinf(a) and math.isinf(b)):
        return math.nan
    if b == 0 or math.isinf(a):
        return sign * math.inf
    if a == 0 or math.isinf(b):
        return sign * 0.0
    return directed(Fraction(a) / Fraction(b), mode, is_single)


def _product_sum(a: float, b: float, c: float | None, mode: str, is_single: bool) -> float:
    """a * b + c, or a * b alone."""
    others = [a, b] if c is None else [a, b, c]
    if any(not math.isfinite(v) for v in others):
        return a * b if c is None else a * b + c
    product = Fraction(a) * Fraction(b)
    sign = math.copysign(1, a) * math.copysign(1, b)
    if c is None:
        return directed(product, mode, is_single) if product else sign * 0.0
    total = product + Fraction(c)
    if total:
        return directed(total, mode, is_single)
    if product:  # x - x
        return -0.0 if mode == "rd" else 0.0
    if sign == math.copysign(1, c):
        return sign * 0.0
    return -0.0 if mode == "rd" else 0.0
