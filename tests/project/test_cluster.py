"""`convert --scheduler`: the same results from a Dask cluster whose workers see no disk of ours and may die."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import Client, LocalCluster

from hipify.model import Options, Translation
from hipify.project import cluster
from hipify.project.cluster import Cluster, ClusterError
from hipify.project.executors import WorkerError, WorkerLost, WorkerTimeout, run_jobs
from hipify.project.fingerprint import of_tool
from hipify.project.settings import Settings
from hipify.project.work import BUILD, EXAMINE, TRANSLATE, Job, do

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
KERNEL = '#include "sizes.cuh"\n__global__ void k{n}(float* x) {{ x[threadIdx.x] = SIZE + {n}; }}\n'
CALLER = (
    "void f{n}(float** p) {{ cudaMalloc(p, SIZE); cudaMallocHost(p, {n}); ownApi({n}); k{n}<<<1, WIDTH>>>(*p); }}\n"
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package: workers that start anew must find what this process has, whoever edits it meanwhile."""
    for number in range(20):
        folder = tmp_path_factory.mktemp(f"installed{number}")
        shutil.copytree(ROOT / "hipify", folder / "hipify", ignore=shutil.ignore_patterns("__pycache__"))
        of_tool.cache_clear()
        command = [sys.executable, "-c", "from hipify.project.fingerprint import of_tool; print(of_tool())"]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
        if done.stdout.strip() == of_tool():
            return folder
    raise AssertionError("the package is never the same twice")


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory, installed: Path) -> Iterator[LocalCluster]:
    """Two workers, each a process with one thread, in a folder of their own."""
    away = tmp_path_factory.mktemp("away")
    old = Path.cwd()
    os.chdir(away)  # the processes start here
    sys.path.insert(0, str(installed))  # they get this process's path
    try:
        made = LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", local_directory=str(away)
        )
        os.chdir(old)
        with made:
            yield made
    finally:
        os.chdir(old)
        sys.path.remove(str(installed))


def tree(folder: Path, files: int) -> Path:
    """A project whose files read a header in another folder, which reads one more."""
    source = folder / "src"
    (source / "include").mkdir(parents=True)
    (source / "include" / "sizes.cuh").write_text('#include "width.h"\n#define SIZE 64\n')
    (source / "include" / "width.h").write_text("#define WIDTH 32\nstruct Mine { int cudaMalloc(int); };\n")
    for n in range(files):
        mine = "int own(Mine m) { return m.cudaMalloc(1) + __ballot(WIDTH == 32); }\n"
        (source / f"part{n}.cu").write_text(KERNEL.format(n=n) + CALLER.format(n=n) + mine)
    (source / "Makefile").write_text("all:\n\tnvcc -arch=sm_80 part0.cu -o part0 -Iinclude\n")
    return source


def convert(*arguments: str | Path, cwd: Path, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    command = [sys.executable, "-m", "hipify", "convert", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=400, check=False)


def outputs(folder: Path) -> dict[str, bytes]:
    """What a conversion wrote, with its reports but for the times in them."""
    found = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(("state", "seen"))
    }
    return {name: re.sub(rb'"seconds": [0-9.e-]+', b"", data) for name, data in found.items()}


def what_counts(translation: Translation) -> tuple[Any, ...]:
    """All of a translation but the time that it took."""
    t = translation
    return t.path, t.output, t.edits, t.findings, t.references, t.clang_used, dict(t.helper_headers)


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


def test_a_run_on_the_cluster_writes_what_a_local_one_does(
    workers: LocalCluster, installed: Path, tmp_path: Path
) -> None:
    tree(tmp_path, 12)
    options = ("--quiet", "--offload-arch", "gfx942,gfx1100")
    here = convert("src", "out-1", *options, cwd=tmp_path, root=installed)
    there = convert("src", "out-2", *options, "--scheduler", workers.scheduler_address, cwd=tmp_path, root=installed)
    assert (there.returncode, there.stderr) == (here.returncode, here.stderr.replace("out-1", "out-2"))
    local, far = outputs(tmp_path / "out-1"), outputs(tmp_path / "out-2")
    assert b"hipMalloc(p, SIZE)" in far["part3.cu"]
    assert b"m.cudaMalloc(1)" in far["part3.cu"]
    assert local.keys() == far.keys()
    assert [name for name in local if local[name].replace(b"out-1", b"out-2") != far[name]] == []


