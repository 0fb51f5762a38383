"""Jobs on a Dask cluster: each goes out as a parcel of bytes and comes back as bytes; no disk is shared.

A worker of the cluster hands the parcels to processes of its own (the same pool that a local run uses), so that a file
that hangs or brings libclang down costs the cluster nothing. Nothing but bytes passes through the scheduler, which need
not have hipify-py; a worker that lacks it, or has another version, is named and ends the run.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import pickle
import re
import socket
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from hipify.errors import HipifyError, UsageError, os_reason
from hipify.model import Translation
from hipify.project.executors import WorkerError, WorkerLost, WorkerPool, WorkerTimeout
from hipify.project.fingerprint import of_tool
from hipify.project.kept import do_and_keep, kept
from hipify.project.parcel import Packer, Parcel, Unpacked
from hipify.project.work import Job

_ADDRESS = re.compile(r"(?:(?P<scheme>tcp|tls|ucx|ws|wss)://)?(?P<host>\[[0-9a-fA-F:]+\]|[^\s:/\[\]]+):(?P<port>\d+)/?")
# What a worker is asked to evaluate. As text, so that neither the scheduler nor a worker must import anything to read
# the request: a worker without hipify-py can then say so.
_CALL = "__import__('importlib').import_module('hipify.project.cluster').serve(tool, body, timeout)"
_CONNECT_SECONDS = 10.0
_PATIENCE_SECONDS = 60.0
_POLL_SECONDS = 2.0
_IDLE_SECONDS = 60.0
_LOST = {"lost": WorkerLost, "timeout": WorkerTimeout, "error": WorkerError}


class ClusterError(HipifyError):
    """The cluster as a whole cannot do the work."""


def check(address: str) -> None:
    """See that a scheduler can be reached, before anything is written; raises UsageError or ClusterError."""
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match["port"]) < 65536:
        raise UsageError(f"--scheduler {address}: an address like tcp://HOST:8786 is expected")
    _distributed()
    if match["scheme"] in ("ucx", "ws", "wss"):
        return
    try:
        socket.create_connection((match["host"].strip("[]"), int(match["port"])), _CONNECT_SECONDS).close()
    except OSError as error:
        raise ClusterError(f"--scheduler {address}: cannot be reached: {os_reason(error)}") from error


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise UsageError("--scheduler needs Dask: pip install 'hipify-py[dask]'") from error
    # What goes wrong is said by this module, in one line.
    for name in [n for n in logging.root.manager.loggerDict if n.split(".")[0] in ("distributed", "tornado")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


class Cluster(Executor):
    """The workers of a Dask cluster, through the interface of concurrent.futures."""

    def __init__(self, address: str, timeout: float = 0.0, patience: float = _PATIENCE_SECONDS) -> None:
        check(address)
        self._address = address
        self._timeout = timeout
        self._patience = patience
        self._packer = Packer()
        self._client = _connect(address)
        self._executor = self._client.get_executor(pure=False)
        self._lock = threading.Lock()
        self._pending: dict[Future[Any], tuple[Future[Any], Callable[[Translation], Any]]] = {}
        self._problem: HipifyError | None = None
        self._threads = 1
        self._closed = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a job done; `fn` is hipify.project.work.do or kept.do_and_keep, and the job its argument."""
        (job,) = args
        return self._send(job, kept if fn is do_and_keep else _as_it_is)

    def translate(self, job: Job) -> Future[Translation]:
        """Have a job done."""
        return self._send(job, _as_it_is)

    def _send(self, job: Job, finish: Callable[[Translation], Any]) -> Future[Any]:
        if self._problem is not None:
            raise self._problem
        given = {"tool": of_tool(), "body": self._packer.parcel_of(job).pack(), "timeout": self._timeout}
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # large files make large requests
            inner = self._executor.submit(eval, _CALL, given)
        with self._lock:
            self._pending[inner] = future, finish
        inner.add_done_callback(self._settle)
        return future

    def window(self) -> int:
        """How many jobs may be under way, so that no worker waits for one."""
        return max(3 * self._threads, 8)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster."""
        self._closed.set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._client.close(timeout=5)

    def _settle(self, inner: Future[Any]) -> None:
        """Hand the outcome of a request on."""
        with self._lock:
            future, finish = self._pending.pop(inner, (None, _as_it_is))
        if future is None or future.done():
            return
        try:
            outcome = finish(self._outcome(inner))
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(outcome)

    def _outcome(self, inner: Future[Any]) -> Translation:
        if inner.cancelled():
            raise self._problem or ClusterError(f"--scheduler {self._address}: the connection was lost")
        error = inner.exception()
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == "hipify":
            raise ClusterError(f"--scheduler {self._address}: a worker has no hipify-py: install it on every worker")
        if error is not None:
            last = getattr(error, "last_worker", None)  # distributed's KilledWorker
            raise WorkerError("the workers that had it died" if last else f"{type(error).__name__}: {error}")
        status, value = pickle.loads(inner.result())
        if status == "version":
            raise ClusterError(f"--scheduler {self._address}: {value}")
        if status in _LOST:
            raise _LOST[status](value)
        assert isinstance(value, Translation)
        return value

    def _watch(self) -> None:
        """Notice when no worker is left, or the scheduler is gone: Dask itself would wait for ever."""
        quiet = wait = 0.0
        while not self._closed.wait(wait):
            wait = _POLL_SECONDS
            try:
                threads = self._client.nthreads()
            except Exception:
                if not self._closed.is_set():
                    self._give_up(f"--scheduler {self._address}: the connection was lost")
                return
            quiet = 0.0 if threads else quiet + _POLL_SECONDS
            self._threads = max(1, sum(threads.values()))
            if quiet > self._patience:
                self._give_up(f"--scheduler {self._address}: has had no worker for {self._patience:g} s")
                return

    def _give_up(self, reason: str) -> None:
        self._problem = ClusterError(reason)
        with self._lock:
            waiting = list(self._pending.values())
            self._pending.clear()
        for future, _ in waiting:
            if not future.done():
                future.set_exception(self._problem)


def _as_it_is(translation: Translation) -> Translation:
    return translation


def _connect(address: str) -> Any:
    distributed = _distributed()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # A client waits for ever for the greeting of a server that says nothing.
            kind = asyncio.run(asyncio.wait_for(_kind(address), _CONNECT_SECONDS))
            if kind != "Scheduler":
                raise ConnectionError(f"the address is that of a {kind.lower()}")
            return distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False, name="hipify-py")
    except Exception as error:
        reason = " ".join(str(error).split()) or f"nothing within {_CONNECT_SECONDS:g} s"
        raise ClusterError(f"--scheduler {address}: no Dask scheduler answers: {reason}") from error


async def _kind(address: str) -> str:
    """What a server of Dask says that it is."""
    server = _distributed().rpc(address, timeout=_CONNECT_SECONDS)
    try:
        return str((await server.identity())["type"])
    finally:
        await server.close_rpc()


# What follows runs in the workers of the cluster.

_pools: dict[float, WorkerPool] = {}
_lock = threading.Lock()
_busy = 0
_idle: threading.Timer | None = None


def serve(tool: str, body: bytes, timeout: float) -> bytes:
    """Do the job in a parcel; gives a pickled (status, translation or reason)."""
    if tool != of_tool():
        return pickle.dumps(("version", _other_version()))
    pool = _enter(timeout)
    try:
        answer = ("done", pool.submit(carry_out, body, _scratch()).result())
    except WorkerLost as error:
        return pickle.dumps(("lost", str(error)))
    except WorkerTimeout as error:
        return pickle.dumps(("timeout", str(error)))
    except WorkerError as error:
        return pickle.dumps(("error", str(error)))
    finally:
        _leave()
    return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)


def carry_out(body: bytes, scratch: str) -> Translation:
    """Do the job in a parcel in this process, its headers below `scratch`."""
    return _unpacked(str(Path(scratch) / f"hipify-py-{os.getpid()}")).carry_out(Parcel.unpack(body))


@functools.cache
def _unpacked(root: str) -> Unpacked:
    return Unpacked(root)


def _other_version() -> str:
    from hipify import __version__

    return (
        f"the worker on {socket.gethostname()} has another hipify-py (it says {__version__}) or libclang than this "
        "machine: results would differ; install the same on both"
    )


def _scratch() -> str:
    from distributed import get_worker

    return str(get_worker().local_directory)  # Dask removes it, even that of a worker that was killed


def _enter(timeout: float) -> WorkerPool:
    global _busy, _idle
    with _lock:
        _busy += 1
        if _idle is not None:
            _idle.cancel()
            _idle = None
        pool = _pools.get(timeout)
        if pool is None:
            from distributed import get_worker

            pool = _pools[timeout] = WorkerPool(get_worker().state.nthreads, timeout or None)
        return pool


def _leave() -> None:
    global _busy, _idle
    with _lock:
        _busy -= 1
        if not _busy:
            _idle = threading.Timer(_IDLE_SECONDS, _rest)
            _idle.daemon = True
            _idle.start()


def _rest() -> None:
    """End the processes of a worker that has had nothing to do for a while."""
    with _lock:
        if _busy:
            return
        pools = list(_pools.values())
        _pools.clear()
    for pool in pools:
        pool.shutdown()
