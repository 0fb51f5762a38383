"""Parts of CMake files that are about no target: commands for the build, packages from elsewhere, questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files.cmake_flags import flag_edits
from hipify.project.build_files.cmake_properties import Properties
from hipify.project.build_files.cmake_syntax import Argument, Command
from hipify.rules.checks.build import ARCHITECTURE, CONSTRUCT

RUNNERS = frozenset(("add_custom_command", "add_custom_target", "execute_process"))
FETCHERS = frozenset(("fetchcontent_declare", "externalproject_add", "cpmaddpackage", "cpmfindpackage"))
NVIDIA = lazy(r"(?i)nvidia|\b(?:cccl|cutlass|libcudacxx|nvbench)\b")
"""Packages that are CUDA's own."""

_COMPILER = lazy(r"(?:\S*/)?nvcc\Z|\$\{(?:CMAKE_CUDA_COMPILER|CUDA_NVCC_EXECUTABLE|CUDAToolkit_NVCC_EXECUTABLE)\}\Z")
_KEYWORD = lazy(r"[A-Z][A-Z_]+\Z")
_ASKED_ID = lazy(r"\$?\{?CMAKE_CUDA_COMPILER_ID\}?\Z")
_ASKED_VERSION = lazy(r"\$?\{?CMAKE_CUDA_COMPILER_VERSION\}?\Z")


class Questions(Properties):
    """The part of a CMake file's translation that deals with these."""

    def _runs(self, command: Command) -> None:
        """What a build runs: nvcc's commands become hipcc's."""
        done: set[int] = set()
        for program, given in _compiler_calls(command):
            self._edit(program.start, program.stop, "hipcc")
            flag_edits(self._file, given, self.rewritten, command=True)
            done.update((program.start, *(argument.start for argument in given)))
        self._other(replace(command, arguments=tuple(a for a in command.arguments if a.start not in done)))

    def _fetches(self, command: Command) -> None:
        """Code that comes from elsewhere is not converted; NVIDIA's is told."""
        self._other(command)
        texts = [argument.text for argument in command.arguments]
        if any(NVIDIA.search(text) for text in texts):
            name = texts[1] if texts[0] == "NAME" and len(texts) > 1 else texts[0]
            message = f"{name}: is NVIDIA's own and is fetched as it is, untranslated"
            self._file.find(CONSTRUCT, command.start, command.stop, message, severity=Severity.WARNING)

    def _asks(self, command: Command) -> None:
        self._other(command)
        for argument in _compiler_names(command):
            self._edit(argument.start, argument.stop, "Clang")
        for argument in command.arguments:
            if _ASKED_VERSION.match(argument.text):
                self._warn(argument, f"{argument.text}: a version of nvcc decides here, clang's numbers are others")

    def _headers(self, command: Command) -> None:
        """A header that is looked for."""
        from hipify.rules.library import Library

        library = Library.default()
        for argument in command.arguments:
            row = library.header(argument.text.encode()) if argument.text.endswith((".h", ".hpp", ".cuh")) else None
            if row is not None and row.hip:
                self._edit(argument.start, argument.stop, row.hip)
            else:
                self._argument(argument, command)

    def _no_flags(self, command: Command) -> None:
        """nvcc's options for GPUs are none for clang, which CMake tells by CMAKE_HIP_ARCHITECTURES."""
        names = [command.arguments[0].text] if command.arguments else []
        if command.name == "cuda_select_nvcc_arch_flags":
            names += [f"{name}_readable" for name in names]
        self._replace(command, [f'set({name} "")' for name in names])
        message = f"{command.name}: CMAKE_HIP_ARCHITECTURES names the GPUs ({', '.join(self._archs)})"
        self._file.find(ARCHITECTURE, command.start, command.stop, message)


def _compiler_calls(command: Command) -> Iterator[tuple[Argument, Sequence[Argument]]]:
    """The calls of nvcc in a command for the build: the program, and what it is given."""
    arguments = command.arguments
    for at, argument in enumerate(arguments):
        if _COMPILER.match(argument.text) and at and arguments[at - 1].text in ("COMMAND", "ALL", "ccache"):
            stop = at + 1
            while stop < len(arguments) and (
                arguments[stop].text == "ARGS" or not _KEYWORD.match(arguments[stop].text)
            ):
                stop += 1
            yield argument, [a for a in arguments[at + 1 : stop] if a.text != "ARGS"]


def _compiler_names(command: Command) -> Iterator[Argument]:
    """NVIDIA's name where a condition compares the compiler's with it."""
    asks = any(_ASKED_ID.match(argument.text) for argument in command.arguments)
    return (argument for argument in command.arguments if asks and argument.text == "NVIDIA")
