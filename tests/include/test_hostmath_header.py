"""hipify_hostmath.h, run on the CPU, against the functions' definitions."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable

import pytest

from tests.include.test_helper_headers import build

POINTS = [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.75, 7.0, 0.1, 123.456, 1e6 + 0.5, 1e15, 4503599627370497.0, 1e300, 1e-300]
NAMES = ("rsqrt", "rcbrt", "sinpi", "cospi", "normcdf")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The functions behind names that C can call."""
    lines = ['#include "hipify_hostmath.h"', 'extern "C" {']
    for name in NAMES:
        lines.append(f"double run_{name}(double x) {{ return {name}(x); }}")
        lines.append(f"float run_{name}f(float x) {{ return {name}f(x); }}")
        lines.append(f"float run_{name}_float(float x) {{ return {name}(x); }}")
    lines.append("void run_sincospi(double x, double* s, double* c) { sincospi(x, s, c); }")
    lines.append("unsigned run_whole() { return umin(3u, 4u) + umax(0x80000000u, 1u) + llmin(-1, 1) + ullmax(5, 6); }")
    made = build(tmp_path_factory.mktemp("hostmath"), "\n".join([*lines, "}", ""]), "hostmath")
    for name in NAMES:
        for suffix, kind in (("", ctypes.c_double), ("f", ctypes.c_float), ("_float", ctypes.c_float)):
            function = getattr(made, f"run_{name}{suffix}")
            function.restype, function.argtypes = kind, [kind]
    return made


def turned(function: Callable[[float], float], x: float) -> float:
    """A function of pi * x, x brought below 2 without an error."""
    return function(math.pi * math.fmod(x, 2.0))


DEFINED: dict[str, Callable[[float], float]] = {
    "rsqrt": lambda x: 1 / math.sqrt(x) if x else math.inf,
    "rcbrt": lambda x: 1 / math.cbrt(x) if x else math.inf,
    "sinpi": lambda x: turned(math.sin, x),
    "cospi": lambda x: turned(math.cos, x),
    "normcdf": lambda x: 0.5 * math.erfc(-x / math.sqrt(2)),
}


@pytest.mark.parametrize("name", NAMES)
def test_values(library: ctypes.CDLL, name: str) -> None:
    for x in [*POINTS, *((-x for x in POINTS) if name not in ("rsqrt",) else ())]:
        wanted = DEFINED[name](x) if x or name != "rcbrt" else math.copysign(math.inf, x)
        assert getattr(library, f"run_{name}")(x) == pytest.approx(wanted, rel=4e-15, abs=1e-15), x
        if abs(x) < 1e6:  # as a float it would be another number
            single = ctypes.c_float(x).value
            if single or not x:
                wanted = DEFINED[name](single) if single or name != "rcbrt" else math.copysign(math.inf, single)
                for suffix in ("f", "_float"):
                    assert getattr(library, f"run_{name}{suffix}")(single) == pytest.approx(wanted, rel=1e-6, abs=1e-7)


def test_whole_and_half_turns_are_exact(library: ctypes.CDLL) -> None:
    assert [library.run_sinpi(x) for x in (0.0, 0.5, 1.0, 1.5, -0.5, 1e300)] == [0.0, 1.0, 0.0, -1.0, -1.0, 0.0]
    assert [library.run_cospi(x) for x in (0.0, 0.5, 1.0, 1.5, -0.5, 1e300)] == [1.0, 0.0, -1.0, 0.0, 0.0, 1.0]
    assert math.isnan(library.run_sinpi(math.inf))
    assert math.isnan(library.run_cospi(math.nan))


def test_sine_and_cosine_together(library: ctypes.CDLL) -> None:
    s, c = ctypes.c_double(), ctypes.c_double()
    library.run_sincospi(ctypes.c_double(0.75), ctypes.byref(s), ctypes.byref(c))
    assert (s.value, c.value) == (pytest.approx(math.sqrt(0.5)), pytest.approx(-math.sqrt(0.5)))


def test_integers(library: ctypes.CDLL) -> None:
    library.run_whole.restype = ctypes.c_uint
    assert library.run_whole() == 3 + 0x80000000 - 1 + 6
