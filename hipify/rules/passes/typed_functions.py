"""Device functions that HIP, or a helper header of ours, has for other types than a call's: headers with the rest."""

from __future__ import annotations

import re

from hipify.model import Confidence
from hipify.parser.owner import Owner
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.declared import declared_type, parameters, template_parameters
from hipify.rules.passes.builtins import PROVIDED, header_text, include_helpers
from hipify.rules.surgery import type_of

BFLOAT, OVERLOADS = "hipify_bfloat16.h", "hipify_overloads.h"
_HALF = "hipify_half.h"
_BFLOATS = frozenset((b"__nv_bfloat16", b"nv_bfloat16", b"__nv_bfloat162", b"nv_bfloat162"))
_DEFINITION = lazy(rb"^HIPIFY_(?:BOTH|DEVICE) [\w ]+ (\w+)\(", re.MULTILINE)
_PLAIN = lazy(r"\b(?:half|int|float|double|char|short|long|unsigned)\d?\b")
_FLOAT, _VECTOR, _WORD = r"(?:const )?float\Z", r"float[24](?: ?\*|\Z)", r"(?:volatile )?long long ?\*"
# The first argument that HIP's own function does not take, by name.
_TAKES = {
    **dict.fromkeys((b"sincos", b"sincospi"), _FLOAT),
    **dict.fromkeys((b"atomicAdd", b"atomicAdd_system"), _VECTOR),
    **dict.fromkeys((a + b for a in (b"atomicAnd", b"atomicOr", b"atomicXor") for b in (b"", b"_system")), _WORD),
    b"atomicCAS": r"unsigned short ?\*",
    **dict.fromkeys((b"__dp2a_lo", b"__dp2a_hi"), r"(?:const )?u?short2\Z"),
    b"__ldg": r"(?:const )?ushort4 ?\*",
    b"fdivide": "",
}
# CUDA exchanges 16 bytes of any type.
_EXCHANGES = frozenset(a + b for a in (b"atomicExch", b"atomicCAS") for b in (b"", b"_block", b"_system"))
_SIXTEEN = lazy(r"(?:volatile )?(?:(?:float|u?int)4|(?:double|u?long|u?longlong)2|(?:unsigned )?__int128)(?: ?\*|\Z)")
_VECTOR_TYPES, _MAKERS = (b"float2", b"float4"), (b"make_float2", b"make_float4")
# Without these words in the file no call of the functions can have such an argument.
_NEEDS = {_VECTOR: (b"float2", b"float4"), _WORD: (b"long", b"int64_t"), _TAKES[b"__ldg"]: (b"ushort4",)}

NEEDS = frozenset((*_BFLOATS, *_TAKES, *_EXCHANGES))


def run(context: Context) -> None:
    """Include the headers that a call's types ask for."""
    if context.options.language == "hip":
        return
    index, needed = context.structure.index, []
    if not _BFLOATS.isdisjoint(context.tokens.vocabulary):
        names = frozenset(_DEFINITION.findall(header_text(BFLOAT))) & index.keys()
        calls = [i for name in sorted(names) for i in _calls(context, name) if _takes_bfloat(context, i)]
        if _tell(context, calls, BFLOAT):
            context.analysis.helper_headers[_HALF] = header_text(_HALF)
            needed.append(BFLOAT)
    names = frozenset(n for n in _TAKES.keys() & index.keys() if any(w in index for w in _NEEDS.get(_TAKES[n], (n,))))
    calls = [i for name in sorted(names) for i in _calls(context, name) if _is_lacking(context, i)]
    if _tell(context, calls, OVERLOADS):
        needed.append(OVERLOADS)
    if needed:
        context.needs_runtime = True
        include_helpers(context, needed)
    for name in sorted(_EXCHANGES & index.keys()):
        _wide(context, name)


def _wide(context: Context, name: bytes) -> None:
    """Report exchanges of 16 bytes, which CUDA has since compute capability 9.0."""
    from hipify.rules.passes.names import UNSUPPORTED

    for index in _calls(context, name):
        call = context.structure.call_at(index)
        kind = _kind(context, index) or (_last_type(context, call.args[0]).decode() if call is not None else "")
        if _SIXTEEN.match(kind):
            message = f"{name.decode()} of 16 bytes: HIP's take 8 at most"
            context.find(UNSUPPORTED, index, message=message)


