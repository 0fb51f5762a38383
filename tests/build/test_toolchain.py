"""Which hipcc is found, what is read of it, and what takes its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hipify.build.machine import Machine
from hipify.build.toolchain import NVIDIA, find, find_nvcc
from hipify.errors import UsageError
from tests.support.hip import rocm_folder

from .machines import HIPCC, machine, program, rocm


def test_the_users_choice_comes_first_then_variables_path_and_prefixes(tmp_path: Path) -> None:
    root = tmp_path / "machine"
    places = {name: rocm(tmp_path / name) / "bin" / "hipcc" for name in ("given", "named", "rocm", "hip")}
    rocm(root / "opt" / "rocm")
    here = machine(root, HIPCC=str(places["named"]), ROCM_PATH=str(tmp_path / "rocm"), HIP_PATH=str(tmp_path / "hip"))
    program(root / "usr/bin/hipcc", HIPCC)
    found = []
    environ = dict(here.environ)
    for given, gone in ((str(places["given"]), ""), ("", "HIPCC"), ("", "ROCM_PATH"), ("", "HIP_PATH"), ("", "PATH")):
        tool = find(Machine(environ, root), given)
        assert tool is not None
        found.append((tool.found_by, tool.path))
        if gone:
            environ[gone] = f"{root}/tools" if gone == "PATH" else ""
    last = find(Machine(environ, root))
    assert last is not None
    assert [*found, (last.found_by, last.path)] == [
        ("--hipcc", places["given"]),
        ("HIPCC", places["named"]),
        ("ROCM_PATH", places["rocm"]),
        ("HIP_PATH", places["hip"]),
        ("PATH", root / "usr/bin/hipcc"),
        (str(root / "opt/rocm"), root / "opt/rocm/bin/hipcc"),
    ]


def test_the_newest_of_several_installations_is_taken(tmp_path: Path) -> None:
    for release in ("5.7.1", "6.10.0", "6.4.0"):
        rocm(tmp_path / "opt" / f"rocm-{release}", release=release)
    tool = find(machine(tmp_path))
    assert tool is not None and tool.rocm == "6.10.0"


def test_what_is_read_of_an_installation(tmp_path: Path) -> None:
    prefix = rocm(tmp_path / "opt/rocm")
    tool = find(machine(tmp_path))
    assert tool is not None
    assert (tool.hip, tool.rocm, tool.clang) == ("6.4.43482-0f2d60242", "6.4.0", "19.0.0")
    assert (tool.prefix, tool.device_libs, tool.program) == (prefix, prefix / "amdgcn/bitcode", tool.path)
    assert not tool.problem and tool.usable and not tool.direct


def test_a_script_that_calls_a_hipcc_elsewhere_leads_to_its_installation(tmp_path: Path) -> None:
    prefix = rocm(tmp_path / "apps/rocm")
    told = f"{HIPCC}InstalledDir: {prefix}/lib/llvm/bin\n"
    script = program(tmp_path / "machine/usr/bin/hipcc", told)
    tool = find(machine(tmp_path / "machine"))
    assert tool is not None
    assert (tool.path, tool.prefix, tool.device_libs) == (script, prefix, prefix / "amdgcn/bitcode")
    program(script, f"{HIPCC}InstalledDir: /nowhere/bin\n")
    lost = find(machine(tmp_path / "machine"))
    assert lost is not None and lost.prefix == tmp_path / "machine/usr"


def test_with_nvcc_here_hipcc_alone_would_take_nvidia_and_is_told_not_to(tmp_path: Path) -> None:
    rocm(tmp_path / "opt/rocm")
    program(tmp_path / "usr/bin/nvcc", "Cuda compilation tools, release 12.4, V12.4.131\n")
    here = machine(tmp_path)
    tool, nvcc = find(here), find_nvcc(here)
    assert tool is not None and tool.platform == NVIDIA
    assert tool.environment(here)["HIP_PLATFORM"] == "amd"
    assert nvcc is not None and nvcc.version == "12.4"


def test_a_hipcc_that_does_not_start_gives_way_to_its_own_clang(tmp_path: Path) -> None:
    prefix = rocm(tmp_path / "opt/rocm")
    lost = "hipcc: /lib/libc.so.6: version `GLIBC_2.38' not found (required by hipcc)\n"
    program(prefix / "bin/hipcc", err=lost, status=1)
    (prefix / "include/hip/hip_version.h").write_text(
        "#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR 4\n#define HIP_VERSION_PATCH 43482\n"
    )
    unusable = find(machine(tmp_path))
    assert unusable is not None and not unusable.usable
    clang = program(prefix / "lib/llvm/bin/clang++", "AMD clang version 19.0.0git (roc-6.4.0)\n")
    tool = find(machine(tmp_path))
    assert tool is not None
    assert (tool.problem, tool.program, tool.clang, tool.hip) == (
        "it needs GLIBC_2.38, which this system has not",
        clang,
        "19.0.0",
        "6.4.43482",
    )


def test_a_choice_that_is_no_program_is_refused(tmp_path: Path) -> None:
    rocm(tmp_path / "opt/rocm")
    with pytest.raises(UsageError, match=r"--hipcc /no/hipcc: is no program that can be run"):
        find(machine(tmp_path), "/no/hipcc")


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    assert find(machine(tmp_path)) is None
    assert find_nvcc(machine(tmp_path)) is None


def test_the_distributions_own_hipcc() -> None:
    assert shutil.which("hipcc"), "no hipcc here; make test-deps installs it"
    tool = find(Machine())
    assert tool is not None
    assert tool.hip[0].isdecimal() and tool.clang[0].isdecimal() and not tool.problem
    assert tool.device_libs is not None and (tool.device_libs / "ocml.bc").exists()


def test_the_hipcc_of_a_newer_release_or_the_clang_that_takes_its_place() -> None:
    usr = rocm_folder("7.2")
    tool = find(Machine(), str(usr / "bin/hipcc"))
    assert tool is not None and tool.usable
    assert tool.prefix == usr and tool.hip.startswith("7.")
    assert bool(tool.problem) == tool.direct
