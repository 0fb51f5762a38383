"""compile_commands.json, rewritten for the output: its folders, the new names of sources, hipcc for nvcc."""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from typing import Any

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.project.build_files import BuildContext, BuildFile
from hipify.project.build_files.flags import LOST, ROCM_ROOT, Translator, is_nvcc, path, translate_command
from hipify.project.build_files.needs import PLATFORM, options_for
from hipify.rules.checks.build import CONSTRUCT, FLAG

_LAUNCHER = lazy(r"(?:\A|/)(?:ccache|sccache|distcc|icecc)\Z")


def convert(file: BuildFile) -> None:
    """Replace the whole text: it is made by programs, for programs."""
    try:
        entries = json.loads(file.data)
    except (ValueError, RecursionError) as error:
        file.find(CONSTRUCT, 0, min(1, len(file.data)), f"is not valid JSON: {error}; copied as it is")
        return
    if not isinstance(entries, list):
        file.find(CONSTRUCT, 0, 1, "is no compilation database: a list is expected; copied as it is")
        return
    lost: dict[str, None] = {}
    made = [_entry(entry, file.context, lost) if isinstance(entry, dict) else entry for entry in entries]
    file.replace(0, len(file.data), (json.dumps(made, indent=2) + "\n").encode("utf-8", "surrogatepass"))
    for text in lost:
        file.find(FLAG, 0, 1, text, severity=Severity.NOTE)


def _entry(entry: dict[str, Any], context: BuildContext, lost: dict[str, None]) -> dict[str, Any]:
    made = dict(entry)
    directory = str(entry.get("directory", ""))
    for key in ("directory", "file", "output"):
        if isinstance(entry.get(key), str):
            made[key] = _moved(entry[key], directory, context)
    if isinstance(entry.get("arguments"), list):
        made["arguments"] = _command([str(word) for word in entry["arguments"]], entry, context, lost)
    elif isinstance(entry.get("command"), str):
        try:
            words = shlex.split(entry["command"])
        except ValueError:
            return made
        made["command"] = shlex.join(_command(words, entry, context, lost))
    return made


def _command(words: list[str], entry: dict[str, Any], context: BuildContext, lost: dict[str, None]) -> list[str]:
    directory = str(entry.get("directory", ""))
    archs, roc = context.options.offload_arch, context.options.roc
    nvcc = any(is_nvcc(word) for word in words[:3])
    behind = 1 + next((i for i, word in enumerate(words[:3]) if is_nvcc(word) or not _LAUNCHER.search(word)), 0)
    if nvcc:
        words, changes = translate_command(words, archs, roc, context.cxx17)
        lost.update({change.why: None for change in changes if change.why and change.level == LOST})
    else:
        rest = words[1:]
        made, done = words[:1], 0
        for change in Translator(archs, roc, context.cxx17).changes(rest):
            made += [*rest[done : change.first], *change.words]
            done = change.stop
        words = made + rest[done:]
    words = [_word(word, directory, context) for word in words]
    if nvcc:
        words[behind:behind] = options_for(context.defines)
    elif _inside(str(entry.get("file", "")), directory, context) in context.hosts and not _says_platform(words):
        words[behind:behind] = [f"-D{PLATFORM}", f"-I{ROCM_ROOT}/include"]
    if nvcc and "-x" not in words and any(word.endswith(".cu") for word in words):
        words[behind:behind] = ["-x", "hip"]
    return words


def _says_platform(words: list[str]) -> bool:
    return any(word.startswith(f"-D{PLATFORM}") for word in words)


def _word(word: str, directory: str, context: BuildContext) -> str:
    match = re.match(r"(-I|-L|-isystem=?|-include=?|-o|-MF|--?[\w-]+=|)(.*)\Z", word, re.DOTALL)
    assert match is not None
    return match[1] + _moved(match[2], directory, context) if match[2] else word


def _moved(text: str, directory: str, context: BuildContext) -> str:
    """A path of the input as the path of the output."""
    inside = _inside(text, directory, context)
    if inside is None:
        return path(text)
    new = context.renames.get(inside, inside)
    if text.startswith("/"):
        return posixpath.join(context.out, new) if new else context.out
    base = text.rpartition("/")[2]
    return text[: len(text) - len(base)] + new.rpartition("/")[2] if new != inside else text


def _inside(text: str, directory: str, context: BuildContext) -> str | None:
    """A path relative to the root of the input; None for one that is not in it."""
    full = posixpath.normpath(posixpath.join(context.root, context.folder, directory, text))
    root = context.root.rstrip("/")
    return full[len(root) + 1 :] if full == root or full.startswith(f"{root}/") else None
