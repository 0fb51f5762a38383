"""The tables: that every name is there, what names become for which release, and that loading parses no row."""

from pathlib import Path

import pytest

from hipify.rules.library import Library, Mapping, map_name
from hipify.rules.names import is_hip_name, spelled_like_cuda
from hipify.rules.target import KNOWN_ROCM, Target, label

APIS = Path(__file__).parents[2] / "hipify" / "rules" / "apis"
LABELS = [label(version) for version in KNOWN_ROCM]
MINIMUM_ROWS = {
    "bf16": 89, "complex": 26, "cub": 343, "cublas": 1088, "cublaslt": 1051, "cudnn": 1483, "cufft": 181, "cufile":
    244, "curand": 219, "cusolver": 802, "cusparse": 897, "cusparselt": 97, "cutensor": 155, "device": 850,
    "driver": 2493, "fp16": 225, "fp4": 19, "fp6": 22, "fp8": 48, "nccl": 254, "nvjitlink": 48, "nvrtc": 56, "nvtx":
    209, "pipeline": 16, "profiler": 10, "runtime": 1811, "torch": 57, "wmma": 25,
}  # fmt: skip


_SAME = [
    "__ldg", "atomicAdd", "dim3", "__syncthreads", "half", "half2", "float4", "sinf", "__expf", "threadIdx",
    "printf", "__global__", "tex2D", "ncclAllReduce", "__shfl_sync", "__syncwarp", "warpSize", "max",
]  # fmt: skip
_USERS = [
    "CUDA_CHECK", "CUDA_CHECK_ERROR", "CUDA_SAFE_CALL", "cudaCheck", "cudaErrorCheck", "cublasCheck", "cudaStatus",
    "customer", "cube", "cudamalloc", "cuda_malloc", "hipMalloc", "current", "cutoff", "cudaThing", "CU", "cu",
    "cublas_gemm", "nccl", "cuStackSize", "CUDNN_CONV", "cuda",
]  # fmt: skip


@pytest.fixture(scope="module")
def library() -> Library:
    return Library.default()


def mapped(name: str, release: str = "7.2", **options: bool) -> Mapping:
    api = Library.default().get(name.encode())
    assert api is not None, name
    rocm = KNOWN_ROCM[LABELS.index(release)]
    return map_name(api, Target(rocm, **options))  # type: ignore[arg-type]


def test_every_library_has_its_rows(library: Library) -> None:
    assert set(library.libraries) == set(MINIMUM_ROWS)
    short = {
        name: len(library.library(name)) for name, rows in MINIMUM_ROWS.items() if len(library.library(name)) < rows
    }
    assert short == {}
    assert sum(len(library.library(name)) for name in library.libraries) == len(library.names)
    assert len(library.names) >= 12_700


def test_every_row_has_every_column_and_a_known_status(library: Library) -> None:
    statuses = {"same", "mapped", "roc_only", "unsupported", "unknown", "dropped", "ambiguous"}
    for name in library.names:
        api = library.get(name)
        assert api is not None
        assert api.kind, name
        assert api.status in statuses, name
        assert set(filter(None, api.seen.split(","))) <= set(LABELS), name
        assert (api.status == "same") <= (api.hip == api.name and not api.alt), name
        assert (api.status == "mapped") <= bool(api.hip and api.seen), name
        assert (api.status in ("unsupported", "unknown", "dropped")) <= (not api.hip), name


def test_tables_are_sorted_and_each_name_stands_once() -> None:
    seen: set[str] = set()
    for path in APIS.glob("*.tsv"):
        names = [line.split("\t", 1)[0] for line in path.read_text("utf-8").splitlines()[1:]]
        assert names == sorted(names), path.name
        if path.stem not in ("fields", "headers"):
            assert seen.isdisjoint(names), path.name
            seen.update(names)


def test_loading_parses_no_row() -> None:
    fresh = Library()
    assert b"cudaMalloc" in fresh.names
    assert fresh.parsed == 0
    assert fresh.get(b"cudaMalloc") is fresh.get(b"cudaMalloc")
    assert fresh.get(b"myOwnFunction") is None
    assert fresh.parsed == 1


