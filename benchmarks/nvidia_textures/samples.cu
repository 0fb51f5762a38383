// Texture and surface reads of every kind, written to a file: the texture unit's answers, or those of hipify_texture.h.
//
//     samples write FILE          reads everything, and prints nothing but errors
//     samples compare FILE FILE   prints how two such files differ
//
// Built as it is (nvcc) the program asks CUDA's textures. Translated with --offload-arch gfx942 and built for HIP's
// NVIDIA platform with -DHIPIFY_SOFTWARE_TEXTURES the same reads are made by software.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t status = (call);                                                             \
        if (status != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            std::exit(2);                                                                        \
        }                                                                                        \
    } while (0)

enum Read { FETCH, LINE, LINES, PLANE, PLANES, VOLUME, CUBE, CUBES, GATHER, SURFACE1, SURFACE2, SURFACE3, READS };
const char *const NAMES[READS] = {"tex1Dfetch",   "tex1D",      "tex1DLayered",      "tex2D",
                                  "tex2DLayered", "tex3D",      "texCubemap",        "texCubemapLayered",
                                  "tex2Dgather",  "surf1Dread", "surf2Dread",        "surf3Dread"};

__device__ unsigned bits(float v) { return __float_as_uint(v); }
template <class C>
__device__ unsigned bits(C v)
{
    return (unsigned)(int)v;
}
__device__ unsigned bits(unsigned v) { return v; }

