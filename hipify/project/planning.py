"""All that is decided about a tree before work begins: names, options, what each output depends on, and the jobs."""

from __future__ import annotations

import hashlib
import os
import posixpath
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from hipify.compile_commands import CompilationDatabase
from hipify.model import Options
from hipify.project import places, work
from hipify.project.beyond import Beyond
from hipify.project.build_files import BuildContext
from hipify.project.build_files.needs import defines, hosts, near
from hipify.project.fingerprint import of_options
from hipify.project.includes import Includes, spread_commands, with_folders
from hipify.project.plan import HEADER_SUFFIX, name_outputs, rename
from hipify.project.settings import Settings
from hipify.project.tree import Entry, Kind, Tree, walk_parents

_COMMANDS = "compile_commands.json"
_CXX17 = (b"thrust/", b"cub/", b"cuda/std/", b"rocprim/", b"hipcub/", b"mma.h")


@dataclass
class Blueprint:
    """A tree with everything decided."""

    tree: Tree
    settings: Settings
    names: dict[str, str]
    includes: Includes
    options: dict[str, Options]
    renamed: dict[str, str] = field(default_factory=dict)
    """The files that get new names, but for those that are only under a renamed folder of the same depth."""
    hosts: tuple[str, ...] = ()
    """The sources for a host compiler that read HIP's headers."""
    defines: tuple[str, ...] = ()
    """The macros that HIP's headers of the target want to be given."""
    cxx17: bool = False
    """Whether some source includes a library of templates that needs C++17 on ROCm."""
    _fingerprints: dict[Options, str] = field(default_factory=dict)

    def needs_work(self, entry: Entry) -> bool:
        """Whether a worker has to look at a file; the others are copied."""
        if entry.kind in (Kind.CUDA, Kind.BUILD):
            return True
        return entry.kind is Kind.PLAIN and bool(self.renames(entry.path))

    @cached_property
    def _all_stay(self) -> bool:
        """Whether every file keeps its name."""
        return all(path == name for path, name in self.names.items())

    def renames(self, path: str) -> tuple[tuple[bytes, bytes], ...]:
        """The includes of a file whose text must follow new names."""
        return () if self._all_stay else self.includes.renames(path, self.names)

    def options_of(self, path: str) -> Options:
        """The options of a source, with the include folders that had to be guessed."""
        options = self.options.get(path, self.settings.options)
        project = self.settings.project
        if project.path_warp and (warp := project.warp(str(self.settings.source / path))):
            options = options._replace(warp=warp)
        guessed = self.includes.guessed_folders(path)
        return with_folders(options, (str(self.settings.source / folder) for folder in guessed))

    def key(self, entry: Entry) -> str:
        """A hash of all that an output depends on."""
        if self.settings.in_place:
            return self.key_in_place(entry)
        state = hashlib.blake2b(digest_size=16)
        parts = [entry.kind.value, entry.digest, self.names[entry.path], str(self.settings.link_unchanged)]
        parts.append(str(entry.executable))
        if entry.kind is Kind.CUDA:
            options = self.options_of(entry.path)
            parts += [self._fingerprint(options), self.includes.digest(entry.path)]
        if entry.kind in (Kind.CUDA, Kind.PLAIN):
            parts.append(repr(self.renames(entry.path)))
        if entry.kind is Kind.BUILD:
            parts += [self._fingerprint(self.settings.options), repr(self._context(entry))]
        if entry.kind is Kind.LINK:
            parts.append(self.link_target(entry))
        for part in parts:
            state.update(f"{part}\0".encode("utf-8", "surrogateescape"))
        return state.hexdigest()

    def key_in_place(self, entry: Entry) -> str:
        """The same for a tree whose inputs become outputs: what is around a file changes with the first run."""
        text = f"{entry.kind.value}\0{entry.digest}\0{self._fingerprint(self.settings.options)}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def _fingerprint(self, options: Options) -> str:
        found = self._fingerprints.get(options)
        if found is None:
            found = self._fingerprints[options] = of_options(options)
        return found

    def job(self, entry: Entry, data: bytes, *, examine: bool = False) -> work.Job:
        """What a worker is asked to do."""
        path = str(self.settings.source / entry.path)
        if entry.kind is Kind.BUILD:
            return work.Job(path, work.BUILD, data, self.settings.options, (), entry.build, self._context(entry))
        renames = self.renames(entry.path)
        if entry.kind is Kind.PLAIN:
            return work.Job(path, work.FOLLOW, data, self.settings.options, renames)
        task = work.EXAMINE if examine else work.TRANSLATE
        options = self.options_of(entry.path)
        keep = self._run if options.clang else ""  # without clang: hipify.project.known
        return work.Job(path, task, data, options, () if examine else renames, keep=keep)

    @cached_property
    def _run(self) -> str:
        """This run's name for workers of this machine that keep what they make; '' where nothing is kept."""
        here = self.settings.keep and not self.settings.scheduler
        return f"{os.getpid()} {time.time_ns()}" if here else ""

    @cached_property
    def _source_folders(self) -> frozenset[str]:
        """The folders with a source in them or below."""
        found: set[str] = {""}
        for entry in self.tree.entries:
            if entry.kind in (Kind.CUDA, Kind.PLAIN):
                for folder in walk_parents(entry.path):
                    if folder in found:
                        break
                    found.add(folder)
        return frozenset(found)

    def _context(self, entry: Entry) -> BuildContext:
        folder = posixpath.dirname(entry.path)
        everything = entry.build == "commands"
        return BuildContext(
            self.settings.options,
            folder,
            self.renamed,
            self.cxx17,
            {} if self.settings.suffix == "same" else {".cu": self.settings.suffix, ".cuh": HEADER_SUFFIX},
            self.hosts if everything else near(self.hosts, folder, folder in self._source_folders),
            self.defines,
            # Only a compile database names absolute places; all else stays the same when a tree is moved.
            os.path.realpath(self.settings.source) if entry.build == "commands" else "",
            os.path.realpath(self.settings.out) if entry.build == "commands" else "",
        )

    def link_target(self, entry: Entry) -> str:
        """Where a link of the output leads: beside it for what is inside the tree, else where it led."""
        if not entry.inside:
            return entry.target
        target = self.names.get(entry.target)
        if target is None:
            target = rename(entry.target) if self.settings.rename_paths else entry.target
        if entry.target not in self.names and not (self.settings.source / entry.target).is_dir():
            return str((self.settings.source / entry.target).resolve())
        return posixpath.relpath(target, posixpath.dirname(self.names[entry.path]) or ".")


