"""Macros that build CUDA names with `##`: the pasted prefix is rewritten when every name built so has that prefix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.conditionals import conditionals_of
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name
from hipify.rules.passes.builtins import provided
from hipify.rules.passes.calls import changes_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.pasted_names import Built

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
NEEDS = frozenset((b"##", *_PREFIXES))
_LIKE_CUDA = lazy(rb"(?:cu|CU|nvrtc|NVRTC|nvtx|NVTX)\w*\Z")
_LIBRARY = (b"cublas", b"cufft", b"cusparse", b"cusolver", b"cudnn")
_PASTABLE = lazy(rb"\w+\Z")
# Macros of the compiler's that guards ask for.
_COMPILERS = frozenset(b"__CUDA_ARCH__ __CUDACC__ __NVCC__ CUDA_VERSION CUDART_VERSION".split())
# What most names with a prefix have in HIP.
_USUAL = {b"cuda": b"hip", b"cudaMemcpy": b"hipMemcpy", b"cudaError": b"hipError", b"cublas": b"hipblas",
          b"cublasS": b"hipblasS", b"cublasD": b"hipblasD", b"cufft": b"hipfft", b"curand": b"hiprand",
          b"cusparse": b"hipsparse", b"CUBLAS_": b"HIPBLAS_", b"CUFFT_": b"HIPFFT_"}  # fmt: skip
# Old names that HIP still declares beside those that take their place.
_KEPT = frozenset(
    b"hipErrorMemoryAllocation hipErrorInitializationError hipErrorMapBufferObjectFailed hipErrorInvalidResourceHandle "
    b"hipMallocHost".split()
)
_MOST = 0.5


def run(context: Context) -> None:
    """Rewrite or report `prefix##argument`, where the prefix stands: in a macro's body, or in what a macro is given."""
    if b"##" in context.structure.index:
        from hipify.rules.pasted_names import built_names

        for built in built_names(context.structure):
            if built.head not in context.claimed:
                built = _finished(context, built)
                if _may_be_prefix(context, built):
                    _pasted(context, built)
                else:
                    _renamed_within(context, built)
    _joined_elsewhere(context)


def _finished(context: Context, built: Built) -> Built:
    """Without what is built on the way to a longer name."""
    known = [name for name in built.names if name in context.library.names]
    parts = {n for n in built.names if n not in context.library.names and any(k.startswith(n) for k in known)}
    if not parts:
        return built
    return built._replace(chains=frozenset(c for c in built.chains if b"".join(p.text for p in c) not in parts))


def _may_be_prefix(context: Context, built: Built) -> bool:
    """Whether CUDA's names begin so, and the names that are built (if any is seen) may be CUDA's."""
    prefix = context.text(built.head)
    if not context.is_code(built.head) or (built.names and built.names <= _macro_names(context)):
        return False  # what is built is a macro in its turn: as an earlier translation has left it
    if not _LIKE_CUDA.match(prefix):
        return context.options.language != "hip" and any(_is_changed(context, name) for name in built.names)
    if built.names and context.library.names.isdisjoint(built.names):
        return prefix.islower() and not all(context.declared_here(name) for name in built.names)
    if prefix in _PREFIXES or prefix.startswith(_LIBRARY):
        return True
    return bool(built.names) or (not built.handed_by and any(n.startswith(prefix) for n in context.library.names))


def _macro_names(context: Context) -> frozenset[bytes]:
    return frozenset(context.text(macro.name) for macro in context.structure.macros)


def _is_changed(context: Context, name: bytes) -> bool:
    """Whether a name is CUDA's and not HIP's, or of another meaning there."""
    from hipify.rules.checks.warp_code import OPERATIONS

    if context.declared_here(name):
        return False
    return name in OPERATIONS or (_is_cudas(context, name) and _in_hip(context, name) != name)


def _is_cudas(context: Context, name: bytes) -> bool:
    return name in context.library.names and name not in _COMPILERS


def _in_hip(context: Context, name: bytes) -> bytes:
    """HIP's name, or that of a helper header, for one of CUDA's; empty where there is none."""
    api = context.library.get(name)
    mapping = map_name(api, context.target) if api is not None else None
    if mapping is not None and mapping.name:
        return mapping.name.encode()
    return name if name in provided() else b""


