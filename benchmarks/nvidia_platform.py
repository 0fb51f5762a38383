"""Prove translations on an NVIDIA GPU: the same program, as CUDA and as HIP through HIP's NVIDIA platform.

usage: python -m benchmarks.nvidia_platform prepare PACK --hip-include DIR [--names FILE] [--corpus DIR] FOLDER...
       python3 PACK/nvidia_runner.py PACK --out RESULTS.jsonl        (on the machine with the GPU; no network, no venv)
       python -m benchmarks.nvidia_platform table RESULTS.jsonl... > TABLE.md

A program is a folder with a Makefile whose `run` target says how to start it. `prepare` translates it and packs both
versions with their build and run commands; the runner beside this file builds, runs and compares.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import hipify
from hipify.build.nvidia import OVERLAY, PRELUDE, are_older
from hipify.model import Options
from hipify.pipeline import translate

SOURCES = (".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".c", ".inl", ".inc")
ARCH = "sm_90"
HELPERS = Path(hipify.__file__).with_name("include")
RUNNER = Path(__file__).with_name("nvidia_runner.py")
# A repeat count is for timing only; it is cut so that many programs fit in a short lease.
_REPEAT = re.compile(r"\b\w*(?:repeat|nrep|num_runs|numruns|n_runs)\w*\s*=\s*(?:std::)?(?:ato\w+|sto\w+|strto\w+)\s*"
                     r"\(\s*argv\[(\d+)\]", re.IGNORECASE)  # fmt: skip
_SHELL = re.compile(r"[;&|<>`$]")
_QUOTED = re.compile(r"'[^']*'|\"[^\"`$]*\"")
_BESIDE = re.compile(rb"\.\./([A-Za-z0-9][\w.+-]*)")


def prepare(arguments: argparse.Namespace) -> int:
    """Pack the programs named, both versions, with everything that the runner needs."""
    pack: Path = arguments.pack
    shutil.rmtree(pack, ignore_errors=True)
    (pack / "src").mkdir(parents=True)
    shutil.copytree(arguments.hip_include, pack / "include", symlinks=False, ignore_dangling_symlinks=True)
    for extra in arguments.include:
        shutil.copytree(extra, pack / "include" / extra.name, symlinks=False, ignore_dangling_symlinks=True)
    _mend_headers(pack / "include")
    shutil.copy(RUNNER, pack)
    given = _given_runs(arguments.runs) if arguments.runs else {}
    entries: list[dict[str, Any]] = []
    for folder in _folders(arguments):
        if _kilobytes(folder) > arguments.largest:
            print(f"{folder.name}: left out, larger than {arguments.largest} kB", file=sys.stderr)
        elif entry := _entry(folder, arguments.repeat):
            _pack(folder, pack)
            entries.append(entry | given.get(entry["name"], {}))
    for folder in sorted(arguments.corpus.iterdir()) if arguments.corpus else ():
        if (folder / "expected").is_dir():
            entries.append(_corpus_entry(folder, pack))
    entries.sort(key=lambda entry: any(word.startswith("-lcu") for line in entry["build"] for word in line))
    (pack / "manifest.json").write_text(json.dumps({"arch": ARCH, "programs": entries}, indent=1))
    print(f"{len(entries)} programs, {_kilobytes(pack)} kB")
    return 0


def _mend_headers(include: Path) -> None:
    """Let HIP's own headers bring in what `hipify-py build --platform nvidia` gives to nvcc."""
    shutil.copytree(OVERLAY, include, dirs_exist_ok=True)
    if are_older(include):
        for name in ("hip_runtime.h", "hip_runtime_api.h"):
            header = include / "hip" / name
            header.write_text(f'#include "{PRELUDE.name}"\n' + header.read_text())
    for helper in HELPERS.glob("*.h"):
        shutil.copy(helper, include)


