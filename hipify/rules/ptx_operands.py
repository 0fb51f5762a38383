"""The operands of PTX instructions, and what they are in C++."""

from __future__ import annotations

import re

from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.ptx_forms import SAME_BITS, TYPES

_NUMBER = r"-?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?"
_OPERAND = lazy(
    r"%(?P<register>\d+)(?:\s*\|\s*%(?P<also>\d+))?"
    rf"|\[\s*%(?P<address>\d+)\s*(?:(?P<sign>[+-])\s*(?:(?P<offset>{_NUMBER})|%(?P<moved>\d+)))?\s*\]"
    rf"|\{{(?P<vector>\s*(?:%\d+|_|{_NUMBER})(?:\s*,\s*(?:%\d+|_|{_NUMBER}))*\s*)\}}"
    r"|(?P<real>0[fF][0-9a-fA-F]{8}(?!\w)|0[dD][0-9a-fA-F]{16}(?!\w)|-?\d+\.\d*(?:[eE][+-]?\d+)?)"
    rf"|(?P<sum>{_NUMBER}\s*[-+]\s*\d+)|(?P<number>{_NUMBER})"
    r"|!\s*%(?P<not>\d+)|_\s*\|\s*%(?P<only>\d+)|(?P<special>%[a-z_]+\d*(?:\.[xyz])?)"
)
GRID = {"%tid": "threadIdx", "%ntid": "blockDim", "%ctaid": "blockIdx", "%nctaid": "gridDim"}
_FIT = {
    "r": ("u32", "s32", "b32", "u16", "s16", "b16", "u8", "s8", "b8"), "h": ("u16", "s16", "b16", "u8", "s8", "b8"),
    "l": ("u64", "s64", "b64"), "f": ("f32", "b32"), "d": ("f64", "b64"), "p": ("pred",), "c": ("u8", "s8", "b8"),
}  # fmt: skip
_LETTERS = {
    "pred": "p", "b8": "c", "u8": "c", "s8": "c", "b16": "h", "u16": "h", "s16": "h", "f16": "h", "bf16": "h",
    "b32": "r", "u32": "r", "s32": "r", "f16x2": "r", "bf16x2": "r", "b64": "l", "u64": "l", "s64": "l", "f32": "f",
    "f64": "d",
}  # fmt: skip
CARRY = "the carry goes from statement to statement"
"""What is to be said of arithmetic that begins or ends within a chain."""
LOCALS = {
    "p": "bool", "c": "unsigned char", "h": "unsigned short", "r": "unsigned int", "l": "unsigned long long",
    "f": "float", "d": "double",
}  # fmt: skip
"""The C++ types of what registers are kept in."""
_LANES = {
    "%laneid": "hipify::lane_id()", "%lanemask_eq": "1u << hipify::lane_id()",
    "%lanemask_lt": "(1u << hipify::lane_id()) - 1u", "%lanemask_le": "(2u << hipify::lane_id()) - 1u",
    "%lanemask_gt": "~((2u << hipify::lane_id()) - 1u)", "%lanemask_ge": "~((1u << hipify::lane_id()) - 1u)",
    "%warpid": "hipify_ptx_warp::warp_id()",
}  # fmt: skip
_CLOCKS = {
    "%clock": "(unsigned int)clock64()", "%clock64": "(unsigned long long)clock64()",
    "%clock_hi": "(unsigned int)((unsigned long long)clock64() >> 32)",
}  # fmt: skip


class Operand(NamedTuple):
    """An operand of an instruction: a register of the statement, an address, a vector, a number, a special register.

    `also` is the predicate behind `|`; -1 for none.
    """

    kind: str
    text: str
    registers: tuple[int, ...] = ()
    offset: str = ""
    also: int = -1


class Words(NamedTuple):
    """C++ for an instruction; `{3}` stands for what the statement's operand 3 is."""

    text: str
    accesses: bool = False
    carry: str = ""
    remark: str = ""


def letter_for(kind: str) -> str:
    """The letter of a register that a statement declares; '' for a type that is not known."""
    return _LETTERS.get(kind, "")


def operands(text: str) -> list[Operand] | None:
    """The operands of an instruction; None when one of them is of a form that is not known."""
    found, rest = [], text.strip()
    while rest:
        match = _OPERAND.match(rest)
        if match is None:
            return None
        found.append(_operand(match))
        rest = rest[match.end() :].lstrip()
        if rest and not rest.startswith(","):
            return None
        rest = rest[1:].lstrip()
    return found


def _operand(match: re.Match[str]) -> Operand:
    if match["address"]:
        offset = match["offset"] or (f"{{{match['moved']}}}" if match["moved"] else "")
        registers = (int(match["address"]), *((int(match["moved"]),) if match["moved"] else ()))
        sign = "-" if match["sign"] == "-" and offset else ""
        return Operand("address", match[0], registers, sign + offset.removesuffix("U"))
    if match["vector"]:
        items = [item.strip() for item in match["vector"].split(",")]
        return Operand("vector", match[0], tuple(int(i[1:]) for i in items if i[0] == "%"), ", ".join(items))
    if match["register"]:
        return Operand("register", match[0], (int(match["register"]),), also=int(match["also"] or -1))
    if match["not"]:
        return Operand("not", match[0], (int(match["not"]),))
    if match["only"]:
        return Operand("only", match[0], (), also=int(match["only"]))
    if match["sum"]:
        return Operand("number", f"({match[0]})")
    kind = match.lastgroup or ""
    return Operand(kind, match[0].removesuffix("U"))


