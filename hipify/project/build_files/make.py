"""Makefiles: nvcc becomes hipcc, with its options, libraries and paths, in variables, rules and recipes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.project.build_files.commandline import CommandText
from hipify.project.build_files.flags import DEFAULT_ARCHS, ROCM_ROOT, ROCM_VARIABLE, ROOT_VARIABLES, SM, is_toolkit
from hipify.project.build_files.make_device_links import DeviceLinks
from hipify.project.build_files.make_sources import Sources
from hipify.project.build_files.needs import PLATFORM, options_for
from hipify.project.build_files.words import Word, commands, logical_end, words
from hipify.rules.checks.build import FLAG

_ASSIGN = lazy(
    r"[ \t]*(?:(?:export|override|private|unexport)[ \t]+)*(?P<name>[^\s:#=!?+]+|\$[({][^)}]*[)}]\w*)[ \t]*"
    r"(?P<op>::?:?=|\?=|\+=|!=|=)"
)
_TARGETED = lazy(r"[^=#\n]*?[^:=\s][ \t]*:[ \t]*(?=(?:(?:export|override|private)[ \t]+)*[\w.-]+[ \t]*(?::|\?|\+|!)?=)")
_CONDITIONAL = lazy(r"[ \t]*(?:ifeq|ifneq|ifdef|ifndef|else|endif|-?include|sinclude|vpath|export|unexport)\b")
_FLAGS_NAME = lazy(
    r"(?i:flag|opt|lib|inc|link|compile|gencode|arch|nvcc|cuda|gpu|defs|defines|debug|warn|std)|\A(?:CC|CXX|LD|HOSTCC)\Z"
    r"|_(?:CC|CXX|LD)\Z|\ASM\w*\Z"
)
_PROGRAMS = r"nvcc|hipcc|g\+\+|gcc|cc|c\+\+|clang(?:\+\+)?|mpi(?:cc|cxx|c\+\+|CC)|ld"
_VARIABLES = r"CC|CXX|NVCC|LD|LINK|LINKER|COMPILER|COMPILE|nvcc|HOST_COMPILER"
_COMPILER = lazy(rf"\A(?:\S*/)?(?:{_PROGRAMS})(?:-\d+)?\Z|\A\$\$?[({{]\w*(?:{_VARIABLES})\w*[)}}]\Z")
_ONLY_NVCC = lazy(r"(?<![\w-])(?:-gencode|--generate-code|-Xptxas|--ptxas-options|-Xcompiler)(?![\w-])"
                  r"|(?<![\w-])--?arch[= ](?:sm|compute)_\d")  # fmt: skip
_REFERENCE = lazy(r"\$[({](\w+)")
_PREFIX = lazy(r"(?:\$[({]\w+[)}]|[@+(-])+(?=[\w/$])")
_BEFORE = lazy(
    r"[A-Za-z_]\w*=|\$\$?[({]|(?:[@+-]*(?:if|then|do|else|elif|while|until|\{|\(|!|time|env|nice|exec|eval|ccache|sccache"
    r"|distcc|icecc|libtool|mpirun|--\S+|-\S+|\d+)|[@+-]+)\Z"
)
_RELOCATABLE = lazy(
    r"(?<![\w-])(?:-dc|--device-c|-dlink|--device-link|--?(?:rdc|relocatable-device-code)[= ]true)(?![\w-])"
)
_NO_LINKING = frozenset((
    "-c", "--compile", "-dc", "--device-c", "-dw", "--device-w", "-dlink", "--device-link", "-lib", "--lib", "-E",
    "--preprocess", "-M", "-MM", "--generate-dependencies", "-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin",
    "-S", "-V", "--version", "-cuda", "--cuda",
))  # fmt: skip

_ASKS_ROOT = lazy(rf"[ \t]*(?:else[ \t]+)?ifn?def[ \t]+(?:{ROOT_VARIABLES.pattern})\b")
_FOR_HOSTS = (f"-D{PLATFORM}", f"-I$({ROCM_VARIABLE})/include")


@dataclass(frozen=True, slots=True)
class _Line:
    """A logical line: what it is, and the range of its text that holds words."""

    kind: str
    name: str
    start: int
    stop: int
    name_start: int = 0
    rule: str = ""


def convert(file: BuildFile) -> None:
    """Collect the edits and findings of a makefile."""
    _Makefile(file).run()


class _Makefile:
    def __init__(self, file: BuildFile) -> None:
        self._file = file
        self._text = file.data.decode("latin-1")
        self._lines = list(_lines(self._text))
        own = {line.name for line in self._lines if line.kind == "assign" and self._is_own_folder(line)}
        self._command = CommandText(file, self._text, own)
        self._compiled: set[str] = set()
        self._uses_root = False
        self._newline = "\r\n" if "\r\n" in self._text else "\n"

    def _is_own_folder(self, line: _Line) -> bool:
        """Whether a variable with the name of a CUDA root holds a folder of the project."""
        value = self._text[line.start : line.stop].strip()
        return (
            bool(ROOT_VARIABLES.fullmatch(line.name))
            and bool(value)
            and "cuda" not in value.lower()
            and "$" not in value
        )

    def _is_alias(self, line: _Line) -> bool:
        """Whether a variable for CUDA's folder is set from another: both are one for ROCm's, which held itself."""
        names = _REFERENCE.findall(self._text[line.start : line.stop])
        return self._is_root(line) and any(ROOT_VARIABLES.fullmatch(name) or name == ROCM_VARIABLE for name in names)

    def _is_root(self, line: _Line) -> bool:
        return bool(ROOT_VARIABLES.fullmatch(line.name)) and not self._is_own_folder(line)

    @cached_property
    def _flag_variables(self) -> set[str]:
        """The variables that end up in a compiler's command: used in one, or in one that is."""
        assigned: dict[str, list[_Line]] = {}
        for line in self._lines:
            if line.kind == "assign":
                assigned.setdefault(line.name, []).append(line)
        todo = [
            name
            for line in self._lines
            if line.kind == "recipe"
            for command in commands(words(self._text, line.start, line.stop))
            if any(_compiler(word) is not None for word in command)
            for name in _REFERENCE.findall(" ".join(word.text for word in command))
        ]
        found: set[str] = set()
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                for line in assigned.get(name, ()):
                    todo += _REFERENCE.findall(self._text[line.start : line.stop])
        return found

    def run(self) -> None:
        self._translate()
        self._implicit_rules()
        self._command.versions()
        if (self._uses_root or self._command.uses_root) and not self._has_root:
            first = _head(self._text)
            self._file.replace(first, first, f"{ROCM_VARIABLE} ?= {ROCM_ROOT}{self._newline}".encode())

    def _translate(self) -> None:
        for line in self._lines:
            found = words(self._text, line.start, line.stop)
            if line.kind == "assign":
                self._assignment(line, found)
            elif line.kind == "recipe":
                for command in commands(found):
                    self._recipe(command, line.rule)
            else:
                self._command.plain(found)

    def _assignment(self, line: _Line, found: list[Word]) -> None:
        if self._is_alias(line):
            self._file.replace(line.name_start, line.stop, f"{ROCM_VARIABLE} ?= {ROCM_ROOT}".encode())
            return
        self._command.name(line.name, line.name_start)
        flags = line.name in self._flag_variables or _FLAGS_NAME.search(line.name) is not None
        if flags or _ONLY_NVCC.search(self._text, line.start, line.stop):
            if self._archs(found):
                return
            self._command.translate(found, library_names="lib" in line.name.lower())
        elif self._file.context.suffixes and [w.text.lstrip(".") for w in found] in (["cu"], ["cuh"]):
            self._extension(found[0])
        else:
            self._command.plain(found)

    def _archs(self, found: list[Word]) -> bool:
        """A variable that holds nothing but names of NVIDIA's architectures."""
        if not found or not all(SM.match(word.text) for word in found):
            return False
        self._command.architectures(found)
        return True

    def _extension(self, word: Word) -> None:
        """A variable that holds the ending of sources."""
        dot = "." if word.text.startswith(".") else ""
        new = self._file.context.suffixes.get("." + word.text.lstrip("."), word.text)
        self._file.replace(word.start, word.stop, (dot + new.lstrip(".")).encode("latin-1"))

    @cached_property
    def _relocatable(self) -> bool:
        """Whether device code is compiled to be linked: what links must say so, too."""
        return any(_RELOCATABLE.search(self._text, line.start, line.stop) for line in self._lines)

    def _recipe(self, command: list[Word], rule: str) -> None:
        compiler = _program(command)
        if compiler is not None:
            added = self._asked_for(compiler, command, rule)
            if self._relocatable and self._links(compiler, command):
                added = ["-fgpu-rdc --hip-link", *added]
            elif linker := self._linker_of_devices(compiler, command, rule):
                self._file.replace(compiler.start, compiler.stop, linker.encode("latin-1"))
            if added:
                self._file.replace(compiler.stop, compiler.stop, f" {' '.join(added)}".encode())
            self._command.translate(command)
        else:
            self._command.plain(command)
            self._command.tools(command, Severity.WARNING)

    @cached_property
    def _device_links(self) -> DeviceLinks:
        recipes = (line for line in self._lines if line.kind == "recipe")
        every = (
            (command, line.rule) for line in recipes for command in commands(words(self._text, line.start, line.stop))
        )
        steps = ((compiler, command, rule) for command, rule in every if (compiler := _program(command)) is not None)
        return DeviceLinks(self._sources, steps if self._relocatable else ())

    def _linker_of_devices(self, compiler: Word, command: list[Word], rule: str) -> str:
        """What links a program in place of a host compiler that links it with an object of a device-link step."""
        maker = self._device_links.compiler_of(command, rule) if self._relocatable else ""
        if not maker or not _NO_LINKING.isdisjoint(self._sources.expand(" ".join(word.text for word in command))):
            return ""
        archs = self._file.context.options.offload_arch or DEFAULT_ARCHS
        message = f"{compiler.text}: {maker} links here now, as hipcc links device code with the program"
        self._file.find(FLAG, compiler.start, compiler.stop, message, severity=Severity.NOTE)
        name = maker if maker.startswith("$") else "hipcc"
        return " ".join([name, "-fgpu-rdc --hip-link", *(f"--offload-arch={arch}" for arch in archs)])

    def _asked_for(self, compiler: Word, command: list[Word], rule: str) -> list[str]:
        """Options that a command needs for HIP's headers and has not."""
        context = self._file.context
        if not context.hosts and not context.defines:
            return []
        text = " ".join(word.text for word in command)
        sources = self._sources.of(text, rule)
        hosts = self._sources.hosts_in(sources)
        self._compiled |= hosts
        names = " ".join([compiler.text, *map(self._value, _REFERENCE.findall(compiler.text))])
        if "nvcc" in names.lower():
            return options_for(context.defines) if sources or "-c" in text.split() else []
        if not hosts or "hipcc" in names or any(is_toolkit(w[2:]) for w in self._flags_of(text)):
            return []
        self._uses_root = True
        return [*_FOR_HOSTS]

    def _flags_of(self, text: str) -> list[str]:
        return [word for word in self._sources.expand(text) if word.startswith("-I")]

    def _implicit_rules(self) -> None:
        """Sources that make's own rules compile: these read CPPFLAGS."""
        left = [h for h in self._file.context.hosts if h not in self._compiled and self._sources.named(h)]
        program = self._value("CXX") + self._value("CC")
        flags = " ".join(map(self._value, ("CPPFLAGS", "CXXFLAGS", "CFLAGS")))
        if not left or "nvcc" in program or "hipcc" in program or any(is_toolkit(w[2:]) for w in self._flags_of(flags)):
            return
        self._uses_root = True
        end = len(self._text)
        start = "" if not end or self._text.endswith("\n") else self._newline
        self._file.replace(end, end, f"{start}CPPFLAGS += {' '.join(_FOR_HOSTS)}{self._newline}".encode())

    @property
    def _has_root(self) -> bool:
        """Whether the makefile sets the folder, or sees by itself to its not being set."""
        return any(
            (line.kind == "assign" and (line.name == ROCM_VARIABLE or self._is_root(line)))
            or (line.kind == "conditional" and _ASKS_ROOT.match(self._text, line.start, line.stop))
            for line in self._lines
        )

    @cached_property
    def _sources(self) -> Sources:
        values: dict[str, list[str]] = {}
        for line in self._lines:
            if line.kind == "assign":
                text = self._text[line.start : line.stop].replace("\\\n", " ").replace("\\\r\n", " ")
                values.setdefault(line.name, []).append(text)
        return Sources(self._text, self._file.context.folder, values, self._file.context.hosts)

    def _links(self, compiler: Word, command: list[Word]) -> bool:
        """Whether a command runs nvcc to link a program or a shared library."""
        text = " ".join(word.text for word in command)
        values = [self._value(name) for name in _REFERENCE.findall(compiler.text)]
        if not any("nvcc" in value.lower() for value in (compiler.text, *values)):
            return False
        options = [word.text for word in command]
        for name in _REFERENCE.findall(text):
            options += self._value(name).split()
        return len(options) > 1 and _NO_LINKING.isdisjoint(options)

    def _value(self, name: str) -> str:
        """All that a variable of this file is ever given."""
        return " ".join(
            self._text[line.start : line.stop] for line in self._lines if line.kind == "assign" and line.name == name
        )


