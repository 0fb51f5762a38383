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
        ('asm volatile("fence.release.gpu;");', "__threadfence();"),
        ('asm volatile("st.shared.u32 [%0+4], %1;" :: "r"(a), "r"(b));', "hipify_ptx::volatile_store<unsigned int>(hipify_ptx::shared(a), (unsigned int)b, 4);"),
        ('asm volatile("{ld.shared.v2.f32 {%0, %1}, [%2];}" : "=f"(x), "=f"(f[0]) : "r"(a));', "hipify_ptx::load_v2<float>(x, f[0], hipify_ptx::shared(a));"),
        ('asm("ex2.approx.f32 %0, %1;" : "=f"(x) : "f"(x));', "x = hipify_ptx_float::ex2_approx_f32(x);"),
        ('asm("add.f32 %0, %1, %1;" : "=f"(x) : "f"(x));', "x = hipify_ptx_float::add(x, x);"),
        ('asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(i) : "f"(x));', "i = (int)(hipify_ptx_float::to_integer<signed char>(hipify_ptx_float::rni(x)));"),
        ('asm("mov.b32 %0, {%1, 0};" : "=r"(r) : "h"((short)i));', "r = hipify_ptx::pack16((unsigned short)((short)i), 0);"),
        ('asm("min.s32 %0, %1, -5;" : "=r"(i) : "r"(i));', "i = hipify_ptx::min_of<int>((int)i, -5);"),
        ('asm("fma.rz.f32 %0, %1, %1, %1;" : "=f"(x) : "f"(x));', "x = __fmaf_rz(x, x, x);"),
        ('asm("vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));', "r = hipify_ptx::shl_b32((unsigned int)a, (unsigned int)b) + (unsigned int)c;"),
        ('asm("mov.u32 %0, %%warpid;" : "=r"(r));', "r = hipify_ptx_warp::warp_id();"),
        ('asm volatile("mov.u64 %0, %%clock64;" : "=l"(l));', "hipify_ptx::put(l, (unsigned long long)clock64());"),
        ('asm("shfl.sync.idx.b32 %0, %1, 0, 0x1f, 0xffffffff;" : "=r"(r) : "r"(a));', "r = hipify_ptx_warp::shfl_idx((unsigned int)a, (unsigned int)0, (unsigned int)0x1f);"),
        ('asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(a));', "r = hipify::reduce_max_sync((unsigned int)0xffffffff, (unsigned int)a);"),
        ('asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(a), "r"(b));', "r = hipify_ptx::compare_and_swap<__ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT>(hipify_ptx::at<unsigned int>(p, 0), (unsigned int)a, (unsigned int)b);"),
        ('asm volatile("ld.global.nc.L1::no_allocate.L2::128B.f32 %0, [%1];" : "=f"(x) : "l"(f));', "x = hipify_ptx::load<float>(f);"),
        ('asm("ld.global.nc.f32 %0, [%1];" : "=f"(x) : POINTER(f + 1));', "x = hipify_ptx::load<float>(f + 1);"),
        ('asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "r"(a), "l"(p));', "hipify_ptx::copy<16>(hipify_ptx::shared(a), p, 16);"),
        ('asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" :: "r"(a), "l"(p), "n"(8), "r"(b));', "hipify_ptx::copy<(8)>(hipify_ptx::shared(a), p, (unsigned int)b);"),
        ('asm volatile("cp.async.wait_group %0;" :: "n"(2));', "hipify_ptx::ordered();"),
        ('asm volatile("nanosleep.u32 100;");', "hipify_ptx::sleep(100);"),
        ('asm("div.s32 %0, %1, %2;" : "=r"(i) : "r"(i), "r"(a));', "i = hipify_ptx::quotient<int>((int)i, (int)a);"),
        ('asm("rem.u64 %0, %1, 7;" : "=l"(l) : "l"(l));', "hipify_ptx::put(l, hipify_ptx::remainder<unsigned long long>((unsigned long long)(l), (unsigned long long)7));"),
        ('asm volatile("ld.volatile.global.v2.u32 {%0,%1}, [%2+8];" : "=r"(a), "=r"(b) : "l"(p));', "hipify_ptx::volatile_load_v2<unsigned int>(a, b, p, 8);"),
        ('asm volatile("st.volatile.global.v2.f32 [%0], {%1,%2};" :: "l"(f), "f"(x), "f"(x));', "hipify_ptx::volatile_store_v2<float>(f, (float)x, (float)x);"),
        ('asm volatile("bar.sync 1;");', "__syncthreads();"),
        ('asm volatile("barrier.cta.sync.aligned %0;" :: "r"(a));', "((void)a, __syncthreads());"),
        ('asm volatile("exit;");', "return;"),
        ('for (;;) { if (a) { asm volatile("exit;"); } }', "for (;;) { if (a) { return; } }"),
        ('asm("mov.u32 %[o], %[in];" : [o] "=r"(r) : [in] "r"(a));', "r = (unsigned int)a;"),
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
        'asm("@p add.u32 %0, %1, 1;" : "=r"(r) : "r"(a));',
        'asm("{ .reg .v2 .u32 t; mov.u32 %0, 1; }" : "=r"(r));',
        'asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p bra L; mov.u32 %0, 1; L: }" : "=r"(r) : "r"(a));',
        'asm("{ .reg .u32 t; mov.u32 t, %1; } mov.u32 %0, t;" : "=r"(r) : "r"(a));',
        'asm("mov.u32 %0, %nsmid;" : "=r"(r));',
        # Multiprocessors are numbered in another way on AMD, and what a cache is told is for a person to decide.
        'asm("mov.u32 %0, %smid;" : "=r"(r));',
        'asm volatile("prefetch.global.L2 [%0];" :: "l"(p));',
        'asm("mov.u64 %0, %globaltimer;" : "=l"(l));',
        'asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));',
        'asm volatile("bar.sync 1, 64;");',
        'asm("add.u32 %0, %1, " N ";" : "=r"(r) : "r"(a));',
        'asm("prmt.b32.f4e %0, %1, %2, 3;" : "=r"(r) : "r"(a), "r"(a));',
        'asm volatile("ld.relaxed.gpu.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(p));',
        'asm volatile("bar.arrive 1, 64;");',
        'asm volatile("bar.sync %0, %1;" :: "r"(a), "r"(b));',
        '[&] { asm volatile("exit;"); }();',
        'struct S { __device__ void f() { asm volatile("exit;"); } };',
        'struct S { static void f() { asm volatile("exit;"); } };',
        'asm volatile("ret;");',
        'asm volatile("ld.const.u32 %0, [%1];" : "=r"(a) : "l"(p));',
        'asm("mov.u32 %[o], %[missing];" : [o] "=r"(r) : [i] "r"(a));',
        'asm volatile("ld.release.gpu.u32 %0, [%1];" : "=r"(r) : "l"(p));',
        'asm("popc.b32 %0, %1;" : "=r"(r) : "l"(l));',
        'asm("cvt.sat.u64.u32 %0, %1;" : "=l"(l) : "r"(a));',
        'asm("{ .reg .u32 t; mov.u32 t, %1; mov.u32 %0, t; }" : "=r"(r) : "r"(ptx_t));',
        'asm("{ .reg .u32 t; mov.u32 %0, 1; mov.u32 %1, 2; }" : "=r"(i), "=r"(p[i]));',
    ],
)
def test_what_is_not_exact_stays_and_is_reported(statement: str) -> None:
    result = translate(statement)
    assert statement in result.output.decode()
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY401", hipify.Severity.ERROR, 2)]


