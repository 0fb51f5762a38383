"""What may stand in any argument of a CMake command: targets, variables, generator expressions, paths, sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.project.build_files import cmake_names as known
from hipify.project.build_files.cmake_syntax import Argument, Command
from hipify.project.build_files.flags import ROCM_VARIABLE, ROOT_VARIABLES, path
from hipify.project.build_files.libraries import library
from hipify.rules.checks.build import CONSTRUCT, FLAG, LIBRARY

_TARGET = lazy(r"CUDA::(\w+)")
_VARIABLE = lazy(r"(?<![\w.-])(?:CMAKE_CUDA_\w+|CUDA_\w+|CUDAToolkit_\w+|CUDNN_LIBRAR\w+|NCCL_LIBRAR\w+)(?![\w.-])")
_LANGUAGE = lazy(r"\$<(COMPILE_LANGUAGE|LINK_LANGUAGE):([^>]*)>|\$<(COMPILE|LINK)_LANG_AND_ID:CUDA,[^>]*>"
                       r"|\$<CUDA_COMPILER_ID:[^>]*>")  # fmt: skip
_LIBRARY = lazy(r"\$\{(" + "|".join(known.LIBRARY_VARIABLES) + r")\}")
_ENVIRONMENT = lazy(rf"\$ENV\{{(?:{ROOT_VARIABLES.pattern})\}}")
_NVCC = lazy(r"(?<![\w.${-])nvcc(?![\w-])")


class Editor:
    """Edits of a CMake file, and the translation of single arguments."""

    def __init__(self, file: BuildFile, text: str) -> None:
        self._file = file
        self._text = text
        self._packages: set[str] = set()
        self._found_here: set[str] = set()
        """Variables that the file itself sets to the place of a library that it looks for."""

    def _edit(self, start: int, stop: int, text: str) -> None:
        self._file.replace(start, stop, text.encode("latin-1"))

    def _lines_before(self, command: Command, lines: Sequence[str]) -> None:
        """Put lines in front of a command, indented as it is."""
        start = self._text.rfind("\n", 0, command.start) + 1
        indent = self._text[start : command.start]
        if indent.strip():
            start, indent = command.start, ""
        self._edit(start, start, "".join(f"{indent}{line}\n" for line in lines))

    def _lines_after(self, command: Command, lines: Sequence[str]) -> None:
        start = self._text.rfind("\n", 0, command.start) + 1
        indent = re.match(r"[ \t]*", self._text[start : command.start])
        shown = indent[0] if indent else ""
        self._edit(command.stop, command.stop, "".join(f"\n{shown}{line}" for line in lines))

    def _replace(self, command: Command, lines: Sequence[str]) -> None:
        """Put lines in the place of a command, indented as it is."""
        start = self._text.rfind("\n", 0, command.start) + 1
        indent = self._text[start : command.start]
        self._edit(command.start, command.stop, f"\n{indent if not indent.strip() else ''}".join(lines))

    def _remove(self, command: Command, why: str) -> None:
        """Take a command out, with its line where it stands alone on it."""
        start = self._text.rfind("\n", 0, command.start) + 1
        end = self._text.find("\n", command.stop)
        end = len(self._text) if end < 0 else end + 1
        alone = not self._text[start : command.start].strip() and not self._text[command.stop : end].strip()
        self._edit(*((start, end) if alone else (command.start, command.stop)), "")
        self._file.find(FLAG, command.start, command.stop, f"left out: {why}", severity=Severity.NOTE)

    def _remove_arguments(self, first: Argument, last: Argument) -> None:
        start, stop = first.start - first.quoted, last.stop + last.quoted
        while start > 0 and self._text[start - 1] in " \t\r\n":
            start -= 1
        self._edit(start, stop, "")

    def _argument(self, argument: Argument, command: Command | None = None) -> None:
        """What may stand anywhere: targets, variables, expressions, paths, names of sources."""
        new = self.rewritten(argument, command)
        if new != argument.text:
            self._edit(argument.start, argument.stop, new)

    def rewritten(self, argument: Argument, command: Command | None = None) -> str:
        """An argument's text for HIP."""
        new = _LIBRARY.sub(lambda m: self._library(m, command), argument.text)
        new = _TARGET.sub(lambda m: self._target(argument, m, command), new)
        new = _LANGUAGE.sub(_expression, new)
        new = _ENVIRONMENT.sub(f"$ENV{{{ROCM_VARIABLE}}}", new)
        new = path(_VARIABLE.sub(lambda m: self._variable(argument, m[0], command), new))
        new = _NVCC.sub("hipcc", new)
        if re.fullmatch(r"cuda_std_\d+", new):
            new = new.replace("cuda", "hip")
        context = self._file.context
        if context.renames:
            if argument.quoted and (whole := context.follow(new)) != new:
                return whole
            followed = context.sources_in(new)
            new = followed if followed != new else context.follow(new) if re.fullmatch(r"[\w./+-]+", new) else new
        return new

    def _target(self, argument: Argument, match: re.Match[str], command: Command | None) -> str:
        name = match[1]
        if name in known.TARGETS:
            new, package = known.TARGETS[name]
            if command is not None:
                self._need(command, package)
            return new
        why = library(name)[1] or library({"nvml": "nvidia-ml"}.get(name, name))[1] or "ROCm has no such target"
        self._file.find(LIBRARY, argument.start, argument.stop, f"{match[0]}: {why}")
        return match[0]

    def _library(self, match: re.Match[str], command: Command | None) -> str:
        if match[1] in self._found_here:
            return match[0]
        target, package = known.TARGETS[known.LIBRARY_VARIABLES[match[1]]]
        if command is not None:
            self._need(command, package)
        return target

    def _variable(self, argument: Argument, name: str, command: Command | None = None) -> str:
        if name in known.VARIABLES:
            return known.VARIABLES[name]
        flags = re.fullmatch(r"CMAKE_CUDA_(FLAGS(?:_\w*)?)", name)
        if flags:
            return f"CMAKE_HIP_{flags[1]}"
        if name in ("CUDA_VERSION", "CUDAToolkit_VERSION", "CUDA_VERSION_MAJOR", "CUDAToolkit_VERSION_MAJOR"):
            self._warn(argument, f"{name}: a version of CUDA decides here")
        elif name.startswith(("CMAKE_CUDA_", "CUDAToolkit_")):
            self._warn(argument, f"{name} has no counterpart for HIP")
        return name

    def _warn(self, argument: Argument, message: str) -> None:
        self._file.find(CONSTRUCT, argument.start, argument.stop, message, severity=Severity.WARNING)

    def _need(self, command: Command, package: str, how: str = "REQUIRED") -> None:
        """Have the package found that defines a target, before its first use in the file."""
        if package and package not in self._packages:
            self._packages.add(package)
            prefix = "list(APPEND CMAKE_PREFIX_PATH $ENV{ROCM_PATH} /opt/rocm)"
            self._lines_before(
                command,
                [*([] if "hip" in self._packages - {package} else [prefix]), f"find_package({package} {how})"],
            )


def _expression(match: re.Match[str]) -> str:
    """A generator expression that asks for the language."""
    if match[1]:
        names = ["HIP" if name == "CUDA" else name for name in match[2].split(",")]
        return f"$<{match[1]}:{','.join(names)}>"
    return f"$<{match[3]}_LANG_AND_ID:HIP,Clang>" if match[3] else "$<HIP_COMPILER_ID:Clang>"
