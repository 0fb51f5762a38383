"""What doctor says, word for word, for machines that are folders."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hipify.build.doctor import Health, as_text, as_values
from hipify.build.machine import Machine
from hipify.cli.main import main
from hipify.installed import passed_over

from .machines import machine, program, rocm, with_gpus


def told(here: Machine) -> str:
    """What doctor says, the machine's folder as /."""
    return as_text(Health.of(here)).replace(str(here.root), "")


@pytest.fixture
def root_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_a_machine_with_everything(tmp_path: Path, root_user: None) -> None:
    prefix = rocm(tmp_path / "opt/rocm")
    for name in ("hipfft/hipfft.h", "hipsparse/hipsparse.h", "hipsolver/hipsolver.h", "hipcub/hipcub.hpp",
                 "thrust/system/hip/config.h", "rccl/rccl.h", "miopen/miopen.h", "rocwmma/rocwmma.hpp"):  # fmt: skip
        (prefix / "include" / name).parent.mkdir(parents=True)
        (prefix / "include" / name).touch()
    with_gpus(tmp_path)
    assert told(machine(tmp_path)) == (
        "hipcc: /opt/rocm/bin/hipcc (found by /opt/rocm)\n"
        "  version: HIP 6.4.43482-0f2d60242, ROCm 6.4.0\n"
        "  clang: 19.0.0\n"
        "  headers: /opt/rocm/include/hip\n"
        "  device libraries: /opt/rocm/amdgcn/bitcode\n"
        "  platform: amd (hipcc's own choice)\n"
        "  libraries: hipBLAS, hipFFT, hipRAND, hipSPARSE, hipSOLVER, hipCUB, rocThrust, RCCL, MIOpen, rocWMMA\n"
        "nvcc: not found\n"
        "translations are for: ROCm 6.4, from the installed HIP 6.4 (/opt/rocm/bin/hipcc, found by /opt/rocm); "
        "--target chooses\n"
        "sources are for: CUDA of no known release, no CUDA toolkit is installed; --cuda-version chooses\n"
        "AMD GPUs: 2 x gfx90a, gfx1100 (rocminfo)\n"
        "a build is for: gfx90a, gfx1100, the GPUs here; --offload-arch chooses others\n"
        "kernel driver: amdgpu is loaded\n"
        "/dev/kfd: can be opened\n"
        "/dev/dri: can be opened\n"
        "groups: root needs no other\n"
        "can build for AMD GPUs: yes\n"
        "can run on an AMD GPU: yes\n"
    )


def test_a_release_older_than_every_target(tmp_path: Path, root_user: None) -> None:
    program(tmp_path / "usr/bin/hipcc", "HIP version: 5.2.21153-0\nDebian clang version 15.0.6\n")
    version = tmp_path / "usr/include/hip/hip_version.h"
    version.parent.mkdir(parents=True)
    version.write_text("#define HIP_VERSION_MAJOR 5\n#define HIP_VERSION_MINOR 2\n")
    here = machine(tmp_path)
    text = told(here)
    assert (
        "translations are for: ROCm 7.2, the newest known, as HIP 5.2 (/usr/bin/hipcc, found by PATH) is older than "
        "every target; --target chooses\n"
        "  those of build, --build, --run and --check: ROCm 5.7, the nearest to hipcc's HIP 5.2.21153-0 "
        "(/usr/bin/hipcc, found by PATH)\n"
    ) in text
    values = as_values(Health.of(here))
    assert (values["target"], values["build_target"]) == ("7.2", "5.7")


