"""The command lines of compilers."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.build.compiler import Amd, Nvidia
from hipify.build.toolchain import Nvcc, Toolchain

WARPS, ENUMERATIONS = "-DHIP_ENABLE_WARP_SYNC_BUILTINS", "-DHIPSOLVER_USE_HIPBLAS_ENUMS"


def words(hip: str, *flags: str) -> list[str]:
    tool = Toolchain(
        Path("/opt/rocm/bin/hipcc"), "PATH", Path("/opt/rocm"), hip=hip, program=Path("/opt/rocm/bin/hipcc")
    )
    return Amd(tool, ("gfx90a",)).compile(Path("a.hip"), None, flags)


@pytest.mark.parametrize(
    ("hip", "asked"),
    [("5.2.21153-0", [ENUMERATIONS]), ("5.7.1", [ENUMERATIONS]), ("6.4.43484", [WARPS]), ("7.2.0", [])],
)
def test_what_a_release_declares_on_demand_only_is_asked_for(hip: str, asked: list[str]) -> None:
    assert [word for word in words(hip) if word in (WARPS, ENUMERATIONS)] == asked


def test_the_users_own_word_stands() -> None:
    assert [word for word in words("6.4.0", f"{WARPS}=0") if word.startswith(WARPS)] == [f"{WARPS}=0"]
    assert [word for word in words("5.7.1", ENUMERATIONS) if word == ENUMERATIONS] == [ENUMERATIONS]


def test_nvidia_gpus_are_named_as_nvcc_wants_them() -> None:
    def archs(*names: str) -> list[str]:
        line = Nvidia(Nvcc(Path("nvcc"), "13.0"), Path("/usr/include"), names).compile(Path("a.hip"), None, [])
        return [word for word in line if word.startswith(("-arch", "-gencode"))]

    assert archs() == []
    assert archs("sm_90", "sm_100a") == [
        "-gencode=arch=compute_90,code=sm_90",
        "-gencode=arch=compute_100a,code=sm_100a",
    ]
    assert archs("native") == ["-arch=native"]
