"""What the builds of a converted tree must say that those of its CUDA version need not: HIP's headers ask for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from hipify.model import Options
from hipify.project.includes import Includes
from hipify.project.kinds import includes_of, is_c_family, uses_warps
from hipify.project.tree import Kind, Tree

PLATFORM = "__HIP_PLATFORM_AMD__"
"""HIP's headers refuse to be read without it; hipcc and CMake's HIP language define it by themselves."""

_HOST_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C")
_SOLVER = (b"cusolver", b"hipsolver")


def hosts(tree: Tree, includes: Includes) -> tuple[str, ...]:
    """The sources for a host compiler that read HIP's headers, by themselves or through headers of the project."""
    from hipify.rules.library import Library

    library = Library.default()
    known: dict[bytes, bool] = {}

    def is_api(name: bytes) -> bool:
        if name not in known:
            known[name] = name.startswith(b"hip/") or library.header(name) is not None
        return known[name]

    todo = [e.path for e in tree.entries if any(is_api(name) for _, name in e.includes)]
    found = set(todo)
    includers = includes.includers() if todo else {}
    while todo:
        for path in includers.get(todo.pop(), ()):
            if path not in found:
                found.add(path)
                todo.append(path)
    return tuple(sorted(path for path in found if path.endswith(_HOST_SOURCES)))


def defines(tree: Tree, options: Options) -> tuple[str, ...]:
    """The macros that the release's headers want before they declare what the tree's sources use.

    `hipify-py build` gives the same to the compiler.
    """
    sources = [entry for entry in tree.entries if entry.kind is Kind.CUDA]
    return wanted(
        options.target,
        warps=any(entry.warps for entry in sources),
        solver=any(name.lower().startswith(_SOLVER) for entry in sources for _, name in entry.includes),
    )


def wanted(target: str, *, warps: bool, solver: bool) -> tuple[str, ...]:
    """The macros for a release, when sources use warp built-ins with masks, and cuSOLVER."""
    if target.startswith("6.") and warps:
        return ("HIP_ENABLE_WARP_SYNC_BUILTINS",)
    return ("HIPSOLVER_USE_HIPBLAS_ENUMS",) if target.startswith("5.") and solver else ()


def defines_for(names: Iterable[str], target: str) -> tuple[str, ...]:
    """The same for the sources among the words of one command, those that can be read."""
    texts = []
    for name in names:
        if is_c_family(name) and (path := Path(name)).is_file():
            with contextlib.suppress(OSError):
                texts.append(path.read_bytes())
    headers = [name.lower() for text in texts for _, name in includes_of(text)]
    return wanted(target, warps=any(map(uses_warps, texts)), solver=any(n.startswith(_SOLVER) for n in headers))


def near(paths: Sequence[str], folder: str, has_sources: bool) -> tuple[str, ...]:
    """The paths that a build file in a folder has to do with: below it, or below its parent when it holds no source."""
    if not has_sources:
        folder = folder.rpartition("/")[0]
    return tuple(path for path in paths if not folder or path.startswith(f"{folder}/"))


def options_for(names: Iterable[str]) -> list[str]:
    """Macros as options of a compiler."""
    return [f"-D{name}" for name in names]
