"""nvcc's options inside CMake arguments: in flag variables, in option lists, inside generator expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.project.build_files.cmake_syntax import Argument, Command
from hipify.project.build_files.flags import LOST, NO_OBJECT, UNKNOWN_LIBRARY, Change, Translator
from hipify.records import NamedTuple
from hipify.rules.checks.build import ARCHITECTURE, FLAG, LIBRARY

# What separates options: the head of a generator expression, its end, white space, semicolons, a SHELL: mark.
_SEPARATOR = lazy(r"\$<(?:\$<[^<>]*(?:<[^<>]*>[^<>]*)*>|[01]|[A-Z_]+:[^<>:]*|[A-Z_]+):|[;\s>]+|SHELL:")

# What holds together inside an argument: quoted text, as it is written there.
_QUOTED = lazy(r'\\"(?:[^"\\]|\\[^"])*\\"|(?<![^\s=:;])\'[^\'"]*\'')
_QUOTED_IN_WORD = lazy(r'"(?:[^"\\]|\\.)*"|(?<![^\s=:;])\'[^\'"]*\'')
_HEAD = lazy(r"\$<|>")

_REFERENCE = lazy(r"\$\{(\w+)\}")
_OTHER_LANGUAGE = lazy(r"COMPILE_LANG(?:UAGE|_AND_ID):(?!CUDA\b)\w+")
_FLAGS_NAME = lazy(r"(?:CMAKE_CUDA_FLAGS|CUDA_NVCC_FLAGS)(_[\w${}]+)?\Z")
# Only nvcc takes these: a variable that holds one is for it, also where another file uses the variable.
_NVCC_ALONE = lazy(
    r"-{1,2}(?:gencode|generate-code|gpu-architecture|Xptxas|ptxas-options|Xcompiler|Xcudafe|expt-\w|extended-lambda"
    r"|use_fast_math|lineinfo|generate-line-info|rdc|relocatable-device-code|maxrregcount)(?=[=\s;\"-]|\Z)"
    r"|-arch=(?:sm|compute)_"
)
_TAKE_OPTIONS = ("target_compile_options", "add_compile_options")
_TAKE_OPTIONS_BEHIND = ("cuda_add_executable", "cuda_add_library", "cuda_compile")


def flag_variables(commands: Sequence[Command]) -> set[str]:
    """The variables whose values become options of CUDA's compiler, by the file's own commands."""
    given: dict[str, list[Argument]] = {}
    todo: list[Argument] = []
    for command in commands:
        arguments = list(command.arguments)
        texts = [argument.text for argument in arguments]
        if command.name in _TAKE_OPTIONS:
            todo += arguments
        elif command.name in _TAKE_OPTIONS_BEHIND and "OPTIONS" in texts:
            todo += arguments[texts.index("OPTIONS") + 1 :]
        elif command.name in ("set", "list", "string") and texts:
            at = 0 if command.name == "set" else 1
            if len(texts) > at and (at == 0 or texts[0] in ("APPEND", "PREPEND")):
                given.setdefault(texts[at], []).extend(arguments[at + 1 :])
    todo += [argument for name, values in given.items() if _FLAGS_NAME.match(name) for argument in values]
    found = {name for name, values in given.items() if any(_NVCC_ALONE.match(value.text) for value in values)}
    others = {
        name for argument in todo if _OTHER_LANGUAGE.search(argument.text) for name in _REFERENCE.findall(argument.text)
    }
    found = {name for name in found if not _FLAGS_NAME.match(name)} - others
    while todo:
        argument = todo.pop()
        for name in [] if _OTHER_LANGUAGE.search(argument.text) else _REFERENCE.findall(argument.text):
            if name in given and name not in found and not _FLAGS_NAME.match(name):
                found.add(name)
                todo += given[name]
    return found - {"CMAKE_CXX_FLAGS", "CMAKE_C_FLAGS"}


class _Word(NamedTuple):
    """An option, or a part of one, and the argument in which it stands."""

    text: str
    start: int
    stop: int
    argument: Argument

    @property
    def alone(self) -> bool:
        """Whether it is all of its argument."""
        return (self.start, self.stop) == (self.argument.start, self.argument.stop)


def flag_edits(
    file: BuildFile, arguments: Sequence[Argument], rewritten: Callable[[Argument], str], *, command: bool = False
) -> None:
    """Translate the options in arguments; `rewritten` translates what is no option.

    In a command for hipcc itself the options name the GPUs, too; elsewhere CMake does.
    """
    words: list[_Word] = []
    for argument in arguments:
        for piece, is_word in _pieces(argument):
            if is_word:
                words.append(piece)
            else:
                _replace(file, piece, rewritten(_plain(piece)))
    done = 0
    translator = Translator(file.context.options.offload_arch, file.context.options.roc, file.context.cxx17)
    for change in translator.changes([word.text for word in words]):
        for word in words[done : change.first]:
            _replace(file, word, rewritten(_plain(word)))
        _change(file, words[change.first : change.stop], change, rewritten, command)
        done = change.stop
    for word in words[done:]:
        _replace(file, word, rewritten(_plain(word)))


def _pieces(argument: Argument) -> Iterator[tuple[_Word, bool]]:
    """The words of an argument, and what stands between them; quoted text inside one is no word of its own."""
    at = 0
    text = argument.text
    quoted = _QUOTED if argument.quoted else _QUOTED_IN_WORD
    shape = quoted.sub(lambda match: match[0] if "$<" in match[0] else "q" * len(match[0]), text)
    for match in _SEPARATOR.finditer(shape):
        if match.start() > at:
            yield _part(argument, at, match.start()), True
        yield _part(argument, match.start(), match.end()), False
        at = match.end()
    if at < len(text):
        yield _part(argument, at, len(text)), True


def _part(argument: Argument, start: int, stop: int) -> _Word:
    return _Word(argument.text[start:stop], argument.start + start, argument.start + stop, argument)


def _plain(word: _Word) -> Argument:
    return Argument(word.text, word.start, word.stop)


def _change(
    file: BuildFile, words: Sequence[_Word], change: Change, rewritten: Callable[[Argument], str], command: bool
) -> None:
    kept = [word for word in change.words if command or not word.startswith("--offload-arch")]
    if not command and " ".join(kept) == NO_OBJECT:
        kept = []  # options are for all sources of a target
    start, stop = words[0].start, words[-1].stop
    new = " ".join(rewritten(Argument(word, start, stop)) for word in kept)
    if b";" in file.data[start:stop] or _in_list(words[0]):
        new = new.replace(" ", ";")
    if words[0].argument is not words[-1].argument and any(word.argument.quoted for word in words):
        _put(file, words, new)
    else:
        # The words of one option may be arguments of their own: the text between them goes with them.
        file.replace(start, stop, new.encode("latin-1"))
    if command and any(word.startswith("--offload-arch") for word in kept):
        file.find(ARCHITECTURE, start, stop, change.why)
    elif any(w.startswith("--offload-arch") for w in change.words) or (not change.words and "arch" in change.why):
        file.find(
            ARCHITECTURE, start, stop, f"{' '.join(w.text for w in words)}: CMAKE_HIP_ARCHITECTURES names the GPUs"
        )
    elif change.why:
        kind = {LOST: FLAG, UNKNOWN_LIBRARY: LIBRARY}.get(change.level)
        if kind is not None:
            file.find(kind, start, stop, change.why)
        else:
            file.find(
                FLAG, start, stop, change.why if change.words else f"{change.why}; left out", severity=Severity.NOTE
            )


def _in_list(word: _Word) -> bool:
    """Whether a word stands in a generator expression in quotes, where semicolons alone separate options."""
    before = word.argument.text[: word.start - word.argument.start]
    depth = sum(1 if mark == "$<" else -1 for mark in _HEAD.findall(before))
    return word.argument.quoted and depth > 0 and " " not in before and not before.endswith("SHELL:")


def _put(file: BuildFile, words: Sequence[_Word], new: str) -> None:
    """Put a text in the place of an option whose words stand in several arguments, some of them in quotes."""
    for number, word in enumerate(words):
        if number == 0 and new:
            file.replace(word.start, word.stop, new.encode("latin-1"))
        elif word.alone:
            start, stop = word.start - word.argument.quoted, word.stop + word.argument.quoted
            file.replace(start - _blanks(file.data[:start]), stop, b"")
        else:
            rest = file.data[word.stop : word.argument.stop]
            file.replace(word.start, word.stop + len(rest) - len(rest.lstrip(b" \t;")), b"")


def _blanks(before: bytes) -> int:
    """How much white space in front of an argument goes with it: not the end of a line with a comment."""
    blanks = len(before) - len(before.rstrip(b" \t\r\n"))
    line = before[: len(before) - blanks].rpartition(b"\n")[2]
    return blanks if b"#" not in line else len(before) - len(before.rstrip(b" \t"))


def _replace(file: BuildFile, piece: _Word, new: str) -> None:
    if new != piece.text:
        file.replace(piece.start, piece.stop, new.encode("latin-1"))
