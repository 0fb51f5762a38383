"""Names of outputs: a suffix on request, `cuda` replaced on request, never two at one place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.project.plan import name_outputs, rename
from hipify.project.tree import Entry, Kind


def names(paths: list[str], **how: object) -> dict[str, str]:
    cuda = (".cu", ".cuh", ".cu.in")
    entries = [Entry(path, Kind.CUDA if path.endswith(cuda) else Kind.COPY) for path in paths]
    return name_outputs(entries, **how)  # type: ignore[arg-type]


def test_names_stay_as_they_are_unless_told_otherwise() -> None:
    assert names(["a.cu", "b.cuh", "c.h"]) == {"a.cu": "a.cu", "b.cuh": "b.cuh", "c.h": "c.h"}


@pytest.mark.parametrize(("suffix", "source"), [(".hip", "a.hip"), (".hip.cpp", "a.hip.cpp")], ids=["hip", "hip.cpp"])
def test_a_suffix_is_for_sources_and_headers_of_cuda(suffix: str, source: str) -> None:
    found = names(["a.cu", "b.cuh", "c.h", "d.cu.in"], suffix=suffix)
    assert found == {"a.cu": source, "b.cuh": "b.hip.hpp", "c.h": "c.h", "d.cu.in": f"d{suffix}.in"}


def test_cuda_in_paths_becomes_hip_on_request() -> None:
    assert names(["cuda/CudaMath.cu"], rename_paths=True, suffix=".hip") == {"cuda/CudaMath.cu": "hip/HipMath.hip"}
    assert rename("my_CUDA_cuda/cUdA.h") == "my_HIP_hip/hip.h"


def test_a_folder_does_not_run_together_with_another_one() -> None:
    paths = ["x-cuda/CMakeLists.txt", "x-cuda/cuda/a.cu", "x-hip/CMakeLists.txt", "y-cuda/b.cu"]
    assert names(paths, rename_paths=True) == {
        "x-cuda/CMakeLists.txt": "x-cuda/CMakeLists.txt",
        "x-cuda/cuda/a.cu": "x-cuda/hip/a.cu",
        "x-hip/CMakeLists.txt": "x-hip/CMakeLists.txt",
        "y-cuda/b.cu": "y-hip/b.cu",
    }


def test_a_name_that_somebody_has_is_not_taken() -> None:
    found = names(["x.cu", "x.hip", "X.cu"], suffix=".hip")
    assert found["x.hip"] == "x.hip"
    assert len({name.casefold() for name in found.values()}) == 3


def test_two_files_that_differ_in_case_only_both_keep_their_names_where_they_can() -> None:
    assert names(["a.cu", "A.cu"]) == {"a.cu": "a.cu", "A.cu": "A.cu"}
    folded = names(["a.cu", "A.cu"], fold_case=True)
    assert len({name.casefold() for name in folded.values()}) == 2


_NAMES = st.lists(
    st.from_regex(r"(?:cuda/|hip/|)[aAbB](?:\.cu|\.cuh|\.hip|\.hip\.cpp|\.hip\.hpp|\.h)", fullmatch=True),
    unique=True,
    max_size=12,
)


@given(_NAMES, st.sampled_from([".hip", ".hip.cpp", "same"]), st.booleans(), st.booleans())
def test_no_two_inputs_ever_share_an_output(paths: list[str], suffix: str, rename_paths: bool, fold: bool) -> None:
    found = names(paths, suffix=suffix, rename_paths=rename_paths, fold_case=fold)
    assert set(found) == set(paths)
    given_names = [name.casefold() if fold else name for name in found.values()]
    assert len(set(given_names)) == len(paths)
    renamed = [name.casefold() for path, name in found.items() if path != name]
    kept = {name.casefold() for path, name in found.items() if path == name}
    assert len(set(renamed)) == len(renamed)
    assert kept.isdisjoint(renamed)
