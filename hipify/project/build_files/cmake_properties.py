"""What CMake files say about languages' standards, GPU architectures and properties of targets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.project.build_files import cmake_names as known
from hipify.project.build_files.cmake_arguments import Editor
from hipify.project.build_files.cmake_syntax import Argument, Command
from hipify.project.build_files.flags import DEFAULT_ARCHS
from hipify.rules.checks.build import ARCHITECTURE, FLAG

_ARCHITECTURE = lazy(r"(?:(?:sm_|compute_)?\d+[af]?(?:-real|-virtual)?|all|all-major|native)\Z")
_REFERENCE = lazy(r"\$\{(\w+)\}\Z")
_OLD_STANDARDS = ("98", "03", "11", "14")
_ON = ("ON", "TRUE", "1", "YES")
RDC = "$<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>", "$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc> $<$<LINK_LANGUAGE:HIP>:--hip-link>"
"""What makes the device code of a target relocatable: options to compile with, and to link with."""


class Properties(Editor):
    """The part of a CMake file's translation that deals with properties."""

    def __init__(self, file: BuildFile, text: str, commands: list[Command]) -> None:
        super().__init__(file, text)
        self._commands = commands
        self._archs = file.context.options.offload_arch or DEFAULT_ARCHS

    def _other(self, command: Command) -> None:
        raise NotImplementedError

    def _architectures(self, values: Sequence[Argument]) -> None:
        if not values or any("$" in value.text for value in values):
            for value in values:
                self._argument(value)
                if self._names_gpus(value):
                    continue
                message = f"{value.text}: must name AMD's GPUs, such as gfx90a"
                self._file.find(ARCHITECTURE, value.start, value.stop, message, severity=Severity.WARNING)
            return
        start, stop = values[0].start - values[0].quoted, values[-1].stop + values[-1].quoted
        self._edit(start, stop, f'"{";".join(self._archs)}"')
        self._file.find(ARCHITECTURE, start, stop, f"{self._text[start:stop]}: now {', '.join(self._archs)}")

    def _names_gpus(self, value: Argument) -> bool:
        """Whether a value is a variable that this file sets, and that therefore names AMD's GPUs by now."""
        variable = _REFERENCE.match(value.text)
        return variable is not None and any(
            (c.name == "set" and are_architectures(values_of(c)))
            or (c.name == "get_target_property" and c.arguments[-1].text == "CUDA_ARCHITECTURES")
            for c in self._commands
            if c.arguments and c.arguments[0].text in self._behind({variable[1]})
        )

    @cached_property
    def _architecture_variables(self) -> set[str]:
        """The variables that are asked for architectures."""
        found: set[str] = set()
        for command in self._commands:
            for name, value in pairwise(command.arguments):
                if name.text in ("CUDA_ARCHITECTURES", "CMAKE_CUDA_ARCHITECTURES"):
                    found.update(_REFERENCE.findall(value.text))
        return self._behind(found)

    def _behind(self, names: set[str]) -> set[str]:
        """Variables, with those whose values this file gives to them."""
        found: set[str] = set()
        todo = set(names)
        while todo:
            found |= todo
            sets = [c for c in self._commands if c.name == "set" and c.arguments and c.arguments[0].text in todo]
            values = [value.text for command in sets for value in values_of(command)]
            todo = {match[1] for text in values if (match := _REFERENCE.match(text))} - found
        return found

    def _standard(self, values: Sequence[Argument]) -> None:
        """The C++ standard, raised where a library that the project uses needs that."""
        for value in values:
            if self._file.context.cxx17 and value.text in _OLD_STANDARDS:
                self._edit(value.start, value.stop, "17")
                message = f"{value.text}: ROCm's Thrust, CUB and rocWMMA need C++17"
                self._file.find(FLAG, value.start, value.stop, message, severity=Severity.NOTE)
            else:
                self._argument(value)

    def _standard_of_both(self, command: Command) -> None:
        """HIP's sources follow the standard of C++ where they have none of their own: they get one if it is too old."""
        old = self._file.context.cxx17 and any(value.text in _OLD_STANDARDS for value in values_of(command))
        own = any(
            c.name == "set" and c.arguments and c.arguments[0].text == "CMAKE_CUDA_STANDARD" for c in self._commands
        )
        if old and not own:
            self._lines_after(command, ["set(CMAKE_HIP_STANDARD 17)"])

    def _properties(self, command: Command) -> None:
        """Properties come in pairs behind PROPERTIES, or as one behind PROPERTY."""
        arguments = command.arguments
        marks = [i for i, a in enumerate(arguments) if a.text in ("PROPERTIES", "PROPERTY")]
        if not marks:
            self._other(command)
            return
        for argument in arguments[: marks[0]]:
            self._argument(argument)
        single = arguments[marks[0]].text == "PROPERTY"
        step = len(arguments) if single else 2
        rest = arguments[marks[0] + 1 :]
        pairs: list[tuple[Argument, Sequence[Argument]]] = []
        for at in range(0, len(rest), step):
            if pairs and pairs[-1][0].text == "CUDA_ARCHITECTURES" and _ARCHITECTURE.match(rest[at].text):
                # A list without quotes: CMake takes its tail for names of properties.
                pairs[-1] = (pairs[-1][0], [*pairs[-1][1], *rest[at : at + step]])
            else:
                pairs.append((rest[at], rest[at + 1 : at + step]))
        dropped = [pair for pair in pairs if pair[0].text in known.DROPPED_PROPERTIES]
        targets = [a.text for a in arguments[: marks[0]] if a.text not in ("TARGET", "APPEND", "APPEND_STRING")]
        names = {name.text for name, _ in pairs}
        for name, values in pairs:
            if name.text not in known.DROPPED_PROPERTIES:
                self._property(name, values)
            old = self._file.context.cxx17 and values and values[0].text in _OLD_STANDARDS
            if name.text == "CXX_STANDARD" and old and not single and "CUDA_STANDARD" not in names:
                self._edit(values[-1].stop + values[-1].quoted, values[-1].stop + values[-1].quoted, " HIP_STANDARD 17")
        lines: list[str] = []
        for name, values in dropped:
            lines += self._dropped_property(name, values, targets)
            if len(dropped) < len(pairs):
                self._remove_arguments(name, values[-1] if values else name)
        if not pairs or len(dropped) < len(pairs):
            self._lines_after(command, lines)
        elif lines:
            self._replace(command, lines)
        else:
            self._remove(command, "none of its properties has a counterpart")

    def _dropped_property(self, name: Argument, values: Sequence[Argument], targets: list[str]) -> list[str]:
        """Report a property that goes; gives the commands that do its work."""
        if name.text != "CUDA_SEPARABLE_COMPILATION":
            self._file.find(FLAG, name.start, name.stop, f"{name.text}: {known.DROPPED_PROPERTIES[name.text]}")
            return []
        if not values or values[0].text.upper() not in _ON:
            return []
        return [
            f"target_{what}_options({target} PRIVATE {options})"
            for target in targets
            if target not in self._interfaces
            for what, options in zip(("compile", "link"), RDC, strict=True)
        ]

    @cached_property
    def _interfaces(self) -> set[str]:
        """The targets that compile nothing themselves."""
        return {
            c.arguments[0].text
            for c in self._commands
            if c.name == "add_library" and len(c.arguments) > 1 and c.arguments[1].text == "INTERFACE"
        }

    def _get_property(self, command: Command) -> None:
        """A question for a property: HIP's has the answer."""
        for argument in command.arguments:
            if argument.text in known.PROPERTIES:
                self._edit(argument.start, argument.stop, known.PROPERTIES[argument.text])
            elif argument.text in known.DROPPED_PROPERTIES:
                self._warn(argument, f"{argument.text}: {known.DROPPED_PROPERTIES[argument.text]}")
            else:
                self._argument(argument, command)

    def _property(self, name: Argument, values: Sequence[Argument]) -> None:
        if name.text in known.PROPERTIES:
            self._edit(name.start, name.stop, known.PROPERTIES[name.text])
        if name.text == "CUDA_ARCHITECTURES":
            self._architectures(values)
        elif name.text == "CUDA_STANDARD":
            self._standard(values)
        elif name.text == "LANGUAGE" and values and values[0].text == "CUDA":
            self._edit(values[0].start, values[0].stop, "HIP")
        else:
            for value in values:
                self._argument(value)

    def _source_properties(self, command: Command) -> None:
        for argument in command.arguments:
            if argument.text == "CUDA_SOURCE_PROPERTY_FORMAT":
                self._warn(argument, f"{argument.text} is FindCUDA's")
        self._properties(command)


def values_of(command: Command) -> Sequence[Argument]:
    """What a `set` gives its variable."""
    stop = next((i for i, a in enumerate(command.arguments) if a.text in ("CACHE", "PARENT_SCOPE")), None)
    return command.arguments[1:stop]


def are_architectures(values: Sequence[Argument]) -> bool:
    words = [word for value in values for word in value.text.split(";")]
    return bool(words) and all(_ARCHITECTURE.match(word) for word in words)
