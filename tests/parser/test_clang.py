"""The clang session: flags, headers, caches, and input of every kind."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hipify.model import Options
from hipify.parser import libclang_fast as fast
from hipify.parser import pch, pch_files
from hipify.parser.clang import Owner, ParseFlags, Semantics, analyse, pointer_faults
from hipify.parser.source import Source
from hipify.parser.tokens import tokenize
from hipify.rules.library import Library


def parse(data: bytes, path: str = "sample.cu", flags: ParseFlags | Options | None = None) -> Semantics:
    source = Source(data, path)
    semantics = analyse(source, tokenize(source), flags or ParseFlags())
    assert semantics is not None
    return semantics


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A fresh cache for one test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pch.prepare.cache_clear()
    yield tmp_path / "cache"
    pch.prepare.cache_clear()


def test_every_name_of_the_tables_is_declared_and_nothing_clashes() -> None:
    library = Library.default()
    names = [n for n in library.in_order() if b"::" not in n]
    kinds = {"function", "enum_constant", "device_function", "type", "device_type"}
    wanted = sorted(n for n in names if (api := library.get(n)) is not None and api.kind in kinds)
    data = b"\n".join(b"using ::%s;" % name for name in wanted if name not in _NOT_GLOBAL)
    complaints = parse(b"namespace check {\n" + data + b"\n}\n").diagnostics()
    lines = (b"namespace check {\n" + data).splitlines()
    missing = [lines[data_line(lines, offset)] for _, _, offset in complaints]
    assert missing == []


# Inner names of Windows' headers, macros, and words too common to be declared for every program.
_NOT_GLOBAL = frozenset(b"_Pow_int _fdsign _ldsign assert __assert_fail cub all any ballot".split())


def data_line(lines: list[bytes], offset: int) -> int:
    """The line that holds an offset."""
    for number, line in enumerate(lines):
        if offset <= len(line):
            return number
        offset -= len(line) + 1
    return len(lines) - 1


def test_the_declarations_are_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = pch.prepare("c++17", "12090")
    assert prepared is not None
    monkeypatch.setattr(pch, "prepare", lambda std, cuda, flag: prepared._replace(precompiled=""))
    complaints = [text for text, _, _ in parse(b"int x;").diagnostics()]
    source = Source(b"int x;", "t.cu")
    complaints += [fault.text for fault in pointer_faults(source, ParseFlags()) or ()]
    # clang has __syncthreads as a builtin of device code alone, and says so; both forms are declared all the same.
    # libstdc++'s exceptions override functions that were declared before host and device were one.
    assert [text for text in complaints if "'__syncthreads'" not in text and "'override'" not in text] == []
    assert complaints


@pytest.mark.parametrize("std", ["c++14", "c++17", "c++20", "gnu++17", "c++98", "nonsense"])
def test_standards(std: str) -> None:
    data = b"#include <vector>\nvoid f(std::vector<int>& v) { cudaMalloc(&v, 1); for (auto x : v) cudaFree(&x); }"
    semantics = parse(data, flags=ParseFlags(std=std))
    assert semantics.owner(data.index(b"cudaMalloc")) is Owner.API
    assert semantics.owner(data.index(b"cudaFree")) is Owner.API
    assert semantics.diagnostics() == []


def test_flags_of_the_options(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "mine.h").write_text("inline int cudaMineOnly(int x) { return x; }\n")
    data = b'#include "mine.h"\nint a = SIZE;\nint f() { return cudaMineOnly(OTHER); }\n'
    options = Options(
        include_dirs=(str(tmp_path / "include"),), defines=("SIZE=7",), clang_args=("-DOTHER=3", "-std=c++20")
    )
    semantics = parse(data, str(tmp_path / "a.cu"), options)
    assert semantics.diagnostics() == []
    assert semantics.owner(data.index(b"cudaMineOnly")) is Owner.USER
    assert semantics.constant(data.index(b"SIZE"), data.index(b"SIZE") + 4) == 7
    assert semantics.constant(data.index(b"OTHER"), data.index(b"OTHER") + 5) == 3


@pytest.mark.parametrize(
    "args", [("--no-such-flag",), ("-include", "/no/such/file.h"), ("-fno-exceptions",), ("-m32",)]
)
def test_flags_that_clang_refuses_do_not_end_the_parse(args: tuple[str, ...]) -> None:
    data = b"void f() { cudaFree(0); }"
    assert parse(data, flags=ParseFlags(args=args)).owner(data.index(b"cudaFree")) is Owner.API


def test_the_cuda_version_is_what_the_user_says() -> None:
    data = b"int v = CUDART_VERSION;\n#if CUDA_VERSION < 12000\nint old;\n#endif\n"
    start = data.index(b"CUDART_VERSION")
    assert parse(data).constant(start, start + 14) == 12090
    assert len(parse(data).skipped_ranges()) == 1
    old = parse(data, flags=ParseFlags(cuda_version="11.8"))
    assert old.constant(start, start + 14) == 11080
    assert old.skipped_ranges() == []


def test_headers_beside_the_file_are_found_and_are_the_users(tmp_path: Path) -> None:
    (tmp_path / "own.cuh").write_text("#pragma once\nstruct cudaThing { int x; };\nvoid cudaFreeThing(cudaThing*);\n")
    data = b'#include "own.cuh"\nvoid f(cudaThing* t) { cudaFreeThing(t); cudaFree(t); }\n'
    semantics = parse(data, str(tmp_path / "a.cu"))
    assert semantics.missing_headers() == []
    assert semantics.owner(data.index(b"cudaThing*")) is Owner.USER
    assert semantics.owner(data.index(b"cudaFreeThing")) is Owner.USER
    assert semantics.owner(data.index(b"cudaFree(")) is Owner.API


def test_a_real_sdk_on_the_include_path_is_shadowed(tmp_path: Path) -> None:
    for name in ("cuda_runtime.h", "cublas_v2.h"):
        (tmp_path / name).write_text("#error the SDK was read\nint cudaMalloc(int);\n")
    data = b"#include <cuda_runtime.h>\n#include <cublas_v2.h>\nvoid f(int* p) { cudaMalloc(&p, 1); }\n"
    semantics = parse(data, flags=ParseFlags(include_dirs=(str(tmp_path),)))
    assert semantics.diagnostics() == []
    assert semantics.owner(data.index(b"cudaMalloc")) is Owner.API


def test_the_files_text_is_the_given_one_not_that_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("#error on disk\n")
    data = b"void f() { cudaFree(0); }"
    semantics = parse(data, str(path))
    assert semantics.diagnostics() == []
    assert parse(data, "<stdin>").owner(data.index(b"cudaFree")) is Owner.API


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"#",
        b"#include",
        b"#include <",
        b"cudaMalloc",
        b"void f() { cudaMalloc(",
        b"}}}}",
        b"<<<>>>",
        b"k<<<",
        b"#define",
        b"#if",
        b"#if 1\n#else",
        b"/*",
        b'"',
        b'R"x(',
        b"\xff\xfe\x00c",
        b"int \x80\x81;\0 int cudaFree;",
        b"template <",
        b"\\",
        b"struct cudaMalloc cudaMalloc(cudaMalloc);",
        b"cudaMalloc " * 2000,
        b"(" * 400,
        b"{" * 400,
        b"__global__ __global__ __device__ cudaFree",
    ],
)
def test_no_input_raises(data: bytes) -> None:
    semantics = parse(data)
    tokens = tokenize(data)
    for i, text in enumerate(tokens.text[:200]):
        offset, end = tokens.start[i], tokens.end(i)
        assert semantics.owner(offset) in Owner
        assert isinstance(semantics.expr_type(offset, end), str)
        assert isinstance(semantics.field_owner(offset), str)
        assert semantics.in_device_code(offset) in (None, False, True)
        assert semantics.constant(offset, end) is None or text.isdigit()
    semantics.skipped_ranges()
    semantics.missing_headers()


def test_without_libclang_there_are_no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "load", lambda: None)
    source = Source(b"int x;", "a.cu")
    assert analyse(source, tokenize(source), ParseFlags()) is None


def test_the_cache_is_filled_once(cache: Path) -> None:
    data = b"void f() { cudaFree(0); }"
    assert parse(data).owner(data.index(b"cudaFree")) is Owner.API
    (built,) = cache.rglob("*.pch")
    first = built.stat()
    pch.prepare.cache_clear()
    assert parse(data).owner(data.index(b"cudaFree")) is Owner.API
    assert [p.stat().st_mtime_ns for p in cache.rglob("*.pch")] == [first.st_mtime_ns]
    left = [p.name for p in (cache / "hipify-py").iterdir() if p.name.startswith(("decls-", "new-", "."))]
    assert left == [built.parent.name]


@pytest.mark.parametrize("junk", [b"", b"junk", b"CPCH" + bytes(4000)])
def test_a_broken_precompiled_file_is_made_anew(cache: Path, junk: bytes) -> None:
    data = b"void f() { cudaFree(0); }"
    parse(data)
    (built,) = cache.rglob("*.pch")
    size = built.stat().st_size
    built.write_bytes(junk)
    pch.prepare.cache_clear()
    assert parse(data).owner(data.index(b"cudaFree")) is Owner.API
    assert parse(data).owner(data.index(b"cudaFree")) is Owner.API
    assert abs(built.stat().st_size - size) < size / 10


def test_a_cache_that_was_moved_or_is_reached_through_a_link(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"void f() { cudaFree(0); }"
    parse(data)
    moved, link = tmp_path / "moved", tmp_path / "link"
    cache.rename(moved)
    link.symlink_to(moved)
    for place in (moved, link):
        monkeypatch.setenv("XDG_CACHE_HOME", str(place))
        pch.prepare.cache_clear()
        assert parse(data).owner(data.index(b"cudaFree")) is Owner.API


@pytest.mark.parametrize("spelling", ["/./cache", "//cache", "/cache/", "/more/../cache", "/caf\udce9"])
def test_the_caches_path_may_be_written_in_any_way(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, spelling: str
) -> None:
    """The API's functions were taken for the user's own where clang spells the path otherwise."""
    (tmp_path / "more").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", f"{tmp_path}{spelling}")
    data = b"void f() { cudaFree(0); }"
    assert parse(data).owner(data.index(b"cudaFree")) is Owner.API


@pytest.mark.parametrize("home", ["relative", "~"])
def test_without_a_home_nothing_is_written_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    pch.prepare.cache_clear()
    data = b"void f() { cudaFree(0); }"
    assert parse(data).owner(data.index(b"cudaFree")) is Owner.API
    assert list(tmp_path.iterdir()) == []
    pch.prepare.cache_clear()


def test_a_disk_that_is_nearly_full_gets_no_precompiled_file(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """libclang ends the process where it cannot write one."""
    monkeypatch.setattr(pch_files, "_SPACE", 1 << 60)
    data = b"void f() { cudaFree(0); }"
    assert parse(data).owner(data.index(b"cudaFree")) is Owner.API
    assert list(cache.rglob("*.pch")) == []


def test_what_killed_processes_left_is_removed(cache: Path) -> None:
    parse(b"int x;")
    (built,) = cache.rglob("*.pch")
    old, new = built.with_name("tmpold"), built.with_name("tmpnew")
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 2 * 24 * 3600,) * 2)
    built.unlink()
    pch.prepare.cache_clear()
    parse(b"int x;")
    assert (old.exists(), new.exists()) == (False, True)


def test_a_cache_that_cannot_be_written(tmp_path: Path, cache: Path) -> None:
    cache.parent.mkdir(exist_ok=True)
    cache.write_text("a file where a folder should be")
    data = b"void f() { cudaFree(0); }"
    assert parse(data).owner(data.index(b"cudaFree")) is Owner.API
    assert cache.read_text() == "a file where a folder should be"


def test_a_machine_without_a_standard_library(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (pch, pch_files):
        monkeypatch.setattr(module, "system_include_dirs", lambda: ())
    data = (
        b"#include <cstdio>\n#include <vector>\n#include <nowhere.h>\n"
        b'int main() { std::vector<float> v(4); float* p; cudaMalloc(&p, v.size() * sizeof(float)); printf("%p", p); }\n'
    )
    semantics = parse(data)
    assert semantics.owner(data.index(b"cudaMalloc")) is Owner.API
    assert semantics.owner(data.index(b"printf")) is Owner.UNKNOWN
    assert [name for _, name in semantics.missing_headers()] == ["nowhere.h"]
    assert len(semantics.diagnostics()) == 1


def test_the_cache_is_for_the_user_alone(cache: Path) -> None:
    parse(b"int x;")
    folder = next((cache / "hipify-py").iterdir())
    assert stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0


def test_what_old_versions_left_is_removed_and_what_others_use_is_not(cache: Path) -> None:
    root = cache / "hipify-py"
    for name in ("decls-old", "decls-used", "other"):
        (root / name).mkdir(parents=True)
        (root / name / "x.pch").write_bytes(b"")
    for name in ("decls-old", "other"):
        os.utime(root / name, (0, 0))
    parse(b"int x;")
    assert {path.name for path in root.iterdir()} >= {"decls-used", "other"}
    assert not (root / "decls-old").exists()


def test_many_versions_of_late_leave_only_a_few_behind(cache: Path) -> None:
    root, now = cache / "hipify-py", time.time()
    for number in range(12):
        (root / f"decls-{number}").mkdir(parents=True)
        os.utime(root / f"decls-{number}", (now, now - (number + 25) * 3600))
    (root / "decls-today").mkdir()
    parse(b"int x;")
    left = {path.name for path in root.iterdir() if path.name.startswith("decls-") and len(path.name) < 12}
    assert left == {"decls-today", *(f"decls-{number}" for number in range(7))}
