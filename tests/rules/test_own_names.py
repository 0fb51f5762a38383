"""Names of CUDA's that a program declares for itself: all their uses keep them, or none does."""

from pathlib import Path

import pytest

import hipify

HEAD = "#include <cuda_runtime.h>\n"


def translate(text: str, clang: bool, path: str = "t.cu") -> str:
    source = HEAD + text + "\n"
    result = hipify.translate_source(source, path, hipify.Options(clang=clang))
    return result.output.decode().partition("\n")[2].rstrip("\n")


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "Err cudaMalloc(void** p, size_t n) { return 0; }\nvoid f(void* p) { cudaMalloc(&p, 4); }",
        "Err cudaFree(void* p);\nvoid f(void* p) { cudaFree(p); }",
        "ns::Err* cudaFree(void* p) { return 0; }\nvoid f(void* p) { cudaFree(p); }",
        "std::vector<int> cudaGetDevice(int n) { return {}; }\nvoid f() { auto v = cudaGetDevice(1); }",
        "EXPORT Err cudaMemset(void* p, int n) { return 1; }\nvoid f(void* p) { cudaMemset(p, 1); }",
        'extern "C" { Err cudaSetDevice(int n) { return n; } }\nvoid f() { cudaSetDevice(3); }',
        "template <typename T> cudaErr cudaFree(T* p) noexcept { return 1; }\nvoid f(int* p) { cudaFree(p); }",
        "auto cudaFree(void* p) -> Err { return 0; }\nvoid f(void* p) { cudaFree(p); }",
        "namespace my { Err cudaFree(void* p); void f(void* p) { cudaFree(p); } }",
        "class P { Err cudaFree(void* p); void f(void* p) { cudaFree(p); } void g(); };\nvoid P::g() { cudaFree(0); }",
        "STATE half = 3;\nint n = half;",
    ],
)
def test_a_function_of_the_file_keeps_its_name_where_it_is_called(text: str, clang: bool) -> None:
    assert translate(text, clang) == text


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        "int cudaFree = 3; cudaFree += 2; use(cudaFree);",
        "Foo cudaMemset; cudaMemset.go();",
        "Foo a, *cudaMemset = 0, cudaFree[2]; cudaMemset->go(); cudaFree[1] = a;",
        "float cudaFree[3] = {1, 2, 3}; cudaFree[1] = 2;",
        "auto cudaFree = [&](int n) { return n; }; cudaFree(3);",
        "Foo cudaFree(3); cudaFree.go();",
        "for (auto& cudaFree : list) cudaFree.go();",
        "auto g = [](const Foo& cudaFree) { return cudaFree.x; };",
        "enum { cudaSuccess = 1 }; use(cudaSuccess);",
    ],
)
def test_a_variable_keeps_its_name_in_its_block_only(body: str, clang: bool) -> None:
    text = f"void f() {{ {body} }}\nvoid g(void* p) {{ cudaFree(p); cudaMemset(p, 0, 4); }}"
    expected = text.replace("{ cudaFree(p); cudaMemset", "{ hipFree(p); hipMemset")
    assert translate(text, clang) == expected


@pytest.mark.parametrize("clang", [True, False])
def test_parameters_and_members_keep_their_names(clang: bool) -> None:
    text = (
        "struct S { int cudaFree; Foo cudaMemset; int get() { return cudaFree; } };\n"
        "void f(int cudaFree, Foo *cudaMemcpy, const std::string &cudaMemset, S s) {\n"
        "  use(cudaFree, cudaMemcpy->x, cudaMemset.size(), s.cudaFree);\n}"
    )
    assert translate(text, clang) == text


@pytest.mark.parametrize("clang", [True, False])
def test_an_overload_hands_on_to_the_function_of_the_api(clang: bool) -> None:
    text = "template <typename T> cudaError_t cudaMalloc(T** p, size_t n) { return ::cudaMalloc((void**)p, n); }"
    assert translate(text, clang) == text.replace("cudaError_t", "hipError_t").replace("::cudaMalloc", "::hipMalloc")
    inner = text.replace("::", "")
    assert "return hipMalloc((void**)p, n)" in translate(inner, clang)


@pytest.mark.parametrize("clang", [True, False])
def test_other_arguments_and_the_outermost_scope_ask_for_the_api(clang: bool) -> None:
    text = (
        "Err cudaMemset(void* p, int n);\nnamespace my { Err cudaFree(void* p); void f() { cudaFree(0); ::cudaFree(0); } }\n"
        "void g(void* p) { cudaMemset(p, 1); cudaMemset(p, 0, 4); cudaFree(p); }"
    )
    output = translate(text, clang)
    assert "cudaFree(0); ::hipFree(0);" in output
    assert "cudaMemset(p, 1); hipMemset(p, 0, 4); hipFree(p);" in output


