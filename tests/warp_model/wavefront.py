"""A wavefront of 64 or 32 lanes that runs the functions of hipify_warp.h, all lanes in step under an execution mask."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from .language import Function, Reader, Tree, amd_text

_BITS = {"int": (32, True), "unsigned int": (32, False), "unsigned long long": (64, False), "long long": (64, True)}
_GARBAGE = 0x5EED0BAD
"""What a read from a lane that is switched off gives: nothing to count on."""


def wrap(number: int, kind: str) -> int:
    """A number as a variable of this type keeps it."""
    bits, signed = _BITS[kind]
    number &= (1 << bits) - 1
    return number - (1 << bits) if signed and number >> (bits - 1) else number


@dataclass
class Vector:
    """A value in every lane, and its C++ type."""

    lanes: list[int]
    type: str = "int"


@dataclass
class Words:
    """A value cut into 32-bit words, as struct shuffle_words does it."""

    words: list[Vector]
    type: str


@dataclass
class Reference:
    """Where a pointer points: an int in every lane."""

    target: Vector


@dataclass
class Frame:
    """One running call."""

    names: dict[str, object]
    types: dict[str, str]
    result: dict[int, int] = field(default_factory=dict)


class Wavefront:
    """The machine: `call(name, arguments, active)` runs a function of the header in the active lanes."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.functions: dict[str, list[Function]] = {}
        for function in Reader(amd_text()).functions():
            self.functions.setdefault(function.name, []).append(function)

    def call(self, name: str, arguments: list[object], active: Iterable[int]) -> Vector:
        """Run `hipify::name` in the active lanes; lanes that are off hold 0 in the result."""
        return self._run(name, arguments, frozenset(active))

    def _same(self, number: int, kind: str = "int") -> Vector:
        return Vector([wrap(number, kind)] * self.size, kind)

    def _run(self, name: str, arguments: list[object], active: frozenset[int]) -> Vector:
        intrinsic = getattr(self, f"_do{name}", None)
        if intrinsic is not None:
            return intrinsic(arguments, active)
        function = self._overload(name, arguments)
        frame = Frame({}, {})
        for position, parameter in enumerate(function.parameters):
            value = arguments[position] if position < len(arguments) else None
            if value is None:
                assert parameter.default is not None, name
                value = self._value(parameter.default, frame, active)
            if isinstance(value, Vector):
                if parameter.type in ("T", "Operation"):
                    frame.types[parameter.type] = value.type
                else:
                    value = self._cast(value, parameter.type)
            if parameter.name:
                frame.names[parameter.name] = value
        self._execute(function.body, frame, active)
        kind = frame.types.get(function.result, function.result)
        if kind == "void":
            return self._same(0)
        assert frozenset(frame.result) == active, f"{name}: a lane returns nothing"
        return Vector([wrap(frame.result.get(lane, 0), kind) for lane in range(self.size)], kind)

    def _overload(self, name: str, arguments: list[object]) -> Function:
        kinds = [a.type if isinstance(a, Vector) else "" for a in arguments]
        candidates = self.functions[name]
        for function in candidates:
            wanted = [p.type for p in function.parameters[: len(arguments)]]
            if len(candidates) == 1 or all(w in (k, "T") for w, k in zip(wanted[1:], kinds[1:], strict=True)):
                return function
        raise AssertionError(f"no overload of {name} for {kinds}")

    def _cast(self, value: Vector, kind: str) -> Vector:
        return Vector([wrap(number, kind) for number in value.lanes], kind)

    # Statements: `active` are the lanes that are switched on; what comes back are those that have not returned.

    def _execute(self, tree: Tree, frame: Frame, active: frozenset[int]) -> frozenset[int]:
        kind = tree[0]
        if not active:
            return active
        if kind == "block":
            for part in tree[1]:
                active = self._execute(part, frame, active)
        elif kind == "if":
            chosen = self._true(tree[1], frame, active)
            left = self._execute(tree[2], frame, chosen)
            other = active - chosen
            active = left | (self._execute(tree[3], frame, other) if tree[3] is not None else other)
        elif kind == "for":
            if tree[1] is not None:
                self._execute(tree[1], frame, active)
            inside, done = active, frozenset[int]()
            while inside:
                looping = self._true(tree[2], frame, inside)
                done |= inside - looping
                inside = self._execute(tree[4], frame, looping)
                if tree[3] is not None and inside:
                    self._value(tree[3], frame, inside)
            active = done
        elif kind == "return":
            value = self._value(tree[1], frame, active)
            assert isinstance(value, Vector)
            frame.result.update((lane, value.lanes[lane]) for lane in active)
            active = frozenset()
        elif kind == "declare":
            value = self._value(tree[3], frame, active)
            assert isinstance(value, Vector)
            frame.names[tree[2]] = self._cast(value, frame.types.get(tree[1], tree[1]))
        elif kind == "words":
            value = self._value(tree[2], frame, active)
            assert isinstance(value, Vector)
            frame.names[tree[1]] = self._split(value)
        else:
            self._value(tree[1], frame, active)
        return active

    def _split(self, value: Vector) -> Words:
        count = _BITS[value.type][0] // 32
        parts = [[wrap(number >> (32 * i), "int") for number in value.lanes] for i in range(count)]
        return Words([Vector(part) for part in parts], value.type)

    def _true(self, tree: Tree, frame: Frame, active: frozenset[int]) -> frozenset[int]:
        value = self._value(tree, frame, active)
        assert isinstance(value, Vector)
        return frozenset(lane for lane in active if value.lanes[lane])

    # Expressions

    def _value(self, tree: Tree, frame: Frame, active: frozenset[int]) -> object:
        kind = tree[0]
        if kind == "number":
            return self._same(tree[1], tree[2])
        if kind == "name":
            constants = {"warp_size": (32, "int"), "full_warp": (0xFFFFFFFF, "unsigned int")}
            if tree[1] in constants and tree[1] not in frame.names:
                return self._same(*constants[tree[1]])
            return frame.names.get(tree[1], tree[1])
        if kind == "cast":
            return self._cast(self._vector(tree[2], frame, active), tree[1])
        if kind == "sizeof":
            return self._same(_BITS[frame.types.get(tree[1], tree[1])][0] // 8, "unsigned long long")
        if kind == "choose":
            return self._choose(tree, frame, active)
        if kind == "unary":
            return self._unary(tree, frame, active)
        if kind == "binary":
            return self._binary(tree, frame, active)
        if kind == "assign":
            return self._assign(tree, frame, active)
        if kind == "element":
            return self._element(tree, frame, active)
        if kind == "member":
            words = self._value(tree[1], frame, active)
            assert isinstance(words, Words)
            return self._same(len(words.words)) if tree[2] == "count" else (words, tree[2])
        assert kind == "call", tree
        return self._call(tree, frame, active)

    def _vector(self, tree: Tree, frame: Frame, active: frozenset[int]) -> Vector:
        value = self._value(tree, frame, active)
        assert isinstance(value, Vector), tree
        return value

    def _element(self, tree: Tree, frame: Frame, active: frozenset[int]) -> Vector:
        words, _ = self._value(tree[1], frame, active)  # type: ignore[misc]
        index = self._vector(tree[2], frame, active)
        return words.words[index.lanes[min(active)]]

    def _choose(self, tree: Tree, frame: Frame, active: frozenset[int]) -> Vector:
        condition = self._true(tree[1], frame, active)
        yes = self._vector(tree[2], frame, condition) if condition else self._same(0)
        no = self._vector(tree[3], frame, active - condition) if active - condition else yes
        kind = self._common(yes if condition else no, no)
        lanes = [wrap((yes if i in condition else no).lanes[i], kind) for i in range(self.size)]
        return Vector(lanes, kind)

    @staticmethod
    def _common(a: Vector, b: Vector) -> str:
        bits = max(_BITS[a.type][0], _BITS[b.type][0])
        signed = all(_BITS[v.type][1] or _BITS[v.type][0] < bits for v in (a, b))
        return {(32, True): "int", (32, False): "unsigned int", (64, False): "unsigned long long"}.get(
            (bits, signed), "long long"
        )

    def _unary(self, tree: Tree, frame: Frame, active: frozenset[int]) -> object:
        operator = tree[1]
        if operator == "&":
            return ("address", tree[2])
        value = self._value(tree[2], frame, active)
        if operator == "*":
            assert isinstance(value, Reference)
            return value.target
        assert isinstance(value, Vector)
        if operator == "!":
            return Vector([int(not number) for number in value.lanes])
        apply: Callable[[int], int] = (lambda n: ~n) if operator == "~" else (lambda n: -n)
        return Vector([wrap(apply(number), value.type) for number in value.lanes], value.type)

    def _binary(self, tree: Tree, frame: Frame, active: frozenset[int]) -> Vector:
        operator = tree[1]
        left = self._vector(tree[2], frame, active)
        if operator in ("&&", "||"):
            chosen = frozenset(i for i in active if left.lanes[i])
            rest = chosen if operator == "&&" else active - chosen
            right = self._vector(tree[3], frame, rest) if rest else left
            met = [bool(left.lanes[i]) for i in range(self.size)]
            return Vector([int(bool(right.lanes[i]) if i in rest else met[i]) for i in range(self.size)])
        right = self._vector(tree[3], frame, active)
        if operator in ("<<", ">>"):
            for lane in active:
                assert 0 <= right.lanes[lane] < _BITS[left.type][0], "shift beyond the type"
            pairs = zip(left.lanes, right.lanes, strict=True)
            moved = [(a << (b & 63)) if operator == "<<" else (a >> (b & 63)) for a, b in pairs]
            return Vector([wrap(number, left.type) for number in moved], left.type)
        kind = self._common(left, right)
        pairs = ((wrap(a, kind), wrap(b, kind)) for a, b in zip(left.lanes, right.lanes, strict=True))
        if operator in ("==", "!=", "<", ">", "<=", ">="):
            compare = {
                "==": int.__eq__,
                "!=": int.__ne__,
                "<": int.__lt__,
                ">": int.__gt__,
                "<=": int.__le__,
                ">=": int.__ge__,
            }[operator]
            return Vector([int(compare(a, b)) for a, b in pairs])
        compute: dict[str, Callable[[int, int], int]] = {
            "+": int.__add__,
            "-": int.__sub__,
            "*": int.__mul__,
            "&": int.__and__,
            "|": int.__or__,
            "^": int.__xor__,
            "/": lambda a, b: int(a / b) if b else 0,
        }
        return Vector([wrap(compute[operator](a, b), kind) for a, b in pairs], kind)

    def _assign(self, tree: Tree, frame: Frame, active: frozenset[int]) -> Vector:
        target = self._vector(tree[1], frame, active)
        value = self._cast(self._vector(tree[2], frame, active), target.type)
        for lane in active:
            target.lanes[lane] = value.lanes[lane]
        return target

    def _call(self, tree: Tree, frame: Frame, active: frozenset[int]) -> object:
        callee = tree[1]
        if callee[0] == "member":  # words.value()
            words, _ = self._value(callee, frame, active)  # type: ignore[misc]
            lanes = [
                sum((part.lanes[lane] & 0xFFFFFFFF) << (32 * i) for i, part in enumerate(words.words))
                for lane in range(self.size)
            ]
            return Vector([wrap(number, words.type) for number in lanes], words.type)
        name = callee[1]
        if name == "__builtin_memcpy":
            self._copy(tree[2], frame, active)
            return self._same(0)
        if name.startswith("reduce_") and not tree[2]:
            return name  # a function object
        name = frame.names.get(name, name)
        arguments = [self._value(argument, frame, active) for argument in tree[2]]
        copies = [Vector(list(a.lanes), a.type) if isinstance(a, Vector) else a for a in arguments]
        return self._run(name, copies, active)

    def _copy(self, arguments: list[Tree], frame: Frame, active: frozenset[int]) -> None:
        """`memcpy(&to, &from, sizeof(from))` into a wider unsigned variable."""
        to, source = (self._vector(argument[2], frame, active) for argument in arguments[:2])
        bits = _BITS[source.type][0]
        for lane in active:
            to.lanes[lane] = wrap(source.lanes[lane] & ((1 << bits) - 1), to.type)

    # What HIP provides: the same arithmetic as in its headers, lanes that are off give garbage.

    def _do__lane_id(self, _: list[object], active: frozenset[int]) -> Vector:
        return Vector(list(range(self.size)), "unsigned int")

    def _do__ballot(self, arguments: list[Vector], active: frozenset[int]) -> Vector:
        return self._same(sum(1 << i for i in active if arguments[0].lanes[i]), "unsigned long long")

    def _do__ffs(self, arguments: list[Vector], active: frozenset[int]) -> Vector:
        return Vector([(n & -n).bit_length() for n in arguments[0].lanes])

    def _do__builtin_amdgcn_fence(self, _: list[object], active: frozenset[int]) -> Vector:
        return self._same(0)

    _do__builtin_amdgcn_wave_barrier = _do__builtin_amdgcn_fence

    def _gather(self, value: Vector, source: Callable[[int], int], active: frozenset[int]) -> Vector:
        out = [0] * self.size
        for lane in active:
            index = source(lane) % self.size
            out[lane] = value.lanes[index] if index in active else wrap(_GARBAGE ^ lane, "int")
        return Vector(out)

    def _do__shfl(self, arguments: list[Vector], active: frozenset[int]) -> Vector:
        value, lanes, width = arguments
        return self._gather(
            value, lambda i: (lanes.lanes[i] & (width.lanes[i] - 1)) + (i & ~(width.lanes[i] - 1)), active
        )

    def _do__shfl_up(self, arguments: list[Vector], active: frozenset[int]) -> Vector:
        value, delta, width = arguments

        def source(lane: int) -> int:
            index = lane - delta.lanes[lane]
            return lane if index < (lane & ~(width.lanes[lane] - 1)) else index

        return self._gather(value, source, active)

    def _do__shfl_down(self, arguments: list[Vector], active: frozenset[int]) -> Vector:
        value, delta, width = arguments

        def source(lane: int) -> int:
            beyond = (lane & (width.lanes[lane] - 1)) + delta.lanes[lane] >= width.lanes[lane]
            return lane if beyond else lane + delta.lanes[lane]

        return self._gather(value, source, active)

    def _do__shfl_xor(self, arguments: list[Vector], active: frozenset[int]) -> Vector:
        value, mask, width = arguments

        def source(lane: int) -> int:
            index = lane ^ mask.lanes[lane]
            return lane if index >= ((lane + width.lanes[lane]) & ~(width.lanes[lane] - 1)) else index

        return self._gather(value, source, active)