def test_settings_that_lead_to_no_hipcc_are_named(tmp_path: Path, root_user: None) -> None:
    rocm(tmp_path / "opt/rocm")
    lines = told(machine(tmp_path, HIPCC="/old/hipcc", ROCM_PATH="/old/rocm")).splitlines()
    assert lines[:3] == [
        "hipcc: /opt/rocm/bin/hipcc (found by /opt/rocm)",
        "  HIPCC=/old/hipcc was passed over: it leads to no hipcc",
        "  ROCM_PATH=/old/rocm was passed over: it leads to no hipcc",
    ]
    path = str(tmp_path / "opt/rocm")
    assert "passed over" not in told(machine(tmp_path, ROCM_PATH=path, HIP_PATH="/old"))
    assert "HIPCC=lost" in told(machine(tmp_path, ROCM_PATH=path, HIPCC="lost"))
    assert told(machine(tmp_path / "bare", HIPCC="/old/hipcc")).splitlines()[:2] == [
        "hipcc: not found (looked at --hipcc, HIPCC, ROCM_PATH, HIP_PATH, PATH and the usual prefixes)",
        "  HIPCC=/old/hipcc was passed over: it leads to no hipcc",
    ]


def test_a_bare_fedora(tmp_path: Path, root_user: None) -> None:
    assert told(machine(tmp_path, "fedora", "42")) == (
        "hipcc: not found (looked at --hipcc, HIPCC, ROCM_PATH, HIP_PATH, PATH and the usual prefixes)\n"
        "nvcc: not found\n"
        "translations are for: ROCm 7.2, the newest known, as no hipcc is installed; --target chooses\n"
        "sources are for: CUDA of no known release, no CUDA toolkit is installed; --cuda-version chooses\n"
        "AMD GPUs: none (none of rocminfo, hipInfo and amdgpu-arch is here)\n"
        "a build is for: gfx90a, the default where no GPU is seen; --offload-arch chooses\n"
        "kernel driver: amdgpu is not loaded\n"
        "/dev/kfd: is not there\n"
        "/dev/dri: is not there\n"
        "groups: root needs no other\n"
        "missing:\n"
        "  hipcc: dnf install hipcc rocm-hip-devel\n"
        "  rocminfo: dnf install rocminfo\n"
        "  kernel driver: modprobe amdgpu (Linux has it; newer GPUs need AMD's amdgpu-dkms)\n"
        "can build for AMD GPUs: no\n"
        "can run on an AMD GPU: no\n"
    )


def test_a_container_without_the_devices_on_an_older_debian(tmp_path: Path, root_user: None) -> None:
    rocm(tmp_path / "opt/rocm")
    (tmp_path / ".dockerenv").touch()
    program(
        tmp_path / "usr/bin/rocminfo",
        err="\x1b[31mROCk module is NOT loaded, possibly no GPU devices\x1b[0m\n",
        status=1,
    )
    program(tmp_path / "usr/bin/nvcc", "Cuda compilation tools, release 13.0, V13.0.88\n")
    assert told(machine(tmp_path, release="12")).partition("  libraries:")[2] == (
        " hipBLAS, hipRAND\n"
        "nvcc: /usr/bin/nvcc, CUDA 13.0\n"
        "  HIP's headers for NVIDIA GPUs: not found\n"
        "translations are for: ROCm 6.4, from the installed HIP 6.4 (/opt/rocm/bin/hipcc, found by /opt/rocm); "
        "--target chooses\n"
        "sources are for: CUDA of no known release, no CUDA toolkit is installed; --cuda-version chooses\n"
        "AMD GPUs: none (rocminfo: ROCk module is NOT loaded, possibly no GPU devices)\n"
        "a build is for: gfx90a, the default where no GPU is seen; --offload-arch chooses\n"
        "kernel driver: amdgpu is not loaded\n"
        "/dev/kfd: is not there\n"
        "/dev/dri: is not there\n"
        "groups: root needs no other\n"
        "container: docker; start it with --device=/dev/kfd --device=/dev/dri --security-opt seccomp=unconfined\n"
        "missing:\n"
        "  hipFFT: apt-get install libhipfft-dev (from Debian 13 on)\n"
        "  hipSPARSE: apt-get install libhipsparse-dev\n"
        "  hipSOLVER: apt-get install libhipsolver-dev (from Debian 13 on)\n"
        "  hipCUB: apt-get install libhipcub-dev (from Debian 13 on)\n"
        "  rocThrust: apt-get install librocthrust-dev (from Debian 13 on)\n"
        "  RCCL: apt-get install librccl-dev (from Debian 13 on)\n"
        "  MIOpen: apt-get install libmiopen-dev (from Debian 14 on)\n"
        "  rocWMMA: apt-get install librocwmma-dev (from Debian 14 on)\n"
        "  kernel driver: on the host: modprobe amdgpu (Linux has it; newer GPUs need AMD's amdgpu-dkms)\n"
        "can build for AMD GPUs: yes\n"
        "can run on an AMD GPU: no\n"
    )


