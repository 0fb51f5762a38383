"""CMake files: the CUDA language, FindCUDA and FindCUDAToolkit become CMake's HIP language (3.21 and later)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.project.build_files import cmake_names as known
from hipify.project.build_files.cmake_custom import FETCHERS, NVIDIA, RUNNERS, Questions
from hipify.project.build_files.cmake_flags import flag_edits, flag_variables
from hipify.project.build_files.cmake_hosts import Hosts
from hipify.project.build_files.cmake_properties import RDC, are_architectures, values_of
from hipify.project.build_files.cmake_syntax import Argument, Command, SyntaxFault, parse
from hipify.project.build_files.commandline import TOOLS
from hipify.project.build_files.flags import Translator
from hipify.project.build_files.libraries import library
from hipify.rules.checks.build import ARCHITECTURE, CONSTRUCT, LIBRARY

_USES_CUDA = lazy(r"(?i)cuda|cudnn|nccl|gencode|\bnvcc\b|\.cu\b")
_FLAGS = lazy(r"(?:CMAKE_CUDA_FLAGS|CUDA_NVCC_FLAGS)(_[\w${}]+)?\Z")
_REFERENCE = lazy(r"\$\{(\w+)\}\Z")
_INCLUDES = lazy(
    r"\$\{(?:CUDA(?:Toolkit)?_INCLUDE_DIRS?|CUDA_TOOLKIT_INCLUDE|CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES)\}"
)
_VERSION = lazy(r"(\d+)\.(\d+)")
_SOURCE = lazy(r"\.cu\Z")
_NOT_SOURCES = frozenset(
    ("set_source_files_properties", "configure_file", "install", "add_custom_command", "add_custom_target", "message",
     "execute_process", "string", "if", "elseif", "source_group", "file")
)  # fmt: skip
_OPTIONS = frozenset(("target_compile_options", "add_compile_options", "target_link_options", "add_link_options",
                      "add_definitions", "target_compile_definitions"))  # fmt: skip
_ON = ("ON", "TRUE", "1", "YES")


def convert(file: BuildFile) -> None:
    """Collect the edits and findings of a CMake file."""
    text = file.data.decode("latin-1")
    context = file.context
    standard = context.cxx17 and "CMAKE_CXX_STANDARD" in text
    if not (standard or context.renames or context.hosts or _USES_CUDA.search(text) or NVIDIA.search(text)):
        return
    try:
        commands = parse(text)
    except SyntaxFault as fault:
        at = min(fault.offset, max(len(text) - 1, 0))
        file.find(CONSTRUCT, at, min(at + 1, len(text)), "the file is not valid CMake here; it was copied as it is")
        return
    _CMake(file, text, commands).run()


class _CMake(Questions):
    def __init__(self, file: BuildFile, text: str, commands: list[Command]) -> None:
        super().__init__(file, text, commands)
        self._handlers: dict[str, Callable[[Command], None]] = {
            "cmake_minimum_required": self._minimum,
            "project": self._project,
            "enable_language": self._languages,
            "check_language": self._languages,
            "find_package": self._find_package,
            "set": self._set,
            "set_target_properties": self._properties,
            "set_property": self._properties,
            "set_source_files_properties": self._source_properties,
            "target_link_libraries": self._link,
            "find_library": self._find_library,
            "file": self._file_command,
            "aux_source_directory": self._source_directory,
            "string": self._append,
            "list": self._append,
            "include_directories": self._include_directories,
            "target_include_directories": self._include_directories,
            "get_target_property": self._get_property,
            "get_property": self._get_property,
            **dict.fromkeys(RUNNERS, self._runs),
            **dict.fromkeys(FETCHERS, self._fetches),
            **dict.fromkeys(("if", "elseif", "while"), self._asks),
            **dict.fromkeys(("find_path", "find_file", "check_include_file", "check_include_file_cxx"), self._headers),
        }

    def run(self) -> None:
        self._found_here |= {c.arguments[0].text for c in self._commands if c.name == "find_library" and c.arguments}
        for command in self._commands:
            self._host_sources(command)
            if command.name in known.LOST_COMMANDS:
                self._lost(command)
            elif command.name in known.LINKING_COMMANDS:
                self._link_to(command)
            elif command.name in known.ARCHITECTURE_COMMANDS:
                self._no_flags(command)
            elif command.name == known.CLEANING_COMMAND:
                self._remove(command, "CMake cleans HIP's files by itself")
            else:
                if command.name in known.FIND_CUDA_COMMANDS:
                    self._edit(command.start, command.name_stop, known.FIND_CUDA_COMMANDS[command.name])
                    self._options_part(command)
                    command = _without_options(command)
                handler = self._handlers.get(command.name, self._other)
                handler(command)
                self._kept_sources(command)

    def _host_sources(self, command: Command) -> None:
        """Sources that the C++ compiler compiles find HIP's headers, and are told the platform, by linking to HIP."""
        if not self._hosts.needs(command) or self._includes_everywhere:
            return
        target = command.arguments[0].text
        required = self._requires
        self._need(command, "hip", "REQUIRED" if required else "QUIET")
        library = "hip::host" if required else "$<TARGET_NAME_IF_EXISTS:hip::host>"
        signature = self._hosts.signature(target)
        if signature is None:  # other files may link it, in either way: a property gets along with both
            line = f"set_property(TARGET {target} APPEND PROPERTY LINK_LIBRARIES {library})"
        else:
            line = f"target_link_libraries({' '.join(filter(None, (target, signature, library)))})"
        self._lines_after(command, [line])

    @cached_property
    def _requires(self) -> bool:
        """Whether the file cannot do without CUDA: where it is optional, HIP is, too."""
        return self._enables_language or any(
            command.name == "find_package" and {"CUDA", "CUDAToolkit"} & words and "REQUIRED" in words
            for command in self._commands
            for words in [{argument.text for argument in command.arguments}]
        )

    @cached_property
    def _hosts(self) -> Hosts:
        return Hosts(self._commands, self._file.context.folder, self._file.context.hosts)

    @cached_property
    def _includes_everywhere(self) -> bool:
        """Whether a command of this file gives CUDA's headers, and with them the platform, to all of its targets."""
        return any(
            command.name == "include_directories" and any(_INCLUDES.search(a.text) for a in command.arguments)
            for command in self._commands
        )

    def _defines(self, command: Command) -> None:
        """What HIP's headers of the release want to be given is given where the language begins."""
        self._lines_after(
            command,
            [f'add_compile_definitions("$<$<COMPILE_LANGUAGE:HIP>:{name}>")' for name in self._file.context.defines],
        )

    # -- commands

    def _minimum(self, command: Command) -> None:
        if not _USES_CUDA.search(self._text):
            return
        for argument in command.arguments:
            versions = [(int(m[1]), int(m[2])) for m in _VERSION.finditer(argument.text)]
            if versions and max(versions) < (3, 21):
                self._edit(argument.start, argument.stop, "3.21")

    def _project(self, command: Command) -> None:
        if any(argument.text == "CUDA" for argument in command.arguments[1:]):
            self._default_architectures(command)
            self._defines(command)
        for argument in command.arguments[1:]:
            if argument.text == "CUDA":
                self._edit(argument.start, argument.stop, "HIP")

    def _languages(self, command: Command) -> None:
        if any(argument.text == "CUDA" for argument in command.arguments):
            if command.name == "enable_language":
                self._default_architectures(command)
                self._defines(command)
            for argument in command.arguments:
                if argument.text == "CUDA":
                    self._edit(argument.start, argument.stop, "HIP")

    def _default_architectures(self, command: Command) -> None:
        """CMake asks the machine's GPU when nobody names one; most build machines have none."""
        earlier = [c for c in self._commands if c.start < command.start and c.name == "set" and c.arguments]
        if any(c.arguments[0].text == "CMAKE_CUDA_ARCHITECTURES" for c in earlier):
            return
        archs = ";".join(self._archs)
        self._lines_before(
            command,
            ["if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)", f'  set(CMAKE_HIP_ARCHITECTURES "{archs}")', "endif()"],
        )

    def _find_package(self, command: Command) -> None:
        name = command.arguments[0].text if command.arguments else ""
        if name not in ("CUDA", "CUDAToolkit"):
            self._other(command)
            return
        words = [argument.text for argument in command.arguments[1:] if argument.text in ("REQUIRED", "QUIET")]
        first, last = command.arguments[0], command.arguments[-1]
        self._lines_before(command, ["list(APPEND CMAKE_PREFIX_PATH $ENV{ROCM_PATH} /opt/rocm)"])
        if name == "CUDA" and not self._enables_language:  # FindCUDA brought its own commands for CUDA's sources
            self._default_architectures(command)
            lines = ["enable_language(HIP)"]
            optional = ["if(hip_FOUND)", "  enable_language(HIP)", "endif()"]
            self._lines_after(command, lines if "REQUIRED" in words else optional)
            self._defines(command)
        self._edit(first.start, last.stop + last.quoted, " ".join(["hip", *words]))
        self._packages.add("hip")

    @cached_property
    def _enables_language(self) -> bool:
        return any(
            command.name in ("project", "enable_language") and any(a.text == "CUDA" for a in command.arguments)
            for command in self._commands
        )

    def _set(self, command: Command) -> None:
        name = command.arguments[0].text if command.arguments else ""
        if name in known.DROPPED_VARIABLES:
            self._remove(command, f"{name}: {known.DROPPED_VARIABLES[name]}")
        elif name in ("CMAKE_CUDA_SEPARABLE_COMPILATION", "CUDA_SEPARABLE_COMPILATION"):
            on = len(command.arguments) > 1 and command.arguments[1].text.upper() in _ON
            lines = [f"add_compile_options({RDC[0]})", f"add_link_options({RDC[1]})"] if on else []
            self._edit(command.start, command.stop, "\n".join(lines))
        elif name == "CMAKE_CUDA_STANDARD":
            self._name(command.arguments[0])
            self._standard(values_of(command))
        elif name == "CMAKE_CXX_STANDARD":
            self._other(command)
            self._standard_of_both(command)
        elif name == "CMAKE_CUDA_ARCHITECTURES":
            self._name(command.arguments[0])
            self._architectures(values_of(command))
        elif _FLAGS.match(name):
            self._name(command.arguments[0])
            self._flags(command.arguments[1:])
            values = values_of(command)
            if len(values) > 1 or any(";" in value.text for value in values):
                self._join_flags(command, name)
        elif name in self._flag_variables:
            self._flags(command.arguments[1:])
        elif name in self._architecture_variables and are_architectures(values_of(command)):
            self._architectures(values_of(command))
        else:
            self._other(command)

    @cached_property
    def _flag_variables(self) -> set[str]:
        """The variables of this file that hold options for CUDA's compiler."""
        return flag_variables(self._commands)

    def _append(self, command: Command) -> None:
        """`string(APPEND CMAKE_CUDA_FLAGS …)` and the like add options."""
        arguments = command.arguments
        adds = len(arguments) > 2 and arguments[0].text in ("APPEND", "PREPEND")
        if adds and arguments[1].text in ("CMAKE_CUDA_ARCHITECTURES", *self._architecture_variables):
            shown = " ".join(argument.text for argument in arguments[2:])
            message = f"{shown}: left out; CMAKE_HIP_ARCHITECTURES names {', '.join(self._archs)}"
            self._file.find(ARCHITECTURE, command.start, command.stop, message)
            self._edit(command.start, command.stop, "")
            return
        if adds and arguments[1].text in self._flag_variables:
            self._flags(arguments[2:])
        elif adds and _FLAGS.match(arguments[1].text):
            self._name(arguments[1])
            self._flags(arguments[2:])
            if command.name == "list":
                self._join_flags(command, arguments[1].text)
        else:
            self._other(command)

    def _join_flags(self, command: Command, name: str) -> None:
        """FindCUDA's flags are a list, those of a language a text: a semicolon in it would end the command."""
        new = known.VARIABLES.get(name, name.replace("CUDA", "HIP"))
        new = re.sub(r"\ACUDA_NVCC_FLAGS", "CMAKE_HIP_FLAGS", new)
        self._lines_after(command, [f'string(REPLACE ";" " " {new} "${{{new}}}")'])

    def _include_directories(self, command: Command) -> None:
        """CUDA's headers work as they are, HIP's must be told for which platform they are read."""
        if any(_INCLUDES.search(argument.text) for argument in command.arguments):
            self._need(command, "hip")
            definition = "__HIP_PLATFORM_AMD__=1"
            if command.name == "include_directories":
                self._lines_after(command, [f"add_compile_definitions({definition})"])
            else:
                target, scope = command.arguments[0].text, command.arguments[1].text
                scope = scope if scope in ("PUBLIC", "INTERFACE") else "PRIVATE"
                self._lines_after(command, [f"target_compile_definitions({target} {scope} {definition})"])
        self._other(command)

    def _name(self, argument: Argument) -> None:
        new = self._variable(argument, argument.text)
        if new != argument.text:
            self._edit(argument.start, argument.stop, new)

    def _flags(self, arguments: Sequence[Argument]) -> None:
        flag_edits(self._file, arguments, self.rewritten)

    def _link(self, command: Command) -> None:
        for argument in command.arguments[1:]:
            name = argument.text.removeprefix("-l")
            new, package = known.TARGETS.get(name, (name, ""))
            lost = library(name)[1]
            if name in known.TARGETS:
                self._need(command, package)
                self._edit(argument.start, argument.stop, new)
            elif lost:
                self._file.find(LIBRARY, argument.start, argument.stop, f"{name}: {lost}")
            else:
                self._argument(argument, command)
        if command.arguments:
            self._argument(command.arguments[0])

    def _link_to(self, command: Command) -> None:
        target, package = known.TARGETS[known.LINKING_COMMANDS[command.name]]
        name = command.arguments[0].text if command.arguments else ""
        self._need(command, package)
        self._edit(command.start, command.stop, f"target_link_libraries({name} {target})")

    def _find_library(self, command: Command) -> None:
        for argument in command.arguments[1:]:
            new, lost = library(argument.text)
            if lost:
                self._file.find(LIBRARY, argument.start, argument.stop, f"{argument.text}: {lost}")
            elif new and new != argument.text:
                self._edit(argument.start, argument.stop, new)
            else:
                self._argument(argument)

    def _file_command(self, command: Command) -> None:
        self._other(command)
        arguments = command.arguments
        if len(arguments) < 3 or arguments[0].text not in ("GLOB", "GLOB_RECURSE") or self._file.context.suffixes:
            return
        if any(_SOURCE.search(argument.text) for argument in arguments):
            variable = arguments[1].text
            self._lines_after(command, [
                f"set(HIP_LANGUAGE_SOURCES ${{{variable}}})",
                'list(FILTER HIP_LANGUAGE_SOURCES INCLUDE REGEX "\\\\.cu$")',
                "set_source_files_properties(${HIP_LANGUAGE_SOURCES} PROPERTIES LANGUAGE HIP)",
            ])  # fmt: skip

    def _source_directory(self, command: Command) -> None:
        """All sources of the languages that CMake knows: files that keep the name .cu are among them no more."""
        self._other(command)
        if len(command.arguments) == 2 and not self._file.context.suffixes:
            folder, variable = (argument.text for argument in command.arguments)
            self._lines_after(command, [
                f"file(GLOB HIP_LANGUAGE_SOURCES {folder}/*.cu)",
                "set_source_files_properties(${HIP_LANGUAGE_SOURCES} PROPERTIES LANGUAGE HIP)",
                f"list(APPEND {variable} ${{HIP_LANGUAGE_SOURCES}})",
            ])  # fmt: skip

    def _kept_sources(self, command: Command) -> None:
        """Sources that keep the name .cu, which is no HIP to CMake: say what they are."""
        if self._file.context.suffixes or command.name in _NOT_SOURCES:
            return
        named = [a for a in command.arguments if _SOURCE.search(a.text) and "*" not in a.text]
        sources = [f'"{a.text}"' if a.quoted else a.text for a in named]
        if sources:
            self._lines_after(command, [f"set_source_files_properties({' '.join(sources)} PROPERTIES LANGUAGE HIP)"])

    def _options_part(self, command: Command) -> None:
        """FindCUDA's OPTIONS inside add_executable: they become the target's options."""
        at = next((i for i, a in enumerate(command.arguments) if a.text == "OPTIONS"), None)
        if at is None:
            return
        options = [argument.text for argument in command.arguments[at + 1 :]]
        self._remove_arguments(command.arguments[at], command.arguments[-1])
        words: list[str] = []
        done = 0
        for change in Translator(self._archs, cxx17=self._file.context.cxx17).changes(options):
            words += [*options[done : change.first], *(w for w in change.words if not w.startswith("--offload-arch"))]
            done = change.stop
        words += options[done:]
        if words:
            target = command.arguments[0].text
            flags = ";".join(words)
            self._lines_after(
                command, [f'target_compile_options({target} PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:{flags}>")']
            )

    def _lost(self, command: Command) -> None:
        why = known.LOST_COMMANDS[command.name]
        self._file.find(CONSTRUCT, command.start, command.stop, f"{command.name}: {why or 'FindCUDA has gone'}")

    def _other(self, command: Command) -> None:
        if command.name in _OPTIONS:
            self._flags(command.arguments)
            return
        for argument in command.arguments:
            self._argument(argument, command)
            lost = library(argument.text.removeprefix("-l"))[1]
            if lost:
                self._file.find(LIBRARY, argument.start, argument.stop, f"{argument.text}: {lost}")
            program = argument.text.rpartition("/")[2]
            if program in TOOLS and command.name in ("execute_process", "add_custom_command", "find_program"):
                self._warn(argument, f"{program} is NVIDIA's: {TOOLS[program]}")


def _without_options(command: Command) -> Command:
    """The command without FindCUDA's OPTIONS and what is behind."""
    at = next((i for i, a in enumerate(command.arguments) if a.text == "OPTIONS"), len(command.arguments))
    return replace(command, arguments=command.arguments[:at])
