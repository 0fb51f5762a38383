"""The built-in call rules: what each becomes, and that ROCm's headers have every function with that many arguments."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

import hipify
from hipify.parser.source import Source
from hipify.rules import rulebook
from hipify.rules.conditions import possible
from hipify.rules.context import Context
from hipify.rules.language import Rule

INDEX = Path(__file__).parents[1] / "data" / "api_index.tsv"
RELEASES = ("5.7", "6.4", "7.2")
HIP_WORD = re.compile(r"\b(?:hip|HIP|roc|miopen|MIOPEN|rccl)\w*(?<!_)\b(?!\$)")
OWN = ("hipify_", "HIP_SYMBOL", "HIP_VERSION", "HIPFFT_")
LIBRARIES = re.compile(r"hip(?:blas|sparse|fft|rand|solver|dnn|tensor)|HIP(?:BLAS|SPARSE|FFT)|roc|miopen|MIOPEN")


@functools.cache
def index() -> dict[str, dict[str, str]]:
    """Name to release to argument counts."""
    header, *rows = [line.split("\t") for line in INDEX.read_text("utf-8").splitlines()]
    return {row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in rows}


def builtin() -> list[Rule]:
    """All built-in rules."""
    return rulebook.load().all_rules()


def active(rule: Rule, release: str) -> bool:
    """Whether a rule can be carried out for a release."""
    if release == "5.7" and LIBRARIES.match(callee(rule)):
        return False  # no headers of that release's libraries are at hand
    options = [
        hipify.Options(clang=False, target=release, roc=roc, miopen=m) for roc in (False, True) for m in (False, True)
    ]
    contexts = [Context(Source(b""), o) for o in options]
    if rule.condition is not None and not any(possible(c, rule.condition) for c in contexts):
        return False
    api = contexts[0].library.get(rule.name.encode())
    return api is None or api.hip != callee(rule) or bool(api.hip_in(release))


def callee(rule: Rule) -> str:
    """The function that a rule calls; '' for other templates."""
    if rule.template is None or len(rule.template.callee) != 1:
        return ""
    name = rule.template.callee[0][1]
    return name if re.fullmatch(r"\w+", name) else ""


def holds(counts: str, number: int) -> bool:
    """Whether `3-5,7` admits a number."""
    ranges = [part.partition("-") for part in counts.split(",")]
    return any(int(low) <= number <= int(high or low) for low, _, high in ranges)


def written_counts(rule: Rule) -> list[int]:
    """How many arguments the rule's call has, for calls of CUDA's function with all and with only the needed ones."""
    if rule.template.slots is not None:
        fixed = [s for s in rule.template.slots if s != (("rest", ""),)]
        return [len(fixed)]
    arity = re.search(r"'args', '==', '(\d+)'", str(rule.condition))
    if arity is None:
        return []
    change = {"add": 1, "copy": 1, "drop": -1}
    return [int(arity[1]) + sum(change.get(action[0], 0) for action in rule.actions)]


@pytest.mark.parametrize("release", RELEASES)
def test_every_function_that_a_rule_calls_takes_that_many_arguments(release):
    wrong, checked = [], 0
    for rule in builtin():
        name = callee(rule)
        if rule.kind != "call" or not name or name not in index() or not active(rule, release):
            continue
        counts = index()[name][release]
        for number in written_counts(rule):
            checked += 1
            most = max(int(n) for n in re.findall(r"\d+", counts or "0"))
            fits = holds(counts, number) if counts and counts != "-" else False
            if not fits and not (rule.rest and number <= most):
                wrong.append(
                    f"{rule.where}: {name} with {number} arguments; ROCm {release} has it with {counts or 'none'}"
                )
    assert wrong == []
    assert checked > 60


@pytest.mark.parametrize("release", RELEASES)
def test_every_hip_name_that_a_rule_writes_is_in_the_headers(release):
    wrong = []
    for rule in builtin():
        if rule.kind.startswith("header") or not active(rule, release):
            continue
        pieces = [] if rule.template is None else [rule.template.callee, *(rule.template.slots or ())]
        words = [text for slot in pieces for kind, text in slot if kind == "text"]
        words += [operand for action in rule.actions for operand in action[1:]]
        for word in HIP_WORD.findall(" ".join(words)):
            known = index().get(word, {}).get(release)
            if not known and not word.startswith(OWN) and not (release == "5.7" and LIBRARIES.match(word)):
                wrong.append(f"{rule.where}: {word} is not in ROCm {release}")
    assert wrong == []


CALLS = [
    ("cudaMallocHost(&p, n);", "hipHostMalloc(&p, n, hipHostMallocDefault);"),
    ("cudaMallocHost(&p, n, cudaHostAllocMapped);", "hipHostMalloc(&p, n, hipHostMallocMapped);"),
    ("cudaHostAlloc((void**)&p, f(a, b), 0);", "hipHostMalloc((void**)&p, f(a, b), 0);"),
    ("cudaMalloc3DArray(&a, &d, e);", "hipMalloc3DArray(&a, &d, e, hipArrayDefault);"),
    ("cudaMalloc3DArray(&a, &d, e, cudaArrayLayered);", "hipMalloc3DArray(&a, &d, e, hipArrayLayered);"),
    ("struct __builtin_align__(16) S;", "struct __align__(16) S;"),
    ("cudaMemcpyToSymbol(s, &v, 4);", "hipMemcpyToSymbol(HIP_SYMBOL(s), &v, 4);"),
    ("cudaMemcpyToSymbol(HIP_SYMBOL(s), &v, 4);", "hipMemcpyToSymbol(HIP_SYMBOL(s), &v, 4);"),
    ("cudaMemcpyToSymbol(s<T, 4>, &v, 4);", "hipMemcpyToSymbol(HIP_SYMBOL((s<T, 4>)), &v, 4);"),
    ("cudaMemcpyFromSymbolAsync(&v, s, 4, 0, k, st);", "hipMemcpyFromSymbolAsync(&v, HIP_SYMBOL(s), 4, 0, k, st);"),
    ("cudaGetSymbolAddress((void**)&p, s);", "hipGetSymbolAddress((void**)&p, HIP_SYMBOL(s));"),
    (
        "cudaFuncSetCacheConfig(k<int, 4>, cudaFuncCachePreferL1);",
        "hipFuncSetCacheConfig(reinterpret_cast<const void*>(k<int, 4>), hipFuncCachePreferL1);",
    ),
    ("cudaFuncGetAttributes(&a, (const void*)k);", "hipFuncGetAttributes(&a, (const void*)k);"),
    ("cudaEventCreate(&e);", "hipEventCreate(&e);"),
    ("cudaEventCreate(&e, cudaEventDisableTiming);", "hipEventCreateWithFlags(&e, hipEventDisableTiming);"),
    ("cudaGraphInstantiate(&x, g, 0);", "hipGraphInstantiateWithFlags(&x, g, 0);"),
    ("cudaGraphInstantiate(&x, g, 0, 0, 0);", "hipGraphInstantiate(&x, g, 0, 0, 0);"),
    ("cudaGraphAddDependencies(g, a, b, nullptr, 2);", "hipGraphAddDependencies(g, a, b, 2);"),
    ("cudaGraphAddDependencies(g, a, b, 2);", "hipGraphAddDependencies(g, a, b, 2);"),
    ("cudaStreamGetCaptureInfo(s, &st, &id);", "hipStreamGetCaptureInfo(s, &st, &id);"),
    (
        "cudaStreamGetCaptureInfo(s, &st, &id, &g, &d, NULL, &n);",
        "hipStreamGetCaptureInfo_v2(s, &st, &id, &g, &d, &n);",
    ),
    ("cudaMemPrefetchAsync(p, n, 0, s);", "hipMemPrefetchAsync(p, n, 0, s);"),
    ("cudaMemPrefetchAsync(p, n, where, 0, s);", "hipMemPrefetchAsync_v2(p, n, where, 0, s);"),
    (
        "cudaMemLocation w; cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, w);",
        "hipMemLocation w; hipMemAdvise_v2(p, n, hipMemAdviseSetReadMostly, w);",
    ),
    ("cuMemcpy(d, s, n);", "hipMemcpy(d, s, n, hipMemcpyDefault);"),
    ("cuCtxCreate(&c, 0, dev);", "hipCtxCreate(&c, 0, dev);"),
    ("cuCtxCreate(&c, NULL, 0, dev);", "hipCtxCreate(&c, 0, dev);"),
    (
        "cuOccupancyMaxPotentialBlockSize(&g, &b, f, 0, s, l);",
        "hipModuleOccupancyMaxPotentialBlockSize(&g, &b, f, s, l);",
    ),
    ("surf2Dwrite(v, o, x, y, cudaBoundaryModeTrap);", "surf2Dwrite(v, o, x, y);"),
    (
        "float v = surf2Dread<float>(o, x, y);",
        "float v = [&] { float hipify_value; surf2Dread(&hipify_value, o, x, y); return hipify_value; }();",
    ),
    ("CHECK(cudaMallocHost(&p, /* bytes */ n));", "CHECK(hipHostMalloc(&p, /* bytes */ n, hipHostMallocDefault));"),
]


@pytest.mark.parametrize(("before", "after"), CALLS)
def test_a_call_becomes(before, after):
    result = hipify.translate_source(f"void f() {{\n{before}\n}}\n", "t.cu", hipify.Options(clang=False))
    assert result.output.decode().partition("void f() {\n")[2] == f"{after}\n}}\n"


def found(source: str, **options) -> list[tuple[str, int]]:
    """Ids and lines of the findings for a source."""
    result = hipify.translate_source(source, "t.cu", hipify.Options(clang=False, **options))
    return [(f.id, f.line) for f in result.findings]


def test_a_deprecated_counterpart_is_named():
    assert found("void f() {\ncuCtxCreate(&c, NULL, 0, dev);\n}\n") == [("HPY104", 2)]


def test_an_older_target_gets_the_older_form():
    source = "void f() {\ncudaMemPrefetchAsync(p, n, where, 0, s);\n}\n"
    result = hipify.translate_source(source, "t.cu", hipify.Options(clang=False, target="6.4"))
    wanted = "hipMemPrefetchAsync(p, n, (where).type == hipMemLocationTypeDevice ? (where).id : hipCpuDeviceId, s);"
    assert wanted in result.output.decode()


def test_what_is_lost_is_said():
    assert found("void f() {\ncudaGraphAddDependencies(g, a, b, edges, 2);\n}\n") == [("HPY113", 2)]
    assert found("void f() {\ncudaGraphAddDependencies(g, a, b, nullptr, 2);\n}\n") == []
    assert found('void f() {\ncudaMemcpyToSymbol("s", &v, 4);\n}\n') == [("HPY113", 2)]


def test_a_form_without_counterpart_is_an_error():
    assert found("void f() {\ncudaGraphExecUpdate(x, g, &info);\n}\n") == [("HPY114", 2)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("fn f = (fn)cudaMallocHost;\n", [("HPY112", 1)]),
        ("auto f = &cudaMemcpyToSymbol;\n", [("HPY112", 1)]),
        ("auto f = cudaEventCreate;\n", []),
        ("#ifdef cudaMallocHost\n#endif\n", []),
        ("#define PIN(...) cudaMallocHost(__VA_ARGS__)\n", [("HPY117", 1)]),
        ("#define PIN(p, n) cudaMallocHost(p, n)\n", []),
        ("template <class... T> void g(T... t) { cudaMallocHost(t...); }\n", [("HPY117", 1)]),
        ("void g() {\ncudaMallocHost(&p,\n#ifdef A\n4\n#else\n8\n#endif\n);\n}\n", [("HPY117", 2)]),
    ],
)
def test_uses_that_cannot_be_rewritten_are_reported(source, expected):
    assert [f for f in found(source) if f[0] in ("HPY112", "HPY117")] == expected


def test_a_macro_body_keeps_its_continuations():
    source = "#define PIN(p, n) \\\n    cudaMallocHost(p, \\\n                   n)\n"
    result = hipify.translate_source(source, "t.cu", hipify.Options(clang=False))
    expected = "#define PIN(p, n) \\\n    hipHostMalloc(p, \\\n                   n, hipHostMallocDefault)\n"
    assert result.output.decode().endswith(expected)


def test_casts_are_written_in_c_for_c_files():
    source = "void f(void) {\ncudaFuncSetCacheConfig(k, 0);\n}\n"
    result = hipify.translate_source(source, "t.c", hipify.Options(clang=False))
    assert "hipFuncSetCacheConfig((const void*)(k), 0);" in result.output.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "cudaMemcpy2DArrayToArray(a, 0, 0, b, 0, 0, w, h);",
            "hipMemcpy2DArrayToArray(a, 0, 0, b, 0, 0, w, h, hipMemcpyDeviceToDevice);",
        ),
        ("cudaSignalExternalSemaphoresAsync(e, p, 1);", "hipSignalExternalSemaphoresAsync(e, p, 1, 0);"),
        ("cudaWaitExternalSemaphoresAsync(e, p, 1, s);", "hipWaitExternalSemaphoresAsync(e, p, 1, s);"),
    ],
)
def test_default_arguments_that_hip_lacks(before, after):
    result = hipify.translate_source(f"void f() {{\n{before}\n}}\n", "t.cu", hipify.Options(clang=False))
    assert after in result.output.decode()


@pytest.mark.parametrize(
    ("header", "use", "needed"),
    [
        ("cublas_v2.h", "__half h;", "hip/hip_fp16.h"),
        ("cublas_v2.h", "__nv_bfloat16 b;", "hip/hip_bf16.h"),
        ("cublas_v2.h", "float f;", ""),
        ("cublasLt.h", "cublasHandle_t h;", "hipblas/hipblas.h"),
        ("cublasLt.h", "cublasLtHandle_t h; cublasStatus_t s = CUBLAS_STATUS_SUCCESS;", ""),
        ("cusolverSp.h", "cusparseMatDescr_t d;", "hipsparse/hipsparse.h"),
        ("cusolverDn.h", "cublasFillMode_t f = CUBLAS_FILL_MODE_LOWER;", ""),
        ("cusolverDn.h", "cublasHandle_t h;", "hipblas/hipblas.h"),
    ],
)
def test_what_a_header_of_cuda_brings_along_is_included(header: str, use: str, needed: str) -> None:
    done = hipify.translate_source(f"#include <{header}>\n{use}\n", "t.cu", hipify.Options(clang=False))
    lines = done.output.decode().splitlines()
    through = {
        f"#include <{n}>" for n in ("hip/hip_fp16.h", "hip/hip_bf16.h", "hipblas/hipblas.h", "hipsparse/hipsparse.h")
    }
    own = {"cublas_v2.h": "#include <hipblas/hipblas.h>"}.get(header, "")
    assert through & set(lines) - {own} == ({f"#include <{needed}>"} if needed else set())


@pytest.mark.parametrize("clang", [True, False])
def test_cub_s_macro_that_ends_the_program(clang: bool) -> None:
    code = (
        "#include <cub/cub.cuh>\n#define CLEAN(p) if (p) CubDebugExit(cudaFree(p))\n"
        "void f(int* p) { if (p) CubDebugExit(cudaMemset(p, 0, 4)); CLEAN(p); }\n"
    )
    made = hipify.translate_source(code, "t.cu", hipify.Options(clang=clang))
    assert made.findings == ()
    assert made.output.decode() == (
        "#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\n"
        "#define CLEAN(p) if (p) (HipcubDebug(hipFree(p)) ? exit(1) : (void)0)\n"
        "void f(int* p) { if (p) (HipcubDebug(hipMemset(p, 0, 4)) ? exit(1) : (void)0); CLEAN(p); }\n"
    )


@pytest.mark.parametrize("clang", [True, False])
def test_conversions_to_four_and_six_bits_name_hips_rounding(clang: bool) -> None:
    text = "#include <cuda_fp4.h>\n__device__ __nv_fp4_storage_t f(float x) {\n"
    text += "return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest); }\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert "return __hip_cvt_float_to_fp4(x, __HIP_E2M1, hipRoundNearest); }" in made.output.decode()
    assert made.findings == ()
