"""Device functions that HIP lacks and that have an exact meaning: kept by name, and declared in headers of our own."""

from __future__ import annotations

import os
import re
from functools import cache

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.declared import declared_type
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name

PROVIDED = FindingKind(
    "HPY407",
    Severity.NOTE,
    "device function from a header of hipify-py",
    "HIP does not declare it. The header defines it with CUDA's meaning in plain C++; NVIDIA's hardware has an "
    "instruction for some of them, AMD's a sequence of several.",
    "Nothing needs to be done; look there first when the kernel is slow.",
    "__global__ void f(int* o, int a, int b) {\n    o[0] = __dp4a(a, b, 0);\n}\n",
    "__global__ void f(int* o, int a, int b) {\n    o[0] = a * b;\n}\n",
)

_FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "include")
_HEADERS = ("hipify_device.h", "hipify_simd.h", "hipify_rounding.h", "hipify_half.h")
_DEFINITION = lazy(
    rb"^(?:HIPIFY_BOTH|HIPIFY_DEVICE|template <class T> __device__ inline|__device__ inline) [\w ]+? (\w+)\("
    rb"|^#define (__\w+__)|^typedef \w+ (\w+);",
    re.MULTILINE,
)
_PUBLIC = (b"__", b"atomic", b"cuda", b"nv_half", b"make_bfloat", b"htanh", b"h2tanh", b"isnan", b"isinf", b"isfinite")
# HIP declares these for half types alone; CUDA for every type.
_HALF_ONLY = frozenset((b"__ldca", b"__ldcg", b"__ldcs"))
# HIP declares these for plain numbers; the header adds the half types.
_FOR_HALF = frozenset((b"atomicAdd", b"isnan", b"isinf", b"isfinite", b"__hmax2", b"__hmin2"))
# Of these HIP declares the ones for bfloat16.
_NOT_FOR_HALF2 = frozenset((b"__hmax2", b"__hmin2"))
_HALF_TYPES = frozenset(
    a + b for a in (b"", b"__") for b in (b"half", b"half2", b"nv_bfloat16", b"nv_bfloat162", b"nv_half", b"nv_half2")
)
_HALF_CAST = lazy(rb"\(\s*(?:__)?(?:half2?|nv_half2?|nv_bfloat162?)\s*\*\s*\)")
_HALF_TYPE = lazy(r"\b(?:__)?(?:half2?|nv_half2?|nv_bfloat162?)\b")
_PLAIN_TYPE = lazy(r"\b(?:int|long|short|char|float|double|bool|unsigned|signed)\b")
_PIPELINE_HEADERS = (b"cuda_pipeline.h", b"cuda_pipeline_primitives.h")
_PIPELINE_MORE = frozenset((b"__pipeline_arrive_on", b"experimental", b"__mbarrier_t"))
_BUILTIN_TRAPS = {b"__trap": "__builtin_trap", b"__brkpt": "__builtin_debugtrap"}


@cache
def provided() -> dict[bytes, str]:
    """The names that the helper headers define, and in which."""
    found = {}
    for header in _HEADERS:
        for match in _DEFINITION.finditer(header_text(header)):
            name = match[1] or match[2] or match[3]
            if name.startswith(_PUBLIC):
                found[name] = header
    return found


@cache
def _provided_names() -> frozenset[bytes]:
    return frozenset(provided())


@cache
def header_text(name: str) -> bytes:
    """The text of a helper header."""
    with open(os.path.join(_FOLDER, name), "rb") as stream:
        return stream.read()


