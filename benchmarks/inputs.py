"""What is measured on: sources copied out of a tree, a long file, and many generated ones."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

SUFFIXES = frozenset((".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".c", ".inl", ".inc"))
_SMALL = 200

_UNIT = """\
__global__ void kernel_{0}(float* x, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f;  // cudaMalloc
}}
void host_{0}(float* x, int n, cudaStream_t s) {{
    cudaMalloc((void**)&x, n * sizeof(float));
    kernel_{0}<<<(n + 255) / 256, 256, 0, s>>>(x, n);
    if (cudaStreamSynchronize(s) != cudaSuccess) printf("cudaFree");
    cudaFree(x);
}}
"""


def copy_sources(tree: Path, only: Sequence[str], target: Path) -> Path:
    """The sources of a tree (of its folders that fit one of `only`, when given), and nothing else of it."""
    roots = sorted({folder for pattern in only for folder in tree.glob(pattern)}) if only else [tree]
    for root in roots:
        for path in sorted(root.rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                copy = target / path.relative_to(tree)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    return target


def readable_copy(tree: Path, target: Path) -> tuple[Path, int]:
    """The files of a tree that are UTF-8, and how many are not."""
    left_out = 0
    for path in sorted(tree.rglob("*")):
        if path.is_file():
            try:
                path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                left_out += 1
                continue
            copy = target / path.relative_to(tree)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    return target, left_out


class Edited:
    """A file with another comment at its end each time, as one that somebody is at work on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._text = path.read_bytes()
        self._number = 0

    def again(self) -> None:
        """Change the file."""
        self._number += 1
        self.path.write_bytes(b"%s\n// %d\n" % (self._text, self._number))


def small_file(tree: Path) -> Path:
    """The CUDA file of a tree with kernel launches that is nearest to 200 lines: one that clang has to look at."""
    files = [path for path in sorted(tree.rglob("*.cu")) if b"<<<" in path.read_bytes()]
    if not files:
        raise FileNotFoundError(f"{tree}: holds no .cu file with a launch")
    return min(files, key=lambda path: abs(path.read_bytes().count(b"\n") - _SMALL))


def spread(files: Sequence[Path], number: int) -> list[Path]:
    """A few files out of many, from everywhere by size."""
    ordered = sorted(files, key=lambda path: (path.stat().st_size, str(path)))
    number = min(number, len(ordered))
    return [ordered[(2 * i + 1) * len(ordered) // (2 * number)] for i in range(number)]


def long_file(folder: Path, lines: int) -> Path:
    """A CUDA file of that many lines: kernels, launches and API calls over and over."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"long_{lines}.cu"
    path.write_text("#include <cuda_runtime.h>\n" + "".join(_UNIT.format(i) for i in range(lines // 10)))
    return path


def with_texts(files: Sequence[Path], folder: Path) -> Path:
    """A project of some sources, with a text of 100 KB beside each: what a conversion translates and what it copies."""
    for number, path in enumerate(files):
        place = folder / f"part_{number}"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place / path.name)
        (place / "data.txt").write_text("".join(f"{number} {line * line % 9973}\n" for line in range(10_000)))
    return folder


def many_files(folder: Path, number: int) -> Path:
    """A project of that many small CUDA files, no two alike."""
    for i in range(number):
        path = folder / f"part_{i // 100}" / f"file_{i}.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#include <cuda_runtime.h>\n" + "".join(_UNIT.format(10 * i + j) for j in range(1 + i % 3)))
    return folder
