// Every texture and surface function, and every call of arrays and objects that hipify_texture.h covers.
#include <cuda.h>
#include <cuda_runtime.h>

texture<float, cudaTextureType1D> line;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> plane(1, cudaFilterModeLinear, cudaAddressModeMirror);
static texture<short2, cudaTextureType3D, cudaReadModeElementType> volume;
texture<float, cudaTextureType2DLayered> layers;
texture<float4, cudaTextureTypeCubemap> cube;

template <typename T>
__global__ void textures(T *out, cudaTextureObject_t t, float x, float y, float z)
{
    const float2 d2 = make_float2(1, 1);
    const float4 d4 = make_float4(1, 1, 1, 1);
    int n = 0;
    out[n++] = tex1Dfetch<T>(t, 3);
    out[n++] = tex1D<T>(t, x);
    out[n++] = tex1DLod<T>(t, x, 0);
    out[n++] = tex1DGrad<T>(t, x, 1, 1);
    out[n++] = tex1DLayered<T>(t, x, 1);
    out[n++] = tex1DLayeredLod<T>(t, x, 1, 0);
    out[n++] = tex1DLayeredGrad<T>(t, x, 1, 1, 1);
    out[n++] = tex2D<T>(t, x, y);
    out[n++] = tex2DLod<T>(t, x, y, 0);
    out[n++] = tex2DGrad<T>(t, x, y, d2, d2);
    out[n++] = tex2DLayered<T>(t, x, y, 1);
    out[n++] = tex2DLayeredLod<T>(t, x, y, 1, 0);
    out[n++] = tex2DLayeredGrad<T>(t, x, y, 1, d2, d2);
    out[n++] = tex3D<T>(t, x, y, z);
    out[n++] = tex3DLod<T>(t, x, y, z, 0);
    out[n++] = tex3DGrad<T>(t, x, y, z, d4, d4);
    out[n++] = texCubemap<T>(t, x, y, z);
    out[n++] = texCubemapLod<T>(t, x, y, z, 0);
    out[n++] = texCubemapLayered<T>(t, x, y, z, 1);
    out[n++] = texCubemapLayeredLod<T>(t, x, y, z, 1, 0);
    tex2D(out + n, t, x, y);
    tex1Dfetch(out + n, t, 4);
}

__global__ void gathers(float4 *out, cudaTextureObject_t t)
{
    out[0] = tex2Dgather<float4>(t, 0.5f, 0.5f);
    out[1] = tex2Dgather<float4>(t, 0.5f, 0.5f, 2);
}

__global__ void references(float4 *out, int n)
{
    out[n].x = tex1Dfetch(line, n) + tex1D(line, 0.5f);
    out[n].y = tex2D(plane, 0.5f, 0.5f).w;
    const short2 both = tex3D(volume, 1, 2, 3);
    out[n].z = both.x + both.y + tex2DLayered(layers, 0.5f, 0.5f, 1);
    out[n + 1] = texCubemap(cube, 1, 0, 0);
}

template <typename T>
__global__ void surfaces(T v, cudaSurfaceObject_t s, int x, int y, int z)
{
    T w;
    surf1Dread(&w, s, x);
    surf1Dwrite(v, s, x);
    surf2Dread(&w, s, x, y);
    surf2Dwrite(v, s, x, y);
    surf2Dwrite(v, s, x, y, cudaBoundaryModeZero);
    surf3Dread(&w, s, x, y, z);
    surf3Dwrite(v, s, x, y, z);
    surf1DLayeredread(&w, s, x, z);
    surf1DLayeredwrite(v, s, x, z);
    surf2DLayeredread(&w, s, x, y, z);
    surf2DLayeredwrite(v, s, x, y, z);
    surfCubemapread(&w, s, x, y, z);
    surfCubemapwrite(v, s, x, y, z);
    w = surf2Dread<T>(s, x, y);
    surf2Dwrite(w, s, x, y);
}

template __global__ void textures(float *, cudaTextureObject_t, float, float, float);
template __global__ void textures(float4 *, cudaTextureObject_t, float, float, float);
template __global__ void textures(uchar2 *, cudaTextureObject_t, float, float, float);
template __global__ void textures(int *, cudaTextureObject_t, float, float, float);
template __global__ void surfaces(float, cudaSurfaceObject_t, int, int, int);
template __global__ void surfaces(ushort4, cudaSurfaceObject_t, int, int, int);

template <typename T>
cudaError_t bind(const texture<T, cudaTextureType1D> &reference, const T *memory, size_t n)
{
    return cudaBindTexture(nullptr, reference, memory, n * sizeof(T));
}

