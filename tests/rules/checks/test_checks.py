"""The checks outside warps: what gives a finding, how bad it is by architecture, and what must stay silent."""

import pytest

from hipify.emit import rewriter
from hipify.model import Finding, Options, Severity
from hipify.parser.source import Source
from hipify.rules.engine import analyse

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


def findings(text: str, *archs: str, target: str = "7.2") -> list[Finding]:
    """All findings of a source, by place."""
    options = Options(clang=False, offload_arch=archs, target=target)
    found = analyse(Source(text.encode(), "check.cu"), options).findings
    return sorted(found, key=lambda f: (f.line, f.column))


def ids(text: str, *archs: str) -> list[tuple[int, str, Severity]]:
    """(line, id, severity) of every finding."""
    return [(f.line, f.id, f.severity) for f in findings(text, *archs)]


def kernel(body: str) -> str:
    """A kernel around statements, on one line."""
    return f"__global__ void k(int* p, float* f, const float4* v) {{ {body} }}\n"


def translated(text: str) -> tuple[str, list[str]]:
    """The output and the names of the helper headers that it needs."""
    data = text.encode()
    analysis = analyse(Source(data, "check.cu"), Options(clang=False))
    return rewriter.apply(data, analysis.edits).decode(), sorted(analysis.helper_headers)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('asm volatile("mov.u32 %0, %%nsmid;" : "=r"(p[0]));', "mov.u32"),
        ('asm("prefetchu.L2 [%0];" :: "l"(p));', "prefetchu.L2"),
        (
            '__asm__ __volatile__ ("{ .reg .u32 t;" "vadd4.u32.u32.u32 t, %0, 1, 2; }" :: "r"(p[0]));',
            "vadd4.u32.u32.u32",
        ),
        ('asm("" ::: "memory");', ""),
    ],
)
def test_ptx_is_named_by_opcode(statement: str, expected: str) -> None:
    found = findings(kernel(statement))
    assert [f.id for f in found] == (["HPY401"] if expected else [])
    assert all(expected in f.message for f in found)


@pytest.mark.parametrize(
    ("template", "kind"),
    [
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}, [%1];", "HPY402"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%1}, {%2}, {%3};", "HPY402"),
        ("wgmma.fence.sync.aligned;", "HPY402"),
        ("cp.async.cg.shared.global [%0], [%1], 16;", "HPY403"),
        ("mbarrier.init.shared::cta.b64 [%0], %1;", "HPY403"),
        ("setmaxnreg.inc.sync.aligned.u32 232;", "HPY403"),
        ("prefetch.global.L2 [%0];", "HPY401"),
    ],
)
def test_ptx_of_tensor_cores_and_copies_has_its_own_ids(template: str, kind: str) -> None:
    assert [f.id for f in findings(kernel(f'asm volatile("{template}");'))] == [kind]


def test_host_asm_is_not_ptx() -> None:
    assert ids('static void host() { asm volatile("pause" ::: "memory"); }\n') == []
    assert ids('#define RELAX() asm volatile("pause")\nvoid f() { RELAX(); }\n') == []
    assert [i for _, i, _ in ids('#define SM(r) asm("mov.u32 %0, %%smid;" : "=r"(r))\n')] == ["HPY401"]


def test_ptx_in_a_function_whose_attribute_is_a_macro_of_another_header() -> None:
    text = (
        '#include "cutlass/cutlass.h"\nCUTLASS_DEVICE void f(unsigned& r) {\n  asm("brev.b32 %0, %0;" : "+r"(r));\n'
        '  asm volatile("bar.sync 1, 64;");\n  asm("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%0};");\n}\n'
    )
    assert [(line, i) for line, i, _ in ids(text) if line > 2] == [(3, "HPY413"), (4, "HPY401"), (5, "HPY402")]
    host = (
        "pause",
        "fence.i",
        "fence rw, rw",
        "b.eq 1f",
        "add.4s v0, v1, v2",
        "vadd.f32 q0, q1, q2",
        "lock; nop",
        "fadd.s f0, f1, f2",
    )
    for instruction in host:
        assert ids(f'static void f() {{ asm volatile("{instruction}"); }}\n') == []


FETCH = "__global__ void k(float* o, cudaTextureObject_t t) { o[0] = tex2D<float>(t, 0.f, 0.f); }\n"


