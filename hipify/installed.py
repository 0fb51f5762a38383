"""What is installed on a machine: the hipcc that would compile, its ROCm release, and a CUDA toolkit's release.

Small files are read and nothing is executed, so that every run of the program can afford to look. Nor is a regular
expression compiled, which would take longer than all the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from hipify.records import NamedTuple

Environment = Mapping[str, str]

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


def passed_over(environ: Environment, found_by: str) -> list[str]:
    """The settings that name a hipcc which is not there, so that another one was found: `HIPCC=/opt/old/hipcc`."""
    lost = []
    for variable in ("HIPCC", "ROCM_PATH", "HIP_PATH"):
        if variable == found_by or found_by == "--hipcc":
            break
        value = environ.get(variable, "")
        place = value if variable == "HIPCC" else os.path.join(value, "bin", "hipcc")
        there = runs(place) if os.sep in place else which(place, environ)
        if value and not there:
            lost.append(f"{variable}={value}")
    return lost


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
    release = _release(_read(os.path.join(prefix, ".info", "version")).strip())
    if release is not None:
        return release
    for parts in (("share", "hip", "version"), ("include", "hip", "hip_version.h")):
        text = _read(os.path.join(prefix, *parts))
        major, minor = (_number(text.partition(b"HIP_VERSION_" + name)[2]) for name in (b"MAJOR", b"MINOR"))
        if major is not None and minor is not None:
            return major, minor
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
    told = _read(os.path.join(prefix, "version.json")).partition(b'"cuda"')[2].partition(b'"version"')[2]
    told = told.lstrip(b' \t\r\n:"') or _read(os.path.join(prefix, "version.txt")).partition(b"CUDA Version ")[2]
    release = _release(told)
    if release is not None:
        return release
    header = _read(os.path.join(prefix, "include", "cuda.h"), 1 << 16)
    number = _number(header.partition(b"define CUDA_VERSION")[2])
    return (number // 1000, number % 1000 // 10) if number is not None else None


def _number(text: bytes) -> int | None:
    """The number that a text starts with, behind blanks and an equals sign."""
    text = text[:40].lstrip(b" \t=")
    digits = text[: len(text) - len(text.lstrip(b"0123456789"))]
    return int(digits) if digits else None


def _release(text: bytes) -> tuple[int, int] | None:
    """The release that a text starts with, as in 6.4.0-47."""
    major, _, rest = text[:40].partition(b".")
    if not major.isdigit():
        return None
    minor = _number(rest)
    return (int(major), minor) if minor is not None else None


def _read(path: str, limit: int = _ENOUGH) -> bytes:
    """The start of a small file; nothing where it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return stream.read(limit)
    except (OSError, ValueError):
        return b""
