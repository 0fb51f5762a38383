"""Build every packed program twice, as CUDA and as HIP for the NVIDIA platform; run both; compare what they print.

Standard library only: this file travels in the pack made by benchmarks.nvidia_platform to a bare machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HIP_FLAGS = ("-D__HIP_PLATFORM_NVIDIA__=1", "-I{pack}/include")
NVCC_FLAGS = ("--extended-lambda", "--expt-relaxed-constexpr", "-w")
TOLERANCE = 1e-3
# What a program's own check says, and lines that differ between any two runs: time, speed, addresses, free memory.
_WORDS = re.compile(
    r"\b(?:un|not? |in)?(?:pass(?:ed)?|fail(?:ed|ure)?|success(?:ful(?:ly)?)?|correct|mismatch(?:es)?|match(?:es|ed)?"
    r"|verified|wrong|error|ok)\b",
    re.IGNORECASE,
)
_TIMING = re.compile(
    r"\btime\b|timing|elapsed|second|\bsec\b|[0-9. ()]m?[unμ]?s\b|\b[KMGT]i?B/s|flop|bandwidth|throughput|per run|"
    r"speed|\brate\b|\btook\b|cycles|latency|performance|\bfps\b|clock|duration|\b[kMG]?ops\b|\bHz\b|/s\b|0x[0-9a-f]{6,}"
    r"|\b[KMG]i?B free\b|\bfree = ",
    re.IGNORECASE,
)
_NO_INPUT = re.compile(
    r"(?:(?:can ?not|can't|could ?n.?.?t|unable|fail\w*|error).{0,20}(?:open|read|find)|bad file|no such file"
    r"|file\b.*\b(?:missing|not exist)|^\s*usage:?\s+\S*main)",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\b(?:nan|inf)\b", re.IGNORECASE)


class Step:
    """What a command did: its exit status (None when it ran out of time) and what it printed."""

    def __init__(self, status: int | None, text: str) -> None:
        self.status = status
        self.text = text


def call(command: Sequence[str], folder: Path, limit: float) -> Step:
    """Run a command in a process group of its own, so that nothing outlives its time limit."""
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=os.environ | {"OMP_NUM_THREADS": "4"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return Step(127, str(error))
        try:
            status: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = None
        output.seek(0)
        return Step(status, output.read(2_000_000).decode(errors="replace"))


def outline(text: str) -> tuple[list[str], list[str]]:
    """The verdict words of an output, and its lines without those that speak of time."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    words = [word.upper() for word in _WORDS.findall("\n".join(lines))]
    return words, [line for line in lines if line and not _TIMING.search(line)]


def same_line(left: str, right: str) -> bool:
    """Whether two lines say the same, numbers within the tolerance."""
    if left == right:
        return True
    if _NUMBER.sub("#", left) != _NUMBER.sub("#", right):
        return False
    pairs = zip(_NUMBER.findall(left), _NUMBER.findall(right), strict=True)
    return all(a == b or abs(float(a) - float(b)) <= TOLERANCE * max(abs(float(a)), abs(float(b))) for a, b in pairs)


