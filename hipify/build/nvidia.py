"""HIP's NVIDIA platform: where its headers are, what they lack beside a CUDA 13, and what stands in for libraries."""

from __future__ import annotations

import itertools
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from hipify.build.machine import Machine
from hipify.build.process import call
from hipify.installed import hipccs, prefix_of, which

OVERLAY = Path(__file__).parents[1] / "include" / "nvidia"
"""Our own headers for this platform: the prelude, and HIP's names for libraries of headers that CUDA has."""
PRELUDE = OVERLAY / "hipify_nvidia.h"

_DETAIL = Path("hip", "nvidia_detail")
_KNOWS_CUDA_13 = re.compile(rb"CUDA(?:RT)?_VERSION\s*[<>]=?\s*(?:13000|CUDA_13000)")
_FORWARDED = (
    (re.compile(r"thrust/system/hip/(.+)"), "thrust/system/cuda/{}"),
    (re.compile(r"hipcub/(?!hipcub\.hpp)(.+)"), "hipcub/hipcub.hpp"),
)


_DRIVER_FOLDERS = (
    "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/aarch64-linux-gnu", "/usr/lib/wsl/lib", "/usr/lib",
    "/usr/local/nvidia/lib64", "/usr/local/nvidia/lib",
)  # fmt: skip


def headers(machine: Machine, given: str = "", hipcc: str = "") -> tuple[Path | None, list[Path]]:
    """The folder with HIP's headers for NVIDIA GPUs, and the folders that have HIP's headers without those."""
    without: list[Path] = []
    for place in dict.fromkeys(_places(machine, given, hipcc)):
        if (place / _DETAIL).is_dir():
            return place, without
        if (place / "hip").is_dir():
            without.append(place)
    return None, without


def _places(machine: Machine, given: str, hipcc: str) -> Iterator[Path]:
    """Where headers can be: the user's own word, the prefix of the hipcc that was named, else the usual prefixes."""
    if given:
        folder = Path(given)
        yield from (folder, folder / "include")
        return
    if hipcc:
        yield Path(prefix_of(hipcc if os.sep in hipcc else which(hipcc, machine.environ))) / "include"
    for variable in ("HIP_PATH", "ROCM_PATH"):
        if machine.environ.get(variable):
            yield Path(machine.environ[variable]) / "include"
    for hipcc, _ in hipccs(machine.environ, os.fspath(machine.root)):
        yield Path(prefix_of(hipcc)) / "include"


def lacking(without: Sequence[Path], given: str = "") -> str:
    """What there is to say where no headers for NVIDIA GPUs were found."""
    if given:
        return f"--hip-include {given} holds no {_DETAIL}"
    what = "no HIP headers for NVIDIA GPUs (hip/nvidia_detail) are here, which --platform nvidia needs"
    looked = f"; {', '.join(map(str, without))} {'has' if len(without) == 1 else 'have'} those for AMD GPUs only"
    return what + (looked if without else "") + ": give --hip-include"


def are_older(folder: Path) -> bool:
    """Whether HIP's headers are older than CUDA 13: newer ones ask for its version themselves."""
    try:
        text = (folder / _DETAIL / "nvidia_hip_runtime_api.h").read_bytes()
    except OSError:
        return False
    return _KNOWS_CUDA_13.search(text) is None


def forwards(included: Iterable[str]) -> Mapping[str, bytes]:
    """Headers that lead from HIP's names to CUDA's, for what translations include and nothing else brings."""
    made: dict[str, bytes] = {}
    for name in included:
        for pattern, target in _FORWARDED:
            found = pattern.fullmatch(name)
            if found is not None and ".." not in name.split("/"):
                made[name] = f"#pragma once\n#include <{target.format(found[1])}>\n".encode()
    return made


def toolkit_folders(nvcc: Path, environ: Mapping[str, str]) -> list[str] | None:
    """Where nvcc looks for headers by itself, which it tells by what it would run; None where it does not tell."""
    done = call([nvcc, "--dryrun", "-x", "cu", "-E", os.devnull], environ)
    line = next((line for line in done.err.splitlines() if " -D__CUDACC__ " in line and " -E " in line), "")
    try:
        words = shlex.split(line.removeprefix("#$ "))
    except ValueError:
        return None
    pairs = zip(words, [*words[1:], ""], strict=False)
    found = [word[2:] or following for word, following in pairs if word.startswith("-I")]
    found += [following for word, following in itertools.pairwise(words) if word == "-isystem"]
    return list(dict.fromkeys(filter(None, found))) or None


def driver(nvcc: Path) -> Path | None:
    """The library of the CUDA driver API: the driver's own, else what the toolkit has to link with in its place."""
    toolkit = nvcc.resolve().parent.parent
    for folder in _DRIVER_FOLDERS:
        for name in ("libcuda.so", "libcuda.so.1"):
            if Path(folder, name).exists():
                return Path(folder, name)
    stubs = [*toolkit.glob("lib64/stubs/libcuda.so"), *toolkit.glob("targets/*/lib/stubs/libcuda.so")]
    return stubs[0] if stubs else None
