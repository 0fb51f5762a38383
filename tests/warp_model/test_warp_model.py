"""hipify_warp.h against NVIDIA's definitions: its own text runs on a model of 64-lane and of 32-lane wavefronts."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from . import cuda_warp
from .wavefront import Reference, Vector, Wavefront

SIZES = (64, 32)
MACHINES = {size: Wavefront(size) for size in SIZES}
ROUNDS = 16


@dataclass(frozen=True)
class Warp:
    """One CUDA warp in a wavefront: the mask that each of its active lanes gives (groups are disjoint)."""

    base: int
    masks: dict[int, int]


def warps(rng: random.Random, size: int) -> list[Warp]:
    """Active sets and masks as a program may have them: groups of lanes, each with a mask of its own.

    A mask may name lanes that have exited; a warp may be switched off as a whole.
    """
    out = []
    for base in range(0, size, 32):
        shape = rng.choice(["full", "one", "some", "off" if out else "full"])
        lanes = list(range(32)) if shape == "full" else rng.sample(range(32), rng.randint(1, 31))
        if shape == "off":
            out.append(Warp(base, {}))
            continue
        groups = 1 if shape in ("full", "one") else rng.randint(1, 4)
        chosen = {lane: rng.randrange(groups) for lane in lanes}
        exited = rng.getrandbits(32) & ~sum(1 << lane for lane in lanes) if rng.random() < 0.5 else 0
        masks = {}
        for lane in lanes:
            mask = sum(1 << i for i in lanes if chosen[i] == chosen[lane])
            masks[lane] = mask | (exited if chosen[lane] == 0 else 0)
        out.append(Warp(base, masks))
    return out if any(warp.masks for warp in out) else warps(rng, size)


def spread(size: int, found: list[Warp], values: dict[int, int], kind: str = "int") -> Vector:
    return Vector([values.get(lane, 0) for lane in range(size)], kind)


def active_of(found: list[Warp]) -> list[int]:
    return [warp.base + lane for warp in found for lane in warp.masks]


def masks_of(size: int, found: list[Warp]) -> Vector:
    values = {warp.base + lane: mask for warp in found for lane, mask in warp.masks.items()}
    return spread(size, found, values, "unsigned int")


def local(warp: Warp, values: Vector) -> dict[int, int]:
    return {lane: values.lanes[warp.base + lane] for lane in warp.masks}


def numbers(rng: random.Random, size: int, kind: str, choices: int = 0) -> Vector:
    bits = 64 if "long" in kind else 32
    pool = [rng.getrandbits(bits) for _ in range(choices)]
    raw = [rng.choice(pool) if pool else rng.getrandbits(bits) for _ in range(size)]
    if kind in ("int", "long long"):
        raw = [number - (1 << bits) if number >> (bits - 1) else number for number in raw]
    return Vector(raw, kind)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["idx", "up", "down", "xor"])
@pytest.mark.parametrize("width", [32, 16, 8, 4, 2, 1])
@pytest.mark.parametrize("value_type", ["int", "unsigned long long"])
def test_shuffles(size: int, kind: str, width: int, value_type: str) -> None:
    rng = random.Random(f"{size}{kind}{width}{value_type}")
    name = "shfl_sync" if kind == "idx" else f"shfl_{kind}_sync"
    defined = 0
    for round_ in range(ROUNDS):
        found = warps(rng, size)
        values = numbers(rng, size, value_type)
        amount_type = "unsigned int" if kind in ("up", "down") else "int"
        top = 40 if round_ % 4 == 0 else 32
        low = -8 if amount_type == "int" and top == 40 else 0
        amounts = Vector([rng.randrange(low, top) for _ in range(size)], amount_type)
        if round_ % 2:
            amounts = Vector([rng.randrange(32)] * size, amount_type)
        arguments: list[object] = [masks_of(size, found), values, amounts]
        if width != 32 or round_ % 3:
            arguments.append(Vector([width] * size))
        result = MACHINES[size].call(name, arguments, active_of(found))
        for warp in found:
            expected = cuda_warp.shuffle(kind, local(warp, values), local(warp, amounts), width, warp.masks)
            for lane, number in expected.items():
                if number is not None:
                    defined += 1
                    assert result.lanes[warp.base + lane] == number, (warp, lane, amounts.lanes[warp.base + lane])
    assert defined > ROUNDS


@pytest.mark.parametrize("size", SIZES)
def test_votes(size: int) -> None:
    rng = random.Random(size)
    for _ in range(ROUNDS * 3):
        found = warps(rng, size)
        weight = rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        predicates = Vector([rng.choice([1, 2, -1]) if rng.random() < weight else 0 for _ in range(size)])
        arguments: list[object] = [masks_of(size, found), predicates]
        active = active_of(found)
        machine = MACHINES[size]
        results = {name: machine.call(name, arguments, active) for name in ("ballot_sync", "any_sync", "all_sync")}
        results["uni_sync"] = machine.call("uni_sync", arguments, active)
        plain = {name: machine.call(name, [predicates], active) for name in ("ballot", "any", "all")}
        plain["activemask"] = machine.call("activemask", [], active)
        for warp in found:
            mine = local(warp, predicates)
            everyone = cuda_warp.members(mine, 0xFFFFFFFF)
            for lane, mask in warp.masks.items():
                yes, there = cuda_warp.ballot(mine, mask), cuda_warp.members(mine, mask)
                at = warp.base + lane
                assert results["ballot_sync"].lanes[at] == yes
                assert results["any_sync"].lanes[at] == (yes != 0)
                assert results["all_sync"].lanes[at] == (yes == there)
                assert results["uni_sync"].lanes[at] == (yes in (0, there))
                assert plain["ballot"].lanes[at] == cuda_warp.ballot(mine, everyone)
                assert plain["any"].lanes[at] == any(mine.values())
                assert plain["all"].lanes[at] == all(mine.values())
                assert plain["activemask"].lanes[at] == everyone


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["int", "unsigned int", "unsigned long long"])
def test_matches(size: int, kind: str) -> None:
    rng = random.Random(f"match{size}{kind}")
    agreed = 0
    for _ in range(ROUNDS // 2):
        found = warps(rng, size)
        values = numbers(rng, size, kind, choices=rng.randint(1, 4))
        masks = masks_of(size, found)
        flag = Reference(Vector([7] * size))
        some = MACHINES[size].call("match_any_sync", [masks, values], active_of(found))
        every = MACHINES[size].call("match_all_sync", [masks, values, flag], active_of(found))
        for warp in found:
            mine = local(warp, values)
            for lane, mask in warp.masks.items():
                at = warp.base + lane
                assert some.lanes[at] == cuda_warp.match_any(mine, mask, lane)
                expected = cuda_warp.match_all(mine, mask)
                agreed += expected != 0
                assert every.lanes[at] == expected
                assert flag.target.lanes[at] == (expected != 0)
    assert agreed


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("operation", ["add", "min", "max", "and", "or", "xor"])
@pytest.mark.parametrize("kind", ["int", "unsigned int"])
def test_reductions(size: int, operation: str, kind: str) -> None:
    if kind == "int" and operation in ("and", "or", "xor"):
        kind = "unsigned int"  # CUDA has these for unsigned alone
    rng = random.Random(f"{size}{operation}{kind}")
    whole = 0
    for _ in range(ROUNDS):
        found = warps(rng, size)
        values = numbers(rng, size, kind)
        result = MACHINES[size].call(f"reduce_{operation}_sync", [masks_of(size, found), values], active_of(found))
        for warp in found:
            whole += len(warp.masks) == 32
            for lane, mask in warp.masks.items():
                expected = cuda_warp.reduce(operation, local(warp, values), mask, kind == "int")
                assert result.lanes[warp.base + lane] == expected
    assert whole


@pytest.mark.parametrize("size", SIZES)
def test_lane_numbers_and_masks(size: int) -> None:
    machine = MACHINES[size]
    everyone = range(size)
    expected = {
        "lane_id": lambda lane: lane,
        "lanemask_lt": lambda lane: (1 << lane) - 1,
        "lanemask_le": lambda lane: (2 << lane) - 1,
        "lanemask_eq": lambda lane: 1 << lane,
        "lanemask_ge": lambda lane: (0xFFFFFFFF << lane) & 0xFFFFFFFF,
        "lanemask_gt": lambda lane: (0xFFFFFFFF << lane + 1) & 0xFFFFFFFF,
    }
    for name, function in expected.items():
        result = machine.call(name, [], everyone)
        assert result.lanes == [function(lane % 32) for lane in everyone], name


def test_nth_set_bit() -> None:
    rng = random.Random(1)
    machine = MACHINES[32]
    for _ in range(ROUNDS):
        masks = [rng.getrandbits(32) & rng.getrandbits(32) if rng.random() < 0.8 else 0 for _ in range(32)]
        bases = [rng.randrange(32) for _ in range(32)]
        offsets = [rng.randrange(-20, 21) for _ in range(32)]
        result = machine.call(
            "fns", [Vector(masks, "unsigned int"), Vector(bases, "unsigned int"), Vector(offsets)], range(32)
        )
        assert result.lanes == [cuda_warp.fns(*given) for given in zip(masks, bases, offsets, strict=True)]


def test_syncwarp_is_there_for_any_mask() -> None:
    for size in SIZES:
        masks = Vector([0xFFFF] * size, "unsigned int")
        assert MACHINES[size].call("syncwarp", [masks], range(16)).lanes == [0] * size


def test_renaming_alone_is_wrong_on_64_lanes() -> None:
    """What the header is for: HIP's own ballot gives the neighbour warp's bits too."""
    machine = MACHINES[64]
    ones = Vector([1] * 64)
    assert machine.call("__ballot", [ones], range(64)).lanes[0] == (1 << 64) - 1
    assert machine.call("ballot", [ones], range(64)).lanes[0] == 0xFFFFFFFF