def test_default_is_loaded_once() -> None:
    assert Library.default() is Library.default()


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cudaMalloc", "hipMalloc"),
        ("cudaMemcpyToSymbol", "hipMemcpyToSymbol"),
        ("cudaMallocHost", "hipHostMalloc"),
        ("cudaDeviceProp", "hipDeviceProp_t"),
        ("cudaStream_t", "hipStream_t"),
        ("CUdeviceptr", "hipDeviceptr_t"),
        ("cuMemAlloc_v2", "hipMalloc"),
        ("cuModuleLoadData", "hipModuleLoadData"),
        ("CUDA_SUCCESS", "hipSuccess"),
        ("nvrtcCompileProgram", "hiprtcCompileProgram"),
        ("cublasSgemm_v2", "hipblasSgemm"),
        ("cublasGetStatusString", "hipblasStatusToString"),
        ("cublasLtMatmul", "hipblasLtMatmul"),
        ("cufftExecC2C", "hipfftExecC2C"),
        ("curand_init", "hiprand_init"),
        ("curandState", "hiprandState"),
        ("cusparseSpMV", "hipsparseSpMV"),
        ("cusolverDnDgetrf", "hipsolverDnDgetrf"),
        ("cuDoubleComplex", "hipDoubleComplex"),
        ("cuCadd", "hipCadd"),
        ("__nv_bfloat16", "__hip_bfloat16"),
        ("nv_bfloat16", "__hip_bfloat16"),
        ("__nv_bfloat162", "__hip_bfloat162"),
        ("__nv_fp8_e4m3", "__hip_fp8_e4m3"),
        ("nvtxRangePushA", "roctxRangePushA"),
        ("nvtxRangeEnd", "roctxRangeStop"),
        ("cub::BlockReduce", "hipcub::BlockReduce"),
        ("cub::DeviceFor", "hipcub::DeviceFor"),
        ("CUDART_PI_F", "HIP_PI_F"),
        ("CUDA_R_16F", "HIP_R_16F"),
        ("CUDART_INF_FP16", "HIPRT_INF_FP16"),
        ("cudaDevAttrMaxBlocksPerMultiprocessor", "hipDeviceAttributeMaxBlocksPerMultiProcessor"),
        ("umax", "max"),
        ("__trap", "__builtin_trap"),
    ],
)
def test_mappings_of_72(cuda: str, hip: str) -> None:
    found = mapped(cuda)
    assert found.name == hip
    assert found.problem in ("", "deprecated_hip")


@pytest.mark.parametrize(
    "name",
    _SAME,
)
def test_names_that_exist_as_they_are(name: str) -> None:
    found = mapped(name)
    assert found.api.status == "same"
    assert (found.name, found.problem) == (name, "")


@pytest.mark.parametrize(
    ("cuda", "by_release"),
    [
        ("cublasZher_v2", ["hipblasZher", "hipblasZher_v2", "hipblasZher", "hipblasZher"]),
        ("cublasCgemm", ["hipblasCgemm", "hipblasCgemm_v2", "hipblasCgemm", "hipblasCgemm"]),
        ("CU_JIT_TARGET", ["hipJitOptionTarget"] * 4),
        ("CU_JIT_INPUT_PTX", ["HIPRTC_JIT_INPUT_PTX", *["hipJitInputPtx"] * 3]),
        ("__shfl_sync", ["too_new", "too_new", "__shfl_sync", "__shfl_sync"]),
        ("__syncwarp", ["too_new", "too_new", "__syncwarp", "__syncwarp"]),
        ("cudaMemcpyBatchAsync", ["too_new", "too_new", "hipMemcpyBatchAsync", "hipMemcpyBatchAsync"]),
        ("cudaGreenCtxCreate", ["too_new", "too_new", "too_new", "hipGreenCtxCreate"]),
        ("cuFileRead", ["too_new", "too_new", "too_new", "hipFileRead"]),
        (
            "CUDA_MEMSET_NODE_PARAMS",
            ["hipMemsetParams", "HIP_MEMSET_NODE_PARAMS", "hipMemsetParams", "hipMemsetParams"],
        ),
    ],
)
def test_the_release_decides(cuda: str, by_release: list[str]) -> None:
    found = [mapped(cuda, release) for release in LABELS]
    assert [m.name or m.problem for m in found] == by_release


