"""hipify_ptx_float.h, run on the CPU, against definitions in exact arithmetic."""

from __future__ import annotations

import ctypes
import math
import random
import struct
from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.include.test_helper_headers import REALS, build

U16, U32, U64 = ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
HALVES = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x8400, 0x3C00, 0xBC00, 0x3800, 0x3BFF, 0x3C01, 0x7BFF, 0xFBFF,
    0x7C00, 0xFC00, 0x7E00, 0x7800, 0x1400, 0x3F80, 0xBF80, 0x7F7F, 0x0080, 0x007F, 0x4000, 0x5BF8,
]  # fmt: skip


def single(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def bits_of(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


def half(bits: int) -> float:
    return float(struct.unpack("<e", struct.pack("<H", bits))[0])


def brain(bits: int) -> float:
    return single(bits << 16)


def nearest(value: Fraction, sign: int, exponent: int, mantissa: int, toward_zero: bool = False) -> int:
    """The bits of a number rounded to a sign, an exponent and a mantissa; the greatest one's successor is infinity."""
    bias = (1 << (exponent - 1)) - 1
    size = abs(value)
    power = max(size.numerator.bit_length() - size.denominator.bit_length(), -bias - mantissa) if size else 1 - bias
    while size >= Fraction(2) ** (power + 1):
        power += 1
    while power > 1 - bias and size < Fraction(2) ** power:
        power -= 1
    power = max(power, 1 - bias)
    scaled = size / Fraction(2) ** (power - mantissa)
    whole = scaled.numerator // scaled.denominator
    rest = scaled - whole
    if not toward_zero and (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2)):
        whole += 1
    result = whole + ((power - 1 + bias) << mantissa)
    infinite = ((1 << exponent) - 1) << mantissa
    if exponent != 4:  # e4m3 has numbers where others have infinity
        result = min(result, infinite - 1 if toward_zero else infinite)
    return sign << (exponent + mantissa) | result


def narrow(exponent: int, mantissa: int, value: float, toward_zero: bool = False, most: int = -1) -> int | None:
    """A single as fewer bits; None for a NaN."""
    if math.isnan(value):
        return None
    sign = int(math.copysign(1, value) < 0)
    infinite = ((1 << exponent) - 1) << mantissa
    size = infinite if math.isinf(value) else nearest(Fraction(value), 0, exponent, mantissa, toward_zero)
    size = most if math.isinf(value) and most >= 0 else size
    return sign << (exponent + mantissa) | (min(size, most) if most >= 0 else size)


CONVERSIONS: dict[str, Callable[[float], int | None]] = {
    "cvt_rn_f16_f32": lambda a: narrow(5, 10, a),
    "cvt_rz_f16_f32": lambda a: narrow(5, 10, a, True),
    "cvt_rn_bf16_f32": lambda a: narrow(8, 7, a),
    "cvt_rz_bf16_f32": lambda a: narrow(8, 7, a, True),
    "e4m3": lambda a: narrow(4, 3, a, most=0x7E),
    "e5m2": lambda a: narrow(5, 2, a, most=0x7B),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    lines = ["#include <cmath>", "using namespace std;", '#include "hipify_ptx_float.h"', 'extern "C" {']
    for name in CONVERSIONS:
        lines.append(
            f"unsigned run_{name}(unsigned a) {{ using namespace hipify_ptx_float; return {name}(as<float>(a)); }}"
        )
    for kind in ("f16", "bf16"):
        for name in ("add", "sub", "mul", "min", "max"):
            lines.append(
                f"unsigned run_{name}_{kind}(unsigned a, unsigned b) {{ return hipify_ptx_float::{name}_{kind}()(a, b); }}"
            )
        lines.append(
            f"unsigned run_fma_{kind}(unsigned a, unsigned b, unsigned c) {{ return hipify_ptx_float::fma_{kind}()(a, b, c); }}"
        )
    lines += [
        "unsigned run_wide(unsigned a) { return hipify_ptx::as<unsigned>(hipify_ptx_float::cvt_f32_f16(a)); }",
        "unsigned run_e4m3_to_half(unsigned a) { return hipify_ptx_float::from_e4m3(a); }",
        "unsigned run_flush(unsigned a) { using namespace hipify_ptx_float; return as<u32>(flush(as<float>(a))); }",
        "unsigned run_saturate(unsigned a) { using namespace hipify_ptx_float; return as<u32>(saturate(as<float>(a))); }",
        "unsigned run_larger(unsigned a, unsigned b) { using namespace hipify_ptx_float; "
        "return as<u32>(larger(as<float>(a), as<float>(b))); }",
        "unsigned run_smaller(unsigned a, unsigned b) { using namespace hipify_ptx_float; "
        "return as<u32>(smaller(as<float>(a), as<float>(b))); }",
    ]
    lines += [
        "unsigned run_mul_ftz(unsigned a, unsigned b) { using namespace hipify_ptx_float; "
        "return as<u32>(mul_ftz(as<float>(a), as<float>(b))); }",
        "unsigned run_fma_ftz(unsigned a, unsigned b, unsigned c) { using namespace hipify_ptx_float; "
        "return as<u32>(fma_ftz(as<float>(a), as<float>(b), as<float>(c))); }",
        "unsigned run_tf32(unsigned a) { using namespace hipify_ptx_float; return cvt_rna_tf32_f32(as<float>(a)); }",
        "int run_normal(unsigned a) { using namespace hipify_ptx_float; return is_normal(as<float>(a)); }",
        "int run_nan_to_int(unsigned a) { using namespace hipify_ptx_float; return to_integer<int>(as<float>(a)); }",
    ]
    for name in ("signed char", "unsigned char", "short", "int", "unsigned int", "long long", "unsigned long long"):
        symbol = name.replace(" ", "_")
        lines.append(
            f"unsigned long long run_to_{symbol}(double a) {{ return (unsigned long long)hipify_ptx_float::to_integer<{name}>(a); }}"
        )
    return build(tmp_path_factory.mktemp("ptx_float"), "\n".join([*lines, "}", ""]), "ptx_float")


def singles(generator: random.Random, count: int) -> list[int]:
    edges = [bits_of(v) for v in REALS if math.isnan(v) or math.isinf(v) or abs(v) < 3.4e38]
    near = [generator.randrange(0x30000000, 0x48000000) | generator.getrandbits(1) << 31 for _ in range(count)]
    halfway = [
        (h << 13 | 0x1000) + generator.randrange(-1, 2)
        for h in (generator.randrange(0x1C000, 0x24000) for _ in range(count))
    ]
    return [*edges, *near, *halfway, *(generator.getrandbits(32) for _ in range(count))]


@pytest.mark.parametrize("name", CONVERSIONS)
def test_a_conversion_rounds_once(library: ctypes.CDLL, name: str) -> None:
    run = getattr(library, f"run_{name}")
    for bits in singles(random.Random(name), 400):
        expected = CONVERSIONS[name](single(bits))
        found = run(bits)
        if expected is None:
            assert found in (0x7FFF, 0x7F), hex(bits)
        else:
            assert found == expected, hex(bits)


def test_every_half_is_what_it_is_in_single_precision(library: ctypes.CDLL) -> None:
    for bits in range(0, 0x10000, 7):
        wide, expected = single(library.run_wide(bits) & 0xFFFFFFFF), half(bits)
        assert (math.isnan(wide) and math.isnan(expected)) or bits_of(wide) == bits_of(expected)


def test_every_number_of_eight_bits_in_half_precision(library: ctypes.CDLL) -> None:
    for bits in range(256):
        exponent, mantissa = bits >> 3 & 15, bits & 7
        value = mantissa * 2.0**-9 if exponent == 0 else (8 + mantissa) * 2.0 ** (exponent - 10)
        found = half(library.run_e4m3_to_half(bits))
        assert math.isnan(found) if bits & 0x7F == 0x7F else found == (-value if bits & 0x80 else value)


EXACT: dict[str, Callable[..., Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "fma": lambda a, b, c: a * b + c,
}


@pytest.mark.parametrize("kind", ["f16", "bf16"])
@pytest.mark.parametrize("name", EXACT)
def test_arithmetic_of_halves_rounds_once(library: ctypes.CDLL, name: str, kind: str) -> None:
    generator = random.Random(name + kind)
    wide, exponent, mantissa = (half, 5, 10) if kind == "f16" else (brain, 8, 7)
    run, count = getattr(library, f"run_{name}_{kind}"), 3 if name == "fma" else 2
    for _ in range(3000):
        words = [
            generator.choice(HALVES) if generator.random() < 0.3 else generator.getrandbits(16) for _ in range(count)
        ]
        values = [wide(w) for w in words]
        if any(math.isnan(v) or math.isinf(v) for v in values):
            continue
        exact = EXACT[name](*map(Fraction, values))
        found = run(*words)
        if exact == 0:
            assert found & 0x7FFF == 0, words
        else:
            assert found == nearest(exact, int(exact < 0), exponent, mantissa), [hex(w) for w in words]


def test_the_greater_and_the_lesser(library: ctypes.CDLL) -> None:
    nan, minus_zero, one = 0x7FC00000, 0x80000000, 0x3F800000
    for a, b, larger, smaller in (
        (nan, one, one, one), (one, nan, one, one), (0, minus_zero, 0, minus_zero), (minus_zero, 0, 0, minus_zero),
        (one, 0, one, 0), (0xFF800000, 0x7F800000, 0x7F800000, 0xFF800000), (minus_zero, minus_zero, minus_zero, minus_zero),
    ):  # fmt: skip
        assert library.run_larger(a, b) & 0xFFFFFFFF == larger
        assert library.run_smaller(a, b) & 0xFFFFFFFF == smaller
    assert math.isnan(single(library.run_larger(nan, nan) & 0xFFFFFFFF))


def test_subnormal_numbers_and_limits(library: ctypes.CDLL) -> None:
    for bits, expected in (
        (1, 0),
        (0x80000001, 0x80000000),
        (0x007FFFFF, 0),
        (0x00800000, 0x00800000),
        (0x7F800000, 0x7F800000),
    ):
        assert library.run_flush(bits) & 0xFFFFFFFF == expected
    for bits, expected in ((0x7FC00000, 0), (0xBF800000, 0), (0x3F000000, 0x3F000000), (0x40000000, 0x3F800000)):
        assert library.run_saturate(bits) & 0xFFFFFFFF == expected


def test_what_a_gpu_gave_for_edges(library: ctypes.CDLL) -> None:
    assert library.run_mul_ftz(0x3F7FFFFF, 0x80800000) & 0xFFFFFFFF == 0x80000000
    assert library.run_mul_ftz(0x3F800001, 0x80800000) & 0xFFFFFFFF == 0x80800001
    assert library.run_fma_ftz(0x3F7FFFFF, 0x80800000, 0x80000000) & 0xFFFFFFFF == 0x80000000
    assert library.run_tf32(0x7F800001) & 0xFFFFFFFF == 0x7F800000
    assert library.run_tf32(0x3F801000) & 0xFFFFFFFF == 0x3F802000
    assert [library.run_normal(b) for b in (0x80000000, 0x3F800000, 1, 0x7F800000, 0x7FC00000)] == [1, 1, 0, 0, 0]
    assert library.run_nan_to_int(0x7FC00000) == 0
    run = library.run_to_unsigned_char
    run.restype, run.argtypes = U64, [ctypes.c_double]
    assert run(math.nan) == 0x80


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("signed_char", -128, 127), ("unsigned_char", 0, 255), ("short", -32768, 32767), ("int", -(1 << 31), (1 << 31) - 1),
        ("unsigned_int", 0, (1 << 32) - 1), ("long_long", -(1 << 63), (1 << 63) - 1), ("unsigned_long_long", 0, (1 << 64) - 1),
    ],
)  # fmt: skip
def test_integers_that_do_not_fit_are_the_nearest(library: ctypes.CDLL, name: str, least: int, most: int) -> None:
    run = getattr(library, f"run_to_{name}")
    run.restype, run.argtypes = U64, [ctypes.c_double]
    for value in (0.0, -0.0, 1.0, -1.0, 127.0, 128.0, -128.0, -129.0, 255.0, 256.0, 1e5, -1e5, 2.0**31, -(2.0**31), 2.0**32,
                  2.0**63, -(2.0**63), 2.0**64, 1e300, -1e300, math.inf, -math.inf):  # fmt: skip
        whole = most if value == math.inf else least if value == -math.inf else int(value)
        assert run(value) == min(max(whole, least), most) % (1 << 64), value
