"""Workers: results whatever the order, hangs and deaths that cost one retry, equal bytes for any number of them."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hipify.model import Options, Translation
from hipify.project import executors, work
from hipify.project.executors import WorkerError, WorkerLost, WorkerPool, WorkerTimeout, default_jobs
from hipify.project.state import State, state_path

from .trees import KERNEL, Heard, content, convert, make


def die(code: int) -> None:
    os._exit(code)


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def shout(text: str) -> str:
    print("a library prints this into standard output")
    sys.stdout.flush()
    return text.upper()


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    made = WorkerPool(2, timeout=20)
    yield made
    made.shutdown(cancel_futures=True)


def test_the_pool_is_an_executor(pool: WorkerPool) -> None:
    assert isinstance(pool, Executor)
    assert list(pool.map(abs, [-3, 2, -1])) == [3, 2, 1]
    assert 1 <= len(pool.processes()) <= 2


def test_what_a_job_prints_does_not_get_into_the_answers(pool: WorkerPool) -> None:
    assert pool.submit(shout, "quiet").result() == "QUIET"


def test_an_exception_comes_back_as_text(pool: WorkerPool) -> None:
    with pytest.raises(WorkerError, match="ValueError: invalid literal"):
        pool.submit(int, "x").result()
    assert pool.submit(int, "7").result() == 7


@pytest.mark.parametrize("end", [(die, 3), (crash,)], ids=["exit", "segfault"])
def test_a_process_that_dies_takes_only_its_job_along(pool: WorkerPool, end: tuple[object, ...]) -> None:
    before = [pool.submit(abs, -n) for n in range(4)]
    lost: Future[None] = pool.submit(*end)  # type: ignore[arg-type]
    after = [pool.submit(abs, -n) for n in range(4)]
    with pytest.raises(WorkerLost):
        lost.result()
    assert [future.result() for future in before + after] == [0, 1, 2, 3] * 2


def test_a_job_that_hangs_is_stopped() -> None:
    with WorkerPool(1, timeout=0.5) as pool:
        hung = pool.submit(time.sleep, 60)
        with pytest.raises(WorkerTimeout, match=r"no result within 0\.5 s"):
            hung.result(timeout=30)
        assert pool.submit(abs, -1).result() == 1


def test_shutdown_can_drop_what_waits() -> None:
    pool = WorkerPool(1)
    running = pool.submit(time.sleep, 60)
    while not pool.processes():
        time.sleep(0.01)
    waiting = pool.submit(abs, -1)
    pool.shutdown(cancel_futures=True)
    assert waiting.cancelled()
    assert isinstance(running.exception(), WorkerLost)
    with pytest.raises(RuntimeError):
        pool.submit(abs, 1)


def test_workers_end_with_their_parent(pool: WorkerPool) -> None:
    pool.submit(abs, -1).result()
    process = pool.processes()[0]
    pool.shutdown()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_process_for_each_processor_is_the_default() -> None:
    assert default_jobs() == len(os.sched_getaffinity(0))


@dataclass
class Task:
    name: str
    tries: int = 0
    asked: list[int] = field(default_factory=list)


def drive(tasks: list[Task], fails: dict[str, list[Exception]]) -> dict[str, tuple[bool, str, int]]:
    """What the driver makes of jobs that fail as told."""

    def submit(job: work.Job) -> Future[Translation]:
        future: Future[Translation] = Future()
        left = fails.get(job.path, [])
        if left:
            future.set_exception(left.pop(0))
        else:
            future.set_result(work.failed(job, ""))
        return future

    def job_of(task: Task) -> work.Job:
        return work.Job(task.name, work.TRANSLATE, b"", Options())

    done = executors._drive(submit, lambda: 2, iter(tasks), job_of)
    return {task.name: (translation is not None, problem, task.tries) for task, translation, problem in done}


def test_a_lost_worker_costs_one_retry_then_the_file_is_given_up() -> None:
    fails: dict[str, list[Exception]] = {
        "once": [WorkerLost("died")],
        "twice": [WorkerTimeout("late"), WorkerLost("died")],
        "always": [WorkerLost("died"), WorkerLost("died"), WorkerLost("died again")],
        "raised": [WorkerError("ValueError: x")],
    }
    names = ["fine", "once", "twice", "always", "raised", "fine too"]
    assert drive([Task(name) for name in names], fails) == {
        "fine": (True, "", 0),
        "once": (True, "", 1),
        "twice": (False, "died", 1),
        "always": (False, "died again", 2),
        "raised": (False, "ValueError: x", 0),
        "fine too": (True, "", 0),
    }


def test_what_takes_too_long_or_dies_twice_is_done_without_clang() -> None:
    fails: dict[str, list[Exception]] = {
        "slow": [WorkerTimeout("late")],
        "crash": [WorkerLost("died"), WorkerLost("x")],
    }
    done = {}
    for task in ("slow", "crash", "once"):
        seen: list[work.Job] = []

        def submit(job: work.Job, seen: list[work.Job] = seen) -> Future[Translation]:
            seen.append(job)
            future: Future[Translation] = Future()
            left = fails.get(job.path, [])
            future.set_exception(left.pop(0)) if left else future.set_result(work.do(job))
            return future

        def job_of(task: Task) -> work.Job:
            return work.Job(task.name, work.TRANSLATE, KERNEL, Options())

        ((_, translation, problem),) = executors._drive(submit, lambda: 1, iter([Task(task)]), job_of)
        assert translation is not None and not problem
        assert b"hipMalloc" in translation.output
        done[task] = [job.options.clang for job in seen], [f.message for f in translation.findings if f.id == "HPY905"]
    assert done == {
        "slow": ([True, False], ["translated without clang: with it, late"]),
        "crash": ([True, True, False], ["translated without clang: with it, x"]),
        "once": ([True], []),
    }


TREE = {f"d{n % 3}/k{n}.cu": KERNEL.replace(b"fill", b"fill%d" % n) for n in range(9)} | {
    "h.cuh": b"__device__ int h();\n",
    "Makefile": b"all:\n\tnvcc -arch=sm_80 d0/k0.cu\n",
    "bad.cu": b"int x = \xff\xfe;\n" + KERNEL,
}


def rows(out: Path) -> dict[str, tuple[str, ...]]:
    state = State(state_path(out))
    found: dict[str, tuple[str, ...]] = {
        name: (row.output, row.action, row.generated, row.figures) for name, row in state.rows().items()
    }
    state.close()
    return found


def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Path) -> None:
    source = make(tmp_path / "in", TREE)
    for jobs in (1, 2, 4):
        convert(source, tmp_path / f"out{jobs}", jobs=jobs)
    one, two, four = (tmp_path / f"out{jobs}" for jobs in (1, 2, 4))
    assert content(one) == content(two) == content(four)
    assert rows(one) == rows(two) == rows(four)


def test_a_file_over_which_clang_takes_too_long_is_translated_and_tried_again_with_more_time(tmp_path: Path) -> None:
    slow = b"constexpr long f() { long s = 0; for (long i = 0; i < 4000000000; ++i) s += i; return s; }\n"
    source = make(tmp_path / "in", {"k.cu": KERNEL + slow + b"static_assert(f() != 0);\n"})
    options = Options(clang_args=("-fconstexpr-steps=2147483647", "-std=c++17"))
    result = convert(source, tmp_path / "out", options=options, timeout=5.0)
    assert result.failed == []
    assert b"hipMalloc" in content(tmp_path / "out")["k.cu"]
    assert result.files[0].figures.findings.get("warning HPY905") == 1
    assert convert(source, tmp_path / "out", options=options, timeout=5.0).worked == 0
    assert convert(source, tmp_path / "out", options=options, timeout=6.0).worked == 1


@pytest.mark.parametrize("jobs", [1, 2], ids=["in this process", "in others"])
def test_a_file_that_takes_too_long_is_retried_once_and_then_reported(tmp_path: Path, jobs: int) -> None:
    source, out = make(tmp_path / "in", {"a.txt": b"a", "k.cu": KERNEL}), tmp_path / "out"
    heard = Heard()
    result = convert(source, out, heard, timeout=0.0001, jobs=jobs)
    assert result.failed == ["k.cu"]
    assert heard.lines == ["k.cu: no result within 0.0001 s"]
    assert content(out) == {"a.txt": b"a", "k.cu": KERNEL}
    assert result.files[1].action == "failed"
    assert result.files[1].figures.findings == {"error HPY909": 1}
    again = convert(source, out, timeout=0.0001, jobs=jobs)
    assert (again.failed, again.worked) == (["k.cu"], 0)
    assert convert(source, out).failed == []
    assert b"hipMalloc" in content(out)["k.cu"]
