"""hipify_bfloat16.h, run on the CPU, against exact arithmetic."""

from __future__ import annotations

import ctypes
import math
import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.include.test_half_header import bfloat
from tests.include.test_helper_headers import build

EDGES = [0, 0x8000, 1, 0x8001, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 0x3F00, 0x4020, 0xC020, 0x0080, 0x7F7F, 0x3F7F]
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip
PLAIN = ("__hadd_sat", "__hsub_sat", "__hmul_sat", "__hmax_nan", "__hmin_nan")
FUSED = ("__hfma_sat", "__hfma_relu")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    lines = ['#include "hipify_bfloat16.h"', 'extern "C" {']
    pair, one = "__hip_bfloat162{{{}}}", "__hip_bfloat16{{{}}}"
    for name in COMPARE:
        for end, result in (("2_mask", "{}"), ("u2_mask", "{}"), ("u2", "{}.bits")):
            call = result.format(f"__h{name}{end}({pair.format('a')}, {pair.format('b')})")
            lines.append(f"unsigned run__h{name}{end}(unsigned a, unsigned b) {{ return {call}; }}")
    for name in PLAIN:
        call = f"{name}({one.format('a')}, {one.format('b')}).bits"
        lines.append(f"unsigned short run{name}(unsigned short a, unsigned short b) {{ return {call}; }}")
        two = f"{name[: name.index('_', 2)]}2{name[name.index('_', 2) :]}"
        call = f"{two}({pair.format('a')}, {pair.format('b')}).bits"
        lines.append(f"unsigned run{two}(unsigned a, unsigned b) {{ return {call}; }}")
    for name in FUSED:
        call = f"{name}({one.format('a')}, {one.format('b')}, {one.format('c')}).bits"
        lines.append(
            f"unsigned short run{name}(unsigned short a, unsigned short b, unsigned short c) {{ return {call}; }}"
        )
    call = f"__hcmadd({pair.format('a')}, {pair.format('b')}, {pair.format('c')}).bits"
    lines.append(f"unsigned complex(unsigned a, unsigned b, unsigned c) {{ return {call}; }}")
    lines.append(f"unsigned short tangent(unsigned short a) {{ return htanh({one.format('a')}).bits; }}")
    return build(tmp_path_factory.mktemp("bfloat"), "\n".join([*lines, "}"]) + "\n", "bfloat")


def numbers(count: int, seed: str) -> list[tuple[int, ...]]:
    """Edges with each other, and random ones: of every size, and near one another."""
    chosen = random.Random(seed)
    cases = [tuple(chosen.choice(EDGES) for _ in range(count)) for _ in range(300)]
    cases += [tuple(chosen.getrandbits(16) for _ in range(count)) for _ in range(300)]
    return cases + [tuple(0x3F00 + chosen.getrandbits(8) for _ in range(count)) for _ in range(300)]


def nearest(exact: Fraction) -> int:
    """The bfloat16 nearest to a number, the even one of two."""
    size = abs(exact)
    low, high = 0, 0x7F80
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if Fraction(bfloat(middle)) <= size else (low, middle)
    above = Fraction(bfloat(high)) if high < 0x7F80 else Fraction(2) ** 128
    under = Fraction(bfloat(low))
    bits = low if size - under < above - size or (size - under == above - size and low % 2 == 0) else high
    return bits | (0x8000 if exact < 0 else 0)


def saturated(exact: float | Fraction) -> float:
    if exact != exact:
        return 0.0
    return bfloat(nearest(Fraction(min(max(exact, Fraction(0)), Fraction(1)))))


def exactly(name: str, a: float, b: float) -> float | Fraction:
    if not (math.isfinite(a) and math.isfinite(b)):
        return {"add": a + b, "sub": a - b, "mul": a * b}[name]
    x, y = Fraction(a), Fraction(b)
    return {"add": x + y, "sub": x - y, "mul": x * y}[name]


@pytest.mark.parametrize("name", ["__hadd_sat", "__hsub_sat", "__hmul_sat"])
def test_saturation(library: ctypes.CDLL, name: str) -> None:
    function = library[f"run{name}"]
    function.restype = ctypes.c_ushort
    for a, b in numbers(2, name):
        assert bfloat(function(a, b)) == saturated(exactly(name[3:6], bfloat(a), bfloat(b)))


