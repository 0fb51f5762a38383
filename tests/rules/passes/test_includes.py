"""Headers of HIP's that compile only behind the runtime's get it in front of them."""

import pytest

import hipify

RUNTIME = "#include <hip/hip_runtime.h>\n"
KERNEL = "__global__ void k() {}\n"


def translate(text: str, target: str = "7.2") -> str:
    return hipify.translate_source(text, "t.cu", hipify.Options(clang=False, target=target)).output.decode()


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cuda_gl_interop.h", "hip/hip_gl_interop.h"),
        ("driver_types.h", "hip/driver_types.h"),
        ("channel_descriptor.h", "hip/channel_descriptor.h"),
        ("texture_types.h", "hip/texture_types.h"),
        ("surface_types.h", "hip/surface_types.h"),
    ],
)
@pytest.mark.parametrize("target", ["5.7", "6.4", "7.2"])
def test_the_runtime_stands_in_front(cuda: str, hip: str, target: str) -> None:
    lone, runtime = f"#include <{cuda}>\n", "#include <cuda_runtime.h>\n"
    wanted = f"{RUNTIME}#include <{hip}>\n"
    assert translate(lone + KERNEL, target) == wanted + KERNEL
    assert translate(lone + runtime + KERNEL, target) == wanted + KERNEL
    assert translate(runtime + lone + KERNEL, target) == wanted + KERNEL


def test_the_runtimes_api_does_as_well() -> None:
    text = "#include <cuda_runtime_api.h>\n#include <driver_types.h>\ncudaStream_t s;\n"
    assert translate(text) == "#include <hip/hip_runtime_api.h>\n#include <hip/driver_types.h>\nhipStream_t s;\n"


def test_in_one_branch_it_stands_there() -> None:
    text = "#ifdef GL\n#include <cuda_gl_interop.h>\n#endif\n#include <cuda_runtime.h>\n" + KERNEL
    assert translate(text) == (
        f"#ifdef GL\n{RUNTIME}#include <hip/hip_gl_interop.h>\n#endif\n#include <hip/hip_runtime.h>\n{KERNEL}"
    )