def test_a_user_outside_of_the_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rocm(tmp_path / "opt/rocm")
    with_gpus(tmp_path)
    here = machine(tmp_path)
    (tmp_path / ".dockerenv").touch()
    (tmp_path / "etc/group").write_text("root:x:0:\nvideo:x:44:\nrender:x:105:\n")
    monkeypatch.setattr(os, "geteuid", lambda: 65534)
    monkeypatch.setattr(os, "getgroups", lambda: [65534])
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: "/dev/" not in str(path) and real(path, mode))
    text = told(here)
    assert "/dev/dri: cannot be opened (its group is " in text
    assert "groups: nobody is not in video and render: usermod -aG video,render nobody\n" in text
    assert (
        "container: docker; start it with --device=/dev/kfd --device=/dev/dri --group-add video --group-add render "
        "--security-opt seccomp=unconfined\n"
    ) in text
    assert text.endswith("can run on an AMD GPU: no\n")


@pytest.mark.parametrize(
    ("system", "environ", "line"),
    [
        ("ubuntu", {}, "  hipcc: apt-get install hipcc\n"),
        (
            "debian",
            {"CONDA_PREFIX": "/env"},
            "  hipcc: conda install -c conda-forge hipcc hip-devel hip-runtime-amd rocm-device-libs\n",
        ),
        (
            "arch",
            {},
            "  hipcc: Debian, Ubuntu: apt-get install hipcc; Fedora: dnf install hipcc rocm-hip-devel; conda: conda "
            "install -c conda-forge hipcc hip-devel hip-runtime-amd rocm-device-libs\n",
        ),
    ],
)
def test_the_command_for_each_system(tmp_path: Path, system: str, environ: dict[str, str], line: str) -> None:
    assert line in told(machine(tmp_path, system, "24.04", **environ))


def test_hipinfo_names_the_gpus_where_there_is_no_rocminfo(tmp_path: Path) -> None:
    program(tmp_path / "usr/bin/hipInfo", "device# 0\nName: AMD Instinct MI300X\ngcnArchName: gfx942:sramecc+:xnack-\n")
    assert "AMD GPUs: gfx942 (hipInfo)\na build is for: gfx942, the GPUs here" in told(machine(tmp_path))


def test_the_same_for_programs(tmp_path: Path, root_user: None) -> None:
    rocm(tmp_path / "opt/rocm")
    with_gpus(tmp_path)
    values = json.loads(json.dumps(as_values(Health.of(machine(tmp_path)))))
    assert values["hipcc"]["hip"] == "6.4.43482-0f2d60242"
    assert values["gpus"] == ["gfx90a", "gfx90a", "gfx1100"]
    assert values["offload_archs"] == ["gfx90a", "gfx1100"]
    assert values["devices"] == {"/dev/kfd": None, "/dev/dri": None}
    assert (values["builds"], values["runs"]) == (True, True)


def test_the_command_on_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("hipcc: /") and "(found by " in lines[0]
    assert lines[-2] == "can build for AMD GPUs: yes"


def test_a_folder_is_no_hipcc(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert passed_over({"HIPCC": str(tmp_path / "folder")}, "PATH") == [f"HIPCC={tmp_path}/folder"]
