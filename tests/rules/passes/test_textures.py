"""Textures for GPUs without image instructions: which files get the header, what becomes of references, what is said."""

from __future__ import annotations

import pytest

from hipify import Options, Severity, Translation, translate_source

HEADERS = [
    f"hipify_texture{part}.h" for part in ("", "_arrays", "_driver", "_mipmaps", "_objects", "_reference", "_sampling")
]
INCLUDE = '#include "hipify_texture.h"\n'
KERNEL = "__global__ void k(float* o, cudaTextureObject_t t) { o[0] = tex2D<float>(t, 0.f, 0.f); }\n"


def translated(text: str, *archs: str, language: str = "cuda", strings: bool = False) -> Translation:
    options = Options(clang=False, offload_arch=archs, language=language, translate_strings=strings)
    return translate_source(text.encode(), "t.cu", options)


def output(text: str, *archs: str) -> str:
    return translated(text, *archs).output.decode()


@pytest.mark.parametrize(
    "text",
    [
        KERNEL,
        "void f(cudaArray_t a) { cudaFreeArray(a); }\n",
        "void f(cudaTextureObject_t t) { cudaDestroyTextureObject(t); }\n",
        "void f(cudaMemcpy3DParms* p, cudaArray_t a) { p->dstArray = a; cudaMemcpy3D(p); }\n",
        "void f(cudaMemcpy3DParms* p) { cudaMemcpy3D(p); }\n",
        "texture<float, 1> lut;\n",
        "void f(CUarray* a, CUDA_ARRAY_DESCRIPTOR* d) { cuArrayCreate(a, d); }\n",
        "void f(CUDA_MEMCPY2D* c, CUarray a) { c->dstArray = a; c->srcDevice = 0; c->dstDevice = 0; cuMemcpy2D(c); }\n",
        "auto allocate = &cudaMallocArray;\n",
    ],
)
def test_files_with_textures_get_the_header_for_gpus_without_images(text: str) -> None:
    for archs in (("gfx942",), ("gfx90a", "gfx942"), ("gfx950:xnack-",)):
        made = translated("#include <cuda_runtime.h>\n" + text, *archs)
        assert made.output.startswith(b"#include <hip/hip_runtime.h>\n" + INCLUDE.encode())
        assert sorted(made.helper_headers) == HEADERS
    for archs in ((), ("gfx90a", "gfx1100")):
        assert translated(text, *archs).helper_headers == {}
    assert translated(text, "gfx90a").output == translated(text).output


@pytest.mark.parametrize(
    "text",
    [
        "void f(cudaMemcpy3DParms* p, cudaPitchedPtr q) { p->srcPtr = q; p->dstPtr = q; cudaMemcpy3D(p); }\n",
        "__device__ float tex2D(float x) { return x; }\n__global__ void k(float* f) { f[0] = tex2D(1.f); }\n",
        "struct texture { int x; };\nvoid f(scene::texture<int> t);\n",
        "void f(float* p) { cudaFree(p); }\n",
        "void f(CUDA_MEMCPY2D* c, void* p) { c->srcHost = p; c->dstDevice = 0; cuMemcpy2D(c); }\n",
        "void f(cudaArray_t a);\n",
    ],
)
def test_other_files_do_not(text: str) -> None:
    assert translated(text, "gfx942").helper_headers == {}


def test_references_become_constants_of_the_headers_type() -> None:
    text = (
        "texture<float, 2, cudaReadModeElementType> image;\n"
        "static texture<int4> table;\n"
        "namespace n { texture<float> inner(0, cudaFilterModePoint), second; }\n"
        "#define TABLE(name) texture<float> name;\n"
        "template <class T> void bind(const texture<T, 1>& t, T* p) { cudaBindTexture(0, t, p); }\n"
        "typedef texture<float, 2> image_type;\n"
    )
    assert output(text, "gfx942").removeprefix("#include <hip/hip_runtime.h>\n" + INCLUDE) == (
        "__constant__ hipify_texture<float, 2, hipReadModeElementType> image;\n"
        "static __constant__ hipify_texture<int4> table;\n"
        "namespace n { __constant__ hipify_texture<float> inner(0, hipFilterModePoint), second; }\n"
        "#define TABLE(name) __constant__ hipify_texture<float> name;\n"
        "template <class T> void bind(const hipify_texture<T, 1>& t, T* p) { hipBindTexture(0, t, p); }\n"
        "typedef hipify_texture<float, 2> image_type;\n"
    )


def test_what_is_sampled_in_software_is_noted() -> None:
    text = "texture<float> lut;\n" + KERNEL + "__global__ void r(float* o) { o[0] = tex1Dfetch(lut, 1); }\n"
    text += "void f(float* d) { cudaBindTexture(0, lut, d); }\n"
    found = [(f.line, f.id, f.severity) for f in translated(text, "gfx942").findings]
    assert found == [(line, i, Severity.NOTE) for line, i in enumerate(("HPY501", "HPY502", "HPY501", "HPY501"), 1)]
    messages = [f.message for f in translated(text, "gfx942").findings]
    assert all("hipify_texture.h" in message for message in messages)
    assert "sampled in software there" in messages[1]


@pytest.mark.parametrize(
    "call",
    [
        "cudaExternalMemoryGetMappedMipmappedArray(m, e, d)",
        "cuModuleGetTexRef(t, m, n)",
        "cudaGraphicsSubResourceGetMappedArray(a, r, 0, 0)",
    ],
)
def test_calls_that_fail_there_are_named(call: str) -> None:
    text = f"void f() {{ {call}; }}\n"
    found = [f for f in translated(text, "gfx90a", "gfx942").findings if f.id == "HPY502"]
    assert [(f.line, f.severity) for f in found] == [(1, Severity.WARNING)]
    assert f"{call.partition('(')[0]} fails at run time on gfx942" in found[0].message
    assert [f for f in translated(text).findings if f.id == "HPY502"] == []


def test_kernels_in_strings_and_hip_sources_are_left_and_told() -> None:
    inner = KERNEL.replace("\n", "\\n")
    text = f'const char* s = "{inner}";\nvoid f(nvrtcProgram* p) {{ nvrtcCreateProgram(p, s, "a", 0, 0, 0); }}\n'
    for strings in (False, True):
        made = translated(text, "gfx942", strings=strings)
        assert made.helper_headers == {} and b"hipify_texture" not in made.output
        assert [f.severity for f in made.findings if f.id == "HPY502"] == [Severity.ERROR]
    source = KERNEL.replace("cuda", "hip")
    made = translated(source, "gfx942", language="hip")
    assert made.helper_headers == {}
    assert [f.severity for f in made.findings if f.id == "HPY502"] == [Severity.ERROR]


def test_inlined_headers_stand_once_in_the_output() -> None:
    options = Options(clang=False, offload_arch=("gfx942",), inline_headers=True)
    made = translate_source(("#include <cuda_runtime.h>\n" + KERNEL).encode(), "t.cu", options)
    assert made.helper_headers == {}
    assert b'#include "hipify_' not in made.output
    assert [made.output.count(f"#ifndef {h.upper().replace('.', '_')}\n".encode()) for h in HEADERS] == [1] * 7
