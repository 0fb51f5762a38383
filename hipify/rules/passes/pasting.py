"""Macros that build CUDA names with `##`: the pasted prefix is rewritten when every name built so has that prefix."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.structure import Macro
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name

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
# What most names with a prefix have in HIP.
_USUAL = {b"cuda": b"hip", b"cudaMemcpy": b"hipMemcpy", b"cudaError": b"hipError", b"cublas": b"hipblas",
          b"cublasS": b"hipblasS", b"cublasD": b"hipblasD", b"cufft": b"hipfft", b"curand": b"hiprand",
          b"cusparse": b"hipsparse", b"CUBLAS_": b"HIPBLAS_", b"CUFFT_": b"HIPFFT_"}  # fmt: skip


def run(context: Context) -> None:
    """Rewrite or report `prefix##argument` in macro bodies."""
    if b"##" not in context.structure.index:
        return
    for macro in context.structure.macros:
        for index in context.tokens.significant(macro.first, macro.stop):
            after = context.tokens.next(index + 1, macro.stop)
            if after >= macro.stop or context.text(after) != b"##":
                continue
            if macro.parameters and context.text(index) in macro.parameters:
                _handed_on(context, macro, macro.parameters.index(context.text(index)))
            elif _is_prefix(context.text(index)):
                _pasted(context, macro, index, context.tokens.next(after + 1, macro.stop))


def _handed_on(context: Context, macro: Macro, position: int) -> None:
    """Report prefixes that are given to a macro which pastes its argument to another: `JOIN(cuda, name)`."""
    for use in context.structure.index.get(context.text(macro.name), ()):
        call = context.structure.call_at(use) if use != macro.name else None
        if call is None or position >= len(call.args) or not context.is_code(use):
            continue
        argument = call.args[position]
        prefix = context.argument_bytes(argument)
        if prefix in _PREFIXES and argument.first not in context.claimed:
            context.claimed.add(argument.first)
            message = f"{prefix.decode()} is pasted to a name by {context.text(macro.name).decode()}"
            context.find(PASTED_NAME, argument.first, message=message)


def _is_prefix(text: bytes) -> bool:
    return text in _PREFIXES or text.startswith((b"cublas", b"cufft", b"cusparse", b"cusolver", b"cudnn"))


def _pasted(context: Context, macro: Macro, index: int, behind: int) -> None:
    context.claimed.add(index)
    prefix = context.text(index)
    built = _built_names(context, macro, prefix, context.text(behind))
    new, others = _common_prefix(context, prefix, built)
    shown = prefix.decode()
    if not new:
        severity = None if built else Severity.NOTE
        message = f"{shown}## builds CUDA names that cannot be renamed here"
        context.find(PASTED_NAME, index, message=message, severity=severity)
        return
    context.replace(index, new)
    context.needs_runtime = True
    names = ", ".join(sorted(n.decode() for n in built - others)) or "the names that other files give it"
    message = f"{shown}## becomes {new.decode()}##: it builds {names}"
    if others:
        message += f"; but HIP has no such names for {', '.join(sorted(n.decode('utf-8', 'replace') for n in others))}"
    context.find(PASTED_NAME, index, message=message)
    context.refer(index, "macro", "runtime", True)


def _built_names(context: Context, macro: Macro, prefix: bytes, parameter: bytes) -> set[bytes]:
    """The names that the file's own uses of the macro build: by the first word of what they hand to it."""
    if not macro.parameters or parameter not in macro.parameters:
        return set()
    position = macro.parameters.index(parameter)
    names = set()
    for use in context.structure.index.get(context.text(macro.name), ()):
        call = context.structure.call_at(use) if use != macro.name else None
        if call is not None and position < len(call.args):
            argument = call.args[position]
            first = context.text(context.tokens.next(argument.first, argument.stop))
            names.add(prefix + (first if is_ident(first or b"0") else context.argument_bytes(argument)))
    return names


def _common_prefix(context: Context, prefix: bytes, built: set[bytes]) -> tuple[bytes, set[bytes]]:
    """The HIP prefix that the built names get, empty where there is none, and those that do not get it.

    Names that only other files build are taken to be like most: what is left as it is could never be found.
    """
    usual = b"" if context.target.roc and prefix != b"cuda" else _USUAL.get(prefix, b"")
    given: dict[bytes, bytes] = {}
    for name in built:
        api = context.library.get(name)
        mapping = map_name(api, context.target) if api is not None else None
        rest = name[len(prefix) :]
        if mapping is not None and mapping.name and mapping.name.encode().endswith(rest):
            given[name] = mapping.name.encode()[: -len(rest)] if rest else b""
    prefixes = set(given.values())
    if len(prefixes) == 1 and len(given) == len(built):
        return prefixes.pop(), set()
    if not built or usual in prefixes:
        return usual, {name for name in built if given.get(name) != usual}
    return b"", set()
