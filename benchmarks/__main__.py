"""Measure a single file, a long file and the rules alone, with peers beside us where they are given.

usage: python -m benchmarks [--tree FOLDER] [--json FILE]

Peers come from the environment and are left out, and said to be, when they are not there:
HIPIFY_PERL (the script), HIPIFY_CLANG (the program), HIPIFY_TORCH (its hipify_cli.py).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".c")
OURS = (sys.executable, "-m", "hipify")


def cpu_seconds(command: Sequence[str], runs: int) -> float:
    """Median CPU seconds (user and system, children included) of a command, from start to end."""
    seconds = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds)


def peak_megabytes(command: Sequence[str]) -> float:
    """Peak resident memory of a command in MB, as the kernel counts it for a process of its own."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=-3, stderr=-3);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024


def long_file(folder: Path, lines: int) -> Path:
    """A CUDA file of that many lines: kernels, launches and API calls over and over."""
    unit = (
        "__global__ void kernel_{0}(float* x, int n) {{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) x[i] *= 2.0f;  // cudaMalloc\n}}\nvoid host_{0}(float* x, int n, cudaStream_t s) {{\n"
        "    cudaMalloc((void**)&x, n * sizeof(float));\n    kernel_{0}<<<(n + 255) / 256, 256, 0, s>>>(x, n);\n"
        '    if (cudaStreamSynchronize(s) != cudaSuccess) printf("cudaFree");\n    cudaFree(x);\n}}\n'
    )
    path = folder / f"long_{lines}.cu"
    path.write_text("#include <cuda_runtime.h>\n" + "".join(unit.format(i) for i in range(lines // 10)))
    return path


def single(path: Path) -> dict[str, float]:
    """One file in a process of its own, beside the peers and the import of what we stand on."""
    found = {
        "hipify-py": cpu_seconds([*OURS, str(path)], 9),
        "hipify-py --no-clang": cpu_seconds([*OURS, "--no-clang", str(path)], 9),
        "import clang.cindex, rich.console": cpu_seconds(
            [sys.executable, "-c", "import clang.cindex, rich.console"], 9
        ),
        "hipify-py --help": cpu_seconds([*OURS, "--help"], 9),
    }
    if script := os.environ.get("HIPIFY_PERL"):
        found["hipify-perl"] = cpu_seconds(["perl", script, str(path)], 3)
    if program := os.environ.get("HIPIFY_CLANG"):
        found["hipify-clang"] = cpu_seconds([program, str(path), "-o", os.devnull], 3)
    return found


def throughput(files: Sequence[Path], clang: bool) -> dict[str, float]:
    """Translate files in this process: MB a second of CPU."""
    import hipify

    options = hipify.Options(clang=clang)
    sources = [(path.read_bytes(), str(path)) for path in files]
    hipify.translate_source(*sources[0], options)
    started = time.process_time()
    for data, path in sources:
        hipify.translate_source(data, path, options)
    seconds = time.process_time() - started
    size = sum(len(data) for data, _ in sources) / 1e6
    return {"files": len(sources), "MB": size, "seconds": seconds, "MB/s": size / seconds}


def torch_seconds(tree: Path) -> float | None:
    """CPU seconds of PyTorch's hipify over a folder, when it is there."""
    script = os.environ.get("HIPIFY_TORCH")
    if not script:
        return None
    with tempfile.TemporaryDirectory() as out:
        folders = ["--project-directory", str(tree), "--output-directory", f"{out}/o"]
        return cpu_seconds([sys.executable, script, "--v2", *folders], 1)


def measure(tree: Path) -> dict[str, object]:
    """All measurements."""
    files = sorted(p for p in tree.rglob("*") if p.suffix in SUFFIXES and p.is_file())
    sizes = [(p, p.read_bytes().count(b"\n")) for p in files if p.suffix == ".cu"]
    middle = min(sizes, key=lambda item: abs(item[1] - 160))[0]
    with tempfile.TemporaryDirectory() as name:
        half, whole = long_file(Path(name), 50_000), long_file(Path(name), 100_000)
        long = {
            "50,000 lines": cpu_seconds([*OURS, str(half)], 3),
            "100,000 lines": cpu_seconds([*OURS, str(whole)], 3),
            "100,000 lines --no-clang": cpu_seconds([*OURS, "--no-clang", str(whole)], 3),
            "peak MB": peak_megabytes([*OURS, str(whole)]),
        }
    return {
        "machine": f"{platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores",
        "single file": single(middle),
        "long file": long,
        "tree, default": throughput(files, clang=True),
        "tree, --no-clang": throughput(files, clang=False),
        "tree, hipify_torch seconds": torch_seconds(tree),
    }


def show(results: dict[str, object]) -> None:
    """The measurements as plain lines, with the ratios that the targets name."""
    for title, values in results.items():
        if not isinstance(values, dict):
            print(f"{title}: {'not here, left out' if values is None else values}")
            continue
        print(title)
        base = next(iter(values.values()))
        for name, value in values.items():
            ratio = f"  ({value / base:.2f} of the first)" if title in ("single file", "long file") else ""
            print(f"  {name:<36} {value:10.3f}{ratio}")
    for peer in ("PERL", "CLANG", "TORCH"):
        if not os.environ.get(f"HIPIFY_{peer}"):
            print(f"hipify-{peer.lower()}: HIPIFY_{peer} is not set, left out")


def main() -> int:
    """Measure, print, and write the JSON file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=ROOT / "corpus", help="folder of CUDA sources (default: corpus)")
    parser.add_argument("--json", type=Path, help="write the measurements to this file")
    arguments = parser.parse_args()
    results = measure(arguments.tree)
    show(results)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
