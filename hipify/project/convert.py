"""Convert a tree: plan it, do what has changed since the last time, and tell what became of every file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from hipify.emit import files
from hipify.errors import UsageError, os_reason
from hipify.fingerprints import fingerprint
from hipify.model import Translation
from hipify.project import places, work
from hipify.project.discover import discover
from hipify.project.fingerprint import of_tool
from hipify.project.known import Known
from hipify.project.planning import Blueprint, blueprint
from hipify.project.result import Result, Watcher
from hipify.project.run import Run, Task
from hipify.project.seen import Seen
from hipify.project.settings import Settings
from hipify.project.state import State, state_path
from hipify.project.tree import Entry, Kind

if TYPE_CHECKING:
    from hipify.project.executors import WorkerPool
    from hipify.project.here import Here

R = TypeVar("R")


class Conversion:
    """One run over a tree."""

    def __init__(self, settings: Settings, watcher: Watcher) -> None:
        self.settings = settings
        self.watcher = watcher
        self._examine = False
        self.known: Known | None = None
        """What earlier runs made of the tree, where that is looked for."""
        self.pool: WorkerPool | Here | None = None
        """Who does the jobs, once there are some."""

    def __enter__(self) -> Conversion:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=kind is not None)
            self.pool = None

    def _start(self, *, ready: bool = False) -> WorkerPool | Here | None:
        """Who does the jobs, worker processes mostly, started now; None when a cluster does the work."""
        if self.pool is None and not self.settings.scheduler:
            from hipify.project.executors import local_pool

            self.pool = local_pool(self.settings, ready=ready)
        return self.pool

    def plan(self) -> Blueprint:
        """Find out what is there and what is to become of it; nothing is written."""
        places.check(self.settings)
        return self._blueprint()

    def _blueprint(self, seen: Seen | None = None) -> Blueprint:
        return blueprint(discover(self.settings.source, self.settings.selection, seen), self.settings)

    def examine(self, each: Callable[[Translation], None]) -> Result:
        """Translate everything, write nothing, and hand each translation out."""
        self._examine = True
        self._check_cluster()
        places._check_source(self.settings.source)
        plan = self._blueprint()
        result = Result(plan.tree)
        todo = [entry for entry in plan.tree.entries if entry.kind in (Kind.CUDA, Kind.BUILD)]
        self.watcher.start(len(todo))
        for task, translation, problem in self.results(work.do, self.tasks(plan, todo), result):
            each((translation or work.failed(task.job, problem))._replace(input=task.job.data))
            self.watcher.done(task.entry.path)
        return result

    def run(self) -> Result:
        """Convert."""
        places.check(self.settings)
        self._check_cluster()
        if self.settings.in_place:
            self._check_git()
        path = state_path(self.settings.out)
        self.known = self._known_of_tree()
        if not path.exists() and not self.known:
            self._start(ready=True)  # a first run: there will be work
        seen = Seen.beside(path, f"{of_tool()} {self.settings.selection.max_bytes}")
        plan = self._blueprint(seen)
        with contextlib.closing(State(path)) as state:
            result = Run(self, plan, state).run()
        seen.write()
        return result

    def _known_of_tree(self) -> Known | None:
        """What earlier runs made of the tree; None where translations are kept one by one, or not at all."""
        settings = self.settings
        if settings.options.clang or settings.in_place or settings.scheduler or not settings.keep:
            return None
        return Known(settings.source, of_tool())

    def _check_cluster(self) -> None:
        if self.settings.scheduler:
            from hipify.project import cluster

            cluster.check(self.settings.scheduler)

    def _check_git(self) -> None:
        """In place, only what git can bring back is touched (or what an earlier run of ours wrote)."""
        if self.settings.force:
            return
        changed = places.changed_in_git(self.settings.source)
        if not changed:
            return
        known: dict[str, str] = {}
        path = state_path(self.settings.out)
        if path.exists():
            with contextlib.closing(State(path)) as state:
                known = {row.output: row.written for row in [*state.rows().values(), *state.pending()]}
        for name in changed:
            full = self.settings.source / name
            if name in known and (not full.exists() or fingerprint(full.read_bytes()) == known[name]):
                continue
            if not full.exists() and known:
                continue
            raise UsageError(f"{full}: has changes that git does not hold yet; commit them, or give --force")

    def results(
        self,
        function: Callable[[work.Job], R],
        tasks: Iterator[Task],
        result: Result,
        meanwhile: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[Task, R | None, str]]:
        """The outcomes of jobs, in whatever order they end: what came of each, or what went wrong."""
        first = next(tasks, None)
        if first is None:
            return
        from hipify.project.executors import run_jobs

        every = chain((first,), tasks)
        jobs = run_jobs(self.settings, function, every, lambda task: task.job, self._start(), meanwhile)
        for task, outcome, problem in jobs:
            if problem:
                result.failed.append(task.entry.path)
                self.watcher.say(f"{task.entry.path}: {problem}")
            yield task, outcome, problem

    def tasks(self, plan: Blueprint, todo: Iterable[Entry]) -> Iterator[Task]:
        """The files as work, each read when it is its turn."""
        return (task for task in (self._task(plan, entry) for entry in todo) if task is not None)

    def _task(self, plan: Blueprint, entry: Entry) -> Task | None:
        path = f"{self.settings.source}/{entry.path}"
        try:
            with open(path, "rb") as stream:  # noqa: PTH123
                data = stream.read()
        except OSError as error:
            self.watcher.say(f"{entry.path}: is gone or cannot be read by now: {os_reason(error)}")
            return None
        entry.digest = fingerprint(data)
        job = plan.job(entry, data, examine=self._examine)
        return Task(entry, job, plan.key(entry), files.permissions(path))
