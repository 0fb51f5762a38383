"""What hip/hip_runtime.h brings along that CUDA's headers do not have; tools/make_hip_names.py makes the table."""

from __future__ import annotations

import os
from functools import cache

from hipify.records import NamedTuple

_TABLE = os.path.join(os.path.dirname(__file__), "hip_names.tsv")


class Known(NamedTuple):
    """A name: `kind` is function, type, macro or call (a macro with parameters).

    `types` are the parameters of each overload (`...`: a template's), or what a type stands for.
    """

    kind: str
    types: tuple[tuple[bytes, ...], ...]


@cache
def known() -> dict[bytes, Known]:
    """The functions, types and macros."""
    rows = (row.split(b"\t") for row in _rows())
    return {name: Known(kind.decode(), _types(types)) for kind, name, types in rows if kind != b"word"}


@cache
def words() -> frozenset[bytes]:
    """Every word that HIP's headers are written with: no macro may stand in front of them that is called so."""
    return frozenset(next(row for row in _rows() if row.startswith(b"word\t")).split(b"\t")[1].split())


def _rows() -> list[bytes]:
    with open(_TABLE, "rb") as stream:
        return stream.read().splitlines()


def _types(said: bytes) -> tuple[tuple[bytes, ...], ...]:
    return tuple(tuple(t for t in each.split(b", ") if t) for each in said.split(b"|"))
