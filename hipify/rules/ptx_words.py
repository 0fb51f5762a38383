"""What single PTX instructions are in C++: only those that it can say exactly."""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify.patterns import lazy

TYPES = {
    "u8": "unsigned char", "s8": "signed char", "b8": "unsigned char", "u16": "unsigned short", "s16": "short",
    "b16": "unsigned short", "u32": "unsigned int", "s32": "int", "b32": "unsigned int", "u64": "unsigned long long",
    "s64": "long long", "b64": "unsigned long long", "f32": "float", "f64": "double",
}  # fmt: skip
"""The C++ types of PTX's registers and memory."""

_INSTRUCTION = lazy(r"([a-z][a-z0-9_]*(?:(?:\.|::)[a-zA-Z0-9_]+)*)(?:\s+(.+))?", re.DOTALL)
_OPERAND = lazy(
    r"%(?P<register>\d+)|\[\s*%(?P<address>\d+)\s*(?:(?P<sign>[+-])\s*(?P<offset>\d+|0[xX][0-9a-fA-F]+))?\s*\]"
    r"|\{(?P<vector>\s*%\d+(?:\s*,\s*%\d+)*\s*)\}|(?P<number>-?(?:0[xX][0-9a-fA-F]+|\d+)U?)"
    r"|(?P<special>%[a-z_]+\d*(?:\.[xyz])?)"
)
_GRID = {"%tid": "threadIdx", "%ntid": "blockDim", "%ctaid": "blockIdx", "%nctaid": "gridDim"}
_FENCES = {
    "membar.cta": "__threadfence_block()", "membar.gl": "__threadfence()", "membar.sys": "__threadfence_system()",
    "fence.acq_rel.cta": "__threadfence_block()", "fence.acq_rel.gpu": "__threadfence()",
    "fence.acq_rel.sys": "__threadfence_system()", "fence.sc.cta": "__threadfence_block()",
    "fence.sc.gpu": "__threadfence()", "fence.sc.sys": "__threadfence_system()", "trap": "__builtin_trap()",
    "brkpt": "__builtin_debugtrap()",
}  # fmt: skip
_INT = ("u32", "s32", "u64", "s64")
_BITS = ("b32", "b64")
_INFIX = {"and": "&", "or": "|", "xor": "^"}
_HELPERS = {
    **{f"{op}.{t}": 2 for op in ("shl",) for t in _BITS},
    **{f"{op}.{t}": 2 for op in ("shr",) for t in _INT},
    **{f"shf.{side}.{mode}.b32": 3 for side in "lr" for mode in ("wrap", "clamp")},
    **{f"bfe.{t}": 3 for t in _INT},
    **{f"bfi.{t}": 4 for t in _BITS},
    **{f"bfind.{t}": 1 for t in _INT},
    "lop3.b32": 4,
    "prmt.b32": 3,
    **{f"mul.hi.{t}": 2 for t in _INT},
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
_ATOMIC = {
    "add": ("atomicAdd", ("u32", "s32", "u64", "f32", "f64"), "__hip_atomic_fetch_add"),
    "min": ("atomicMin", _INT, "__hip_atomic_fetch_min"),
    "max": ("atomicMax", _INT, "__hip_atomic_fetch_max"),
    "and": ("atomicAnd", _BITS, "__hip_atomic_fetch_and"),
    "or": ("atomicOr", _BITS, "__hip_atomic_fetch_or"),
    "xor": ("atomicXor", _BITS, "__hip_atomic_fetch_xor"),
    "exch": ("atomicExch", _BITS, "__hip_atomic_exchange"),
    "cas": ("atomicCAS", _BITS, ""),
    "inc": ("atomicInc", ("u32",), ""),
    "dec": ("atomicDec", ("u32",), ""),
}
_SCOPES = {"cta": "WORKGROUP", "gpu": "AGENT", "sys": "SYSTEM"}
_ORDERS = {"acquire": "ACQUIRE", "release": "RELEASE", "acq_rel": "ACQ_REL"}
_FIT = {"r": ("u32", "s32", "b32", "u16", "s16", "b16", "u8", "s8", "b8"), "h": ("u16", "s16", "b16", "u8", "s8", "b8"),
        "l": ("u64", "s64", "b64"), "f": ("f32", "b32"), "d": ("f64", "b64")}  # fmt: skip


class Operand(NamedTuple):
    """An operand of an instruction: a register of the statement, an address, a vector, a number, a special register."""

    kind: str
    text: str
    registers: tuple[int, ...] = ()
    offset: str = ""


class Words(NamedTuple):
    """C++ for an instruction; `{3}` stands for what the statement's operand 3 is."""

    text: str
    helper: bool = False
    accesses: bool = False


def operands(text: str) -> list[Operand] | None:
    """The operands of an instruction; None when one of them is of a form that is not known."""
    found, rest = [], text.strip()
    while rest:
        match = _OPERAND.match(rest)
        if match is None:
            return None
        kind = match.lastgroup or ""
        if kind in ("sign", "offset", "address"):
            offset = f"{'-' if match['sign'] == '-' else ''}{match['offset']}" if match["offset"] else ""
            found.append(Operand("address", match[0], (int(match["address"]),), offset))
        elif kind == "vector":
            found.append(Operand(kind, match[0], tuple(int(n) for n in re.findall(r"\d+", match["vector"]))))
        elif kind == "register":
            found.append(Operand(kind, match[0], (int(match["register"]),)))
        else:
            found.append(Operand(kind, match[0].removesuffix("U")))
        rest = rest[match.end() :].lstrip()
        if rest and not rest.startswith(","):
            return None
        rest = rest[1:].lstrip()
    return found


class Writer:
    """Writes the instructions of one statement, whose operands have these constraint letters."""

    def __init__(self, constraints: list[str], volatile: bool) -> None:
        self._letters = [c.strip("=+&") for c in constraints]
        self._volatile = volatile

    def write(self, instruction: str) -> Words | None:
        """C++ for one instruction; None when there is none that is exact."""
        match = _INSTRUCTION.fullmatch(instruction.strip())
        given = operands(match[2] or "") if match else None
        if match is None or given is None or any(r >= len(self._letters) for o in given for r in o.registers):
            return None
        opcode = match[1]
        if opcode in _FENCES:
            return Words(_FENCES[opcode]) if not given else None
        if opcode in ("bar.sync", "barrier.sync", "barrier.sync.aligned"):
            return Words("__syncthreads()") if [o.text for o in given] == ["0"] else None
        base = opcode.partition(".")[0]
        maker = {"mov": self._mov, "ld": self._load, "ldu": self._load, "st": self._store, "atom": self._atomic,
                 "red": self._atomic}.get(base, self._compute)  # fmt: skip
        return maker(opcode, given)

    # -- values

    def _value(self, operand: Operand, kind: str) -> str | None:
        """An operand as a value of a PTX type."""
        if operand.kind == "number":
            return operand.text if kind[0] != "f" else None
        if operand.kind != "register":
            return None
        number = operand.registers[0]
        letter = self._letters[number]
        if letter in ("n", "i", "C"):
            return f"{{{number}}}"
        if kind not in _FIT.get(letter, ()) or kind in ("u8", "s8", "b8"):
            return None
        if letter in ("f", "d"):
            return f"{{{number}}}" if kind[0] == "f" else f"hipify_ptx::as<{TYPES[kind]}>({{{number}}})"
        return f"({TYPES[kind]})({{{number}}})" if letter == "l" else f"({TYPES[kind]}){{{number}}}"

    def _result(self, operand: Operand, value: str, kind: str) -> str | None:
        """A value of a PTX type into an operand."""
        if operand.kind != "register":
            return None
        number = operand.registers[0]
        letter = self._letters[number]
        if kind not in _FIT.get(letter, ()):
            return None
        if letter == "l" or (letter in ("f", "d") and kind[0] != "f"):
            return f"hipify_ptx::put({{{number}}}, {value})"
        return f"{{{number}}} = {value}"

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
            value = self._value(operand, wanted)
            if value is None:
                return None
            if opcode in _HELPERS:  # their parameters say the type
                value = value.removeprefix("(unsigned int)").removeprefix("(int)")
            values.append(value)
        text, helper = self._formula(opcode, base, kind, values)
        written = self._result(given[0], text, result) if text else None
        return Words(written, helper or "hipify_ptx" in written) if written else None

    @staticmethod
    def _formula(opcode: str, base: str, kind: str, values: list[str]) -> tuple[str, bool]:
        """The value that an instruction computes from others, and whether a helper function does."""
        if _HELPERS.get(opcode) == len(values):
            return f"hipify_ptx::{opcode.replace('.', '_')}({', '.join(values)})", True
        if opcode in _COUNT and len(values) == 1:
            cast = f"({TYPES[kind]})" if base == "brev" else "(unsigned int)"
            return f"{cast}{_COUNT[opcode]}({values[0]})", False
        bits = {"s32": "u32", "s64": "u64"}.get(kind, kind)
        if bits in ("u32", "u64") and len(values) in (2, 3):
            wide = [f"({TYPES[bits]}){v}" if bits != kind else v for v in values]
            if opcode in (f"add.{kind}", f"sub.{kind}") and len(values) == 2:
                return f"({TYPES[kind]})({wide[0]} {'+' if base == 'add' else '-'} {wide[1]})", False
            if opcode == f"mul.lo.{kind}" and len(values) == 2:
                return f"({TYPES[kind]})({wide[0]} * {wide[1]})", False
            if opcode == f"mad.lo.{kind}" and len(values) == 3:
                return f"({TYPES[kind]})({wide[0]} * {wide[1]} + {wide[2]})", False
            if opcode in (f"min.{kind}", f"max.{kind}") and len(values) == 2:
                return f"({base}({values[0]}, {values[1]}))", False
        if opcode in (f"{base}.b32", f"{base}.b64"):
            if base in _INFIX and len(values) == 2:
                return f"{values[0]} {_INFIX[base]} {values[1]}", False
            if base == "not" and len(values) == 1:
                return f"~{values[0]}", False
        if opcode in ("fma.rn.f32", "fma.rn.f64") and len(values) == 3:
            return f"{'fmaf' if kind == 'f32' else 'fma'}({', '.join(values)})", False
        return "", False

    def _mov(self, opcode: str, given: list[Operand]) -> Words | None:
        """Copies, halves of a register, and the numbers of thread and block."""
        kind = opcode.partition(".")[2]
        if kind not in TYPES or len(given) != 2:
            return None
        to, source = given
        if source.kind == "special":
            name, _, axis = source.text.partition(".")
            if name in _GRID and axis and kind in ("u32", "s32", "b32"):
                written = self._result(to, f"{_GRID[name]}.{axis}", "u32")
                return Words(written) if written else None
            return None
        vector = source if source.kind == "vector" else to if to.kind == "vector" else None
        if vector is not None and (
            kind != "b64" or len(vector.registers) != 2 or any(self._letters[r] != "r" for r in vector.registers)
        ):
            return None
        if vector is source and vector is not None:
            low, high = (f"{{{r}}}" for r in vector.registers)
            written = self._result(to, f"hipify_ptx::pack({low}, {high})", "b64")
            return Words(written, True) if written else None
        if vector is not None:
            value = self._value(source, "b64")
            low, high = (f"{{{r}}}" for r in vector.registers)
            return Words(f"hipify_ptx::unpack({low}, {high}, {value})", True) if value else None
        value = self._value(source, kind)
        written = self._result(to, value, kind) if value else None
        return Words(written, "hipify_ptx" in written) if written else None

    # -- memory

    def _space(self, words: list[str]) -> bool:
        """Whether an access is to global memory or by a generic address; takes the word away."""
        if "global" in words:
            words.remove("global")
        return not any(w in ("shared", "local", "const", "param") or "::" in w for w in words)

    def _address(self, operand: Operand) -> str | None:
        """The address and offset as arguments of a function."""
        if operand.kind != "address" or self._letters[operand.registers[0]] != "l":
            return None
        return f"{{{operand.registers[0]}}}"

    def _hints(self, words: list[str]) -> tuple[str, str, int, bool] | None:
        """Order, scope, length of the vector, and whether the compiler must do the access as it is written."""
        order = scope = ""
        length, fresh = 1, self._volatile
        for word in words:
            if word in ("v2", "v4"):
                length = int(word[1])
            elif word in ("relaxed", *_ORDERS):
                order = word
            elif word in _SCOPES:
                scope = word
            elif word == "nc":
                fresh = False
            elif word in ("volatile", "cv"):
                fresh = True
            elif word in ("ca", "cs", "lu"):
                fresh = fresh and word == "lu"
            elif word not in ("cg", "wb", "wt", "weak"):
                return None
        return order, scope, length, fresh

    def _access(self, opcode: str) -> tuple[str, str, str, int, bool] | None:
        words = opcode.split(".")[1:]
        kind = words.pop() if words else ""
        if kind not in TYPES or not self._space(words):
            return None
        hints = self._hints(words)
        if hints is None or (hints[2] > 1 and (hints[0] or "volatile" in words)) or (hints[0] and not hints[1]):
            return None
        return kind, *hints

    def _load(self, opcode: str, given: list[Operand]) -> Words | None:
        access = self._access(opcode)
        address = self._address(given[1]) if access and len(given) == 2 else None
        if access is None or address is None:
            return None
        kind, order, scope, length, fresh = access
        offset = f", {given[1].offset}" if given[1].offset else ""
        if length > 1:
            return self._vector(given[0], kind, length, f"load_v{length}", address, offset, True)
        kind = self._kind_for(given[0], kind)
        if order in ("release", "acq_rel"):
            return None
        if order:
            pointer = f"hipify_ptx::at<{TYPES[kind]}>({address}, {given[1].offset or 0})"
            where = f"__ATOMIC_{_ORDERS.get(order, 'RELAXED')}, __HIP_MEMORY_SCOPE_{_SCOPES[scope]}"
            value = f"__hip_atomic_load({pointer}, {where})"
        else:
            value = f"hipify_ptx::{'volatile_' if fresh else ''}load<{TYPES[kind]}>({address}{offset})"
        written = self._result(given[0], value, kind)
        return Words(written, True, True) if written else None

    def _store(self, opcode: str, given: list[Operand]) -> Words | None:
        access = self._access(opcode)
        address = self._address(given[0]) if access and len(given) == 2 else None
        if access is None or address is None:
            return None
        kind, order, scope, length, fresh = access
        offset = f", {given[0].offset}" if given[0].offset else ""
        if length > 1:
            return self._vector(given[1], kind, length, f"store_v{length}", address, offset, False)
        kind = self._kind_for(given[1], kind)
        narrow = kind in ("u8", "s8", "b8") or (kind.endswith("16") and given[1].kind == "register")
        value = f"({TYPES[kind]}){{{given[1].registers[0]}}}" if narrow and given[1].registers else None
        value = value or self._value(given[1], kind)
        if value is None or order in ("acquire", "acq_rel"):
            return None
        if order:
            pointer = f"hipify_ptx::at<{TYPES[kind]}>({address}, {given[0].offset or 0})"
            where = f"__ATOMIC_{_ORDERS.get(order, 'RELAXED')}, __HIP_MEMORY_SCOPE_{_SCOPES[scope]}"
            return Words(f"__hip_atomic_store({pointer}, {value}, {where})", True, True)
        return Words(
            f"hipify_ptx::{'volatile_' if fresh else ''}store<{TYPES[kind]}>({address}, {value}{offset})", True, True
        )

    def _kind_for(self, operand: Operand, kind: str) -> str:
        """Bits in a register of floating point are such a number."""
        letter = self._letters[operand.registers[0]] if operand.kind == "register" else ""
        return {"fb32": "f32", "db64": "f64"}.get(letter + kind, kind)

    def _vector(
        self, operand: Operand, kind: str, length: int, name: str, address: str, offset: str, loads: bool
    ) -> Words | None:
        if operand.kind != "vector" or len(operand.registers) != length:
            return None
        letters = {self._letters[r] for r in operand.registers}
        if len(letters) != 1 or kind not in _FIT.get(next(iter(letters)), ()) or kind[1:] not in ("32", "64"):
            return None
        kind = {"fb32": "f32", "db64": "f64"}.get(next(iter(letters)) + kind, kind)
        registers = ", ".join(f"{{{r}}}" if loads else f"({TYPES[kind]}){{{r}}}" for r in operand.registers)
        arguments = f"{registers}, {address}{offset}" if loads else f"{address}, {registers}{offset}"
        return Words(f"hipify_ptx::{name}<{TYPES[kind]}>({arguments})", True, True)

    def _atomic(self, opcode: str, given: list[Operand]) -> Words | None:
        """`atom` and `red` on one word of global memory."""
        words = opcode.split(".")
        returns, kind, words = words[0] == "atom", words[-1], words[1:-1]
        operation = next((w for w in words if w in _ATOMIC), "")
        if not operation or not self._space(words) or len(given) != 2 + returns + (operation == "cas"):
            return None
        words.remove(operation)
        order = next((w for w in words if w in ("relaxed", *_ORDERS)), "")
        scope = next((w for w in words if w in _SCOPES), "")
        if set(words) - {order, scope}:
            return None
        function, kinds, builtin = _ATOMIC[operation]
        address = self._address(given[returns])
        values = [self._value(o, kind) for o in given[returns + 1 :]]
        if kind not in kinds or address is None or None in values:
            return None
        pointer = f"hipify_ptx::at<{TYPES[kind]}>({address}, {given[returns].offset or 0})"
        arguments = ", ".join([pointer, *(v for v in values if v)])
        if order in _ORDERS:
            if not builtin:
                return None
            where = f"__ATOMIC_{_ORDERS[order]}, __HIP_MEMORY_SCOPE_{_SCOPES[scope or 'gpu']}"
            text = f"{builtin}({arguments}, {where})"
        elif scope == "sys" and operation in ("inc", "dec"):
            return None
        else:
            text = f"{function}{'_system' if scope == 'sys' else ''}({arguments})"
        written = self._result(given[0], text, kind) if returns else f"(void){text}"
        return Words(written, True, True) if written else None
