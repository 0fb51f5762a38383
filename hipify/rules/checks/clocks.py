"""Clocks read in kernels: they exist in HIP, and tick differently on every GPU."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

CLOCK_TICKS = FindingKind(
    "HPY409",
    Severity.NOTE,
    "clock ticks in device code",
    "The counter runs at another frequency on every GPU, and not at the core clock on AMD's newer ones: a number of "
    "ticks tuned on one is another time on the next.",
    "For time, use wall_clock64() with hipDeviceAttributeWallClockRate.",
    "__global__ void wait(long long t) {\n    long long s = clock64();\n    while (clock64() - s < t) {}\n}\n",
    "__global__ void wait(long long t) {\n    long long s = wall_clock64();\n"
    "    while (wall_clock64() - s < t) {}\n}\n",
)
NEEDS = frozenset((b"clock64", b"clock"))


def run(context: Context) -> None:
    """Note the lines where device code reads a clock, once a line."""
    for name in (b"clock64", b"clock"):
        if name not in context.tokens.vocabulary or context.declared_here(name):
            continue
        lines = set()
        for index in context.structure.index[name]:
            if not context.functions.in_device(index) or context.structure.call_at(index) is None:
                continue
            owner, confidence = context.owner(index)
            line = context.source.position(context.tokens.start[index])[0]
            if owner is Owner.USER or line in lines:
                continue
            lines.add(line)
            shown = name.decode()
            context.find(CLOCK_TICKS, index, message=f"{shown}() ticks differ per GPU", confidence=confidence)
