"""The settings file of a tree: the one that translations and lint read, too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.runner import command, environment

from .trees import make

WARPED = b"__global__ void k(float* x) { x[0] += __shfl_down_sync(0xffffffff, x[0], 1); }\n"
SAUCER = b"int f() { return cudaGetFlyingSaucerCount(); }\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return make(
        tmp_path / "src",
        {
            "new/a.cu": WARPED,
            "old/b.cu": WARPED,
            "c.cu": SAUCER,
            "own.rules": b"rename cudaGetFlyingSaucerCount => hipS\n",
        },
    )


def converted(source: Path, out: Path, *options: str) -> dict[str, str]:
    done = subprocess.run(
        command("convert", str(source), str(out), "--no-clang", "--no-reports", "--quiet", *options),
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {
        path.relative_to(out).as_posix(): path.read_text()
        for path in out.rglob("*.*")
        if path.suffix in (".cu", ".hip")
    }


def test_options_and_warps_by_path(source: Path, tmp_path: Path) -> None:
    (source / "hipify.toml").write_text(
        'rules = ["own.rules"]\nsuffix = ".hip"\nwarp = "report"\n[per-path-warp]\n"/old/" = "native"\n'
    )
    files = converted(source, tmp_path / "out")
    assert "hipS()" in files["c.hip"]
    assert "__shfl_down_sync(0xffffffff," in files["new/a.hip"]
    assert "__shfl_down_sync(0xffffffffffffffffull," in files["old/b.hip"]
    given = converted(source, tmp_path / "out2", "--warp", "preserve", "--suffix", "same")
    assert "hipify::shfl_down_sync" in given["old/b.cu"]
    assert "cudaGetFlyingSaucerCount()" in converted(source, tmp_path / "out3", "--no-config")["c.cu"]


def test_a_change_of_the_settings_is_followed(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "hipify::shfl_down_sync" in converted(source, out)["old/b.cu"]
    (source / "hipify.toml").write_text('[per-path-warp]\n"old" = "native"\n')
    files = converted(source, out)
    assert "__shfl_down_sync(0xffffffffffffffffull," in files["old/b.cu"]
    assert "hipify::shfl_down_sync" in files["new/a.cu"]


def test_only_the_tree_s_own_settings_count(source: Path, tmp_path: Path) -> None:
    (tmp_path / "hipify.toml").write_text('exclude = ["*.cu"]\nnonsense = 1\n')
    assert "hipify::shfl_down_sync" in converted(source, tmp_path / "out")["old/b.cu"]
    (source / "hipify.toml").write_text('exclude = ["old"]\n')
    files = converted(source, tmp_path / "out4", "--exclude", "new")
    assert list(files) == ["c.cu"]
