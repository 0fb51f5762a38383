"""C string functions in a project's headers of plain C++, which nvcc's own includes let pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, Translation, translate_file
from tests.support.hip import compile_hip

HEADER = "inline void clear(int* p) { memset(p, 0, 4); }\n"
SOURCE = '// A program.\n#include <cuda_runtime.h>\n#include "util.h"\nvoid f(int* p) { clear(p); cudaFree(p); }\n'


def translated(folder: Path, header: str, source: str = SOURCE, clang: bool = True) -> Translation:
    (folder / "util.h").write_text(header)
    (folder / "t.cu").write_text(source)
    return translate_file(folder / "t.cu", Options(clang=clang))


@pytest.mark.parametrize("clang", [True, False])
def test_their_header_comes_in_front_of_the_projects(tmp_path: Path, clang: bool) -> None:
    made = translated(tmp_path, HEADER, clang=clang)
    assert [(f.id, f.line, f.message) for f in made.findings] == [("HPY608", 3, "util.h calls memset: <cstring> added")]
    lines = made.output.decode().splitlines()
    assert lines.index("#include <cstring>") < lines.index('#include "util.h"')
    (tmp_path / "t.hip").write_bytes(made.output)
    assert compile_hip(tmp_path / "t.hip", flags=["-nogpulib"]) == []


@pytest.mark.parametrize(
    ("header", "source"),
    [
        ("#include <string.h>\n" + HEADER, SOURCE),
        (HEADER.replace("memset(", "std::memset("), SOURCE),
        (HEADER.replace("memset(p", "pool.memset(p"), SOURCE),
        (HEADER, SOURCE.replace("#include <cuda", "#include <cstring>\n#include <cuda")),
        ("#include <cuda_runtime.h>\n" + HEADER, SOURCE),  # it is translated itself
        (HEADER, "void f();\n"),
    ],
)
def test_nothing_is_added_where_it_is_there_or_none_of_ours(tmp_path: Path, header: str, source: str) -> None:
    made = translated(tmp_path, header, source)
    assert made.output.count(b"<cstring>") == source.count("<cstring>")
    assert not [f for f in made.findings if f.id == "HPY608"]
