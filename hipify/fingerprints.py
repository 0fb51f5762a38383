"""Short keys for cached files, made without hashlib: importing that loads OpenSSL, longer than a small file takes."""

from __future__ import annotations

_PRIME = (1 << 128) - 159  # the largest below 2**128; 256 generates a large group modulo it, so places count


def fingerprint(data: bytes) -> str:
    """32 hexadecimal digits for some bytes; two texts share them by chance once in 2**128. No defence against attacks.

    The bytes as one number modulo a prime, a 1 in front so that leading zero bytes count.
    """
    return f"{int.from_bytes(b'1' + data) % _PRIME:032x}"
