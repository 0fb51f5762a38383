"""Prefixes of CUDA's names that reach `##` by way of another macro."""

import pytest

import hipify

JOIN = "#include <cuda_runtime.h>\n#define JOIN(a, b) a##b\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "#define API(name) JOIN(cuda, name)\nint f() { return API(DeviceSynchronize)(); }\n",
        "int f() { return JOIN(cuda, DeviceSynchronize)(); }\n",
    ],
)
def test_a_prefix_that_is_handed_on_is_named(text: str, clang: bool) -> None:
    (finding,) = hipify.translate_source(JOIN + text, "t.cu", hipify.Options(clang=clang)).findings
    assert (finding.id, finding.line) == ("HPY111", 3)
    assert "JOIN" in finding.message


def test_other_words_are_nobodys_business() -> None:
    text = JOIN + "int JOIN(my, cuda) = 1;\nint f() { return JOIN(my, cuda); }\n"
    assert hipify.translate_source(text, "t.cu").findings == ()