def _pasted(context: Context, built: Built) -> None:
    from hipify.rules.checks.warp_code import OPERATIONS

    prefix = context.text(built.head)
    if any(name in OPERATIONS for name in built.names):
        _warp_names(context, built)
        return
    context.claimed.add(built.head)
    new, others = _common_prefix(context, prefix, built.names)
    if not built.names and conditionals_of(context).leaves_out(context.tokens.start[built.head]):
        new = b""  # nobody's names are seen: what HIP's compiler leaves out is as it is meant to be
    elif not built.names and _both_ends(context, _of_form(context, built), "the names that other files give it"):
        return
    shown = f"{prefix.decode()} is pasted to a name by {built.handed_by}" if built.handed_by else ""
    if (others or (built.names and not new)) and (_both_ends(context, built) or _defined(context, built)):
        return
    if not new or (shown and others):
        severity = None if built.names or shown else Severity.NOTE
        message = shown or f"{prefix.decode()}## builds CUDA names that cannot be renamed here"
        if built.names:
            message += f": {_listed(built.names)}"
        context.find(PASTED_NAME, built.head, message=message, severity=severity)
        return
    context.replace(built.head, new)
    names = _listed(built.names - others) or "the names that other files give it"
    message = f"{prefix.decode()}## becomes {new.decode()}##: it builds {names}"
    if shown:
        message = f"{shown}: it becomes {new.decode()}, which builds {names}"
    if others:
        message += f"; but HIP has no such names for {_listed(others)}"
    _done(context, built, message)


def _listed(names: Iterable[bytes]) -> str:
    return ", ".join(sorted(name.decode("utf-8", "replace") for name in names))


def _done(context: Context, built: Built, message: str) -> None:
    """Say what became of a prefix, and which calls are not rewritten as they would be if they could be read."""
    context.needs_runtime = True
    ruled = [name for name in built.names if changes_arguments(context, name)]
    if ruled:
        message += f"; calls need other arguments, which are not written here: {_listed(ruled)}"
    context.find(PASTED_NAME, built.head, message=message)
    context.refer(built.head, "macro", "runtime", True)


def _of_form(context: Context, built: Built) -> Built:
    """With every name of CUDA's that a macro may build whose uses are in other files: `cublas##T##gemm_v2`."""
    from hipify.rules.pasted_names import Piece

    first, last = (built.form[0], built.form[-1]) if built.form else (None, None)
    if first is None or last is None or last.parameter >= 0 or any(p.parameter < 0 for p in built.form[1:-1]):
        return built
    chains = set()
    for name in context.library.names:
        if name.startswith(first.text) and name.endswith(last.text) and len(name) > len(first.text) + len(last.text):
            middle = name[len(first.text) : len(name) - len(last.text)]
            if _in_hip(context, name):
                chains.add((first, Piece(-1, middle, -1), last))
    return built._replace(chains=frozenset(chains))


def _both_ends(context: Context, built: Built, shown: str = "") -> bool:
    """Where all names end in one piece of the macro's own, write both ends: `cublas##T##gemm_v2`."""
    tail = built.tail
    if tail < 0 or tail in context.claimed or not built.names <= context.library.names:
        return False
    wanted: set[tuple[bytes, bytes]] | None = None
    for chain in built.chains:
        middle, new = b"".join(piece.text for piece in chain[1:-1]), _in_hip(context, b"".join(p.text for p in chain))
        ways = {(new[:at], new[at + len(middle) :]) for at in range(1, len(new)) if new.startswith(middle, at)}
        wanted = ways if wanted is None else wanted & ways
    ways = {way for way in wanted or () if is_ident(way[0]) and _PASTABLE.match(way[1])}
    if not ways:
        return False
    if shown and any(way[1] == context.text(tail) for way in ways):
        return False  # the prefix is all
    first, last = max(ways, key=lambda way: (way[1] == context.text(tail)[: len(way[1])], len(way[1])))
    old = f"{context.text(built.head).decode()}##...##{context.text(tail).decode()}"
    context.replace(built.head, first)
    context.replace(tail, last)
    _done(
        context,
        built,
        f"{old} becomes {first.decode()}##...##{last.decode()}: it builds {shown or _listed(built.names)}",
    )
    return True