def _given_runs(path: Path) -> dict[str, dict[str, Any]]:
    """Arguments for programs whose own make them run for minutes: lines `NAME: ARGUMENTS`."""
    pairs = (line.partition(":") for line in path.read_text().splitlines() if line.strip())
    return {name: {"run": [["./main", *shlex.split(words)]]} for name, _, words in pairs}


def _folders(arguments: argparse.Namespace) -> Iterator[Path]:
    wanted = set(arguments.names.read_text().split()) if arguments.names else None
    for root in arguments.folders:
        for folder in sorted(p for p in ([root] if (root / "Makefile").is_file() else root.iterdir()) if p.is_dir()):
            if wanted is None or (folder.name.endswith("-cuda") and folder.name.removesuffix("-cuda") in wanted):
                yield folder


def _kilobytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024


def _make(folder: Path, *targets: str) -> list[str]:
    """The commands that make would run, one a line."""
    command = ["make", "-n", "-B", "--no-print-directory", f"ARCH={ARCH}", "LAUNCHER=", *targets]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30, check=False)
    text = done.stdout.replace("\\\n", " ") if done.returncode == 0 else ""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("make")]


def _entry(folder: Path, repeat: int) -> dict[str, Any] | None:
    """How to build and run one program, or None when its Makefile does not say."""
    build = _make(folder)
    runs = [line for line in _make(folder, "run") if line not in build and line.startswith("./")]
    if not build or not runs or any(_SHELL.search(_QUOTED.sub("", line)) for line in build + runs):
        print(f"{folder.name}: left out, no plain build and run commands", file=sys.stderr)
        return None
    text = "\n".join(p.read_text(errors="replace") for p in folder.rglob("*") if p.suffix in SOURCES and p.is_file())
    counts = {int(index) for index in _REPEAT.findall(text)}
    return {
        "name": folder.name.removesuffix("-cuda"),
        "folder": folder.name,
        "build": [_retarget(shlex.split(line)) for line in build],
        "run": [_shortened(shlex.split(line), counts, repeat) for line in runs[:2]],
    }