def run(context: Context) -> None:
    """Claim every use of a provided function, and include the header that has it."""
    if context.options.language == "hip":
        return
    vocabulary = context.tokens.vocabulary
    needed = set()
    for name in sorted(vocabulary & _provided_names()):
        if context.declared_here(name):  # the file's own: nobody's business
            context.claimed.update(context.structure.index.get(name, ()))
        elif _wanted(context, name) and _claim(context, name):
            needed.add(provided()[name])
    for name, builtin in _BUILTIN_TRAPS.items() if not vocabulary.isdisjoint(_BUILTIN_TRAPS) else ():
        if name in vocabulary and not context.declared_here(name):
            _note_trap(context, name, builtin)
    for name in (n for n in context.tokens.beginning((b"__nv_",)) if n not in context.library.names):
        _libdevice(context, name)
    if _pipeline_includes(context):
        needed.discard("hipify_device.h")
    if needed:
        context.needs_runtime = True
        include_helpers(context, sorted(needed))


def _wanted(context: Context, name: bytes) -> bool:
    """Whether the target's HIP does not have the function itself."""
    api = context.library.get(name)
    if name in _FOR_HALF:
        return not context.tokens.vocabulary.isdisjoint(_HALF_TYPES)
    return api is None or not map_name(api, context.target).name or name in _HALF_ONLY


def _uses(context: Context, name: bytes) -> list[int]:
    found = []
    for index in context.structure.index.get(name, ()):
        if index in context.claimed or not context.is_code(index) or context.owner(index)[0] is Owner.USER:
            continue
        directive = context.structure.directive_at(index)
        if directive is None or directive.name == b"define":
            found.append(index)
    return found


def _claim(context: Context, name: bytes) -> bool:
    api = context.library.get(name)
    uses = [i for i in _uses(context, name) if name not in _HALF_ONLY or not _reads_half(context, i)]
    if name[:1] == b"h":  # `htanh` may be anybody's
        uses = [i for i in uses if context.functions.in_device(i) and context.structure.call_at(i) is not None]
    if name in _FOR_HALF:
        uses = [i for i in uses if _takes_half(context, i)]
    shown, header = name.decode(), provided()[name].encode()
    done = any(include.name == header for include in context.structure.includes)
    for index in uses:
        context.claimed.add(index)
        if not done:  # a translated file says nothing more
            lacks = "HIP has it for other types" if name in _FOR_HALF else "HIP lacks it"
            context.find(PROVIDED, index, message=f"{shown}: {lacks}, {provided()[name]} provides it")
        context.refer(index, "device_function", api.library if api is not None else "device", True)
    return bool(uses)


def _reads_half(context: Context, index: int) -> bool:
    """Whether a load is of a half type, as HIP declares it; known from clang alone."""
    call = context.structure.call_at(index)
    if context.semantics is None or call is None or len(call.args) != 1 or call.args[0].empty:
        return False
    kind = context.semantics.expr_type(*context.argument_range(call.args[0]))
    return bool(kind) and "half" in str(kind)


def _takes_half(context: Context, index: int) -> bool:
    """Whether the first argument of a call is of a half type or points to one, or may in an instantiation."""
    call = context.structure.call_at(index)
    if call is None or not call.args or call.args[0].empty:
        return False
    argument = call.args[0]
    if _HALF_CAST.match(context.argument_bytes(argument)):
        return True
    kind = context.semantics.expr_type(*context.argument_range(argument)) if context.semantics is not None else ""
    if context.text(index) in _NOT_FOR_HALF2 and "bfloat" in kind:
        return False
    if kind:
        return bool(_HALF_TYPE.search(kind)) or (b"template" in context.tokens.vocabulary and _open(kind))
    first = argument.first + (context.text(argument.first) in (b"&", b"*"))
    declared = declared_type(context, first)
    return declared in _HALF_TYPES and not (context.text(index) in _NOT_FOR_HALF2 and b"bfloat" in declared)


def _open(kind: str) -> bool:
    """Whether a type may still depend on a template's parameters: it names neither a plain type nor a scope."""
    return not _PLAIN_TYPE.search(kind)


def _libdevice(context: Context, name: bytes) -> None:
    """`__nv_sinf` of NVIDIA's device library becomes `sinf`, `__nv_fast_expf` `__expf`, `__nv_popc` `__popc`."""
    plain = name[5:]
    candidates = (b"__" + plain[5:],) if plain.startswith(b"fast_") else (plain, b"__" + plain)
    new = next((c for c in candidates if _is_device_function(context, c)), b"")
    if not new or context.declared_here(name):
        if new:
            _tell_declared(context, name, new)
        return
    for index in _uses(context, name):
        if context.structure.call_at(index) is not None:
            context.replace(index, new)
            context.refer(index, "device_function", "device", True)


