"""Messages of nvcc about lines that `#line` renames: they come home to the lines where these stand."""

from __future__ import annotations

import pytest

from hipify import translate_source
from hipify.build.diagnostics import parse
from hipify.build.homing import Home, Homes, collect
from hipify.build.presumed import Stretch, stretches
from hipify.model import Options

SOURCE = """\
#include <cuda_runtime.h>
#line 500
__global__ void k(int* a) { a[0] = nope; }
# 7 "gen.y"

int main() {
  #  line 40
  k<<<1, 1>>>(0); missing(); return 0; }
"""


def test_stretches_of_lines() -> None:
    assert stretches(SOURCE.encode()) == [
        Stretch("", 1, 3, 1),
        Stretch("", 500, 502, 3),
        Stretch("gen.y", 7, 10, 5),
        Stretch("gen.y", 40, 43, 8),
    ]
    assert stretches(b"#include <a.h>\nint line;\n#define line 3\n") == []


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ('/w/a.hip(500): error: identifier "nope" is undefined', 3),
        ('gen.y(40): error: identifier "missing" is undefined', 8),
        ("gen.y(8): error: what stands in main", 6),
        ("/w/a.hip(1): error: in front of all directives", 1),
        ("gen.y(400): error: a line that no directive names", 1),
    ],
)
def test_lines_are_those_of_the_input(told: str, line: int) -> None:
    home = Home(translate_source(SOURCE, "a.cu", Options(clang=False)), "/w/a.hip")
    (arrival,) = collect(Homes([home]), [(home, "/w", {"host": parse(told)})], "nvcc")
    assert (arrival.home.path, arrival.place.line) == ("a.cu", line)


def test_clangs_lines_are_taken_as_they_are() -> None:
    home = Home(translate_source(SOURCE, "a.cu", Options(clang=False)), "/w/a.hip")
    (arrival,) = collect(Homes([home]), [(home, "/w", {"host": parse("/w/a.hip:8:19: error: no missing")})])
    assert arrival.place.line == 8