@pytest.mark.parametrize("clang", [True, False])
def test_a_stand_in_of_one_branch_goes_where_its_uses_go(clang: bool) -> None:
    text = (
        "#ifdef NO_CUDA\ntypedef int cudaEvent_t;\nErr cudaEventCreate(int* e) { return 1; }\n#endif\n"
        "void f() { cudaEvent_t e; cudaEventCreate(&e); }"
    )
    output = translate(text, clang)
    assert "cuda" not in output
    assert output.count("hipEventCreate") == 2


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "struct cudaArray; typedef cudaError_t (*fn)(int); extern cudaError_t (*fp)(const cudaStream_t, int);",
        "void q(const cudaStream_t, struct cudaPointerAttributes *, cudaEvent_t, unsigned);",
        "const cudaStream_t &get(); static cudaStream_t st;",
        "int y() { MY_RETURN cudaSuccess; }",
        "int y() { CHECK cudaDeviceSynchronize(); a = n * cudaStreamDefault; return ::cudaGetLastError(); }",
        "void y() { f<A, cudaStream_t, cudaEvent_t>(1, 2); g(a, &cudaFree, *cudaSuccess); }",
        "void y() { if (f & cudaHostAllocMapped) { g = cudaHostAllocMapped; } else if (f & cudaHostAllocPortable) g(); }",
        "void y() { while (f & cudaHostAllocMapped) {} switch (n * cudaHostAllocMapped) {} if constexpr (f & cudaSuccess) {} }",
        "void y() { for (int i = 0; f & cudaHostAllocMapped; i++) { f ^= cudaHostAllocMapped; } }",
        "void y() { int a = n < cudaSuccess, b = f(cudaSuccess, cudaErrorUnknown); else cudaFree(p); }",
    ],
)
def test_uses_that_look_like_declarations_are_translated(text: str, clang: bool) -> None:
    assert "cuda" not in translate(text, clang)


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "struct CUstream_st;\ntypedef struct CUstream_st *cudaStream_t;\nclass F { cudaStream_t s; };",
        "using cudaEvent_t = struct CUevent_st*;\nvoid f(cudaEvent_t e);",
        'extern "C" cudaError_t cudaFree(void*);\nvoid f() { cudaFree(0); }',
        "const char* cudaGetErrorString(cudaError_t e);\nvoid f() { cudaGetErrorString(cudaGetLastError()); }",
    ],
)
def test_what_the_api_says_said_again_is_the_apis(text: str, clang: bool) -> None:
    output = translate(text, clang)
    assert "cuda" not in output and "CU" not in output


@pytest.mark.parametrize("clang", [True, False])
def test_a_type_that_a_header_says_again_is_the_apis(tmp_path: Path, clang: bool) -> None:
    (tmp_path / "forward.h").write_text("typedef struct CUstream_st *cudaStream_t;\n")
    text = '#include "forward.h"\nvoid f(cudaStream_t s);'
    assert translate(text, clang, str(tmp_path / "a.cu")) == text.replace("cudaStream_t", "hipStream_t")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "inner.h").write_text("template <class T> Err *cudaGetDevice(T n) { return 0; }\n")
    (tmp_path / "own.h").write_text(
        '#pragma once\n#include "missing_library.h"\n#include "inner.h"\n#include "own.h"\n'
        "inline LibErr cudaMemset(void *p, int n) { return use(cudaSetDevice(n)); }\n"
        "namespace my { LibErr cudaFree(void *p); }\nstruct S { LibErr cudaMemcpy(int); };\n"
        "cudaError_t cudaEventCreate(cudaEvent_t *e);\n"
        "#ifdef MOCK\ninline LibErr cudaDeviceSynchronize() {}\n#endif\n"
    )
    return tmp_path


@pytest.mark.parametrize("clang", [True, False])
def test_functions_of_the_projects_headers_keep_their_names(project: Path, clang: bool) -> None:
    text = (
        '#include "own.h"\nvoid f(void *p) { cudaMemset(p, 2); cudaMemset(p, 2, 3); cudaFree(p); my::cudaFree(p); '
        "cudaGetDevice(3); cudaSetDevice(1); cudaDeviceSynchronize(); cudaMemcpy(p, p, 1, k); }\n"
        "namespace my { void g() { cudaFree(0); ::cudaFree(0); } }"
    )
    output = translate(text, clang, str(project / "a.cu"))
    assert (
        "cudaMemset(p, 2); hipMemset(p, 2, 3); hipFree(p); my::cudaFree(p); cudaGetDevice(3); hipSetDevice(1); "
        "hipDeviceSynchronize(); hipMemcpy(p, p, 1, k);"
    ) in output
    assert "{ cudaFree(0); ::hipFree(0); }" in output


