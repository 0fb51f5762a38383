"""Identifiers of CUDA's APIs get their HIP names; those that have none, or that no table knows, are reported."""

from __future__ import annotations

from functools import lru_cache

from hipify.model import Confidence, Severity
from hipify.parser.owner import Owner
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules import rulebook
from hipify.rules.context import Context
from hipify.rules.guard_macros import EXISTENCE, GuardKind, guard_kind
from hipify.rules.kinds import FindingKind
from hipify.rules.library import Api, Mapping, map_name
from hipify.rules.names import spelled_like_cuda
from hipify.rules.passes.backports import supplied

UNSUPPORTED = FindingKind(
    "HPY101",
    Severity.ERROR,
    "CUDA name without a HIP counterpart",
    "No header of the target ROCm release declares a counterpart: hipcc will not compile the line.",
    "Guard the use with #ifndef __HIP_PLATFORM_AMD__, or replace what it does.",
    "void f() { cudaLimit l = cudaLimitDevRuntimeSyncDepth; }\n",
)
TOO_NEW = FindingKind(
    "HPY102",
    Severity.ERROR,
    "HIP counterpart that the target ROCm release does not have yet",
    "A later ROCm release declares the counterpart; the target does not.",
    "Choose a later --target, or guard the use.",
)
REMOVED = FindingKind(
    "HPY103",
    Severity.ERROR,
    "HIP counterpart that the target ROCm release has no more",
    "An earlier ROCm release declared the counterpart; it was removed.",
    "Use what replaced it.",
)
DEPRECATED = FindingKind(
    "HPY104",
    Severity.NOTE,
    "HIP counterpart is deprecated",
    "It compiles with the target release and may go away in a later one.",
    "Plan to replace it.",
)
UNKNOWN_NAME = FindingKind(
    "HPY105",
    Severity.WARNING,
    "identifier spelled like a CUDA name that no table knows",
    "No declaration of it was seen in the file and it has the form of a CUDA library's name; it is left as it is.",
    "Check what declares it. If it is CUDA's, it will not compile with hipcc.",
    "void f() { cublasFancyNewCall(1); }\n",
)
OTHER_LIBRARY = FindingKind(
    "HPY110",
    Severity.ERROR,
    "counterpart only in a ROCm library that was not asked for",
    "HIP's own libraries do not have it; the named ROCm library does, often with other arguments.",
    "Use --roc or --miopen where the whole file can move to that library, or port the call by hand.",
)
SUPPLIED = FindingKind(
    "HPY123",
    Severity.NOTE,
    "HIP counterpart of a later ROCm release, from a header of hipify-py",
    "The target ROCm release does not have it yet. The header defines it with what that release has, and adds nothing "
    "where the library has it itself.",
    "Nothing needs to be done.",
)
ERROR_CODE = FindingKind(
    "HPY128",
    Severity.NOTE,
    "error code that HIP never returns",
    "HIP has no name for it, so the number stands there: comparing with it works and is never true, and "
    "hipGetErrorString does not know it.",
    "Nothing needs to be done where it is only compared with.",
    "bool f(cudaError_t e) { return e == cudaErrorMisalignedAddress; }\n",
    "bool f(hipError_t e) { return e == (hipError_t)716; }\n",
)

_KINDS = {
    "unsupported": UNSUPPORTED,
    "unknown": UNSUPPORTED,
    "too_new": TOO_NEW,
    "supplied": SUPPLIED,
    "removed_hip": REMOVED,
    "deprecated_hip": DEPRECATED,
    "roc_only": OTHER_LIBRARY,
    "hip_only": OTHER_LIBRARY,
    "miopen_only": OTHER_LIBRARY,
}
_DEVICE_LIBRARIES = frozenset(
    ("device", "fp16", "bf16", "fp8", "fp4", "fp6", "complex", "device_function", "device_type")
)
# Guard macros are the guards' checks' business, keywords are the compiler's.
_NOT_NAMES = frozenset(
    b"CUDA_VERSION CUDART_VERSION __CUDA_ARCH__ __CUDACC__ __NVCC__ __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__".split()
)


