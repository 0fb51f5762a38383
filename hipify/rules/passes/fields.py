"""Members of CUDA's structs: those that HIP names otherwise are renamed, those that HIP lacks are reported."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from hipify.model import Confidence, Severity
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.declared import (
    aliased,
    declared_type,
    initialiser,
    returned_type,
    template_parameters,
    type_word,
)
from hipify.rules.kinds import FindingKind
from hipify.rules.library import FieldApi, Library, map_name
from hipify.rules.member_names import IN_FRONT, handed, scope_of

MISSING_FIELD = FindingKind(
    "HPY115",
    Severity.ERROR,
    "struct member that HIP's struct does not have",
    "HIP's counterpart of the struct has no such member: hipcc will not compile the line.",
    "Leave the member out under HIP, or get its value otherwise (hipDeviceGetAttribute has most device properties).",
    "int f() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); return p.sparseCudaArraySupported; }\n",
    "int f() { hipDeviceProp_t p; hipGetDeviceProperties(&p, 0); return p.managedMemory; }\n",
)

# Members that the tables do not hold, by struct: what to write, and since which ROCm release it must be written.
_KERNEL_NODE = {
    f"{part}Dim{axis}".encode(): (f"{part}Dim.{axis.lower()}".encode(), (0, 0))
    for part in ("grid", "block")
    for axis in "XYZ"
}
_Renaming = dict[str, dict[bytes, tuple[bytes, tuple[int, int]]]]
_RENAMED: _Renaming = {
    "cudaPointerAttributes": {b"memoryType": (b"type", (6, 0))},
    "CUDA_KERNEL_NODE_PARAMS": _KERNEL_NODE,
}
# MIOpen has one result struct for the searches of all three directions, with a union of algorithms.
_MIOPEN: _Renaming = {
    f"cudnnConvolution{direction}AlgoPerf_t": {b"algo": (f"{member}_algo".encode(), (0, 0))}
    for direction, member in (("Fwd", "fwd"), ("BwdData", "bwd_data"), ("BwdFilter", "bwd_weights"))
}
_MIOPEN_RESULT = "miopenConvAlgoPerf_t"
_MIOPEN_LACKS = frozenset((b"status", b"determinism", b"mathType"))
_Moved = dict[str, tuple[bytes, tuple[int, int]]]
_SECOND_NAMES = {
    **dict.fromkeys(("cudaStreamAttrValue", "cudaKernelNodeAttrValue"), "cudaLaunchAttributeValue"),
    **dict.fromkeys(("CUstreamAttrValue", "CUkernelNodeAttrValue"), "CUlaunchAttributeValue"),
}
Words = dict[str, list[bytes]]
"""The CUDA structs that a file names, each with the spellings it uses."""

_TELLING = 8
"""Letters of a member's name that other structs than CUDA's hardly have, if some are capitals."""
_SUFFIX = lazy(r"(?:_v\d+)?(?:_st|_union|_enum)?(?:_v\d+)?\Z")


def run(context: Context) -> None:
    """Look at every member access whose name a CUDA struct has."""
    renaming, every = _renamed(context.target.miopen)
    renamed = every & context.tokens.vocabulary
    known = context.library.field_names & context.tokens.vocabulary
    if context.target.miopen:
        known |= _MIOPEN_LACKS & context.tokens.vocabulary
    words = _struct_words(context) if known or renamed else {}
    for name in sorted(known | renamed):
        lacking = _lacking(context.library, name, context.target.label)
        if context.target.miopen and name in _MIOPEN_LACKS:
            member = name.decode()
            lacking = lacking | {struct: FieldApi(struct, member, _MIOPEN_RESULT, "", "", "", "") for struct in _MIOPEN}
        moved = {struct: names[name] for struct, names in renaming.items() if name in names}
        if not (lacking or moved) or not _relevant(name, words, (*lacking, *moved)):
            continue
        for index in context.structure.index.get(name, ()):
            before = context.text(context.structure.prev_code(index - 1))
            is_access = before in (b".", b"->")
            if index not in context.claimed and (is_access or before in IN_FRONT):
                owner = _owner if is_access else _owner_elsewhere
                struct, confidence = owner(context, index, words, (*lacking, *moved))
                if struct in moved:
                    _rename(context, index, *moved[struct], confidence)
                elif struct in lacking:
                    _report(context, index, lacking[struct], confidence)
                elif is_access:
                    _in_template(context, index, words, lacking, moved)


@cache
def _renamed(miopen: bool) -> tuple[_Renaming, frozenset[bytes]]:
    """The members that get other names, by struct; and the names of all of them."""
    renaming = _RENAMED | _MIOPEN if miopen else _RENAMED
    return renaming, frozenset(name for names in renaming.values() for name in names)


@lru_cache(1 << 12)
def _lacking(library: Library, name: bytes, label: str) -> dict[str, FieldApi]:
    """The structs whose counterpart in HIP lacks the member, or names it otherwise."""
    return {_plain(api.struct): api for api in library.field(name) if _lacks(api, label)}


def _lacks(api: FieldApi, label: str) -> bool:
    if not api.hip_field or api.hip_field != api.field:
        return True
    return label not in api.seen.split(",")


@cache
def _plain(struct: str) -> str:
    """A struct's name without the suffixes of versions and tags, which users leave out; of a second name the first."""
    name = _SUFFIX.sub("", struct.removeprefix("struct ").strip())
    return _SECOND_NAMES.get(name, name)