template <class C>
__device__ uint4 pack(C v)
{
    return make_uint4(bits(v), 0, 0, 0);
}
#define PACK(name)                                                                                             \
    __device__ uint4 pack(name##2 v) { return make_uint4(bits(v.x), bits(v.y), 0, 0); }                        \
    __device__ uint4 pack(name##4 v) { return make_uint4(bits(v.x), bits(v.y), bits(v.z), bits(v.w)); }
PACK(char)
PACK(uchar)
PACK(short)
PACK(ushort)
PACK(int)
PACK(uint)
PACK(float)

template <class T, int READ>
__global__ void sample(cudaTextureObject_t texture, cudaSurfaceObject_t surface, const float4 *places, uint4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 at = places[i];
    T v;
    if constexpr (READ == FETCH) v = tex1Dfetch<T>(texture, (int)at.x);
    if constexpr (READ == LINE) v = tex1D<T>(texture, at.x);
    if constexpr (READ == LINES) v = tex1DLayered<T>(texture, at.x, (int)at.w);
    if constexpr (READ == PLANE) v = tex2D<T>(texture, at.x, at.y);
    if constexpr (READ == PLANES) v = tex2DLayered<T>(texture, at.x, at.y, (int)at.w);
    if constexpr (READ == VOLUME) v = tex3D<T>(texture, at.x, at.y, at.z);
    if constexpr (READ == CUBE) v = texCubemap<T>(texture, at.x, at.y, at.z);
    if constexpr (READ == CUBES) v = texCubemapLayered<T>(texture, at.x, at.y, at.z, (int)at.w);
    if constexpr (READ == GATHER) v = tex2Dgather<T>(texture, at.x, at.y, (int)at.w & 3);
    if constexpr (READ == SURFACE1) surf1Dread(&v, surface, (int)at.x * (int)sizeof(T));
    if constexpr (READ == SURFACE2) surf2Dread(&v, surface, (int)at.x * (int)sizeof(T), (int)at.y);
    if constexpr (READ == SURFACE3) surf3Dread(&v, surface, (int)at.x * (int)sizeof(T), (int)at.y, (int)at.z);
    out[i] = pack(v);
}

static unsigned state = 12345;
static unsigned random_bits()
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
static float random_float(float low, float high) { return low + (high - low) * (random_bits() & 0xffff) / 65536.0f; }

struct Shape {
    int width, height, depth;  // 0: no such dimension
};

// Memory of texels with arbitrary bits; floats are finite.
static std::vector<unsigned char> texels(const cudaChannelFormatDesc &format, size_t count)
{
    const int size = (format.x + format.y + format.z + format.w) / 8;
    std::vector<unsigned char> data(count * size);
    for (unsigned char &byte : data) byte = (unsigned char)random_bits();
    if (format.f != cudaChannelFormatKindFloat) return data;
    for (size_t i = 0; i < data.size(); i += format.x / 8) {
        if (format.x == 32) {
            const float value = random_float(-1, 1);
            std::memcpy(&data[i], &value, 4);
        } else {
            data[i + 1] &= 0xbb;  // a half below 2, denormals among them
        }
    }
    return data;
}

// Where to read: a grid of eighths of texels that reaches over the borders, then random places. w is the layer.
static std::vector<float4> places(Read read, const Shape &shape, bool normalized)
{
    const int n = 3072;
    std::vector<float4> all(n);
    for (int i = 0; i < n; ++i) {
        float4 p = make_float4(0, 0, 0, (float)(i % 3));
        float *axes[3] = {&p.x, &p.y, &p.z};
        const int sizes[3] = {shape.width, shape.height ? shape.height : 1, shape.depth ? shape.depth : 1};
        for (int axis = 0; axis < 3; ++axis) {
            const int size = sizes[axis], steps = 8 * (3 * size + 4);
            const int step = axis == 0 ? i % steps : (int)(random_bits() % (unsigned)steps);
            float at = i < 2048 ? (float)step / 8.0f - (float)(size + 2) : random_float(-1.5f * size, 2.5f * size);
            if (read == FETCH || read >= SURFACE1) at = (float)(random_bits() % (unsigned)size);
            if (read == CUBE || read == CUBES) at = i < 2048 ? (float)(random_bits() % 9) / 4.0f - 1.0f : random_float(-1, 1);
            *axes[axis] = normalized && read != CUBE && read != CUBES ? at / (float)size : at;
        }
        if ((read == CUBE || read == CUBES) && p.x == 0 && p.y == 0 && p.z == 0) p.x = 1;
        all[i] = p;
    }
    return all;
}

struct Case {
    Read read;
    Shape shape;
    cudaChannelFormatDesc format;
    cudaTextureDesc texture;
    std::string name;
};

static cudaArray_t make_array(const Case &c)
{
    unsigned flags = cudaArrayDefault;
    cudaExtent extent = make_cudaExtent(c.shape.width, c.shape.height, c.shape.depth);
    if (c.read == LINES || c.read == PLANES || c.read == CUBES) flags |= cudaArrayLayered;
    if (c.read == CUBE || c.read == CUBES) flags |= cudaArrayCubemap;
    if (c.read == GATHER) flags |= cudaArrayTextureGather;
    if (c.read >= SURFACE1) flags |= cudaArraySurfaceLoadStore;
    cudaArray_t array;
    if (c.shape.depth)
        CHECK(cudaMalloc3DArray(&array, &c.format, extent, flags));
    else
        CHECK(cudaMallocArray(&array, &c.format, extent.width, extent.height, flags));
    const int size = (c.format.x + c.format.y + c.format.z + c.format.w) / 8;
    const size_t rows = c.shape.height ? c.shape.height : 1, layers = c.shape.depth ? c.shape.depth : 1;
    std::vector<unsigned char> data = texels(c.format, extent.width * rows * layers);
    if (c.shape.depth) {
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(data.data(), extent.width * size, extent.width, rows);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(extent.width, rows, layers);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
    } else {
        CHECK(cudaMemcpy2DToArray(array, 0, 0, data.data(), extent.width * size, extent.width * size, rows,
                                  cudaMemcpyHostToDevice));
    }
    return array;
}

static bool is_float(const Case &c)
{
    return c.format.f == cudaChannelFormatKindFloat || c.texture.readMode == cudaReadModeNormalizedFloat;
}

template <class T, int READ>
static void run(const Case &c, FILE *file)
{
    state = 12345;
    const int size = (c.format.x + c.format.y + c.format.z + c.format.w) / 8;
    cudaResourceDesc resource = {};
    cudaArray_t array = nullptr;
    unsigned char *memory = nullptr;
    const bool pitched = READ == PLANE && c.name.find("pitch2D") != std::string::npos;
    if (READ == FETCH || pitched) {
        const size_t rows = pitched ? c.shape.height : 1, pitch = pitched ? 512 : (size_t)c.shape.width * size;
        std::vector<unsigned char> data = texels(c.format, pitch * rows / size);
        CHECK(cudaMalloc((void **)&memory, data.size()));
        CHECK(cudaMemcpy(memory, data.data(), data.size(), cudaMemcpyHostToDevice));
        if (pitched) {
            resource.resType = cudaResourceTypePitch2D;
            resource.res.pitch2D.devPtr = memory;
            resource.res.pitch2D.desc = c.format;
            resource.res.pitch2D.width = c.shape.width;
            resource.res.pitch2D.height = rows;
            resource.res.pitch2D.pitchInBytes = pitch;
        } else {
            resource.resType = cudaResourceTypeLinear;
            resource.res.linear.devPtr = memory;
            resource.res.linear.desc = c.format;
            resource.res.linear.sizeInBytes = data.size();
        }
    } else {
        array = make_array(c);
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
    }
    cudaTextureObject_t texture = 0;
    cudaSurfaceObject_t surface = 0;
    if (READ >= SURFACE1)
        CHECK(cudaCreateSurfaceObject(&surface, &resource));
    else
        CHECK(cudaCreateTextureObject(&texture, &resource, &c.texture, nullptr));

    const std::vector<float4> at = places(c.read, c.shape, c.texture.normalizedCoords);
    const int n = (int)at.size();
    float4 *d_at;
    uint4 *d_out;
    std::vector<uint4> out(n);
    CHECK(cudaMalloc((void **)&d_at, n * sizeof(float4)));
    CHECK(cudaMalloc((void **)&d_out, n * sizeof(uint4)));
    CHECK(cudaMemcpy(d_at, at.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    sample<T, READ><<<(n + 127) / 128, 128>>>(texture, surface, d_at, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(uint4), cudaMemcpyDeviceToHost));
    std::fprintf(file, "%s|%d|%d|%d\n", c.name.c_str(), (int)is_float(c), (int)(c.texture.filterMode == cudaFilterModeLinear),
                 n);
    std::fwrite(at.data(), sizeof(float4), n, file);
    std::fwrite(out.data(), sizeof(uint4), n, file);

    if (READ >= SURFACE1)
        CHECK(cudaDestroySurfaceObject(surface));
    else
        CHECK(cudaDestroyTextureObject(texture));
    if (array) CHECK(cudaFreeArray(array));
    CHECK(cudaFree(memory));
    CHECK(cudaFree(d_at));
    CHECK(cudaFree(d_out));
}

static const Shape SHAPES[READS][2] = {
    {{64, 0, 0}, {61, 0, 0}}, {{16, 0, 0}, {13, 0, 0}},  {{16, 0, 3}, {13, 0, 3}}, {{16, 8, 0}, {13, 7, 0}},
    {{16, 8, 3}, {13, 7, 3}}, {{8, 4, 4}, {7, 5, 3}},    {{8, 8, 6}, {5, 5, 6}},   {{8, 8, 12}, {5, 5, 12}},
    {{16, 8, 0}, {13, 7, 0}}, {{16, 0, 0}, {13, 0, 0}},  {{16, 8, 0}, {13, 7, 0}}, {{8, 4, 4}, {7, 5, 3}}};

template <class T, int READ>
static void every_mode(const char *type, const cudaChannelFormatDesc &format, cudaTextureReadMode mode, FILE *file)
{
    const char *const address[4] = {"wrap", "clamp", "mirror", "border"};
    const bool plain = READ == FETCH || READ >= SURFACE1, cube = READ == CUBE || READ == CUBES;
    for (int odd = 0; odd < 2; ++odd)
        for (int linear = 0; linear < 2; ++linear)
            for (int normalized = 0; normalized < 2; ++normalized)
                for (int a = 0; a < 4; ++a)
                    for (int pitched = 0; pitched < (READ == PLANE ? 2 : 1); ++pitched) {
                        Case c = {};
                        c.read = (Read)READ;
                        c.shape = SHAPES[READ][odd];
                        c.format = format;
                        c.texture.readMode = mode;
                        if (linear && (!is_float(c) || plain || READ == GATHER)) continue;
                        if (normalized && plain) continue;
                        if (!normalized && (cube || a == 0 || a == 2)) continue;  // wrap and mirror want normalized
                        if (plain && a != 1) continue;
                        if (cube && a != 1) continue;
                        for (int i = 0; i < 3; ++i) c.texture.addressMode[i] = (cudaTextureAddressMode)a;
                        if (READ == LINE || READ == LINES) c.texture.addressMode[1] = cudaAddressModeClamp;
                        c.texture.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
                        c.texture.normalizedCoords = normalized;
                        c.name = std::string(NAMES[READ]) + " " + type + (odd ? " odd" : " even") +
                                 (linear ? " linear" : " point") + (normalized ? " normalized " : " texels ") + address[a] +
                                 (mode == cudaReadModeNormalizedFloat ? " as-float" : "") + (pitched ? " pitch2D" : "");
                        run<T, READ>(c, file);
                    }
}

template <class T>
static void every_read(const char *type, const cudaChannelFormatDesc &format, cudaTextureReadMode mode, FILE *file)
{
    every_mode<T, FETCH>(type, format, mode, file);
    every_mode<T, LINE>(type, format, mode, file);
    every_mode<T, LINES>(type, format, mode, file);
    every_mode<T, PLANE>(type, format, mode, file);
    every_mode<T, PLANES>(type, format, mode, file);
    every_mode<T, VOLUME>(type, format, mode, file);
    every_mode<T, CUBE>(type, format, mode, file);
    every_mode<T, CUBES>(type, format, mode, file);
}

template <class T>
static void every_surface(const char *type, FILE *file)
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    every_mode<T, SURFACE1>(type, format, cudaReadModeElementType, file);
    every_mode<T, SURFACE2>(type, format, cudaReadModeElementType, file);
    every_mode<T, SURFACE3>(type, format, cudaReadModeElementType, file);
}

template <class T>
static void texels_of(const char *type, FILE *file)
{
    every_read<T>(type, cudaCreateChannelDesc<T>(), cudaReadModeElementType, file);
    every_surface<T>(type, file);
}

template <class T, class F>
static void floats_of(const char *type, FILE *file)
{
    every_read<F>(type, cudaCreateChannelDesc<T>(), cudaReadModeNormalizedFloat, file);
}

// Reads at levels of detail: z is the level, or the logarithm of how many texels the gradients span.
template <class T, int DIMENSIONS, bool GRADIENT>
__global__ void sample_levels(cudaTextureObject_t texture, const float4 *places, uint4 *out, int n, float texel)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 at = places[i];
    const float step = exp2f(at.z) * texel;
    T v;
    if constexpr (DIMENSIONS == 2 && !GRADIENT) v = tex2DLod<T>(texture, at.x, at.y, at.z);
    if constexpr (DIMENSIONS == 2 && GRADIENT)
        v = tex2DGrad<T>(texture, at.x, at.y, make_float2(step, 0), make_float2(0, step));
    if constexpr (DIMENSIONS == 3) v = tex3DLod<T>(texture, at.x, at.y, at.w, at.z);
    out[i] = pack(v);
}

template <class T, int DIMENSIONS, bool GRADIENT>
static void mipmapped(const char *type, const cudaChannelFormatDesc &format, cudaTextureReadMode mode, FILE *file)
{
    const int levels = 4, n = 3072, depth = DIMENSIONS == 3 ? 8 : 0;
    const int size = (format.x + format.y + format.z + format.w) / 8;
    cudaMipmappedArray_t mipmaps;
    CHECK(cudaMallocMipmappedArray(&mipmaps, &format, make_cudaExtent(16, 16, depth), levels, 0));
    state = 12345;
    for (int level = 0; level < levels; ++level) {
        cudaArray_t array;
        CHECK(cudaGetMipmappedArrayLevel(&array, mipmaps, level));
        const int wide = 16 >> level, deep = depth ? depth >> level : 1;
        std::vector<unsigned char> data = texels(format, (size_t)wide * wide * deep);
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(data.data(), (size_t)wide * size, wide, wide);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(wide, wide, deep);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
    }
    std::vector<float4> at(n);
    for (int i = 0; i < n; ++i)
        at[i] = make_float4(random_float(-1, 2), random_float(-1, 2), i < 1024 ? (float)(i % 97) / 16.0f - 1.0f : random_float(-1, 5),
                            random_float(-1, 2));
    float4 *d_at;
    uint4 *d_out;
    std::vector<uint4> out(n);
    CHECK(cudaMalloc((void **)&d_at, n * sizeof(float4)));
    CHECK(cudaMalloc((void **)&d_out, n * sizeof(uint4)));
    CHECK(cudaMemcpy(d_at, at.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    for (int variant = 0; variant < 16; ++variant) {
        const bool linear = variant & 1, between = variant & 2, wraps = variant & 4, shifted = variant & 8;
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = mipmaps;
        cudaTextureDesc description = {};
        for (int i = 0; i < 3; ++i) description.addressMode[i] = wraps ? cudaAddressModeWrap : cudaAddressModeClamp;
        description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        description.mipmapFilterMode = between ? cudaFilterModeLinear : cudaFilterModePoint;
        description.readMode = mode;
        description.normalizedCoords = 1;
        description.mipmapLevelBias = shifted ? 0.75f : 0.0f;
        description.minMipmapLevelClamp = shifted ? 0.5f : 0.0f;
        description.maxMipmapLevelClamp = shifted ? 2.25f : 99.0f;
        cudaTextureObject_t texture = 0;
        CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
        sample_levels<T, DIMENSIONS, GRADIENT><<<(n + 127) / 128, 128>>>(texture, d_at, d_out, n, 1.0f / 16.0f);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(uint4), cudaMemcpyDeviceToHost));
        std::fprintf(file, "%s %s mipmaps %s %s %s%s|1|%d|%d\n", GRADIENT ? "tex2DGrad" : DIMENSIONS == 3 ? "tex3DLod" : "tex2DLod",
                     type, linear ? "linear" : "point", between ? "between levels" : "nearest level",
                     wraps ? "wrap" : "clamp", shifted ? " shifted" : "", (int)(linear || between), n);
        std::fwrite(at.data(), sizeof(float4), n, file);
        std::fwrite(out.data(), sizeof(uint4), n, file);
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeMipmappedArray(mipmaps));
    CHECK(cudaFree(d_at));
    CHECK(cudaFree(d_out));
}

static int write(const char *path)
{
    FILE *file = std::fopen(path, "wb");
    if (!file) return 2;
    texels_of<float>("float", file);
    texels_of<float2>("float2", file);
    texels_of<float4>("float4", file);
    texels_of<int>("int", file);
    texels_of<uint4>("uint4", file);
    texels_of<short2>("short2", file);
    texels_of<unsigned short>("ushort", file);
    texels_of<char4>("char4", file);
    texels_of<unsigned char>("uchar", file);
    texels_of<uchar2>("uchar2", file);
    floats_of<unsigned char, float>("uchar", file);
    floats_of<uchar4, float4>("uchar4", file);
    floats_of<char2, float2>("char2", file);
    floats_of<unsigned short, float>("ushort", file);
    floats_of<short4, float4>("short4", file);
    every_read<float>("half", cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat), cudaReadModeElementType, file);
    every_read<float4>("half4", cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat), cudaReadModeElementType,
                       file);
    every_read<float4>("float-as-float4", cudaCreateChannelDesc<float>(), cudaReadModeElementType, file);
    every_mode<float4, GATHER>("float", cudaCreateChannelDesc<float>(), cudaReadModeElementType, file);
    every_mode<float4, GATHER>("float4", cudaCreateChannelDesc<float4>(), cudaReadModeElementType, file);
    every_mode<float4, GATHER>("uchar4", cudaCreateChannelDesc<uchar4>(), cudaReadModeNormalizedFloat, file);
    every_mode<uint4, GATHER>("uint4", cudaCreateChannelDesc<uint4>(), cudaReadModeElementType, file);
    mipmapped<float, 2, false>("float", cudaCreateChannelDesc<float>(), cudaReadModeElementType, file);
    mipmapped<float4, 2, false>("float4", cudaCreateChannelDesc<float4>(), cudaReadModeElementType, file);
    mipmapped<float, 2, false>("uchar", cudaCreateChannelDesc<unsigned char>(), cudaReadModeNormalizedFloat, file);
    mipmapped<float, 3, false>("float", cudaCreateChannelDesc<float>(), cudaReadModeElementType, file);
    mipmapped<float, 2, true>("float", cudaCreateChannelDesc<float>(), cudaReadModeElementType, file);
    return std::fclose(file) ? 2 : 0;
}

