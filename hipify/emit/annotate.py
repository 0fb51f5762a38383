"""Findings as comments in the output: `// HPY301: message` above the line, or above the whole directive."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import partial
from operator import attrgetter

from hipify.emit import rewriter
from hipify.emit.source_map import SourceMap
from hipify.model import Edit, Finding, Translation
from hipify.parser.source import Source
from hipify.parser.tokens import Tokens, tokenize
from hipify.patterns import lazy

_LINE_ENDS = (b"\n", b"\r\n")
_LINE = lazy(rb"(\bat line )(\d+)")


def annotate(translation: Translation) -> Translation:
    """The translation with a comment for each finding, as further edits; a comment that is there is not repeated."""
    if not translation.findings:
        return translation
    data, edits = translation.input, rewriter.in_order(translation.edits, len(translation.input))
    outputs = list(_output_starts(edits))
    output = Source(translation.output)
    tokens = tokenize(output)
    wanted: dict[int, list[bytes]] = {}
    for finding in translation.findings:
        place = _line_above(output, tokens, _output_offset(finding.start, edits, outputs))
        comments = wanted.setdefault(place, [])
        if (comment := _comment(finding)) not in comments:
            comments.append(comment)
    notes = {place: text for place, comments in wanted.items() if (text := _block(output, place, comments))}
    if not notes:
        return translation
    lines = SourceMap.of(data, *_applied(data, edits, outputs, notes))
    # Lines that messages name are the input's; a reader of the output needs the output's.
    notes = {place: _LINE.sub(partial(_renumbered, lines), text) for place, text in notes.items()}
    made, added = _applied(data, edits, outputs, notes)
    findings = tuple(finding._replace(output_line=lines.output_line(finding.line)) for finding in translation.findings)
    return translation._replace(output=made, edits=tuple(rewriter.in_order(added, len(data))), findings=findings)


def _applied(data: bytes, edits: list[Edit], outputs: list[int], notes: dict[int, bytes]) -> tuple[bytes, list[Edit]]:
    """The output with the notes, and its edits."""
    added = list(_with_notes(edits, outputs, notes))
    return rewriter.apply(data, added), added


def _renumbered(lines: SourceMap, match: re.Match[bytes]) -> bytes:
    return b"%s%d" % (match[1], lines.output_line(int(match[2])))


def _comment(finding: Finding) -> bytes:
    text = f"// {finding.id}: {' '.join(finding.message.split())}"
    if text.endswith(("\\", "??/")):  # either would draw the next line into the comment
        text += "."
    return text.encode("utf-8", "surrogateescape")


def _output_starts(edits: Iterable[Edit]) -> Iterator[int]:
    """Where the text of each edit begins in the output."""
    shift = 0
    for edit in edits:
        yield edit.start + shift
        shift += len(edit.text) - (edit.end - edit.start)


def _output_offset(offset: int, edits: list[Edit], outputs: list[int]) -> int:
    """Where a byte of the input went; a replaced one leads to the start of what stands for it."""
    at = bisect_right(edits, offset, key=attrgetter("start")) - 1
    if at < 0:
        return offset
    edit, output = edits[at], outputs[at]
    return output if offset < edit.end else output + len(edit.text) + offset - edit.end


def _line_above(source: Source, tokens: Tokens, offset: int) -> int:
    """The start of the line of a byte, or of one above, in front of which a comment changes nothing.

    Lines that begin inside a string or a comment, or behind a backslash (in a macro, say), are none.
    """
    line, _ = source.position(min(offset, len(source.data)))
    while line > 1:
        start = source.line_starts[line - 1]
        behind = tokens.index_at(start - 1)
        if tokens.end(behind) == start and tokens.text[behind] in _LINE_ENDS:
            return start
        line -= 1
    return source.bom_length


def _block(source: Source, place: int, comments: list[bytes]) -> bytes:
    """The lines to insert, indented as the code is and ended as the file is, without those that stand there already."""
    line, _ = source.position(place)
    there: set[bytes] = set()
    """The comments above, but for the lines that they name: these move."""
    above = line - 1
    while above >= 1 and (text := source.line_text(above).strip()).startswith(b"// HPY"):
        there.add(_LINE.sub(b"", text))
        above -= 1
    code = source.data[place:].split(b"\n", 1)[0] if line < 2 else source.line_text(line)
    indent = code[: len(code) - len(code.lstrip(b" \t"))]
    return b"".join(indent + comment + source.newline for comment in comments if _LINE.sub(b"", comment) not in there)


def _with_notes(edits: list[Edit], outputs: list[int], notes: dict[int, bytes]) -> Iterator[Edit]:
    """The edits, and for each note one more, or a longer text of the edit that wrote its place."""
    places = sorted(notes)
    shift = at = 0
    for edit, output in zip(edits, outputs, strict=True):
        while at < len(places) and places[at] <= output:
            yield Edit(places[at] - shift, places[at] - shift, notes[places[at]])
            at += 1
        text, done = edit.text, 0
        parts: list[bytes] = []
        while at < len(places) and places[at] < output + len(text):
            cut = places[at] - output
            parts += [text[done:cut], notes[places[at]]]
            done = cut
            at += 1
        yield edit._replace(text=b"".join([*parts, text[done:]])) if parts else edit
        shift = output + len(text) - edit.end
    for place in places[at:]:
        yield Edit(place - shift, place - shift, notes[place])