@pytest.mark.parametrize(
    ("archs", "expected"),
    [
        ((), [WARNING]),
        (("gfx90a",), []),
        (("gfx942",), [NOTE]),
        (("gfx1100", "gfx950"), [NOTE]),
        (("gfx908", "gfx1201"), []),
    ],
)
def test_textures_by_architecture(archs: tuple[str, ...], expected: list[Severity]) -> None:
    assert [f.severity for f in findings(FETCH, *archs) if f.id == "HPY502"] == expected


def test_texture_references_at_declaration_fetch_and_binding() -> None:
    text = (
        "texture<float, 1> lut;\n__global__ void k(float* o) {\n    o[0] = tex1Dfetch(lut, 0);\n}\n"
        "void f(float* d) {\n    cudaBindTexture(NULL, lut, d, 4);\n    cudaUnbindTexture(lut);\n}\n"
    )
    assert [(line, i) for line, i, _ in ids(text)] == [(n, "HPY501") for n in (1, 3, 6, 7)]


def test_own_functions_of_those_names_are_silent() -> None:
    assert ids("__device__ float tex2D(float x) { return x; }\n" + kernel("f[0] = tex2D(1.f);")) == []
    assert ids("struct texture { int x; };\nvoid f(scene::texture<int> t);\n") == []


def test_the_device_runtime() -> None:
    assert [i for _, i, _ in ids(kernel("cudaDeviceSynchronize();"))] == ["HPY201"]
    assert ids("__host__ __device__ void f() { cudaDeviceSynchronize(); }\n") == []
    assert ids("void f() { cudaDeviceSynchronize(); }\n") == []


@pytest.mark.parametrize(
    ("text", "archs", "expected"),
    [
        (kernel("__shared__ float a[128][128]; __shared__ int b; f[0] = a[0][0];"), (), []),
        (kernel("__shared__ float a[128][128]; __shared__ int b[1]; f[0] = a[0][0];"), (), ["HPY508"]),
        ("#define N 20000\n" + kernel("__shared__ float a[N]; f[0] = a[0];"), (), ["HPY508"]),
        ("#define N 20000\n" + kernel("__shared__ float a[N]; f[0] = a[0];"), ("gfx950",), []),
        ("const int N = 128 * 1024;\nvoid f() { k<<<1, 64, N>>>(); }\n", (), ["HPY508"]),
        ("void f(int n) { k<<<1, 64, n>>>(); }\n", (), []),
        ("void f() { k<<<1, 64, 100 * sizeof(float)>>>(); }\n", (), []),
        ("void f() { k<<<1, dim3(32, 64)>>>(); }\n", (), ["HPY513"]),
        ("void f() { k<<<1, dim3(32, 32)>>>(); }\n", (), []),
        ("__global__ void __launch_bounds__(256) k() {}\n", (), []),
        ("__global__ void __launch_bounds__(256, 1) k() {}\n", (), []),
        ("__global__ void __launch_bounds__(256, 4) k() {}\n", (), ["HPY511"]),
        ("__global__ void __launch_bounds__(256, 4, 2) k() {}\n", (), ["HPY511", "HPY512"]),
        ("void f() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304); }\n", (), ["HPY508"]),
        ("void f() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536); }\n", (), []),
        (
            "void f() { cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 50); }\n",
            (),
            ["HPY510"],
        ),
    ],
)
def test_limits(text: str, archs: tuple[str, ...], expected: list[str]) -> None:
    assert [i for _, i, _ in ids(text, *archs)] == expected


def test_clocks_are_noted_once_a_line_in_kernels_only() -> None:
    assert ids(kernel("p[0] = clock64() - clock64();")) == [(1, "HPY409", NOTE)]
    assert ids("void f() { long t = clock(); }\n") == []


@pytest.mark.parametrize(
    ("statement", "header"),
    [
        ("p[0] = __dp4a(p[0], p[1], p[2]);", "hipify_simd.h"),
        ("p[0] = __vadd4(p[0], p[1]);", "hipify_simd.h"),
        ("f[0] = __fadd_rd(f[0], f[1]);", "hipify_rounding.h"),
        ("__nanosleep(100);", "hipify_device.h"),
        ("__stcg(p, 1);", "hipify_device.h"),
        ("p[0] = __ldcs(p);", "hipify_device.h"),
        ("atomicAdd_block(p, 1);", "hipify_device.h"),
        ("p[0] = __bfloat162int_rd(b);", "hipify_half.h"),
    ],
)
def test_functions_that_hip_lacks_come_with_a_header(statement: str, header: str) -> None:
    text = "#include <cuda_runtime.h>\n#include <cstdio>\n" + kernel(statement)
    output, headers = translated(text)
    assert headers == [header]
    assert statement in output
    assert output.startswith(f'#include <hip/hip_runtime.h>\n#include <cstdio>\n#include "{header}"\n')
    assert ids(text) == [(3, "HPY407", NOTE)]


