"""What a translation aims at: the ROCm release, the CUDA release it comes from, and which libraries are preferred."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from hipify.model import Options
from hipify.patterns import lazy
from hipify.records import NamedTuple

Version = tuple[int, int]

KNOWN_ROCM: tuple[Version, ...] = ((5, 7), (6, 4), (7, 2), (10, 0))
"""The ROCm releases whose names the tables hold evidence for."""

_ROCM = lazy(r"(?:rocm|hip)?[-_ ]?(\d+)\.(\d+)(?:\.\d+)*\Z", re.IGNORECASE)
_CUDA = lazy(r"(?:cuda)?[-_ ]?(\d+)(?:\.(\d+))?(?:\.\d+)*\Z", re.IGNORECASE)


def parse_rocm(text: str) -> Version:
    """The release that `7.2`, `rocm-7.2` or `7.2.1` names; ValueError for one that the tables do not know."""
    match = _ROCM.match(text.strip())
    version = (int(match[1]), int(match[2])) if match else None
    if version not in KNOWN_ROCM:
        known = ", ".join(label(v) for v in KNOWN_ROCM)
        raise ValueError(f"unknown ROCm version {text!r}: the known targets are {known}")
    return version


def parse_cuda(text: str) -> Version:
    """The CUDA release that `12.4`, `cuda-12.4` or `12` names; ValueError for anything else."""
    match = _CUDA.match(text.strip())
    if match is None:
        raise ValueError(f"not a CUDA version: {text!r} (write it as 12.4)")
    return int(match[1]), int(match[2] or 0)


@cache
def label(version: Version) -> str:
    """A version as people write it."""
    return f"{version[0]}.{version[1]}"


class Target(NamedTuple):
    """The releases and preferences that decide between names. Hashable, so that it can key a cache."""

    rocm: Version = (7, 2)
    cuda: str = ""
    roc: bool = False
    miopen: bool = False
    experimental: bool = False

    @classmethod
    def from_options(cls, options: Options) -> Target:
        """The target that the options ask for; ValueError when a version is unknown."""
        return _asked(options.target, options.cuda_version, options.roc, options.miopen, options.experimental)

    @property
    def label(self) -> str:
        """`7.2`: how the tables and messages name the ROCm release."""
        return label(self.rocm)

    def at_least(self, major: int, minor: int = 0) -> bool:
        """Whether the ROCm release is this one or a later one."""
        return self.rocm >= (major, minor)


def supported(installed: Version) -> Version | None:
    """The newest known target that is not newer than an installed release; None where all are newer."""
    return max((version for version in KNOWN_ROCM if version <= installed), default=None)


@lru_cache(maxsize=64)
def _asked(rocm: str, cuda: str, roc: bool, miopen: bool, experimental: bool) -> Target:
    return Target(parse_rocm(rocm), label(parse_cuda(cuda)) if cuda else "", roc, miopen, experimental)
