"""Jobs in this process have the time limit and the words for failures that worker processes have."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hipify.model import Options
from hipify.project.executors import WorkerError, WorkerPool, WorkerTimeout
from hipify.project.here import Here
from tests.project.trees import content, convert, make

TREE = {
    "a.cu": "#include <cuda_runtime.h>\nint *p;\nvoid f() { cudaFree(p); }\n",
    "b/c.cuh": "__device__ int g() { return threadIdx.x; }\n",
    "plain.h": "int h();\n",
}


@pytest.fixture
def here() -> Iterator[Here]:
    with Here(0.2) as made:
        yield made


def _loop() -> None:
    while True:
        time.monotonic()


def _match() -> None:
    re.match(r"(a*)*b", "a" * 40)


def _swallow() -> None:
    while True:
        try:
            time.sleep(1)
        except Exception:
            continue


@pytest.mark.parametrize("job", [_loop, _match, _swallow])
def test_a_job_that_takes_too_long_is_stopped(here: Here, job: object) -> None:
    assert callable(job)
    assert isinstance(here.submit(job).exception(), WorkerTimeout)
    assert here.submit(divmod, 7, 2).result() == (3, 1)
    time.sleep(0.3)  # the alarm of a job that has ended does not go off


def test_an_exception_comes_back_as_text(here: Here) -> None:
    error = here.submit(divmod, 1, 0).exception()
    assert isinstance(error, WorkerError)
    assert str(error).startswith("ZeroDivisionError: ")


def test_the_alarm_is_given_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with Here(1) as made:
        assert signal.getsignal(signal.SIGALRM) is not before
        made.submit(int)
    assert signal.getsignal(signal.SIGALRM) is before


def test_one_processor_without_clang_needs_no_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = make(tmp_path / "in", TREE)
    convert(source, tmp_path / "two", options=Options(clang=False), jobs=2)
    monkeypatch.setattr(WorkerPool, "submit", lambda *_: pytest.fail("a process was started"))
    convert(source, tmp_path / "one", options=Options(clang=False), jobs=1)
    assert content(tmp_path / "one") == content(tmp_path / "two")
