"""One run of `hipify-py shim`: find the files, write or check the header, list what it cannot do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify.emit import files
from hipify.errors import InputError, OutputError, os_reason
from hipify.lint.discover import discover
from hipify.model import Options
from hipify.parser.source import Source
from hipify.pipeline import read as read_bytes
from hipify.shim import header, usage
from hipify.shim.project import Project, assemble
from hipify.shim.records import FileUsage


@dataclass
class Outcome:
    """What came of a run."""

    project: Project
    text: str
    missing: list[str]
    """For --check: what the header lacks, or that it is out of date."""


def run(paths: Sequence[str], output: str, options: Options, *, check: bool, exclude: Iterable[str] = ()) -> Outcome:
    """Write the header, or see whether it serves."""
    old = _old(output, check)
    found = [path for path in discover(list(paths) or ["."], exclude) if not _is_header(path, output)]
    if not found:
        raise InputError(f"{' '.join(paths) or '.'}: no source that uses CUDA")
    name = os.path.basename(output)  # noqa: PTH119
    kept = header.cuda_headers_in(old)
    usages = [_usage(path, options, name, kept) for path in found]
    project = assemble(usages, options, name, kept)
    text = header.render(project.shim, name)
    if check:
        return Outcome(project, text, list(_missing(project, old, text, output)))
    if text != old:
        files.write(output, text.encode())
    return Outcome(project, text, [])


def _old(output: str, check: bool) -> str:
    """The header that is there."""
    path = Path(output)
    try:
        old = path.read_bytes().decode("utf-8", "backslashreplace")
    except FileNotFoundError:
        if check:
            raise InputError(f"{output}: there is no such header to check") from None
        return ""
    except OSError as error:
        raise InputError(f"{output}: cannot be read: {os_reason(error)}") from error
    if old.strip() and not header.is_ours(old):
        raise OutputError(f"{output}: is there already and not hipify-py's; give -o another name")
    return old


def _is_header(path: str, output: str) -> bool:
    """Whether a file is a header that this command writes."""
    if os.path.realpath(path) == os.path.realpath(output):
        return True
    try:
        with open(path, "rb") as stream:  # noqa: PTH123
            return header.is_ours(stream.read(2000).decode("utf-8", "replace"))
    except OSError:
        return False  # the reading will say it


def _usage(path: str, options: Options, name: str, kept: Iterable[str]) -> FileUsage:
    data = read_bytes(path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or Source(data, path).looks_binary:
        raise InputError(f"{path}: is no text in UTF-8 or ASCII")
    brought = kept if _includes(data, name) else ()
    return usage.read(data, os.path.normpath(path), options, brought)


def _includes(data: bytes, name: str) -> bool:
    """Whether a file seems to include the shim's header."""
    return re.search(rb'#[ \t]*include[ \t]*"(?:[^"\n]*/)?' + re.escape(name.encode()) + b'"', data) is not None


def _missing(project: Project, old: str, text: str, output: str) -> Iterator[str]:
    given = header.names_in(old)
    wanted = project.shim.names
    for name, place in sorted(project.used.items(), key=lambda pair: pair[1]):
        if name in wanted and name not in given:
            yield f"{place}: {output} lacks {name}"
    for obstacle in project.obstacles:
        if obstacle.lacks:
            yield f"{obstacle.place}: {output} cannot give {obstacle.lacks}: {obstacle.message}"
    if old != text:
        yield f"{output}: is out of date; make it again with hipify-py shim"
