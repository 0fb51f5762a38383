"""NVIDIA's libraries that are loaded at run time, and their functions by name."""

import pytest

import hipify


def messages(body: str, clang: bool = False) -> list[str]:
    text = f"#include <dlfcn.h>\nvoid f(void* h, const char* n) {{ {body} }}\n"
    made = hipify.translate_source(text, "t.cpp", hipify.Options(clang=clang))
    assert made.output.decode() == text
    return [f.message for f in made.findings if f.id == "HPY716"]


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('dlopen("libcuda.so.1", 1);', ["libamdhip64.so"]),
        (
            'const char* l[] = {"libcudart.so.12", "libcublas.so"}; dlopen(l[0], 1);',
            ["libamdhip64.so", "libhipblas.so"],
        ),
        ('LoadLibraryA("nvcuda.dll");', ["amdhip64.dll"]),
        ('LoadLibrary("cudart64_110.dll");', ["libamdhip64.so"]),
        ('dlopen("/usr/local/cuda/lib64/libnccl.so.2", 1);', ["librccl.so"]),
        ('dlsym(h, "cuMemAlloc_v2");', ["hipMalloc"]),
        ('dlsym(h, "cudaGetTextureReference");', ["looked up"]),
    ],
)
def test_they_are_named(body: str, said: list[str], clang: bool) -> None:
    found = messages(body, clang)
    assert len(found) == len(said)
    assert all(word in message for word, message in zip(said, found, strict=True))


@pytest.mark.parametrize(
    "body",
    [
        'dlopen("libfoo.so", 1); dlopen("libcudafoo.so", 1);',
        'dlsym(h, "my_function");',
        'dlsym(h, n); const char* m = "cudaMalloc failed";',
        'const char* l = "libcuda.so";',
    ],
)
def test_others_are_not(body: str) -> None:
    assert messages(body) == []


def test_names_that_a_macro_makes_are_named_at_the_macro() -> None:
    text = '#define LOAD(f) p_##f = dlsym(h, "cu" #f)\n'
    made = hipify.translate_source(text, "t.cpp", hipify.Options(clang=False))
    assert [(f.id, f.line) for f in made.findings] == [("HPY716", 1)]
