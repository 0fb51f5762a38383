"""The flags of one command, for hipcc or, as they are, for nvcc."""

from __future__ import annotations

import shlex

import pytest

from hipify.build.flags import Flags, flags_of


def read(text: str, **options: object) -> Flags:
    return flags_of(shlex.split(text), "/x", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "compile_flags", "link_flags"),
    [
        ("-D N=3 -U M -DK", ("-DN=3", "-UM", "-DK"), ()),
        ("-t 4 -O3", ("-O3",), ()),
        ("-gencode arch=compute_70,code=sm_70 -arch sm_70 -O2", ("-O2",), ()),
        ("-l cufft -dc x.cu -o x.o", ("-fgpu-rdc",), ("-fgpu-rdc", "-lhipfft")),
    ],
)
def test_values_in_words_of_their_own_for_hipcc(
    text: str, compile_flags: tuple[str, ...], link_flags: tuple[str, ...]
) -> None:
    found = read(text)
    assert found.compile == compile_flags
    assert tuple(sorted(found.link)) == tuple(sorted(link_flags))


@pytest.mark.parametrize(
    ("text", "compile_flags", "link_flags"),
    [
        (
            "-gencode arch=compute_80,code=sm_80 -O2",
            ("-gencode=arch=compute_80,code=sm_80", "-O2"),
            ("-gencode=arch=compute_80,code=sm_80",),
        ),
        ("-lineinfo -lcublas -l cufft", ("-lineinfo",), ("-lcublas", "-lcufft")),
        ("-Xcompiler -fopenmp -std c++20", ("-Xcompiler=-fopenmp", "-std=c++20"), ("-Xcompiler=-fopenmp",)),
        ("-dc -maxrregcount 32 a.cu -o a.o", ("-rdc=true", "-maxrregcount=32"), ("-rdc=true",)),
        ("-Xptxas -v -D N=1 -I inc", ("-Xptxas=-v", "-DN=1", "-I/x/inc"), ()),
    ],
)
def test_what_nvcc_gets_is_whole(text: str, compile_flags: tuple[str, ...], link_flags: tuple[str, ...]) -> None:
    found = read(text, keep=True)
    assert (found.compile, found.link) == (compile_flags, link_flags)


def test_gpus_that_are_asked_for_take_the_place_of_the_commands_own() -> None:
    found = read("-gencode arch=compute_35,code=sm_35 -arch=sm_50 -rdc=true -O2", keep=True, archs=("sm_90",))
    assert found == Flags(("-rdc=true", "-O2"), ("-rdc=true",))
