"""Inline PTX of several instructions, written as a block: operands into variables, the instructions, results back."""

from __future__ import annotations

from hipify.parser.functions import AsmStatement
from hipify.parser.ptx import template_text
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.moves import Move, Span
from hipify.rules.ptx_blocks import Block, pieces, write
from hipify.rules.ptx_operands import CARRY, LOCALS, Words
from hipify.rules.ptx_words import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.passes.ptx import Statement

_PLACE = lazy(r"\{(\d+)\}")
_PLAIN = lazy(rb"\(*\w+(?:\.\w+|->\w+|\[\w+\])*\)*")
_INDENT = lazy(rb"[ \t]*")


def write_block(
    context: Context, statement: AsmStatement, read: Statement, text: str, lanes: bool
) -> list[Words] | None:
    """Replace a statement by the block of C++ that it is; what its instructions became, or None."""
    letters = _letters(read)
    if letters is None or _clashes(context, read):
        return None
    block = write(text, Writer(letters, read.volatile, lanes, block=True, kernel=read.in_kernel))
    if block is None:
        return None
    if block.takes_carry or block.leaves_carry:
        block.words.append(Words("hipify_ptx::carry()", remark=CARRY))
    lines = _Lines(context, statement, read, letters, block)
    context.moves.append(lines.move())
    return block.words


def are_one(read: Statement, texts: list[str], lanes: bool) -> bool:
    """Whether all texts that the template may be are the same in C++."""
    letters = _letters(read)
    if letters is None:
        return False
    blocks = [write(t, Writer(list(letters), read.volatile, lanes, block=True, kernel=read.in_kernel)) for t in texts]
    return None not in blocks and len({tuple(b.lines) for b in blocks if b is not None}) == 1


def _letters(read: Statement) -> list[str] | None:
    """The letters of the operands' registers; None where one has no variable."""
    if any(number >= len(read.constraints) or read.constraints[number][:1] != "=" for number in read.tied.values()):
        return None
    constraints = [read.constraints[read.tied.get(i, i)] for i in range(len(read.constraints))]
    letters = [c.strip("=+&") for c in constraints]
    return letters if all(letter in LOCALS or letter in ("n", "i", "?") for letter in letters) else None


def _clashes(context: Context, read: Statement) -> bool:
    """Whether an operand has a name like those of the block, or an output needs another one's new value."""
    text = context.tokens.text
    outputs = {text[o.first] for o, c in zip(read.operands, read.constraints, strict=True)
               if c[:1] in "=+" and o.stop - o.first == 1}  # fmt: skip
    for operand, constraint in zip(read.operands, read.constraints, strict=True):
        tokens = text[operand.first : operand.stop]
        if any(t.startswith(b"ptx_") for t in tokens):
            return True
        if constraint[:1] in "=+" and len(tokens) > 1 and outputs & set(tokens):
            return True
    return False


