"""The table of `hipify-py arch`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hipify.rules.arch import Arch

_HEAD = ("arch", "family", "wavefront", "images", "matrix", "FP64", "LDS", "memory", "ROCm", "products")
_NOTES = """
wavefront  its lanes, the default first
images     whether there are the instructions that textures need
matrix     matrix instructions; +fp64 where they compute in double precision
FP64       the rate of double precision against single precision
LDS        shared memory that a workgroup can have
ROCm       releases whose support table has the GPU, of 5.7, 6.4 and 7.2 (-: none of them; many still compile for it)
"""


def as_text(archs: Sequence[Arch]) -> str:
    """One line an architecture, under a head line, and what the columns mean."""
    rows = [_HEAD, *map(_row, archs)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(lines) + "\n" + _NOTES


def as_json(archs: Sequence[Arch]) -> str:
    """A list of objects."""
    return json.dumps([arch._asdict() for arch in archs], indent=2) + "\n"


def _row(arch: Arch) -> tuple[str, ...]:
    matrix = arch.matrix + ("+fp64" if arch.matrix_fp64 else "")
    return (
        arch.name,
        arch.family,
        "/".join(map(str, arch.wavefronts)),
        "yes" if arch.images else "no",
        matrix or "-",
        arch.fp64,
        f"{arch.lds} KiB",
        arch.memory,
        " ".join(arch.rocm) or "-",
        arch.products,
    )
