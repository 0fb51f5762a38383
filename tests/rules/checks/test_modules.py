"""NVIDIA code that a program loads as a module, and code that NVRTC compiled."""

from __future__ import annotations

import pytest

import hipify


def told(source: str) -> list[tuple[int, str]]:
    """Line and severity of what is said about modules."""
    result = hipify.translate_source(source, "t.cu", hipify.Options(clang=False))
    return [(f.line, f.severity.label) for f in result.findings if f.id == "HPY706"]


LOAD = "void f(CUmodule* m) { cuModuleLoadData(m, image); }\n"


@pytest.mark.parametrize(
    "image",
    [
        'const char* image = ".version 7.0\\n.target sm_70\\n";\n',
        'const char* image = "// made by nvcc\\n" ".version 7.0\\n" ".target sm_70\\n";\n',
        'const char image[] = R"(.version 7.0 .target sm_70 .visible .entry k() { ret; })";\n',
        "const unsigned char image[] = {0x50, 0xED, 0x55, 0xBA, 0x01};\n",
        "const unsigned char image[] = {80,237,85,186,1};\n",
        'const char image[] = "\\x50\\xed\\x55\\xba\\x01";\n',
        "const unsigned long long image[] = {0xba55ed50ull};\n",
    ],
)
def test_ptx_and_fat_binaries_in_a_file_that_loads_modules(image: str) -> None:
    assert told(image + LOAD) == [(1, "error")]
    assert told(image) == []


@pytest.mark.parametrize("call", ["cuModuleLoadData(m, k_ptx)", "cuModuleLoadDataEx(m, &cubin[0], 0, 0, 0)"])
def test_an_image_whose_name_says_what_it_is(call: str) -> None:
    assert told(f"void f(CUmodule* m) {{ {call}; }}\n") == [(1, "warning")]
    compiled = f"void f(nvrtcProgram p, CUmodule* m) {{ nvrtcGetPTX(p, k_ptx); {call}; }}\n"
    assert told(compiled) == []
    assert told(LOAD) == []


def test_what_nvrtc_compiled_is_loaded_and_what_is_linked_is_bitcode() -> None:
    code = "void f(nvrtcProgram p, char* c, size_t* n) { nvrtcGetCUBINSize(p, n); nvrtcGetCUBIN(p, c); %s }\n"

    def text(more: str) -> str:
        return hipify.translate_source(code % more, "t.cu", hipify.Options(clang=False)).output.decode()

    assert "hiprtcGetCodeSize(p, n); hiprtcGetCode(p, c);" in text("")
    linked = ('o = "-dc";', 'o = "--relocatable-device-code=true";', "cuLinkAddData(s, k, c, *n, 0, 0, 0, 0);")
    for more in linked:
        assert "hiprtcGetBitcodeSize(p, n); hiprtcGetBitcode(p, c);" in text(more)


@pytest.mark.parametrize(
    "option", ["-G", "--dopt=on", "-ewp", "--include-path=/x", "--pch-dir=/x", "--Ofast-compile=max"]
)
def test_options_that_clang_rejects(option: str) -> None:
    code = (
        f'void f(nvrtcProgram p) {{ const char* o[] = {{"{option}", "-w", "-DX=1"}}; nvrtcCompileProgram(p, 3, o); }}\n'
    )
    result = hipify.translate_source(code, "t.cu", hipify.Options(clang=False))
    assert [f.message.split(" ")[0] for f in result.findings if f.id == "HPY712"] == [option]
