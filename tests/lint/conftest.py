"""A folder of small CUDA sources, which is the current one, and the program run in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hipify.cli.main import main

WARPED = """#include <cuda_runtime.h>
__global__ void k(float* x) {
  x[0] += __shfl_down_sync(0xffffffff, x[0], 1);
}
"""
"""Line 3 gives HPY301, an error."""

UNKNOWN = """#include <cuda_runtime.h>
int main() {
  return cudaGetFlyingSaucerCount(0);
}
"""
"""Line 3 gives HPY105, a warning."""

CLEAN = "#include <cuda_runtime.h>\n__global__ void k(float* x) { x[0] = 1; }\n"


@dataclass(frozen=True)
class Outcome:
    """What a call of the program gave."""

    status: int
    out: str
    err: str

    @property
    def places(self) -> list[str]:
        """`path:line ID` of each finding of the concise form."""
        rows = (line.split(": ", 1) for line in self.out.splitlines())
        return [f"{place.rsplit(':', 1)[0]} {rest.split()[0]}" for place, rest in rows]


Lint = Callable[..., Outcome]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sources."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "warped.cu").write_text(WARPED)
    (tmp_path / "src" / "unknown.cu").write_text(UNKNOWN)
    (tmp_path / "src" / "clean.cu").write_text(CLEAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def program(capfd: pytest.CaptureFixture[str]) -> Lint:
    """The program, called with a command line."""

    def call(*arguments: str) -> Outcome:
        capfd.readouterr()
        status = main(arguments)
        captured = capfd.readouterr()
        return Outcome(status, captured.out, captured.err)

    return call


@pytest.fixture
def lint(program: Lint) -> Lint:
    """`lint --format concise --no-clang` with more arguments; clang is not what is tested here."""
    return lambda *arguments: program("lint", "--no-clang", "--format", "concise", *arguments)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of results for each test alone."""
    place = tmp_path_factory.mktemp("cache") / "hipify-py"
    monkeypatch.setattr("hipify.lint.cache._folder", lambda: place)
    # Somebody may be at work on the sources while their tests run.
    monkeypatch.setattr("hipify.content_key.tool_state", lambda: "one tool")
