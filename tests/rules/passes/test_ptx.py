"""Inline PTX: what C++ says exactly is written as C++, everything else is reported and stays."""

import pytest

import hipify
from hipify.rules.ptx_words import Writer

PARAMETERS = (
    "unsigned r, unsigned a, unsigned b, int i, float x, double y, unsigned long long l, long long n, unsigned* p, "
    "float* f, unsigned long long* q, unsigned c"
)


def translate(statement: str, clang: bool = False, **options: object) -> hipify.Translation:
    text = f"__global__ void k({PARAMETERS}) {{\n  {statement}\n}}\n"
    return hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)._replace(**options))


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));', "r = (unsigned int)__brev((unsigned int)a);"),
        ('asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));', "r = hipify_ptx::lop3_b32(a, b, c, 0xe8);"),
        ('asm("bfe.s32 %0, %1, 4, 8;" : "=r"(i) : "r"(i + 1));', "i = hipify_ptx::bfe_s32((i + 1), 4, 8);"),
        ('asm("mov.u32 %0, %%ctaid.y;" : "=r"(r));', "r = blockIdx.y;"),
        ('asm("mov.u32 %0, %laneid;" : "=r"(r));', "r = hipify::lane_id();"),
        ('asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));', "r = (1u << hipify::lane_id()) - 1u;"),
        ('asm("mov.b64 {%0, %1}, %2;" : "=r"(a), "=r"(b) : "l"(l));', "hipify_ptx::unpack(a, b, (unsigned long long)(l));"),
        ('asm("mov.b32 %0, %1;" : "=r"(r) : "f"(x));', "r = hipify_ptx::as<unsigned int>(x);"),
        ('asm("add.u64 %0, %1, 16;" : "=l"(q) : "l"(q));', "hipify_ptx::put(q, (unsigned long long)((unsigned long long)(q) + 16));"),
        ('asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(x) : "f"(x), "f"(f[0]));', "x = fmaf(x, x, f[0]);"),
        ('asm volatile("red.global.add.u64 [%0], %1;" :: "l"(q), "l"(l));', "(void)atomicAdd(hipify_ptx::at<unsigned long long>(q, 0), (unsigned long long)(l));"),
        ('asm volatile("red.global.max.s32 [%0+8], %1;" :: "l"(p), "r"(i));', "(void)atomicMax(hipify_ptx::at<int>(p, 8), (int)i);"),
        ('asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(a), "r"(b));', "r = atomicCAS(hipify_ptx::at<unsigned int>(p, 0), (unsigned int)a, (unsigned int)b);"),
        ('asm volatile("atom.sys.global.add.f32 %0, [%1], %2;" : "=f"(x) : "l"(f), "f"(x));', "x = atomicAdd_system(hipify_ptx::at<float>(f, 0), x);"),
        ('asm volatile("red.release.gpu.global.add.s32 [%0], %1;" :: "l"(p), "r"(1));', "(void)__hip_atomic_fetch_add(hipify_ptx::at<int>(p, 0), (int)1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);"),
        ('asm("ld.global.nc.f32 %0, [%1];" : "=f"(x) : "l"(f));', "x = hipify_ptx::load<float>(f);"),
        ('asm volatile("ld.global.cg.u32 %0, [%1+4];" : "=r"(r) : "l"(p));', "r = hipify_ptx::volatile_load<unsigned int>(p, 4);"),
        ('asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(r) : "l"(p) : "memory");', "(hipify_ptx::ordered(), r = hipify_ptx::volatile_load<unsigned int>(p), hipify_ptx::ordered());"),
        ('asm("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(f[1]) : "l"(f));', "hipify_ptx::load_v2<float>(x, f[1], f);"),
        ('asm volatile("st.global.cs.f32 [%0], %1;" :: "l"(f + 1), "f"(x));', "hipify_ptx::store<float>((f + 1), x);"),
        ('asm volatile("bar.sync 0;");', "__syncthreads();"),
        ('if (a) asm volatile("membar.gl;\\n\\tbar.sync 0;" ::: "memory"); else asm("trap;");', "if (a) (__threadfence(), __syncthreads()); else __builtin_trap();"),
        ('__asm__ __volatile__("fence.acq_rel.sys;" ::: "memory");', "__threadfence_system();"),
    ],
)  # fmt: skip
def test_a_simple_statement_becomes_an_expression(statement: str, expected: str, clang: bool) -> None:
    result = translate(statement, clang)
    assert f"\n  {expected}\n" in result.output.decode()
    assert {f.id for f in result.findings} == {"HPY413"}
    assert all(f.line == 2 and f.severity is hipify.Severity.NOTE for f in result.findings)


