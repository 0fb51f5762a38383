"""A warp of 32 lanes as NVIDIA's instruction set defines it: what each lane gets, or None where that is undefined."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Lanes = Mapping[int, int]
"""A value for each lane that takes part."""


def _signed(number: int) -> int:
    number &= 0xFFFFFFFF
    return number - (1 << 32) if number >> 31 else number


def shuffle(kind: str, values: Lanes, amounts: Lanes, width: int, groups: Mapping[int, int]) -> dict[int, int | None]:
    """shfl.sync in a segment of `width` lanes; only the low five bits of an amount count.

    `groups` holds the mask of each lane that takes part.
    """
    out: dict[int, int | None] = {}
    for lane in values:
        low = lane & ~(width - 1)
        amount = amounts[lane] & 31
        if kind == "up":
            source = lane - amount
            valid = source >= low
        elif kind == "down":
            source = lane + amount
            valid = source <= (low | (width - 1))
        elif kind == "xor":
            source = lane ^ amount
            valid = source <= (low | (width - 1))
        else:
            source = low | (amount & (width - 1))
            valid = True
        if not valid:
            source = lane
        same_group = groups[lane] >> source & 1 and source in values
        out[lane] = values[source] if same_group else None
    return out


def ballot(predicates: Lanes, mask: int) -> int:
    """vote.sync.ballot: a bit for each lane of the mask whose predicate holds."""
    return sum(1 << lane for lane, value in predicates.items() if value and mask >> lane & 1)


def members(active: Lanes, mask: int) -> int:
    """The lanes of the mask that take part (the others have exited)."""
    return sum(1 << lane for lane in active if mask >> lane & 1)


def match_any(values: Lanes, mask: int, lane: int) -> int:
    """match.any.sync: the lanes of the mask with this lane's value."""
    return sum(1 << i for i, value in values.items() if mask >> i & 1 and value == values[lane])


def match_all(values: Lanes, mask: int) -> int:
    """match.all.sync: all lanes of the mask when their values agree, else none."""
    present = {value for i, value in values.items() if mask >> i & 1}
    return members(values, mask) if len(present) == 1 else 0


_REDUCE: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def reduce(kind: str, values: Lanes, mask: int, signed: bool) -> int:
    """redux.sync: the operation over the lanes of the mask, in 32 bits."""
    chosen = [value for lane, value in sorted(values.items()) if mask >> lane & 1]
    result = chosen[0]
    for value in chosen[1:]:
        result = _REDUCE[kind](result, value)
    return _signed(result) if signed else result & 0xFFFFFFFF


def fns(mask: int, base: int, offset: int) -> int:
    """The position of the offset-th set bit from base, as the definition walks to it."""
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    position, count, step = base, abs(offset) - 1, 1 if offset > 0 else -1
    while 0 <= position < 32:
        if mask >> position & 1:
            if count == 0:
                return position
            count -= 1
        position += step
    return 0xFFFFFFFF