def test_v2_suffix_is_only_written_for_the_releases_that_have_it(library: Library) -> None:
    suffixed = [n for n in library.library("cublas") if "_v2" in mapped(n.decode(), "6.4").name]
    assert len(suffixed) >= 300
    assert [n for n in suffixed if "_v2" in mapped(n.decode(), "7.2").name] == []
    assert [n for n in suffixed if "_v2" in mapped(n.decode(), "10.0").name] == []


def test_too_new_names_the_release_that_has_it() -> None:
    found = mapped("cudaGreenCtxCreate", "7.2")
    assert (found.name, found.problem) == ("", "too_new")
    assert "10.0" in found.note
    assert "hipGreenCtxCreate" in found.note


def test_too_new_tells_of_the_macro_that_brings_it_earlier() -> None:
    assert "HIP_ENABLE_WARP_SYNC_BUILTINS" in mapped("__shfl_sync", "6.4").note
    assert "HIP_ENABLE_WARP_SYNC_BUILTINS" not in mapped("__shfl_sync", "5.7").note
    assert "HIP_ENABLE_WARP_SYNC_BUILTINS" not in mapped("__syncwarp", "6.4").note


def test_what_has_no_counterpart_says_so() -> None:
    for name, problem in (
        ("cudaErrorLossyQuery", "unsupported"),
        ("cuCoredumpGetAttribute", "unsupported"),
        ("cudaGraphSetConditional", "unknown"),
        ("__mbarrier_init", "unknown"),
    ):
        found = mapped(name)
        assert (found.name, found.problem) == ("", problem), name
        assert name in found.note


@pytest.mark.parametrize("name", ["CUDA_VERSION", "CUDART_VERSION", "__CUDA_ARCH__", "__CUDACC__", "__NVCC__"])
def test_guards_map_to_nothing(name: str) -> None:
    found = mapped(name)
    assert found.api.status == "dropped"
    assert found.name == ""
    assert found.problem == "unsupported"


@pytest.mark.parametrize("name", ["any", "all", "MAJOR_VERSION", "cuda_stream", "CUDAContext", "surface"])
def test_ordinary_words_are_left_alone(name: str) -> None:
    assert mapped(name) == Mapping(mapped(name).api, name)


def test_cudnn_goes_to_miopen_when_asked() -> None:
    assert mapped("cudnnCreate", miopen=True).name == "miopenCreate"
    assert mapped("cudnnFilterDescriptor_t", miopen=True).name == "miopenTensorDescriptor_t"
    advice = mapped("cudnnCreate")
    assert (advice.name, advice.problem) == ("", "miopen_only")
    assert "miopenCreate" in advice.note


def test_no_table_names_hipdnn(library: Library) -> None:
    rows = [api for n in library.library("cudnn") if (api := library.get(n)) is not None]
    assert [api.name for api in rows if "hipdnn" in (api.hip + api.alt).lower()] == []


def test_roc_option_prefers_roc_names() -> None:
    assert mapped("cublasSgemm_v2", roc=True).name == "rocblas_sgemm"
    assert mapped("cudaMalloc", roc=True).name == "hipMalloc"
    assert mapped("nvcuda::wmma::fragment").problem == "roc_only"
    assert mapped("nvcuda::wmma::fragment", roc=True).name == "rocwmma::fragment"


def test_deprecated_names_are_given_with_a_note() -> None:
    found = mapped("cuCtxCreate")
    assert found.name == "hipCtxCreate"
    assert found.problem == "deprecated_hip"
    assert "hipCtxCreate" in found.note


def test_arguments_that_differ_are_flagged(library: Library) -> None:
    memcpy, malloc = library.get(b"cuMemcpy"), library.get(b"cudaMalloc")
    prefetch = library.get(b"cudaMemPrefetchAsync")
    assert memcpy is not None and malloc is not None and prefetch is not None
    assert memcpy.has("count_differs")
    assert prefetch.has("count_differs_in:13.0/13.5")
    assert not malloc.has("args_differ")