@pytest.mark.parametrize(
    "statement",
    [
        'asm("{ .reg .u32 t; add.u32 t, %1, 1; mov.u32 %0, t; }" : "=r"(r) : "r"(a));',
        'asm("@p add.u32 %0, %1, 1;" : "=r"(r) : "r"(a));',
        'asm volatile("st.shared.u32 [%0], %1;" :: "r"(a), "r"(b));',
        'asm("mov.u32 %0, %smid;" : "=r"(r));',
        'asm("mov.u32 %0, %warpid;" : "=r"(r));',
        'asm("ex2.approx.f32 %0, %1;" : "=f"(x) : "f"(x));',
        'asm("add.f32 %0, %1, %1;" : "=f"(x) : "f"(x));',
        'asm("add.cc.u32 %0, %1, %2; addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));',
        'asm("add.u32 %0, %1, %2; sub.u32 %0, %0, %1;" : "=r"(r) : "r"(a), "r"(b));',
        'asm("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(r) : "r"(a));',
        'asm volatile("bar.sync 1, 64;");',
        'asm("bfe.u32 %0, %1, 4, 8;" /* why */ : "=r"(r) : "r"(a));',
        'asm("prmt.b32.f4e %0, %1, %2, 3;" : "=r"(r) : "r"(a), "r"(a));',
        'asm("prmt.b32 %0, %1, %1, %2;" : "=r"(r) : "r"(p[a++]), "r"(a));',
        'asm volatile("ld.volatile.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(p));',
        'asm("mov.u32 %[o], %[i];" : [o] "=r"(r) : [i] "r"(a));',
        'asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(a), "r"(b));',
        'asm volatile("ld.release.gpu.u32 %0, [%1];" : "=r"(r) : "l"(p));',
        'asm("popc.b32 %0, %1;" : "=r"(r) : "l"(l));',
        'asm volatile("prefetch.global.L2 [%0];" :: "l"(p));',
    ],
)
def test_what_is_not_exact_stays_and_is_reported(statement: str) -> None:
    result = translate(statement)
    assert statement in result.output.decode()
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY401", hipify.Severity.ERROR, 2)]


def test_lanes_of_a_wavefront_are_no_lanes_of_a_warp() -> None:
    result = translate('asm("mov.u32 %0, %laneid;" : "=r"(r));', warp="native")
    assert [f.id for f in result.findings] == ["HPY401"]


def test_names_in_operands_are_translated() -> None:
    result = translate('asm("add.u32 %0, %1, 1;" : "=r"(r) : "r"((unsigned)cudaSuccess));')
    assert "r = (unsigned int)((unsigned int)((unsigned)hipSuccess) + 1);" in result.output.decode()


def test_the_helper_header_comes_when_it_is_needed() -> None:
    result = translate('asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));')
    assert b'#include "hipify_ptx.h"' in result.output
    assert list(result.helper_headers) == ["hipify_ptx.h"]
    assert not translate('asm volatile("bar.sync 0;");').helper_headers


def test_a_macro_is_rewritten_with_its_parameters_in_parentheses() -> None:
    text = '#define LOAD(x, p) asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(x) : "l"(p))\n'
    output = hipify.translate_source(text, "t.cu", hipify.Options(clang=False)).output.decode()
    assert "#define LOAD(x, p) (x) = hipify_ptx::load<float>(p)\n" in output


def test_a_macro_with_the_instruction_as_parameter_is_reported() -> None:
    text = '#define U(op) asm(op ";" : "=r"(r) : "r"(a))\n__global__ void k(int r, int a) { U("brev.b32 %0, %1"); }\n'
    findings = hipify.translate_source(text, "t.cu", hipify.Options(clang=False)).findings
    assert [(f.id, f.line) for f in findings] == [("HPY401", 1)]


def test_assembly_of_the_host_and_code_left_out_for_hip_stay() -> None:
    text = (
        'void f() { asm volatile("pause" ::: "memory"); }\n#ifndef __HIP_PLATFORM_AMD__\n'
        '__device__ void g() { asm volatile("bar.sync 0;"); }\n#endif\n'
    )
    assert hipify.translate_source(text, "t.cu", hipify.Options(clang=False)).output.decode().endswith(text)


@pytest.mark.parametrize(
    "instruction", ["", "bar.sync", "brev.b32 %0", "brev.b32 %0, %7", "mov.u32 %0, [%1", "ld.u32 %0, %1"]
)
def test_malformed_instructions_have_no_words(instruction: str) -> None:
    assert Writer(["=r", "r"], False).write(instruction) is None