def test_a_worker_killed_halfway_costs_nothing(workers: LocalCluster, tmp_path: Path) -> None:
    source = tree(tmp_path, 60)
    paths = sorted(source.glob("*.cu"))
    jobs = [
        Job(str(path), TRANSLATE, path.read_bytes(), Options(include_dirs=(f"{source}/include",))) for path in paths
    ]
    pool = Cluster(workers.scheduler_address, 60)
    with Client(workers.scheduler_address, set_as_default=False) as client:
        before = client.run(os.getpid)
        futures = [pool.translate(job) for job in jobs]
        wait_for(futures, 15)
        victim = sorted(before.values())[0]
        assert sum(not future.done() for future in futures) > 10, "the kill comes too late to show anything"
        os.kill(victim, signal.SIGKILL)
        far = [future.result(timeout=120) for future in futures]
        client.wait_for_workers(2, timeout=180)
        assert victim not in client.run(os.getpid).values()
    pool.shutdown()
    assert [what_counts(t) for t in far] == [what_counts(do(job)) for job in jobs]


def wait_for(futures: list[Future[Translation]], number: int) -> None:
    """Wait until so many are done."""
    done = threading.Semaphore(0)
    for future in futures:
        future.add_done_callback(lambda _: done.release())
    for _ in range(number):
        assert done.acquire(timeout=60)


def test_the_workers_need_no_disk_of_ours(
    workers: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tree(tmp_path, 3)
    (source / "own.rules").write_text("rename ownApi => hip_own\n")
    (source / "sys").mkdir()
    (source / "sys" / "angled.h").write_text("typedef int cudaStream_t;\n")
    (source / "forced.h").write_text("#define HERE 1\n")
    (source / "part2.cu").write_text(
        '#include <angled.h>\n#include "gone.h"\n#ifdef HERE\ncudaStream_t s;\n#endif\nvoid g() { cudaFree(0); }\n'
    )
    monkeypatch.chdir(tmp_path)
    options = Options(
        include_dirs=("src/include",),
        clang_args=("-isystem", "src/sys", "-include", "src/forced.h"),
        rule_files=("src/own.rules",),
    )
    jobs = [
        Job(f"src/part{n}.cu", task, (source / f"part{n}.cu").read_bytes(), options)
        for n in range(3)
        for task in (TRANSLATE, EXAMINE)
    ]
    local = [what_counts(do(job)) for job in jobs]
    assert b"hip_own" in local[0][1]
    assert any("gone.h" in finding.message for finding in local[4][3])

    pool = Cluster(workers.scheduler_address, 60)
    with pool_stopped(workers) as started:
        futures = [pool.translate(job) for job in jobs]
        source.rename(tmp_path / "moved")
        started()
        far = [what_counts(future.result(timeout=60)) for future in futures]
    pool.shutdown()
    assert far == local


class pool_stopped:  # noqa: N801
    """Workers that do nothing (SIGSTOP) until told to."""

    def __init__(self, workers: LocalCluster) -> None:
        with Client(workers.scheduler_address, set_as_default=False) as client:
            self._processes = list(client.run(os.getpid).values())

    def __enter__(self) -> Any:
        for process in self._processes:
            os.kill(process, signal.SIGSTOP)
        return self._go_on

    def _go_on(self) -> None:
        for process in self._processes:
            os.kill(process, signal.SIGCONT)

    def __exit__(self, *_: object) -> None:
        self._go_on()


def test_nothing_is_left_of_one_parcel_for_the_next(workers: LocalCluster, tmp_path: Path) -> None:
    header = tmp_path / "state.h"
    job = Job(str(tmp_path / "a.cu"), TRANSLATE, b'#include "state.h"\nvoid f(T s) { s->cudaFree(0); }\n', Options())
    for n in range(6):
        if n % 2:
            header.write_text(f"struct S {{ void cudaFree(int); }}; typedef S* T; enum {{ N = {n} }};\n")
        pool = Cluster(workers.scheduler_address, 60)
        far = pool.translate(job).result(timeout=60)
        pool.shutdown()
        assert what_counts(far) == what_counts(do(job))
        assert any("state.h" in finding.message for finding in far.findings) is not bool(n % 2)
        header.unlink(missing_ok=True)


@pytest.mark.parametrize(
    "address",
    ["nonsense", "tcp://", "tcp://host", "host:0", "host:99999", "ftp://host:1", "tcp://host:80/x y", "a b:1"],
)
def test_a_malformed_address(address: str, tmp_path: Path) -> None:
    tree(tmp_path, 1)
    done = convert("src", "out", "--scheduler", address, cwd=tmp_path)
    assert done.returncode == 2
    assert (
        done.stderr
        == f"hipify-py: error: --scheduler {address}: an address like tcp://HOST:8786 is expected (see hipify-py --help)\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_scheduler_that_cannot_be_reached(tmp_path: Path) -> None:
    tree(tmp_path, 1)
    port = free_port()
    done = convert("src", "out", "--scheduler", f"tcp://127.0.0.1:{port}", cwd=tmp_path)
    assert done.returncode == 2
    assert (
        done.stderr == f"hipify-py: error: --scheduler tcp://127.0.0.1:{port}: cannot be reached: connection refused\n"
    )
    assert not (tmp_path / "out").exists()


def test_something_else_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 1.0)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"^--scheduler {address}: no Dask scheduler answers: .+") as caught:
            Cluster(address)
    assert "\n" not in str(caught.value)


