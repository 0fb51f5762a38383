"""Messages in headers of others are told at the line of ours that led there."""

from __future__ import annotations

import pytest

from hipify import Options, translate_source
from hipify.build.diagnostics import parse
from hipify.build.homing import Home, Homes

TEXT = "#include <early.h>\n#include <cuda_runtime.h>\nvoid f() {\n  used();\n}\n#include <late.h>\n"
TOLD = "/std/s.h:9:1: error: first\nmain.hip:4:3: note: in instantiation of function template 'used' requested here\n"


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        (TOLD, [4]),
        # Clang tells an instantiation once.
        (f"{TOLD}/std/s.h:12:1: error: second\n", [4, 4]),
        (f"In file included from main.hip:1:\n/std/s.h:12:1: error: second\n{TOLD}", [1, 4]),
        (f"In file included from main.hip:1:\n{TOLD}/std/s.h:12:1: error: second\n", [4, 4]),
        # What is included behind an instantiation is read behind it.
        (f"{TOLD}In file included from main.hip:6:\n/std/late.h:12:1: error: second\n", [4, 6]),
    ],
)
def test_messages_without_an_instantiation_are_from_the_last_one_told(output: str, lines: list[int]) -> None:
    home = Home(translate_source(TEXT, "main.cu", Options(clang=False)), "main.hip")
    homes = Homes([home])
    assert [homes.arrive(found, home).place.line for found in parse(output)] == lines