def test_what_hip_has_needs_no_header() -> None:
    body = "p[0] = __popc(p[1]) + __clz(p[2]) + __mul24(p[0], 3) + max(p[0], 1) + __byte_perm(1, 2, 3);"
    text = kernel(body + " f[0] = __ldg(f); atomicAdd(f, 1.f); atomicAdd_system(p, 1); __threadfence();")
    assert ids(text) == []
    assert translated(text)[1] == []


def test_own_functions_are_not_replaced() -> None:
    text = "__device__ int __dp4a(int a, int b, int c) { return c; }\n" + kernel("p[0] = __dp4a(1, 2, 3);")
    assert translated(text)[1] == [] and ids(text) == []


def test_a_header_is_included_inside_the_guard_of_a_header_file() -> None:
    text = "#ifndef A_H\n#define A_H\n__device__ inline int f(int a) { return __dp4a(a, a, 0); }\n#endif\n"
    output, _ = translated(text)
    assert output.index("#define A_H") < output.index('#include "hipify_simd.h"') < output.index("__device__")


def test_asynchronous_copies_become_plain_ones() -> None:
    text = "#include <cuda_pipeline.h>\n" + kernel("__pipeline_memcpy_async(p, f, 16); __pipeline_commit();")
    output, headers = translated(text)
    assert '#include "hipify_device.h"' in output and headers == ["hipify_device.h"]
    assert {i for _, i, _ in ids(text)} == {"HPY407"}


def test_collectives_of_cooperative_groups_come_with_a_header() -> None:
    text = (
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
    )
    output, headers = translated(text)
    assert '#include "hipify_cooperative_groups.h"\n' in output and headers == ["hipify_cooperative_groups.h"]
    assert ids(text) == []


def test_fragments_become_those_of_rocwmma() -> None:
    text = "#include <mma.h>\nusing namespace nvcuda;\n" + kernel(
        "wmma::fragment<wmma::accumulator, 16, 16, 16, float> a; nvcuda::wmma::fill_fragment(a, 0.f);"
    )
    output, _ = translated(text)
    assert "#include <rocwmma/rocwmma.hpp>\nnamespace wmma = rocwmma;\n" in output
    assert "rocwmma::fill_fragment(a, 0.f)" in output and "nvcuda" not in output
    assert ids(text) == [(1, "HPY404", WARNING)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#include <cooperative_groups.h>\n" + kernel("auto c = cooperative_groups::this_cluster();"), "HPY406"),
        ("__global__ void __cluster_dims__(2) k() {}\n", "HPY406"),
        ("void f(CUtensorMap* m) {}\n", "HPY408"),
        (kernel("p[0] = __cvta_generic_to_local(f);"), "HPY411"),
        ("int a = cudaLaunchAttributeProgrammaticEvent;\n", "HPY204"),
        ("cudaGraphConditionalHandle h;\n", "HPY205"),
    ],
)
def test_features_of_newer_gpus(text: str, expected: str) -> None:
    assert [(i, s) for _, i, s in ids(text)] == [(expected, ERROR)]


@pytest.mark.parametrize(
    ("arguments", "archs", "reported"),
    [
        ("float", (), True),
        ("float", ("gfx942",), True),
        ("float", ("gfx1100",), False),
        ("float, 32", (), False),
        ("Pair<float, int>", (), True),
        ("float, W", (), False),
    ],
)
def test_warp_primitives_of_cub(arguments: str, archs: tuple[str, ...], reported: bool) -> None:
    text = f"#include <cub/cub.cuh>\nusing R = cub::WarpReduce<{arguments}>;\n"
    assert ("HPY704" in {i for _, i, _ in ids(text, *archs)}) is reported


def test_modules_of_nvidia_code() -> None:
    assert [i for _, i, _ in ids('void f(CUmodule* m) { cuModuleLoad(m, "a/k.cubin"); }\n')] == ["HPY706"]
    assert ids('const char* name = "k.ptx";\n') == []