def _tell_declared(context: Context, name: bytes, new: bytes) -> None:
    """Report a function of NVIDIA's device library that the file declares itself and nobody here defines."""
    from hipify.rules.passes.names import UNSUPPORTED

    structure = context.structure
    calls = {index: structure.call_at(index) for index in structure.index.get(name, ())}
    if any(call and context.text(structure.next_code(call.close + 1)) == b"{" for call in calls.values()):
        return
    message = f"{name.decode()}: a function of NVIDIA's device library; HIP has {new.decode()}"
    for index in calls:
        if context.declares(index):
            context.find(UNSUPPORTED, index, message=message)


def _is_device_function(context: Context, name: bytes) -> bool:
    """Whether HIP has a device function under the name that CUDA gives it."""
    api = context.library.get(name)
    return api is not None and "device" in api.kind and map_name(api, context.target).name == api.name


def _note_trap(context: Context, name: bytes, builtin: str) -> None:
    for index in _uses(context, name):
        message = f"{name.decode()}: HIP lacks it, {builtin} is the compiler's own"
        context.find(PROVIDED, index, message=message)


def _pipeline_includes(context: Context) -> bool:
    """CUDA's header of the copy primitives becomes the one that provides them, unless more of it is used."""
    from hipify.rules.passes.includes import delete_line

    own = "hipify_device.h"
    found = {i.start: i for i in context.structure.includes if i.name in _PIPELINE_HEADERS}
    if not found or context.tokens.vocabulary & _PIPELINE_MORE:
        return False
    first, *others = found.values()
    context.edit(first.start, first.end, b'"%s"' % own.encode())
    for include in others:
        if context.branches.covered(include.directive.first, [first.directive.first]):
            delete_line(context, include)
        else:
            context.edit(include.start, include.end, b'"%s"' % own.encode())
    analysis, lines = context.analysis, {context.source.position(start)[0] for start in found}
    analysis.findings = [f for f in analysis.findings if f.id != "HPY106" or f.start not in found]
    analysis.references = [
        r._replace(converted=True) if r.kind == "include" and r.line in lines else r for r in analysis.references
    ]
    context.analysis.helper_headers[own] = header_text(own)
    context.needs_runtime = True
    return True


def include_helpers(context: Context, headers: list[str]) -> None:
    """Bring helper headers: included behind the includes at the head of the file, else in front of its code."""
    structure, source = context.structure, context.source
    context.analysis.helper_headers.update((header, header_text(header)) for header in headers)
    present = {include.name for include in structure.includes} | context.helpers_at_head
    lines = [b'#include "%s"' % h.encode() for h in headers if h.encode() not in present]
    context.helpers_at_head.update(h.encode() for h in headers)
    if not lines:
        return
    offset = _head(context)
    text = b"".join(line + source.newline for line in lines)
    ended = offset == source.bom_length or source.data[offset - 1 : offset] == b"\n"
    context.insert(offset, text if ended else source.newline + text)


def _head(context: Context) -> int:
    """The byte behind the last include that stands in no `#if` and before any code; else where HIP's runtime goes."""
    from hipify.rules.passes.includes import insertion_point

    tokens, structure = context.tokens, context.structure
    first = structure.directive_at(0)
    code = structure.next_code(0 if first is None else first.stop)
    depth, last = 0, None
    for directive in structure.directives:
        if directive.first > code:
            break
        depth += {b"if": 1, b"ifdef": 1, b"ifndef": 1, b"endif": -1}.get(directive.name, 0)
        if directive.name == b"include" and depth == 0:
            last = directive
    if last is None:
        return insertion_point(context)
    return tokens.end(last.stop) if last.stop < len(tokens) else tokens.start[last.stop]