struct Block {
    std::string name;
    int floats, linear, n;
    std::vector<float4> at;
    std::vector<uint4> out;
};

static bool read(FILE *file, Block *block)
{
    char line[256], name[200];
    if (!std::fgets(line, sizeof line, file)) return false;
    if (std::sscanf(line, "%199[^|]|%d|%d|%d", name, &block->floats, &block->linear, &block->n) != 4) return false;
    block->name = name;
    block->at.resize(block->n);
    block->out.resize(block->n);
    return std::fread(block->at.data(), sizeof(float4), block->n, file) == (size_t)block->n &&
           std::fread(block->out.data(), sizeof(uint4), block->n, file) == (size_t)block->n;
}

static float as_float(unsigned bits)
{
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

// A line for each kind of read: how many values, how many differ, and the largest difference of floats.
static int compare(const char *left, const char *right, bool verbose)
{
    FILE *a = std::fopen(left, "rb"), *b = std::fopen(right, "rb");
    Block x, y;
    long cases = 0, values = 0, different = 0, exact_cases = 0;
    double largest = 0;
    while (read(a, &x)) {
        if (!read(b, &y) || x.name != y.name || x.n != y.n) {
            std::printf("%s: not the same reads\n", x.name.c_str());
            return 2;
        }
        long off = 0;
        double worst = 0;
        int where = -1;
        for (int i = 0; i < x.n; ++i) {
            const unsigned p[4] = {x.out[i].x, x.out[i].y, x.out[i].z, x.out[i].w};
            const unsigned q[4] = {y.out[i].x, y.out[i].y, y.out[i].z, y.out[i].w};
            for (int c = 0; c < 4; ++c) {
                const double gap = p[c] == q[c] ? 0 : x.floats ? std::fabs((double)as_float(p[c]) - as_float(q[c])) : 1e9;
                if (p[c] != q[c]) ++off;
                if (gap > worst || (p[c] != q[c] && where < 0)) {
                    worst = gap > worst ? gap : worst;
                    where = i;
                }
            }
        }
        ++cases;
        values += 4l * x.n;
        different += off;
        exact_cases += off == 0;
        largest = worst > largest ? worst : largest;
        if (off && verbose)
            std::printf("%-60s %6ld of %6d differ, by %-10.4g at (%.9g, %.9g, %.9g, %g): %08x.. %.9g and %08x.. %.9g\n",
                        x.name.c_str(), off, 4 * x.n, worst, x.at[where].x, x.at[where].y, x.at[where].z, x.at[where].w,
                        x.out[where].x, as_float(x.out[where].x), y.out[where].x, as_float(y.out[where].x));
    }
    std::printf("%ld kinds of reads, %ld exactly the same; %ld values, %ld differ, by %.4g at most\n", cases, exact_cases,
                values, different, largest);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !std::strcmp(argv[1], "write")) return write(argv[2]);
    if (argc >= 4 && !std::strcmp(argv[1], "compare")) return compare(argv[2], argv[3], argc > 4);
    std::fprintf(stderr, "usage: samples write FILE | samples compare FILE FILE [all]\n");
    return 2;
}