void runtime(cudaArray_t *a, cudaStream_t stream, float *memory, cudaGraph_t graph, cudaGraphNode_t *node)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaExtent extent = make_cudaExtent(8, 8, 0);
    unsigned flags;
    size_t offset;
    auto allocate = &cudaMallocArray;
    cudaMallocArray(a, &format, 8);
    cudaMallocArray(a, &format, 8, 8, cudaArraySurfaceLoadStore);
    cudaMalloc3DArray(a, &format, extent, cudaArrayDefault);
    cudaArrayGetInfo(&format, &extent, &flags, *a);
    cudaGetChannelDesc(&format, *a);
    cudaMemcpy2DToArray(*a, 0, 0, memory, 32, 32, 8, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArrayAsync(*a, 0, 0, memory, 32, 32, 8, cudaMemcpyHostToDevice, stream);
    cudaMemcpy2DFromArray(memory, 32, *a, 0, 0, 32, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy2DFromArrayAsync(memory, 32, *a, 0, 0, 32, 8, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyToArray(*a, 0, 0, memory, 256, cudaMemcpyHostToDevice);
    cudaMemcpyFromArray(memory, *a, 0, 0, 256, cudaMemcpyDeviceToHost);
    cudaMemcpy3DParms copy = {};
    copy.dstArray = *a;
    cudaMemcpy3D(&copy);
    cudaMemcpy3DAsync(&copy, stream);
    cudaGraphAddMemcpyNode(node, graph, nullptr, 0, &copy);
    cudaGraphMemcpyNodeSetParams(*node, &copy);

    cudaResourceDesc resource = {};
    cudaTextureDesc texture = {};
    cudaTextureObject_t object = 0;
    cudaSurfaceObject_t surface = 0;
    cudaCreateTextureObject(&object, &resource, &texture, nullptr);
    cudaGetTextureObjectResourceDesc(&resource, object);
    cudaGetTextureObjectTextureDesc(&texture, object);
    cudaDestroyTextureObject(object);
    cudaCreateSurfaceObject(&surface, &resource);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(*a);
    cudaMipmappedArray_t mipmaps;
    cudaMallocMipmappedArray(&mipmaps, &format, extent, 3);
    cudaGetMipmappedArrayLevel(a, mipmaps, 1);
    resource.res.mipmap.mipmap = mipmaps;
    cudaFreeMipmappedArray(mipmaps);
    (void)allocate;

    plane.normalized = 1;
    plane.filterMode = cudaFilterModeLinear;
    plane.addressMode[0] = cudaAddressModeWrap;
    bind(line, memory, 16);
    cudaBindTexture(&offset, line, memory, format, 64);
    cudaBindTexture2D(&offset, plane, memory, 8, 8, 512);
    cudaBindTexture2D(&offset, plane, memory, plane.channelDesc, 8, 8, 512);
    cudaBindTextureToArray(volume, *a);
    cudaBindTextureToArray(layers, *a, format);
    cudaGetTextureAlignmentOffset(&offset, line);
    cudaUnbindTexture(line);
}

void driver(CUarray *a, CUtexObject *object)
{
    CUDA_ARRAY_DESCRIPTOR flat = {8, 8, CU_AD_FORMAT_FLOAT, 1};
    CUDA_ARRAY3D_DESCRIPTOR deep = {8, 8, 8, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};
    cuArrayCreate(a, &flat);
    cuArray3DCreate(a, &deep);
    cuArrayGetDescriptor(&flat, *a);
    cuArray3DGetDescriptor(&deep, *a);
    CUDA_MEMCPY2D copy = {};
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = *a;
    cuMemcpy2D(&copy);
    cuMemcpy2DUnaligned(&copy);
    cuMemcpy2DAsync(&copy, 0);
    CUDA_MEMCPY3D volume_copy = {};
    cuMemcpy3D(&volume_copy);
    cuMemcpy3DAsync(&volume_copy, 0);
    char bytes[8];
    cuMemcpyHtoA(*a, 0, bytes, 8);
    cuMemcpyAtoH(bytes, *a, 0, 8);
    CUDA_RESOURCE_DESC resource = {};
    CUDA_TEXTURE_DESC texture = {};
    texture.flags = CU_TRSF_NORMALIZED_COORDINATES;
    cuTexObjectCreate(object, &resource, &texture, nullptr);
    cuTexObjectDestroy(*object);
    cuArrayDestroy(*a);
    CUmipmappedArray mipmaps;
    cuMipmappedArrayCreate(&mipmaps, &deep, 3);
    cuMipmappedArrayGetLevel(a, mipmaps, 1);
    cuMipmappedArrayDestroy(mipmaps);
}
