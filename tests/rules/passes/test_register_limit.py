"""CUDA's limit of a kernel's registers goes; what it says is told."""

import pytest

import hipify


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("__global__ void __maxnreg__(64) k() {}\n", "__global__ void k() {}\n"),
        ("__global__ __maxnreg__(N) void k() {}\n", "__global__ void k() {}\n"),
        ("#define LIMIT __maxnreg__(32)\n", "#define LIMIT \n"),
    ],
)
def test_the_limit_is_removed(cuda: str, hip: str, clang: bool) -> None:
    head, hip_head = "#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"
    made = hipify.translate_source(head + cuda, "t.cu", hipify.Options(clang=clang))
    assert made.output.decode() == hip_head + hip
    assert [(f.id, f.line) for f in made.findings] == [("HPY515", 2)]
