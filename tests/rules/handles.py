"""Bodies of a function that is given handles, integers in CUDA and pointers in HIP, translated with clang or without."""

from __future__ import annotations

import hipify
from hipify.model import Options

HEAD = (
    "#include <cufft.h>\n#include <cuda.h>\n#include <cuda_runtime.h>\n#include <cstdio>\n#include <vector>\n"
    "void run(int plan); int made(); void take(unsigned long long t);\n"
    "struct T { unsigned long long tex; int plan; };\n"
)
ARGUMENTS = (
    "cufftHandle a, cufftComplex* d, cudaTextureObject_t o, CUmemGenericAllocationHandle h, unsigned long long x, T& s,"
    " CUdeviceptr p, int i"
)
LINE = HEAD.count("\n") + 2
"""Where a body stands."""


def translate(body: str, *, clang: bool) -> tuple[str, hipify.Translation]:
    """What a body of one line becomes."""
    text = f"{HEAD}void f({ARGUMENTS}) {{\n  {body}\n}}\n"
    result = hipify.translate_source(text, "t.cu", Options(clang=clang))
    return result.output.decode().split("{\n  ")[-1].removesuffix("\n}\n"), result
