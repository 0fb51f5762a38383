"""Python files that build or hold CUDA code: reported, and calls of nvcc and names of sources followed."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildFile, others
from hipify.project.build_files.commandline import CommandText
from hipify.project.build_files.flags import NOTE, ROOT_VARIABLES, Translator, path
from hipify.project.build_files.libraries import LIBRARIES, WITHOUT_COUNTERPART, library
from hipify.project.build_files.words import words
from hipify.rules.checks.build import FLAG, LIBRARY, PYTHON, RUNTIME_SOURCE

_RUNTIME = frozenset({"RawKernel", "RawModule", "SourceModule"})
_STARTERS = frozenset(("system", "run", "call", "check_call", "check_output", "Popen", "which", "spawn", "getoutput",
                       "find_executable", "exec_command"))  # fmt: skip
_NVCC = lazy(r"(?<![\w.-])nvcc(?![\w-])")
_FORMATTED = getattr(tokenize, "FSTRING_MIDDLE", -1)
_OPTION = lazy(r"--?[A-Za-z][\w-]*(?:=\S*)?\Z")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: int
    text: str
    start: int
    stop: int


def convert(file: BuildFile) -> None:
    """Collect the edits and findings of a Python file; another file of a Python project is only reported."""
    if not file.source.path.endswith((".py", ".pyx")):
        others.report(file)
        return
    try:
        tokens = list(_tokens(file))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        others.report(file)
        return
    done: set[int] = set()
    for at, token in enumerate(tokens):
        if token.start in done:
            continue
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.kind == tokenize.NAME:
            _name(file, token, following)
        elif token.kind == tokenize.STRING:
            done.update(_string(file, tokens, at))
        elif token.kind == _FORMATTED and _NVCC.search(token.text):
            _by_hand(file, token)


def _tokens(file: BuildFile) -> Iterator[_Token]:
    """The tokens with byte offsets."""
    text = file.data.decode("utf-8", "surrogateescape")
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    ascii_only = text.isascii()

    def offset(place: tuple[int, int]) -> int:
        at = starts[place[0] - 1] + place[1]
        return at if ascii_only else len(text[:at].encode("utf-8", "surrogateescape"))

    skipped = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        if token.type not in skipped:
            yield _Token(token.type, token.string, offset(token.start), offset(token.end))


def _name(file: BuildFile, token: _Token, following: str) -> None:
    if token.text == "CUDAExtension" and following == "(":
        file.find(PYTHON, token.start, token.stop, "CUDAExtension builds with hipcc where PyTorch is built for ROCm")
    elif token.text == "CUDA_HOME":
        message = "CUDA_HOME is None on ROCm; torch.utils.cpp_extension has ROCM_HOME there"
        file.find(PYTHON, token.start, token.stop, message, severity=Severity.WARNING)
    elif token.text in _RUNTIME and following == "(":
        file.find(RUNTIME_SOURCE, token.start, token.stop, f"{token.text} compiles CUDA source when the program runs")


def _runs(tokens: list[_Token], at: int) -> bool:
    """Whether a string is the program that a call starts: the call's first argument, alone or first of a list."""
    before = at - 1
    if before > 0 and tokens[before].text in ("[", "(") and tokens[before - 1].text == "(":
        before -= 1
    return before > 0 and tokens[before].text == "(" and tokens[before - 1].text in _STARTERS


def _string(file: BuildFile, tokens: list[_Token], at: int) -> list[int]:
    """Deal with a string; gives the places of further ones that were dealt with."""
    token = tokens[at]
    try:
        value = ast.literal_eval(token.text)
    except (ValueError, SyntaxError, MemoryError):
        if _NVCC.search(token.text):
            _by_hand(file, token)
        return []
    if not isinstance(value, str):
        return []
    quote = token.text.find(value) if value else -1
    if quote < 0:
        return []  # escapes: what the text says is not what it holds
    start = token.start + len(token.text[:quote].encode("utf-8", "surrogateescape"))
    if value == "nvcc" or value.startswith("nvcc "):
        return _compiler(file, tokens, at, start, value)
    if value.endswith((".cu", ".cuh")) and "\n" not in value:
        new = file.context.sources_in(value)
        if new != value:
            raw = value.encode("utf-8", "surrogateescape")
            file.replace(start, start + len(raw), new.encode("utf-8", "surrogateescape"))
    elif _OPTION.match(value):
        for change in Translator(file.context.options.offload_arch).changes([value]):
            instead = " ".join(change.words) or "nothing"
            file.find(FLAG, token.start, token.stop, f"{value}: an option of nvcc; for hipcc it is {instead}")
    else:
        _place(file, token, value, _is_library(tokens, at))
    return []


