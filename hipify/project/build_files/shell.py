"""Shell scripts that call nvcc: the commands in them become hipcc's; NVIDIA's other programs are reported."""

from __future__ import annotations

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.project.build_files.commandline import CommandText
from hipify.project.build_files.flags import is_nvcc
from hipify.project.build_files.words import commands, logical_end, words

_SETS_NVCC = lazy(r"\s*(?:export\s+)?\w+=[\"']?[\w/.${}-]*nvcc\b")


def convert(file: BuildFile) -> None:
    """Collect the edits and findings of a shell script."""
    text = file.data.decode("latin-1")
    translator = CommandText(file, text, set())
    at = 0
    while at < len(text):
        end = logical_end(text, at)
        if not text[at:end].lstrip().startswith("#"):
            for command in commands(words(text, at, end)):
                if any(is_nvcc(word.text.strip("\"'")) for word in command[:4]) or _SETS_NVCC.match(text, at, end):
                    translator.translate(command)
                else:
                    translator.plain(command)
                    translator.tools(command, Severity.WARNING)
        at = end + 1
    translator.versions()
