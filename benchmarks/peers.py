"""The other tools, where they are installed: named by the environment, else left out and said so."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.timing import Command

PERL, CLANG, TORCH = "hipify-perl", "hipify-clang", "hipify_torch"
TORCH_READS = (".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".in", ".hpp")
VARIABLES = {PERL: "HIPIFY_PERL", CLANG: "HIPIFY_CLANG", TORCH: "HIPIFY_TORCH"}


def place(peer: str) -> str:
    """Where a peer is; '' when it is not here."""
    found = os.environ.get(VARIABLES[peer], "")
    return found if found and Path(found).exists() else ""


def state() -> dict[str, str]:
    """Each peer, and why it is left out ('' when it is measured)."""
    told: dict[str, str] = {}
    for peer, variable in VARIABLES.items():
        given = os.environ.get(variable, "")
        told[peer] = "" if place(peer) else f"left out: {variable}={given} is no file" if given else (
            f"left out: {variable} is not set")  # fmt: skip
    return told


def on_files(peer: str, files: Sequence[Path], runs: int = 0) -> list[Command]:
    """A peer that takes files, over some of them in one process; nothing when it is not here."""
    if not (where := place(peer)):
        return []
    names = [str(path) for path in files]
    start = ["perl", where] if peer == PERL else [where]
    rest = ["--", "-std=c++17"] if peer == CLANG else []
    return [Command(peer, [*start, *names, *rest], statuses=tuple(range(256)), runs=runs)]


def torch_on(tree: Path, out: Path, runs: int = 0) -> list[Command]:
    """PyTorch's hipify over a tree, on one core; nothing when it is not here."""
    if not (where := place(TORCH)):
        return []
    folders = ["--project-directory", str(tree), "--output-directory", str(out / "torch")]
    dump = ["--dump-dict-file", str(out / "torch.json")]

    def clear() -> None:
        shutil.rmtree(out / "torch", ignore_errors=True)

    return [
        Command(
            TORCH, [sys.executable, where, "--v2", *folders, *dump], cores=1, before=clear, statuses=(0,), runs=runs
        )
    ]
