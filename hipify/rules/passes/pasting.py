"""Macros that build CUDA names with `##`: the pasted prefix is rewritten when every name built so has that prefix."""

from __future__ import annotations

from collections import Counter

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.rules.conditionals import conditionals_of
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name
from hipify.rules.pasted_names import Built, built_names

PASTED_NAME = FindingKind(
    "HPY111",
    Severity.WARNING,
    "CUDA name built by token pasting",
    "The name exists only after preprocessing, so that renaming its uses is not possible.",
    "Check the prefix in the macro, and every argument that it is pasted to.",
    "#define API(name) cuda##name\nvoid f() { API(DeviceSynchronize)(); }\n",
    "#define API(name) hip##name\nvoid f() { API(DeviceSynchronize)(); }\n",
)
_PREFIXES = frozenset(
    b"cuda cu cublas cufft curand cusparse cusolver cusolverDn cudnn CUDA_ CU_ CUBLAS_ CUFFT_ CURAND_ CUSPARSE_ nvrtc "
    b"cublasS cublasD cudaMemcpy cudaError cuda_ CUDNN_ cublasLt".split()
)
_LIKE_CUDA = lazy(rb"(?:cu|CU|nvrtc|NVRTC|nvtx|NVTX)\w*\Z")
_LIBRARY = (b"cublas", b"cufft", b"cusparse", b"cusolver", b"cudnn")
# What most names with a prefix have in HIP.
_USUAL = {b"cuda": b"hip", b"cudaMemcpy": b"hipMemcpy", b"cudaError": b"hipError", b"cublas": b"hipblas",
          b"cublasS": b"hipblasS", b"cublasD": b"hipblasD", b"cufft": b"hipfft", b"curand": b"hiprand",
          b"cusparse": b"hipsparse", b"CUBLAS_": b"HIPBLAS_", b"CUFFT_": b"HIPFFT_"}  # fmt: skip
# Old names that HIP still declares beside those that take their place.
_KEPT = frozenset(
    b"hipErrorMemoryAllocation hipErrorInitializationError hipErrorMapBufferObjectFailed hipErrorInvalidResourceHandle "
    b"hipMallocHost".split()
)
_MOST = 0.9


def run(context: Context) -> None:
    """Rewrite or report `prefix##argument`, where the prefix stands: in a macro's body, or in what a macro is given."""
    if b"##" not in context.structure.index:
        return
    for built in built_names(context.structure):
        if built.head not in context.claimed and _may_be_prefix(context, built):
            _pasted(context, built)


def _may_be_prefix(context: Context, built: Built) -> bool:
    """Whether CUDA's names begin so, and the names that are built (if any is seen) may be CUDA's."""
    prefix = context.text(built.head)
    if not _LIKE_CUDA.match(prefix) or not context.is_code(built.head):
        return False
    if built.names and context.library.names.isdisjoint(built.names):
        return prefix.islower() and not all(context.declared_here(name) for name in built.names)
    if prefix in _PREFIXES or prefix.startswith(_LIBRARY):
        return True
    return bool(built.names) or (not built.handed_by and any(n.startswith(prefix) for n in context.library.names))


def _pasted(context: Context, built: Built) -> None:
    context.claimed.add(built.head)
    prefix = context.text(built.head)
    new, others = _common_prefix(context, prefix, built.names)
    if not built.names and conditionals_of(context).leaves_out(context.tokens.start[built.head]):
        new = b""  # nobody's names are seen: what HIP's compiler leaves out is as it is meant to be
    shown = f"{prefix.decode()} is pasted to a name by {built.handed_by}" if built.handed_by else ""
    if not new or (shown and others):
        severity = None if built.names or shown else Severity.NOTE
        message = shown or f"{prefix.decode()}## builds CUDA names that cannot be renamed here"
        context.find(PASTED_NAME, built.head, message=message, severity=severity)
        return
    context.replace(built.head, new)
    context.needs_runtime = True
    names = ", ".join(sorted(n.decode() for n in built.names - others)) or "the names that other files give it"
    message = f"{prefix.decode()}## becomes {new.decode()}##: it builds {names}"
    if shown:
        message = f"{shown}: it becomes {new.decode()}, which builds {names}"
    if others:
        message += f"; but HIP has no such names for {', '.join(sorted(n.decode('utf-8', 'replace') for n in others))}"
    context.find(PASTED_NAME, built.head, message=message)
    context.refer(built.head, "macro", "runtime", True)


def _common_prefix(context: Context, prefix: bytes, built: frozenset[bytes]) -> tuple[bytes, set[bytes]]:
    """The HIP prefix that the built names get, empty where there is none, and those that do not get it.

    Names that only other files build are taken to be like most: what is left as it is could never be found.
    """
    usual = b"" if context.target.roc and prefix != b"cuda" else _USUAL.get(prefix, b"")
    given = {name: new for name in built if (new := _prefix_in_hip(context, prefix, name))}
    prefixes = set(given.values())
    if len(prefixes) == 1 and len(given) == len(built):
        return prefixes.pop(), set()
    if not built and not usual:
        usual = _most_common(context, prefix)
    if not built or usual in prefixes:
        return usual, {name for name in built if given.get(name) != usual}
    return b"", set()


def _prefix_in_hip(context: Context, prefix: bytes, name: bytes) -> bytes:
    """What HIP's name has in the place of `prefix`, the rest being the same; empty where it is not."""
    api = context.library.get(name)
    new = map_name(api, context.target).name.encode() if api is not None else b""
    rest = name[len(prefix) :]
    if rest and new.endswith(rest):
        return new[: -len(rest)]
    usual = _USUAL.get(prefix, b"")
    return usual if new and usual + rest in _KEPT else b""


def _most_common(context: Context, prefix: bytes) -> bytes:
    """What nearly all names with a prefix have in HIP."""
    names = [name for name in context.library.names if name.startswith(prefix) and name != prefix]
    counted = Counter(_prefix_in_hip(context, prefix, name) for name in names)
    ((new, count),) = counted.most_common(1) or [(b"", 0)]
    return new if count >= _MOST * len(names) else b""
