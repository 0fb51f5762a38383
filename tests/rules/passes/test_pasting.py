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


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("uses", "says"),
    [
        ("void f() { CALL(StreamSynchronize(0)); CALL( DeviceReset ()); }\n", "cudaDeviceReset, cudaStreamSynchronize"),
        ("void f() { CALL(StreamSynchronize(0)); CALL(NoSuchThing(0)); }\n", "no such names for cudaNoSuchThing"),
        ("", "the names that other files give it"),
    ],
)
def test_what_is_pasted_to_may_be_a_whole_call_or_stand_in_another_file(uses: str, says: str, clang: bool) -> None:
    text = "#include <cuda_runtime.h>\n#define CALL(call) (void)cuda##call\n" + uses
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b"#define CALL(call) (void)hip##call" in made.output
    (finding,) = [f for f in made.findings if f.id == "HPY111"]
    assert says in finding.message
    assert finding.severity is hipify.Severity.WARNING


def test_a_prefix_without_one_counterpart_stays() -> None:
    text = "#include <cuda.h>\n#define CALL(call) (void)cu##call\nvoid f() { CALL(MemAlloc(0, 4)); }\n"
    made = hipify.translate_source(text, "t.cu")
    assert b"(void)cu##call" in made.output
    assert "HPY111" in [f.id for f in made.findings]
