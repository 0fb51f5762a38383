"""Run jobs elsewhere, all through the interface of concurrent.futures: processes of our own, or a Dask cluster.

The standard library's process pool is lost as a whole when one process dies, and cannot stop a job that hangs. Here
each process is on its own: it is killed when a job takes too long, and replaced when it is gone.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from hipify.errors import HipifyError
from hipify.project import worker
from hipify.project.work import Job, prepare

if TYPE_CHECKING:
    from hipify.project.here import Here
    from hipify.project.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

_ROOT = str(Path(__file__).resolve().parents[2])


class WorkerLost(Exception):
    """A worker process died under a job."""


class WorkerTimeout(Exception):
    """A job took longer than it may; its process was killed."""


class WorkerError(Exception):
    """A job raised; the text names the exception."""


@dataclass(slots=True)
class _Call:
    future: Future[Any]
    body: bytes


@dataclass(slots=True)
class _Running:
    """A process that does a job, until when it may, and whether it was stopped for taking longer."""

    process: subprocess.Popen[bytes]
    until: float
    late: bool = False


class WorkerPool(Executor):
    """Processes that each do one job at a time, with a time limit for each job."""

    def __init__(self, workers: int, timeout: float | None = None) -> None:
        self.workers = workers
        self.window = 16 * workers
        """Enough to work on while the caller waits for the disk."""
        self._timeout = timeout
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._closed = False
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()
        self._running: dict[int, _Running] = {}
        self._ended = threading.Event()
        if timeout:
            threading.Thread(target=self._watch, args=(min(timeout, threading.TIMEOUT_MAX),), daemon=True).start()
        self._threads = [threading.Thread(target=self._serve, args=(n,), daemon=True) for n in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a module-level function called in some process."""
        if self._closed:
            raise RuntimeError("the pool is shut down")
        future: Future[T] = Future()
        self._calls.put(_Call(future, pickle.dumps((fn, args, kwargs), pickle.HIGHEST_PROTOCOL)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, after the jobs that wait unless they are to be cancelled."""
        self._closed = True
        if cancel_futures:
            with_all = self._drain()
            for call in with_all:
                call.future.cancel()
            self._kill_all()
        for _ in self._threads:
            self._calls.put(None)
        if wait:
            for thread in self._threads:
                thread.join()
        self._ended.set()

    def processes(self) -> list[int]:
        """The ids of the processes there are."""
        with self._lock:
            return [process.pid for process in self._processes.values()]

    def _drain(self) -> list[_Call]:
        found: list[_Call] = []
        while True:
            try:
                call = self._calls.get_nowait()
            except queue.Empty:
                return found
            if call is not None:
                found.append(call)

    def _kill_all(self) -> None:
        with self._lock:
            for process in self._processes.values():
                process.kill()

    def _serve(self, number: int) -> None:
        """One thread a process: it hands over jobs, and watches the clock."""
        while (call := self._calls.get()) is not None:
            if call.future.set_running_or_notify_cancel():
                self._carry_out(number, call)
        self._end(number)

    def _watch(self, timeout: float) -> None:
        """One thread for all processes: it stops those whose time is over."""
        pause = timeout
        while not self._ended.wait(pause):
            now, pause = time.monotonic(), timeout  # what begins while this thread sleeps has so long at least
            with self._lock:
                for running in self._running.values():
                    left = running.until - now
                    running.late = running.late or left <= 0
                    if running.late:
                        running.process.kill()
                    else:
                        pause = min(pause, left)

    def _carry_out(self, number: int, call: _Call) -> None:
        running = None
        try:
            process = self._process(number)
            assert process.stdin is not None
            assert process.stdout is not None
            running = _Running(process, time.monotonic() + (self._timeout or 0))
            with self._lock:
                self._running[number] = running
            worker.write(process.stdin, call.body)  # type: ignore[arg-type]
            answer = worker.read(process.stdout)  # type: ignore[arg-type]
        except OSError:
            answer = None
        with self._lock:
            self._running.pop(number, None)
        late = running is not None and running.late
        if answer is None or late:
            self._end(number)
        if answer is None:
            call.future.set_exception(
                WorkerTimeout(f"no result within {self._timeout:g} s")
                if late
                else WorkerLost("the worker process died")
            )
            return
        good, value = pickle.loads(answer)
        if good:
            call.future.set_result(value)
        else:
            call.future.set_exception(WorkerError(f"{value[0]}: {value[1]}"))

    def _process(self, number: int) -> subprocess.Popen[bytes]:
        with self._lock:
            process = self._processes.get(number)
            if process is None or process.poll() is not None:
                # -P: no module of the folder that the user stands in may take the place of a library.
                command = [sys.executable, "-P", "-m", worker.__name__]
                paths = [_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                )
                self._processes[number] = process
            return process

    def _end(self, number: int) -> None:
        with self._lock:
            process = self._processes.pop(number, None)
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            try:
                stream.close()
            except OSError:
                continue
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def default_jobs() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _HasJob(Protocol):
    tries: int


J = TypeVar("J", bound=_HasJob)
R = TypeVar("R")


def _nothing() -> bool:
    return False


def local_pool(settings: Settings, *, ready: bool = False) -> WorkerPool | Here:
    """Processes for a run; `ready` ones load what they need while the caller still finds out what is to be done.

    This process itself where it would only wait for one other, and libclang, which can take it down, is not asked.
    """
    number, timeout = settings.jobs or default_jobs(), settings.timeout or None
    if number == 1 and not settings.options.clang:
        from hipify.project.here import Here, is_enough

        if is_enough(timeout):
            return Here(timeout)
    pool = WorkerPool(number, timeout)
    for _ in range(pool.workers if ready else 0):
        pool.submit(prepare)
    return pool


def run_jobs(
    settings: Settings,
    function: Callable[[Job], R],
    tasks: Iterable[J],
    job_of: Callable[[J], Job],
    pool: WorkerPool | Here | None = None,
    meanwhile: Callable[[], bool] = _nothing,
) -> Iterator[tuple[J, R | None, str]]:
    """Do jobs, each again when its worker dies or hangs; gives (task, result or None, what went wrong).

    Only a few jobs are under way at a time, so that memory does not grow with the tree. While none is done,
    `meanwhile` is called, which does a bit of other work and says whether there was any. The pool is left running.
    """
    if pool is not None:
        submit = pool.submit
        yield from _drive(lambda job: submit(function, job), partial(int, pool.window), tasks, job_of, meanwhile)
        return
    from hipify.project.cluster import Cluster

    cluster = Cluster(settings.scheduler, settings.timeout)
    try:
        yield from _drive(lambda job: cluster.submit(function, job), cluster.window, tasks, job_of, meanwhile)
    except BaseException:
        cluster.shutdown(wait=True, cancel_futures=True)
        raise
    cluster.shutdown()


def _drive(
    submit: Callable[[Job], Future[R]],
    window: Callable[[], int],
    tasks: Iterable[J],
    job_of: Callable[[J], Job],
    meanwhile: Callable[[], bool] = _nothing,
) -> Iterator[tuple[J, R | None, str]]:
    rest = iter(tasks)
    running: dict[Future[R], tuple[J, Job]] = {}
    done: queue.SimpleQueue[Future[R]] = queue.SimpleQueue()

    def start(task: J, job: Job) -> None:
        future = submit(job)
        running[future] = task, job
        future.add_done_callback(done.put)

    while True:
        while len(running) < window() and (task := next(rest, None)) is not None:
            start(task, job_of(task))
        if not running:
            return
        while done.empty() and meanwhile():
            pass
        future = done.get()
        task, job = running.pop(future)
        error = future.exception()
        if error is None:
            yield task, future.result(), ""
        elif isinstance(error, HipifyError):
            raise error
        elif (again := _once_more(job, error, task.tries)) is not None:
            task.tries += 1
            start(task, again)
        else:
            yield task, None, str(error)


def _once_more(job: Job, error: BaseException, tries: int) -> Job | None:
    """What to try after a try that failed: the same job once, for a worker may die by chance; then it without clang.

    A job that took too long would take as long again, so that clang is left out at once.
    """
    if isinstance(error, WorkerError):
        return None
    if job.has_easier and (tries or isinstance(error, WorkerTimeout)):
        return job.easier(str(error))
    return None if tries else job
