"""Copies of NVIDIA's template libraries in a project, known by files that those libraries alone have."""

from __future__ import annotations

import os
from collections.abc import Container

from hipify.patterns import lazy
from hipify.records import NamedTuple

_HEAD = 64 << 10


class Library(NamedTuple):
    """A library: files that its folder of headers holds, a text in the first of them, and what ROCm has instead."""

    name: str
    files: tuple[str, ...]
    text: bytes
    instead: str
    replaced: bool = False
    """Whether includes of it become those of ROCm's."""
    shadows: bool = False
    """Whether ROCm's headers have the same paths, so that a copy would be taken for them."""

    def note(self, in_place: bool = False) -> str:
        """What a conversion says of a copy; one in place takes nothing away."""
        done = f"copied as it is; ROCm has {self.instead}"
        if self.replaced:
            done = f"copied as it is; includes of it go to {self.instead}"
        if self.shadows and in_place:
            done = (
                f"left where it is, where it hides {self.instead}, which includes of it go to: take it out of the "
                "include path, or remove it"
            )
        elif self.shadows:
            done = f"left out, since it would hide {self.instead}, which includes of it go to"
        return f"a copy of {self.name}, {done} (--third-party convert translates it)"


_LIBRARIES = (
    Library("CUB", ("version.cuh", "cub.cuh"), b"CUB_VERSION", "hipCUB", True),
    Library("CUB", ("cub.cuh", "util_arch.cuh"), b"namespace cub", "hipCUB", True),
    Library("CUB", ("cub.cuh", "util_arch.cuh"), b"util_arch.cuh", "hipCUB", True),
    Library("Thrust", ("version.h", "device_vector.h"), b"THRUST_VERSION", "rocThrust", True, True),
    Library("libcu++", ("version", "std", "atomic"), b"_CUDA_VERSION", "libhipcxx"),
    Library("libcu++", ("version", "std", "atomic"), b"CCCL", "libhipcxx"),
    Library("CUTLASS", ("version.h", "cutlass.h"), b"CUTLASS_", "Composable Kernel, with another interface"),
    Library("CuTe", ("config.hpp", "layout.hpp", "tensor.hpp"), b"CUTE_", "Composable Kernel, with another interface"),
)
_REPOSITORIES = {"cub": "cub", "thrust": "thrust", "cutlass": "include/cutlass", "cccl": "cub/cub"}
_NAME = lazy(r"(cub|thrust|cutlass|cccl)(?:[-_.]?v?\d[\w.-]*|[-_.](?:main|master|src))?")
_PATHS = ("cub/", "thrust/")


def library_in(folder: str, names: Container[str]) -> Library | None:
    """The library whose headers a folder holds; `names` are those of its files and folders."""
    for library in _LIBRARIES:
        if all(name in names for name in library.files) and library.text in _head(f"{folder}/{library.files[0]}"):
            return library
    return None


def is_repository(folder: str) -> bool:
    """Whether a folder holds the whole repository of such a library: its tests and examples, too."""
    name = _NAME.fullmatch(os.path.basename(folder).lower())
    return name is not None and headers_in(f"{folder}/{_REPOSITORIES[name[1]]}") is not None


def headers_in(folder: str) -> Library | None:
    """The library whose headers a folder holds."""
    try:
        return library_in(folder, frozenset(os.listdir(folder)))
    except OSError:
        return None


def path_in_library(source: str, include: str) -> str:
    """The path as the library's users write it, of an include that leads to a copy beside a source; '' for others."""
    for start in _PATHS:
        at = f"/{include}".rfind(f"/{start}")
        if at >= 0:
            root = os.path.normpath(os.path.join(os.path.dirname(source), include[: at + len(start)]))
            return include[at:] if headers_in(root) is not None else ""
    return ""


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return b""
