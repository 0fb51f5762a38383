"""Compiler commands inside other texts (makefiles, scripts): their words translated where they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.project.build_files.flags import (
    DEFAULT_ARCHS,
    LOST,
    ROCM_VARIABLE,
    ROOT_VARIABLES,
    UNKNOWN_LIBRARY,
    Change,
    Translator,
    language_first,
    path,
)
from hipify.project.build_files.libraries import library
from hipify.project.build_files.words import Word, close, words
from hipify.rules.checks.build import ARCHITECTURE, CONSTRUCT, FLAG, LIBRARY

_NVCC = lazy(r"(?<![\w.$({-])nvcc(?![\w-])")
_VARIABLE = lazy(r"(?<![\w.-])" + f"(?:{ROOT_VARIABLES.pattern})" + r"(?!\w)")
_ODD = lazy(r"[\"']|\\ ")
_ASKED = lazy(r"(?:\bnvcc|\$[({]\w*NVCC\w*[)}])[\"']?[ \t]+(?:--version|-V)\b")
_CALL = lazy(r"\$[({][\w-]+[ \t]")
_PREFIXED = lazy(r"\$[({]addprefix[ \t]+(-Xcompiler|--compiler-options|-Xlinker|--linker-options)[ \t]*,")

TOOLS = {
    "nvprof": "rocprofv3", "ncu": "rocprof-compute", "nsys": "rocprof-sys", "nvvp": "rocprof-compute",
    "cuda-gdb": "rocgdb", "cuda-memcheck": "an address sanitizer build (-fsanitize=address)",
    "compute-sanitizer": "an address sanitizer build (-fsanitize=address)", "nvidia-smi": "amd-smi",
    "cuobjdump": "llvm-objdump --offloading", "nvdisasm": "llvm-objdump -d", "ptxas": "clang (there is no PTX)",
    "fatbinary": "clang-offload-bundler", "nvlink": "hipcc -fgpu-rdc --hip-link", "bin2c": "xxd -i",
    "nvprune": "", "cu++filt": "llvm-cxxfilt",
}  # fmt: skip
"""NVIDIA's programs, and AMD's that do such work."""


class CommandText:
    """Turns words of a build file into edits and findings."""

    def __init__(self, file: BuildFile, text: str, kept_variables: set[str]) -> None:
        self._file = file
        self._text = text
        self._kept = kept_variables
        self._archs = file.context.options.offload_arch or DEFAULT_ARCHS
        self._removed = 0
        self._library_names = False
        self.uses_root = False
        """Whether a reference to ROCm's folder took the place of one to CUDA's."""

    def name(self, name: str, start: int) -> None:
        """A variable's name where it is assigned."""
        if ROOT_VARIABLES.fullmatch(name) and name not in self._kept:
            self._replace(start, start + len(name), ROCM_VARIABLE)

    def architectures(self, found: Sequence[Word]) -> None:
        """Words that are all names of architectures."""
        new = " ".join(self._archs)
        self._replace(found[0].start, found[-1].stop, new)
        old = self._text[found[0].start : found[-1].stop]
        self._file.find(ARCHITECTURE, found[0].start, found[-1].stop, f"{old}: now {new}")

    def plain(self, found: Sequence[Word]) -> None:
        """Words that are no options: programs, paths and names of sources in them follow."""
        for word in found:
            self._word(word)

    def translate(self, found: Sequence[Word], *, library_names: bool = False) -> None:
        """Words of a compiler's command, or of a variable for one, which may hold names of libraries without `-l`."""
        self._library_names = library_names
        translator = Translator(self._archs, self._file.context.options.roc, self._file.context.cxx17)
        done = 0
        for change in language_first([word.text for word in found], translator):
            self.plain(found[done : change.first])
            self._change(found, change)
            done = change.stop
        self.plain(found[done:])
        self._library_names = False

    def tools(self, found: Sequence[Word], severity: Severity) -> None:
        """Report NVIDIA's programs."""
        for word in found:
            program = word.text.lstrip("@-({!").rpartition("/")[2]
            if program in TOOLS:
                instead = f"; AMD's way is {TOOLS[program]}" if TOOLS[program] else ""
                self._file.find(CONSTRUCT, word.start, word.stop, f"{program} is NVIDIA's{instead}", severity=severity)

    def versions(self) -> None:
        """Report where nvcc is asked which it is: the words of hipcc's answer are others."""
        for match in _ASKED.finditer(self._text):
            line = self._text.rfind("\n", 0, match.start()) + 1
            if "#" not in self._text[line : match.start()]:
                message = "nvcc is asked for its version: hipcc's answer has other words and numbers"
                self._file.find(CONSTRUCT, match.start(), match.end(), message, severity=Severity.WARNING)

    def _change(self, found: Sequence[Word], change: Change) -> None:
        start, stop = found[change.first].start, found[change.stop - 1].stop
        new = " ".join(self._rewritten(word) for word in change.words)
        if new:
            self._replace(start, stop, new)
        elif change.first:
            # With the white space in front of it, line ends included.
            self._replace(max(found[change.first - 1].stop, self._removed), stop, "")
        else:
            end = found[change.stop].start if change.stop < len(found) else stop
            self._replace(start, end, "")
            self._removed = end
        if change.why:
            kind = {LOST: FLAG, UNKNOWN_LIBRARY: LIBRARY}.get(change.level)
            start, stop = found[change.first].start, found[change.stop - 1].stop
            if kind is not None:
                self._file.find(kind, start, stop, change.why)
            elif any(word.startswith("--offload-arch") for word in change.words):
                self._file.find(ARCHITECTURE, start, stop, change.why)
            else:
                self._file.find(
                    FLAG, start, stop, change.why if change.words else f"{change.why}; left out", severity=Severity.NOTE
                )

    def _word(self, word: Word) -> None:
        """One word; what a function call holds are words again."""
        call = _CALL.search(word.text)
        if call is not None:
            begin = word.start + call.start() + 1
            end = close(self._text, begin, word.stop)
            self._word(Word(self._text[word.start : begin - 1], word.start, begin - 1))
            inner = word.start + call.end()
            if call[0][2:].strip() == "foreach":  # its text is what the command gets: variable,list,text
                inner = self._behind_commas(inner, end, 2)
            prefixed = _PREFIXED.match(self._text, begin - 1, end)
            if prefixed is not None:  # hipcc takes the linker's options in the same way, the host compiler's directly
                inner = prefixed.end()
                if "ompiler" in prefixed[1]:
                    self._replace(begin - 1, inner, "")
                    self._replace(end - 1, end, "")
            self.translate(words(self._text, inner, end - 1))
            if end < word.stop:
                self._word(Word(self._text[end : word.stop], end, word.stop))
            return
        new = self._rewritten(word.text)
        if self._library_names and new == word.text:
            new = library(new, self._file.context.options.roc)[0] or new
        if new != word.text:
            self._replace(word.start, word.stop, new)

    def _behind_commas(self, at: int, end: int, number: int) -> int:
        """Behind so many commas that stand in no inner reference; `at` where there are fewer."""
        here = at
        while here < end and number:
            if self._text[here] == "$" and self._text[here + 1 : here + 2] in ("(", "{"):
                here = close(self._text, here + 1, end)
                continue
            number -= self._text[here] == ","
            here += 1
        return at if number else here

    def _rewritten(self, text: str) -> str:
        new = _VARIABLE.sub(lambda m: m[0] if m[0] in self._kept else ROCM_VARIABLE, text)
        self.uses_root |= new != text and "$" in new
        new = path(_NVCC.sub("hipcc", new))
        context = self._file.context
        if not context.renames:
            return new
        if _ODD.search(new) and (odd := self._odd_name(new)) != new:
            return odd
        followed = context.sources_in(new)
        return followed if followed != new else self._path(new)

    def _odd_name(self, text: str) -> str:
        """A name in quotes, or with escaped blanks, as a whole."""
        quote = text[0] if text[0] in "\"'" and text[-1] == text[0] and len(text) > 2 else ""
        name = text[1:-1] if quote else text.replace("\\ ", " ")
        new = self._file.context.follow(name)
        if new == name:
            return text
        return f"{quote}{new}{quote}" if quote else new.replace(" ", "\\ ")

    def _path(self, text: str) -> str:
        """A path among options (`-Ifolder`), of something that has a new name."""
        match = re.fullmatch(r"(-[IL]|-isystem=?|)([\w./+-]*)(\\?:?)", text)
        if match is None or "/" not in match[2] + "/" or not match[2]:
            return text
        return match[1] + self._file.context.follow(match[2]) + match[3]

    def _replace(self, start: int, stop: int, new: str) -> None:
        self._file.replace(start, stop, new.encode("latin-1"))