@pytest.mark.parametrize("clang", [True, False])
def test_a_returned_type_behind_an_arrow_is_no_member(clang: bool) -> None:
    text = "auto f(int* p) -> cudaError_t { return g->cudaFree(p); }\nauto h = [](int) noexcept -> cudaStream_t* { return 0; };"
    expected = text.replace("cudaError_t", "hipError_t").replace("cudaStream_t", "hipStream_t")
    assert translate(text, clang) == expected


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("using ::cudaFree;", "using ::hipFree;"),
        ("void f() { using ::cudaFree; }", "void f() { using ::hipFree; }"),
        ("static ::cudaError_t f(const ::cudaStream_t s);", "static ::hipError_t f(const ::hipStream_t s);"),
        ("__host__ ::cudaError_t f();", "__host__ ::hipError_t f();"),
        (
            "namespace my { using ::cudaFree; using ::cudaStream_t; }\nvoid f(my::cudaStream_t s) { my::cudaFree(0); }",
            "namespace my { using ::hipFree; using ::hipStream_t; }\nvoid f(my::hipStream_t s) { my::hipFree(0); }",
        ),
        (
            "namespace a { namespace b { using ::cudaFree; } }\nvoid f() { a::b::cudaFree(0); }",
            "namespace a { namespace b { using ::hipFree; } }\nvoid f() { a::b::hipFree(0); }",
        ),
        (
            "namespace my { using ::cudaMallocHost; }\nvoid f(void* p) { my::cudaMallocHost(&p, 4); }",
            "namespace my { using ::hipHostMalloc; }\n"
            "void f(void* p) { my::hipHostMalloc(&p, 4, hipHostMallocDefault); }",
        ),
    ],
)
def test_a_name_asked_for_outside_of_all_scopes_is_cudas(text: str, expected: str, clang: bool) -> None:
    assert translate(text, clang) == expected


@pytest.mark.parametrize("clang", [True, False])
def test_a_using_declaration_makes_no_other_scopes_name_cudas(clang: bool) -> None:
    text = "namespace my { using ::cudaFree; }\nnamespace his { void cudaFree(int); }\nvoid f() { his::cudaFree(0); }"
    assert translate(text, clang) == text.replace("using ::cudaFree", "using ::hipFree")


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "int f(int p) { if (p) goto cudaFree; return 1; cudaFree: return 0; }",
        "int f(int p) { { goto cublasDestroy; } cublasDestroy: ; return 0; }",
        "struct Api { int (*cudaMalloc)(void**, int); int (*cuInit)(int); };\n"
        "Api a = {.cudaMalloc = nullptr, .cuInit = nullptr}, b = {cudaMalloc: nullptr, cuInit: nullptr};\n"
        "int f() { return a.cudaMalloc(0, 1) + b.cuInit(2); }",
        "void f(int (*cudaMalloc)(int)) { cudaMalloc(3); }",
        "#define CB\nint f() { int (CB *cudaFree)(int) = 0; return cudaFree(1); }",
    ],
)
def test_labels_and_function_pointers_are_the_programs(text: str, clang: bool) -> None:
    made = hipify.translate_source(text + "\n", "t.cu", hipify.Options(clang=clang))
    assert (made.output.decode(), made.findings) == (text + "\n", ())


@pytest.mark.parametrize("clang", [True, False])
def test_what_stands_before_a_colon_in_other_places_is_cudas(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\nint f(int c) { switch (c) { case cudaSuccess: return 1; }\n"
        "  cudaError_t e[] = {cudaSuccess, c ? cudaErrorUnknown : cudaSuccess}; return e[0]; }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b"cuda" not in made.output


_BASE = "struct Pool { void cudaFree(void*) {} int cudaSuccess = 0; };\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("struct D : Pool { void f() { cudaFree(0); } };", True),
        ("class D final : public virtual Pool { int f() { return cudaSuccess; } };", True),
        ("struct A : Pool { void f(); };\nstruct D : A { void g(); };\nvoid D::g() { cudaFree(0); }", True),
        ("template <class T> struct D : Pool, T { void f() { cudaFree(0); } };", True),
        ("struct D : Pool { void f() { ::cudaFree(0); } };", False),
        ("struct D { Pool p; void f() { cudaFree(0); } };", False),
        ("void f(int a) { Pool b = a ? Pool{} : Pool{}; { cudaFree(0); } }", False),
    ],
)
def test_members_of_a_base_are_known_in_derived_classes(text: str, own: bool, clang: bool) -> None:
    made = hipify.translate_source(f"#include <cuda_runtime.h>\n{_BASE}{text}\n", "t.cu", hipify.Options(clang=clang))
    assert (made.output.decode().endswith(f"{_BASE}{text}\n")) is own


@pytest.mark.parametrize("clang", [True, False])
def test_members_of_a_base_that_depends_on_a_parameter_are_not_looked_at(clang: bool) -> None:
    text = "template <class T> struct B { void cudaFree(T*); };\n"
    text += "template <class T> struct D : B<T> { void f(T* p) { cudaFree(p); this->cudaFree(p); } };\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).output.decode()
    assert "{ hipFree(p); this->cudaFree(p); }" in made
