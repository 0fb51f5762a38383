"""What single PTX instructions are in C++: only those that it can say exactly."""

from __future__ import annotations

import re

from hipify.patterns import lazy
from hipify.rules.ptx_forms import BITS, INT, SAME_BITS, TYPES, Form, forms
from hipify.rules.ptx_memory import Accesses
from hipify.rules.ptx_operands import Operand, Words, operands

__all__ = ["Words", "Writer", "operands"]

_INSTRUCTION = lazy(r"([a-z][a-z0-9_]*(?:(?:\.|::)[a-zA-Z0-9_]+)*)(?:\s+(.+))?", re.DOTALL)
_FENCES = {
    "membar.cta": "__threadfence_block()", "membar.gl": "__threadfence()", "membar.sys": "__threadfence_system()",
    **{f"fence{kind}.{scope}": f"__threadfence{name}()" for kind in (".acq_rel", ".sc", ".acquire", ".release", "")
       for scope, name in (("cta", "_block"), ("gpu", ""), ("sys", "_system"))},
    "trap": "__builtin_trap()",
    "brkpt": "__builtin_debugtrap()",
}  # fmt: skip
_BARRIER = lazy(r"(?:bar|barrier)(?:\.cta)?\.(?:sync|red\.(popc\.u32|and\.pred|or\.pred))(?:\.aligned)?")
_ALIGNED = lazy(r"\.aligned(?=\.)")
_INFIX = {"and": "&", "or": "|", "xor": "^"}
_HELPERS = {
    **{f"{op}.{t}": 2 for op in ("shl",) for t in BITS},
    **{f"{op}.{t}": 2 for op in ("shr",) for t in INT},
    **{f"shf.{side}.{mode}.b32": 3 for side in "lr" for mode in ("wrap", "clamp")},
    **{f"bfe.{t}": 3 for t in INT},
    **{f"bfi.{t}": 4 for t in BITS},
    **{f"bfind.{t}": 1 for t in INT},
    "lop3.b32": 4,
    "prmt.b32": 3,
    **{f"mul.hi.{t}": 2 for t in INT},
    "mul.wide.u32": 2,
    "mul.wide.s32": 2,
    "sad.u32": 3,
    "sad.s32": 3,
    "dp4a.u32.u32": 3,
    "dp4a.s32.s32": 3,
}
"""Instructions with a function in hipify_ptx.h, and how many values they take."""
_SHIFTS_BY = ("shl", "shr")
_COUNT = {"popc.b32": "__popc", "popc.b64": "__popcll", "clz.b32": "__clz", "clz.b64": "__clzll",
          "brev.b32": "__brev", "brev.b64": "__brevll"}  # fmt: skip


