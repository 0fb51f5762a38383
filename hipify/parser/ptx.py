"""Inline PTX: the text of an `asm` template, and the instructions in it.

`opcodes` is one regular expression and enough for a finding. `parse` reads operands too, with the grammar in ptx.lark;
lark is imported only when it is asked for.
"""

from __future__ import annotations

import functools
import os
import re

from hipify.patterns import lazy
from hipify.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lark import Lark

_GRAMMAR = os.path.join(os.path.dirname(__file__), "ptx.lark")
_COMMENT = lazy(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_RAW = lazy(rb'(?:u8|[uUL])?R"([^()\\\s"]{0,16})\(([\s\S]*)\)\1"\Z')
_ESCAPE = lazy(rb"\\(\r?\n|x[0-9A-Fa-f]+|[0-7]{1,3}|[\s\S])")
_PLAIN = {
    b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b", b"0": b"\0",
    b"\n": b"", b"\r\n": b"",
}  # fmt: skip
_SPECIAL = lazy(
    r"%(?:lanemask_(?:eq|le|lt|ge|gt)|laneid|warpid|nwarpid|n?smid|gridid|clock(?:64|_hi)?|globaltimer(?:_lo|_hi)?"
    r"|n?ctaid|n?tid|(?:n?cluster(?:_n?cta(?:id|rank)|id)|is_explicit_cluster)|dynamic_smem_size|total_smem_size"
    r"|envreg\d+|pm\d+(?:_64)?|current_graph_exec)(?:\.[xyz])?"
)
_OPCODE = lazy(r"[a-z][a-z0-9_]*(?:(?:\.|::)[a-z0-9_]+)*", re.IGNORECASE)
_PREDICATE = lazy(r"@!?\s*[%\w]+\s*")
_LABEL = lazy(r"[$%A-Za-z_][\w$]*\s*:(?!:)\s*")


class Instruction(NamedTuple):
    """One PTX instruction: its opcode with all modifiers, its operands as written, and the guarding predicate."""

    opcode: str
    operands: tuple[str, ...] = ()
    predicate: str = ""

    @property
    def base(self) -> str:
        """The opcode's first word: `ld` of `ld.global.f32`."""
        return self.opcode.partition(".")[0]


def literal_value(token: bytes) -> bytes:
    """The bytes that a string literal token stands for."""
    if raw := _RAW.match(token):
        return raw[2]
    first = token.find(b'"')
    body = token[first + 1 : -1] if token.endswith(b'"') and len(token) > first + 1 else token[first + 1 :]
    return _ESCAPE.sub(_unescape, body) if b"\\" in body else body


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if code in _PLAIN:
        return _PLAIN[code]
    if code[:1] == b"x":
        return bytes((int(code[1:], 16) & 0xFF,))
    if code[:1].isdigit():
        return bytes((int(code, 8) & 0xFF,))
    return code


def template_text(literals: list[bytes]) -> str:
    """The template that adjacent string literal tokens form, `%%` as the assembler sees it."""
    return b"".join(map(literal_value, literals)).replace(b"%%", b"%").decode("latin-1")


def statements(text: str) -> list[str]:
    """The statements of a template, comments, scopes, labels and predicates taken off."""
    found = []
    for part in re.split(r"[;{}\n](?![^\[\]()]*[\])])", _without_vectors(_COMMENT.sub(" ", text))):
        part = part.strip()
        while label := _LABEL.match(part):
            part = part[label.end() :]
        if predicate := _PREDICATE.match(part):
            part = part[predicate.end() :]
        if part:
            found.append(part)
    return found


def _without_vectors(text: str) -> str:
    """`{%0, %1}` as an operand is no scope: its braces become brackets of another kind."""
    return re.sub(r"\{([^{};\n]*)\}", r"<\1>", text)


def opcodes(text: str) -> list[str]:
    """The opcodes of a template in order, each once; directives such as `.reg` are none."""
    found: dict[str, None] = {}
    for statement in statements(text):
        if (match := _OPCODE.match(statement)) and _is_opcode(match[0]):
            found[match[0]] = None
    return list(found)


def _is_opcode(word: str) -> bool:
    return "." in word or word in _BARE


_BARE = frozenset(("ret", "exit", "trap", "brkpt", "bra", "call", "membar", "nanosleep", "pmevent"))


def special_registers(text: str) -> list[str]:
    """The special registers (`%smid`, `%laneid`) that a template reads, each once."""
    return list(dict.fromkeys(m[0] for m in _SPECIAL.finditer(text)))


def parse(text: str) -> list[Instruction]:
    """Every instruction of a template with its operands; one that the grammar does not know keeps its opcode alone."""
    from lark.exceptions import LarkError

    found = []
    for statement in _pieces(text):
        try:
            found.append(_instruction(statement))
        except LarkError:
            if (match := _OPCODE.match(statement)) and _is_opcode(match[0]):
                found.append(Instruction(match[0]))
    return [i for i in found if not i.opcode.startswith(".")]


def _pieces(text: str) -> list[str]:
    """Statements with their predicates and vector operands, scopes and labels taken off."""
    bare = re.sub(r"\{([^{};\n]*)\}", "\x01\\1\x02", _COMMENT.sub(" ", text))
    out = []
    for part in re.split(r"[;{}]", bare):
        part = part.strip().replace("\x01", "{").replace("\x02", "}")
        while label := _LABEL.match(part):
            part = part[label.end() :]
        if part and not part.startswith("."):
            out.append(part)
    return out


def _instruction(statement: str) -> Instruction:
    tree = _parser().parse(statement)
    predicate, opcode, operands = "", "", []
    for node in tree.children:
        kind = node.data if hasattr(node, "data") else ""
        text = statement[node.meta.start_pos : node.meta.end_pos] if hasattr(node, "meta") else str(node)
        if kind == "predicate":
            predicate = text.lstrip("@").strip()
        elif kind == "opcode":
            opcode = text
        elif kind == "operand":
            operands.append(text)
    return Instruction(opcode, tuple(operands), predicate)


@functools.cache
def _parser() -> Lark:
    from lark import Lark

    with open(_GRAMMAR, encoding="utf-8") as stream:
        grammar = stream.read()
    return Lark(grammar, parser="lalr", propagate_positions=True, start="instruction")