@cache
def _struct(word: bytes) -> str:
    return _plain(word.decode())


def _relevant(name: bytes, words: Words, structs: Iterable[str]) -> bool:
    """Whether the file names one of the structs, or the member's name is unmistakable."""
    return any(s in words for s in structs) or (len(name) > 12 and name.lower() != name)


def _struct_words(context: Context) -> Words:
    found: Words = {}
    for word in context.api_names:
        found.setdefault(_struct(word), []).append(word)
    return found


def _rename(context: Context, index: int, new: bytes, since: tuple[int, int], confidence: Confidence) -> None:
    if context.target.rocm >= since:
        context.replace(index, new, confidence)
        context.refer(index, "field", "runtime", True)


def _report(context: Context, index: int, api: FieldApi, confidence: Confidence) -> None:
    """Rename a member that has another name in HIP; report one that has none."""
    struct = context.library.get(_plain(api.struct).encode()) or context.library.get(api.struct.encode())
    hip_struct = api.hip_struct
    if struct is not None and hip_struct != _MIOPEN_RESULT:
        hip_struct = map_name(struct, context.target).name
    if not hip_struct:
        return  # the struct's own name is reported
    if api.hip_field not in ("", api.field):
        _rename(context, index, api.hip_field.encode(), (0, 0), confidence)
        return
    context.claimed.add(index)
    context.refer(index, "field", "runtime", False)
    release = f" in ROCm {context.target.label}" if api.seen else ""
    text = f"{_plain(api.struct)}::{api.field}: {hip_struct} has no such member{release}"
    context.find(MISSING_FIELD, index, message=text, confidence=confidence)


def _in_template(context: Context, index: int, words: Words, lacking: Iterable[str], moved: _Moved) -> None:
    """Report a member of a parameter's type, `template <class P> int f(const P& p)`, if but one known struct has it."""
    gone = (struct for struct, (_, since) in moved.items() if context.target.rocm >= since)
    named = [struct for struct in (*lacking, *gone) if struct in words]
    name = context.text(index)
    if len(named) != 1 or len(name) < _TELLING or name.islower() or context.declared_here(name):
        return
    base, is_called = _base(context, index)
    kind = declared_type(context, base) if base >= 0 and not is_called else b""
    if kind == b"auto" and initialiser(context, base) >= 0:
        return
    if kind == b"auto" or (kind and kind in template_parameters(context)):
        api = context.library.get(named[0].encode())
        new = map_name(api, context.target).name if api is not None else ""
        message = f"{name.decode()}, which {new} lacks, of what the template is given: it may be that struct"
        context.find(MISSING_FIELD, index, message=message, severity=Severity.WARNING)


def _owner(context: Context, index: int, words: Words, structs: Iterable[str]) -> tuple[str, Confidence]:
    """The CUDA struct whose member is accessed; '' when it is another's or not known."""
    if context.semantics is not None:
        owner = context.semantics.field_owner(context.tokens.start[index]) or _type_of_base(context, index)
        if owner:
            return _plain(owner), Confidence.CLANG
    base, is_called = _base(context, index)
    if base < 0:
        return "", Confidence.LEXICAL
    if is_called:
        return _returned_by(context, base, words, structs), Confidence.LEXICAL
    return _declared_as(context, base, words, structs), Confidence.LEXICAL


