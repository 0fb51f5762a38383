"""C++ that nvcc lets pass and clang does not: the `register` keyword, C string functions without their header."""

from __future__ import annotations

import os

from hipify.model import Confidence, Severity
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import template_parameters
from hipify.rules.headers import STRING_FUNCTIONS, require
from hipify.rules.kinds import FindingKind
from hipify.rules.passes.includes import insertion_point

REGISTER = FindingKind(
    "HPY607",
    Severity.NOTE,
    "`register` removed",
    "C++17 removed the keyword: nvcc's host compiler warns, clang rejects it. It has no effect.",
    "Nothing needs to be done.",
    "#include <cuda_runtime.h>\n__global__ void k(int* p) { register int i = threadIdx.x; p[i] = i; }\n",
    "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { int i = threadIdx.x; p[i] = i; }\n",
)
STRING_HEADER = FindingKind(
    "HPY608",
    Severity.NOTE,
    "<cstring> added",
    "nvcc includes the C string functions with every file; hip/hip_runtime.h declares them for the device alone.",
    "Nothing needs to be done.",
    "#include <cuda_runtime.h>\nvoid f(float* p) { memset(p, 0, 4); }\n",
    "#include <hip/hip_runtime.h>\n#include <cstring>\nvoid f(float* p) { memset(p, 0, 4); }\n",
)
MATH_HEADER = FindingKind(
    "HPY609",
    Severity.NOTE,
    "<math.h> added",
    "nvcc includes the C mathematics functions with every file; hip/hip_runtime.h declares these for the device alone, "
    "and <cmath> only in std.",
    "Nothing needs to be done.",
    "#include <cuda_runtime.h>\n#include <cmath>\nbool f(float p) { return isfinite(p); }\n",
    "#include <hip/hip_runtime.h>\n#include <math.h>\nbool f(float p) { return isfinite(p); }\n",
)
_ALIAS = 200  # tokens: no name for a type is longer
TEMPLATE = FindingKind(
    "HPY610",
    Severity.NOTE,
    "`template` added in front of a member template's name",
    "The type in front depends on a template parameter: without the word, clang reads the `<` behind the name as a "
    "comparison, where nvcc looks the member up.",
    "Nothing needs to be done.",
    "#include <cuda_runtime.h>\ntemplate <class T> struct C { template <int n> static void go(T* p); };\n"
    "template <class T> void f(T* p) { C<T>::go<4>(p); }\n",
    "#include <hip/hip_runtime.h>\ntemplate <class T> struct C { template <int n> static void go(T* p); };\n"
    "template <class T> void f(T* p) { C<T>::template go<4>(p); }\n",
)
INTERNAL = FindingKind(
    "HPY617",
    Severity.NOTE,
    "attribute of CUDA's own headers removed",
    "CUDA's headers mark what the compiler knows with macros that are empty or say nothing to other compilers; HIP has "
    "no such macros.",
    "Nothing needs to be done.",
    "extern __device__ __device_builtin__ void __syncthreads(void);\n",
    "#include <hip/hip_runtime.h>\nextern __device__ void __syncthreads(void);\n",
)
_INTERNAL = {
    **dict.fromkeys((b"__device_builtin__", b"__cudart_builtin__", b"__inline_hint__"), b""),
    **dict.fromkeys((b"__device_builtin_texture_type__", b"__device_builtin_surface_type__"), b""),
    b"__no_return__": b"__attribute__((noreturn))",
    b"__specialization_static": b"static",
}
_INTERNAL_NAMES = frozenset(_INTERNAL)
_MATH_FUNCTIONS = (b"isfinite", b"isnan", b"isinf", b"signbit", b"isnormal", b"fpclassify")
_STRING_FUNCTIONS = frozenset(STRING_FUNCTIONS)
_STRING_HEADERS = frozenset((b"string.h", b"cstring", b"memory.h"))


def run(context: Context) -> None:
    """Drop `register` in C++ files that use CUDA; bring <cstring> where its functions are called without it."""
    if context.source.path.endswith(".c") or context.options.language == "hip":
        return
    for index in context.structure.index.get(b"register", ()):
        follower = context.structure.next_code(index + 1)
        if _uses_cuda(context) and context.is_code(index) and is_ident(context.text(follower) or b"0"):
            context.edit(context.tokens.start[index], context.tokens.start[follower], b"")
            context.find(REGISTER, index)
    for name in sorted(_INTERNAL_NAMES & context.tokens.vocabulary):
        _internal(context, name)
    if b"pragma" in context.structure.index:
        _pragmas_in_macros(context)
    _string_header(context)
    _math_header(context)
    if b"template" in context.tokens.vocabulary:
        _dependent_templates(context)


def _internal(context: Context, name: bytes) -> None:
    """Take an attribute of CUDA's headers away, with the space behind it; the program's own macro of the name stays."""
    if name in context.own_macros:
        return
    tokens, new = context.tokens, _INTERNAL[name]
    for index in context.structure.index.get(name, ()):
        if index in context.claimed or not context.is_code(index):
            continue
        if (directive := context.structure.directive_at(index)) is not None and directive.name != b"define":
            continue
        end = tokens.end(index)
        if not new and context.source.data[end : end + 1] == b" ":
            end += 1
        context.edit(tokens.start[index], end, new)
        context.claimed.add(index)
        context.find(INTERNAL, index, message=f"{name.decode()} " + (f"becomes {new.decode()}" if new else "removed"))


