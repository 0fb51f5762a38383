"""What is told beside a compiler's messages: GPUs that it does not know, what installs headers, its stand-in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from hipify.build import install
from hipify.build.homing import Arrival
from hipify.build.machine import Machine
from hipify.build.toolchain import NVIDIA, Toolchain
from hipify.errors import UsageError
from hipify.installed import passed_over
from hipify.model import Severity

_UNKNOWN_GPU = re.compile(
    r"invalid target ID '([^']+)'|unsupported (?:HIP |CUDA )?gpu architecture:? '?([\w:+-]+)"
    r"|cannot find ROCm device library for (gfx\w+)",
    re.IGNORECASE,
)
_NO_HEADER = re.compile(r"'([^']+)' file not found")
_NO_LIBRARY = re.compile(r"library not found: (\w+)")
_AMD_GPU = re.compile(r"gfx\d[\w-]*(?::.*)?|native|amdgcnspirv")
_NVIDIA_GPU = re.compile(r"(?:sm|compute)_\d+[af]?|native|all(?:-major)?")


def check_archs(archs: Iterable[str], platform: str) -> None:
    """UsageError for a GPU that no compiler of the platform can know."""
    for arch in archs:
        if not (_NVIDIA_GPU if platform == NVIDIA else _AMD_GPU).fullmatch(arch):
            what = "no NVIDIA GPU (sm_90, ...)" if platform == NVIDIA else "no AMD GPU (gfx90a, ...)"
            other = "; --platform nvidia builds for it" if _NVIDIA_GPU.fullmatch(arch) else ""
            raise UsageError(f"--offload-arch {arch}: is {what}{other}")


def named(archs: Sequence[str], machine: Machine) -> tuple[str, ...]:
    """AMD GPUs with `native` replaced by those of this machine; UsageError where it has none."""
    if "native" in archs and not machine.gpus.distinct:
        raise UsageError("--offload-arch native: no AMD GPU is seen here")
    every = [own for arch in archs for own in (machine.gpus.distinct if arch == "native" else (arch,))]
    return tuple(dict.fromkeys(every))


def unknown_gpus(arrivals: Iterable[Arrival]) -> list[str]:
    """The GPUs that the compiler says it does not know."""
    found = (_UNKNOWN_GPU.search(arrival.diagnostic.text) for arrival in arrivals if arrival.severity is Severity.ERROR)
    return list(dict.fromkeys(next(filter(None, match.groups())) for match in found if match is not None))


def missing_headers(errors: Iterable[Arrival], distribution: tuple[str, str]) -> Iterator[tuple[str, int, str]]:
    """Each header that was not found, how often, and what installs it ('' for one that is of no known library)."""
    headers = Counter(m[1] for arrival in errors if (m := _NO_HEADER.search(arrival.diagnostic.text)))
    for header, number in sorted(headers.items()):
        part = next((p for p in install.EVERY if install.is_of(header, p.header)), None)
        yield header, number, install.command(part, *distribution) if part is not None else ""


def missing_libraries(errors: Iterable[Arrival], distribution: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Each known library that the linker did not find, and what installs it."""
    known = {part.name.lower(): part for part in install.EVERY}
    for name in sorted({m[1] for arrival in errors if (m := _NO_LIBRARY.search(arrival.diagnostic.text))}):
        part = known.get(name.lower().rstrip("0123456789"))
        if part is not None:
            yield name, install.command(part, *distribution)


def notes(arrivals: Sequence[Arrival], tool: Toolchain | None, machine: Machine) -> Iterator[str]:
    """What is worth a line after a build: for HIP on AMD GPUs, with its toolchain."""
    if tool is None:
        return
    for setting in passed_over(machine.environ, tool.found_by):
        yield f"{setting} was passed over: it leads to no hipcc"
    if tool.direct:
        yield f"{tool.path} does not start ({tool.problem}): {tool.program} was called in its place"
    errors = [arrival for arrival in arrivals if arrival.severity is Severity.ERROR]
    system = machine.distribution, machine.distribution_release
    for header, _, how in missing_headers(errors, system):
        if how:
            yield f"{header}: {how}"
    for library, how in missing_libraries(errors, system):
        yield f"-l{library}: {how}"
