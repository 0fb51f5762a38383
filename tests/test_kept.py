"""Translations that are kept: the next run of the same input says and writes the same, and analyses nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from hipify import kept
from hipify.cli import session
from hipify.cli.main import main
from hipify.kept import Kept
from hipify.model import Options, Translation
from hipify.pipeline import translate

ROOT = Path(__file__).resolve().parents[1]
OPEN = Kept.open
CORPUS = sorted((ROOT / "corpus").glob("*/*.cu"))

HEADER = "#pragma once\n__device__ inline int one() { return 1; }\n"
CUDA = """#include <cuda_runtime.h>
#include "own.h"
__global__ void fill(int *out) { out[threadIdx.x] = one(); }
int main() {
  int *data;
  cudaMalloc(&data, 64);
  fill<<<1, 16>>>(data);
  return cudaGetFlyingSaucerCount(0);
}
"""


class Outcome(NamedTuple):
    """What a run gave."""

    status: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_kept: None) -> Path:
    """A cache for the test alone, and translations kept in it."""
    monkeypatch.setattr("hipify.cli.session.Kept.open", OPEN)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("hipify.content_key.tool_state", lambda: "one tool")  # somebody may be at work on it
    return tmp_path / "cache" / "hipify-py"


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The inputs that are analysed."""
    paths: list[str] = []

    def counted(data: bytes, path: str, *rest: Options, **asked: bool) -> Translation:
        paths.append(path)
        return translate(data, path, *rest, **asked)

    monkeypatch.setattr(kept, "translate", counted)
    monkeypatch.setattr(session, "translate", counted)
    return paths