def test_without_the_extra(tmp_path: Path) -> None:
    tree(tmp_path, 1)
    (tmp_path / "distributed.py").write_text("raise ModuleNotFoundError('No module named distributed')\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    command = [sys.executable, "-m", "hipify", "convert", "src", "out", "--scheduler", "tcp://127.0.0.1:8786"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert done.returncode == 2
    assert (
        done.stderr
        == "hipify-py: error: --scheduler needs Dask: pip install 'hipify-py[dask]' (see hipify-py --help)\n"
    )
    assert not (tmp_path / "out").exists()


def plain_job(text: bytes = b"void f() { cudaFree(0); }\n") -> Job:
    return Job("a.cu", TRANSLATE, text, Options())


def test_a_worker_with_another_version_is_named(workers: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Cluster(workers.scheduler_address)
    monkeypatch.setattr(cluster, "of_tool", lambda: "another")
    with pytest.raises(ClusterError) as caught:
        pool.translate(plain_job()).result(timeout=60)
    pool.shutdown()
    assert re.fullmatch(
        rf"--scheduler {workers.scheduler_address}: the worker on \S+ has another hipify-py \(it says [\d.]+\) or "
        "libclang than this machine: results would differ; install the same on both",
        str(caught.value),
    )


def test_a_worker_without_hipify_is_named(tmp_path: Path) -> None:
    """Neither the scheduler nor the worker of this cluster can import hipify."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    base = [sys.executable, "-c", f"import sys; sys.path[:] = [p for p in sys.path if p not in ('', {str(ROOT)!r})]\n"]
    base[-1] += "from importlib.machinery import PathFinder\nassert not PathFinder.find_spec('hipify', sys.path)\n"
    base[-1] += "sys.meta_path = [f for f in sys.meta_path if 'editable' not in repr(f)]\n"
    base[-1] += "from distributed.cli.{0} import main; main()"
    scheduler = [*base[:-1], base[-1].format("dask_scheduler"), "--port", str(port), "--no-dashboard"]
    worker = [*base[:-1], base[-1].format("dask_worker"), address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    started = [
        subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
        for command in (scheduler, worker)
    ]
    try:
        pool = connected(address)
        with pytest.raises(ClusterError, match=f"^--scheduler {address}: a worker has no hipify-py: install it"):
            pool.translate(plain_job()).result(timeout=60)
        started[0].kill()
        with pytest.raises(ClusterError, match=f"^--scheduler {address}: the connection was lost$"):
            pool.translate(plain_job()).result(timeout=120)
        pool.shutdown()
    finally:
        for process in started:
            process.kill()
            process.wait()


def connected(address: str) -> Cluster:
    """The cluster, as soon as its scheduler has started."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return Cluster(address)
        except ClusterError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def test_a_cluster_without_workers_ends_the_run() -> None:
    with LocalCluster(n_workers=0, processes=True, dashboard_address=":0") as empty:
        pool = Cluster(empty.scheduler_address, patience=3)
        with pytest.raises(ClusterError, match=r"has had no worker for 3 s$"):
            pool.translate(plain_job()).result(timeout=60)
        pool.shutdown()


def test_a_job_that_takes_too_long(workers: LocalCluster) -> None:
    pool = Cluster(workers.scheduler_address, timeout=0.001)
    with pytest.raises(WorkerTimeout, match=r"^no result within 0\.001 s$"):
        pool.translate(plain_job()).result(timeout=60)
    pool.shutdown()


def test_a_job_that_raises(workers: LocalCluster) -> None:
    pool = Cluster(workers.scheduler_address)
    with pytest.raises(WorkerError, match=r"^AssertionError: "):
        pool.translate(Job("Makefile", BUILD, b"", Options())).result(timeout=60)
    pool.shutdown()


def test_a_job_that_takes_its_process_down_costs_no_worker(workers: LocalCluster) -> None:
    pool = Cluster(workers.scheduler_address, 60)
    with Client(workers.scheduler_address, set_as_default=False) as client:
        before = sorted(client.run(os.getpid).values())
        future = pool.translate(plain_job(b"void f() { cudaFree(0); }\n" * 50_000))
        while not future.done():  # as often as a new one is started
            for process in (p for worker in before for p in psutil.Process(worker).children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):  # it has died meanwhile
                    process.kill()
        with pytest.raises(WorkerLost, match=r"^the worker process died$"):
            future.result()
        assert pool.translate(plain_job()).result(timeout=60).output.endswith(b"hipFree(0); }\n")
        assert sorted(client.run(os.getpid).values()) == before
    pool.shutdown()


def test_a_file_that_never_ends_is_a_finding(workers: LocalCluster, installed: Path, tmp_path: Path) -> None:
    """With a limit that no file can keep, each is tried once more, copied as it is, and named."""
    source = tree(tmp_path, 2)
    options = ("--scheduler", workers.scheduler_address, "--timeout", "0.001", "--exclude", "Makefile")
    done = convert("src", "out", *options, cwd=tmp_path, root=installed)
    assert done.returncode == 1
    for name in ("part0.cu", "part1.cu"):
        assert f"{name}: no result within 0.001 s" in done.stderr
        assert (tmp_path / "out" / name).read_bytes() == (source / name).read_bytes()
    assert "HPY909" in (tmp_path / "out" / ".hipify" / "report.json").read_text()


@dataclass
class Task:
    """What run_jobs is given."""

    job: Job
    tries: int = 0


def test_a_lost_job_is_tried_once_more(workers: LocalCluster, tmp_path: Path) -> None:
    settings = Settings(source=tmp_path, out=tmp_path / "out", scheduler=workers.scheduler_address, timeout=0.001)
    tasks = [Task(plain_job()), Task(plain_job())]
    found = list(run_jobs(settings, do, tasks, lambda task: task.job))
    assert [task.tries for task in tasks] == [1, 1]
    assert [(translation, problem) for _, translation, problem in found] == [(None, "no result within 0.001 s")] * 2
