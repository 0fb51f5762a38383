"""Macros with names of CUDA's: where they hold, and those that stand in for CUDA where a program does without it."""

from pathlib import Path

import pytest

import hipify

HEAD = "#include <cuda_runtime.h>\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("lines", "changed"),
    [
        (["#define cudaFree(p) mine(p)", "void f(void* p) { cudaFree(p); }"], []),
        (["void f(void* p) { cudaFree(p); }", "#define cudaFree(p) mine(p)"], [0]),
        (["#define cudaFree(p) mine(p)", "#undef cudaFree", "void f(void* p) { cudaFree(p); }"], [2]),
        (
            ["#define cudaFree(p) mine(p)", "#undef cudaFree", "#define cudaFree mine", "void f() { cudaFree(0); }"],
            [],
        ),
        (
            ["#define cudaFree(p) mine(p)", "#ifdef A", "#undef cudaFree", "#endif", "void f() { cudaFree(0); }"],
            [],
        ),
        (
            ["#define cudaFree mine", "#ifdef A", "#undef cudaFree", "void f() { cudaFree(0); }", "#endif"],
            [3],
        ),
        (["#define F(p) cudaFree(p)", "#define cudaFree(p) mine(p)", "void f() { F(0); }"], []),
    ],
)
def test_a_macro_holds_between_define_and_undef(lines: list[str], changed: list[int], clang: bool) -> None:
    text = HEAD + "void mine(void*);\n" + "\n".join(lines) + "\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).output.decode().splitlines()[2:]
    expected = [line.replace("cudaFree", "hipFree") if at in changed else line for at, line in enumerate(lines)]
    assert made == expected


STUB = """\
#ifdef WITH_CUDA
#include <cuda_runtime.h>
#else
#include <cstdlib>
typedef int cudaError_t;
enum { cudaSuccess = 0, cudaErrorMemoryAllocation = 2 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1 };
#define cudaFreeHost(p) free(p)
inline cudaError_t cudaGetDevice(int* n) { *n = 0; return cudaSuccess; }
#endif
"""
USE = (
    "int f(void* p, int* n) { cudaFreeHost(p); return cudaGetDevice(n) != cudaSuccess ? cudaMemcpyHostToDevice : 0; }\n"
)
HIP_USE = (
    "int f(void* p, int* n) { hipHostFree(p); return hipGetDevice(n) != hipSuccess ? hipMemcpyHostToDevice : 0; }\n"
)
HIP_STUB = [
    "#ifdef WITH_CUDA",
    "#include <hip/hip_runtime.h>",
    "#else",
    "#include <cstdlib>",
    "typedef int hipError_t;",
    "enum { hipSuccess = 0, hipErrorOutOfMemory = 2 };",
    "enum hipMemcpyKind { hipMemcpyHostToDevice = 1 };",
    "#define hipHostFree(p) free(p)",
    "inline hipError_t hipGetDevice(int* n) { *n = 0; return hipSuccess; }",
    "#endif",
]


@pytest.mark.parametrize("clang", [True, False])
def test_what_stands_in_for_cuda_gets_hips_names_with_its_uses(clang: bool) -> None:
    made = hipify.translate_source(STUB + USE, "t.cpp", hipify.Options(clang=clang))
    assert made.output.decode() == "\n".join(HIP_STUB) + "\n" + HIP_USE
    assert made.findings == ()


@pytest.mark.parametrize("clang", [True, False])
def test_so_do_files_that_include_it(tmp_path: Path, clang: bool) -> None:
    (tmp_path / "gpu.h").write_text("#pragma once\n" + STUB)
    (tmp_path / "main.cpp").write_text('#include "gpu.h"\n' + USE)
    options = hipify.Options(clang=clang)
    assert hipify.translate_file(tmp_path / "main.cpp", options).output.decode().endswith(HIP_USE)
    header = hipify.translate_file(tmp_path / "gpu.h", options).output.decode().splitlines()
    assert header == ["#pragma once", *HIP_STUB]


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("condition", "follows"),
    [
        ("#ifdef DEBUG", True),
        ("#if TRACE > 1 && !defined(QUIET)", True),
        ("#ifndef cudaFree", False),
        ("#if CUDART_VERSION < 9000", False),
        ("#ifdef __HIP_PLATFORM_AMD__", False),
        ("#ifdef USE_ROCM", False),
    ],
)
def test_macros_that_a_switch_of_the_program_asks_for_go_with_their_uses(
    condition: str, follows: bool, clang: bool
) -> None:
    lines = f"void mine(void*);\n{condition}\n#define cudaFree(p) mine(p)\n#endif\nvoid f() {{ cudaFree(0); }}\n"
    made = hipify.translate_source(HEAD + lines, "t.cu", hipify.Options(clang=clang)).output.decode()
    assert made.partition("\n")[2] == (lines.replace("cudaFree", "hipFree") if follows else lines)


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("definition", "own"),
    [
        ("#define cudaFree(p) tracked(p)", True),
        ("#ifdef DEBUG\n#define cudaFree(p) tracked(p)\n#endif", False),
        ("#define cudaFreed(p) tracked(p)", False),
    ],
)
def test_macros_of_headers_are_the_projects_own(tmp_path: Path, definition: str, own: bool, clang: bool) -> None:
    (tmp_path / "track.h").write_text(f"#pragma once\n#include <cuda_runtime.h>\nvoid tracked(void*);\n{definition}\n")
    (tmp_path / "m.cu").write_text('#include "track.h"\nvoid f() { cudaFree(0); }\n')
    made = hipify.translate_file(tmp_path / "m.cu", hipify.Options(clang=clang)).output.decode()
    assert made.endswith(f"{{ {'cudaFree' if own else 'hipFree'}(0); }}\n")
