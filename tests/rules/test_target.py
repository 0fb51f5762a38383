"""Targets: which versions are known, how they are written, and what is read from an installation."""

from pathlib import Path

import pytest

from hipify.model import Options
from hipify.rules.target import KNOWN_ROCM, Target, detect_rocm, parse_cuda, parse_rocm


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
    assert target.cuda_at_least(12, 9)
    assert not target.cuda_at_least(13, 1)
    assert not Target().cuda_at_least(9)
    with pytest.raises(ValueError, match=r"unknown ROCm version '9\.9'"):
        Target.from_options(Options(target="9.9"))


def test_detect_reads_the_first_installation(tmp_path: Path) -> None:
    header = tmp_path / "second" / "include" / "hip" / "hip_version.h"
    header.parent.mkdir(parents=True)
    header.write_text("#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR 4\n#define HIP_VERSION_PATCH 1\n")
    assert detect_rocm([tmp_path / "first", tmp_path / "second"]) == (6, 4)
    assert detect_rocm([tmp_path / "first"]) is None


def test_detect_honours_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = tmp_path / "include" / "hip" / "hip_version.h"
    header.parent.mkdir(parents=True)
    header.write_text("#define HIP_VERSION_MAJOR 7\n#define HIP_VERSION_MINOR 2\n")
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    assert detect_rocm() == (7, 2)


def test_header_without_versions_is_no_installation(tmp_path: Path) -> None:
    header = tmp_path / "include" / "hip" / "hip_version.h"
    header.parent.mkdir(parents=True)
    header.write_bytes(b"\xff\xfe not a header")
    assert detect_rocm([tmp_path]) is None
