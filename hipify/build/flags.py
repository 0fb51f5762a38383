"""Where the flags of a build come from, and what they are for hipcc: compile_commands.json, makefiles, `-- flags`."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify.build.machine import Machine
from hipify.build.process import MISSING, call
from hipify.compile_commands import CompilationDatabase
from hipify.errors import InputError, UsageError
from hipify.project.build_files.flags import LOST, UNKNOWN_LIBRARY, Change, translate_command

SOURCES = (".cu", ".hip", ".cpp", ".cc", ".cxx", ".c++", ".c")
_OBJECTS = (".o", ".obj", ".a", ".so", ".lo")
_COMPILER = re.compile(
    r"(?:\S*/)?(?:nvcc|hipcc|g\+\+|gcc|cc|c\+\+|clang(?:\+\+)?|mpi(?:cc|cxx|c\+\+|CC)|icpx)(?:-[\d.]+)?\Z"
)
_BOTH = (
    "-fgpu-rdc",
    "-fopenmp",
    "-pthread",
    "-fsanitize",
    "-stdlib",
    "-pg",
    "-g",
    "-flto",
    "-foffload-lto",
    "--coverage",
)
_LINK = ("-L", "-l", "-Wl,", "-rdynamic", "-static", "-shared", "-nostdlib", "-u")
_DROPPED_WITH_VALUE = ("-o", "-x", "-MF", "-MT", "-MQ", "-odir")
_KEPT_WITH_VALUE = (
    "-include",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-imacros",
    "-Xclang",
    "-mllvm",
    "-Xcompiler",
    "-target",
)
_DROPPED = ("-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "--save-temps", "--hip-link", "-dc")
_PATHS = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-L")
# Options of nvcc whose value may be a word of its own. Those of the architecture, and some more, are for linking, too.
_ARCH = ("-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code")
_NVCC_BOTH = (
    *_ARCH, "-rdc", "--relocatable-device-code", "-ccbin", "--compiler-bindir", "-cudart", "--cudart", "-Xcompiler",
    "--compiler-options", "-m", "--machine", "-Xnvlink", "--nvlink-options",
)  # fmt: skip
_NVCC_VALUES = (
    *_NVCC_BOTH, "-std", "--std", "-maxrregcount", "--maxrregcount", "-Xptxas", "--ptxas-options", "-Xcudafe", "-t",
    "--threads", "-diag-suppress", "--diag-suppress", "-diag-error", "--diag-error", "-ftz", "--ftz", "-prec-div",
    "--prec-div", "-prec-sqrt", "--prec-sqrt", "-fmad", "--fmad", "-Werror", "--Werror", "-default-stream",
    "--default-stream", "-extra-device-vectorization", "-split-compile", "--split-compile",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of one compile command, and those that belong to linking. `notes` says what was lost."""

    compile: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def include_dirs(self) -> tuple[str, ...]:
        """The folders of -I, in order."""
        return tuple(word[2:] for word in self.compile if word.startswith("-I"))

    def with_more(self, other: Flags) -> Flags:
        """These flags, then others."""
        return Flags(self.compile + other.compile, self.link + other.link, self.notes + other.notes)


def flags_of(words: Sequence[str], folder: str = "", *, archs: Sequence[str] = (), roc: bool = False,
             keep: bool = False) -> Flags:  # fmt: skip
    """The flags of a command's words (without the compiler), for hipcc; with `keep` as they are, for nvcc.

    Where `archs` are given, they take the place of the command's own.
    """
    changes: list[Change] = []
    made = list(_together(words, keep))
    if not keep:
        made, changes = translate_command(["nvcc", *made], archs, roc)
        made = made[1:]
    compile_flags: list[str] = []
    link_flags: list[str] = []
    rest = iter(_normal(made, folder))
    for word in rest:
        if word in _DROPPED_WITH_VALUE:
            next(rest, None)
        elif word in ("-Xlinker", "-u"):
            link_flags += [word, next(rest, "")]
        elif word in _KEPT_WITH_VALUE:
            compile_flags += [word, next(rest, "")]
        elif word in _DROPPED or word.startswith("--offload-arch"):
            continue
        elif not word.startswith("-"):
            if word.endswith(_OBJECTS) and _is_library(word):
                link_flags.append(_absolute(word, folder))
        elif keep and word.partition("=")[0] in _NVCC_BOTH:
            if not (archs and word.startswith(_ARCH)):
                compile_flags.append(word)
                link_flags.append(word)
        elif word.startswith(_LINK) and word not in ("-lineinfo", "-link"):
            link_flags.append(word)
        else:
            compile_flags.append(word)
            if word.startswith(_BOTH):
                link_flags.append(word)
    notes = tuple(c.why for c in changes if c.why and c.level in (LOST, UNKNOWN_LIBRARY))
    return Flags(tuple(compile_flags), tuple(link_flags), notes)


