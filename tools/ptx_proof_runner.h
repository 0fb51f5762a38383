// Runs one form as PTX and as C++ over many operands and counts the differences.
#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

typedef unsigned long long u64;
typedef void (*Form)(const u64*, u64*, unsigned int, char*, char*);

struct Kinds { int value[6]; };
struct Results { int value[4]; };
struct Count { u64 different, operands; unsigned int farthest; u64 in[6], ptx[4], cpp[4]; };
enum { U8, U16, U32, U64, F32, F64, F16, F16X2, F32X2, BF16, BF16X2 };

__device__ inline void take(unsigned int& v, u64 bits, int) { v = (unsigned int)bits; }
__device__ inline void take(unsigned short& v, u64 bits, int) { v = (unsigned short)bits; }
__device__ inline void take(u64& v, u64 bits, int) { v = bits; }
__device__ inline void take(float& v, u64 bits, int) { v = __uint_as_float((unsigned int)bits); }
__device__ inline void take(double& v, u64 bits, int) { v = __longlong_as_double((long long)bits); }
__device__ inline void give(unsigned int v, u64& out) { out = v; }
__device__ inline void give(unsigned short v, u64& out) { out = v; }
__device__ inline void give(u64 v, u64& out) { out = v; }
__device__ inline void give(float v, u64& out) { out = __float_as_uint(v); }
__device__ inline void give(double v, u64& out) { out = (u64)__double_as_longlong(v); }

static __device__ const unsigned int edges32[] = {
    0, 1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 65, 255, 256, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff, 0x10000,
    0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x01010101, 0x80808080, 0x7f7f7f7f, 0xff00ff00,
    0x00800000, 0x007fffff, 0x00000400, 0x3c003c00, 0x1f1f, 0x0c1f};
static __device__ const unsigned int edgesf[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001,
    0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x3f7fffff, 0x3f800001,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x477fe000, 0x477ff000, 0x477fefff,
    0x477ff001, 0x33000000, 0x33000001, 0x33800000, 0x38800000, 0x387fc000, 0x38800001, 0x43e00000, 0x43e80000, 0x43f00000,
    0x3a800000, 0x3b000000, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000,
    0x42fe0000, 0x42ff0000, 0x43000000, 0xc3008000, 0x437f8000, 0x3f808000, 0x3f818000, 0x3f80ffff, 0x40490fdb, 0x7f7f8000};
static __device__ const unsigned short edgesh[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x3c00, 0xbc00, 0x3800, 0x3e00, 0x4100, 0x3bff,
    0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x5bf8, 0x7800, 0x1400, 0x1000, 0x5f00, 0x5e00, 0x00ff, 0x3f80,
    0xbf80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x0080, 0x007f, 0x3f81, 0x4000};
static __device__ const u64 edges64[] = {
    0, 1, 2, 31, 32, 63, 64, 65, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
    0x8000000000000001, 0xffffffffffffffff, 0xfffffffffffffffe, 0xffffffff00000000, 0x0123456789abcdef, 0xff, 0xffff, 0x8000, 0x80};
static __device__ const u64 edgesd[] = {
    0, 0x8000000000000000, 1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x3ff0000000000000,
    0xbff0000000000000, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x7fefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000,
    0xc1e0000000200000, 0x41f0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x47efffffe0000000,
    0x47effffff0000000, 0x36a0000000000000, 0x3690000000000000, 0x3ff0000010000000, 0x405fc00000000000, 0x4070000000000000};

__device__ inline u64 mixed(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}
template <class T, int N>
__device__ inline u64 pick(const T (&edges)[N], u64 hash) { return edges[hash % N]; }
__device__ inline u64 edge(int kind, u64 hash) {
    switch (kind) {
        case U64: return pick(edges64, hash);
        case F32: return pick(edgesf, hash);
        case F64: return pick(edgesd, hash);
        case F16: case BF16: case U16: return pick(edgesh, hash);
        case F16X2: case BF16X2: return pick(edgesh, hash) << 16 | pick(edgesh, hash >> 20);
        case F32X2: return pick(edgesf, hash) << 32 | pick(edgesf, hash >> 20);
        default: return kind >= 100 ? hash % (u64)(kind - 99) : pick(edges32, hash);
    }
}
// Edges, random bits, small numbers, and numbers near 1 and near each other.
__device__ inline u64 operand(int kind, u64 hash) {
    const u64 bits = mixed(hash);
    if (kind >= 100) return bits % (u64)(kind - 99);
    switch (hash & 7u) {
        case 0: case 1: case 2: case 3: return edge(kind, bits);
        case 4: return kind == F32 ? (bits & 0x80ffffffu) | 0x3f000000u : kind == F64 ? (bits & 0x801fffffffffffffull) | 0x3fe0000000000000ull : bits & 0x3f;
        case 5: return kind == F32 ? (bits & 0x83ffffffu) | 0x44000000u : kind == F64 ? (bits & 0x803fffffffffffffull) | 0x41c0000000000000ull : bits & 0xffff;
        default: return bits;
    }
}
__device__ inline bool nan16(u64 x) { return (x & 0x7fff) > 0x7c00; }
__device__ inline bool nanb16(u64 x) { return (x & 0x7fff) > 0x7f80; }
__device__ inline bool nan32(u64 x) { return (x & 0x7fffffff) > 0x7f800000; }
__device__ inline bool nan64(u64 x) { return (x & 0x7fffffffffffffffull) > 0x7ff0000000000000ull; }
__device__ inline bool same(int kind, u64 a, u64 b) {
    if (a == b) return true;
    switch (kind) {
        case F32: return nan32(a) && nan32(b);
        case F64: return nan64(a) && nan64(b);
        case F16: return nan16(a) && nan16(b);
        case BF16: return nanb16(a) && nanb16(b);
        case F16X2: return same(F16, a & 0xffff, b & 0xffff) && same(F16, a >> 16, b >> 16);
        case BF16X2: return same(BF16, a & 0xffff, b & 0xffff) && same(BF16, a >> 16, b >> 16);
        default: return false;
    }
}
// How far two results of single precision are from each other, in 10^-9 of the greater, or of 1 where PTX's bound is
// absolute (`near` 2, for arguments within a circle).
__device__ inline unsigned int distance(int kind, u64 a, u64 b, int near, u64 in) {
    if (same(kind, a, b) || kind != F32) return 0;
    if (near == 2 && !(fabsf(__uint_as_float((unsigned int)in)) < 6.2831853f)) return 0;
    const double x = __uint_as_float((unsigned int)a), y = __uint_as_float((unsigned int)b);
    if (x != x || y != y || isinf(x) || isinf(y)) return 0xffffffffu;
    const double size = near > 1 ? fmax(fmax(fabs(x), fabs(y)), 1.0) : fmax(fmax(fabs(x), fabs(y)), 1e-37);
    return (unsigned int)fmin(fabs(x - y) / size * 1e9, 4e9);
}

