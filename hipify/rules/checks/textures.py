"""Textures and surfaces: the removed reference API, and fetches on GPUs that have no image instructions."""

from __future__ import annotations

from collections.abc import Iterable

from hipify.model import Confidence, Severity
from hipify.parser.owner import Owner
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.passes.textures import HEADER
from hipify.rules.textures import FAILING_CALLS, FETCHES, REFERENCE_CALLS, is_emulated, references, uses, without_images

TEXTURE_REFERENCE = FindingKind(
    "HPY501",
    Severity.WARNING,
    "texture reference",
    "CUDA 12 removed texture references and HIP deprecates them; GPUs without image instructions (gfx942, gfx950) "
    "reject every fetch.",
    "Move to texture objects (hipCreateTextureObject), or to plain loads through a pointer; with --offload-arch gfx942 "
    "(or gfx950) references become objects that are sampled in software there (hipify_texture.h).",
    "#include <cuda_runtime.h>\ntexture<float, 1> table;\n",
    "#include <hip/hip_runtime.h>\n__global__ void f(const float* table) {}\n",
)
NO_IMAGES = FindingKind(
    "HPY502",
    Severity.WARNING,
    "texture or surface access in device code",
    "gfx942 and gfx950 (MI300, MI350) have no image instructions: the compiler rejects the call there. It compiles for "
    "gfx908, gfx90a and gfx10 to gfx12.",
    "Translate with --offload-arch gfx942 (or gfx950): hipify_texture.h then samples in software on these GPUs, "
    "slower, and by HIP's functions on all others. Or load through a pointer.",
    "__global__ void f(float* o, cudaTextureObject_t t) {\n    o[0] = tex2D<float>(t, 0.5f, 0.5f);\n}\n",
    "__global__ void f(float* o, const float* t) {\n    o[0] = t[0];\n}\n",
)
SURFACE_REFERENCE = FindingKind(
    "HPY503",
    Severity.ERROR,
    "surface reference",
    "HIP has no surface references and CUDA 12 removed them.",
    "Move to surface objects (hipCreateSurfaceObject).",
    "surface<void, 2> target;\n",
    "#include <hip/hip_runtime.h>\n__global__ void f(hipSurfaceObject_t target) {}\n",
)

_WITHOUT_IMAGES = ("gfx942", "gfx950")
NEEDS = FETCHES | REFERENCE_CALLS | FAILING_CALLS | {b"texture", b"surface"}


def run(context: Context) -> None:
    """Report reference declarations with their uses, and fetches by architecture."""
    vocabulary = context.tokens.vocabulary
    names: set[bytes] = set()
    if b"texture" in vocabulary:
        names = _declarations(context, b"texture", TEXTURE_REFERENCE)
    if b"surface" in vocabulary:
        _declarations(context, b"surface", SURFACE_REFERENCE)
    _bindings(context, vocabulary & REFERENCE_CALLS)
    _fetches(context, sorted(vocabulary & FETCHES), names)
    if is_emulated(context):
        _failing(context, vocabulary & FAILING_CALLS)


def _declarations(context: Context, word: bytes, kind: FindingKind) -> set[bytes]:
    """Report `texture<…> name`, and give the names."""
    names = set()
    emulated = kind is TEXTURE_REFERENCE and is_emulated(context)
    for reference in references(context, word):
        name = context.text(reference.name)
        if not name[:1].isalpha() and name[:1] not in (b"_", b"&", b"*"):
            continue
        names.add(name)
        message = f"{word.decode()} reference {name.decode('utf-8', 'replace')}"
        if emulated:
            message += f": reads through a texture object ({HEADER})"
        severity = Severity.NOTE if emulated else None
        context.find(kind, reference.word, reference.greater + 1, message=message, severity=severity)
    return names


def _bindings(context: Context, names: Iterable[bytes]) -> None:
    """Report calls of the reference API, in place of the plain deprecation."""
    starts = set()
    emulated = is_emulated(context)
    for name in sorted(names):
        for index in context.structure.index[name]:
            if context.is_code(index) and context.owner(index)[0] is not Owner.USER:
                starts.add(context.tokens.start[index])
                message = f"{name.decode()}: the texture reference API is deprecated"
                if emulated and name not in FAILING_CALLS:
                    message = f"{name.decode()}: binds a texture object ({HEADER})"
                    context.find(TEXTURE_REFERENCE, index, message=message, severity=Severity.NOTE)
                else:
                    context.find(TEXTURE_REFERENCE, index, message=message)
    if starts:
        context.analysis.findings = [f for f in context.analysis.findings if f.id != "HPY104" or f.start not in starts]


def _failing(context: Context, names: Iterable[bytes]) -> None:
    """Report what the helper header leaves to HIP, which fails on these GPUs."""
    for index in uses(context, names):
        name, where = context.text(index).decode(), ", ".join(without_images(context))
        message = f"{name} fails at run time on {where}: no image instructions, and {HEADER} does not cover it"
        context.find(NO_IMAGES, index, message=message)


def _fetches(context: Context, names: Iterable[bytes], references: set[bytes]) -> None:
    archs, without = context.options.offload_arch, without_images(context)
    if archs and not without and not references:
        return
    for name in names:
        if context.declared_here(name):
            continue
        for index in context.structure.index[name]:
            call = context.structure.call_at(index)
            if call is None or not context.is_code(index) or not _in_device(context, index):
                continue
            owner, confidence = context.owner(index)
            if owner is Owner.USER:
                continue
            first = context.argument_bytes(call.args[0]) if call.args else b""
            if first in references:
                text = f"{name.decode()} from the texture reference {first.decode('utf-8', 'replace')}"
                _find(context, TEXTURE_REFERENCE, index, text, without, confidence)
            elif without or not archs:
                where = ", ".join(without or _WITHOUT_IMAGES)
                text = f"{name.decode()}: no image instructions on {where}"
                _find(context, NO_IMAGES, index, text, without, confidence)


def _find(
    context: Context, kind: FindingKind, index: int, text: str, without: list[str], confidence: Confidence
) -> None:
    severity = Severity.ERROR if without else Severity.WARNING
    if is_emulated(context):
        severity = Severity.NOTE
        text += f"; sampled in software there ({HEADER}), slower" if kind is NO_IMAGES else f" ({HEADER})"
    context.find(kind, index, message=text, severity=severity, confidence=confidence)
    macro = context.structure.macro_at(index)
    if macro is None:
        return
    name, lines = context.text(macro.name), set()
    for use in context.structure.index[name]:  # the compiler complains there, and not at the macro
        line = context.source.position(context.tokens.start[use])[0]
        if use != macro.name and line not in lines and context.functions.in_device(use):
            lines.add(line)
            message = f"{text} (through {name.decode('utf-8', 'replace')})"
            context.find(kind, use, message=message, severity=Severity.NOTE, confidence=confidence)


def _in_device(context: Context, index: int) -> bool:
    return context.functions.in_device(index) or context.structure.macro_at(index) is not None