class Registers:
    """The registers of a statement: its operands with these constraint letters, then those that it declares.

    In a block every register is a variable of its own type; else it is an expression of the source.
    """

    def __init__(
        self, constraints: list[str], volatile: bool, lanes: bool = False, block: bool = False, kernel: bool = False
    ) -> None:
        self.letters = [c.strip("=+&") for c in constraints]
        self.volatile = volatile
        self.lanes = lanes
        self.block = block
        self.kernel = kernel
        """Whether the statement stands in a kernel, and in no function within it."""

    def known(self, given: list[Operand]) -> bool:
        """Whether all registers of these operands are the statement's."""
        return all(r < len(self.letters) for o in given for r in (*o.registers, o.also))

    def value(self, operand: Operand, kind: str) -> str | None:
        """An operand as a value of a PTX type."""
        kind = SAME_BITS.get(kind, kind)
        if operand.kind in ("number", "real"):
            return _literal(operand, kind)
        if operand.kind == "special":
            return self.special(operand.text, kind)
        if operand.kind == "not" and kind == "pred" and self.letters[operand.registers[0]] == "p":
            return f"!{{{operand.registers[0]}}}"
        if operand.kind != "register" or operand.also >= 0:
            return None
        return self.register(operand.registers[0], kind)

    def register(self, number: int, kind: str) -> str | None:
        """A register as a value of a PTX type."""
        letter = self.letters[number]
        if letter in ("n", "i"):
            return f"{{{number}}}" if kind[0] != "f" and kind != "pred" else None
        if self.block and letter == "r" and kind == "f32":
            return f"hipify_ptx::as<float>({{{number}}})"
        if self.block and letter == "l" and kind == "f64":
            return f"hipify_ptx::as<double>({{{number}}})"
        if kind not in _FIT.get(letter, ()) or (kind in ("u8", "s8", "b8") and letter != "c"):
            return None
        if letter == "p" or (letter in ("f", "d") and kind[0] == "f"):
            return f"{{{number}}}"
        if letter in ("f", "d"):
            return f"hipify_ptx::as<{TYPES[kind]}>({{{number}}})"
        if self.block and LOCALS[letter] == TYPES[kind]:
            return f"{{{number}}}"
        return f"({TYPES[kind]})({{{number}}})" if letter == "l" and not self.block else f"({TYPES[kind]}){{{number}}}"

    def part(self, operand: Operand, kind: str) -> str | None:
        """An operand as a value of a PTX type that may be narrower than its register."""
        if operand.kind == "register" and operand.also < 0:
            number = operand.registers[0]
            letter = self.letters[number]
            width = {"r": 32, "h": 16, "l": 64, "c": 8}.get(letter, 0)
            if kind[0] in "usb" and kind != "pred" and int(kind[1:]) < width:
                return f"({TYPES[kind]}){{{number}}}"
        return self.value(operand, kind)

    def result(self, operand: Operand, value: str, kind: str) -> str | None:
        """A value of a PTX type into an operand."""
        kind = SAME_BITS.get(kind, kind)
        if operand.kind != "register" or operand.also >= 0:
            return None
        number = operand.registers[0]
        letter = self.letters[number]
        if self.block and (letter, kind) in (("r", "f32"), ("l", "f64")):
            return f"{{{number}}} = hipify_ptx::as<{LOCALS[letter]}>({value})"
        if kind not in _FIT.get(letter, ()):
            return None
        if self.block and letter in ("f", "d") and kind[0] != "f":
            return f"{{{number}}} = hipify_ptx::as<{LOCALS[letter]}>({value})"
        if not self.block and (letter == "l" or (letter in ("f", "d") and kind[0] != "f")):
            return f"hipify_ptx::put({{{number}}}, {value})"
        return f"{{{number}}} = {value}"

    def special(self, name: str, kind: str) -> str | None:
        """A special register's value: numbers of thread and block, of lanes where warps keep 32, clocks."""
        grid, _, axis = name.partition(".")
        if grid in GRID and axis and kind in ("u32", "s32", "b32"):
            return f"{GRID[grid]}.{axis}"
        wide = name == "%clock64"
        if kind not in (("u64", "s64", "b64") if wide else ("u32", "s32", "b32")):
            return None
        text = _LANES.get(name) if self.lanes else None
        text = text or _CLOCKS.get(name)
        return f"({text})" if text and " " in text else text


def _literal(operand: Operand, kind: str) -> str | None:
    """A number of the instruction's text."""
    text = operand.text
    if operand.kind == "real":
        if text[:2].lower() in ("0f", "0d"):
            bits = f"0x{text[2:]}u{'ll' if text[1] in 'dD' else ''}"
            fits = kind == ("f32" if text[1] in "fF" else "f64")
            return f"hipify_ptx::as<{TYPES[kind]}>({bits})" if fits else None
        text += "0" if text.endswith(".") else ""
        return {"f32": f"{text}f", "f64": text}.get(kind)
    if kind == "pred":
        return {"0": "false", "1": "true"}.get(text)
    if kind[0] == "f":
        return None
    return f"{text}ll" if text[0] == "-" and kind in ("u64", "s64", "b64") else text
