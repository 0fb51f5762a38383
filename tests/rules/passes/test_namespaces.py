"""Namespaces of CUB and of Thrust's CUDA backend, in every way they are named."""

import pytest

import hipify

HEAD = "#include <cub/cub.cuh>\n#include <thrust/execution_policy.h>\n#include <thrust/sort.h>\n"


def translate(text: str) -> hipify.Translation:
    return hipify.translate_source(HEAD + text, "t.cu", hipify.Options(clang=False))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("namespace c = cub;\n", "namespace c = hipcub;\n"),
        ("namespace c=cub;\n", "namespace c=hipcub;\n"),
        ("namespace cub = hipcub; cub::Sum s;\n", "namespace cub = hipcub; hipcub::Sum s;\n"),
        ("namespace cub = ::hipcub;\n", "namespace cub = ::hipcub;\n"),
        ("namespace m { namespace c = ::cub; }\n", "namespace m { namespace c = ::hipcub; }\n"),
        ("void f(int* x) { thrust::sort(thrust::cuda_cub::par, x, x); }\n", "thrust::sort(thrust::hip_rocprim::par, x"),
        ("auto& c = thrust::cuda_category();\n", "auto& c = thrust::hip_category();\n"),
        ("#include <thrust/system/cuda/vector.h>\n", "#include <thrust/system/hip/vector.h>\n"),
        ("#include <thrust/system/cuda/detail/util.h>\n", "#include <thrust/system/hip/detail/util.h>\n"),
        ("namespace t = ::thrust::system::cuda;\n", "namespace t = ::thrust::system::hip;\n"),
        ("namespace thrust { namespace cuda { struct X; } }\n", "namespace thrust { namespace hip { struct X; } }\n"),
        ("using namespace thrust; void f(int* x) { sort(cuda::par, x, x); }\n", "sort(hip::par, x, x)"),
        ("namespace thrust { void f() { cuda_cub::synchronize(1); } }\n", "{ hip_rocprim::synchronize(1); }"),
        (
            "#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA\n#endif\n",
            "THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_HIP",
        ),
        (
            "template <class T> using V = thrust::host_vector<T, ::thrust::cuda::experimental::pinned_allocator<T> >;\n",
            "V = thrust::host_vector<T, ::thrust::mr::stateless_resource_allocator<T, "
            "thrust::system::hip::universal_host_pinned_memory_resource> >;\n",
        ),
    ],
)
def test_renamed(text: str, expected: str) -> None:
    result = translate(text)
    assert expected in result.output.decode()
    assert result.findings == ()


@pytest.mark.parametrize(
    "text", ["int cub = 1; int c = cub;\n", "struct A { int cuda_cub; }; int f(A a) { return a.cuda_cub; }\n"]
)
def test_left_alone(text: str) -> None:
    assert text in translate(text).output.decode()


@pytest.mark.parametrize(
    "text",
    [
        "__device__ int f(int v) { return cub::WarpFancy(v, 1); }\n",
        "namespace c = cub; __device__ int f(int v) { return c::WarpFancy(v, 1); }\n",
    ],
)
def test_names_that_no_table_knows_are_named(text: str) -> None:
    (finding,) = translate(text).findings
    assert (finding.id, finding.severity, finding.line) == ("HPY701", hipify.Severity.WARNING, 4)
    assert "WarpFancy" in finding.message


def test_pinned_allocators_bring_their_headers_once() -> None:
    header = "#include <thrust/system/cuda/experimental/pinned_allocator.h>\n"
    name = "thrust::system::cuda::experimental::pinned_allocator"
    output = translate(f"{header}typedef {name}<int> A;\ntypedef {name}<char> B;\n").output.decode()
    assert output.count("#include <thrust/system/hip/memory_resource.h>\n") == 1
    assert output.count("#include <thrust/mr/allocator.h>\n") == 1


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("using thrust::cuda::experimental::pinned_allocator;\n", "HPY701"),
        ("#include <thrust/system/cuda/detail/core/util.h>\n", "HPY106"),
    ],
)
def test_what_rocthrust_lacks_is_named(text: str, id: str) -> None:
    assert [(f.id, f.severity.label) for f in translate(text).findings] == [(id, "error")]


def test_what_the_program_adds_to_the_namespace_is_its_own() -> None:
    assert translate("namespace cub { struct Mine {}; }\ncub::Mine m;\n").findings == ()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "use",
    [
        'void f() { nvtx3::scoped_range r{"x"}; }',
        "void f() { nvtx3::mark(1); }",
        "namespace nv = nvtx3;",
        "using namespace nvtx3;",
    ],
)
def test_the_classes_of_nvtx_are_reported(use: str, clang: bool) -> None:
    made = hipify.translate_source(f"#include <nvtx3/nvtx3.hpp>\n{use}\n", "t.cu", hipify.Options(clang=clang))
    assert made.output.decode() == f"#include <roctracer/roctx.h>\n{use}\n"
    ((found, line),) = {(f.id, f.line) for f in made.findings}
    assert (found, line) == ("HPY702", 2)


