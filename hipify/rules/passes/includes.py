"""CUDA headers become HIP headers: each once, lookalikes untouched, hip_runtime.h added where nothing brings it."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.branches import Branches
from hipify.parser.structure import Include
from hipify.patterns import lazy
from hipify.rules.computed_includes import asked_for, header_arguments, header_macros, rewrite
from hipify.rules.context import Context
from hipify.rules.guard_macros import EXISTENCE
from hipify.rules.headers import is_beside, is_in_project
from hipify.rules.kinds import FindingKind
from hipify.rules.library import HeaderApi
from hipify.rules.linkage import give_back

_CUDA_WORDS = (b"__global__", b"__device__", b"__shared__", b"__constant__", b"threadIdx", b"blockIdx", b"<<<")
RUNTIME = b"hip/hip_runtime.h"
_RUNTIME_API = b"hip/hip_runtime_api.h"
_ASK_FOR_NVCC = frozenset((b"__CUDACC__", b"__NVCC__"))
# Words that the runtime's header of types and functions does not declare.
_DEVICE_WORDS = frozenset((b"__global__", b"threadIdx", b"blockIdx", b"blockDim", b"gridDim", b"<<<"))
IN_FRONT = -1
"""Stands for the runtime's include above macros, where includes go by their first tokens."""
_GROUPS = b"hip/hip_cooperative_groups.h"
# Headers of HIP's that compile only behind the runtime's, or its API's.
_BEHIND_RUNTIME = frozenset(
    b"hip/hip_gl_interop.h hip/driver_types.h hip/channel_descriptor.h hip/hip_texture_types.h hip/texture_types.h "
    b"hip/surface_types.h".split()
)
_SMALL_FLOATS = frozenset((b"hip/hip_fp4.h", b"hip/hip_fp6.h"))
_SAMPLES = lazy(rb"(?:.*/)?(?:helper_(?:cuda|cuda_drvapi|cusolver|math)|cutil(?:_inline|_math)?|nvrtc_helper)\.h\Z")

CUDA_ONLY_HEADER = FindingKind(
    "HPY106",
    Severity.ERROR,
    "CUDA header without a HIP counterpart",
    "No ROCm package ships this header or a replacement for it: hipcc stops at the #include.",
    "Remove the include and port what it was for, or guard it with #ifndef __HIP_PLATFORM_AMD__.",
    "#include <cudaTypedefs.h>\n",
)
SAMPLES_HEADER = FindingKind(
    "HPY107",
    Severity.WARNING,
    "header of the CUDA samples",
    "The header belongs to NVIDIA's samples and includes CUDA headers itself; HIP has no such file.",
    "Translate a copy of the header too, or replace the few helpers that are used.",
    '#include "helper_cuda.h"\n',
)
LATER_HEADER = FindingKind(
    "HPY108",
    Severity.ERROR,
    "HIP header that the target ROCm release does not have",
    "The counterpart exists in other ROCm releases only: hipcc stops at the #include.",
    "Choose another --target, or guard the include.",
)
MACRO_IN_FRONT = FindingKind(
    "HPY125",
    Severity.WARNING,
    "macro with the name of a word of HIP's headers, in front of their include",
    "CUDA's headers do not have the word, or nvcc includes them in front of everything. The preprocessor replaces it "
    "in HIP's, which then do not compile, or mean something else.",
    "Include hip/hip_runtime.h in front of the macro, or give the macro another name.",
    'extern "C" {\n#define T 16\n#include <cuda_runtime.h>\n}\nint tile() { return T; }\n',
    "#include <hip/hip_runtime.h>\n#define T 16\nint tile() { return T; }\n",
)
REMOVED_HEADER = FindingKind(
    "HPY109",
    Severity.NOTE,
    "include removed: HIP needs no such header",
    "What the CUDA header declares comes with hip/hip_runtime.h.",
    "Nothing needs to be done.",
)


def run(context: Context) -> None:
    """Rewrite every include of a CUDA header."""
    branches = context.branches
    present: dict[bytes, list[int]] = {}
    for include in context.structure.includes:
        if include.name.startswith((b"hip/", b"hipblas", b"hiprand", b"hipcub")):
            present.setdefault(include.name, []).append(include.directive.first)
    ordered: dict[bytes, list[int]] = {name: [] for name in present}
    rewritten = []
    may_clash = bool(context.structure.includes)
    for include in context.structure.includes:
        if include.name in present:
            may_clash = False
            ordered[include.name].append(include.directive.first)
            continue
        if _is_samples(context, include):
            message = f"{_shown(include)} is a helper of the CUDA samples; HIP has no such header"
            context.find_bytes(SAMPLES_HEADER, include.start, include.end, message=message)
        elif (api := toolkit_header(context, include)) is not None:
            if may_clash and api.hip_in(context.target.label):
                may_clash = _in_front_of_macros(context, include, ordered)
            if _rewrite(context, include, api, branches, ordered):
                rewritten.append(include.directive)
    give_back(context, rewritten)
    _computed(context)
    if ordered.keys() >= _SMALL_FLOATS:
        _tell_twice(context, max(ordered[name][0] for name in _SMALL_FLOATS))