def _together(words: Sequence[str], nvcc: bool) -> Iterator[str]:
    """The words with macros, and nvcc's options, in one word with their values."""
    rest = iter(words)
    for word in rest:
        if word in ("-D", "-U") or (nvcc and word == "-l"):
            yield word + next(rest, "")
        elif word in ("-t", "--threads") or (nvcc and word in _NVCC_VALUES):
            yield f"{word}={next(rest, '')}"
        elif nvcc and word in ("-dc", "--device-c"):
            yield "-rdc=true"
        else:
            yield word


def _is_library(word: str) -> bool:
    """Whether a file among the words is there before the build: a library, not an object that it makes."""
    return word.endswith((".a", ".so"))


def _normal(words: Iterable[str], folder: str) -> Iterator[str]:
    """The words with options and their paths joined where compilers allow it, and paths made absolute."""
    rest = iter(words)
    for word in rest:
        name = next((n for n in _PATHS if word == n or (word.startswith(n) and n in ("-I", "-L", "-isystem"))), "")
        if not name:
            yield word
            continue
        value = next(rest, "") if word == name else word[len(name) :].removeprefix("=")
        if name in ("-I", "-L"):
            yield name + _absolute(value, folder)
        elif name == "-include":
            there = Path(folder, value)
            yield from (name, str(there) if there.exists() else value)
        else:
            yield from (name, _absolute(value, folder))


def _absolute(path: str, folder: str) -> str:
    return os.path.normpath(Path(folder or Path.cwd(), path)) if path else path


class Sources:
    """The commands that are known for files: a compile database's, a makefile's, and flags for every file."""

    def __init__(
        self, database: CompilationDatabase | None, more: Sequence[str] = (), link: Sequence[str] = ()
    ) -> None:
        self.database = database
        self._more = tuple(more)
        self._link = tuple(link)

    @property
    def files(self) -> list[str]:
        """The files that have a command."""
        return self.database.files if self.database else []

    def flags(self, path: str, *, archs: Sequence[str] = (), roc: bool = False, keep: bool = False) -> Flags:
        """The flags for a file."""
        found = Flags()
        command = self.database.command(path) if self.database else None
        if command is not None:
            folder, words = command
            found = flags_of(words[1:], folder, archs=archs, roc=roc, keep=keep)
        return found.with_more(flags_of(self._more, archs=archs, roc=roc, keep=keep))

    def link(self, *, archs: Sequence[str] = (), roc: bool = False, keep: bool = False) -> Flags:
        """The flags for linking that no file's own command holds."""
        return flags_of(self._link, archs=archs, roc=roc, keep=keep)


def read_makefile(path: str, machine: Machine, targets: Sequence[str] = ()) -> tuple[CompilationDatabase, list[str]]:
    """The compile commands that make would run for a makefile, and the words of its link commands.

    `make -n` runs no recipe, but the $(shell ...) of the makefile: only a build does this, never lint or convert.
    """
    if Path(path).is_dir():
        path = next((str(p) for n in ("GNUmakefile", "makefile", "Makefile") if (p := Path(path, n)).is_file()), path)
    if not Path(path).is_file():
        raise InputError(f"{path}: is no makefile")
    make = machine.which("make")
    if make is None:
        raise UsageError("--makefile needs make, which is not here")
    folder = Path(path).absolute().parent
    command: list[str | os.PathLike[str]] = [make, "-n", "-B", "-w", "-f", Path(path).name, *targets]
    done = call(command, dict(machine.environ), folder, timeout=60)
    if done.status and (done.status == MISSING or not done.out.strip()):
        raise InputError(f"{path}: make -n fails: {done.last_line}")
    commands, link = _commands(done.out, str(folder))
    if not commands:
        raise InputError(f"{path}: make -n shows no command that compiles a source")
    return CompilationDatabase.of(commands), link


def _commands(text: str, folder: str) -> tuple[list[tuple[str, str, list[str]]], list[str]]:
    found: list[tuple[str, str, list[str]]] = []
    link: list[str] = []
    folders = [folder]
    for line in text.replace("\\\n", " ").splitlines():
        entering = re.fullmatch(r"make(?:\[\d+\])?: Entering directory [`'](.*)'", line)
        if entering is not None:
            folders.append(entering[1])
        elif re.match(r"make(?:\[\d+\])?: Leaving directory", line):
            folders = folders[:-1] or [folder]
        else:
            here = folders[-1]
            for words in _simple_commands(line):
                if words[0] == "cd" and len(words) > 1:
                    here = os.path.normpath(Path(here, words[1]))
                    continue
                at = next((i for i, word in enumerate(words[:4]) if _COMPILER.match(word)), -1)
                if at < 0:
                    continue
                own = words[at:]
                sources = [word for word in own[1:] if word.endswith(SOURCES) and not word.startswith("-")]
                found += [(str(Path(here, source)), here, own) for source in sources]
                if not sources:
                    link += [*_normal(own[1:], here)]
    return found, link


def _simple_commands(line: str) -> Iterator[list[str]]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|")
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        for word in lexer:
            if word and set(word) <= set(";&|"):
                if words:
                    yield words
                words = []
            else:
                words.append(word)
    except ValueError:
        return
    if words:
        yield words