template <Form Ptx, Form Cpp>
__global__ void compare(Kinds kinds, Results results, int near, int rounds, Count* count, char* memory) {
    __shared__ __align__(16) char shared[256 * 64];
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    char* own = shared + threadIdx.x * 64;
    char* global = memory + (u64)thread * 64;
    const unsigned int mine = (unsigned int)__cvta_generic_to_shared(own);
    u64 different = 0;
    unsigned int farthest = 0;
    for (int round = 0; round < rounds; ++round) {
        const u64 seed = ((u64)round * gridDim.x * blockDim.x + thread) * 8u;
        u64 in[6], ptx[4] = {0, 0, 0, 0}, cpp[4] = {0, 0, 0, 0};
        for (int i = 0; i < 6; ++i) in[i] = kinds.value[i] < 0 ? 0 : operand(kinds.value[i], mixed(seed + i));
        for (int i = 0; i < 16; ++i) ((unsigned int*)own)[i] = ((unsigned int*)global)[i] = i * 0x01234567u;
        Ptx(in, ptx, mine, global, own);
        for (int i = 0; i < 16; ++i) ((unsigned int*)own)[i] = ((unsigned int*)global)[i] = i * 0x01234567u;
        Cpp(in, cpp, mine, global, own);
        bool equal = true;
        for (int i = 0; i < 4; ++i) {
            if (results.value[i] < 0) continue;
            if (near) {
                const unsigned int far = distance(results.value[i], ptx[i], cpp[i], near, in[0]);
                farthest = far > farthest ? far : farthest;
                if (results.value[i] == F32 && far > 1000000u) equal = false;
                if (results.value[i] != F32 && !same(results.value[i], ptx[i], cpp[i])) {
                    const int off = abs((int)(ptx[i] & 0xffff) - (int)(cpp[i] & 0xffff)) + abs((int)(ptx[i] >> 16) - (int)(cpp[i] >> 16));
                    if (off > 4) equal = false;
                }
            } else {
                equal = equal && same(results.value[i], ptx[i], cpp[i]);
            }
        }
        if (!equal && atomicAdd(&count->different, 1ull) == 0) {
            for (int i = 0; i < 6; ++i) count->in[i] = in[i];
            for (int i = 0; i < 4; ++i) { count->ptx[i] = ptx[i]; count->cpp[i] = cpp[i]; }
        }
        different += !equal;
    }
    atomicMax(&count->farthest, farthest);
}

#ifdef MAIN
int forms_run = 0, forms_differ = 0;
u64 operands_run = 0;
Count* counts = nullptr;
char* memory = nullptr;
#else
extern int forms_run, forms_differ;
extern u64 operands_run;
extern Count* counts;
extern char* memory;
#endif
const int BLOCKS = 64, THREADS = 256, ROUNDS = 24;

template <Form Ptx, Form Cpp>
void run(const char* name, Kinds kinds, Results results, int near) {
    if (counts == nullptr) {
        cudaMalloc((void**)&counts, sizeof(Count));
        cudaMalloc((void**)&memory, BLOCKS * THREADS * 64);
    }
    cudaMemset(counts, 0, sizeof(Count));
    compare<Ptx, Cpp><<<BLOCKS, THREADS>>>(kinds, results, near, ROUNDS, counts, memory);
    Count count;
    cudaError_t error = cudaMemcpy(&count, counts, sizeof(Count), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        printf("FAILED %s: %s\n", name, cudaGetErrorString(error));
        ++forms_differ;
        return;
    }
    ++forms_run;
    operands_run += (u64)BLOCKS * THREADS * ROUNDS;
    if (count.different != 0) {
        ++forms_differ;
        printf("DIFFERS %s: %llu of %d, first of", name, count.different, BLOCKS * THREADS * ROUNDS);
        for (int i = 0; i < 6 && kinds.value[i] >= 0; ++i) printf(" %llx", count.in[i]);
        printf(": PTX");
        for (int i = 0; i < 4 && results.value[i] >= 0; ++i) printf(" %llx", count.ptx[i]);
        printf(", C++");
        for (int i = 0; i < 4 && results.value[i] >= 0; ++i) printf(" %llx", count.cpp[i]);
        printf("\n");
    }
    if (near) printf("NEAR %s: at most %u / 10^9 apart\n", name, count.farthest);
}

#ifdef MAIN
int summary() {
    printf("%d forms, %llu operands, %d differ\n", forms_run, operands_run, forms_differ);
    return forms_differ != 0;
}
#endif
