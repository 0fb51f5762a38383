"""The table of AMD's architectures: consistent in itself, and right about what the checks decide by it."""

from __future__ import annotations

import pytest

from hipify.rules.arch import ARCHS, find_arch, lanes_of, wavefronts
from hipify.rules.target import KNOWN_ROCM, label


def test_names_are_unique_and_releases_are_known() -> None:
    names = [arch.name for arch in ARCHS]
    assert len(set(names)) == len(names)
    releases = {label(version) for version in KNOWN_ROCM}
    assert all(set(arch.rocm) <= releases for arch in ARCHS)


def test_generations_agree_with_their_facts() -> None:
    for arch in ARCHS:
        nine = arch.name.startswith("gfx9")
        assert arch.default_lanes == (64 if nine else 32), arch.name
        assert (arch.family.startswith(("CDNA", "GCN"))) == nine
        assert not arch.matrix_fp64 or arch.matrix == "mfma"
        assert arch.images or arch.name in ("gfx942", "gfx950")


@pytest.mark.parametrize(
    ("name", "lanes"),
    [
        ("gfx90a", 64),
        ("gfx90a:sramecc+:xnack-", 64),
        ("GFX942", 64),
        ("gfx906", 64),
        ("gfx90c", 64),
        ("gfx803", 64),
        ("gfx1036", 32),
        ("gfx1250", 32),
        ("gfx9-generic", 64),
        ("gfx9-4-generic", 64),
        ("gfx10-3-generic", 32),
        ("gfx11-generic", 32),
        ("sm_90", 0),
        ("", 0),
        ("generic", 0),
        ("x-generic", 0),
    ],
)
def test_lanes(name: str, lanes: int) -> None:
    assert lanes_of(name) == lanes


def test_wavefronts_of_a_list() -> None:
    assert wavefronts(()) == frozenset()
    assert wavefronts(("gfx942", "gfx90a")) == {64}
    assert wavefronts(("gfx942", "gfx1100", "sm_80")) == {32, 64}


def test_unknown_architectures_are_none() -> None:
    assert find_arch("gfx1") is None
    found = find_arch("gfx942:xnack+")
    assert found is not None and found.products.startswith("Instinct MI300")