@pytest.mark.parametrize(("name", "larger"), [("__hmax_nan", True), ("__hmin_nan", False)])
def test_extremes_keep_nan(library: ctypes.CDLL, name: str, larger: bool) -> None:
    function = library[f"run{name}"]
    function.restype = ctypes.c_ushort
    for a, b in numbers(2, name):
        x, y, got = bfloat(a), bfloat(b), function(a, b)
        if math.isnan(x) or math.isnan(y):
            assert got == 0x7FFF
        else:
            assert bfloat(got) == (max(x, y) if larger else min(x, y))
            assert got in (a, b)


@pytest.mark.parametrize("name", FUSED)
def test_fused_products_are_rounded_once(library: ctypes.CDLL, name: str) -> None:
    function = library[f"run{name}"]
    function.restype = ctypes.c_ushort
    for a, b, c in numbers(3, name):
        x, y, z, got = bfloat(a), bfloat(b), bfloat(c), function(a, b, c)
        if not all(map(math.isfinite, (x, y, z))):
            if name == "__hfma_relu":
                value = x * y + z
                assert got == 0x7FFF if math.isnan(value) else bfloat(got) == max(value, 0.0)
            continue
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        if name == "__hfma_sat":
            assert bfloat(got) == saturated(exact)
        else:
            assert got == (nearest(exact) if exact > 0 else 0)


@pytest.mark.parametrize("name", COMPARE)
def test_comparisons_of_pairs(library: ctypes.CDLL, name: str) -> None:
    compare = COMPARE[name]
    for a, b, c, d in numbers(4, name):
        pairs = [(bfloat(a), bfloat(c)), (bfloat(b), bfloat(d))]
        unordered = [math.isnan(x) or math.isnan(y) for x, y in pairs]
        yes = [compare(x, y) and not u for (x, y), u in zip(pairs, unordered, strict=True)]
        loose = [compare(x, y) or u for (x, y), u in zip(pairs, unordered, strict=True)]
        first, second = a | b << 16, c | d << 16
        for end, wanted, unit in (("2_mask", yes, 0xFFFF), ("u2_mask", loose, 0xFFFF), ("u2", loose, 0x3F80)):
            function = library[f"run__h{name}{end}"]
            function.restype = ctypes.c_uint
            assert function(first, second) == sum(unit << 16 * place for place in (0, 1) if wanted[place])


def test_pairs_are_two_numbers(library: ctypes.CDLL) -> None:
    for name in PLAIN:
        one = library[f"run{name}"]
        two = library[f"run{name[: name.index('_', 2)]}2{name[name.index('_', 2) :]}"]
        one.restype, two.restype = ctypes.c_ushort, ctypes.c_uint
        for a, b, c, d in numbers(4, name):
            assert two(a | b << 16, c | d << 16) == one(a, c) | one(b, d) << 16


def test_complex_products(library: ctypes.CDLL) -> None:
    library.complex.restype = ctypes.c_uint
    for a, b, c, d in numbers(4, "complex"):
        values = [bfloat(n) for n in (a, b, c, d)]
        if not all(math.isfinite(v) and abs(v) < 1e15 for v in values):
            continue
        ar, ai, br, bi = map(Fraction, values)
        real = nearest(Fraction(bfloat(nearest(ar * br))) - ai * bi)
        imaginary = nearest(Fraction(bfloat(nearest(ar * bi))) + ai * br)
        got = library.complex(a | b << 16, c | d << 16, 0)
        assert (bfloat(got & 0xFFFF), bfloat(got >> 16)) == (bfloat(real), bfloat(imaginary))


def test_tangents(library: ctypes.CDLL) -> None:
    library.tangent.restype = ctypes.c_ushort
    for (a,) in numbers(1, "tangent"):
        value = bfloat(a)
        if not math.isnan(value):
            assert abs(bfloat(library.tangent(a)) - math.tanh(value)) <= abs(math.tanh(value)) / 256 + 1e-40