def _compiler(file: BuildFile, tokens: list[_Token], at: int, start: int, value: str) -> list[int]:
    """A string that is nvcc, or a command of it."""
    token = tokens[at]
    if _runs(tokens, at):
        file.find(PYTHON, token.start, token.stop, "calls the compiler itself: hipcc now", severity=Severity.WARNING)
        text = file.data.decode("latin-1")
        found = words(text, start, start + len(value.encode("utf-8", "surrogateescape")))
        if len(found) > 1:
            CommandText(file, text, set()).translate(found)
        else:
            file.replace(start, start + 4, b"hipcc")
            return _arguments(file, tokens, at)
        return []
    before, after = (tokens[i].text if 0 <= i < len(tokens) else "" for i in (at - 1, at + 1))
    if value != "nvcc" or not (after == ":" or (before == "[" and after == "]")):
        _by_hand(file, token)  # the key of extra_compile_args is read by a ROCm build of PyTorch, too
    return []


def _arguments(file: BuildFile, tokens: list[_Token], at: int) -> list[int]:
    """The options behind nvcc in a list of strings, up to what is computed."""
    given: list[_Token] = []
    while at + 2 < len(tokens) and tokens[at + 1].text == "," and tokens[at + 2].kind == tokenize.STRING:
        at += 2
        given.append(tokens[at])
    values = [token.text.strip("rbRB")[1:-1] for token in given]
    for change in Translator(file.context.options.offload_arch, file.context.options.roc).changes(values):
        first, last = given[change.first], given[change.stop - 1]
        if change.words:
            file.replace(first.start, last.stop, ", ".join(map(repr, change.words)).encode("utf-8", "surrogateescape"))
        else:  # with the comma in front
            file.replace(file.data.rindex(b",", 0, first.start), last.stop, b"")
        if change.why:
            severity = Severity.NOTE if change.level == NOTE else None
            file.find(FLAG, first.start, last.stop, change.why, severity=severity)
    return [token.start for token in given]


def _is_library(tokens: list[_Token], at: int) -> bool:
    """Whether a string stands in a list that is called `libraries` or so: `cuda` and `nccl` mean other things, too."""
    while at > 0 and (tokens[at].kind == tokenize.STRING or tokens[at].text == ","):
        at -= 1
    return (
        at > 1 and tokens[at].text == "[" and "lib" in tokens[at - 2].text and tokens[at - 1].text in ("=", "+=", ":")
    )


def _place(file: BuildFile, token: _Token, value: str, is_library: bool) -> None:
    """A string that names a place of CUDA's, or a library of it."""
    if ROOT_VARIABLES.fullmatch(value):
        message = f"{value}: ROCm's folder is in ROCM_PATH, or ROCM_HOME"
    elif path(value) != value:
        message = f"{value}: on ROCm it is {path(value)}"
    elif is_library and (value in LIBRARIES or value in WITHOUT_COUNTERPART):
        new, why = library(value, file.context.options.roc)
        file.find(LIBRARY, token.start, token.stop, f"{value}: {why or f'on ROCm it is {new or None}'}")
        return
    else:
        return
    file.find(PYTHON, token.start, token.stop, message, severity=Severity.WARNING)


def _by_hand(file: BuildFile, token: _Token) -> None:
    message = "names nvcc, in a way that is not followed: change by hand"
    file.find(PYTHON, token.start, token.stop, message, severity=Severity.WARNING)