def _retarget(words: Sequence[str]) -> list[str]:
    """A compiler line for our GPU, whatever architectures it was written for."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in {"-gencode", "-arch", "--gpu-architecture", "-code", "--generate-code"}:
            skip = True
        elif not re.match(r"-{1,2}(arch|gencode|gpu-architecture|code|generate-code)=", word):
            kept.append(word)
    return [*kept, f"-arch={ARCH}"] if kept[0].endswith("nvcc") else kept


def _shortened(words: list[str], counts: Iterable[int], repeat: int) -> list[str]:
    for index in counts:
        if index < len(words) and words[index].isdigit():
            words[index] = str(min(int(words[index]), repeat))
    return words


def _pack(folder: Path, pack: Path) -> None:
    """Copy a program and the folders beside it that it reaches for; put translations into an overlay."""
    todo = [folder]
    while todo:
        source = todo.pop()
        if (pack / "src" / source.name).exists():
            continue
        shutil.copytree(source, pack / "src" / source.name, symlinks=False, ignore_dangling_symlinks=True)
        for path in sorted(source.rglob("*")):
            if not path.is_file() or (path.suffix not in SOURCES and path.name != "Makefile"):
                continue
            data = path.read_bytes()
            beside = {source.parent / name.decode() for name in _BESIDE.findall(data)}
            todo += [b for b in sorted(beside) if b.is_dir() and b.name != "data" and _kilobytes(b) < 4000]
            if path.suffix in SOURCES:
                _translate(data, path, pack / "hip" / path.relative_to(source.parent))


def _translate(data: bytes, path: Path, target: Path) -> None:
    try:
        done = translate(data, str(path), Options())
    except Exception as error:
        print(f"{path}: {error}", file=sys.stderr)
        return
    files = {target.with_name(name): text for name, text in done.helper_headers.items()}
    if done.changed:
        files[target] = done.output
    for where, text in files.items():
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_bytes(text)


def _corpus_entry(folder: Path, pack: Path) -> dict[str, Any]:
    """A program of our own corpus, whose translation is kept beside it."""
    name = f"corpus-{folder.name}"
    shutil.copytree(folder, pack / "src" / name, ignore=shutil.ignore_patterns("expected"))
    for path in (folder / "expected").iterdir():
        target = pack / "hip" / name / ("main.cu" if path.name == "main.hip" else path.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    libraries = re.search(r"^libraries = (\[.*\])", (folder / "corpus.toml").read_text(), re.MULTILINE)
    flags = [f"-l{library}" for library in (json.loads(libraries[1]) if libraries else [])]
    sources = [p.name for p in sorted(folder.iterdir()) if p.suffix in {".cu", ".cpp"}]
    rdc = ["-rdc=true"] if "dynamic" in name else []
    build = ["nvcc", "-std=c++17", "-O2", "--extended-lambda", *rdc, f"-arch={ARCH}", *sources, "-o", "main", *flags]
    return {"name": name, "folder": name, "build": [build], "run": [["./main"]]}


def table(arguments: argparse.Namespace) -> int:
    """Print the results as Markdown; a later file's row of a program replaces an earlier one."""
    rows: dict[str, dict[str, Any]] = {}
    for path in arguments.results:
        rows |= {row["name"]: row for row in map(json.loads, path.read_text().splitlines())}
    counts = Counter((row["verdict"], row["name"].startswith("corpus-")) for row in rows.values())
    print("| verdict | programs given | programs of our corpus |\n|---|---:|---:|")
    for verdict in sorted({verdict for verdict, _ in counts}, key=lambda verdict: -counts[verdict, False]):
        print(f"| {verdict} | {counts[verdict, False]} | {counts[verdict, True]} |")
    own = [row for row in rows.values() if row["verdict"].startswith("same") and row["words"]]
    given = sum(not row["name"].startswith("corpus-") for row in own)
    print(f"\nOf those that do the same, {given} and {len(own) - given} print a verdict or an error of their own.")
    print(
        "\n| program | arguments | verdict | its own check says | numbers compared | note |\n|---|---|---|---|---:|---|"
    )
    for name, row in sorted(rows.items()):
        said = Counter(row.get("words", []))
        words = ", ".join(f"{word} ×{count}" if count > 1 else word for word, count in list(said.items())[:4])
        note = "" if row["verdict"] == "same output" else _cell(row.get("note", ""))
        ran = _cell("; ".join(row.get("run", [])))
        print(f"| {name} | {ran} | {row['verdict']} | {words} | {row.get('numbers', '')} | {note} |")
    return 0


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")[:160]


def main(argv: Sequence[str] | None = None) -> int:
    """Dispatch to one of the two steps that run where the package is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    pack = commands.add_parser("prepare")
    pack.add_argument("pack", type=Path)
    pack.add_argument("folders", type=Path, nargs="*", help="a program's folder, or a folder of such folders")
    pack.add_argument("--hip-include", type=Path, required=True, help="a folder that holds hip/nvidia_detail")
    pack.add_argument("--include", type=Path, action="append", default=[], help="one more header folder (hipcub, …)")
    pack.add_argument("--names", type=Path, help="a file of names X: only folders X-cuda")
    pack.add_argument("--corpus", type=Path, help="our corpus folder")
    pack.add_argument("--runs", type=Path, help="a file of lines `NAME: ARGUMENTS` to run some programs with")
    pack.add_argument("--repeat", type=int, default=10, help="the most that a repeat argument may be")
    pack.add_argument("--largest", type=int, default=2400, help="leave out larger program folders (kB)")
    pack.set_defaults(call=prepare)
    show = commands.add_parser("table")
    show.add_argument("results", type=Path, nargs="+")
    show.set_defaults(call=table)
    arguments = parser.parse_args(argv)
    return int(arguments.call(arguments))


if __name__ == "__main__":
    sys.exit(main())