@pytest.fixture
def run(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The program, without clang, in a folder with a.cu and own.h."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("a.cu").write_text(CUDA)
    Path("own.h").write_text(HEADER)

    def call(*arguments: str) -> Outcome:
        status = main(["--no-clang", *arguments])
        return Outcome(status, *capfd.readouterr())

    return call


def test_the_second_run_says_the_same_and_analyses_nothing(run: Run, analysed: list[str]) -> None:
    shown = []
    for _ in range(2):
        outcome = run("a.cu", "--report", "r.json", "--report", "r.html", "--report", "r.sarif", "--print-stats")
        shown.append((outcome, [Path(f"r.{name}").read_bytes() for name in ("json", "html", "sarif")]))
    assert analysed == ["a.cu"]
    assert shown[0] == shown[1]
    assert "hipLaunchKernelGGL" in shown[1][0].out
    assert "HPY105" in shown[1][0].err


def test_files_are_written_as_before_with_their_helper_headers(run: Run, analysed: list[str]) -> None:
    Path("a.cu").write_text((ROOT / "corpus/byte_simd/main.cu").read_text())
    written = []
    for name in ("one", "two"):
        Path(name).mkdir()
        assert run("a.cu", "--out-dir", name).status == 0
        written.append({path.name: path.read_bytes() for path in Path(name).iterdir()})
    assert analysed == ["a.cu"]
    assert written[0] == written[1]
    assert len(written[1]) == 2


def test_in_place_keeps_the_original_again(run: Run, analysed: list[str]) -> None:
    run("a.cu")
    assert run("--in-place", "a.cu").status == 0
    assert analysed == ["a.cu"]
    assert Path("a.cu.prehip").read_text() == CUDA
    assert "hipMalloc" in Path("a.cu").read_text()


def test_a_changed_file_header_or_option_is_analysed(run: Run, analysed: list[str]) -> None:
    def number(*options: str) -> int:
        run("a.cu", *options)
        return len(analysed)

    assert number() == number() == 1
    assert number("--target", "6.4") == number("--target", "6.4") == 2
    Path("own.h").write_text(HEADER + "#define N 1\n")
    assert number() == number() == 3
    Path("own.h").unlink()
    assert number() == number() == 4
    Path("a.cu").write_text(CUDA + "\n")
    assert number() == number() == 5
    assert number("--no-cache") == 6
    Path("a.cu").write_text(CUDA)
    Path("own.h").write_text(HEADER)
    assert number() == 6


def test_comments_and_settings_silence_findings_in_kept_translations_too(run: Run, analysed: list[str]) -> None:
    silenced = CUDA.replace("Count(0);", "Count(0);  // hipify: ignore[HPY105]")
    Path("a.cu").write_text(silenced)
    assert not [line for _ in range(2) for line in run("a.cu").err.splitlines() if "HPY105" in line]
    Path("a.cu").write_text(CUDA)
    Path("hipify.toml").write_text('ignore = ["HPY105"]\n')
    assert not [line for _ in range(2) for line in run("a.cu").err.splitlines() if "HPY105" in line]
    assert len(analysed) == 2
    Path("hipify.toml").write_text("")
    assert "HPY105" in run("a.cu").err


def test_verbose_tells_that_an_earlier_run_did_it(run: Run) -> None:
    told = [run("a.cu", "--verbose", "--no-output").err for _ in range(2)]
    assert "by an earlier run" not in told[0]
    assert "by an earlier run (--no-cache does it again)" in told[1]


@pytest.mark.parametrize("damage", [b"", b"0" * 32, b"no key\nno body", None])
def test_a_damaged_file_counts_as_absent(run: Run, own_cache: Path, analysed: list[str], damage: bytes | None) -> None:
    first = run("a.cu")
    (place,) = (own_cache / "translations").iterdir()
    place.write_bytes(place.read_bytes()[:-3] if damage is None else damage)
    assert run("a.cu") == first
    assert run("a.cu") == first
    assert analysed == ["a.cu", "a.cu"]


def test_a_cache_that_cannot_be_written_changes_nothing(run: Run, own_cache: Path, analysed: list[str]) -> None:
    own_cache.parent.mkdir()
    own_cache.write_bytes(b"a file where the folder should be")
    assert run("a.cu") == run("a.cu")
    assert analysed == ["a.cu", "a.cu"]


def test_standard_input_and_what_fails_is_not_kept(run: Run, own_cache: Path, analysed: list[str]) -> None:
    Path("b.cu").write_bytes(b"int a;\0")
    assert run("b.cu").status == run("b.cu").status == 2
    assert not (own_cache / "translations").exists()


@pytest.fixture
def store(own_cache: Path) -> Iterator[Kept]:
    found = Kept.open(suppress=True)
    assert found is not None
    yield found


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.parent.name)
def test_every_translation_of_the_corpus_comes_back_whole(store: Kept, path: Path) -> None:
    data = path.read_bytes()
    made = translate(data, str(path), Options(clang=False))
    key = store.key(str(path), data, Options(clang=False))
    assert key is not None
    store.put(key, made)
    found = store.get(key, str(path), data)
    assert found == made
    assert [type(value) for value in found.findings] == [type(value) for value in made.findings]
    assert all(type(a.severity) is type(b.severity) for a, b in zip(found.findings, made.findings, strict=True))


def test_the_least_used_are_forgotten_first(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = translate(CUDA.encode(), "a.cu", Options(clang=False))
    now = time.time()
    for number in range(1, 20):
        Kept.put(f"{number:032x}", made)
        os.utime(kept._place(f"{number:032x}"), (now, now - number * 3600))
    os.utime(kept._place(f"{3:032x}"), (now, now - 40 * 24 * 3600))
    size = Path(kept._place(f"{1:032x}")).stat().st_size
    monkeypatch.setattr(kept, "_LIMIT", 10 * size)
    Kept.put(f"{0:032x}", made)
    left = {int(path.name, 16) for path in (own_cache / "translations").iterdir()}
    assert left == {0, 1, 2, *range(4, 11)}


def test_one_that_is_used_again_is_as_new(own_cache: Path) -> None:
    made = translate(CUDA.encode(), "a.cu", Options(clang=False))
    Kept.put("a", made)
    old = time.time() - 2 * 24 * 3600
    os.utime(kept._place("a"), (old, old))
    assert Kept.get("a", "a.cu", CUDA.encode()) == made
    assert Path(kept._place("a")).stat().st_mtime > old + 24 * 3600
