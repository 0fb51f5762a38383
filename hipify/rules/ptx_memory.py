"""PTX instructions that read and write memory."""

from __future__ import annotations

from hipify.rules.ptx_forms import BITS, INT, TYPES
from hipify.rules.ptx_operands import _FIT, Operand, Registers, Words

_ATOMIC = {
    "add": ("atomicAdd", ("u32", "s32", "u64", "f32", "f64"), "__hip_atomic_fetch_add"),
    "min": ("atomicMin", INT, "__hip_atomic_fetch_min"),
    "max": ("atomicMax", INT, "__hip_atomic_fetch_max"),
    "and": ("atomicAnd", BITS, "__hip_atomic_fetch_and"),
    "or": ("atomicOr", BITS, "__hip_atomic_fetch_or"),
    "xor": ("atomicXor", BITS, "__hip_atomic_fetch_xor"),
    "exch": ("atomicExch", BITS, "__hip_atomic_exchange"),
    "cas": ("atomicCAS", BITS, ""),
    "inc": ("atomicInc", ("u32",), ""),
    "dec": ("atomicDec", ("u32",), ""),
}
_SCOPES = {"cta": "WORKGROUP", "gpu": "AGENT", "sys": "SYSTEM"}
_ORDERS = {"acquire": "ACQUIRE", "release": "RELEASE", "acq_rel": "ACQ_REL"}
_CACHE = frozenset((
    "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate",
    "L2::evict_normal", "L2::evict_first", "L2::evict_last", "L2::64B", "L2::128B", "L2::256B",
))  # fmt: skip
"""Where caches may keep what is read: hints."""
_AT_ONCE = "the copy is made at once"