@pytest.mark.parametrize(
    "test",
    [
        'ends_with(name, ".ptx")',
        'name.find(".cubin") != 0',
        'name == ".ptx"',
        '".ptx" != name',
        'strcmp(n(1), ".fatbin")',
    ],
)
def test_names_that_are_compared_are_not_loaded(test: str) -> None:
    text = f"void f(CUmodule* m, S name) {{ if ({test}) cuModuleLoad(m, name.c_str()); }}\n"
    assert "HPY706" not in {i for _, i, _ in ids(text)}


def test_options_that_are_looked_for_are_not_given() -> None:
    call = "nvrtcCompileProgram(p, 1, o);"
    for text, found in (
        (f'void f(S o) {{ if (o[0].find("-arch=sm_80")) {call} }}', []),
        (f'void f() {{ const char* o[] = {{"-arch=sm_80"}}; {call} }}', ["HPY712"]),
    ):
        assert [i for _, i, _ in ids(text + "\n") if i == "HPY712"] == found


def test_pragmas_of_nvidias_compiler() -> None:
    text = "#pragma nv_diag_suppress 1\n#pragma unroll 4\n#pragma once\n#pragma omp parallel for\n"
    assert ids(text) == [(1, "HPY705", NOTE)]


def test_library_constants() -> None:
    text = "#include <cublas_v2.h>\nint a = CUBLAS_GEMM_ALGO3_TENSOR_OP, b = CUBLAS_STATUS_LICENSE_ERROR;\n"
    assert ids(text) == [(2, "HPY703", WARNING), (2, "HPY703", WARNING)]
    assert "a = HIPBLAS_GEMM_DEFAULT, b = HIPBLAS_STATUS_UNKNOWN" in translated(text)[0]


def test_a_translated_file_says_nothing_more_about_provided_functions() -> None:
    once, _ = translated("#include <cuda_runtime.h>\n" + kernel("__stcs(p, __dp4a(1, 2, 3));"))
    assert ids(once) == []
    assert translated(once)[0] == once


def test_assembly_of_amd_is_nobodys_business() -> None:
    text = (
        "#include <hip/hip_runtime.h>\n__device__ int f(int a) {\n  int c;\n"
        '  asm("\\n v_mov_b32 %0, %1 \\n" : "=v"(c) : "v"(a));\n  asm volatile("s_waitcnt vmcnt(0)");\n'
        '  asm("mov.u32 %0, %nsmid;" : "=r"(c));\n  return c;\n}\n'
    )
    findings = analyse(Source(text.encode(), "t.cu"), Options(clang=False)).findings
    assert [(f.id, f.line) for f in findings] == [("HPY401", 6)]


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("cudnn.h", "<cudnn.h>: no HIP header replaces it; ROCm has miopen/miopen.h (option --miopen)"),
        ("npp.h", "<npp.h>: no HIP header replaces it; rpp/rpp.h of ROCm comes nearest"),
        ("cudaTypedefs.h", "<cudaTypedefs.h>: no HIP header replaces it"),
    ],
)
def test_a_header_without_counterpart_names_the_option_that_helps(header: str, says: str) -> None:
    (found,) = findings(f"#include <{header}>\n")
    assert (found.id, found.message) == ("HPY106", says)
    assert ("--" in found.fix) == ("option" in says)


def test_a_fetch_in_a_macro_is_named_at_its_uses_too() -> None:
    text = "#define LOAD(i) tex1Dfetch<float>(t, i)\n__global__ void k(float* p, cudaTextureObject_t t) {\n"
    text += "  p[0] = LOAD(1) + LOAD(2);\n  p[1] = LOAD(3);\n}\n"
    found = [f for f in ids(text) if f[1] == "HPY502"]
    assert found == [(1, "HPY502", WARNING), (3, "HPY502", NOTE), (4, "HPY502", NOTE)]


def test_calls_of_the_first_cublas_lack_their_handle() -> None:
    call = "void f(float* x) { cublasSaxpy(1, 2.0f, x, 1, x, 1); float n = cublasSnrm2(1, x, 1); }\n"

    def found(head: str) -> list[str]:
        analysis = analyse(Source((head + call).encode(), "t.cu"), Options(clang=False))
        return [f.message for f in analysis.findings if f.id == "HPY713"]

    assert [m.partition(" ")[0] for m in found("#include <cublas.h>\n")] == ["cublasSaxpy", "cublasSnrm2"]
    assert found("#include <cublas_v2.h>\n") == []
    assert found("#include <cublas.h>\nextern cublasHandle_t handle;\n") == []