def test_namespaces_are_rows_of_their_own(library: Library) -> None:
    cub, wmma = library.get(b"cub"), library.get(b"nvcuda")
    assert cub is not None and wmma is not None
    assert (cub.kind, cub.hip) == ("namespace", "hipcub")
    assert (wmma.kind, wmma.roc) == ("namespace", "rocwmma")


def test_fields_by_name(library: Library) -> None:
    structs = {f.struct: f for f in library.field(b"multiProcessorCount")}
    prop = structs["cudaDeviceProp"]
    assert (prop.hip_struct, prop.hip_field) == ("hipDeviceProp_t", "multiProcessorCount")
    assert prop.seen == "5.7,6.4,7.2,10.0"
    assert library.field(b"noSuchMemberAnywhere") == ()
    assert sum(len(library.field(name)) for name in library.field_names) >= 1330
    dst = {f.struct: f for f in library.field(b"dst")}
    assert dst["CUDA_MEMSET_NODE_PARAMS_st"].hip_struct == "hipMemsetParams"


def test_headers(library: Library) -> None:
    runtime = library.header(b"cuda_runtime.h")
    assert runtime is not None
    assert runtime.hip_in("7.2") == "hip/hip_runtime.h"
    cufile = library.header(b"cufile.h")
    assert cufile is not None
    assert (cufile.hip_in("7.2"), cufile.hip_in("10.0")) == ("", "hipfile.h")
    blas = library.header(b"cublas_v2.h")
    assert blas is not None
    assert (blas.hip, blas.roc) == ("hipblas/hipblas.h", "rocblas/rocblas.h")
    mma = library.header(b"mma.h")
    assert mma is not None
    assert (mma.hip, mma.roc) == ("", "rocwmma/rocwmma.hpp")
    assert library.header(b"vector") is None


def test_headers_of_a_folder_that_no_row_names(library: Library) -> None:
    cub, cutlass = library.header(b"cub/device/device_brand_new.cuh"), library.header(b"cutlass/gemm/device/gemm.h")
    assert cub is not None and cutlass is not None
    assert (cub.path, cub.hip_in("7.2")) == ("cub/device/device_brand_new.cuh", "hipcub/hipcub.hpp")
    assert (cutlass.hip_in("7.2"), cutlass.status, cutlass.library) == ("", "unsupported", "cutlass")
    assert library.header(b"thrust/detail/brand_new.h") is None
    assert library.header(b"cuda/MyOwnUtils.cuh") is None


@pytest.mark.parametrize(
    ("name", "library_name"),
    [
        ("cudaMemFancyNew", "runtime"),
        ("cuMemFancyNew", "driver"),
        ("CU_DEVICE_ATTRIBUTE_FANCY", "driver"),
        ("cublasFancyNew", "cublas"),
        ("cublasLtFancy", "cublaslt"),
        ("CUBLAS_GEMM_FANCY", "cublas"),
        ("cudnnFancy", "cudnn"),
        ("ncclFancy", "nccl"),
        ("nppiFilterGauss_8u_C1R", "npp"),
        ("nvmlInit_v2", "nvml"),
        ("CUPTI_ACTIVITY_KIND_KERNEL", "cupti"),
        ("cuptiActivityEnable", "cupti"),
        ("cufftXtFancy", "cufft"),
        ("nvjpegCreateSimple", "nvjpeg"),
        ("__nv_fancy", "device"),
    ],
)
def test_spelling_names_the_library(name: str, library_name: str) -> None:
    assert spelled_like_cuda(name.encode()) == library_name


@pytest.mark.parametrize(
    "name",
    _USERS,
)
def test_names_of_the_users_own_are_not_taken_for_cudas(name: str) -> None:
    assert spelled_like_cuda(name.encode()) == ""


def test_hip_names_are_known_by_their_spelling() -> None:
    ours = [
        b"hipMalloc",
        b"HIP_R_16F",
        b"hipblasSgemm",
        b"rocblas_sgemm",
        b"miopenCreate",
        b"hiprtcResult",
        b"roctxMark",
    ]
    assert all(is_hip_name(name) for name in ours)
    assert not any(is_hip_name(name) for name in (b"hippo", b"hip", b"HIPPO", b"rock", b"cudaMalloc", b"ship"))
