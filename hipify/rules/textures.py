"""What textures, surfaces and CUDA arrays are called, and where a file uses them. Facts; nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hipify.parser.owner import Owner
from hipify.records import NamedTuple
from hipify.rules.arch import find_arch
from hipify.rules.context import Context

FETCHES = frozenset(
    (
        *(b"tex1D tex1Dfetch tex1DLod tex1DGrad tex1DLayered tex1DLayeredLod tex1DLayeredGrad".split()),
        *(b"tex2D tex2DLod tex2DGrad tex2DLayered tex2DLayeredLod tex2DLayeredGrad tex2Dgather".split()),
        *(b"tex3D tex3DLod tex3DGrad texCubemap texCubemapLod texCubemapGrad".split()),
        *(b"texCubemapLayered texCubemapLayeredLod texCubemapLayeredGrad".split()),
        *(b"surf1Dread surf1Dwrite surf2Dread surf2Dwrite surf3Dread surf3Dwrite".split()),
        *(b"surf1DLayeredread surf1DLayeredwrite surf2DLayeredread surf2DLayeredwrite".split()),
        *(b"surfCubemapread surfCubemapwrite surfCubemapLayeredread surfCubemapLayeredwrite".split()),
    )
)
"""The device functions that are image instructions."""
REFERENCE_CALLS = frozenset(
    b"cudaBindTexture cudaBindTexture2D cudaBindTextureToArray cudaBindTextureToMipmappedArray cudaUnbindTexture "
    b"cudaGetTextureAlignmentOffset cudaGetTextureReference".split()
)
"""The calls that texture references have."""
OBJECT_CALLS = frozenset(
    b"cudaCreateTextureObject cudaDestroyTextureObject cudaGetTextureObjectResourceDesc cudaCreateSurfaceObject "
    b"cudaGetTextureObjectTextureDesc cudaGetTextureObjectResourceViewDesc cudaDestroySurfaceObject "
    b"cuTexObjectCreate cuTexObjectDestroy".split()
)
ARRAY_CALLS = frozenset(
    b"cudaMallocArray cudaMalloc3DArray cudaFreeArray cudaArrayGetInfo cudaGetChannelDesc cudaMemcpy2DToArray "
    b"cudaMemcpy2DToArrayAsync cudaMemcpy2DFromArray cudaMemcpy2DFromArrayAsync cudaMemcpy2DArrayToArray "
    b"cudaMemcpyToArray cudaMemcpyFromArray cuArrayCreate cuArrayCreate_v2 cuArray3DCreate cuArray3DCreate_v2 "
    b"cuArrayDestroy cuArrayGetDescriptor cuArrayGetDescriptor_v2 cuArray3DGetDescriptor cuArray3DGetDescriptor_v2 "
    b"cuMemcpyHtoA cuMemcpyHtoA_v2 cuMemcpyAtoH cuMemcpyAtoH_v2 cudaMallocMipmappedArray cudaFreeMipmappedArray "
    b"cudaGetMipmappedArrayLevel cuMipmappedArrayCreate cuMipmappedArrayDestroy cuMipmappedArrayGetLevel".split()
)
COPIES = frozenset(
    b"cudaMemcpy3D cudaMemcpy3DAsync cudaGraphAddMemcpyNode cudaGraphMemcpyNodeSetParams "
    b"cudaGraphExecMemcpyNodeSetParams cuMemcpy2D cuMemcpy2D_v2 cuMemcpy2DAsync cuMemcpy2DAsync_v2 cuMemcpy2DUnaligned "
    b"cuMemcpy2DUnaligned_v2 cuMemcpy3D cuMemcpy3D_v2 cuMemcpy3DAsync cuMemcpy3DAsync_v2".split()
)
"""Copies of arrays, or of memory alone."""
FAILING_CALLS = frozenset(
    b"cudaBindTextureToMipmappedArray cuModuleGetTexRef "
    b"cuTexRefSetArray cuTexRefSetAddress cuTexRefSetAddress_v2 cuTexRefSetAddress2D cuTexRefSetAddress2D_v2 "
    b"cuTexRefSetAddress2D_v3 cuTexRefSetMipmappedArray cuTexObjectGetResourceDesc cuTexObjectGetResourceViewDesc "
    b"cuTexObjectGetTextureDesc cuMemcpyAtoA cuMemcpyAtoA_v2 cuMemcpyAtoD cuMemcpyAtoD_v2 cuMemcpyDtoA "
    b"cuMemcpyDtoA_v2 cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2 cuMemcpyHtoAAsync cuMemcpyHtoAAsync_v2 "
    b"cudaExternalMemoryGetMappedMipmappedArray cudaGraphicsSubResourceGetMappedArray "
    b"cudaGraphicsResourceGetMappedMipmappedArray cuExternalMemoryGetMappedMipmappedArray "
    b"cuGraphicsSubResourceGetMappedArray cuGraphicsResourceGetMappedMipmappedArray".split()
)
"""Calls that fail on a GPU without image instructions, also with the helper header."""


class Reference(NamedTuple):
    """`texture<…>` in the file: the word, the closing bracket, the name behind it."""

    word: int
    greater: int
    name: int


def references(context: Context, word: bytes) -> Iterator[Reference]:
    """Every use of the type `texture` or `surface` of CUDA's, with its arguments, that names something."""
    structure = context.structure
    for index in structure.index.get(word, ()):
        less = structure.next_code(index + 1)
        before = context.text(structure.prev_code(index - 1))
        if context.text(less) != b"<" or before in (b".", b"->", b"::", b"class") or not context.is_code(index):
            continue
        greater = structure.angle_end(less)
        if greater is None or context.owner(index)[0] is Owner.USER:
            continue
        yield Reference(index, greater, structure.next_code(greater + 1))


def without_images(context: Context) -> list[str]:
    """The architectures asked for that have no image instructions."""
    archs = context.options.offload_arch
    return [a for a in archs if (arch := find_arch(a)) is not None and not arch.images]


def is_emulated(context: Context) -> bool:
    """Whether textures of this source are sampled in software where the GPU has no image instructions."""
    return context.options.language != "hip" and not context.embedded and bool(without_images(context))


def uses(context: Context, names: Iterable[bytes]) -> Iterator[int]:
    """The uses of functions of CUDA's, by name."""
    for name in sorted(names):
        if name not in context.structure.index or context.declared_here(name):
            continue
        for index in context.structure.index[name]:
            if context.is_code(index) and context.owner(index)[0] is not Owner.USER:
                yield index