def differing(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """The lines that two outputs do not share, in order, as `original ≠ translation`."""
    if len(left) != len(right):
        return [f"{len(left)} lines ≠ {len(right)} lines"]
    return [f"{a} ≠ {b}" for a, b in zip(left, right, strict=True) if not same_line(a, b)]


def judge(cuda: Sequence[Step], hip: Sequence[Step], again: Callable[[], Sequence[Step]]) -> dict[str, Any]:
    """What two runs of one program say of its translation; `again` runs the original once more where they differ."""
    words, lines = outline("\n".join(step.text for step in cuda))
    hip_words, hip_lines = outline("\n".join(step.text for step in hip))
    status, hip_status = [step.status for step in cuda], [step.status for step in hip]
    numbers = sum(len(_NUMBER.findall(line)) for line in lines)
    row: dict[str, Any] = {"status": status, "words": words[:40], "numbers": numbers}
    if None in status:
        return row | {"verdict": "original runs out of time"}
    if any(status) or any(_NO_INPUT.search(step.text) for step in cuda):
        return row | {"verdict": "original does not run", "note": " / ".join(lines[-3:])[:300]}
    if hip_status != status:
        return row | {"verdict": "different", "note": f"exit {hip_status}: {' / '.join(hip_lines[-3:])}"[:300]}
    if not words and not numbers:
        return row | {"verdict": "runs, but prints nothing but times"}
    faults = differing(lines, hip_lines) + ([] if words == hip_words else [f"{words[:9]} ≠ {hip_words[:9]}"])
    if not faults:
        return row | {"verdict": "same output"}
    row["note"] = "; ".join(faults[:6])[:1000]
    own = differing(lines, outline("\n".join(step.text for step in again()))[1])
    if words == hip_words and own:
        return row | {"verdict": "same verdict, output varies from run to run", "itself": "; ".join(own[:6])[:1000]}
    return row | {"verdict": "different"}


class Runner:
    """Both versions of every program of a pack."""

    def __init__(self, pack: Path, work: Path, options: argparse.Namespace) -> None:
        self.pack = pack
        self.work = work
        self.options = options
        self.gpu = threading.BoundedSemaphore(options.gpu_jobs)
        self.hip_flags = [flag.format(pack=pack) for flag in HIP_FLAGS]
        shutil.copytree(pack / "src", work / "cuda")
        shutil.copytree(pack / "src", work / "hip")
        shutil.copytree(pack / "hip", work / "hip", dirs_exist_ok=True)

    def program(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Build, run and compare one program."""
        row: dict[str, Any] = {"name": entry["name"]}
        if fault := self._build(entry, "cuda"):
            return row | {"verdict": "original does not build", "note": fault}
        if fault := self._build(entry, "hip"):
            return row | {"verdict": "translation does not build", "note": fault}
        if self.options.build_only:
            return row | {"verdict": "both build"}
        return row | self._compare(entry)

    def _build(self, entry: dict[str, Any], side: str) -> str:
        """Build one side; the first error when that fails."""
        folder = self.work / side / entry["folder"]
        for command in entry["build"]:
            words = list(command)
            compiler = Path(words[0]).name in {"nvcc", "g++", "gcc", "c++"}
            if side == "hip" and compiler:
                words += self.hip_flags
            if Path(words[0]).name == "nvcc":
                words += NVCC_FLAGS if side == "hip" else ["-w"]
            elif compiler:
                words += [f"-I{self.options.cuda}/include", f"-L{self.options.cuda}/lib64"]
            step = call(words, folder, self.options.build_limit)
            if step.status != 0:
                errors = [line for line in step.text.splitlines() if "error" in line or "undefined" in line]
                return (errors or step.text.splitlines() or ["time limit"])[0].replace(str(self.work), "")[:300]
        return ""

    def _run(self, entry: dict[str, Any], side: str) -> list[Step]:
        with self.gpu:
            folder = self.work / side / entry["folder"]
            return [call(command, folder, self.options.limit) for command in entry["run"]]

    def _compare(self, entry: dict[str, Any]) -> dict[str, Any]:
        cuda, hip = self._run(entry, "cuda"), self._run(entry, "hip")
        if self.options.keep:
            for side, steps in (("cuda", cuda), ("hip", hip)):
                text = "".join(f"{step.text[:8000]}\n[exit {step.status}]\n" for step in steps)
                (self.options.keep / f"{entry['name']}.{side}").write_text(text)
        run = [" ".join(command[1:]) for command in entry["run"]]
        return {"run": run} | judge(cuda, hip, lambda: self._run(entry, "cuda"))


def main(argv: Sequence[str] | None = None) -> int:
    """Work through the pack; every result is written as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", help="names of programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 4)
    parser.add_argument("--gpu-jobs", type=int, default=6)
    parser.add_argument("--limit", type=float, default=60, help="seconds that one run may take")
    parser.add_argument("--build-limit", type=float, default=180)
    parser.add_argument("--deadline", type=float, default=530, help="start nothing after that many seconds")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder to keep what the programs print")
    parser.add_argument("--cuda", default="/usr/local/cuda")
    options = parser.parse_args(argv)
    started, lock = time.monotonic(), threading.Lock()
    entries = json.loads((options.pack / "manifest.json").read_text())["programs"]
    entries = [entry for entry in entries if not options.only or entry["name"] in options.only]
    with tempfile.TemporaryDirectory() as folder, options.out.open("w") as out:
        runner = Runner(options.pack.resolve(), Path(folder), options)

        def work(entry: dict[str, Any]) -> None:
            if time.monotonic() - started > options.deadline:
                return
            try:
                row = runner.program(entry)
            except Exception as error:
                row = {"name": entry["name"], "verdict": "not judged", "note": repr(error)}
            row["at"] = round(time.monotonic() - started)
            with lock:
                out.write(json.dumps(row) + "\n")
                out.flush()
                print(f"{row['at']:4} {row['name']}: {row['verdict']}", flush=True)

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(work, entries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
