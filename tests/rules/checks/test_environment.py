"""Environment variables of CUDA's runtime."""

from __future__ import annotations

import pytest

from hipify import Options, translate_source


@pytest.mark.parametrize("clang", [True, False])
def test_each_name_is_reported_where_it_stands(clang: bool) -> None:
    code = (
        '#include <cuda_runtime.h>\n#include <cstdlib>\nint main() {\n  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);\n'
        '  return getenv("CUDA_MODULE_LOADING") != nullptr && cudaFree(0);\n}\n'
    )
    found = translate_source(code, "t.cu", Options(clang=clang)).findings
    assert [(f.id, f.line, f.column, f.message) for f in found] == [
        ("HPY122", 4, 10, "CUDA_LAUNCH_BLOCKING is none of HIP's; AMD_SERIALIZE_KERNEL=3 comes nearest"),
        ("HPY122", 5, 17, "CUDA_MODULE_LOADING is none of HIP's"),
    ]


@pytest.mark.parametrize("literal", ['"CUDA_VISIBLE_DEVICES"', '"set CUDA_LAUNCH_BLOCKING=1"', '"MY_CUDA_HOME"'])
def test_other_texts_are_nobodys_business(literal: str) -> None:
    code = f"#include <cuda_runtime.h>\n#include <cstdlib>\nchar* f() {{ cudaFree(0); return getenv({literal}); }}\n"
    assert translate_source(code, "t.cu", Options()).findings == ()