def _calls(context: Context, name: bytes) -> list[int]:
    """The calls of CUDA's function."""
    is_own, found = context.declared_here(name), []
    for index in () if is_own and not _leaves_vectors(context, name) else context.structure.index[name]:
        call = context.structure.call_at(index)
        owner, confidence = context.owner(index)
        is_others = owner is Owner.USER and not (is_own and confidence is Confidence.LEXICAL)
        if call is not None and call.args and context.is_code(index) and not is_others:
            found.append(index)
    return found


def _leaves_vectors(context: Context, name: bytes) -> bool:
    """Whether the file's own functions of a name, `atomicAdd(double*, double)`, take no vectors: CUDA's then do."""
    if _TAKES.get(name) != _VECTOR:
        return False
    own = {word for types in parameters(context, name) if types for word in types[0]}
    return bool(own) and own.isdisjoint(_VECTOR_TYPES) and own.isdisjoint(template_parameters(context))


def _kind(context: Context, index: int) -> str:
    """The type of a call's first argument, as far as it is known."""
    call = context.structure.call_at(index)
    return type_of(context, call.args[0]) if call is not None else ""


def _takes_bfloat(context: Context, index: int) -> bool:
    """Whether a call takes a bfloat16, or what a template's parameter decides."""
    kind = _kind(context, index)
    return "bfloat" in kind or (b"template" in context.structure.index and not _PLAIN.search(kind))


def _is_lacking(context: Context, index: int) -> bool:
    """Whether the first argument has a type that HIP's function does not take."""
    name = context.text(index)
    if name == b"atomicCAS" and context.target.at_least(7):
        return False
    if not context.functions.in_device(index):
        return False
    kind = _kind(context, index)
    if re.match(_TAKES[name], kind) is not None:
        return True
    return _TAKES[name] == _VECTOR and not _PLAIN.search(kind) and _may_be_vector(context, index, kind)


def _may_be_vector(context: Context, index: int, kind: str) -> bool:
    """Whether an atomic whose address has no known type adds vectors, by its words: `atomicAdd(p, make_float4(…))`."""
    call = context.structure.call_at(index)
    if call is None or len(call.args) < 2:
        return False
    address, value = call.args[0], call.args[1]
    words = context.tokens.text[address.first : address.stop]
    if "type-parameter" in kind or kind.rstrip(" *&") in _parameters_of_templates(context):
        return True
    if any(word in words for word in _VECTOR_TYPES) or context.text(value.first) in (*_VECTOR_TYPES, *_MAKERS):
        return True
    return any(_last_type(context, argument) in _VECTOR_TYPES for argument in (address, value))


def _parameters_of_templates(context: Context) -> frozenset[str]:
    """What follows `typename` and `class` in the file: the names of templates' parameters, mostly."""
    structure = context.structure
    places = (i for word in (b"typename", b"class") for i in structure.index.get(word, ()))
    return frozenset(context.text(structure.next_code(i + 1)).decode("utf-8", "replace") for i in places)


def _last_type(context: Context, argument: Argument) -> bytes:
    """The type's word of the last member or variable that an operand names: `&a->b[i]`, `p + i`."""
    structure, at = context.structure, argument.first
    while context.text(at) in (b"&", b"(", b"*"):
        at = structure.next_code(at + 1)
    name = at
    while at < argument.stop and (is_ident(context.text(at)) or context.text(at) in (b".", b"->", b"[")):
        name = at if is_ident(context.text(at)) else name
        at = structure.next_code((structure.partner.get(at, at) if context.text(at) == b"[" else at) + 1)
    return declared_type(context, name) if is_ident(context.text(name) or b"0") else b""


def _tell(context: Context, calls: list[int], header: str) -> bool:
    """Name each call that a header of ours serves; whether there are any."""
    for index in calls:
        message = f"{context.text(index).decode()}: HIP has it for other types, {header} provides it"
        context.find(PROVIDED, index, message=message)
    if calls:
        context.analysis.helper_headers[header] = header_text(header)
    return bool(calls)
