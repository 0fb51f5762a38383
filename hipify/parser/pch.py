"""The precompiled CUDA declarations in the user's cache: made once, shared by all runs, rebuilt on any change."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import time
from pathlib import Path
from typing import NamedTuple

from hipify import user_cache
from hipify.fingerprints import fingerprint
from hipify.parser import libclang_fast as fast
from hipify.parser.libclang_fast import LibClang
from hipify.parser.toolchain import system_include_dirs

_PACKAGE = Path(__file__).parent
_TABLES = _PACKAGE.parent / "rules" / "apis"
_OLD_SECONDS = 30 * 24 * 3600
_DECLS = _PACKAGE / "cuda_decls"
# clang knows some of what these declare as host functions already.
_HOST_FIRST = "#if __has_include(<exception>)\n#include <new>\n#include <exception>\n#endif"
_MAKERS = ("declarations.py", "declared_types.py", "pch.py", "toolchain.py")
# Without a CUDA installation clang takes CUDA for one whose device code knows no variadic functions.
_VARIADIC = ("-Xclang", "-fcuda-allow-variadic-functions")
LANGUAGE = ("-xcuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-nostdinc", "-nostdinc++", *_VARIADIC)
QUIET = ("-ferror-limit=0", "-w", "-fno-spell-checking", "-fdeclspec", "-Wno-register", "-fno-caret-diagnostics")


class Prepared(NamedTuple):
    """What a parse needs: the stub headers' folder, the declarations, and their precompiled form ('' when none)."""

    folder: str
    header: str
    precompiled: str


def cache_root() -> Path:
    """The user's cache folder of hipify-py."""
    return Path(user_cache.folder())


@functools.cache
def prepare(std: str, cuda_version: str) -> Prepared | None:
    """The declarations for one language standard and CUDA version; None when nothing can be written anywhere."""
    clang = fast.load()
    if clang is None:
        return None
    for root in (cache_root, _private_root):
        try:
            return _in_root(root(), clang, std, cuda_version)
        except OSError:
            continue
    return None


def discard(prepared: Prepared) -> None:
    """Remove a precompiled file that libclang refused, so that the next call builds it anew."""
    with contextlib.suppress(OSError):
        Path(prepared.precompiled or prepared.header).unlink(missing_ok=True)
    prepare.cache_clear()


@functools.cache
def _private_root() -> Path:
    """A folder for this process alone, for machines whose cache cannot be written."""
    import shutil
    import tempfile  # only needed when the cache is cold

    folder = tempfile.mkdtemp(prefix="hipify-py-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@functools.cache
def declarations_key() -> str:
    """A name for everything that the declarations are made from."""
    state = []
    sources = [*sorted(_TABLES.glob("*.tsv")), *sorted((_DECLS).glob("*"))]
    for path in [*sources, *(_PACKAGE / name for name in _MAKERS)]:
        stat = path.stat()
        state.append(f"{path.name}:{stat.st_size}:{stat.st_mtime_ns}")
    return fingerprint(";".join([*state, *system_include_dirs()]).encode())


def base_arguments(folder: str, std: str) -> list[str]:
    """The arguments that a precompiled file and every parse that uses it share."""
    args = [*LANGUAGE, *QUIET, f"-std={std}", f"-I{folder}/stubs"]
    dirs = system_include_dirs()
    return [*args, *(f"-isystem{path}" for path in dirs or (f"{folder}/std",))]


def _in_root(root: Path, clang: LibClang, std: str, cuda_version: str) -> Prepared:
    folder = root / f"decls-{declarations_key()}"
    if not (folder / "complete").exists():
        _write_headers(root, folder)
    header = folder / f"cuda-{cuda_version}.h"
    if not header.exists():
        user_cache.write(str(header), _header_text(cuda_version).encode())
    key = fingerprint(f"{clang.version};{std};{cuda_version}".encode())
    precompiled = folder / f"{key}.pch"
    if not precompiled.exists():
        _build(clang, header, precompiled, base_arguments(str(folder), std))
    return Prepared(str(folder), str(header), str(precompiled) if precompiled.exists() else "")


def _header_text(cuda_version: str) -> str:
    from hipify.parser.declarations import declarations
    from hipify.rules.library import Library

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
    import shutil
    import tempfile  # only needed when the cache is cold

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
        os.rename(work, folder)  # noqa: PTH104
        _prune(root, folder)
    except OSError:
        shutil.rmtree(work, ignore_errors=True)
        if not (folder / "complete").exists():
            raise


def _prune(root: Path, keep: Path) -> None:
    """Remove what older versions left in the cache, once nobody can be using it any more."""
    import shutil  # only needed when the cache is cold

    for path in root.iterdir():
        if path != keep and path.name.startswith(("decls-", "new-")):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _OLD_SECONDS:
                    shutil.rmtree(path, ignore_errors=True)


def _names(file: str) -> list[str]:
    return (_DECLS / file).read_text().split()


def _touch(path: Path, data: bytes) -> None:
    if ".." not in path.parts:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _build(clang: LibClang, header: Path, target: Path, args: list[str]) -> None:
    """Precompile the declarations; leaves nothing behind when libclang cannot."""
    import tempfile  # only needed when the cache is cold

    options = fast.PARSE_DETAILED_RECORD | fast.PARSE_INCOMPLETE | fast.PARSE_FOR_SERIALIZATION | fast.PARSE_KEEP_GOING
    index = clang.clang_createIndex(0, 0)
    raw = [arg.encode() for arg in (*args, "-Xclang", "-fallow-pch-with-compiler-errors")]
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
