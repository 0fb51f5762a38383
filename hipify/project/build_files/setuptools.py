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
from hipify.project.build_files.flags import Translator
from hipify.rules.checks.build import FLAG, PYTHON, RUNTIME_SOURCE

_RUNTIME = frozenset({"RawKernel", "RawModule", "SourceModule"})
_STARTERS = frozenset(("system", "run", "call", "check_call", "check_output", "Popen", "which", "spawn", "getoutput",
                       "find_executable", "exec_command"))  # fmt: skip
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
    for at, token in enumerate(tokens):
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.kind == tokenize.NAME:
            _name(file, token, following)
        elif token.kind == tokenize.STRING:
            _string(file, token, _runs(tokens, at))


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


def _string(file: BuildFile, token: _Token, runs: bool) -> None:
    try:
        value = ast.literal_eval(token.text)
    except (ValueError, SyntaxError, MemoryError):
        return
    if not isinstance(value, str):
        return
    quote = token.text.find(value) if value else -1
    if quote < 0:
        return  # escapes: what the text says is not what it holds
    start = token.start + len(token.text[:quote].encode("utf-8", "surrogateescape"))
    if value == "nvcc" or value.startswith("nvcc "):
        if runs:  # elsewhere it may be the key of extra_compile_args, which a ROCm build of PyTorch reads too
            file.replace(start, start + 4, b"hipcc")
            file.find(
                PYTHON, token.start, token.stop, "calls the compiler itself: hipcc now", severity=Severity.WARNING
            )
    elif value.endswith((".cu", ".cuh")) and "\n" not in value:
        new = file.context.sources_in(value)
        if new != value:
            raw = value.encode("utf-8", "surrogateescape")
            file.replace(start, start + len(raw), new.encode("utf-8", "surrogateescape"))
    elif _OPTION.match(value):
        for change in Translator(file.context.options.offload_arch).changes([value]):
            instead = " ".join(change.words) or "nothing"
            file.find(FLAG, token.start, token.stop, f"{value}: an option of nvcc; for hipcc it is {instead}")
