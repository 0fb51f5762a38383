"""The parts of the benchmark: each measures one question and gives plain data for the results file."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import inputs, peers
from benchmarks.installed import ROOT, Installed
from benchmarks.timing import Command, interleaved, once, watched

OURS, OURS_RULES, IMPORTS = "hipify-py", "hipify-py --no-clang", "import clang.cindex, rich.console"
CHANGED = f"{OURS}, changed file"
KEPT, IN_PLACE = "all known", "files in place"
BARE = "libclang alone"
FLOOR = ROOT / "benchmarks" / "floor.py"
FLAT_EVERY = 0.25


class Bench(NamedTuple):
    """What all parts share: the installation, the staged sources, a scratch folder, and how often to run."""

    ours: Installed
    sources: Path
    scratch: Path
    rounds: int
    perl_files: int
    many: int

    def command(self, name: str, *arguments: str, **more: Any) -> Command:
        """A run of the console script, in the warm cache unless another environment is given."""
        more.setdefault("environment", self.ours.environment)
        return Command(name, [self.ours.program, *arguments], **more)

    def cold(self, name: str) -> dict[str, Any]:
        """Options for a command that starts with an empty cache every time."""
        cache = self.scratch / f"cold-{name}"

        def clear() -> None:
            shutil.rmtree(cache, ignore_errors=True)
            cache.mkdir()

        return {"environment": {**self.ours.environment, "XDG_CACHE_HOME": str(cache)}, "before": clear, "cold": True}


def single(bench: Bench) -> dict[str, Any]:
    """One file of about 200 lines, process start to end: unchanged since an earlier run, and changed before each."""
    path = inputs.small_file(bench.sources)
    file = str(path)
    edited = inputs.Edited(Path(shutil.copyfile(path, path.with_name(f"edited-{path.name}"))))
    commands = [
        bench.command(OURS, file),
        bench.command(CHANGED, str(edited.path), before=edited.again),
        bench.command(OURS_RULES, "--no-cache", "--no-clang", file),
        Command(IMPORTS, [bench.ours.python, "-c", IMPORTS], bench.ours.environment),
        Command("python -c pass", [bench.ours.python, "-c", "pass"], bench.ours.environment),
        bench.command("hipify-py lint", "lint", "--no-config", file),
        bench.command("hipify-py --help", "--help"),
        bench.command("hipify-py explain HPY301", "explain", "HPY301"),
        bench.command("hipify-py api cudaMalloc", "api", "cudaMalloc"),
        bench.command(f"{OURS}, cold cache", file, runs=3, **bench.cold("single")),
        *peers.on_files(peers.PERL, [path], min(3, bench.rounds)),
        *peers.on_files(peers.CLANG, [path], min(3, bench.rounds)),
    ]
    rows = interleaved(commands, 5 * bench.rounds, warm=True)
    edited.path.unlink()
    data = path.read_bytes()
    return {"file": path.relative_to(bench.sources).as_posix(), "lines": data.count(b"\n"), "warm": True, "rows": rows}


def batch(bench: Bench) -> dict[str, Any]:
    """All sources in one `convert`, on one core and on two."""
    # hipify_torch stops at the first file that is not UTF-8.
    readable, unreadable = inputs.readable_copy(bench.sources, bench.scratch / "readable")
    target = bench.scratch / "converted"

    def convert(name: str, *options: str, cores: int, **more: Any) -> Command:
        def clear() -> None:
            shutil.rmtree(target, ignore_errors=True)

        arguments = ["convert", *options, "--quiet", str(bench.sources), str(target)]
        return bench.command(name, *arguments, cores=cores, before=clear, **more)

    commands = [
        convert(f"{OURS}, 1 core", "--no-cache", cores=1),
        convert(f"{OURS}, 2 cores", "--no-cache", cores=2),
        convert(f"{OURS}, {KEPT}, 1 core", cores=1),
        convert(f"{OURS_RULES}, 1 core", "--no-clang", "--no-cache", cores=1),
        convert(f"{OURS_RULES}, {KEPT}, 1 core", "--no-clang", cores=1),
        *_in_place(bench, readable),
        *peers.torch_on(readable, bench.scratch),
    ]
    for command in commands:
        if KEPT in command.name:
            once(command)  # the earlier run
    return {"rows": interleaved([*commands, _floor(bench)], bench.rounds), "not_utf8": unreadable}


def _in_place(bench: Bench, readable: Path) -> Iterator[Command]:
    """The files that hipify_torch reads, translated where they are: anew, and known from an earlier run."""
    copy = bench.scratch / "in-place"

    def again() -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(readable, copy)

    files = sorted(
        str(copy / path.relative_to(readable)) for path in readable.rglob("*") if path.suffix in peers.TORCH_READS
    )
    options = ("--no-clang", "--in-place", "--no-backup", "--quiet-warnings")
    for name, more in ((IN_PLACE, ("--no-cache",)), (f"{IN_PLACE}, {KEPT}", ())):
        yield bench.command(f"{OURS_RULES}, {name}, 1 core", *options, *more, *files, cores=1, before=again)


def sampled(bench: Bench) -> dict[str, Any]:
    """The slow peers over a few files of the batch: their throughput is taken from these."""
    files = inputs.spread(sorted(bench.sources.rglob("*.cu")), bench.perl_files)
    size = sum(path.stat().st_size for path in files) / 1e6
    commands = [*peers.on_files(peers.PERL, files), *peers.on_files(peers.CLANG, files)]
    names = [path.relative_to(bench.sources).as_posix() for path in files]
    return {"files": names, "mb": size, "rows": interleaved(commands, 1)}


def _floor(bench: Bench) -> Command:
    """Nothing but the parses of the batch, in a process of its own."""
    calls = bench.scratch / "parses"
    if not calls.exists():
        _run_floor(bench, 1)
    replay = [bench.ours.python, str(FLOOR), "--replay", str(calls)]
    return Command(BARE, replay, bench.ours.environment, cores=1)


def _run_floor(bench: Bench, rounds: int) -> list[dict[str, float]]:
    command = [bench.ours.python, str(FLOOR), str(bench.sources), "--rounds", str(rounds)]
    command += ["--save", str(bench.scratch / "parses")]
    done = subprocess.run(command, env=bench.ours.environment, stdout=subprocess.PIPE, text=True, check=True)
    found: list[dict[str, float]] = json.loads(done.stdout)
    return found


def floor(bench: Bench) -> dict[str, Any]:
    """Each file translated and then only parsed, in one process."""
    rounds = sorted(_run_floor(bench, bench.rounds), key=lambda item: item["translate"] / item["parse"])
    return rounds[len(rounds) // 2] | {"rounds": len(rounds)}


def lint(bench: Bench) -> dict[str, Any]:
    """All sources linted: for the first time, and again unchanged."""
    cache = bench.scratch / "lint-cache"
    environment = {**bench.ours.environment, "XDG_CACHE_HOME": str(cache)}

    def fresh() -> None:
        """A cache that holds the precompiled declarations and no results."""
        shutil.rmtree(cache, ignore_errors=True)
        file = str(inputs.small_file(bench.sources))
        subprocess.run([bench.ours.program, "--no-output", file], env=environment, capture_output=True, check=False)

    def command(name: str, cores: int, before: Callable[[], object] | None) -> Command:
        arguments = ("lint", "--no-config", "--fail-on", "never", str(bench.sources))
        return bench.command(name, *arguments, cores=cores, before=before, environment=environment)

    commands = [
        command("first, 2 cores", 2, fresh),
        command("unchanged, 2 cores", 2, None),
    ]
    return {"rows": interleaved(commands, bench.rounds)}


def long(bench: Bench) -> dict[str, Any]:
    """A file of 100,000 lines, and one of half of that: twice the lines may not take more than twice the time."""
    folder = bench.scratch / "long"
    half, whole = inputs.long_file(folder, 50_000), inputs.long_file(folder, 100_000)
    commands = [
        bench.command(f"{OURS}, 50,000 lines", "--no-cache", str(half)),
        bench.command(f"{OURS}, 100,000 lines", "--no-cache", str(whole)),
        bench.command(f"{OURS_RULES}, 100,000 lines", "--no-cache", "--no-clang", str(whole)),
    ]
    rows = interleaved(commands, bench.rounds)
    return {"mb": whole.stat().st_size / 1e6, "rows": rows}


def flat(bench: Bench) -> dict[str, Any]:
    """Whether memory stays where it is over many files."""
    source = inputs.many_files(bench.scratch / "many", bench.many)
    target = bench.scratch / "many-out"
    command = bench.command("convert", "convert", "--no-cache", "--quiet", str(source), str(target), cores=2)
    samples, peaks = watched(command, FLAT_EVERY)
    parent = min(peaks)
    # Workers are there most of the time; other processes come and go.
    lasting = {pid for pid in peaks if sum(pid in sample.resident for sample in samples) * 2 > len(samples)}
    workers = [[mb for pid, mb in sample.resident.items() if pid in lasting - {parent}] for sample in samples]
    series = [(sample.seconds, max(found)) for sample, found in zip(samples, workers, strict=True) if found]
    parents = [(sample.seconds, sample.resident[parent]) for sample in samples if parent in sample.resident]
    return {
        "files": bench.many,
        "seconds": round(samples[-1].seconds, 1),
        "workers": _thinned(series),
        "parent": _thinned(parents),
        "peaks_mb": _largest({pid: peaks[pid] for pid in lasting | {parent}}),
        "others_mb": _largest({pid: peaks[pid] for pid in peaks.keys() - lasting - {parent}}),
    }


def _thinned(series: Sequence[tuple[float, float]], points: int = 60) -> list[list[float]]:
    """A long series as at most so many points, from the first to the last."""
    if not series:
        return []
    last = len(series) - 1
    indices = sorted({round(i * last / (points - 1)) for i in range(points)})
    return [[round(series[i][0], 2), round(series[i][1], 1)] for i in indices]


def _largest(peaks: dict[int, float]) -> list[float]:
    """The peaks of a run's processes: the first is the parent's, those of its workers follow."""
    return [round(peaks[pid], 1) for pid in sorted(peaks)]


PARTS: dict[str, Callable[[Bench], dict[str, Any]]] = {
    "single": single,
    "floor": floor,
    "batch": batch,
    "sampled": sampled,
    "lint": lint,
    "long": long,
    "flat": flat,
}
