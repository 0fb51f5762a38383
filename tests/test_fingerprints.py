"""Keys of cached files differ when the data does, wherever and however little."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from hipify.fingerprints import fingerprint


def test_a_key_has_32_digits() -> None:
    assert len(fingerprint(b"")) == len(fingerprint(b"x" * 5000)) == 32


@given(st.binary(max_size=400), st.integers(0, 400), st.integers(1, 255))
def test_one_changed_byte_changes_the_key(data: bytes, at: int, by: int) -> None:
    if data:
        at %= len(data)
        changed = data[:at] + bytes([data[at] ^ by]) + data[at + 1 :]
        assert fingerprint(changed) != fingerprint(data)


@given(st.binary(min_size=2, max_size=300), st.integers(0, 299), st.integers(0, 299))
def test_the_order_of_bytes_counts(data: bytes, first: int, second: int) -> None:
    first, second = sorted((first % len(data), second % len(data)))
    swapped = bytearray(data)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    assert (fingerprint(bytes(swapped)) == fingerprint(data)) == (bytes(swapped) == data)


def test_leading_zero_bytes_count() -> None:
    assert len({fingerprint(b"\0" * size) for size in range(300)}) == 300


def test_keys_are_the_same_on_every_python() -> None:
    for size in (0, 1, 100_000):
        assert fingerprint(b"a" * size) == hashlib.blake2b(b"a" * size, digest_size=16).hexdigest()
