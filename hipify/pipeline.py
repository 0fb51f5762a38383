"""One input through the three stages: read it, let the rules look at it, apply what they say."""

from __future__ import annotations

import os
import stat
import sys
import time
from operator import attrgetter

from hipify.emit import rewriter
from hipify.emit.source_map import SourceMap
from hipify.errors import InputError, os_reason
from hipify.model import Finding, Options, Translation
from hipify.parser.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.context import Analysis

_START = 1 << 16
_BY_PLACE = attrgetter("line", "column", "id")


def read(path: str | os.PathLike[str]) -> bytes:
    """The bytes of an input file."""
    try:
        # Not Path.read_bytes: the input may be a pipe, and the name stays as the user gave it.
        with open(path, "rb") as stream:
            # A device such as /dev/zero has no end: what is binary from the start is refused by its start.
            start = b"" if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else stream.read(_START)
            return start if b"\0" in start else start + stream.read() if start else stream.read()
    except IsADirectoryError as error:
        raise InputError(f"{path}: is a directory") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error
    except ValueError as error:  # a NUL byte in the name
        raise InputError(f"{str(path)!r}: cannot be read: {error}") from error


def read_standard_input() -> bytes:
    """The bytes of standard input."""
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer.read()


def translate(data: bytes, path: str, options: Options | None = None, *, suppress: bool = True) -> Translation:
    """Translate the bytes of one input; `suppress` heeds the comments in it that silence findings."""
    started = time.perf_counter()
    analysis, findings = _analyse(data, path, options, suppress)
    try:
        edits = rewriter.in_order(analysis.edits, len(data))
    except rewriter.EditConflict:
        from hipify.rules.conflicts import settled

        edits, conflicts = settled(Source(data, path), analysis.edits)
        findings = sorted([*findings, *conflicts], key=_BY_PLACE)
    output = rewriter.joined(data, edits)
    if findings:
        lines = SourceMap.of(data, output, edits)
        findings = [finding._replace(output_line=lines.output_line(finding.line)) for finding in findings]
    return Translation(
        path=path,
        input=data,
        output=output,
        edits=tuple(edits),
        findings=tuple(findings),
        references=tuple(analysis.references),
        seconds=time.perf_counter() - started,
        clang_used=analysis.clang_used,
        helper_headers=analysis.helper_headers,
        cuda=analysis.cuda,
    )


def survey(data: bytes, path: str, options: Options | None = None, *, suppress: bool = True) -> Translation:
    """The findings and references of one input, its text left alone."""
    started = time.perf_counter()
    analysis, findings = _analyse(data, path, options, suppress)
    return Translation(
        path=path,
        input=data,
        output=data,
        edits=(),
        findings=tuple(findings),
        references=tuple(analysis.references),
        seconds=time.perf_counter() - started,
        clang_used=analysis.clang_used,
        cuda=analysis.cuda,
    )


def _analyse(data: bytes, path: str, options: Options | None, suppress: bool) -> tuple[Analysis, list[Finding]]:
    """What the rules say, and their findings in order, without those about a whitelisted name or silenced ones."""
    from hipify.rules.engine import analyse
    from hipify.rules.origin import is_hip

    source = Source(data, path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        coding = "UTF-32" if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")) else "UTF-16"
        raise InputError(f"{path}: is {coding} text; save it as UTF-8 first")
    if source.looks_binary:
        raise InputError(f"{path}: is a binary file (it holds NUL bytes)")
    options = options or Options()
    analysis = analyse(source, options)
    if options.language == "cuda" and is_hip(data, analysis, options):
        analysis = analyse(source, options._replace(language="hip", guards="report"))
        analysis.edits, analysis.helper_headers = [], {}
    spared = {name.encode("utf-8", "surrogateescape") for name in options.whitelist}
    findings = [f for f in analysis.findings if not spared or data[f.start : f.end] not in spared]
    findings.sort(key=_BY_PLACE)
    if suppress and b"hipify:" in data:
        from hipify.lint import suppressions

        findings, _ = suppressions.apply(source, findings, suppressions.looked_for(options))
    return analysis, findings
