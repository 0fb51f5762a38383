"""HIP's headers come in front of macros that are called like a word of theirs, as nvcc includes CUDA's."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify

RUNTIME = "#include <hip/hip_runtime.h>\n"
CUDA = "#include <cuda_runtime.h>\n"
KERNEL = "__global__ void k() {}\n"


def translate(text: str, path: str = "t.cu") -> tuple[str, list[str]]:
    done = hipify.translate_source(text, path, hipify.Options(clang=False))
    return done.output.decode(), [f"{f.line}: {f.message}" for f in done.findings if f.id == "HPY125"]


@pytest.mark.parametrize(
    "macro",
    [
        "#define ulong4 uint4\n",
        "#define T 16\n",
        "#define min(a, b) ((a) < (b) ? (a) : (b))\n",
        "#ifdef SMALL\n#define double float\n#endif\n",
    ],
)
def test_the_include_goes_above_the_macro(macro: str) -> None:
    assert translate("// head\n" + macro + CUDA + KERNEL) == ("// head\n" + RUNTIME + macro + KERNEL, [])
    assert translate(macro + "#include <cstdio>\n" + KERNEL) == (RUNTIME + macro + "#include <cstdio>\n" + KERNEL, [])
    library = translate(macro + "#include <cublas_v2.h>\n" + KERNEL)[0]
    assert library == RUNTIME + macro + "#include <hipblas/hipblas.h>\n" + KERNEL


@pytest.mark.parametrize(
    "macro",
    [
        "#define MINE 3\n",
        "#define T 3\n#undef T\n",
        "#define _GNU_SOURCE\n",
        "#ifndef __HIP_PLATFORM_AMD__\n#define T 16\n#endif\n",
        "#define inline __inline\n",
    ],
)
def test_other_macros_stay_above(macro: str) -> None:
    assert translate(macro + CUDA + KERNEL) == (macro + RUNTIME + KERNEL, [])
    assert translate(CUDA + macro + KERNEL) == (RUNTIME + macro + KERNEL, [])


def test_branches() -> None:
    either = "#ifdef HOST\n#define T 4\n#else\n" + CUDA + "#endif\nint n;\n"
    assert translate(either, "t.h")[0] == either.replace(CUDA, RUNTIME)
    within = "#ifdef GPU\n#define T 4\n" + CUDA + "#endif\nint n;\n"
    assert translate(within, "t.h")[0] == "#ifdef GPU\n" + RUNTIME + "#define T 4\n#endif\nint n;\n"
    late = "#define T 4\n#ifdef GPU\n" + CUDA + "#endif\nint n;\n"
    assert translate(late, "t.h") == (
        late.replace(CUDA, RUNTIME),
        ["1: T is a word of HIP's headers, and a macro in front of them"],
    )
    assert translate(late, "t.cu") == (RUNTIME + "#define T 4\n#ifdef GPU\n#endif\nint n;\n", [])


def test_code_for_hip_stays() -> None:
    ported = "#define T 4\n" + RUNTIME + CUDA + KERNEL
    assert translate(ported)[0] == "#define T 4\n" + RUNTIME + KERNEL


def test_macros_of_headers(tmp_path: Path) -> None:
    source = str(tmp_path / "t.cu")
    text = '#include <cstdio>\n#include "a.h"\n' + CUDA + KERNEL
    (tmp_path / "a.h").write_text('#include "b.h"\n#include "gone.h"\n')
    (tmp_path / "b.h").write_text("#define N 3\n")
    assert translate(text, source)[0] == text.replace(CUDA, RUNTIME)
    (tmp_path / "b.h").write_text("#define T 3\n")
    assert translate(text, source)[0] == "#include <cstdio>\n" + RUNTIME + '#include "a.h"\n' + KERNEL
    (tmp_path / "b.h").write_text("#define T 3\nint a[T];\n#undef T\n")
    assert translate(text, source)[0] == text.replace(CUDA, RUNTIME)
    (tmp_path / "b.h").write_text(CUDA + "#define T 3\n")
    assert translate(text, source)[0] == text.replace(CUDA, RUNTIME)


def test_a_samples_helper_has_the_runtime_in_front() -> None:
    helper = "#include <helper_cuda.h>\n"
    assert translate("#define T 3\n" + helper + CUDA + KERNEL)[0].startswith(RUNTIME + "#define T 3\n" + helper + "__g")
    assert translate(helper + "#define T 3\n" + CUDA + KERNEL)[0].startswith(RUNTIME + helper)