def _program(command: list[Word]) -> Word | None:
    """The compiler that a command runs; one that it asks about (`which nvcc`, `test -x …/nvcc`) is none."""
    for word in command[:6]:
        compiler = _compiler(word)
        if compiler is not None:
            return compiler
        if not _BEFORE.match(word.text):
            return None
    return None


def _compiler(word: Word) -> Word | None:
    """A word that names a compiler, without what a recipe may put in front of it: `@`, `-`, `$(Q)`."""
    if _COMPILER.match(word.text):
        return word
    prefix = _PREFIX.match(word.text)
    if prefix is None or not _COMPILER.match(word.text[prefix.end() :]):
        return None
    return Word(word.text[prefix.end() :], word.start + prefix.end(), word.stop)


def _lines(text: str) -> Iterator[_Line]:
    """The logical lines of a makefile, without comments; recipes know their rules."""
    at = 0
    rule = ""
    in_recipe = in_define = False
    while at < len(text):
        end = logical_end(text, at)
        in_define = _defines(text, at, end, in_define)
        if text.startswith("\t", at) and (in_recipe or in_define or not _ASSIGN.match(text, at, end)):
            start = at + 1
            while start < end and text[start] in "@-+ \t":
                start += 1
            if not text.startswith("#", start):
                yield _Line("recipe", "", start, end, rule=rule)
        else:
            for line in _line(text, at, _without_comment(text, at, end)):
                if line.kind == "rule":
                    rule = text[line.start : line.stop]
                if line.kind in ("rule", "assign"):
                    in_recipe = line.kind == "rule" and ":" in rule
                yield replace(line, rule=rule) if line.kind == "recipe" else line
        at = end + 1


