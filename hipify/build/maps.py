"""The source map of a run as a file: which line of each output holds which line of its input, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable

from hipify.emit.source_map import SourceMap
from hipify.model import Translation

VERSION = 1


def render(files: Iterable[tuple[Translation, str | None]]) -> bytes:
    """The maps of translations and their outputs, as JSON (docs/build.md describes it)."""
    entries = []
    for translation, output in files:
        lines = SourceMap.of(translation.input, translation.output, translation.edits).as_dict()
        entries.append(
            {
                "input": translation.path,
                "output": output,
                "to_output": lines["to_output"],
                "to_input": lines["to_input"],
                "edits": [[edit.start, edit.end, edit.text.decode("latin-1")] for edit in translation.edits],
            }
        )
    return (json.dumps({"version": VERSION, "files": entries}, indent=1) + "\n").encode("ascii")
