"""Targets: which versions are known, how they are written, and what is read from an installation."""

import pytest

from hipify.model import Options
from hipify.rules.target import KNOWN_ROCM, Target, parse_cuda, parse_rocm, supported


@pytest.mark.parametrize("text", ["7.2", "rocm-7.2", "ROCm 7.2", "rocm7.2", "7.2.1", " 7.2 "])
def test_ways_to_write_a_release(text: str) -> None:
    assert parse_rocm(text) == (7, 2)


@pytest.mark.parametrize("text", ["8.0", "7", "", "latest", "7.20", "rocm-"])
def test_unknown_release_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(ValueError, match=r"known targets are 5\.7, 6\.4, 7\.2, 10\.0"):
        parse_rocm(text)


def test_cuda_versions() -> None:
    assert parse_cuda("12.4") == (12, 4)
    assert parse_cuda("cuda-11.8.0") == (11, 8)
    assert parse_cuda("13") == (13, 0)
    with pytest.raises(ValueError, match="not a CUDA version"):
        parse_cuda("twelve")


def test_releases_compare_by_number_not_by_text() -> None:
    newest, oldest = Target(KNOWN_ROCM[-1]), Target(KNOWN_ROCM[0])
    assert newest.label == "10.0"
    assert newest.at_least(7, 2)
    assert not oldest.at_least(6)
    assert Target((7, 2)).at_least(7, 2)
    assert not Target((7, 2)).at_least(7, 3)


def test_target_from_options() -> None:
    target = Target.from_options(Options(target="rocm-6.4", cuda_version="cuda-13.0", roc=True))
    assert target == Target((6, 4), "13.0", roc=True)
    with pytest.raises(ValueError, match=r"unknown ROCm version '9\.9'"):
        Target.from_options(Options(target="9.9"))


def test_an_installed_release_takes_the_nearest_target_that_is_not_newer() -> None:
    assert supported((6, 4)) == (6, 4)
    assert supported((7, 1)) == (6, 4)
    assert supported((11, 0)) == KNOWN_ROCM[-1]
    assert supported((5, 6)) is None