def _in_front_of_macros(context: Context, include: Include, ordered: dict[bytes, list[int]]) -> bool:
    """Put the runtime's include above macros that would change HIP's headers; whether later includes may need that."""
    first, branches = include.directive.first, context.branches
    if not (context.structure.macros and context.structure.macros[0].directive.first < first) and (
        include is context.structure.includes[0]
    ):
        return bool(branches.path[first])
    from hipify.rules.macro_order import in_front, outermost, shared

    clash = in_front(context, first)
    around = shared(context, clash.first, first) if clash is not None else None
    if clash is None or around is None:
        return bool(branches.path[first])
    place = outermost(context, clash.first, around)
    is_apart = around != branches.path[first] and not context.source.has_cuda_name
    if is_apart or context.structure.enclosing(place) is not None:
        name = clash.name.decode()
        message = f"{name} is a word of HIP's headers, and a macro in front of them"
        context.find(MACRO_IN_FRONT, clash.first, message=message)
        return False
    context.insert(_line_start(context, place), b"#include <" + RUNTIME + b">" + context.source.newline)
    branches.path[IN_FRONT] = around
    ordered.setdefault(RUNTIME, []).append(IN_FRONT)
    if not around:
        vars(context)["_above_macros"] = place
    return bool(around)


def _line_start(context: Context, first: int) -> int:
    start = context.tokens.start[first]
    return context.source.line_starts[context.source.position(start)[0] - 1] if start else start


def _tell_twice(context: Context, first: int) -> None:
    """HIP's headers of 4 and 6 bits both define what they need of 16: the second of them does not compile."""
    include = next(i for i in context.structure.includes if i.directive.first == first)
    text = f"{_shown(include)}: hip/hip_fp4.h and hip/hip_fp6.h of ROCm 7.2 do not compile in one file"
    fix = "Use the two formats in files of their own."
    context.find_bytes(CUDA_ONLY_HEADER, include.start, include.end, message=text, fix=fix)


def _computed(context: Context) -> None:
    """Rewrite the headers that macros name and `__has_include` asks for."""
    asked_for(context)
    for macro, start, end, api in header_macros(context):
        new = api.hip_in(context.target.label)
        shown = context.source.data[start:end].decode("utf-8", "replace")
        if new:
            rewrite(context, start + 1, end - 1, new)
        elif api.hip != api.path or api.seen:
            context.find_bytes(CUDA_ONLY_HEADER, start, end, message=f"{shown}: no HIP header replaces it")
        context.refer(macro.name, "include", api.library, bool(new), api.path.encode())
    for start, end, api in header_arguments(context):
        first = context.tokens.index_at(start)
        new, whole = api.hip_in(context.target.label), context.source.data[start:end] == api.path.encode()
        if new and (whole or new.endswith(".h")):
            rewrite(context, start, end, new if whole else new.removesuffix(".h"))
            context.refer(first, "include", api.library, True, api.path.encode())
        else:
            message = f"{api.path} is included through a macro: " + (f"HIP has {new}" if new else "HIP has none")
            context.find_bytes(CUDA_ONLY_HEADER, start, end, message=message)
            context.refer(first, "include", api.library, False, api.path.encode())


def toolkit_header(context: Context, include: Include) -> HeaderApi | None:
    """The table row of a toolkit header; None for a project's own file: beside the source, or where HIP has none."""
    api = context.library.header(include.name)
    if not context.source.path:
        return api
    if not include.angled and (b"cub/" in include.name or b"thrust/" in include.name):
        from hipify.rules.vendored import path_in_library

        path = path_in_library(context.source.path, include.name.decode("utf-8", "surrogateescape"))
        if path:
            return context.library.header(path.encode("utf-8", "surrogateescape"))
    if api is None or (not include.angled and is_beside(context.source.path, include.name)):
        return None
    # Copies in the project are NVIDIA's all the same.
    is_nvidias = include.name.startswith((b"cutlass/", b"cute/")) or (api.library == "libcudacxx")
    return None if not api.replaced and not is_nvidias and is_in_project(context, include.name) else api


def _is_samples(context: Context, include: Include) -> bool:
    return _SAMPLES.match(include.name) is not None and not is_in_project(context, include.name)