def _owner_elsewhere(context: Context, index: int, words: Words, structs: Iterable[str]) -> tuple[str, Confidence]:
    """The CUDA struct of a member that has no object in front of it: `&T::m`, `offsetof(T, m)`, `SHOW(p, m)`."""
    use = None if (word := scope_of(context, index)) else handed(context, index)
    word = use.word if use is not None else word
    if not word:
        return "", Confidence.LEXICAL
    wanted = _wanted(words, structs)
    struct = wanted.get(word) or wanted.get(aliased(context, word), "")
    if not struct and use is not None:
        struct = _declared_as(context, use.token if use.token >= 0 else index, words, structs, word)
    return struct, Confidence.LEXICAL


def _type_of_base(context: Context, index: int) -> str:
    """The type that clang sees in front of the `.` or `->`: it knows no members that newer CUDA releases lack."""
    structure, start = context.structure, context.tokens.start
    last = at = structure.prev_code(structure.prev_code(index - 1) - 1)
    while at >= 0:
        if context.text(at) in (b"]", b")"):
            opener = structure.partner.get(at, 0)
            before = structure.prev_code(opener - 1)
            if context.text(before) not in (b"]", b")") and not is_ident(context.text(before) or b"0"):
                at = opener
                break
            at = before
            continue
        before = structure.prev_code(at - 1)
        if context.text(before) not in (b".", b"->", b"::"):
            break
        at = structure.prev_code(before - 1)
    if at < 0 or context.semantics is None:
        return ""
    found = context.semantics.expr_type(start[at], start[last + 1])
    return re.sub(r"\b(?:const|volatile|struct)\b|[*& ]", "", found)


def _base(context: Context, index: int) -> tuple[int, bool]:
    """The identifier whose member is accessed, and whether it is called for that; -1 when another expression is."""
    structure = context.structure
    at = structure.prev_code(structure.prev_code(index - 1) - 1)
    while at >= 0 and context.text(at) in (b"]", b")"):
        opener = structure.partner.get(at, -1)
        function = structure.prev_code(opener - 1)
        if context.text(at) == b")" and is_ident(context.text(function) or b"0"):
            return function, True
        inner = structure.prev_code(at - 1)
        at = inner if context.text(at) == b")" else function
    if context.text(at) in (b"{", b","):  # `T a = {.member = 1}`, `T{.member = 1}`
        brace = structure.enclosing(index) or 0
        at = structure.prev_code(brace - 1) if context.text(brace) == b"{" else -1
        at = structure.prev_code(at - 1) if context.text(at) == b"=" else at
    return (at if at >= 0 and is_ident(context.text(at)) else -1), False


def _returned_by(context: Context, function: int, words: Words, structs: Iterable[str]) -> str:
    """The one of `structs` that a function of the file's own returns; '' otherwise."""
    wanted = _wanted(words, structs)
    return wanted.get(returned_type(context, context.text(function), wanted), "")


def _declared_as(context: Context, base: int, words: Words, structs: Iterable[str], name: bytes = b"") -> str:
    """The one of `structs` that the nearest declaration of the identifier before its use names; '' otherwise."""
    wanted = _wanted(words, structs)
    if (word := name or context.text(base)) in wanted:
        return wanted[word]
    nearest = declared_type(context, base, name)
    if nearest == b"auto" and not name and (first := initialiser(context, base)) >= 0:
        if context.text(context.structure.next_code(first + 1)) == b"(":
            return _returned_by(context, first, words, structs)
        return _declared_as(context, first, words, structs) if context.text(first) != context.text(base) else ""
    if nearest:
        return wanted.get(nearest) or wanted.get(aliased(context, nearest), "")
    places = context.structure.index.get(word, [])
    return next((wanted[w] for at in places if (w := type_word(context, at)) in wanted), "")


def _wanted(words: Words, structs: Iterable[str]) -> dict[bytes, str]:
    return {word: struct for struct in structs for word in words.get(struct, ())}
