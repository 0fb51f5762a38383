"""The part of a conversion that writes: every file's output, its row in the state, and what became of it."""

from __future__ import annotations

import posixpath
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipify.emit import files
from hipify.errors import OutputError
from hipify.fingerprints import fingerprint
from hipify.project import helpers, places, work
from hipify.project.helpers import HELPER
from hipify.project.kept import Kept, do_and_keep, kept
from hipify.project.kinds import source_kind
from hipify.project.known import Known
from hipify.project.outputs import Outputs
from hipify.project.plan import obstacles
from hipify.project.planning import Blueprint
from hipify.project.records import Figures
from hipify.project.result import FileOutcome, Result
from hipify.project.state import Row, State
from hipify.project.tree import Entry, Kind

if TYPE_CHECKING:
    from hipify.project.convert import Conversion


@dataclass(slots=True)
class Task:
    """A file to work on, with the hash of what its output depends on."""

    entry: Entry
    job: work.Job
    key: str
    mode: int
    tries: int = 0


class Run:
    """One run over a tree that writes."""

    def __init__(self, conversion: Conversion, plan: Blueprint, state: State) -> None:
        self._conversion = conversion
        self._settings = conversion.settings
        self._watcher = conversion.watcher
        self._plan = plan
        self._state = state
        self._rows = state.rows()
        self._result = Result(plan.tree)
        self._helpers: set[str] = set()
        self._wanted_helpers: set[str] = set()
        backup = self._settings.in_place and places.changed_in_git(self._settings.source) is None
        self._outputs = Outputs(
            self._settings.out, state, set(plan.names.values()), self._settings.in_place, backup or self._backup
        )

    @property
    def _backup(self) -> bool:
        return self._settings.in_place and self._settings.force

    def run(self) -> Result:
        self._outputs.recover(self._rows)
        self._check_origin()
        moved = {} if self._settings.in_place else self._follow_moves()
        todo = [entry for entry in self._plan.tree.entries if not self._unchanged(entry)]
        self._watcher.start(len(todo))
        self._result.worked = len(todo)
        self._result.reported = self._state.about().get("reports") == "written"
        if todo:
            self._state.set_about({"reports": ""})
        try:
            self._carry_out(todo, moved)
        finally:
            self._outputs.flush()
        self._write_helpers()
        self._follow_deletions(moved)
        self._outputs.flush()
        self._result.written = self._outputs.result
        self._result.files.sort(key=lambda file: file.path)
        return self._result

    def _check_origin(self) -> None:
        """A tree is converted from one input, unless the person insists."""
        source = str(self._settings.source.resolve())
        known = self._state.about().get("source", source)
        if known != source and not self._settings.force and not Path(known).exists():
            known = source  # the input was moved
        if known != source and not self._settings.force:
            raise OutputError(f"{self._settings.out}: was converted from {known}; --force converts {source} into it")
        from hipify import __version__

        self._state.set_about({"source": source, "tool": __version__, "target": self._settings.options.target})

    def _follow_moves(self) -> dict[str, Row]:
        """For each new input, the row of the vanished one with the same content: it was renamed."""
        blocked = obstacles(self._rows.values(), self._plan.names)
        for row in blocked:  # a file has become a folder, or a folder a file: the old output makes way
            self._outputs.remove(row)
        present = {entry.path for entry in self._plan.tree.entries} | {row.input for row in blocked}
        vanished: dict[str, Row] = {}
        for row in self._rows.values():
            if row.input not in present and row.action != HELPER:
                vanished.setdefault(row.source, row)
        moved: dict[str, Row] = {}
        for entry in self._plan.tree.entries:
            if entry.path not in self._rows and entry.digest and entry.digest in vanished:
                moved[entry.path] = vanished.pop(entry.digest)
        return moved

    def _unchanged(self, entry: Entry) -> bool:
        """Whether a file's output stands as it would be made now; then it is only listed."""
        if self._settings.in_place and self._is_left(entry):
            self._list(self._row(entry, "left", ""), fresh=False)
            return True
        row = self._rows.get(entry.path)
        if row is None or row.output != self._plan.names[entry.path]:
            return False
        key = self._plan.key(entry)
        if row.key not in (key, self._failed_key(key)):
            return False
        if not self._outputs.is_there(row):
            return False
        if row.conflict:
            if self._outputs.open_conflict(row):
                self._outputs.result.conflicts.append(row.output)
            else:
                self._state.finish([self._state.whole(row.input)._replace(conflict=0)])
        if row.action == "failed":
            self._result.failed.append(row.input)
        self._list(row, fresh=False)
        return True

    def _is_left(self, entry: Entry) -> bool:
        """Whether there is nothing to do with a file but to leave it where it is."""
        same = self._plan.names[entry.path] == entry.path
        return same and entry.kind is not Kind.LINK and not self._plan.needs_work(entry)

    def _failed_key(self, key: str) -> str:
        """A file that took too long is tried again when anything about it has changed, or the time that it may take."""
        return f"{key} {self._settings.timeout:g}"

    def _list(self, row: Row, fresh: bool) -> None:
        self._result.files.append(FileOutcome(row.input, row.output, row.action, fresh, Figures.from_json(row.figures)))
        folder = posixpath.dirname(row.output)
        self._wanted_helpers.update(posixpath.join(folder, name) for name in row.helpers.split() if name)

    def _carry_out(self, todo: list[Entry], moved: dict[str, Row]) -> None:
        """Do what there is to do; while workers translate, this process copies."""
        jobs = [entry for entry in todo if entry.kind is not Kind.LINK and self._plan.needs_work(entry)]
        jobs.sort(key=lambda entry: -entry.size)  # the longest first, so that none is left alone at the end
        working = {entry.path for entry in jobs}
        rest = deque(entry for entry in todo if entry.path not in working)

        def copy_one() -> bool:
            if rest:
                self._leave_as_it_is(rest.popleft(), moved)
            return bool(rest)

        known = self._conversion.known
        tasks = self._conversion.tasks(self._plan, jobs)
        if known:
            tasks = (task for task in tasks if not self._is_known(task, known, moved))
        results = self._conversion.results(do_and_keep, tasks, self._result, copy_one)
        for task, outcome, problem in results:
            made = outcome or kept(work.failed(task.job, problem))
            self._translated(task, made, moved)
            if known is not None:
                known.put(task.entry.path, task.key, made)
            self._watcher.done(task.entry.path)
        while rest:
            copy_one()
        if known is not None:
            known.write(self._plan.names)

    def _is_known(self, task: Task, known: Known, moved: dict[str, Row]) -> bool:
        """Whether an earlier run has made a file's output; then it is written."""
        made = known.get(task.entry.path, task.key)
        if made is None:
            return False
        self._translated(task, made, moved)
        self._watcher.done(task.entry.path)
        return True

    def _leave_as_it_is(self, entry: Entry, moved: dict[str, Row]) -> None:
        """Link or copy what no worker has to look at."""
        last = self._rows.get(entry.path) or moved.get(entry.path)
        if entry.kind is Kind.LINK:
            self._link(entry)
        elif not self._settings.in_place:
            self._copy(entry, last)
        else:
            source = self._settings.source / entry.path
            self._put(entry, source.read_bytes(), None, "copied", last, files.permissions(str(source)))
        self._watcher.done(entry.path)

    def _row(self, entry: Entry, action: str, key: str) -> Row:
        return Row(entry.path, self._plan.names[entry.path], action, key, entry.digest, "", "")

    def _link(self, entry: Entry) -> None:
        target = self._plan.link_target(entry)
        row = self._row(entry, "linked", self._plan.key(entry))
        if not self._settings.in_place:
            self._outputs.put_link(row, target, self._rows.get(entry.path))
        self._list(row, fresh=True)

    def _copy(self, entry: Entry, last: Row | None) -> None:
        row = self._row(entry, "copied", self._plan.key(entry))
        source = self._settings.source / entry.path
        if self._settings.link_unchanged:
            self._outputs.put_link(row, str(source.resolve()), last)
        else:
            self._outputs.put_file(row, source, last, files.permissions(str(source)))
        self._list(row, fresh=True)

    def _translated(self, task: Task, outcome: Kept, moved: dict[str, Row]) -> None:
        entry = task.entry
        if outcome.failed and entry.path not in self._result.failed:
            self._result.failed.append(entry.path)
        action = "failed" if outcome.failed else "converted" if outcome.edited else "unchanged"
        if entry.kind is Kind.BUILD and action == "converted":
            action = "build file"
        self._helpers.update(outcome.helpers)
        last = self._rows.get(entry.path) or moved.get(entry.path)
        key = self._failed_key(task.key) if outcome.failed or outcome.hurried else task.key
        self._put(entry, outcome.output, outcome, action, last, task.mode, key)

    def _put(
        self, entry: Entry, text: bytes, outcome: Kept | None, action: str, last: Row | None, mode: int, key: str = ""
    ) -> None:
        row = self._row(entry, action, key)
        if outcome is not None:
            row = row._replace(
                generated=outcome.generated,
                helpers=" ".join(outcome.helpers),
                figures=outcome.figures,
                base=outcome.base,
                record=outcome.record,
            )
        old = ""
        if self._settings.in_place:
            if row.output != entry.path:
                old = entry.path
            kind = source_kind(row.output, text) if entry.kind is Kind.CUDA else entry.kind
            after = Entry(row.output, kind, len(text), fingerprint(text), build=entry.build)
            key = self._plan.key_in_place(after)
            key = self._failed_key(key) if action == "failed" or (outcome is not None and outcome.hurried) else key
            row = row._replace(input=row.output, source=after.digest, key=key)
        self._outputs.put(row, text, last, mode, old)
        self._list(row, fresh=True)

    def _write_helpers(self) -> None:
        """Each helper header beside the files that include it, once a folder."""
        planned = {name.casefold(): path for path, name in self._plan.names.items()}
        for path in sorted(self._wanted_helpers):
            if path.casefold() in planned and not self._settings.in_place:
                if helpers.is_the_same(self._settings.source / planned[path.casefold()], posixpath.basename(path)):
                    continue
                raise OutputError(
                    f"{self._settings.out / path}: the project's own {planned[path.casefold()]} has the name of a "
                    "helper header that the output needs"
                )
            name = f"{HELPER}:{path}"
            last = self._rows.get(name)
            base = posixpath.basename(path)
            if base not in self._helpers and last is not None and (self._settings.out / path).exists():
                continue
            content = helpers.text(base)
            row = Row(name, path, HELPER, fingerprint(content), fingerprint(content), "", "")
            self._outputs.put(row, content, last, 0o666)

    def _follow_deletions(self, moved: dict[str, Row]) -> None:
        present = {entry.path for entry in self._plan.tree.entries} | set(self._plan.names.values())
        present |= {f"{HELPER}:{path}" for path in self._wanted_helpers}
        gone = [row for row in self._rows.values() if row.input not in present]
        renamed = {row.input for row in moved.values()}
        if not self._settings.in_place:
            for row in gone:
                if row.input not in renamed:
                    self._outputs.remove(row)
        if gone:
            self._outputs.flush()
            self._state.forget(row.input for row in gone)
