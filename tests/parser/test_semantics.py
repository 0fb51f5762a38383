"""What clang answers by byte offset, without a CUDA SDK on the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.parser.clang import Owner, ParseFlags, Semantics, analyse
from hipify.parser.source import Source
from hipify.parser.tokens import tokenize


class Parsed:
    """A parsed text whose pieces are found by their spelling."""

    def __init__(self, text: str | bytes, flags: ParseFlags | None = None) -> None:
        self.data = text if isinstance(text, bytes) else text.encode()
        source = Source(self.data, "sample.cu")
        semantics = analyse(source, tokenize(source), flags or ParseFlags())
        assert semantics is not None
        self.clang: Semantics = semantics

    def at(self, piece: str, nth: int = 0) -> int:
        """The offset of the nth occurrence of a piece of text."""
        offset = -1
        for _ in range(nth + 1):
            offset = self.data.index(piece.encode(), offset + 1)
        return offset

    def owner(self, piece: str, nth: int = 0) -> Owner:
        return self.clang.owner(self.at(piece, nth))

    def span(self, piece: str, nth: int = 0) -> tuple[int, int]:
        start = self.at(piece, nth)
        return start, start + len(piece.encode())

    def constant(self, piece: str, nth: int = 0) -> int | None:
        return self.clang.constant(*self.span(piece, nth))

    def type(self, piece: str, nth: int = 0) -> str:
        return self.clang.expr_type(*self.span(piece, nth))


API = [
    ("cudaMalloc", "void f(int* p) { cudaMalloc(&p, 4); }"),
    ("cudaMalloc", "void f(int* p) { cudaMalloc((void**)&p, sizeof(int) * 2); }"),
    ("cudaMallocManaged", "void f(float* p) { cudaMallocManaged<float>(&p, 4); }"),
    ("cudaMalloc", "template <class T> void f(T* p, int n) { cudaMalloc(&p, n * sizeof(T)); }"),
    ("cudaMemcpyHostToDevice", "void f(int* p) { cudaMemcpy(p, p, 4, cudaMemcpyHostToDevice); }"),
    ("cudaSuccess", "bool f() { return cudaGetLastError() == cudaSuccess; }"),
    ("cudaError_t", "cudaError_t err;"),
    ("cudaStream_t", "struct S { cudaStream_t s; };"),
    ("cudaMemcpyKind", "void f(enum cudaMemcpyKind k);"),
    ("cudaDeviceProp", "void f() { struct cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); }"),
    ("cudaHostAllocMapped", "unsigned f() { return cudaHostAllocMapped | cudaHostAllocPortable; }"),
    ("cudaStreamPerThread", "void f() { cudaStreamSynchronize(cudaStreamPerThread); }"),
    ("CUDART_PI_F", "float f() { return CUDART_PI_F; }"),
    ("CUDA_VERSION", "int v = CUDA_VERSION;"),
    ("cublasHandle_t", "cublasHandle_t h;"),
    ("CUBLAS_OP_N", "void f(cublasHandle_t h) { cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1); }"),
    ("cublasSgemm", "void f(cublasHandle_t h) { cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1); }"),
    ("CUdeviceptr", "CUdeviceptr p;"),
    ("cuMemAlloc", "CUresult f(CUdeviceptr* p) { return cuMemAlloc(p, 4); }"),
    ("cudnnPoolingMode_t", "cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;"),
    ("CUDNN_POOLING_MAX", "cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;"),
    ("ncclAllReduce", "void f(ncclComm_t c) { ncclAllReduce(0, 0, 1, ncclFloat, ncclSum, c, 0); }"),
    ("curandState", "__global__ void k(curandState* s) { curand_init(1, 2, 3, s); }"),
    ("curand_init", "__global__ void k(curandState* s) { curand_init(1, 2, 3, s); }"),
    ("__shfl_down_sync", "__global__ void k(float v) { v += __shfl_down_sync(0xffffffff, v, 1); }"),
    ("__syncthreads", "__global__ void k() { __syncthreads(); }"),
    ("threadIdx", "__device__ int f() { return threadIdx.x; }"),
    ("warpSize", "__device__ int f() { return threadIdx.x % warpSize; }"),
    ("atomicAdd", "__global__ void k(int* p) { atomicAdd(p, 1); }"),
    ("tex2D", "__global__ void k(float* p, cudaTextureObject_t t) { p[0] = tex2D<float>(t, 0, 0); }"),
    ("cudaTextureObject_t", "__global__ void k(float* p, cudaTextureObject_t t) { p[0] = tex2D<float>(t, 0, 0); }"),
    ("texture", "texture<float, 2, cudaReadModeElementType> image;"),
    ("make_float4", "__device__ float4 f() { return make_float4(0, 1, 2, 3); }"),
    ("float4", "__device__ float4 f() { return make_float4(0, 1, 2, 3); }"),
    ("dim3", "dim3 grid(1, 2);"),
    ("__half2", "__device__ __half2 f(__half2 a) { return __hadd2(a, a); }"),
    ("__hadd2", "__device__ __half2 f(__half2 a) { return __hadd2(a, a); }"),
    ("cooperative_groups", "namespace cg = cooperative_groups;"),
    ("this_thread_block", "namespace cg = cooperative_groups; __device__ void f() { cg::this_thread_block().sync(); }"),
    ("BlockReduce", "__device__ float f(float v) { typedef cub::BlockReduce<float, 128> R; __shared__ R::TempStorage t;"
     " return R(t).Sum(v); }"),
    ("device_vector<int>", "#include <thrust/device_vector.h>\nvoid f() { thrust::device_vector<int> v(3); }"),
    ("fragment", "__device__ void f() { nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half,"
     " nvcuda::wmma::row_major> a; nvcuda::wmma::fill_fragment(a, 0.0f); }"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), API)
def test_names_of_cuda_are_the_apis(name: str, text: str) -> None:
    parsed = Parsed(text)
    assert parsed.owner(name) is Owner.API
    assert parsed.clang.diagnostics() == []


USER = [
    ("cudaFree", 0, "struct Pool { int cudaFree(int slot) { return slot; } };"),
    ("cudaFree", 1, "struct Pool { int cudaFree(int slot); };\nint f(Pool& p) { return p.cudaFree(1); }"),
    ("cudaGetDevice", 1, "namespace mine { int cudaGetDevice(); }\nint f() { return mine::cudaGetDevice(); }"),
    ("cudaSetDevice", 0, "int f() { int cudaSetDevice = 3; return cudaSetDevice; }"),
    ("cudaSetDevice", 1, "int f() { int cudaSetDevice = 3; return cudaSetDevice; }"),
    ("cudaSuccess", 1, "enum class Mode { cudaSuccess };\nauto m = Mode::cudaSuccess;"),
    ("cudaMalloc", 0, "#define cudaMalloc(p, n) mine(p, n)\nvoid mine(int*, int); void f() { cudaMalloc(0, 1); }"),
    ("cudaMalloc", 1, "#define cudaMalloc(p, n) mine(p, n)\nvoid mine(int*, int); void f() { cudaMalloc(0, 1); }"),
    ("cudaMalloc", 1, "template <class T> int cudaMalloc(T** p, T n) { return 0; }\nint f(int* p) "
     "{ return cudaMalloc(&p, 3); }"),
    ("cudaStream_t", 1, "struct cudaStream_t_ {};\nnamespace n { struct cudaStream_t {}; n::cudaStream_t s; }"),
    ("norm", 0, "__device__ float norm(float3 v) { return v.x; }"),
    ("__fadd_rn", 1, "#define __fadd_rn(a, b) ((a) + (b))\n__device__ float f() { return __fadd_rn(1, 2); }"),
    ("blockDim", 1, "__global__ void k(dim3 blockDim) { int n = blockDim.x; }"),
    ("atomicMax", 1, "__device__ float atomicMax(float* a, float b);\n__device__ float f(float* a) "
     "{ return atomicMax(a, 1.0f); }"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "nth", "text"), USER)
def test_the_users_own_names_are_the_users(name: str, nth: int, text: str) -> None:
    assert Parsed(text).owner(name, nth) is Owner.USER


def test_names_in_inactive_branches_and_of_nobody_are_unknown() -> None:
    parsed = Parsed(
        "#if 0\nvoid f() { cudaFree(0); }\n#endif\n"
        "template <class T> void g(T t) { t.cudaFree(0); T::cudaMalloc(0); }\n"
        "void h() { nobody(cudaNobody, 1); }\n"
        "#define FREE(p) cudaFreeHost(p)\n"
    )
    assert parsed.owner("cudaFree") is Owner.UNKNOWN
    assert parsed.owner("cudaFree", 1) is Owner.UNKNOWN
    assert parsed.owner("cudaMalloc") is Owner.UNKNOWN
    assert parsed.owner("cudaNobody") is Owner.UNKNOWN
    assert parsed.owner("cudaFreeHost") is Owner.UNKNOWN


def test_macro_arguments_are_answered_where_they_are_spelled() -> None:
    parsed = Parsed(
        "#define CHECK(call) do { cudaError_t e = call; report(#call, e); } while (0)\n"
        "void report(const char*, int);\n"
        "void f(int* p, int n) { CHECK(cudaMalloc(&p, n * sizeof(int))); CHECK(cudaMemset(p, 0, n)); }\n"
    )
    assert parsed.owner("cudaMalloc") is Owner.API
    assert parsed.owner("cudaMemset") is Owner.API
    assert parsed.owner("CHECK", 1) is Owner.USER
    assert parsed.type("n * sizeof(int)") == "unsigned long"
    assert parsed.type("&p") == "int **"


def test_kernel_launches_keep_their_arguments() -> None:
    parsed = Parsed(
        "template <class T> __global__ void k(T* p, int n) {}\n"
        "void f(float* p, cudaStream_t s) {\n"
        "  k<float><<<dim3(1, 2), 256, 0, s>>>(p, cudaCpuDeviceId);\n"
        "  k<<<(7 + 255) / 256, 256>>>(p, 7);\n}\n"
    )
    assert parsed.clang.diagnostics() == []
    assert parsed.owner("dim3") is Owner.API
    assert parsed.owner("cudaCpuDeviceId") is Owner.API
    assert parsed.owner("k<float>") is Owner.USER
    assert parsed.constant("(7 + 255) / 256") == 1


def test_a_call_that_does_not_compile_keeps_its_names() -> None:
    parsed = Parsed("void f(int* p) { cudaMemcpy(p, undeclared, 4, cudaMemcpyDefault); cudaFree(p); }")
    assert parsed.owner("cudaFree") is Owner.API
    assert parsed.clang.diagnostics() == [("use of undeclared identifier 'undeclared'", True, parsed.at("undeclared"))]


def test_a_call_outside_of_functions_declares_nothing() -> None:
    parsed = Parsed("void f() { } }\ncudaDeviceSynchronize();\ncudaFree(p);\nvoid g() { cudaDeviceSynchronize(); }\n")
    assert parsed.owner("cudaDeviceSynchronize") is Owner.UNKNOWN
    assert parsed.owner("cudaDeviceSynchronize", 1) is Owner.API
    assert parsed.owner("cudaFree") is Owner.UNKNOWN


def test_the_device_runtime_and_overloads_by_side() -> None:
    parsed = Parsed(
        "__device__ int side() { return 1; }\n__host__ int side() { return 2; }\n"
        "__global__ void child(int* p) {}\n"
        "__global__ void parent(int* p) { child<<<1, 32>>>(p); cudaDeviceSynchronize(); side(); }\n"
        "void host(int* p) { parent<<<side(), 1>>>(p); cudaFree(p); }\n"
        "template <int N> __global__ void nested(int* p) { if (N > 0) nested<N - 1><<<1, warpSize>>>(p); }\n"
    )
    assert parsed.owner("cudaDeviceSynchronize") is Owner.API
    assert parsed.owner("cudaFree") is Owner.API
    assert parsed.owner("warpSize") is Owner.API
    assert parsed.owner("child", 1) is Owner.USER


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf", b"// caf\xe9 \xc3\xa9\r\n", b"\r\n\r\n"])
def test_offsets_are_bytes(prefix: bytes) -> None:
    parsed = Parsed(prefix + b'void f(int* p) {\r\n  const char* s = "\xc3\xa9"; cudaFree(p);\r\n}\r\n')
    assert parsed.owner("cudaFree") is Owner.API
    assert parsed.type("p", 1) == "int *"


MASKS = """
#define FULL 0xffffffff
#define HALF (FULL >> 16)
constexpr unsigned kMask = 0xffffffffu;
const int kWidth = 16 * 2;
enum { WARP = 32 };
template <int N> struct S { static constexpr int lanes = N * 2; };
__global__ void k(unsigned m) {
  __shfl_sync(FULL, 1.0f, 0);
  __shfl_sync(HALF, 1.0f, 0);
  __shfl_sync(kMask, 1.0f, 0, kWidth);
  __shfl_sync(~0u, 1.0f, 0, WARP);
  __shfl_sync(-1, 1.0f, 0, S<16>::lanes);
  __ballot_sync(m, 1 << 4);
}
"""


@pytest.mark.parametrize(
    ("piece", "nth", "value"),
    [
        ("FULL", 2, 0xFFFFFFFF),
        ("HALF", 1, 0xFFFF),
        ("kMask", 1, 0xFFFFFFFF),
        ("kWidth", 1, 32),
        ("~0u", 0, 0xFFFFFFFF),
        ("WARP", 1, 32),
        ("-1", 0, -1),
        ("S<16>::lanes", 0, 32),
        ("1 << 4", 0, 16),
        ("m,", 0, None),
        ("1.0f", 0, None),
    ],
)
def test_constants_are_seen_through_macros_enums_and_constexpr(piece: str, nth: int, value: int | None) -> None:
    assert Parsed(MASKS).constant(piece, nth) == value


def test_types_of_expressions() -> None:
    parsed = Parsed(
        "typedef unsigned long long word;\n"
        "__device__ word f(word m, float* p, int i, __half h) {\n"
        "  auto v = __shfl_sync(0u, m, 0); use(v); p[i + 1]; __popc(i); h + h; cudaGetDeviceCount(&i); return m; }\n"
        "template <class T> void g(T t) { t + t; }\n"
    )
    assert parsed.type("__shfl_sync(0u, m, 0)") == "unsigned long long"
    assert parsed.type("p[i + 1]") == "float"
    assert parsed.type("i + 1") == "int"
    assert parsed.type("__popc(i)") == "int"
    assert parsed.type("h + h") == "__half"
    assert parsed.type("cudaGetDeviceCount(&i)") == "cudaError"
    assert parsed.type("t + t") == ""
    assert parsed.type("i + 1]") == ""


def test_the_struct_of_a_member() -> None:
    parsed = Parsed(
        "struct Mine { int warpSize; };\n"
        "int f(cudaDeviceProp& p, Mine& m, cudaDeviceProp* q) { return p.warpSize + m.warpSize + q->maxThreadsDim[0]; }\n"
    )
    assert parsed.clang.field_owner(parsed.at("warpSize", 1)) == "cudaDeviceProp"
    assert parsed.clang.field_owner(parsed.at("warpSize", 2)) == "Mine"
    assert parsed.clang.field_owner(parsed.at("maxThreadsDim")) == "cudaDeviceProp"
    assert parsed.clang.field_owner(parsed.at("m.")) == ""


def test_device_code() -> None:
    parsed = Parsed(
        "#define BODY cudaDeviceSynchronize()\n"
        "__global__ void a() { int in_global; }\n"
        "__device__ __forceinline__ int b() { int in_device; return in_device; }\n"
        "__host__ __device__ int c() { int in_both; return in_both; }\n"
        "void d() { int in_host = 0; BODY; }\n"
        "template <class T> __global__ void e(T* p) { p[0] = 1; T in_template; }\n"
        "struct S { __device__ void m() { int in_method; } };\n"
        "int outside;\n"
    )

    def ask(piece: str) -> tuple[bool | None, bool | None]:
        offset = parsed.at(piece)
        return parsed.clang.in_device_code(offset), parsed.clang.is_host_device(offset)

    assert ask("in_global") == (True, False)
    assert ask("in_device") == (True, False)
    assert ask("in_both") == (True, True)
    assert ask("in_host") == (False, False)
    assert ask("BODY;") == (False, False)
    assert ask("in_template") == (True, False)
    assert ask("in_method") == (True, False)
    assert ask("outside") == (None, None)


def test_what_the_preprocessor_left_out() -> None:
    parsed = Parsed(
        "#ifdef NEVER\nint a;\n#else\nint b;\n#endif\n#if CUDART_VERSION >= 12000\nint c;\n#endif\n"
        '#include <missing/one.h>\n#include "two.h"\n'
    )
    (skipped,) = parsed.clang.skipped_ranges()
    assert parsed.data[slice(*skipped)] == b"#ifdef NEVER\nint a;\n#else"
    assert parsed.clang.missing_headers() == [
        (parsed.at("<missing"), "missing/one.h"),
        (parsed.at('"two.h"'), "two.h"),
    ]


def test_answers_cost_no_walk_of_the_file() -> None:
    body = "".join(f"void f{i}(int* p) {{ cudaMalloc(&p, {i}); }}\n" for i in range(500))
    parsed = Parsed(body)
    assert parsed.clang.counters == {"parses": 1}
    for _ in range(3):
        assert parsed.owner("cudaMalloc", 250) is Owner.API
    assert parsed.clang.counters == {"parses": 1, "cursors": 1}
    assert parsed.constant("250);") is None
    assert parsed.constant("250", 1) == 250
    assert parsed.clang.counters["visited"] < 20


def test_an_unknown_macro_before_a_type_does_not_make_the_type_the_users(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#include <missing.h>\nEXPORT cudaError_t from_header(cudaEvent_t e);\n")
    parsed = Parsed(
        '#include "own.h"\nEXPORT cudaStream_t made(int n);\nstruct S { ALIGNED dim3 size; };\n'
        "STATE half = 3;\nint n = half;\ncudaError_t last;\n",
        ParseFlags(include_dirs=(str(tmp_path),)),
    )
    assert parsed.owner("cudaError_t") is not Owner.USER
    assert parsed.owner("cudaStream_t") is not Owner.USER
    assert parsed.owner("dim3") is not Owner.USER
    assert parsed.owner("half") is Owner.UNKNOWN  # the tokens tell: see tests/rules/test_own_names.py