def _defines(text: str, at: int, end: int, inside: bool) -> bool:
    """Whether the line is in a `define`, whose lines may be recipes of any rule."""
    word = text[at:end].split(maxsplit=2)
    if inside:
        return word[:1] != ["endef"]
    return word[:1] == ["define"] or word[:2] in (["export", "define"], ["override", "define"])


def _head(text: str) -> int:
    """Where the comments at the top of a makefile end."""
    at = 0
    while at < len(text):
        end = logical_end(text, at)
        line = text[at:end].strip()
        if line and not line.startswith("#"):
            return at
        at = end + 1
    return len(text)


def _line(text: str, at: int, end: int) -> Iterator[_Line]:
    body = text[at:end]
    if _CONDITIONAL.match(body) and not _ASSIGN.match(body):
        yield _Line("conditional", "", at, end)
        return
    targeted = _TARGETED.match(body)
    start = at + targeted.end() if targeted else at
    match = _ASSIGN.match(text, start, end)
    if match is None:
        rule, _, recipe = body.partition(";")
        yield _Line("rule", "", at, at + len(rule))
        if recipe:
            yield _Line("recipe", "", at + len(rule) + 1, end)
        return
    if targeted:
        yield _Line("rule", "", at, start)
    yield _Line("assign", match["name"], match.end(), end, match.start("name"))


def _without_comment(text: str, at: int, end: int) -> int:
    """Where a comment begins, or the end."""
    mark = at
    while (mark := text.find("#", mark, end)) >= 0:
        if mark == at or text[mark - 1] != "\\":
            return mark
        mark += 1
    return end
