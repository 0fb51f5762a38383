"""What is installed on a machine: the hipcc that would compile, its ROCm release, and a CUDA toolkit's release.

Small files are read and nothing is executed, so that every run of the program can afford to look.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hipify.patterns import lazy

Environment = Mapping[str, str]

_HIP = lazy(rb"\bHIP_VERSION_(MAJOR|MINOR)[ \t=]+(\d+)")
_CUDA_HEADER = lazy(rb"#\s*define\s+CUDA_VERSION\s+(\d+)")
_CUDA_JSON = lazy(rb'"cuda"\s*:\s*\{[^}]*"version"\s*:\s*"(\d+)\.(\d+)')
_CUDA_TEXT = lazy(rb"CUDA Version (\d+)\.(\d+)")
_NUMBERS = lazy(r"(\d+)\.(\d+)")
_ENOUGH = 1 << 14


class Release(NamedTuple):
    """An installed release (None when nothing tells it), and where that is known from."""

    version: tuple[int, int] | None
    origin: str


def hipccs(environ: Environment, root: str = "/") -> Iterator[tuple[str, str]]:
    """Where hipcc can be, and what says so; the user's own choice first. Not every place has one."""
    named = environ.get("HIPCC")
    if named:
        found = named if os.sep in named else which(named, environ)
        if found:
            yield found, "HIPCC"
    for variable in ("ROCM_PATH", "HIP_PATH"):
        if environ.get(variable):
            yield os.path.join(environ[variable], "bin", "hipcc"), variable
    found = which("hipcc", environ)
    if found:
        yield found, "PATH"
    for prefix in _usual_prefixes(environ, root):
        yield os.path.join(prefix, "bin", "hipcc"), prefix


def _usual_prefixes(environ: Environment, root: str) -> Iterator[str]:
    opt = os.path.join(root, "opt")
    yield os.path.join(opt, "rocm")
    try:
        names = [name for name in os.listdir(opt) if name.startswith("rocm-")]
    except OSError:
        names = []
    yield from (os.path.join(opt, name) for name in sorted(names, key=_numbers, reverse=True))
    if environ.get("CONDA_PREFIX"):
        yield environ["CONDA_PREFIX"]
    yield os.path.join(root, "usr", "local")
    yield os.path.join(root, "usr")


def _numbers(text: str) -> list[int]:
    return [int(part) for part in "".join(c if c.isdecimal() else " " for c in text).split()]


def which(name: str, environ: Environment) -> str:
    """A program of the PATH; '' when there is none. (shutil's own takes longer to import than to run.)"""
    for folder in environ.get("PATH", "").split(os.pathsep):
        path = os.path.join(folder, name)
        if folder and runs(path):
            return path
    return ""


def runs(path: str) -> bool:
    """Whether a path is a program."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


def prefix_of(hipcc: str) -> str:
    """The prefix of an installation, through the links that distributions put into /usr/bin."""
    linked = os.path.islink(hipcc)
    places = [os.path.abspath(hipcc), os.path.realpath(hipcc)]
    own, other = (os.path.dirname(os.path.dirname(path)) for path in (reversed(places) if linked else places))
    found = (prefix for prefix in (own, other) if os.path.isdir(os.path.join(prefix, "include", "hip")))
    return next(found, os.path.dirname(os.path.dirname(places[0])))


def hipcc(environ: Environment, root: str = "/") -> tuple[str, str] | None:
    """The first hipcc there is, and what says so; None without one."""
    return next(((path, found_by) for path, found_by in hipccs(environ, root) if runs(path)), None)


def rocm(environ: Environment, root: str = "/") -> Release | None:
    """The release of the first hipcc there is; None without one."""
    found = hipcc(environ, root)
    return Release(hip_version(prefix_of(found[0])), f"{found[0]}, found by {found[1]}") if found else None


def hip_version(prefix: str) -> tuple[int, int] | None:
    """The release of an installation of HIP, as its own files tell it.

    AMD's packages have .info/version; Debian's have share/hip/version, as AMD's have since 5.2; headers always tell.
    """
    start = _read(os.path.join(prefix, ".info", "version"))
    if match := _NUMBERS.match(start.decode("ascii", "replace").strip()):
        return int(match[1]), int(match[2])
    for parts in (("share", "hip", "version"), ("include", "hip", "hip_version.h")):
        found = dict(_HIP.findall(_read(os.path.join(prefix, *parts))))
        if len(found) == 2:
            return int(found[b"MAJOR"]), int(found[b"MINOR"])
    return None


def cuda(environ: Environment, root: str = "/") -> Release | None:
    """The release of the CUDA toolkit that would compile here; None without one."""
    for prefix, found_by in _toolkits(environ, root):
        version = _cuda_version(prefix)
        if version is not None:
            return Release(version, f"{prefix}, found by {found_by}")
    return None


def _toolkits(environ: Environment, root: str) -> Iterator[tuple[str, str]]:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if environ.get(variable):
            yield environ[variable], variable
    nvcc = which("nvcc", environ)
    if nvcc:
        yield os.path.dirname(os.path.dirname(os.path.realpath(nvcc))), "nvcc in PATH"
    usual = os.path.join(root, "usr", "local", "cuda")
    yield usual, usual


def _cuda_version(prefix: str) -> tuple[int, int] | None:
    for parts, pattern in ((("version.json",), _CUDA_JSON), (("version.txt",), _CUDA_TEXT)):
        match = pattern.search(_read(os.path.join(prefix, *parts)))
        if match:
            return int(match[1]), int(match[2])
    match = _CUDA_HEADER.search(_read(os.path.join(prefix, "include", "cuda.h"), 1 << 16))
    return (int(match[1]) // 1000, int(match[1]) % 1000 // 10) if match else None


def _read(path: str, limit: int = _ENOUGH) -> bytes:
    """The start of a small file; nothing where it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return stream.read(limit)
    except (OSError, ValueError):
        return b""
