"""The precompiled CUDA declarations in the user's cache: made once, shared by all runs, rebuilt on any change."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os

from hipify import user_cache
from hipify.fingerprints import fingerprint, listed
from hipify.parser import libclang_fast as fast
from hipify.parser.libclang_fast import LibClang
from hipify.parser.toolchain import system_include_dirs
from hipify.records import NamedTuple

_PACKAGE = os.path.dirname(__file__)
_FOLDERS = (f"{os.path.dirname(_PACKAGE)}/rules/apis", f"{_PACKAGE}/cuda_decls")
_MAKERS = ("declarations.py", "declared_types.py", "pch.py", "pch_files.py", "toolchain.py")
# Without a CUDA installation clang takes CUDA for one whose device code knows no variadic functions.
_VARIADIC = ("-Xclang", "-fcuda-allow-variadic-functions")
LANGUAGE = ("-xcuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-nostdinc", "-nostdinc++", *_VARIADIC)
QUIET = ("-ferror-limit=0", "-w", "-fno-spell-checking", "-fdeclspec", "-Wno-register", "-fno-caret-diagnostics")


class Prepared(NamedTuple):
    """What a parse needs: the stub headers' folder, the declarations, and their precompiled form ('' when none)."""

    folder: str
    header: str
    precompiled: str


POINTERS = "-DHIPIFY_POINTERS"
"""Declares what is an integer in CUDA and a pointer in HIP as the pointer."""


@functools.cache
def prepare(std: str, cuda_version: str, flag: str = "") -> Prepared | None:
    """The declarations for one language standard and CUDA version; None when nothing can be written anywhere."""
    clang = fast.load()
    if clang is None:
        return None
    for root in (user_cache.folder, _private_root):
        try:
            return _in_root(root(), clang, std, cuda_version, flag)
        except OSError:
            continue
    return None


def discard(prepared: Prepared) -> None:
    """Remove a precompiled file that libclang refused, so that the next call builds it anew."""
    with contextlib.suppress(OSError):
        os.unlink(prepared.precompiled or prepared.header)
    prepare.cache_clear()


@functools.cache
def _private_root() -> str:
    """A folder for this process alone, for machines whose cache cannot be written."""
    import shutil
    import tempfile  # only needed when the cache is cold

    folder = os.path.abspath(tempfile.mkdtemp(prefix="hipify-py-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def declarations_key() -> str:
    """A name for everything that the declarations are made from."""
    found = [*listed(_FOLDERS[0]), *listed(_FOLDERS[1]), *(item for item in listed(_PACKAGE) if item[0] in _MAKERS)]
    # Without the folders: installations of one release share what they make.
    state = [f"{name}{known.removeprefix(path)}" for name, path, known in found if known]
    return fingerprint(";".join([*state, *system_include_dirs()]).encode())


def base_arguments(folder: str, std: str) -> list[str]:
    """The arguments that a precompiled file and every parse that uses it share."""
    args = [*LANGUAGE, *QUIET, f"-std={std}", f"-I{folder}/stubs"]
    dirs = system_include_dirs()
    return [*args, *(f"-isystem{path}" for path in dirs or (f"{folder}/std",))]


def _in_root(root: str, clang: LibClang, std: str, cuda_version: str, flag: str) -> Prepared:
    folder = f"{root}/decls-{declarations_key()}"
    header = f"{folder}/cuda-{cuda_version}.h"
    # A precompiled file holds where its source lay: in a cache that was moved it would answer wrongly.
    key = fingerprint(f"{clang.version};{std};{cuda_version}{flag};{folder}".encode("utf-8", "surrogateescape"))
    precompiled = f"{folder}/{key}.pch"
    if not all(map(os.path.exists, (f"{folder}/complete", header, precompiled))):
        from hipify.parser import pch_files

        now = ("-Xclang", "-fpch-instantiate-templates")  # what the parses that look into templates would do each time
        arguments = [*base_arguments(folder, std), *((flag, *now) if flag else ())]
        pch_files.make(clang, header, precompiled, arguments, cuda_version)
    return Prepared(folder, header, precompiled if os.path.exists(precompiled) else "")