def _defined(context: Context, built: Built) -> bool:
    """Where HIP's names have no part in common, define each name that is built as HIP's."""
    new = {name: _in_hip(context, name) for name in built.names}
    if not new or not all(new.values()) or any(name in context.own_macros for name in new):
        return False
    lines = [
        b"#define " + name + b" " + new[name]
        for name in sorted(new.keys() - _macro_names(context))
        if new[name] != name
    ]
    newline = context.source.newline
    context.insert(context.tokens.start[built.directive], b"".join(line + newline for line in lines))
    prefix = context.text(built.head).decode()
    _done(context, built, f"{prefix}## stays, and what it builds is defined as HIP's: {_listed(built.names)}")
    return True


def _warp_names(context: Context, built: Built) -> None:
    """Give built-ins that are pasted together the prefix of hipify_warp.h, or report them."""
    from hipify.rules.checks.warp_code import OPERATIONS, warp_code

    prefix, names = context.text(built.head), _listed(built.names)
    code = warp_code(context)
    context.claimed.add(built.head)
    if not built.names <= OPERATIONS.keys() or not prefix.startswith(b"__") or not code.keeps_lanes(built.head):
        message = f"{prefix.decode()}## builds {names}: HIP's take lane masks of 64 bits"
        context.find(PASTED_NAME, built.head, message=message)
        return
    new = b"hipify::" + prefix.lstrip(b"_")
    if not code.preserved:
        from hipify.rules.passes.warp import include

        include(context)
    code.preserved.add(built.head)
    context.replace(built.head, new)
    _done(context, built, f"{prefix.decode()}## becomes {new.decode()}##: it builds {names}")


def _renamed_within(context: Context, built: Built) -> None:
    """A name of the program's that is built from one of CUDA's, as in `#define LOAD(f) p_##f = load(#f)`."""
    told: set[bytes] = vars(context).setdefault("_built_names", set())
    for chain in sorted(built.chains):
        old = b"".join(piece.text for piece in chain)
        new = b"".join(_in_hip(context, p.text) or p.text if _is_renamed(context, p.token) else p.text for p in chain)
        if new == old or old in told or old in context.library.names or not is_ident(new):
            continue
        told.add(old)
        at = next(piece.token for piece in chain if _is_renamed(context, piece.token))
        places = [i for i in context.structure.index.get(old, ()) if i not in context.claimed and context.is_code(i)]
        for index in places:
            context.replace(index, new)
        there = "renamed in this file, too" if places else "other files may still use the old name"
        message = f"{old.decode()}, which ## builds from a CUDA name, becomes {new.decode()}: {there}"
        context.find(PASTED_NAME, at, message=message, severity=Severity.NOTE)


def _is_renamed(context: Context, index: int) -> bool:
    text = context.text(index)
    if not _is_cudas(context, text) or not _in_hip(context, text) or not context.is_code(index):
        return False
    return _in_hip(context, text) != text and context.owner(index)[0] is not Owner.USER


def _joined_elsewhere(context: Context) -> None:
    """Prefixes that a macro of another file pastes: `BOOST_PP_CAT(cuda, Free)`."""
    structure = context.structure
    for prefix in sorted(_PREFIXES & context.tokens.vocabulary):
        for index in structure.index.get(prefix, ()):
            if index in context.claimed or context.text(comma := structure.next_code(index + 1)) != b",":
                continue
            opener = structure.enclosing(index)
            callee = structure.prev_code(opener - 1) if opener is not None else -1
            name = context.text(callee)
            second = structure.next_code(comma + 1)
            joined = prefix + context.text(second)
            if not is_ident(name or b"0") or name in context.own_macros or not _is_cudas(context, joined):
                continue
            from hipify.rules.pasted_names import Built, Piece

            chain = (Piece(-1, prefix, index), Piece(-1, context.text(second), second))
            if context.is_code(index) and not context.declared_here(name):
                _pasted(context, Built(index, frozenset((chain,)), name.decode("utf-8", "replace"), -1))


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
    """What most names with a prefix have in HIP: left as it is, none could be found."""
    names = [name for name in context.library.names if name.startswith(prefix) and name != prefix]
    counted = Counter(_prefix_in_hip(context, prefix, name) for name in names if _in_hip(context, name))
    ((new, count),) = counted.most_common(1) or [(b"", 0)]
    return new if count >= _MOST * counted.total() else b""
