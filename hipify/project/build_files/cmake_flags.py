"""nvcc's options inside CMake arguments: in flag variables, in option lists, inside generator expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.project.build_files.cmake_syntax import Argument, Command
from hipify.project.build_files.flags import LOST, NO_OBJECT, UNKNOWN_LIBRARY, Change, Translator
from hipify.rules.checks.build import ARCHITECTURE, FLAG, LIBRARY

# What separates options: the head of a generator expression, its end, white space, semicolons, a SHELL: mark.
_SEPARATOR = lazy(r"\$<(?:\$<[^<>]*(?:<[^<>]*>[^<>]*)*>|[01]|[A-Z_]+:[^<>:]*|[A-Z_]+):|[;\s>]+|SHELL:")

_REFERENCE = lazy(r"\$\{(\w+)\}")
_OTHER_LANGUAGE = lazy(r"COMPILE_LANG(?:UAGE|_AND_ID):(?!CUDA\b)\w+")
_FLAGS_NAME = lazy(r"(?:CMAKE_CUDA_FLAGS|CUDA_NVCC_FLAGS)(_[\w${}]+)?\Z")
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
    found: set[str] = set()
    while todo:
        argument = todo.pop()
        for name in [] if _OTHER_LANGUAGE.search(argument.text) else _REFERENCE.findall(argument.text):
            if name in given and name not in found and not _FLAGS_NAME.match(name):
                found.add(name)
                todo += given[name]
    return found - {"CMAKE_CXX_FLAGS", "CMAKE_C_FLAGS"}


def flag_edits(
    file: BuildFile, arguments: Sequence[Argument], rewritten: Callable[[Argument], str], *, command: bool = False
) -> None:
    """Translate the options in arguments; `rewritten` translates what is no option.

    In a command for hipcc itself the options name the GPUs, too; elsewhere CMake does.
    """
    words: list[Argument] = []
    for argument in arguments:
        for piece, is_word in _pieces(argument):
            if is_word:
                words.append(piece)
            else:
                _replace(file, piece, rewritten(piece))
    done = 0
    translator = Translator(file.context.options.offload_arch, file.context.options.roc, file.context.cxx17)
    for change in translator.changes([word.text for word in words]):
        for word in words[done : change.first]:
            _replace(file, word, rewritten(word))
        _change(file, words[change.first : change.stop], change, rewritten, command)
        done = change.stop
    for word in words[done:]:
        _replace(file, word, rewritten(word))


def _pieces(argument: Argument) -> Iterator[tuple[Argument, bool]]:
    """The words of an argument, and what stands between them."""
    at = 0
    text = argument.text
    for match in _SEPARATOR.finditer(text):
        if match.start() > at:
            yield _part(argument, at, match.start()), True
        yield _part(argument, match.start(), match.end()), False
        at = match.end()
    if at < len(text):
        yield _part(argument, at, len(text)), True


def _part(argument: Argument, start: int, stop: int) -> Argument:
    return Argument(argument.text[start:stop], argument.start + start, argument.start + stop)


def _change(
    file: BuildFile, words: Sequence[Argument], change: Change, rewritten: Callable[[Argument], str], command: bool
) -> None:
    kept = [word for word in change.words if command or not word.startswith("--offload-arch")]
    if not command and " ".join(kept) == NO_OBJECT:
        kept = []  # options are for all sources of a target
    start, stop = words[0].start, words[-1].stop
    # The words of one option may be arguments of their own: the text between them goes with them.
    new = [rewritten(Argument(word, start, stop)) for word in kept]
    separator = ";" if b";" in file.data[start:stop] else " "
    file.replace(start, stop, separator.join(new).encode("latin-1"))
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


def _replace(file: BuildFile, piece: Argument, new: str) -> None:
    if new != piece.text:
        file.replace(piece.start, piece.stop, new.encode("latin-1"))
