"""What hip/hip_runtime.h brings along that CUDA's headers do not have; tools/make_hip_names.py makes the table."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hipify.records import NamedTuple

_TABLE = Path(__file__).with_name("hip_names.tsv")


class Known(NamedTuple):
    """A name: `kind` is function, type, macro or call (a macro with parameters).

    `types` are the parameters of each overload (`...`: a template's), or what a type stands for.
    """

    kind: str
    types: tuple[tuple[bytes, ...], ...]


@cache
def known() -> dict[bytes, Known]:
    """The functions, types and macros."""
    rows = (row.split(b"\t") for row in _TABLE.read_bytes().splitlines())
    return {name: Known(kind.decode(), _types(types)) for kind, name, types in rows if kind != b"word"}


@cache
def words() -> frozenset[bytes]:
    """Every word that HIP's headers are written with: no macro may stand in front of them that is called so."""
    rows = _TABLE.read_bytes().splitlines()
    return frozenset(next(row for row in rows if row.startswith(b"word\t")).split(b"\t")[1].split())


def _types(said: bytes) -> tuple[tuple[bytes, ...], ...]:
    return tuple(tuple(t for t in each.split(b", ") if t) for each in said.split(b"|"))
