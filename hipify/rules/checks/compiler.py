"""What the HIP compiler says of a translation: the kind only. hipify.build runs the compiler and reports it."""

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