@pytest.mark.parametrize(
    "header",
    [
        "driver_functions.h",
        "crt/host_config.h",
        "crt/sm_90_rt.hpp",
        "device_atomic_functions.hpp",
        "sm_30_intrinsics.hpp",
    ],
)
def test_parts_of_cudas_runtime_headers_become_the_runtimes(header: str) -> None:
    made = hipify.translate_source(f"#include <{header}>\nint4 v;\n", "t.cu")
    assert made.output == b"#include <hip/hip_runtime.h>\nint4 v;\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("using namespace cv; void f(cuda::GpuMat& m, cuda::Stream s) { cuda::multiply(m, m, s); }\n", []),
        ('#include "cuda/filter.hpp"\nusing namespace cv; void f(cuda::Filter& m);\n', []),
        ("#include <cuda/barrier>\nvoid f(cuda::something_newer* p);\n", ["cuda::something_newer"]),
        ("__device__ int f(int n) { return cuda::ceil_div(n, 2); }\n", ["cuda::ceil_div"]),
        ("template <class T> void f(cuda::atomic_ref<T> r, cuda::latch* l);\n", ["cuda::atomic_ref", "cuda::latch"]),
    ],
)
def test_only_what_libcudacxx_has_is_its_own(text: str, named: list[str], clang: bool) -> None:
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert [f.message.split()[0] for f in made.findings if f.id == "HPY702"] == named


def test_names_of_cub_alone_are_errors_with_what_to_write_instead() -> None:
    text = "int a = cub::CurrentDevice();\nusing K = cub::DispatchRadixSort<false, int, int, int>;\n"
    result = translate(text)
    assert [(f.id, f.severity.label, f.message, f.fix) for f in result.findings] == [
        ("HPY701", "error", "cub::CurrentDevice: hipCUB does not have it", "Call hipGetDevice."),
        (
            "HPY701",
            "error",
            "cub::DispatchRadixSort: hipCUB does not have it",
            "Call hipCUB's DeviceRadixSort, which chooses its own tuning.",
        ),
    ]


@pytest.mark.parametrize("inner", ["detail", "internal"])
def test_what_is_cubs_own_business_is_named(inner: str) -> None:
    (finding,) = translate(f"using T = cub::{inner}::Chosen<int>;\n").findings
    assert (finding.id, finding.severity.label) == ("HPY701", "warning")
    assert finding.message == f"cub::{inner} is CUB's own business: hipCUB's is not the same"


def test_names_of_cub_alone_are_seen_behind_a_using_directive() -> None:
    text = "using namespace cub;\nSwitchDevice s(1);\nSum add;\nint f(A a) { return a.SwitchDevice; }\n"
    (finding,) = translate(text).findings
    assert (finding.line, finding.message) == (
        HEAD.count("\n") + 2,
        "SwitchDevice: CUB's, with `using namespace cub`, is not in hipCUB",
    )
    own = "using namespace cub;\nstruct SwitchDevice { int d; };\nSwitchDevice s{1};\n"
    assert translate(own).findings == ()


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("tabulate_output_iterator", "6.4", ["thrust::tabulate_output_iterator: rocThrust has it since ROCm 7"]),
        ("tabulate_output_iterator", "7.2", []),
        ("offset_iterator", "7.2", ["thrust::offset_iterator: rocThrust does not have it"]),
    ],
)
def test_names_of_thrust_that_rocthrust_lacks(name: str, target: str, said: list[str]) -> None:
    text = f"#include <thrust/sort.h>\nthrust::{name}<F> it;\n"
    result = hipify.translate_source(text, "t.cu", hipify.Options(target=target, clang=False))
    assert [(f.id, f.message) for f in result.findings] == [("HPY701", message) for message in said]


@pytest.mark.parametrize(("body", "use"), [("::cub::", "NS "), ("cub", "NS::"), ("::cub", "NS::"), ("cub::", "NS ")])
def test_macros_that_stand_for_cub_stand_for_hipcub(body: str, use: str) -> None:
    text = (
        f"#include <cub/cub.cuh>\n#define NS {body}\nusing A = {use}BlockReduce<int, 64>;\nusing B = {use}DeviceFind;\n"
    )
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert f"#define NS {body.replace('cub', 'hipcub')}\n".encode() in result.output
    assert [(f.id, f.line) for f in result.findings] == [("HPY701", 4)]


def test_a_macro_of_another_cub_stays() -> None:
    text = "#define SHAPE cub\nint cub, x = SHAPE;\n"
    assert hipify.translate_source(text, "t.cu", hipify.Options(clang=False)).output.decode() == text


@pytest.mark.parametrize(
    ("macros", "scope", "line"),
    [
        ("#define CUB_WRAPPED_NAMESPACE mine\n", "mine", "namespace mine { namespace cub = ::hipcub; }"),
        ("#define THRUST_CUB_WRAPPED_NAMESPACE mine\n", "mine", "namespace mine { namespace cub = ::hipcub; }"),
        (
            "#define CUB_NS_PREFIX namespace a { namespace b {\n#define CUB_NS_POSTFIX }}\n",
            "a::b",
            "namespace a { namespace b { namespace cub = ::hipcub; } }",
        ),
    ],
)
def test_the_namespace_that_cub_is_wrapped_in_leads_to_hipcub(macros: str, scope: str, line: str) -> None:
    text = f"{macros}#include <cub/block/block_scan.cuh>\nusing A = {scope}::cub::BlockScan<int, 64>;\n"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    lines = result.output.decode().splitlines()
    assert lines[lines.index(line) - 1].startswith("#include <hipcub/")
    assert lines[lines.index(line) + 1] == f"using A = {scope}::cub::BlockScan<int, 64>;"
    assert [f.id for f in result.findings] == ["HPY130"]


def test_a_wrapping_namespace_without_cub_behind_it_stays() -> None:
    text = "#include <cub/cub.cuh>\n#define CUB_WRAPPED_NAMESPACE mine\n"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert b"namespace" not in result.output.replace(b"CUB_WRAPPED_NAMESPACE", b"")
