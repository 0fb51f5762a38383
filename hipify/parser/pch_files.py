"""Make the files that parses need in the user's cache: empty headers, our declarations, and their precompiled form.

Reached only when the cache is cold.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from hipify import user_cache
from hipify.parser import libclang_fast as fast
from hipify.parser.declarations import declarations
from hipify.parser.libclang_fast import LibClang
from hipify.parser.toolchain import system_include_dirs
from hipify.rules.library import Library

_TABLES = Path(__file__).parents[1] / "rules" / "apis"
_DECLS = Path(__file__).parent / "cuda_decls"
_DAY = 24 * 3600
_OLD_SECONDS = 30 * _DAY
_FEW = 8
_SPACE = 128 << 20
"""Free bytes to write a precompiled file, of 23 MB now, beside those of other processes."""
# clang knows some of what these declare as host functions already.
_HOST_FIRST = "#if __has_include(<exception>)\n#include <new>\n#include <exception>\n#endif"


def make(clang: LibClang, header: str, precompiled: str, arguments: list[str], cuda_version: str) -> None:
    """Make what is missing of a folder of headers, the declarations in it, and their precompiled form."""
    folder = Path(header).parent
    if not (folder / "complete").exists():
        _write_headers(folder.parent, folder)
    if not Path(header).exists():
        user_cache.write(header, _header_text(cuda_version).encode())
    if not Path(precompiled).exists():
        _build(clang, header, Path(precompiled), arguments)


def _header_text(cuda_version: str) -> str:
    found = bool(system_include_dirs())
    parts = [
        "#pragma once",
        _HOST_FIRST if found else "",
        "#pragma clang force_cuda_host_device begin",  # as nvcc does with the functions of C
        _std_includes() if found else "#include <hipify_std.h>",
        "#pragma clang force_cuda_host_device end",
        declarations(Library.default(), cuda_version),
        (_DECLS / "warm").read_text() if found else "",
    ]
    return "\n".join(parts)


def _std_includes() -> str:
    names = _names("std_headers.txt")
    return "\n".join(f"#if __has_include(<{name}>)\n#include <{name}>\n#endif" for name in names)


def _write_headers(root: Path, folder: Path) -> None:
    """The folder of empty CUDA headers, and of minimal standard ones for machines that have none."""
    root.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="new-", dir=root))
    try:
        tables = (_TABLES / "headers.tsv").read_text().splitlines()[1:]
        for name in [*(row.split("\t", 1)[0] for row in tables), *_names("empty_headers.txt")]:
            _touch(work / "stubs" / name, b"")
        minimal = (_DECLS / "ministd").read_bytes()
        _touch(work / "std" / "hipify_std.h", minimal)
        for name in _names("std_headers.txt"):
            _touch(work / "std" / name, b"")
        _touch(work / "complete", b"")
        os.rename(work, folder)
        _prune(root, folder)
    except OSError:
        shutil.rmtree(work, ignore_errors=True)
        if not (folder / "complete").exists():
            raise


def _prune(root: Path, keep: Path) -> None:
    """Remove what older versions left in the cache, once nobody can be using it any more; a few stay longer."""
    others = []
    for path in root.iterdir():
        if path != keep and path.name.startswith(("decls-", "new-")):
            with contextlib.suppress(OSError):
                others.append((path.stat().st_mtime, path))
    now = time.time()
    for place, (made, path) in enumerate(sorted(others, reverse=True)):
        if now - made > (_OLD_SECONDS if place < _FEW else _DAY):
            shutil.rmtree(path, ignore_errors=True)


def _names(file: str) -> list[str]:
    return (_DECLS / file).read_text().split()


def _touch(path: Path, data: bytes) -> None:
    if ".." not in path.parts:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _forget_unfinished(folder: Path) -> None:
    """Remove what processes that were killed left."""
    before = time.time() - _DAY
    for path in folder.glob("tmp*"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < before:
                path.unlink()


def _build(clang: LibClang, header: str, target: Path, args: list[str]) -> None:
    """Precompile the declarations; leaves nothing behind when libclang cannot, and where there is little space.

    libclang ends the process when a disk is full.
    """
    _forget_unfinished(target.parent)
    if shutil.disk_usage(target.parent).free < _SPACE:
        return
    options = fast.PARSE_DETAILED_RECORD | fast.PARSE_INCOMPLETE | fast.PARSE_FOR_SERIALIZATION | fast.PARSE_KEEP_GOING
    index = clang.clang_createIndex(0, 0)
    raw = [os.fsencode(arg) for arg in (*args, "-Xclang", "-fallow-pch-with-compiler-errors")]
    unit = clang.parse(index, os.fsencode(header), raw, None, options)
    try:
        if unit is None:
            return
        handle, name = tempfile.mkstemp(dir=target.parent)
        os.close(handle)
        if clang.clang_saveTranslationUnit(unit, os.fsencode(name), 0) == 0:
            Path(name).replace(target)
        else:
            Path(name).unlink()
    finally:
        if unit is not None:
            clang.clang_disposeTranslationUnit(unit)
        clang.clang_disposeIndex(index)
