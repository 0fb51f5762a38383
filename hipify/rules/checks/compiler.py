"""What a build says of a translation: the kinds only. hipify.build looks, runs the compiler and reports."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.kinds import FindingKind

COMPILER = FindingKind(
    "HPY901",
    Severity.ERROR,
    "error or warning of the HIP compiler",
    "hipcc rejects the translation here, or warns about it. Where another finding foretold it, the message names that "
    "one; an error that none foretold was in the CUDA program already, comes from a flag or header that the build "
    "lacks, or is a gap of hipify-py.",
    "See to the finding that foretold it; an error that no finding foretold in a program that nvcc compiles should be "
    "reported as a defect of hipify-py.",
)

ABSENT = FindingKind(
    "HPY903",
    Severity.ERROR,
    "a header of HIP's libraries that this machine lacks",
    "The translation includes a library's header that is in none of the folders that the compiler looks at, or that "
    "lacks a part of its package or, with --platform nvidia, the header of CUDA's that it is made of: it will not "
    "compile here. `build`, `--check` and `verify` look before they compile.",
    "Install the library for this release of ROCm, or name its folder with -I.",
)