_FIRST_LETTERS = frozenset(b"cu CU nv np NP Np op OP NV nc NC pn __".split())
_OTHERS = _NOT_NAMES.union(EXISTENCE)
# Too wide a shape to tell by spelling: reported only where clang saw every header and no declaration.
_BROAD = lazy(rb"(?:cuda|cu)[A-Z][a-z]+[A-Z0-9_]|cuda[A-Z][a-z]+\Z")


def run(context: Context) -> None:
    """Rename every API identifier, report those that cannot be."""
    table = context.library.names
    index_of = context.structure.index
    runtime_words = (b"__global__", b"__device__", b"__shared__", b"__constant__", b"threadIdx", b"blockIdx")
    if any(word in index_of for word in runtime_words):
        context.needs_runtime = True
    for name in sorted(context.api_names - _OTHERS):
        api = context.library.get(name)
        if api is not None and api.kind != "namespace":
            _handle(context, name, api)
    for name in context.tokens.beginning(_FIRST_LETTERS):
        if name not in table and name not in EXISTENCE and is_ident(name):
            library = spelled_like_cuda(name)
            if library or (_BROAD.match(name) and _undeclared(context, name)):
                _unknown(context, name, library or "CUDA")


def _handle(context: Context, name: bytes, api: Api) -> None:
    mapping = map_name(api, context.target)
    if mapping.problem == "too_new":
        mapping = supplied(mapping, context.target)
    if mapping.name.startswith(("rocblas_datatype", "rocblas_computetype")):
        from hipify.rules.roc_types import data_type

        mapping = mapping._replace(name=data_type(context, api, mapping.name))
    if mapping.name == api.name and not mapping.problem:
        return
    ambiguous = not _distinctive(api)
    for index in context.structure.index.get(name, ()):
        if index in context.claimed or not context.is_code(index):
            continue
        owner, confidence = context.owner(index)
        if owner is Owner.USER:
            continue
        if ambiguous and owner is not Owner.API and not _plausible(context, index, api):
            continue
        _apply(context, index, mapping, confidence)


def _apply(context: Context, index: int, mapping: Mapping, confidence: Confidence) -> None:
    api = mapping.api
    if mapping.problem == "unsupported" and api.kind == "enum_constant" and _as_number(context, index, api, confidence):
        return
    typedef = api.has("typedef") or mapping.name.startswith("miopen")
    if mapping.name and typedef and _without_keyword(context, index):
        context.refer(index, api.kind, api.library, True)
        return
    if mapping.name and mapping.name != api.name:
        context.replace(index, mapping.name.encode(), confidence)
        if api.library in ("runtime", "driver", *_DEVICE_LIBRARIES):
            context.needs_runtime = True
    context.refer(index, api.kind, api.library, bool(mapping.name))
    if mapping.problem in ("unsupported", "unknown") and api.library == "cudnn" and _has_rule(context, api.name):
        message = f"{api.name}: MIOpen's counterpart takes other arguments, which option --miopen writes"
        context.find(OTHER_LIBRARY, index, message=message, confidence=confidence)
    elif mapping.problem and guard_kind(api.name.encode()) not in (GuardKind.VERSION, GuardKind.ARCH):  # see guards.py
        context.find(_KINDS[mapping.problem], index, message=_message(mapping), confidence=confidence)


def _as_number(context: Context, index: int, api: Api, confidence: Confidence) -> bool:
    """Write the number of an error code that HIP has no name for; whether it is one and stands alone."""
    from hipify.rules.error_numbers import error_number

    structure, text = context.structure, context.text
    around = (text(structure.prev_code(index - 1)), text(structure.next_code(index + 1)))
    number = error_number(api.name)
    if not number or around[0] in (b"::", b"##", b"#", b"enum") or around[1] in (b"##", b"::"):
        return False
    context.replace(index, number.encode(), confidence)
    context.find(ERROR_CODE, index, message=f"{api.name}: no HIP function returns this error", confidence=confidence)
    context.refer(index, api.kind, api.library, True)
    context.needs_runtime |= api.library in ("runtime", "driver")
    return True