def _rewrite(
    context: Context, include: Include, api: HeaderApi, branches: Branches, ordered: dict[bytes, list[int]]
) -> bool:
    """Rewrite one include; whether it stays, with another name."""
    target = context.target
    new = api.hip_in(target.label)
    if target.roc and api.roc and target.label in api.roc_seen.split(","):
        new = api.roc
    first = include.directive.first
    if not new:
        _without(context, include, api)
        return False
    name = new.encode()
    earlier = ordered.setdefault(name, [])
    same = earlier + (ordered.get(RUNTIME, []) if name == _RUNTIME_API else [])
    context.refer(first, "include", api.library, True, include.name)
    if name == include.name:
        earlier.append(first)
    elif branches.covered(first, same):
        delete_line(context, include)
    else:
        if _needs_runtime(context, name) and not branches.covered(first, _runtimes(name, ordered)):
            context.insert(context.tokens.start[first], b"#include <" + RUNTIME + b">" + context.source.newline)
            ordered.setdefault(RUNTIME, []).append(first)
            vars(context).setdefault("_runtime_in_front", []).append(first)
        earlier.append(first)
        context.edit(include.start + 1, include.end - 1, name)
        return True
    return False


def _needs_runtime(context: Context, name: bytes) -> bool:
    """Whether a header of HIP's compiles only behind the runtime's."""
    return name in _BEHIND_RUNTIME or (name == _GROUPS and not context.target.at_least(6))


def _runtimes(name: bytes, ordered: dict[bytes, list[int]]) -> list[int]:
    """The includes of the runtime so far that do for a header."""
    found = ordered.get(RUNTIME, [])
    return found if name == _GROUPS else found + ordered.get(_RUNTIME_API, [])


def _without(context: Context, include: Include, api: HeaderApi) -> None:
    """A CUDA header that nothing replaces: removed when HIP needs nothing, reported otherwise."""
    if api.status == "drop" or api.path in ("device_launch_parameters.h", "crt/device_functions.h", "host_defines.h"):
        context.refer(include.directive.first, "include", api.library, True, include.name)
        context.find_bytes(
            REMOVED_HEADER, include.start, include.end, message=f"{_shown(include)} removed: HIP needs no such header"
        )
        context.needs_runtime = True
        delete_line(context, include)
        return
    context.refer(include.directive.first, "include", api.library, False, include.name)
    if api.hip == api.path and not api.seen:
        text = f"{_shown(include)} stays: libhipcxx has it, which ROCm does not ship"
        fix = "Install libhipcxx and put its include folder in front of the others."
        severity = Severity.WARNING
        context.find_bytes(CUDA_ONLY_HEADER, include.start, include.end, message=text, fix=fix, severity=severity)
        context.needs_runtime = True
        return
    kind = LATER_HEADER if api.seen else CUDA_ONLY_HEADER
    text, fix = f"{_shown(include)}: no HIP header replaces it", ""
    if api.seen:
        text = f"{_shown(include)} becomes {api.hip}, which ROCm {context.target.label} does not have"
    elif context.target.label in api.roc_seen.split(","):
        option = "--miopen" if api.library == "cudnn" else "--roc"
        text += f"; ROCm has {api.roc} (option {option})"
        fix = f"Use {option} where the whole file can move to that library, or guard the include."
    elif api.roc:
        text += f"; {api.roc} of ROCm comes nearest"
    context.find_bytes(kind, include.start, include.end, message=text, fix=fix)


def _shown(include: Include) -> str:
    name = include.name.decode("utf-8", "replace")
    return f"<{name}>" if include.angled else f'"{name}"'


def delete_line(context: Context, include: Include) -> None:
    """Delete an include with its line; a comment behind it stays."""
    tokens, d = context.tokens, include.directive
    stop = d.stop
    rest = [i for i in range(d.first, d.stop) if tokens.start[i] >= include.end and tokens.text[i][:1] == b"/"]
    begin = tokens.start[d.first]
    while begin > 0 and context.source.data[begin - 1 : begin] in (b" ", b"\t"):
        begin -= 1
    if rest:
        context.edit(tokens.start[d.first], tokens.start[rest[0]], b"")
    else:
        end = tokens.end(stop) if stop < len(tokens) else tokens.start[stop]
        context.edit(begin, end, b"")