def blueprint(tree: Tree, settings: Settings) -> Blueprint:
    """Decide everything about a tree."""
    fold = places.folds_case(settings.out if not settings.in_place else settings.source)
    names = name_outputs(tree.entries, settings.suffix, settings.rename_paths, fold)
    includes, options = _options(tree, settings)
    renamed = {path: name for path, name in names.items() if path != name}
    cxx17 = any(name.startswith(_CXX17) for entry in tree.entries for _, name in entry.includes)
    asked = hosts(tree, includes), defines(tree, settings.options)
    return Blueprint(tree, settings, names, includes, options, renamed, *asked, cxx17)


def _options(tree: Tree, settings: Settings) -> tuple[Includes, dict[str, Options]]:
    """The include graph and each source's options; both know the compile commands."""
    database = _database(settings)
    root = os.path.realpath(settings.source)
    entries = {entry.path for entry in tree.entries if entry.kind is not Kind.LINK} if tree.partial else None

    def command_of(path: str) -> Options | None:
        return database.options_for(str(settings.source / path), settings.options) if database else None

    def folders_in(options: Options) -> Iterable[str]:
        for folder in options.include_dirs:
            real = os.path.realpath(folder)
            if real == root or real.startswith(root.rstrip(os.sep) + os.sep):
                relative = os.path.relpath(real, root).replace(os.sep, "/")
                yield "" if relative == "." else relative

    if database is None:
        folders = tuple(folders_in(settings.options))
        return Includes(tree, lambda path: folders, Beyond(root, [settings.options], entries)), {}
    first = Includes(tree, lambda path: folders_in(command_of(path) or settings.options))
    options = spread_commands(tree, first, command_of, settings.options)
    beyond = Beyond(root, {settings.options, *options.values()}, entries)
    return Includes(tree, lambda path: folders_in(options.get(path, settings.options)), beyond), options


def _database(settings: Settings) -> CompilationDatabase | None:
    if settings.compile_commands:
        return CompilationDatabase.load(settings.compile_commands)
    for folder in (settings.source, settings.source / "build"):
        if (folder / _COMMANDS).is_file():
            return CompilationDatabase.load(str(folder / _COMMANDS))
    return None


def describe(plan: Blueprint) -> Iterable[str]:
    """The plan in lines, for --dry-run."""
    for entry in plan.tree.entries:
        name = plan.names[entry.path]
        action = entry.kind.value if entry.kind in (Kind.CUDA, Kind.BUILD, Kind.LINK) else "copy"
        if action == "copy" and plan.needs_work(entry):
            action = "follow renames"
        yield f"{action:14} {entry.path}" + (f" -> {name}" if name != entry.path else "")
