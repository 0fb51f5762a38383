"""Cooperative groups: what HIP has under another name, and what it lacks."""

import pytest

import hipify

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "expression",
    [
        "cg::this_grid().num_blocks()",
        "cg::this_grid().block_rank()",
        "cg::this_grid().dim_blocks().x",
        "cg::this_grid().block_index().x",
        "cg::labeled_partition(cg::coalesced_threads(), 1).size()",
        "cg::invoke_one_broadcast(cg::this_thread_block(), [] { return 1; })",
    ],
)
def test_members_that_hip_lacks_are_errors(expression: str, clang: bool) -> None:
    text = HEAD + f"__global__ void f(unsigned* p) {{ *p = {expression}; }}\n"
    findings = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).findings
    assert ("HPY412", 3) in [(f.id, f.line) for f in findings]


def test_the_block_has_its_size_under_another_name() -> None:
    text = HEAD + "__global__ void f(unsigned* p) { *p = cg::this_thread_block().dim_threads().x; }\n"
    result = hipify.translate_source(text, "t.cu")
    assert "cg::this_thread_block().group_dim().x" in result.output.decode()
    assert result.findings == ()


def test_members_of_other_classes_are_their_own() -> None:
    text = HEAD + (
        "struct Plan { int dim_threads() const { return 1; } int num_blocks() const { return 2; } };\n"
        "__device__ int g(Plan p) { return p.dim_threads() + p.num_blocks(); }\n"
        "int h(Plan p) { return p.num_blocks(); }\n"
    )
    result = hipify.translate_source(text, "t.cu")
    assert "p.dim_threads() + p.num_blocks()" in result.output.decode()
    assert result.findings == ()


def test_the_header_for_two_of_cuda_is_included_once() -> None:
    text = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n"
    output = hipify.translate_source(text, "t.cu").output.decode()
    assert output.count("hipify_cooperative_groups.h") == 1


def test_in_two_branches_it_stays_in_both() -> None:
    text = (
        "#ifdef A\n#include <cooperative_groups/reduce.h>\n#else\n#include <cooperative_groups/scan.h>\n#endif\n"
        "__global__ void f() {}\n"
    )
    assert hipify.translate_source(text, "t.cu").output.decode().count("hipify_cooperative_groups.h") == 2