def _without_keyword(context: Context, index: int) -> bool:
    """Take `struct` or `enum` away from in front of a name that HIP has as a typedef; whether the name goes, too.

    It goes with a declaration that only says that there is such a type.
    """
    structure, tokens = context.structure, context.tokens
    keyword, behind = structure.prev_code(index - 1), structure.next_code(index + 1)
    if context.text(keyword) not in (b"struct", b"enum", b"union"):
        return False
    ends = context.text(structure.prev_code(keyword - 1)) in (b"", b";", b"{", b"}")
    if context.text(behind) == b";" and ends:
        context.edit(tokens.start[keyword], tokens.end(behind), b"")
        return True
    context.edit(tokens.start[keyword], tokens.start[index], b"")
    return False


def _has_rule(context: Context, name: str) -> bool:
    """Whether a rule speaks of a name that the tables have no counterpart for: for another preference, then."""
    return name.encode() in rulebook.load(context.options.rule_files).names


def _message(mapping: Mapping) -> str:
    name = mapping.api.name
    note = mapping.note.rstrip(".")
    return note if name in note else f"{name}: {note}"


@lru_cache(1 << 13)
def _distinctive(api: Api) -> bool:
    """Whether the spelling alone shows the name to be CUDA's: nobody else writes `cudaMalloc` or `__nanosleep`."""
    name = api.name
    return bool(spelled_like_cuda(name.encode())) or name.startswith("__") or api.library in ("runtime", "nvrtc")


def _plausible(context: Context, index: int, api: Api) -> bool:
    """For a name that others use too (`norm3d`, `CUdevice`): whether it can be CUDA's where it stands."""
    name = api.name.encode()
    if context.declared_here(name):
        return False
    if api.library in _DEVICE_LIBRARIES and "type" not in api.kind and api.kind not in ("enum_constant", "macro"):
        there = api.library == "complex" or context.functions.in_device(index)
        return there and context.structure.call_at(index) is not None
    return True


def _undeclared(context: Context, name: bytes) -> bool:
    """Whether clang read the file with all its headers and met a call of a name that nothing declares."""
    semantics = context.semantics
    if semantics is None or semantics.missing_headers() or context.declared_here(name):
        return False
    calls = (
        i for i in context.structure.index.get(name, ()) if context.text(context.structure.next_code(i + 1)) == b"("
    )
    return any(context.owner(i)[0] is Owner.UNKNOWN and context.structure.directive_at(i) is None for i in calls)


def _unknown(context: Context, name: bytes, library: str) -> None:
    if context.library.is_hip_name(name) or context.declared_here(name):
        return
    if context.structure.includes and context.included_names.mentions(name):
        return
    for index in context.structure.index.get(name, ()):
        if index in context.claimed or not context.is_code(index):
            continue
        owner, confidence = context.owner(index)
        if owner is Owner.USER:
            continue
        before = context.text(context.structure.prev_code(index - 1))
        if before in (b"##", b"#") or context.text(context.structure.next_code(index + 1)) in (b"##", b"::"):
            continue
        if owner is not Owner.API and (before in (b".", b"->") or _function_pointer(context, index)):
            continue  # a member of the program's: what a library that is loaded at run time is called through
        text = name.decode("utf-8", "replace")
        context.find(
            UNKNOWN_NAME,
            index,
            message=f"{text} looks like a {library} name, and no table or declaration knows it",
            confidence=confidence,
        )
        context.refer(index, "unknown", library, False)


def _function_pointer(context: Context, index: int) -> bool:
    """Whether token `index` is the name in `type (*name)(...)`."""
    structure, text = context.structure, context.text
    star, close = structure.prev_code(index - 1), structure.next_code(index + 1)
    opener = structure.prev_code(star - 1)
    if (text(opener), text(star), text(close), text(structure.next_code(close + 1))) != (b"(", b"*", b")", b"("):
        return False
    before = text(structure.prev_code(opener - 1))
    return before == b"*" or (is_ident(before) and before not in (b"return", b"else", b"case"))