class Writer(Accesses):
    """Writes the instructions of one statement, whose operands have these constraint letters."""

    def write(self, instruction: str) -> Words | None:
        """C++ for one instruction; None when there is none that is exact."""
        match = _INSTRUCTION.fullmatch(instruction.strip())
        given = operands(match[2] or "") if match else None
        if match is None or given is None or not self.known(given):
            return None
        opcode = match[1]
        if opcode in _FENCES:
            return Words(_FENCES[opcode]) if not given else None
        if opcode == "exit":
            return Words("return") if self.kernel and not given else None
        if (barrier := _BARRIER.fullmatch(_ALIGNED.sub("", opcode))) is not None:
            return self._barrier(barrier[1], given)
        base = opcode.partition(".")[0]
        maker = {"mov": self._mov, "ld": self.load, "ldu": self.load, "st": self.store, "atom": self.atomic,
                 "red": self.atomic, "cp": self.copy, "cvta": self._convert_address,
                 "nanosleep": self._sleep, "bar": self._warp_barrier}.get(base)  # fmt: skip
        if maker is not None:
            return maker(opcode, given)
        return self._compute(opcode, given) or self._form(opcode, given)

    # -- values

    def _form(self, opcode: str, given: list[Operand]) -> Words | None:
        """Instructions of the table."""
        form = forms().get(opcode if len(given) != 4 else f"{opcode}/3") or forms().get(opcode)
        if form is None or len(given) != len(form.values) + 1:
            return self._elect(opcode, given)
        if ("hipify::" in form.text or "hipify_ptx_warp::" in form.text) and not self.lanes:
            return None
        narrow = opcode.startswith("cvt.")
        read = self.part if narrow else self.value
        values = [read(o, SAME_BITS.get(k, k)) for o, k in zip(given[1:], form.values, strict=True)]
        if None in values:
            return None
        text = form.text
        for letter, kind, value in zip("abcd", form.values, values, strict=False):
            number = str(value)[1:-1]
            if number.isdigit() and self.letters[int(number)] in ("n", "i"):  # an int of the source
                value = f"({TYPES[SAME_BITS.get(kind, kind)]}){value}"
            text = text.replace(f"{{{letter}}}", _typed(str(value), SAME_BITS.get(kind, kind)))
        return self._finish(given[0], form, text, narrow)

    def _finish(self, to: Operand, form: Form, text: str, narrow: bool) -> Words | None:
        """The result of a form, into a predicate as well where one stands behind `|`."""
        if to.also >= 0:
            if "hipify_ptx_warp::shfl_" not in text or self.letters[to.also] != "p":
                return None
            text = f"{text[:-1]}, {{{to.also}}})"
            to = to._replace(also=-1)
        kind = form.result
        if narrow and to.kind == "register" and kind[0] in "us":  # a wider register is filled up
            letter = self.letters[to.registers[0]]
            width = {"r": 32, "l": 64, "h": 16}.get(letter, 0)
            if letter != "c" and int(kind[1:]) < width:
                kind = f"{kind[0]}{width}"
                text = f"({TYPES[kind]})({text})"
        written = self.result(to, text, kind)
        return Words(written, carry=form.carry) if written else None

    def _elect(self, opcode: str, given: list[Operand]) -> Words | None:
        """Instructions that give a word and a predicate together."""
        if not self.block or not self.lanes or not given or given[0].also < 0 or self.letters[given[0].also] != "p":
            return None
        to, also = given[0], f"{{{given[0].also}}}"
        if opcode == "elect.sync" and len(given) == 2 and (mask := self.value(given[1], "u32")):
            text = f"hipify_ptx_warp::elect({mask}, {also})"
        elif opcode in ("match.all.sync.b32", "match.all.sync.b64") and len(given) == 3:
            value, mask = self.value(given[1], opcode[-3:]), self.value(given[2], "u32")
            if value is None or mask is None:
                return None
            text = f"hipify_ptx_warp::match_all({value}, {mask}, {also})"
        else:
            return None
        written = self.result(to._replace(also=-1), text, "u32") if to.kind == "register" else f"(void){text}"
        return Words(written) if written else None

    def _compute(self, opcode: str, given: list[Operand]) -> Words | None:
        """Instructions that compute one value."""
        base, _, tail = opcode.partition(".")
        kind = tail.rpartition(".")[2]
        if kind not in TYPES or len(given) < 2 or given[0].kind != "register":
            return None
        result = {"mul.wide.u32": "u64", "mul.wide.s32": "s64"}.get(opcode, kind)
        if base in ("popc", "clz", "bfind"):
            result = "u32"
        values = []
        for position, operand in enumerate(given[1:]):
            wanted = kind
            if (base in _SHIFTS_BY and position == 1) or (base in ("bfe", "bfi") and position >= len(given) - 3):
                wanted = "u32"
            value = self.value(operand, wanted)
            if value is None:
                return None
            if opcode in _HELPERS:  # their parameters say the type
                value = value.removeprefix("(unsigned int)").removeprefix("(int)")
            values.append(value)
        text = self._formula(opcode, base, kind, values)
        written = self.result(given[0], text, result) if text else None
        return Words(written) if written else None

    @staticmethod
    def _formula(opcode: str, base: str, kind: str, values: list[str]) -> str:
        """The value that an instruction computes from others."""
        if _HELPERS.get(opcode) == len(values):
            return f"hipify_ptx::{opcode.replace('.', '_')}({', '.join(values)})"
        if opcode in _COUNT and len(values) == 1:
            cast = f"({TYPES[kind]})" if base == "brev" else "(unsigned int)"
            return f"{cast}{_COUNT[opcode]}({values[0]})"
        bits = {"s32": "u32", "s64": "u64"}.get(kind, kind)
        if bits in ("u32", "u64") and len(values) in (2, 3):
            wide = [f"({TYPES[bits]}){v}" if bits != kind else v for v in values]
            if opcode in (f"add.{kind}", f"sub.{kind}") and len(values) == 2:
                return f"({TYPES[kind]})({wide[0]} {'+' if base == 'add' else '-'} {wide[1]})"
            if opcode == f"mul.lo.{kind}" and len(values) == 2:
                return f"({TYPES[kind]})({wide[0]} * {wide[1]})"
            if opcode == f"mad.lo.{kind}" and len(values) == 3:
                return f"({TYPES[kind]})({wide[0]} * {wide[1]} + {wide[2]})"
            if opcode in (f"min.{kind}", f"max.{kind}") and len(values) == 2:
                return f"hipify_ptx::{base}_of<{TYPES[kind]}>({', '.join(values)})"
        if opcode in (f"{base}.b32", f"{base}.b64"):
            if base in _INFIX and len(values) == 2:
                return f"{values[0]} {_INFIX[base]} {values[1]}"
            if base == "not" and len(values) == 1:
                return f"~{values[0]}"
        if opcode in ("fma.rn.f32", "fma.rn.f64") and len(values) == 3:
            return f"{'fmaf' if kind == 'f32' else '::fma'}({', '.join(values)})"
        return ""

    def _mov(self, opcode: str, given: list[Operand]) -> Words | None:
        """Copies, parts of a register, and special registers."""
        kind = opcode.partition(".")[2]
        if kind not in TYPES or len(given) != 2:
            return None
        to, source = given
        if source.kind == "vector":
            text = self._packed(source, kind)
            written = self.result(to, text, kind) if text else None
            return Words(written) if written else None
        if to.kind == "vector":
            return self._unpack(to, source, kind)
        value = self.value(source, kind)
        if value and source.kind == "special":
            value = value.removeprefix("(").removesuffix(")") if value.startswith("((") else value
        written = self.result(to, value, kind) if value else None
        return Words(written) if written else None

    def _packed(self, source: Operand, kind: str) -> str | None:
        """Registers side by side, the first in the lowest bits."""
        items = source.offset.split(", ")
        part = f"b{int(kind[1:]) // len(items)}" if kind in BITS and len(items) in (2, 4) else ""
        if part not in ("b16", "b32"):
            return None
        if part == "b32" and all(i[0] == "%" and self.letters[int(i[1:])] == "r" for i in items):
            return f"hipify_ptx::pack({', '.join(f'{{{i[1:]}}}' for i in items)})"
        values = [
            self.value(Operand("register", i, (int(i[1:]),)) if i[0] == "%" else Operand("number", i), part)
            for i in items
        ]
        if any(v is None for v in values) or "_" in items:
            return None
        name = {("b32", 2): "pack", ("b16", 2): "pack16", ("b16", 4): "pack16"}[part, len(items)]
        return f"hipify_ptx::{name}({', '.join(str(v) for v in values)})"

    def _unpack(self, to: Operand, source: Operand, kind: str) -> Words | None:
        """A register's parts into others."""
        items = to.offset.split(", ")
        width = int(kind[1:]) // len(items) if kind in BITS and len(items) in (2, 4) else 0
        letters = {"r": 32, "f": 32, "h": 16}
        value = self.value(source, kind)
        if width not in (16, 32) or value is None:
            return None
        if any(i[0] != "%" or letters.get(self.letters[int(i[1:])]) != width for i in items):
            return None
        targets = [f"{{{i[1:]}}}" for i in items]
        name = "unpack" if width == 32 else "unpack16"
        return Words(f"hipify_ptx::{name}({', '.join(targets)}, {value})")

    def _convert_address(self, opcode: str, given: list[Operand]) -> Words | None:
        """Addresses of a space and generic ones."""
        words = opcode.split(".")[1:]
        if len(given) != 2 or words[-1:] != ["u64"]:
            return None
        value = self.value(given[1], "u64")
        if value is None:
            return None
        if words[:-1] in (["to", "global"], ["global"]):
            text = value
        elif words[:-1] in (["to", "shared"], ["shared"]):
            text = f"hipify_ptx::{'to' if len(words) == 3 else 'from'}_shared({value})"
        else:
            return None
        written = self.result(given[0], text, "u64")
        return Words(written) if written else None

    def _sleep(self, opcode: str, given: list[Operand]) -> Words | None:
        value = self.value(given[0], "u32") if opcode == "nanosleep.u32" and len(given) == 1 else None
        return Words(f"hipify_ptx::sleep({value})") if value else None

    def _barrier(self, reduction: str | None, given: list[Operand]) -> Words | None:
        """A barrier without a count of threads, which all of the block must reach, whatever its number is."""
        place = 1 if reduction else 0
        if len(given) != (3 if reduction else 1) or given[place].kind not in ("number", "register"):
            return None
        registers = given[place].registers
        if registers and self.letters[registers[0]] not in ("n", "i", "r"):
            return None
        first = f"(void){{{registers[0]}}}, " if registers else ""
        if not reduction:
            return Words(f"({first}__syncthreads())" if first else "__syncthreads()")
        value = self.value(given[2], "pred")
        name, kind = reduction.split(".")
        if value is None or not self.block:
            return None
        text = f"__syncthreads_{'count' if name == 'popc' else name}({value})"
        text = f"(unsigned int){text}" if name == "popc" else f"{text} != 0"
        written = self.result(given[0], f"({first}{text})" if first else text, kind)
        return Words(written) if written else None

    def _warp_barrier(self, opcode: str, given: list[Operand]) -> Words | None:
        value = self.value(given[0], "u32") if opcode == "bar.warp.sync" and len(given) == 1 and self.lanes else None
        return Words(f"hipify::syncwarp({value})") if value else None


def _typed(value: str, kind: str) -> str:
    """A value that says its type: a bare number is an int in C++."""
    if kind in TYPES and kind not in ("pred", "f32", "f64") and (value[:1].isdigit() or value[:1] in "-("):
        if value.startswith(f"({TYPES[kind]})"):
            return value
        return f"({TYPES[kind]}){value if not value.startswith('-') else f'({value})'}"
    return value