class Accesses(Registers):
    """Writes loads, stores, atomic operations and copies."""

    def _space(self, words: list[str]) -> str | None:
        """The space of an access, '' for any by its generic address; takes the word away. None: no space of C++."""
        if "global" in words:
            words.remove("global")
            return "global"
        for word in ("shared", "shared::cta"):
            if word in words:
                words.remove(word)
                return "shared"
        return None if any(w in ("local", "const", "param") or w.startswith(("shared", "param")) for w in words) else ""

    def _address(self, operand: Operand, space: str) -> str | None:
        """What is pointed to by an operand in square brackets."""
        if operand.kind != "address":
            return None
        if len(operand.registers) > 1 and self.letters[operand.registers[1]] not in ("n", "i"):
            return None
        letter = self.letters[operand.registers[0]]
        if space == "shared":
            return f"hipify_ptx::shared({{{operand.registers[0]}}})" if letter in ("r", "l") else None
        # A macro that stands for the letter of pointers: a 64-bit register holds them.
        return f"{{{operand.registers[0]}}}" if letter in ("l", "?") else None

    def _hints(self, words: list[str]) -> tuple[str, str, int, bool] | None:
        """Order, scope, length of the vector, and whether the compiler must do the access as it is written."""
        order = scope = ""
        length, fresh = 1, self.volatile
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
            elif word not in ("cg", "wb", "wt", "weak") and word not in _CACHE:
                return None
        return order, scope, length, fresh

    def _access(
        self, opcode: str, given: list[Operand], place: int
    ) -> tuple[str, str, str, tuple[str, str, int, bool]] | None:
        """The type of a load or store, its address (the operand at a place of two), offset and hints."""
        words = opcode.split(".")[1:]
        kind = words.pop() if words else ""
        space = self._space(words)
        if kind not in TYPES or kind == "pred" or space is None:
            return None
        hints = self._hints(words)
        if hints is None or (hints[2] > 1 and hints[0]) or (hints[0] and not hints[1]):
            return None
        address = self._address(given[place], space) if len(given) == 2 else None
        if address is None:
            return None
        return kind, address, f", {given[place].offset}" if given[place].offset else "", hints

    def load(self, opcode: str, given: list[Operand]) -> Words | None:
        """`ld` of a word or a vector."""
        access = self._access(opcode, given, 1)
        if access is None:
            return None
        kind, address, offset, (order, scope, length, fresh) = access
        if length > 1:
            name = f"{_volatile(opcode)}load_v{length}"
            return self._vector(given[0], kind, length, name, address, offset, True)
        kind = self._kind_for(given[0], kind)
        if order in ("release", "acq_rel"):
            return None
        if order:
            pointer = f"hipify_ptx::at<{TYPES[kind]}>({address}, {given[1].offset or 0})"
            where = f"__ATOMIC_{_ORDERS.get(order, 'RELAXED')}, __HIP_MEMORY_SCOPE_{_SCOPES[scope]}"
            value = f"__hip_atomic_load({pointer}, {where})"
        else:
            value = f"hipify_ptx::{'volatile_' if fresh else ''}load<{TYPES[kind]}>({address}{offset})"
        written = self.result(given[0], value, kind)
        return Words(written, True) if written else None

    def store(self, opcode: str, given: list[Operand]) -> Words | None:
        """`st` of a word or a vector."""
        access = self._access(opcode, given, 0)
        if access is None:
            return None
        kind, address, offset, (order, scope, length, fresh) = access
        if length > 1:
            name = f"{_volatile(opcode)}store_v{length}"
            return self._vector(given[1], kind, length, name, address, offset, False)
        kind = self._kind_for(given[1], kind)
        narrow = kind in ("u8", "s8", "b8") or (kind.endswith("16") and given[1].kind == "register")
        value = f"({TYPES[kind]}){{{given[1].registers[0]}}}" if narrow and given[1].registers else None
        value = value or self.value(given[1], kind)
        if value is None or order in ("acquire", "acq_rel"):
            return None
        if order:
            pointer = f"hipify_ptx::at<{TYPES[kind]}>({address}, {given[0].offset or 0})"
            where = f"__ATOMIC_{_ORDERS.get(order, 'RELAXED')}, __HIP_MEMORY_SCOPE_{_SCOPES[scope]}"
            return Words(f"__hip_atomic_store({pointer}, {value}, {where})", True)
        return Words(
            f"hipify_ptx::{'volatile_' if fresh else ''}store<{TYPES[kind]}>({address}, {value}{offset})", True
        )

    def _kind_for(self, operand: Operand, kind: str) -> str:
        """Bits in a register of floating point are such a number."""
        letter = self.letters[operand.registers[0]] if operand.kind == "register" else ""
        return {"fb32": "f32", "db64": "f64"}.get(letter + kind, kind)

    def _vector(
        self, operand: Operand, kind: str, length: int, name: str, address: str, offset: str, loads: bool
    ) -> Words | None:
        items = operand.offset.split(", ")
        if operand.kind != "vector" or len(items) != length or (loads and len(operand.registers) != length):
            return None
        letters = {self.letters[r] for r in operand.registers}
        if len(letters) != 1 or kind[1:] not in ("16", "32", "64"):
            return None
        kind = {"fb32": "f32", "db64": "f64"}.get(next(iter(letters)) + kind, kind)
        if loads:
            fits = all(
                kind in _FIT.get(x, ()) and {"h": "16", "r": "32", "l": "64"}.get(x, kind[1:]) == kind[1:]
                for x in letters
            )
            values = [f"{{{r}}}" for r in operand.registers] if fits else []
        else:
            found = [
                self.value(Operand("register", i, (int(i[1:]),)) if i[0] == "%" else Operand("number", i), kind)
                for i in items
            ]
            values = [f"({TYPES[kind]}){v.removeprefix(f'({TYPES[kind]})')}" for v in found if v]
        if len(values) != length:
            return None
        arguments = f"{', '.join(values)}, {address}{offset}" if loads else f"{address}, {', '.join(values)}{offset}"
        return Words(f"hipify_ptx::{name}<{TYPES[kind]}>({arguments})", True)

    def atomic(self, opcode: str, given: list[Operand]) -> Words | None:
        """`atom` and `red` on one word of memory."""
        words = opcode.split(".")
        returns, kind, words = words[0] == "atom", words[-1], words[1:-1]
        operation = next((w for w in words if w in _ATOMIC), "")
        space = self._space(words)
        if not operation or space is None or len(given) != 2 + returns + (operation == "cas"):
            return None
        words.remove(operation)
        order = next((w for w in words if w in ("relaxed", *_ORDERS)), "")
        scope = next((w for w in words if w in _SCOPES), "")
        if set(words) - {order, scope}:
            return None
        function, kinds, builtin = _ATOMIC[operation]
        address = self._address(given[returns], space)
        values = [self.value(o, kind) for o in given[returns + 1 :]]
        if kind not in kinds or address is None or None in values:
            return None
        pointer = f"hipify_ptx::at<{TYPES[kind]}>({address}, {given[returns].offset or 0})"
        arguments = ", ".join([pointer, *(v for v in values if v)])
        if order in _ORDERS:
            where = f"__ATOMIC_{_ORDERS[order]}, __HIP_MEMORY_SCOPE_{_SCOPES[scope or 'gpu']}"
            if operation == "cas":
                text = f"hipify_ptx::compare_and_swap<{where}>({arguments})"
            elif not builtin:
                return None
            else:
                text = f"{builtin}({arguments}, {where})"
        elif scope == "sys" and operation in ("inc", "dec"):
            return None
        else:
            text = f"{function}{'_system' if scope == 'sys' else ''}({arguments})"
        written = self.result(given[0], text, kind) if returns else f"(void){text}"
        return Words(written, True) if written else None

    def copy(self, opcode: str, given: list[Operand]) -> Words | None:
        """`cp.async` of 4, 8 or 16 bytes, and the waiting for such copies: they are made where they are asked for."""
        if opcode == "cp.async.commit_group" and not given:
            return Words("((void)0)", remark=_AT_ONCE)
        if opcode == "cp.async.wait_all" and not given:
            return Words("hipify_ptx::ordered()", remark=_AT_ONCE)
        if opcode == "cp.async.wait_group" and len(given) == 1:
            constant = given[0].kind == "number" or self.letters[(*given[0].registers, 0)[0]] in ("n", "i")
            return Words("hipify_ptx::ordered()", remark=_AT_ONCE) if constant else None
        words = opcode.split(".")[2:]
        hinted = "L2::cache_hint" in words
        words = [w for w in words if w not in _CACHE and w != "L2::cache_hint"]
        if words not in ([c, s, "global"] for c in ("ca", "cg") for s in ("shared", "shared::cta")):
            return None
        given = given[:-1] if hinted else given
        if len(given) not in (3, 4) or any(o.kind != "address" or o.offset for o in given[:2]):
            return None
        to, source = self._address(given[0], "shared"), self._address(given[1], "global")
        size = self._size(given[2])
        taken = self.value(given[3], "u32") if len(given) == 4 else size
        if to is None or source is None or size is None or taken is None:
            return None
        return Words(f"hipify_ptx::copy<{size}>({to}, {source}, {taken})", True, remark=_AT_ONCE)

    def _size(self, operand: Operand) -> str | None:
        if operand.kind == "number":
            return operand.text if operand.text in ("4", "8", "16") else None
        if operand.kind == "register" and self.letters[operand.registers[0]] in ("n", "i"):
            return f"({{{operand.registers[0]}}})"  # an argument of a template
        return None


def _volatile(opcode: str) -> str:
    """The first part of the name of a vector's access that other threads may see as one."""
    return "volatile_" if "volatile" in opcode.split(".") else ""