def test_lanes_of_a_wavefront_are_no_lanes_of_a_warp() -> None:
    for statement in (
        'asm("mov.u32 %0, %laneid;" : "=r"(r));',
        'asm("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(r) : "r"(a));',
        'asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(r) : "r"(a));',
    ):
        assert [f.id for f in translate(statement, warp="native").findings] == ["HPY401"]


BLOCKS = [
    (
        'asm("{ .reg .u32 t; add.u32 t, %1, 1; mov.u32 %0, t; }" : "=r"(r) : "r"(a));',
        ["unsigned int ptx_0;", "const unsigned int ptx_1 = (unsigned int)(a);", "unsigned int ptx_t;",
         "ptx_t = (unsigned int)(ptx_1 + 1);", "ptx_0 = ptx_t;", "r = ptx_0;"],
    ),
    (
        'asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %2, 0;" : "=r"(r), "+r"(p[c++]) : "r"(a), "r"(b));',
        ["unsigned int ptx_0;", "auto& ptx_of1 = p[c++];", "unsigned int ptx_1 = (unsigned int)(ptx_of1);",
         "const unsigned int ptx_2 = (unsigned int)(a);", "const unsigned int ptx_3 = (unsigned int)(b);",
         "unsigned int ptx_carry = 0;", "ptx_0 = hipify_ptx::add_cc<unsigned int>(ptx_2, ptx_3, ptx_carry);",
         "ptx_1 = hipify_ptx::addc<unsigned int>(ptx_2, (unsigned int)0, ptx_carry);", "r = ptx_0;", "ptx_of1 = ptx_1;"],
    ),
    (
        'asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @!p ld.global.f32 %1, [%2]; }" :: "r"(a), "f"(x), "l"(f) : "memory");',
        ["const unsigned int ptx_0 = (unsigned int)(a);", "float ptx_1 = (x);",
         "const unsigned long long ptx_2 = (unsigned long long)(f);", "bool ptx_p = 0;", "hipify_ptx::ordered();",
         "ptx_p = ptx_0 != (unsigned int)0;", "if (!ptx_p) ptx_1 = hipify_ptx::volatile_load<float>(ptx_2);",
         "hipify_ptx::ordered();"],
    ),
    (
        'asm("{ .reg .b32 t<2>; mov.b64 {t0, t1}, %1; mov.b64 %0, {t1, t0}; }" : "=l"(q) : "l"(l));',
        ["unsigned long long ptx_0;", "const unsigned long long ptx_1 = (unsigned long long)(l);",
         "unsigned int ptx_t0, ptx_t1;", "hipify_ptx::unpack(ptx_t0, ptx_t1, ptx_1);",
         "ptx_0 = hipify_ptx::pack(ptx_t1, ptx_t0);", "hipify_ptx::put(q, ptx_0);"],
    ),
    (
        'asm("shl.b32 %0, %2, 16; and.b32 %1, %2, 0xffff0000;" : "=f"(x), "=f"(f[1]) : "r"(a));',
        ["float ptx_0;", "float ptx_1;", "const unsigned int ptx_2 = (unsigned int)(a);",
         "ptx_0 = hipify_ptx::as<float>(hipify_ptx::shl_b32(ptx_2, 16));",
         "ptx_1 = hipify_ptx::as<float>(ptx_2 & 0xffff0000);", "x = ptx_0;", "f[1] = ptx_1;"],
    ),
    (
        'asm("prmt.b32 %0, %1, %1, %2;" : "=r"(r) : "r"(p[a++]), "r"(a));',
        ["unsigned int ptx_0;", "const unsigned int ptx_1 = (unsigned int)(p[a++]);",
         "const unsigned int ptx_2 = (unsigned int)(a);", "ptx_0 = hipify_ptx::prmt_b32(ptx_1, ptx_1, ptx_2);", "r = ptx_0;"],
    ),
    (
        'asm("add.u32 %0, %1, 1;" : "=r"(r) : "0"(a));',
        ["unsigned int ptx_0 = (unsigned int)(a);", "ptx_0 = (unsigned int)(ptx_0 + 1);", "r = ptx_0;"],
    ),
    (
        'asm("{ .reg .pred p; shfl.sync.up.b32 %0|p, %0, %1, 0, -1; @p add.u32 %0, %0, %1; }" : "+r"(r) : "r"(a));',
        ["unsigned int ptx_0 = (unsigned int)(r);", "const unsigned int ptx_1 = (unsigned int)(a);", "bool ptx_p = 0;",
         "ptx_0 = hipify_ptx_warp::shfl_up(ptx_0, ptx_1, (unsigned int)0, ptx_p);",
         "if (ptx_p) ptx_0 = (unsigned int)(ptx_0 + ptx_1);", "r = ptx_0;"],
    ),
    (
        'asm("{ .reg .f32 h; mov.f32 h, 0f3F000000; mul.rn.f32 %0, %1, h; { .reg .f32 h; mov.f32 h, %0; add.f32 %0, h, h; } }" : "=f"(x) : "f"(x));',
        ["float ptx_0;", "const float ptx_1 = (x);", "float ptx_h, ptx_h_3;",
         "ptx_h = hipify_ptx::as<float>(0x3F000000u);", "ptx_0 = hipify_ptx_float::mul(ptx_1, ptx_h);", "ptx_h_3 = ptx_0;",
         "ptx_0 = hipify_ptx_float::add(ptx_h_3, ptx_h_3);", "x = ptx_0;"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "lines"), BLOCKS)
def test_several_instructions_become_a_block(statement: str, lines: list[str]) -> None:
    result = translate(statement)
    block = "\n".join(["  do {", *(f"      {line}" for line in lines), "  } while (0);"])
    assert f"\n{block}\n" in result.output.decode()
    assert {f.id for f in result.findings} == {"HPY413"}


def test_a_block_in_a_macro_goes_on_over_lines() -> None:
    text = (
        '#define SUM(r, a) asm("{ .reg .u32 t; mov.u32 t, %1; add.u32 %0, t, t; }" : "=r"(r) : "r"(a))\n'
        "__global__ void k(unsigned* p) { SUM(p[0], p[1]); }\n"
    )
    output = hipify.translate_source(text, "t.cu", hipify.Options(clang=False)).output.decode()
    body = output[output.index("#define") : output.index("__global__")].rstrip("\n").split("\n")
    assert len(body) > 5 and all(line.endswith(" \\") for line in body[:-1]) and body[-1].endswith("} while (0)")
    assert "(r) = ptx_0;" in body[-2]


def test_a_carry_for_another_statement_goes_on() -> None:
    text = (
        "__device__ unsigned f(unsigned a, unsigned b) {\n  unsigned r;\n"
        '  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));\n'
        '  asm volatile("addc.cc.u32 %0, %1, %0; madc.hi.cc.u32 %0, %0, %0, 0;" : "+r"(r) : "r"(a));\n'
        '  asm volatile("addc.u32 %0, %1, 0;" : "=r"(r) : "r"(a));\n  return r;\n}\n'
    )
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert [f.id for f in result.findings] == ["HPY413"] * 3
    assert all("carry" in f.message for f in result.findings)
    output = result.output.decode()
    assert "r = hipify_ptx::add_cc<unsigned int>((unsigned int)a, (unsigned int)b, hipify_ptx::carry());" in output
    assert "unsigned int ptx_carry = hipify_ptx::carry();" in output
    assert "hipify_ptx::carry() = (unsigned char)ptx_carry;" in output
    assert "r = hipify_ptx::addc<unsigned int>((unsigned int)a, (unsigned int)0, hipify_ptx::carry());" in output


def test_comments_go_with_their_instructions() -> None:
    text = (
        "__device__ void f(unsigned& r, unsigned a) {\n  asm(// in front\n"
        '      "{ .reg .u32 t;\\n" // registers\n      "not.b32 t, %1;\\n" // turned\n'
        '      "add.u32 %0, t, 1; }" /* one more */ : "=r"(r) : "r"(a /* given */));\n}\n'
    )
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert {f.id for f in result.findings} == {"HPY413"}
    output = [line.strip() for line in result.output.decode().split("\n")]
    begin = output.index("// in front")
    assert output[begin : begin + 6] == [
        "// in front", "// registers", "ptx_t = ~ptx_1;", "// turned", "ptx_0 = (unsigned int)(ptx_t + 1);", "/* one more */",
    ]  # fmt: skip
    assert output[begin + 6] == "/* given */"


HINTED = """#if USE_HINTS
#define HINT(size) ".L2::" #size "B"
#else
#define HINT(size) ""
#endif
#define LOAD "ld.global.nc.f32"
#define ODD "ld." WHAT
__device__ void f(float& r, const float* p) {
  %s
}
"""


def test_templates_with_the_files_own_macros() -> None:
    def output(statement: str) -> str:
        return hipify.translate_source(HINTED % statement, "t.cu", hipify.Options(clang=False)).output.decode()

    loaded = "r = hipify_ptx::load<float>(p);"
    assert loaded in output('asm(LOAD " {%0}, [%1];" : "=f"(r) : "l"(p));')
    assert loaded in output('asm("ld.global.nc" HINT(128) ".f32 %0, [%1];" : "=f"(r) : "l"(p));')
    for stays in (
        'asm(OTHER " %0, [%1];" : "=f"(r) : "l"(p));',
        'asm(ODD "f32 %0, [%1];" : "=f"(r) : "l"(p));',
        'asm("mul" HINT(x) ".f32 %0, %1, %1;" : "=f"(r) : "f"(r));',
        'asm(LOAD " %0, [%1];" HINT : "=f"(r) : "l"(p));',
    ):
        assert stays in output(stays)


def test_templates_with_conditions() -> None:
    def output(statement: str) -> str:
        text = f"__device__ void f(float& r, const float* p) {{\n{statement}\n}}\n"
        return hipify.translate_source(text, "t.cu", hipify.Options(clang=False)).output.decode()

    same = 'asm("ld.global.nc"\n#if HINTS\n".L2::128B"\n#endif\n".f32 %0, [%1];" : "=f"(r) : "l"(p));'
    assert "\nr = hipify_ptx::load<float>(p);\n" in output(same)
    for stays in (
        'asm("ld.global.nc"\n#if HINTS\n".f32 %0, [%1];"\n#else\n".f32 %0, [%1+4];"\n#endif\n: "=f"(r) : "l"(p));',
        'asm("ld.global.nc.f32 %0, [%1];" : "=f"(r) :\n#if A\n"l"(p)\n#else\n"l"(p + 1)\n#endif\n);',
        'asm("ld.global.nc"\n#if HINTS\n".L2::128B" // why\n#endif\n".f32 %0, [%1];" : "=f"(r) : "l"(p));',
        'asm("ld.global.nc"\n#error no\n".f32 %0, [%1];" : "=f"(r) : "l"(p));',
    ):
        assert stays in output(stays)


def test_memory_of_another_block_stays() -> None:
    result = translate('asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(a) : "r"(b));')
    assert [f.id for f in result.findings] == ["HPY403"]


def test_copies_made_at_once_are_said_to_be() -> None:
    result = translate('asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(a), "l"(p));')
    assert "the copy is made at once" in result.findings[0].message


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


def test_the_end_of_a_thread_in_a_device_function_stays() -> None:
    text = '__device__ void f() { asm volatile("exit;"); }\n'
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert text in result.output.decode()
    assert [f.id for f in result.findings] == ["HPY401"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            'asm("{ .reg .pred p; setp.eq.u32 p, %0, 0; @p exit; }" :: "r"(a));',
            ["ptx_p = ptx_0 == (unsigned int)0;", "if (ptx_p) return;"],
        ),
        (
            'asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 1, !p; }" : "=r"(r) : "r"(a));',
            ["ptx_0 = (unsigned int)__syncthreads_count(!ptx_p);"],
        ),
        (
            'asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.cta.red.or.aligned.pred p, %2, p; '
            'selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a), "r"(b));',
            ["ptx_p = ((void)ptx_2, __syncthreads_or(ptx_p) != 0);"],
        ),
    ],
)
def test_barriers_and_ends_within_a_block(statement: str, expected: list[str]) -> None:
    result = translate(statement)
    assert [line for line in expected if line not in result.output.decode()] == []
    assert {f.id for f in result.findings} == {"HPY413"}


def test_assembly_of_the_host_and_code_left_out_for_hip_stay() -> None:
    text = (
        'void f() { asm volatile("pause" ::: "memory"); }\n#ifndef __HIP_PLATFORM_AMD__\n'
        '__device__ void g() { asm volatile("bar.sync 0;"); }\n#endif\n'
    )
    assert hipify.translate_source(text, "t.cu", hipify.Options(clang=False)).output.decode().endswith(text)


@pytest.mark.parametrize(
    "instruction",
    [
        "",
        "cp.async.ca.shared.global [%0], [%1]",
        "cvt.u8",
        "bar.sync",
        "brev.b32 %0",
        "brev.b32 %0, %7",
        "mov.u32 %0, [%1",
        "ld.u32 %0, %1",
    ],
)
def test_malformed_instructions_have_no_words(instruction: str) -> None:
    assert Writer(["=r", "r"], False).write(instruction) is None
