"""Convert the text of one build file."""

from __future__ import annotations

from textwrap import dedent

from hipify.model import Options, Translation
from hipify.project.build_files import BuildContext
from hipify.project.build_files import convert as convert_file
from hipify.project.kinds import build_kind


def convert(name: str, text: str, **context: object) -> Translation:
    """The conversion of a text (dedented), as a file of that name."""
    options = context.pop("options", Options())
    data = dedent(text).lstrip("\n").encode()
    return convert_file(build_kind(name), data, name, BuildContext(options, **context))  # type: ignore[arg-type]


def output(name: str, text: str, **context: object) -> str:
    """The new text."""
    return convert(name, text, **context).output.decode()


def found(translation: Translation) -> list[tuple[str, int]]:
    """The ids and lines of what was found, without notes."""
    return [(f.id, f.line) for f in translation.findings if f.severity.label != "note"]


def expected(text: str) -> str:
    """A text as it is expected."""
    return dedent(text).lstrip("\n")
