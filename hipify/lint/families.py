"""The families of findings: what the first digit of an id says."""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "1": "1xx API names and versions",
    "2": "2xx launches",
    "3": "3xx warps and lane masks",
    "4": "4xx PTX, tensor cores and device features",
    "5": "5xx memory and textures",
    "6": "6xx preprocessor and version guards",
    "7": "7xx libraries",
    "8": "8xx build files",
    "9": "9xx the input itself",
}


def family(identity: str) -> str:
    """The family of an id, in words."""
    return FAMILIES.get(identity[3:4], "other findings")