def _pragmas_in_macros(context: Context) -> None:
    """nvcc takes `#define UNROLL #pragma unroll`; other compilers want the operator."""
    tokens, structure = context.tokens, context.structure
    for macro in structure.macros:
        first = tokens.next(macro.first, macro.stop)
        word = tokens.next(first + 1, macro.stop)
        if macro.parameters is not None or tokens.text[first : first + 1] != [b"#"] or context.text(word) != b"pragma":
            continue
        body = [i for i in tokens.significant(word + 1, macro.stop) if tokens.text[i] != b"\\"]
        if body and _uses_cuda(context):
            text = b" ".join(context.source.data[tokens.start[body[0]] : tokens.end(body[-1])].split())
            quoted = text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
            context.edit(tokens.start[first], tokens.end(body[-1]), b'_Pragma("' + quoted + b'")')


def _uses_cuda(context: Context) -> bool:
    """Whether the file is CUDA: HIP files have passed their compiler already."""
    if any(include.name.startswith(b"hip") for include in context.structure.includes):
        return False
    return context.needs_runtime or context.source.has_cuda_name


def _string_header(context: Context) -> None:
    """CUDA's runtime header brings <string.h>; HIP's does not."""
    if any(include.name in _STRING_HEADERS for include in context.structure.includes):
        return
    called = _STRING_FUNCTIONS & context.tokens.vocabulary
    for name in (name for name in STRING_FUNCTIONS if name in called) if called else ():
        for index in context.structure.index.get(name, ()):
            before = context.text(context.structure.prev_code(index - 1))
            if before in (b".", b"->", b"::") or context.structure.call_at(index) is None:
                continue
            if not context.functions.in_device(index) and _uses_cuda(context) and not context.declared_here(name):
                require(context, ("cstring",))
                context.find(STRING_HEADER, index, message=f"{name.decode()} is called: <cstring> added")
                return
    _string_header_for_others(context)


def _string_header_for_others(context: Context) -> None:
    """The same for the project's headers of plain C++, which nobody translates: in front of them."""
    structure = context.structure
    if not structure.includes or not _uses_cuda(context):
        return
    function, header = context.included_names.string_function
    if function:
        context.insert(insertion_point(context), b"#include <cstring>" + context.source.newline)
        names = (i for i in structure.includes if os.fsdecode(i.name) == header)
        include = next(names, structure.includes[0])
        message = f"{header} calls {function.decode()}: <cstring> added"
        context.find_bytes(STRING_HEADER, include.start, include.end, message=message, confidence=Confidence.LEXICAL)


def _math_header(context: Context) -> None:
    """CUDA's runtime header brings <math.h>, which declares the classifying functions outside of std."""
    names = [name for name in _MATH_FUNCTIONS if name in context.tokens.vocabulary]
    if not names or any(include.name == b"math.h" for include in context.structure.includes):
        return
    for name in () if _uses_namespace_std(context) else names:
        for index in context.structure.index.get(name, ()):
            before = context.text(context.structure.prev_code(index - 1))
            if before in (b".", b"->", b"::", b"using") or context.structure.call_at(index) is None:
                continue
            if context.functions.in_device(index) or not context.is_code(index) or context.declared_here(name):
                continue
            if _uses_cuda(context):
                require(context, ("math.h",))
                context.find(MATH_HEADER, index, message=f"{name.decode()} is called: <math.h> added")
            return


def _uses_namespace_std(context: Context) -> bool:
    return any(
        context.text(context.structure.prev_code(index - 1)) == b"namespace"
        for index in context.structure.index.get(b"std", ())
    )


def _dependent_templates(context: Context) -> None:
    """Write `template` in `C<T>::go<4>(...)` and `T::go<4>(...)`, where `T` is a template's parameter."""
    found = [
        name for index in context.structure.index.get(b"::", ()) if (name := _member_template(context, index)) >= 0
    ]
    if not found or not _uses_cuda(context):
        return
    parameters = template_parameters(context)
    names = parameters | _dependent_aliases(context, parameters)
    for name in found:
        scope = context.structure.prev_code(name - 1)
        before = context.structure.prev_code(scope - 1)
        opener = context.structure.angle_start(before) if context.text(before) == b">" else None
        qualified = context.text(before) in names and context.text(context.structure.prev_code(before - 1)) != b"::"
        if qualified or (opener is not None and not parameters.isdisjoint(context.tokens.text[opener:before])):
            context.insert(context.tokens.start[name], b"template ")
            context.find(TEMPLATE, name, message=f"template written in front of {context.text(name).decode()}<...>")


def _member_template(context: Context, index: int) -> int:
    """The name in `scope::name<...>(`, for the `::` at a token; -1 where something else stands."""
    structure = context.structure
    name = structure.next_code(index + 1)
    less = structure.next_code(name + 1)
    before = context.text(structure.prev_code(index - 1))
    if context.text(less) != b"<" or not (before == b">" or is_ident(before or b"0")):
        return -1
    end = structure.angle_end(less)
    called = end is not None and context.text(structure.next_code(end + 1)) == b"("
    return name if called and is_ident(context.text(name) or b"0") and context.is_code(index) else -1


def _dependent_aliases(context: Context, parameters: set[bytes]) -> set[bytes]:
    """The file's names for types in which parameters of templates stand."""
    structure, text, names = context.structure, context.tokens.text, set(parameters)
    for keyword in (b"typedef", b"using"):
        for index in structure.index.get(keyword, ()) if parameters else ():
            stop = next((i for i in range(index, min(index + _ALIAS, len(text))) if text[i] == b";"), index)
            named = structure.prev_code(stop - 1) if keyword == b"typedef" else structure.next_code(index + 1)
            if stop > index and is_ident(text[named]) and not names.isdisjoint(text[index:stop]):
                names.add(text[named])
    return names
