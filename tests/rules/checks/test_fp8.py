"""8-bit floats of OCP's formats in device code: gfx942 has others."""

import pytest

import hipify

HEAD = "#include <cuda_fp8.h>\n"


def found(text: str, *archs: str) -> list[tuple[str, str, int]]:
    findings = hipify.translate_source(HEAD + text, "t.cu", hipify.Options(offload_arch=archs, clang=False)).findings
    return [(f.id, f.severity.label, f.line) for f in findings]


@pytest.mark.parametrize(
    ("archs", "severity"), [((), "warning"), (("gfx942",), "error"), (("gfx950", "gfx942:xnack+"), "error")]
)
def test_each_function_is_reported_once(archs: tuple[str, ...], severity: str) -> None:
    text = "__device__ float f(__nv_fp8_e4m3 x) { return float(__nv_fp8_e4m3(x)); }\n"
    text += "__global__ void k(float* p) { p[0] = float(__nv_fp8x2_e5m2(1.f)); }\n"
    assert found(text, *archs) == [("HPY414", severity, 2), ("HPY414", severity, 3)]


@pytest.mark.parametrize("arch", ["gfx90a", "gfx950", "gfx1100", "gfx1201"])
def test_other_gpus_convert_them(arch: str) -> None:
    assert found("__device__ float f(__nv_fp8_e4m3 x) { return float(x); }\n", arch) == []


def test_the_host_converts_them_always() -> None:
    assert found("float f(__nv_fp8_e4m3 x) { return float(x); }\n", "gfx942") == []
