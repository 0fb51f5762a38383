"""AMD GPU architectures: what the hardware behind an `--offload-arch` name can do. Facts, and nothing decided here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hipify.patterns import lazy
from hipify.records import NamedTuple


class Arch(NamedTuple):
    """One gfx target.

    `wavefronts` holds the lane counts that HIP can use, the default first. `matrix` names the matrix instructions
    (`mfma`, `wmma` or ''), `fp64` the double-precision rate against single precision (`1:1`, `1:2`, ...). `rocm` lists
    the releases (of those that hipify-py targets) whose support table has the GPU; others may still compile for it.
    `memory` is what the products carry, `lds` the KiB of shared memory that a workgroup can have.
    """

    name: str
    products: str
    family: str
    wavefronts: tuple[int, ...]
    images: bool
    matrix: str
    matrix_fp64: bool
    fp64: str
    rocm: tuple[str, ...]
    memory: str
    lds: int = 64

    @property
    def default_lanes(self) -> int:
        """The lanes of a wavefront when nothing else is asked for."""
        return self.wavefronts[0]


_W64, _W32 = (64,), (32, 64)
_ALL = ("5.7", "6.4", "7.2")
_SINCE_6 = ("6.4", "7.2")

ARCHS: tuple[Arch, ...] = (
    Arch("gfx900", "Radeon Instinct MI25, Vega 56/64", "GCN5", _W64, True, "", False, "1:16", (), "8-16 GB HBM2"),
    Arch("gfx906", "Instinct MI50, MI60, Radeon VII", "GCN5", _W64, True, "", False, "1:2", ("5.7",), "16-32 GB HBM2"),
    Arch("gfx908", "Instinct MI100", "CDNA1", _W64, True, "mfma", False, "1:2", _ALL, "32 GB HBM2"),
    Arch("gfx90a", "Instinct MI210, MI250, MI250X", "CDNA2", _W64, True, "mfma", True, "1:1", _ALL, "64-128 GB HBM2e"),
    Arch("gfx942", "Instinct MI300A, MI300X, MI325X", "CDNA3", _W64, False, "mfma", True, "1:2", _SINCE_6,
         "128-256 GB HBM3"),
    Arch("gfx950", "Instinct MI350X, MI355X", "CDNA4", _W64, False, "mfma", True, "1:2", ("7.2",), "288 GB HBM3E", 160),
    Arch("gfx1010", "Radeon RX 5600, RX 5700", "RDNA1", _W32, True, "", False, "1:16", (), "6-8 GB GDDR6"),
    Arch("gfx1012", "Radeon RX 5500", "RDNA1", _W32, True, "", False, "1:16", (), "4-8 GB GDDR6"),
    Arch("gfx1030", "Radeon PRO W6800, V620, RX 6800, RX 6900", "RDNA2", _W32, True, "", False, "1:16", _ALL,
         "16-32 GB GDDR6"),
    Arch("gfx1031", "Radeon RX 6700", "RDNA2", _W32, True, "", False, "1:16", (), "10-12 GB GDDR6"),
    Arch("gfx1032", "Radeon RX 6600", "RDNA2", _W32, True, "", False, "1:16", (), "8 GB GDDR6"),
    Arch("gfx1100", "Radeon PRO W7800, W7900, RX 7900", "RDNA3", _W32, True, "wmma", False, "1:32", _ALL,
         "16-48 GB GDDR6"),
    Arch("gfx1101", "Radeon PRO W7700, V710, RX 7700, RX 7800", "RDNA3", _W32, True, "wmma", False, "1:32", _SINCE_6,
         "12-28 GB GDDR6"),
    Arch("gfx1102", "Radeon RX 7600", "RDNA3", _W32, True, "wmma", False, "1:32", (), "8-16 GB GDDR6"),
    Arch("gfx1103", "Ryzen 7040 and 8040 graphics", "RDNA3", _W32, True, "wmma", False, "1:32", (), "the system's"),
    Arch("gfx1150", "Ryzen AI 300 graphics", "RDNA3.5", _W32, True, "wmma", False, "1:32", ("7.2",), "the system's"),
    Arch("gfx1151", "Ryzen AI Max graphics", "RDNA3.5", _W32, True, "wmma", False, "1:32", ("7.2",), "the system's"),
    Arch("gfx1200", "Radeon RX 9060", "RDNA4", _W32, True, "wmma", False, "1:64", _SINCE_6, "8-16 GB GDDR6"),
    Arch("gfx1201", "Radeon AI PRO R9700, RX 9070", "RDNA4", _W32, True, "wmma", False, "1:64", _SINCE_6,
         "12-32 GB GDDR6"),
)  # fmt: skip
"""Every architecture that the checks know by name, in the order of their names' generations."""

_BY_NAME = {arch.name: arch for arch in ARCHS}
_GFX = lazy(r"gfx(\d+)([0-9a-f])([0-9a-f])\Z")


def find_arch(name: str) -> Arch | None:
    """The architecture of `gfx90a` or `gfx90a:xnack+`; None for one that the table does not hold."""
    return _BY_NAME.get(name.split(":")[0].strip().lower())


def lanes_of(name: str) -> int:
    """Lanes of a wavefront on an architecture, also for one that only its generation tells about; 0 when unknown."""
    arch = find_arch(name)
    if arch is not None:
        return arch.default_lanes
    base = name.split(":")[0].strip().lower()
    if base.endswith("-generic"):  # gfx9-generic, gfx10-3-generic
        match = re.match(r"gfx(\d+)", base)
        return 0 if match is None else 64 if match[1] == "9" else 32
    match = _GFX.match(base)
    return 0 if match is None else 64 if int(match[1]) < 10 else 32


def wavefronts(offload_archs: Iterable[str]) -> frozenset[int]:
    """The wavefront sizes that the code will meet: {64}, {32}, both, or none when no architecture is given."""
    return frozenset(filter(None, map(lanes_of, offload_archs)))
