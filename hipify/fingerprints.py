"""Short keys for cached files, made without hashlib: importing that loads OpenSSL, longer than a small file takes."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # hashlib's own, without the rest of it
except ImportError:  # a Python that is built in another way
    from hashlib import blake2b


def fingerprint(data: bytes) -> str:
    """32 hexadecimal digits for some bytes; two texts share them by chance once in 2**128."""
    return blake2b(data, digest_size=16).hexdigest()