class _Lines:
    """The lines of a block, over the source's own operands."""

    def __init__(
        self, context: Context, statement: AsmStatement, read: Statement, letters: list[str], block: Block
    ) -> None:
        self.context, self.statement, self.read, self.letters, self.block = context, statement, read, letters, block
        self.parts: list[bytes | Span] = []
        data, begin = context.source.data, context.tokens.start[statement.first]
        line = data.rfind(b"\n", 0, begin) + 1
        indent = _INDENT.match(data, line)
        self.indent = indent[0] if indent else b""
        macro = context.structure.macro_at(statement.first)
        self.newline = (b" \\" if macro is not None else b"") + context.source.newline
        self.guarded = any(line.startswith("if (") for line in block.lines)

    def move(self) -> Move:
        """The replacement of the statement."""
        self.parts.append(b"do {")
        places = {int(n) for line in self.block.lines for n in _PLACE.findall(line)}
        for number in range(len(self.letters)):
            self._take(number, number in places)
        if any("ptx_carry" in line for line in self.block.lines):
            self._line(f"unsigned int ptx_carry = {'hipify_ptx::carry()' if self.block.takes_carry else '0'};".encode())
        for kind in dict.fromkeys(kind for kind, _ in self.block.variables):
            names = [f"{v} = 0" if self.guarded else v for k, v in self.block.variables if k == kind]
            self._line(f"{kind} {', '.join(names)};".encode())
        ordered = self.read.clobbers and any(w.accesses for w in self.block.words)
        if ordered:
            self._line(b"hipify_ptx::ordered();")
        comments = self._comments()
        self._say(comments.get(0, []))
        for place, line in enumerate(self.block.lines):
            self._placed(line)
            self._say(comments.get(place + 1, []))
        if ordered:
            self._line(b"hipify_ptx::ordered();")
        if self.block.leaves_carry:
            self._line(b"hipify_ptx::carry() = (unsigned char)ptx_carry;")
        for number, constraint in enumerate(self.read.constraints):
            if constraint[:1] in "=+":
                self._give(number)
        self.parts.append(self.newline + self.indent + b"} while (0)")
        start, end = self.context.tokens.start[self.statement.first], self.context.tokens.end(self.statement.stop - 1)
        return Move(start, end, tuple(p for p in self.parts if p), len(self.context.moves))

    def _line(self, *parts: bytes | Span) -> None:
        self.parts += [self.newline + self.indent + b"    ", *parts]

    def _comments(self) -> dict[int, list[bytes]]:
        """The statement's comments, by how many instructions stand before them."""
        text = self.context.tokens.text
        found: dict[int, list[bytes]] = {}
        for comment in self.read.comments:
            before = template_text([text[i] for i in self.statement.strings if i < comment])
            count = sum(p not in "{}" and not p.startswith(".") for p in pieces(before))
            found.setdefault(min(count, len(self.block.lines)), []).append(text[comment].rstrip())
        return found

    def _say(self, comments: list[bytes]) -> None:
        for comment in comments:
            self._line(comment)

    def _span(self, number: int) -> Span:
        operand = self.read.operands[number]
        return self.context.tokens.start[operand.first], self.context.tokens.start[operand.stop - 1] + len(
            self.context.tokens.text[operand.stop - 1]
        )

    def _take(self, number: int, used: bool) -> None:
        """The variable of an operand, with its value where the instructions read it."""
        constraint, letter = self.read.constraints[number], self.letters[number]
        if letter in ("n", "i") or number in self.read.tied:
            return
        kind = LOCALS.get(letter, "unsigned long long")
        source = next((i for i, tied in self.read.tied.items() if tied == number), number)
        if constraint[:1] == "=" and source == number:
            self._line(f"{kind} ptx_{number}{' = 0' if self.guarded else ''};".encode())
            return
        if constraint[:1] not in "=+" and not used:
            self._line(b"(void)(", self._span(number), b");")
            return
        span: bytes | Span = self._span(source)
        if constraint[:1] == "+" and not self._is_plain(number):
            self._line(f"auto& ptx_of{number} = ".encode(), span, b";")
            span = f"ptx_of{number}".encode()
        const = "" if constraint[:1] in "=+" or self._is_written(number) else "const "
        cast = f"({kind})(" if kind not in ("float", "double") else "("
        self._line(f"{const}{kind} ptx_{number} = {cast}".encode(), span, b");")

    def _is_written(self, number: int) -> bool:
        return any(f"{{{number}}} = " in line or f"pack({{{number}}}" in line for line in self.block.lines)

    def _is_plain(self, number: int) -> bool:
        """Whether an operand may be evaluated twice."""
        return _PLAIN.fullmatch(self.context.argument_bytes(self.read.operands[number])) is not None

    def _placed(self, line: str) -> None:
        parts: list[bytes | Span] = []
        last = 0
        for match in _PLACE.finditer(line):
            number = int(match[1])
            parts.append(line[last : match.start()].encode())
            if self.letters[number] in ("n", "i"):
                parts += [b"(", self._span(number), b")"]
            else:
                parts.append(f"ptx_{self.read.tied.get(number, number)}".encode())
            last = match.end()
        self._line(*parts, line[last:].encode())

    def _give(self, number: int) -> None:
        """A result into what the statement names."""
        constraint, letter = self.read.constraints[number], self.letters[number]
        span: bytes | Span = self._span(number)
        if constraint[0] == "+" and not self._is_plain(number):
            span = f"ptx_of{number}".encode()
        if letter == "l":
            self._line(b"hipify_ptx::put(", span, f", ptx_{number});".encode())
        elif self.context.structure.macro_at(self.statement.first) is not None:
            self._line(b"(", span, f") = ptx_{number};".encode())
        else:
            self._line(span, f" = ptx_{number};".encode())
