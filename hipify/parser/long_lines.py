"""Very long lines for clang: it reads a line from its start for every question about a place in it."""

from __future__ import annotations

from hipify.parser.tokens import Tokens

_STEP = 256


def break_lines(data: bytes, tokens: Tokens) -> bytes:
    """The same text, each byte at its place, with line ends for some of the blanks of very long lines."""
    out = bytearray(data)
    start = tokens.start
    begin, directive = 0, False  # of the line that token `index` stands in
    for index, text in enumerate(tokens.text):
        if text[-1] == 0x0A:  # a line end, a splice, a comment or literal with its end inside
            begin = start[index + 1]
            directive = directive and text not in (b"\n", b"\r\n")
        elif text == b"#" and not data[begin : start[index]].strip():
            directive = True
        elif text[0] in b" \t" and not directive and start[index] - begin > _STEP and not _before_mark(tokens, index):
            out[start[index]] = 0x0A
            begin = start[index] + 1
    return bytes(out)


def _before_mark(tokens: Tokens, index: int) -> bool:
    """Whether a `#` follows, which must not come to stand at the start of a line."""
    return index + 1 < len(tokens) and tokens.text[index + 1] == b"#"
