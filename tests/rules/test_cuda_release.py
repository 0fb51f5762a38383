"""The CUDA release of a file, where a call looks alike in CUDA 12 and in CUDA 13."""

from __future__ import annotations

import pytest

from hipify import Options, translate_source

ADVISE = "cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, place());"
NEW, OLD = "hipMemAdvise_v2(", "hipMemAdvise("
EDGES = "cudaGraphAddDependencies(g, a, b, e, 1);"
OLD_EDGES = "cudaGraphAddDependencies(g, a, b, 1);"


def advised(*statements: str, above: str = "", assumed: str = "", given: str = "") -> tuple[str, str]:
    """How the advice came out, and the release that decided."""
    text = (
        f"#include <cuda_runtime.h>\n{above}\nvoid f() {{\n  {ADVISE}\n"
        + "".join(f"  {s}\n" for s in statements)
        + "}\n"
    )
    done = translate_source(text.encode(), options=Options(clang=False, cuda_version=given, cuda_assumed=assumed))
    call = next(line for line in done.output.decode().splitlines() if "hipMemAdvise" in line)
    return call.strip().partition("p,")[0], done.cuda


def test_without_any_sign_the_older_form_stands() -> None:
    assert advised() == (OLD, "")


def test_what_is_given_decides() -> None:
    assert advised(given="13.0") == (NEW, "")
    assert advised(EDGES, given="12.4", assumed="13.0") == (OLD, "")


def test_what_the_machine_has_decides_last() -> None:
    assert advised(assumed="13.0") == (NEW, "13.0")
    assert advised(assumed="12.4") == (OLD, "12.4")


@pytest.mark.parametrize(
    ("statement", "call", "why"),
    [
        (EDGES, NEW, "13.0: cudaGraphAddDependencies with 5 arguments in line 5"),
        (OLD_EDGES, OLD, "12.9: cudaGraphAddDependencies with 4 arguments in line 5"),
        ("cudaMemPrefetchAsync(p, 4, 0);", OLD, "12.9: cudaMemPrefetchAsync with 3 arguments in line 5"),
        ("cuCtxCreate(&c, nullptr, 0, 0);", NEW, "13.0: cuCtxCreate with 4 arguments in line 5"),
        ("cudaGraphInstantiate(&x, g, nullptr, nullptr, 0);", OLD, "11.8: cudaGraphInstantiate with 5 arguments in line 5"),
    ],
)  # fmt: skip
def test_the_form_of_a_call_tells(statement: str, call: str, why: str) -> None:
    assert advised(statement) == (call, why)
    other = "12.4" if call == NEW else "13.0"
    assert advised(statement, assumed=other) == (call, why)


def test_a_name_that_one_release_lacks_tells() -> None:
    assert advised("cudaThreadExit();", assumed="13.0")[0] == OLD
    call, why = advised("cudaThreadExit();")
    assert call == OLD
    assert "cudaThreadExit in line 5" in why


def test_the_file_and_the_machine_agree() -> None:
    assert advised(OLD_EDGES, assumed="11.8") == (OLD, "11.8")


def test_a_file_for_several_releases_tells_nothing() -> None:
    assert advised(EDGES, above="#if CUDART_VERSION >= 13000\n#endif", assumed="12.4") == (OLD, "12.4")


def test_a_file_that_contradicts_itself_tells_nothing() -> None:
    assert advised(EDGES, OLD_EDGES) == (OLD, "")


def test_the_users_own_functions_tell_nothing() -> None:
    assert advised("mine.cudaGraphAddDependencies(g, a, b, e, 1);") == (OLD, "")


@pytest.mark.parametrize("argument", ["0", "cudaCpuDeviceId"])
def test_a_number_is_a_device_in_every_release(argument: str) -> None:
    text = f"#include <cuda_runtime.h>\nvoid f() {{ cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, {argument}); }}\n"
    done = translate_source(text.encode(), options=Options(clang=False, cuda_version="13.0"))
    assert b"hipMemAdvise(p" in done.output


def test_the_type_of_the_argument_decides_before_the_release() -> None:
    text = (
        b"#include <cuda_runtime.h>\nvoid f(void* p, int d) { cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, d); }\n"
    )
    assert b"hipMemAdvise(p" in translate_source(text, options=Options(cuda_version="13.0")).output
