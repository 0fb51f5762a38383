"""Freed memory goes back to the system, once there is much of it."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from hipify import memory

_PIECES = 60_000
_SIZE = 2_000


def _heap_with_holes() -> int:
    """Free all but every hundredth piece of some 120 MB: the heap cannot shrink from its end. Gives resident bytes."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = (
        ctypes.c_void_p,
        [ctypes.c_size_t],
        [ctypes.c_void_p],
    )
    pieces = [libc.malloc(_SIZE) for _ in range(_PIECES)]
    for piece in pieces:
        ctypes.memset(piece, 1, _SIZE)
    for number, piece in enumerate(pieces):
        if number % 100:
            libc.free(piece)
    return memory._resident()


def _child() -> None:
    before = _heap_with_holes()
    freed = memory.Freed()
    freed.give_back()
    after = memory._resident()
    freed.give_back()  # nothing is left to give: no second try
    print(before, after, freed._limit)


def test_holes_in_the_heap_are_given_back() -> None:
    command = [sys.executable, "-c", "from tests.test_memory import _child; _child()"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    before, after, limit = map(int, ran.stdout.split())
    assert before > memory._HIGH
    assert after < before - 80_000_000
    assert limit == max(memory._HIGH, after + memory._MORE)


def test_a_small_process_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("looked for the C library")

    monkeypatch.setattr(memory, "_resident", lambda: memory._HIGH - 1)
    monkeypatch.setattr(ctypes, "CDLL", refuse)
    memory.Freed().give_back()


def test_what_stays_in_use_raises_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_resident", lambda: 10 * memory._HIGH)
    monkeypatch.setattr(memory, "_most_so_far", lambda: 10 * memory._HIGH)
    freed = memory.Freed()
    freed.give_back()
    assert freed._limit == 10 * memory._HIGH + memory._MORE


def test_a_system_that_does_not_tell_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert memory._resident() == 0