def finish(context: Context) -> None:
    """Add hip/hip_runtime.h when the file uses CUDA and no include brings it."""
    if not context.needs_runtime:
        return
    branches = context.branches
    in_front = vars(context).get("_runtime_in_front", ())
    above = vars(context).get("_above_macros", len(context.tokens))
    for include in context.structure.includes:
        if above <= include.directive.first:
            return
        if _SAMPLES.match(include.name) and context.source.path.endswith(".cu"):
            break  # it asks whether the runtime was included, as nvcc does at the head of every .cu file
        first = include.directive.first
        if not branches.path[first] and (first in in_front or _brings_runtime(context, include)):
            return
    if _does_without(context):
        return
    line_end = context.source.newline
    text = b"#include <" + RUNTIME + b">" + line_end
    if not _seen_by_all(context, branches):
        if not _may_be_for_hipcc(context) or any(
            _brings_runtime(context, include) for include in context.structure.includes
        ):
            return
        text = line_end.join((b"#ifdef __HIPCC__", text.rstrip(), b"#endif", b""))
    offset = insertion_point(context)
    at_line_start = offset == context.source.bom_length or context.source.data[offset - 1 : offset] == b"\n"
    context.insert(offset, text if at_line_start else line_end + text)


def _does_without(context: Context) -> bool:
    """Whether a host's file includes CUDA in one branch of a conditional alone: what it does without CUDA stays so."""
    if context.source.has_cuda_name or not _DEVICE_WORDS.isdisjoint(context.tokens.vocabulary):
        return False
    return any(_brings_runtime(context, include) for include in context.structure.includes)


def _seen_by_all(context: Context, branches: Branches) -> bool:
    """Whether some CUDA code of a file is seen by every compiler.

    A header that keeps all of it behind `#ifdef WITH_CUDA` is included by host files too, which must not get HIP's;
    one that asks for nvcc (`#ifdef __CUDACC__`) includes the runtime for hipcc alone, as nvcc does by itself.
    """
    if context.source.has_cuda_name or not context.structure.directives:
        return True
    used = {index for word in _CUDA_WORDS for index in context.structure.index.get(word, ())} | context.claimed
    return not used or any(not branches.around(index) for index in used)


def _may_be_for_hipcc(context: Context) -> bool:
    """Whether a file asks whether nvcc compiles it; one with a switch of its own may stand behind anything."""
    return not _ASK_FOR_NVCC.isdisjoint(context.tokens.vocabulary)


def _brings_runtime(context: Context, include: Include) -> bool:
    api = toolkit_header(context, include)
    name = api.hip_in(context.target.label).encode() if api is not None else include.name
    return name == RUNTIME or (name == _RUNTIME_API and _DEVICE_WORDS.isdisjoint(context.tokens.vocabulary))


def insertion_point(context: Context) -> int:
    """Byte offset at a line start: behind `#pragma once`, an include guard, or the first comments of the file."""
    tokens, structure = context.tokens, context.structure
    if context.branches.guard is not None:
        guard, define = structure.directives[:2]
        if EXISTENCE.keys() & set(tokens.text[guard.body : guard.stop]):
            return tokens.start[guard.first]  # a copy of a header of CUDA's: its guard asks whether HIP's was there
        return tokens.end(define.stop) if define.stop < len(tokens) else tokens.start[define.stop]
    for d in structure.directives[:3]:
        if d.name == b"pragma" and tokens.text[tokens.next(d.body, d.stop)] == b"once":
            return tokens.end(d.stop) if d.stop < len(tokens) else tokens.start[d.stop]
    branches = context.branches
    for include in structure.includes:
        if not branches.path[include.directive.first] and _before_code(context, include):
            return _line_start(context, _above_macros(context, include.directive.first))
    return _behind_first_comment(context)


def _above_macros(context: Context, first: int) -> int:
    """The directive at token `first`, or one further up whose macro would change HIP's headers."""
    macros = context.structure.macros
    if macros and macros[0].directive.first < first:
        from hipify.rules.macro_order import in_front, outermost

        if (clash := in_front(context, first)) is not None:
            return outermost(context, clash.first, ())
    return first


def _before_code(context: Context, include: Include) -> bool:
    """Whether nothing but directives and comments stands before an include: no `extern "C" {` is open around it."""
    return context.structure.prev_code(include.directive.first - 1) < 0


def _behind_first_comment(context: Context) -> int:
    tokens = context.tokens
    index = 1 if context.source.bom_length else 0
    at = tokens.start[index] if index < len(tokens) else 0
    while index < len(tokens) and tokens.text[index][:1] in (b" ", b"\t", b"\n", b"\r", b"/"):
        text = tokens.text[index]
        if text[:1] == b"/" and len(text) < 2:
            break
        index += 1
        if text in (b"\n", b"\r\n"):
            at = tokens.start[index]
            if index < len(tokens) and tokens.text[index] in (b"\n", b"\r\n"):
                break  # the blank line behind the file's first comment
    return at
