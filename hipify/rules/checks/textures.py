"""Textures and surfaces: the removed reference API, and fetches on GPUs that have no image instructions."""

from __future__ import annotations

from collections.abc import Iterable

from hipify.model import Confidence, Severity
from hipify.parser.semantics import Owner
from hipify.rules.arch import find_arch
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

TEXTURE_REFERENCE = FindingKind(
    "HPY501",
    Severity.WARNING,
    "texture reference",
    "CUDA 12 removed texture references and HIP deprecates them; GPUs without image instructions (gfx942, gfx950) "
    "reject every fetch.",
    "Move to texture objects (hipCreateTextureObject), or to plain loads through a pointer.",
    "#include <cuda_runtime.h>\ntexture<float, 1> table;\n",
    "#include <hip/hip_runtime.h>\n__global__ void f(const float* table) {}\n",
)
NO_IMAGES = FindingKind(
    "HPY502",
    Severity.WARNING,
    "texture or surface access in device code",
    "gfx942 and gfx950 (MI300, MI350) have no image instructions: the compiler rejects the call there. It compiles for "
    "gfx908, gfx90a and gfx10 to gfx12.",
    "Load through a pointer and interpolate by hand where the code must run on MI300; else build with a matching "
    "--offload-arch.",
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

_FETCH = (
    *(b"tex1D tex1Dfetch tex1DLod tex1DGrad tex1DLayered tex1DLayeredLod tex1DLayeredGrad".split()),
    *(b"tex2D tex2DLod tex2DGrad tex2DLayered tex2DLayeredLod tex2DLayeredGrad tex2Dgather".split()),
    *(b"tex3D tex3DLod tex3DGrad texCubemap texCubemapLod texCubemapGrad".split()),
    *(b"texCubemapLayered texCubemapLayeredLod texCubemapLayeredGrad".split()),
    *(b"surf1Dread surf1Dwrite surf2Dread surf2Dwrite surf3Dread surf3Dwrite".split()),
    *(b"surf1DLayeredread surf1DLayeredwrite surf2DLayeredread surf2DLayeredwrite".split()),
    *(b"surfCubemapread surfCubemapwrite surfCubemapLayeredread surfCubemapLayeredwrite".split()),
)
_REFERENCE_API = (
    b"cudaBindTexture",
    b"cudaBindTexture2D",
    b"cudaBindTextureToArray",
    b"cudaBindTextureToMipmappedArray",
    b"cudaUnbindTexture",
    b"cudaGetTextureAlignmentOffset",
    b"cudaGetTextureReference",
)
_WITHOUT_IMAGES = ("gfx942", "gfx950")


def run(context: Context) -> None:
    """Report reference declarations with their uses, and fetches by architecture."""
    vocabulary = context.tokens.vocabulary
    references: set[bytes] = set()
    if b"texture" in vocabulary:
        references = _declarations(context, b"texture", TEXTURE_REFERENCE)
    if b"surface" in vocabulary:
        _declarations(context, b"surface", SURFACE_REFERENCE)
    _bindings(context, vocabulary & frozenset(_REFERENCE_API))
    _fetches(context, sorted(vocabulary & frozenset(_FETCH)), references)


def _declarations(context: Context, word: bytes, kind: FindingKind) -> set[bytes]:
    """Report `texture<…> name`, and give the names."""
    structure, names = context.structure, set()
    for index in structure.index[word]:
        less = structure.next_code(index + 1)
        before = context.text(structure.prev_code(index - 1))
        if (
            context.text(less) != b"<"
            or before in (b".", b"->", b"::", b"struct", b"class")
            or not context.is_code(index)
        ):
            continue
        greater = structure.angle_end(less)
        if greater is None or context.owner(index)[0] is Owner.USER:
            continue
        name = structure.next_code(greater + 1)
        shown = context.text(name).decode("utf-8", "replace")
        if not context.text(name)[:1].isalpha() and context.text(name)[:1] not in (b"_", b"&", b"*"):
            continue
        names.add(context.text(name))
        what = "texture" if kind is TEXTURE_REFERENCE else "surface"
        context.find(kind, index, greater + 1, message=f"{what} reference {shown}")
    return names


def _bindings(context: Context, names: Iterable[bytes]) -> None:
    """Report calls of the reference API, in place of the plain deprecation."""
    starts = set()
    for name in sorted(names):
        for index in context.structure.index[name]:
            if context.is_code(index) and context.owner(index)[0] is not Owner.USER:
                starts.add(context.tokens.start[index])
                message = f"{name.decode()}: the texture reference API is deprecated"
                context.find(TEXTURE_REFERENCE, index, message=message)
    if starts:
        context.analysis.findings = [f for f in context.analysis.findings if f.id != "HPY104" or f.start not in starts]


def _fetches(context: Context, names: Iterable[bytes], references: set[bytes]) -> None:
    archs = context.options.offload_arch
    without = [a for a in archs if (arch := find_arch(a)) is not None and not arch.images]
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
