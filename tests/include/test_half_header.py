"""hipify_half.h, run on the CPU, against exact arithmetic: conversions of bfloat16 and half, comparisons of halves."""

from __future__ import annotations

import ctypes
import math
import random
import re
import struct
from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.include.test_helper_headers import HEADERS, build

TEXT = (HEADERS / "hipify_half.h").read_text()
_C: dict[str, type[ctypes._SimpleCData[int]] | type[ctypes._SimpleCData[float]]] = {
    "signed char": ctypes.c_byte, "unsigned char": ctypes.c_ubyte, "short": ctypes.c_short, "unsigned": ctypes.c_uint,
    "unsigned short": ctypes.c_ushort, "int": ctypes.c_int, "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong, "float": ctypes.c_float, "double": ctypes.c_double,
}  # fmt: skip
_FROM_BFLOAT = re.findall(r"^HIPIFY_BOTH ([a-z ]+) (__bfloat162\w+_r[duzn])\(", TEXT, re.MULTILINE)
_TO_BFLOAT = re.findall(r"^HIPIFY_BOTH __hip_bfloat16 (__\w+2bfloat16_r[duzn])\(([a-z ]+) value", TEXT, re.MULTILINE)
_MASKS = re.findall(r"^HIPIFY_BOTH unsigned (__h\w+2_mask)\(", TEXT, re.MULTILINE)
EDGES = [0, 0x8000, 1, 0x8001, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 0x3F00, 0x4020, 0xC020, 0x4F00, 0xCF00, 0x5F80]
ROUNDS = 500


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Every function behind a wrapper over bits."""
    lines = ['#include "hipify_half.h"', 'extern "C" {']
    for result, name in _FROM_BFLOAT:
        lines.append(f"{result} run{name}(unsigned short a) {{ return {name}(__hip_bfloat16{{a}}); }}")
    for name, kind in _TO_BFLOAT:
        lines.append(f"unsigned short run{name}({kind} a) {{ return {name}(a).bits; }}")
    for name in _MASKS:
        lines.append(f"unsigned run{name}(unsigned a, unsigned b) {{ return {name}(__half2{{a}}, __half2{{b}}); }}")
    for name in ("__hmax2_nan", "__hmin2_nan", "__hmax2", "__hmin2"):
        lines.append(
            f"unsigned run{name}(unsigned a, unsigned b) {{ return {name}(__half2{{a}}, __half2{{b}}).bits; }}"
        )
    lines += [
        "unsigned pair(float a, float b) { return __floats2bfloat162_rn(a, b).bits; }",
        "unsigned twice(float a) { return __float2bfloat162_rn(a).bits; }",
        "unsigned made(unsigned short a, unsigned short b) {",
        "    return make_bfloat162(__hip_bfloat16{a}, __hip_bfloat16{b}).bits; }",
        "unsigned short narrow(double a) { return __double2half(a).bits; }",
        "signed char to_char(unsigned short a) { return __half2char_rz(__half{a}); }",
        "unsigned char to_uchar(unsigned short a) { return __half2uchar_rz(__half{a}); }",
        "unsigned short fma_relu(unsigned short a, unsigned short b, unsigned short c) {",
        "    return __hfma_relu(__half{a}, __half{b}, __half{c}).bits; }",
        "unsigned complex(unsigned a, unsigned b, unsigned c) {",
        "    return __hcmadd(__half2{a}, __half2{b}, __half2{c}).bits; }",
        "unsigned short tangent(unsigned short a) { nv_half h{a}; return htanh(h).bits; }",
        "int classes(unsigned short a) { __half h{a}; return isnan(h) * 4 + isinf(h) * 2 + isfinite(h); }",
        "int classes_b(unsigned short a) {",
        "    __hip_bfloat16 h{a}; return isnan(h) * 4 + isinf(h) * 2 + isfinite(h); }",
        "unsigned short add_half(unsigned short* p, unsigned short v) {",
        "    return atomicAdd(reinterpret_cast<__half*>(p), __half{v}).bits; }",
        "unsigned short add_bfloat(unsigned short* p, unsigned short v) {",
        "    return atomicAdd(reinterpret_cast<__hip_bfloat16*>(p), __hip_bfloat16{v}).bits; }",
        "unsigned add_half2(unsigned* p, unsigned v) {",
        "    return atomicAdd(reinterpret_cast<__half2*>(p), __half2{v}).bits; }",
        "unsigned add_bfloat2(unsigned* p, unsigned v) {",
        "    return atomicAdd(reinterpret_cast<__hip_bfloat162*>(p), __hip_bfloat162{v}).bits; }",
        "unsigned tangents(unsigned a) { nv_half2 h{a}; return h2tanh_approx(h).bits; }",
        "}",
    ]
    return build(tmp_path_factory.mktemp("half"), "\n".join(lines) + "\n", "half")


def bfloat(bits: int) -> float:
    """The number that sixteen bits of a bfloat16 stand for."""
    return float(struct.unpack("f", struct.pack("I", bits << 16))[0])


def half(bits: int) -> float:
    """The number that sixteen bits of a half stand for."""
    return float(struct.unpack("e", struct.pack("H", bits & 0xFFFF))[0])


def half_bits(value: float) -> int:
    """The half that a number becomes."""
    return int(struct.unpack("H", struct.pack("e", value))[0])


def whole(value: float, mode: str) -> int:
    """A finite number rounded to a whole one."""
    exact = Fraction(value)
    rounded: dict[str, Callable[[Fraction], int]] = {"rd": math.floor, "ru": math.ceil, "rz": math.trunc, "rn": round}
    return rounded[mode](exact)


@pytest.mark.parametrize(("result", "name"), _FROM_BFLOAT)
def test_whole_numbers_of_bfloat16(library: ctypes.CDLL, result: str, name: str) -> None:
    function = getattr(library, f"run{name}")
    function.restype, function.argtypes = _C[result], [ctypes.c_ushort]
    bits = 8 * ctypes.sizeof(_C[result])
    low, high = (0, 2**bits - 1) if "unsigned" in result else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    none = 0 if bits < 64 else low or 2**63
    generator = random.Random(name)
    for bit_pattern in [*EDGES, *(generator.getrandbits(16) for _ in range(ROUNDS))]:
        value = bfloat(bit_pattern)
        if math.isnan(value):
            expected = none
        elif math.isinf(value):
            expected = high if value > 0 else low
        else:
            expected = max(low, min(high, whole(value, name[-2:])))
        assert function(bit_pattern) == expected, (name, bit_pattern, value)


@pytest.mark.parametrize(("name", "kind"), _TO_BFLOAT)
def test_bfloat16_of_numbers(library: ctypes.CDLL, name: str, kind: str) -> None:
    function = getattr(library, f"run{name}")
    function.restype, function.argtypes = ctypes.c_ushort, [_C[kind]]
    generator, mode = random.Random(name), name[-2:]
    size = 8 * ctypes.sizeof(_C[kind])
    for _ in range(ROUNDS):
        if kind == "float":
            value: float | int = struct.unpack("f", generator.randbytes(4))[0]
            if math.isnan(value):
                assert function(value) == 0x7FFF
                continue
            if math.isinf(value):
                assert bfloat(function(value)) == value
                continue
        else:
            word = generator.getrandbits(generator.randrange(1, size + 1))
            value = word - 2**size if "unsigned" not in kind and word >> (size - 1) else word
        got = function(value)
        exact, found = Fraction(value), bfloat(got)
        up = bfloat(got + 1) if not got >> 15 else bfloat(got - 1) if got != 0x8000 else bfloat(1)
        down = bfloat(got - 1) if 0 < got < 0x8000 else bfloat(got + 1) if got >> 15 else -bfloat(1)
        mode_here = ("rd" if value > 0 else "ru") if mode == "rz" else mode
        if math.isinf(found):
            assert mode_here != ("rd" if found > 0 else "ru") and abs(exact) > Fraction(bfloat(0x7F7F))
        elif mode_here == "rd":
            assert found <= exact < up
        elif mode_here == "ru":
            assert down < exact <= found
        else:
            assert abs(exact - Fraction(found)) * 2 <= Fraction(up) - Fraction(down)
            assert all(abs(exact - Fraction(found)) <= abs(exact - Fraction(o)) for o in (up, down) if math.isfinite(o))


@pytest.mark.parametrize("name", _MASKS)
def test_masks_of_comparisons(library: ctypes.CDLL, name: str) -> None:
    function = getattr(library, f"run{name}")
    function.restype, function.argtypes = ctypes.c_uint, [ctypes.c_uint, ctypes.c_uint]
    match = re.fullmatch(r"__h(eq|ne|lt|le|gt|ge)(u?)2_mask", name)
    assert match is not None
    comparisons: dict[str, Callable[[float, float], bool]] = {
        "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
        "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    }  # fmt: skip
    compare = comparisons[match[1]]
    generator = random.Random(name)
    patterns = [0, 0x8000, 0x3C00, 0x7E00, 0x7C00, 0xFC00, 1]
    for _ in range(ROUNDS):
        a, b = (
            generator.choice(patterns) | generator.choice([*patterns, generator.getrandbits(16)]) << 16 for _ in "ab"
        )
        expected = 0
        for shift in (0, 16):
            x, y = half(a >> shift), half(b >> shift)
            true = bool(match[2]) if math.isnan(x) or math.isnan(y) else compare(x, y)
            expected |= (0xFFFF if true else 0) << shift
        assert function(a, b) == expected


def pack(real: float, imaginary: float) -> int:
    """Two halves in a word."""
    return half_bits(real) | half_bits(imaginary) << 16


def test_the_rest(library: ctypes.CDLL) -> None:
    library.pair.argtypes = [ctypes.c_float, ctypes.c_float]
    library.twice.argtypes = [ctypes.c_float]
    library.narrow.argtypes = [ctypes.c_double]
    for name in ("pair", "twice", "made", "complex", "tangents"):
        getattr(library, name).restype = ctypes.c_uint
    for name in ("narrow", "fma_relu", "tangent"):
        getattr(library, name).restype = ctypes.c_ushort
    library.to_char.restype, library.to_uchar.restype = ctypes.c_byte, ctypes.c_ubyte
    assert library.pair(1.0, -2.0) == 0xC0003F80 and library.twice(1.0) == 0x3F803F80
    assert library.made(0x1234, 0xABCD) == 0xABCD1234
    assert library.narrow(1.0 + 2.0**-11 + 2.0**-30) == 0x3C01  # by way of float it would be 0x3C00
    assert [library.to_char(half_bits(v)) for v in (1.9, -1.9, 300.0, -300.0)] == [1, -1, 127, -128]
    assert [library.to_uchar(half_bits(v)) for v in (1.9, -1.9, 300.0)] == [1, 0, 255]
    assert library.fma_relu(half_bits(2), half_bits(-3), half_bits(1)) == 0
    assert half(library.fma_relu(half_bits(2), half_bits(3), half_bits(1))) == 7
    assert library.complex(pack(1, 2), pack(3, 4), pack(10, 20)) == pack(10 + 3 - 8, 20 + 4 + 6)
    assert half(library.tangent(half_bits(0.5))) == pytest.approx(math.tanh(0.5), abs=1e-3)
    assert library.tangents(pack(0, 0)) == 0


@pytest.mark.parametrize(("name", "pick"), [("__hmax2_nan", max), ("__hmin2_nan", min)])
def test_extremes_that_keep_nan(library: ctypes.CDLL, name: str, pick: Callable[[float, float], float]) -> None:
    function = getattr(library, f"run{name}")
    function.restype, function.argtypes = ctypes.c_uint, [ctypes.c_uint, ctypes.c_uint]
    generator = random.Random(name)
    for _ in range(ROUNDS):
        a, b = generator.getrandbits(32), generator.getrandbits(32)
        got = function(a, b)
        for shift in (0, 16):
            x, y, found = half(a >> shift), half(b >> shift), half(got >> shift)
            if math.isnan(x) or math.isnan(y):
                assert got >> shift & 0xFFFF == 0x7FFF
            else:
                assert found == pick(x, y)


@pytest.mark.parametrize(("name", "pick"), [("__hmax2", max), ("__hmin2", min)])
def test_extremes_that_prefer_numbers(library: ctypes.CDLL, name: str, pick: Callable[[float, float], float]) -> None:
    function = getattr(library, f"run{name}")
    function.restype, function.argtypes = ctypes.c_uint, [ctypes.c_uint, ctypes.c_uint]
    generator = random.Random(name)
    for round_ in range(ROUNDS):
        a, b = generator.getrandbits(32), generator.getrandbits(32)
        a |= 0x7C000000 if round_ % 3 == 0 else 0
        b |= 0x00007C00 if round_ % 5 == 0 else 0
        got = function(a, b)
        for shift in (0, 16):
            x, y, found = half(a >> shift), half(b >> shift), half(got >> shift)
            if math.isnan(x) and math.isnan(y):
                assert math.isnan(found)
            else:
                assert found == (y if math.isnan(x) else x if math.isnan(y) else pick(x, y))


def test_classes_of_every_half(library: ctypes.CDLL) -> None:
    for function, value in ((library.classes, half), (library.classes_b, bfloat)):
        for bits in range(1 << 16):
            number = value(bits)
            expected = 4 if math.isnan(number) else 2 if math.isinf(number) else 1
            assert function(ctypes.c_ushort(bits)) == expected, bits


def nearest_bfloat(exact: Fraction) -> int:
    """The bfloat16 next to a number, the even one of two."""
    bits = int(struct.unpack("I", struct.pack("f", float(exact)))[0])
    candidates = [(bits >> 16) + step & 0xFFFF for step in (0, 1)]
    return min(candidates, key=lambda c: (abs(Fraction(bfloat(c)) - exact), c & 1))


@pytest.mark.parametrize("kind", ["half", "bfloat"])
def test_atomic_additions(library: ctypes.CDLL, kind: str) -> None:
    one, two = getattr(library, f"add_{kind}"), getattr(library, f"add_{kind}2")
    one.restype, two.restype = ctypes.c_ushort, ctypes.c_uint
    generator = random.Random(kind)
    value, encode = (half, lambda f: half_bits(float(f))) if kind == "half" else (bfloat, nearest_bfloat)
    for _ in range(ROUNDS):
        # Numbers of like size, whose sum is far from the largest.
        top = generator.choice((0x3000, 0x3C00, 0x4400)) if kind == "half" else generator.choice((0x3F00, 0x4000))
        words = [top + generator.getrandbits(9) | generator.getrandbits(1) << 15 for _ in range(4)]
        sums = [encode(Fraction(value(words[i])) + Fraction(value(words[i + 2]))) for i in (0, 1)]
        if 0 in (sums[0] & 0x7FFF, sums[1] & 0x7FFF):
            continue
        memory = (ctypes.c_ushort * 2)(*words[:2])
        for i in (0, 1):
            at = ctypes.byref(memory, 2 * i)
            assert one(at, ctypes.c_ushort(words[2 + i])) == words[i]
            assert memory[i] == sums[i] and memory[1 - i] == (words[1] if i == 0 else sums[0])
        memory = (ctypes.c_ushort * 2)(*words[:2])
        assert two(memory, ctypes.c_uint(words[2] | words[3] << 16)) == words[0] | words[1] << 16
        assert list(memory) == sums
